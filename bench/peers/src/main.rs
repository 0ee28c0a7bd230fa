//! Times latkem's ML-KEM beside other libraries in one process, in interleaved rounds: see README.md.
//! SPDX-License-Identifier: Apache-2.0
mod kem;
mod latkem;
mod machine;
mod measure;
mod report;
mod rivals;
mod stats;
mod verify;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};

use crate::kem::{Rival, Set, Singly, TIERS, Tier};
use crate::latkem::Kem;
use crate::machine::Context;
use crate::measure::{Contestant, Description, Plan, measure};
use crate::report::Report;

const SETS: [&str; 3] = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"];
const BATCH: usize = 64;
const WARM_UP_ROUNDS: usize = 5;

/// Times latkem's ML-KEM beside other libraries in one process, in interleaved rounds.
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

    /// Operations of one sample
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    block: u16,

    /// Only these backends of latkem [default: all that this CPU can run]
    #[arg(long = "backend", value_name = "NAME")]
    backends: Vec<String>,

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
    let core = machine::pin(options.pin)?;
    let mut context = Context::new(core, options.block.into(), BATCH);
    let backends = options.backends()?;
    eprintln!("latkem backends: {}", backends.join(" "));
    let contests: Result<Vec<_>> = SETS.iter().map(|name| contest(name, &backends, options.block.into())).collect();
    let mut contests = contests?;
    context.rounds = run(&mut contests, &options.plan())?;
    let report = Report::new(context, &contests);
    report.print();
    if let Some(path) = &options.json {
        report.write(path)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

/// Everything that is measured for one set, after it was verified.
fn contest(name: &'static str, backends: &[&'static str], block: usize) -> Result<Vec<Contestant>> {
    let kem = Kem::find(name)?;
    let set = kem.set(name);
    let rivals = rivals::rivals(&set);
    let mut contestants = Vec::new();
    for backend in backends {
        latkem::use_backend(backend)?;
        for Rival { library, backend: theirs, wire, .. } in &rivals {
            verify::interoperate(&set, &kem, wire.as_ref())
                .with_context(|| format!("{name}: latkem ({backend}) and {library} ({theirs})"))?;
        }
        let checks = verify::checks(&set, &kem)?;
        contestants.extend(TIERS.map(|tier| ours(kem, &set, tier, backend, checks, block)));
    }
    for rival in rivals {
        contestants.push(theirs(rival, &set, block)?);
    }
    let libraries = contestants.iter().filter(|c| c.description.tier == Tier::Wire).count() - backends.len();
    eprintln!("{name}: latkem agrees with {libraries} rivals, both ways and on an altered ciphertext");
    Ok(contestants)
}

fn ours(kem: Kem, set: &Set, tier: Tier, backend: &'static str, checks: &str, block: usize) -> Contestant {
    let checks = if tier == Tier::Prepared { "none (made at preparation)" } else { checks };
    let count = if tier == Tier::Batch { BATCH } else { block };
    let description = Description {
        library: "latkem",
        version: latkem::version().to_owned(),
        backend: backend.to_owned(),
        set: set.name,
        tier,
        checks: checks.to_owned(),
        rng: latkem::RNG,
    };
    Contestant::new(description, Box::new(kem.subject(tier, backend, count)), set, count)
}

fn theirs(rival: Rival, set: &Set, block: usize) -> Result<Contestant> {
    let Rival { library, version, backend, rng, wire } = rival;
    let checks = verify::checks(set, wire.as_ref()).context(library)?.to_owned();
    let description = Description { library, version, backend, set: set.name, tier: Tier::Wire, checks, rng };
    Ok(Contestant::new(description, Box::new(Singly(wire)), set, block))
}

/// A bar on a terminal; elsewhere a line for every tenth of the way.
fn run(contests: &mut [Vec<Contestant>], plan: &Plan) -> Result<usize> {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} rounds, {elapsed}, {eta} left")?;
    let bar = ProgressBar::new(plan.rounds as u64).with_style(style);
    let tenth = plan.rounds.div_ceil(10);
    let rounds = measure(contests, plan, |done| {
        bar.set_position(done as u64);
        if !std::io::stderr().is_terminal() && done > 0 && done.is_multiple_of(tenth) {
            eprintln!("{done}/{} rounds", plan.rounds);
        }
    })?;
    bar.finish_and_clear();
    Ok(rounds)
}
