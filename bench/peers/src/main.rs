//! Times latkem beside other libraries in one process, in interleaved rounds: see README.md.
//! SPDX-License-Identifier: Apache-2.0
mod bars;
mod costs;
mod derand;
mod kem;
mod latkem;
mod machine;
mod measure;
mod ratios;
mod report;
mod rivals;
mod sets;
mod stats;
mod steady;
mod verify;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use crate::costs::{costs, print_first_calls};
use crate::derand::Given;
use crate::kem::{Rival, Set, Singly, TIERS, Tier};
use crate::latkem::Kem;
use crate::machine::Context;
use crate::measure::{Contestant, Description, Plan, measure};
use crate::report::Report;
use crate::sets::{ML_KEM, TLS_HYBRID};
use crate::steady::{Reading, Steadiness};

const BATCH: usize = 64;
const WARM_UP_ROUNDS: usize = 5;

/// Times latkem beside other libraries in one process, in interleaved rounds.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Write the results as JSON here
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Rounds, each with one sample of every library, set and operation
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Begin no round after this many seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,

    /// 60 rounds at most, in 10 seconds
    #[arg(long)]
    quick: bool,

    /// Operations of one sample; slow key generation does fewer
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    block: u16,

    /// Only these sets, or families: ml-kem, kyber, kyber-90s, saber, ntru, tls-hybrid, hybrid [default: all that have a
    /// rival]
    #[arg(long = "set", value_name = "NAME", num_args = 1..)]
    sets: Vec<String>,

    /// Only these backends of latkem [default: all that this CPU can run]
    #[arg(long = "backend", value_name = "NAME")]
    backends: Vec<String>,

    /// Neither first calls nor stacks, which take a second for each set
    #[arg(long)]
    no_costs: bool,

    /// Options that the program uses for its own processes
    #[arg(long, hide = true, num_args = 3, value_names = ["SET", "LIBRARY", "BACKEND"])]
    first_calls: Vec<String>,

    /// Stay on this core [default: the last one]
    #[arg(long, value_name = "CORE", env = "LATKEM_BENCH_PIN")]
    pin: Option<usize>,
}

impl Options {
    fn plan(&self) -> Plan {
        let (rounds, seconds) = (self.rounds as usize, self.seconds);
        let (rounds, seconds) = if self.quick { (rounds.min(60), seconds.min(10)) } else { (rounds, seconds) };
        Plan { rounds, warm_up: WARM_UP_ROUNDS, limit: Duration::from_secs(seconds) }
    }

    /// The sets asked for; without any, those of the library that have a rival in this build.
    fn sets(&self) -> Result<Vec<(Kem, Set)>> {
        let asked = !self.sets.is_empty();
        let mut sets = Vec::new();
        for name in if asked { sets::named(&self.sets)? } else { sets::all() } {
            let Some(kem) = Kem::find(name.0) else {
                ensure!(!asked, "latkem has no parameter set {}", name.0);
                eprintln!("{}: left out, for latkem does not have it", name.0);
                continue;
            };
            let set = kem.set(name);
            if asked || !rivals::rivals(&set).is_empty() {
                sets.push((kem, set));
            }
        }
        ensure!(!sets.is_empty(), "no rival of this build has a set of latkem");
        Ok(sets)
    }

