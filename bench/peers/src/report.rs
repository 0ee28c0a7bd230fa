//! Rows and ratios, as JSON and as tables. SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use comfy_table::{Table, presets};
use serde::Serialize;

use crate::kem::{OPERATIONS, Operation, TIERS, Tier};
use crate::machine::Context;
use crate::measure::{Contestant, Description, Sample};
use crate::stats::{Summary, summary};

/// `portable` is to take at most this share of the time of pqcrypto-mlkem's clean C.
const BAR: f64 = 0.80;

#[derive(Serialize)]
pub struct Row {
    #[serde(flatten)]
    description: Description,
    operation: Operation,
    #[serde(flatten)]
    times: Summary,
    /// Rounds that gave no sample, for other processes took the core in every attempt.
    disturbed: usize,
}

/// latkem's time by a rival's. Medians of whole runs may drift apart; ratio_rounds and its quartiles come from the
/// ratios of the single rounds, in which the two ran milliseconds apart.
#[derive(Serialize)]
pub struct Ratio {
    set: &'static str,
    operation: Operation,
    tier: Tier,
    backend: String,
    rival: String,
    ratio: f64,
    ratio_rounds: f64,
    ratio_q1: f64,
    ratio_q3: f64,
}

#[derive(Serialize)]
pub struct Report {
    context: Context,
    rows: Vec<Row>,
    ratios: Vec<Ratio>,
}

impl Report {
    pub fn new(context: Context, contests: &[Vec<Contestant>]) -> Self {
        let rows = contests.iter().flatten().flat_map(rows_of).collect();
        let ratios = contests.iter().flat_map(|contestants| ratios_of(contestants)).collect();
        Self { context, rows, ratios }
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(path, text))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    pub fn print(&self) {
        print_context(&self.context);
        self.print_libraries();
        for tier in TIERS {
            self.print_times(tier);
        }
        self.print_ratios();
        self.print_bar();
    }

    /// Each library in each tier once, as it describes itself for the first set.
    fn print_libraries(&self) {
        let mut table = plain_table(&["library", "backend", "tier", "checks in the time", "randomness"]);
        let first = self.rows.first().map(|row| row.description.set);
        for (at, Row { description: d, .. }) in self.rows.iter().enumerate() {
            let repeated = at > 0 && self.rows[at - 1].description.same_subject(d);
            if Some(d.set) == first && !repeated {
                let library = format!("{} {}", d.library, d.version);
                table.add_row([&library, &d.backend, d.tier.name(), &d.checks, d.rng]);
            }
        }
        println!("\nLibraries\n{table}");
    }

    fn print_times(&self, tier: Tier) {
        let rows: Vec<_> = self.rows.iter().filter(|row| row.description.tier == tier).collect();
        let mut table = plain_table(&["set", "library", "operation", "median", "q1", "q3", "min", "n", "disturbed"]);
        for row in &rows {
            let Row { description: d, operation, times, disturbed } = row;
            let mut cells = vec![d.set.to_owned(), d.label(), operation.name().to_owned()];
            cells.extend([times.median, times.q1, times.q3, times.min].map(|ns| format!("{:.2}", ns / 1e3)));
            cells.extend([times.n, *disturbed].map(|count| count.to_string()));
            table.add_row(cells);
        }
        if !rows.is_empty() {
            println!("\nTier {}: microseconds per operation\n{table}", tier.name());
        }
    }

    fn print_ratios(&self) {
        let mut table = plain_table(&["set", "operation", "backend", "rival", "medians", "rounds", "q1", "q3"]);
        for r in &self.ratios {
            let mut cells = vec![r.set.to_owned(), r.operation.name().to_owned(), r.backend.clone(), r.rival.clone()];
            cells.extend([r.ratio, r.ratio_rounds, r.ratio_q1, r.ratio_q3].map(|ratio| format!("{ratio:.3}")));
            table.add_row(cells);
        }
        if !self.ratios.is_empty() {
            println!(
                "\nlatkem's time by the rival's, tier wire: of medians, and of single rounds with quartiles\n{table}"
            );
        }
    }

