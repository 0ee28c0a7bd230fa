//! Rows and ratios, as JSON and as tables. SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use comfy_table::{Table, presets};
use serde::Serialize;

use crate::bars::{Verdict, judge, not_judged};
use crate::costs::Costs;
use crate::kem::{OPERATIONS, Operation, TIERS, Tier};
use crate::machine::Context;
use crate::measure::{Contestant, Description};
use crate::ratios::{Ratio, ratios};
use crate::stats::{Summary, summary};
use crate::steady::Steadiness;

#[derive(Serialize)]
pub struct Row {
    #[serde(flatten)]
    description: Description,
    operation: Operation,
    /// Operations of one sample.
    block: usize,
    #[serde(flatten)]
    times: Summary,
    /// Rounds that gave no sample, for other processes took the core in every attempt.
    disturbed: usize,
}

#[derive(Serialize)]
pub struct Report {
    context: Context,
    rounds: Steadiness,
    rows: Vec<Row>,
    ratios: Vec<Ratio>,
    bars: Vec<Verdict>,
    costs: Vec<Costs>,
}

impl Report {
    pub fn new(context: Context, rounds: Steadiness, contests: &[Vec<Contestant>], costs: Vec<Costs>) -> Self {
        let rows = contests.iter().flatten().flat_map(rows_of).collect();
        let ratios = contests.iter().flat_map(|contestants| ratios(contestants)).collect();
        Self { context, rounds, rows, ratios, bars: judge(contests), costs }
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
        print_rounds(&self.rounds);
        self.print_libraries();
        for tier in TIERS {
            self.print_times(tier);
        }
        self.print_costs();
        self.print_ratios();
        self.print_bars();
    }

    /// Each library in each tier once for each family, as it describes itself for the family's first set.
    fn print_libraries(&self) {
        let mut table = plain_table(&["family", "library", "backend", "tier", "checks in the time", "randomness"]);
        let mut seen = HashSet::new();
        for Row { description: d, .. } in &self.rows {
            if seen.insert((d.family, d.label(), d.tier)) {
                let library = format!("{} {}", d.library, d.version);
                table.add_row([d.family, &library, &d.backend, d.tier.name(), &d.checks, d.rng]);
            }
        }
        println!("\nLibraries\n{table}");
    }

    fn print_times(&self, tier: Tier) {
        let rows: Vec<_> = self.rows.iter().filter(|row| row.description.tier == tier).collect();
        let mut table =
            plain_table(&["set", "library", "operation", "median", "q1", "q3", "min", "block", "n", "disturbed"]);
        for row in &rows {
            let Row { description: d, operation, block, times, disturbed } = row;
            let mut cells = vec![d.set.to_owned(), d.label(), operation.name().to_owned()];
            cells.extend([times.median, times.q1, times.q3, times.min].map(|ns| format!("{:.2}", ns / 1e3)));
            cells.extend([*block, times.n, *disturbed].map(|count| count.to_string()));
            table.add_row(cells);
        }
        if !rows.is_empty() {
            println!("\nTier {}: microseconds per operation\n{table}", tier.name());
        }
    }

    fn print_costs(&self) {
        let operations = OPERATIONS.map(Operation::name);
        let mut table = plain_table(&[&["set", "library"], operations.as_slice(), operations.as_slice()].concat());
        for c in &self.costs {
            let mut cells = vec![c.set.to_owned(), format!("{} ({})", c.library, c.backend)];
            cells.extend(c.first_us.map_or(["-"; 3].map(str::to_owned), |times| times.map(|us| format!("{us:.0}"))));
            cells.extend(c.stack_bytes.map(|bytes| format!("{:.1}", bytes as f64 / 1024.0)));
            table.add_row(cells);
        }
        if !self.costs.is_empty() {
            println!("\nTier wire: microseconds of the first calls in a process; KiB of stack\n{table}");
        }
    }

    fn print_ratios(&self) {
        let mut table = plain_table(&["set", "operation", "tier", "backend", "rival", "medians", "rounds", "q1", "q3"]);
        for r in &self.ratios {
            let mut cells: Vec<_> = [r.set, r.operation.name(), r.tier.name()].map(str::to_owned).into();
            cells.extend([r.backend.clone(), r.rival.clone()]);
            cells.extend([r.ratio, r.ratio_rounds, r.ratio_q1, r.ratio_q3].map(|ratio| format!("{ratio:.2}")));
            table.add_row(cells);
        }
        if !self.ratios.is_empty() {
            println!(
                "\nlatkem's time by the rival's in the same tier: of medians, and of single rounds with quartiles\n{table}"
            );
        }
    }

    fn print_bars(&self) {
        let mut table =
            plain_table(&["bar", "by the time of", "limit", "largest", "set", "operation", "rival", "verdict"]);
        for Verdict { name, rival, limit, worst, met, .. } in &self.bars {
            let (limit, ratio) = (format!("{limit:.2}"), format!("{:.3}", worst.ratio));
            let verdict = if *met { "met" } else { "MISSED" };
            let (operation, worst_rival) = (worst.operation.name(), worst.rival.as_str());
            table.add_row([name, rival.as_str(), &limit, &ratio, worst.set, operation, worst_rival, verdict]);
        }
        if !self.bars.is_empty() {
            println!("\nBars: the largest ratio of all sets and operations, in the larger of its two forms\n{table}");
        }
        println!("\nNot judged, for their rows are not in this run: {}", not_judged(&self.bars).join("; "));
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
        let (block, disturbed) = (contestant.operations(operation), samples.len() - times.n);
        Some(Row { description, operation, block, times, disturbed })
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
    println!("          libcrypto for the hybrids: {}", c.libcrypto);
    println!("rivals    C: {}: {}", c.rival_cc, c.rival_flags);
    println!("          Rust: {}, release profile", c.rustc);
    println!("run       core {}, blocks of at most {} operations, batches of {}", c.pinned_core, c.block, c.batch);
}

fn print_rounds(r: &Steadiness) {
    let (clock, stolen) = (100.0 * r.clock_tolerance, 100.0 * r.stolen_tolerance);
    println!("rounds    {} kept; dropped:", r.kept);
    println!(
        "          {} under a clock more than {clock:.0} % from {:.3} ns a multiplication",
        r.dropped_clock, r.ns_per_multiplication
    );
    println!("          {} of which the hypervisor had more than {stolen:.0} %", r.dropped_stolen);
}