    fn backends(&self) -> Result<Vec<&'static str>> {
        let known = latkem::backends();
        for name in &self.backends {
            ensure!(
                known.contains(&name.as_str()),
                "latkem has no backend {name} on this CPU, but {}",
                known.join(" ")
            );
        }
        let asked = |name: &&str| self.backends.is_empty() || self.backends.iter().any(|wanted| wanted == name);
        Ok(known.into_iter().filter(asked).collect())
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let [name, library, backend] = options.first_calls.as_slice() {
        let (kem, set) = found(name)?;
        return print_first_calls(kem, &set, library, backend);
    }
    let core = machine::pin(options.pin)?;
    let context = Context::new(core, options.block.into(), BATCH);
    let chosen = latkem::backend();
    let backends = options.backends()?;
    eprintln!("latkem backends: {}", backends.join(" "));
    let sets = options.sets()?;
    let contests: Result<Vec<_>> = sets.iter().map(|(_, set)| contest(set, &backends, options.block.into())).collect();
    let mut contests = contests?;
    let measured = sets.iter().filter(|_| !options.no_costs);
    let costs: Result<Vec<_>> = measured.map(|(kem, set)| costs(*kem, set, &backends, chosen)).collect();
    let costs = costs?.into_iter().flatten().collect();
    let rounds = run(&mut contests, &options.plan(), core)?;
    let report = Report::new(context, rounds, &contests, costs);
    report.print();
    if let Some(path) = &options.json {
        report.write(path)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

/// The set of latkem that the name is.
fn found(name: &str) -> Result<(Kem, Set)> {
    let named = sets::all().into_iter().find(|(known, _)| *known == name);
    let (named, kem) = named.zip(Kem::find(name)).with_context(|| format!("latkem has no parameter set {name}"))?;
    Ok((kem, kem.set(named)))
}

/// Everything that is measured for one set, after it was verified.
fn contest(set: &Set, backends: &[&'static str], block: usize) -> Result<Vec<Contestant>> {
    let rivals = rivals::rivals(set);
    let count = rivals.len();
    let mut contestants = Vec::new();
    let kems = Kem::all(set.name);
    for (kem, backend) in kems.iter().flat_map(|kem| backends.iter().map(|backend| (*kem, *backend))) {
        latkem::use_backend(backend)?;
        let kept = kem.kept()?;
        let of = |tier| if tier == Tier::Handshake { kept } else { kem };
        for Rival { library, backend: theirs, wire, tier, .. } in &rivals {
            verify::interoperate(set, &of(*tier), wire.as_ref(), *tier)
                .and_then(
                    |()| if *tier == Tier::Derand { verify::same(set, &Given(kem), wire.as_ref()) } else { Ok(()) },
                )
                .with_context(|| format!("{}: latkem ({backend}) and {library} ({theirs})", set.name))?;
        }
        for tier in TIERS.into_iter().filter(|tier| has(set, &rivals, *tier)) {
            contestants.push(ours(of(tier), set, tier, backend, block)?);
        }
    }
    for rival in rivals {
        contestants.push(theirs(rival, set, block)?);
    }
    match count {
        0 => eprintln!("{}: no rival", set.name),
        _ => eprintln!("{}: latkem agrees with {count} rivals, both ways and on an altered ciphertext", set.name),
    }
    Ok(contestants)
}

/// A handshake is TLS's; of ML-KEM it is for rivals that keep its private keys. Curves take each operation by itself, so a
/// batch of hybrids is no faster than its parts.
fn has(set: &Set, rivals: &[Rival], tier: Tier) -> bool {
    match tier {
        Tier::Wire | Tier::Prepared => true,
        Tier::Derand => set.family == ML_KEM,
        Tier::Batch => !sets::is_hybrid(set.name),
        Tier::Handshake => set.family == TLS_HYBRID || rivals.iter().any(|rival| rival.tier == tier),
    }
}

fn ours(kem: Kem, set: &Set, tier: Tier, backend: &'static str, block: usize) -> Result<Contestant> {
    let checks = match (tier, sets::ml_kem_in(set.name)) {
        (Tier::Prepared, Some(_)) => "none (made at preparation)".to_owned(),
        _ => verify::checks(set, &kem, Tier::Wire)?,
    };
    let count = if tier == Tier::Batch { BATCH } else { block };
    let description = Description {
        library: latkem::LIBRARY,
        version: latkem::version().to_owned(),
        backend: kem.backend(backend),
        set: set.name,
        family: set.family,
        tier,
        checks,
        rng: if tier == Tier::Derand { "given" } else { latkem::rng(set.family, backend) },
    };
    Contestant::new(description, Box::new(kem.subject(tier, backend, count)), set, count)
}

fn theirs(rival: Rival, set: &Set, block: usize) -> Result<Contestant> {
    let Rival { library, version, backend, rng, tier, wire } = rival;
    let checks = verify::checks(set, wire.as_ref(), tier).context(library)?;
    let (set_name, family) = (set.name, set.family);
    let description = Description { library, version, backend, set: set_name, family, tier, checks, rng };
    Contestant::new(description, Box::new(Singly(wire)), set, block)
}

/// A bar on a terminal; elsewhere a line for every tenth of the way.
fn run(contests: &mut [Vec<Contestant>], plan: &Plan, core: usize) -> Result<Steadiness> {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} rounds, {elapsed}, {eta} left")?;
    let bar = ProgressBar::new(plan.rounds as u64).with_style(style);
    let tenth = plan.rounds.div_ceil(10);
    let read = || Reading::take(core);
    let found = measure(contests, plan, read, |done| {
        bar.set_position(done as u64);
        if !std::io::stderr().is_terminal() && done > 0 && done.is_multiple_of(tenth) {
            eprintln!("{done}/{} rounds", plan.rounds);
        }
    })?;
    bar.finish_and_clear();
    let Steadiness { kept, dropped_clock, dropped_stolen, .. } = &found;
    ensure!(
        *kept > 0,
        "no round can be believed: in {dropped_clock} the clock moved, in {dropped_stolen} time was stolen"
    );
    Ok(found)
}