    /// Judged by the larger of a ratio's two forms, for a noisy run can make either of them too small.
    fn print_bar(&self) {
        let barred = |r: &&Ratio| r.backend == "portable" && r.rival == "pqcrypto-mlkem (clean C)";
        let larger = |r: &Ratio| r.ratio.max(r.ratio_rounds);
        let worst = self.ratios.iter().filter(barred).max_by(|a, b| larger(a).total_cmp(&larger(b)));
        if let Some(worst) = worst {
            let verdict = if larger(worst) <= BAR { "met" } else { "NOT met" };
            println!("\nBar: portable takes at most {BAR:.2} of pqcrypto-mlkem's clean C, every set and operation.");
            println!("Largest ratio: {:.3} ({} {}). {verdict}", larger(worst), worst.set, worst.operation.name());
        }
    }
}

impl Description {
    fn label(&self) -> String {
        format!("{} ({})", self.library, self.backend)
    }

    fn same_subject(&self, other: &Self) -> bool {
        (self.library, &self.backend, self.tier) == (other.library, &other.backend, other.tier)
    }
}

fn rows_of(contestant: &Contestant) -> impl Iterator<Item = Row> {
    OPERATIONS.into_iter().filter_map(|operation| {
        let samples = contestant.samples(operation);
        let description = contestant.description.clone();
        let times = summary(samples.iter().copied().flatten());
        if times.is_none() && !samples.is_empty() {
            let (label, tier) = (description.label(), description.tier.name());
            eprintln!("no undisturbed sample of {label}, {} {} {tier}", description.set, operation.name());
        }
        let times = times?;
        Some(Row { description, operation, times, disturbed: samples.len() - times.n })
    })
}

/// Tiers do different work, so only the one that the rivals run in is compared.
fn ratios_of(contestants: &[Contestant]) -> Vec<Ratio> {
    let wire = || contestants.iter().filter(|c| c.description.tier == Tier::Wire);
    let is_ours = |c: &&Contestant| c.description.library == "latkem";
    let mut ratios = Vec::new();
    for operation in OPERATIONS {
        for ours in wire().filter(is_ours) {
            ratios.extend(wire().filter(|c| !is_ours(c)).filter_map(|theirs| ratio(ours, theirs, operation)));
        }
    }
    ratios
}

fn ratio(ours: &Contestant, theirs: &Contestant, operation: Operation) -> Option<Ratio> {
    let (a, b) = (ours.samples(operation), theirs.samples(operation));
    let rounds = summary(a.iter().zip(b).filter_map(|(a, b)| Some((*a)? / (*b)?)))?;
    let median = |samples: &[Sample]| Some(summary(samples.iter().copied().flatten())?.median);
    Some(Ratio {
        set: ours.description.set,
        operation,
        tier: ours.description.tier,
        backend: ours.description.backend.clone(),
        rival: theirs.description.label(),
        ratio: median(a)? / median(b)?,
        ratio_rounds: rounds.median,
        ratio_q1: rounds.q1,
        ratio_q3: rounds.q3,
    })
}

fn plain_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.iter().copied());
    table
}

fn print_context(c: &Context) {
    println!("{}", c.date);
    println!("machine   {}, virtual machine: {}, governor: {}", c.cpu, c.virtual_machine, c.governor);
    println!("          turbo: {}, SMT: {}, load before the run: {}", c.turbo, c.smt, c.load_average);
    println!("latkem    {}, {}: {}", c.latkem_cc, c.latkem_build_type, c.latkem_flags);
    println!("rivals    C: {}: {}", c.rival_cc, c.rival_flags);
    println!("          Rust: {}, release profile", c.rustc);
    println!(
        "run       core {}, {} rounds, blocks of {} operations, batches of {}",
        c.pinned_core, c.rounds, c.block, c.batch
    );
}
