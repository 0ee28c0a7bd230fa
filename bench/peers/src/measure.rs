//! The rounds: in each, every library does a small block of every operation, in a new order.
//! SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use crate::kem::{Block, OPERATIONS, Operation, Set, Subject, Tier};
use crate::{latkem, machine};

/// A slow library does fewer operations in a block, so that the block ends before the kernel gives the core away.
const LONGEST_BLOCK: Duration = Duration::from_millis(2);

/// How often an operation is timed to see how many of them a block may have.
const TRIALS: usize = 5;

/// How often a block is timed in one round as long as the kernel gives the core to another process meanwhile.
const ATTEMPTS: usize = 5;

/// The columns of a row that do not depend on the operation.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    pub library: &'static str,
    pub version: String,
    pub backend: String,
    pub set: &'static str,
    pub family: &'static str,
    pub tier: Tier,
    pub checks: String,
    pub rng: &'static str,
}

impl Description {
    pub fn label(&self) -> String {
        format!("{} ({})", self.library, self.backend)
    }

    pub fn is_ours(&self) -> bool {
        self.library == latkem::LIBRARY
    }
}

pub struct Contestant {
    pub description: Description,
    subject: Box<dyn Subject>,
    block: Block,
    samples: [Vec<Sample>; OPERATIONS.len()],
}

/// Nanoseconds per operation, one sample a round; None where every attempt was disturbed.
pub type Sample = Option<f64>;

impl Contestant {
    /// With blocks of at most `count` operations, whose first keys are made here.
    pub fn new(description: Description, subject: Box<dyn Subject>, set: &Set, count: usize) -> Result<Self> {
        let mut contestant = Self { description, subject, block: Block::new(set, 1), samples: Default::default() };
        let mut fitting = [count; OPERATIONS.len()];
        if contestant.description.tier != Tier::Batch {
            let times = contestant.shortest_times()?;
            fitting = times.map(|time| ((LONGEST_BLOCK.as_nanos() / time.as_nanos().max(1)) as usize).clamp(1, count));
        }
        let [keys, encaps, decaps] = fitting;
        contestant.block = Block::new(set, encaps.min(decaps));
        contestant.timed(Operation::Keygen)?;
        contestant.block.keys = keys.min(contestant.block.count);
        Ok(contestant)
    }

    /// Of single operations.
    fn shortest_times(&mut self) -> Result<[Duration; OPERATIONS.len()]> {
        let mut times = [Duration::MAX; OPERATIONS.len()];
        for _ in 0..TRIALS {
            for (operation, shortest) in OPERATIONS.into_iter().zip(&mut times) {
                *shortest = self.timed(operation)?.min(*shortest);
            }
        }
        Ok(times)
    }

    fn timed(&mut self, operation: Operation) -> Result<Duration> {
        self.subject.prepare(operation, &self.block)?;
        let start = Instant::now();
        self.subject.run(operation, &mut self.block).map_err(|_| anyhow!("{} fails", operation.name()))?;
        Ok(start.elapsed())
    }

    /// Of one sample.
    pub fn operations(&self, operation: Operation) -> usize {
        self.block.operations(operation)
    }

    pub fn samples(&self, operation: Operation) -> &[Sample] {
        &self.samples[operation as usize]
    }

    /// Key generation is no operation of the prepared tier; there it only makes the keys.
    fn counts(&self, operation: Operation) -> bool {
        (self.description.tier, operation) != (Tier::Prepared, Operation::Keygen)
    }

    fn time_block(&mut self, operation: Operation) -> Result<Sample> {
        machine::clear_upper_halves();
        let waited = time_waited();
        let start = Instant::now();
        let result = self.subject.run(operation, &mut self.block);
        let time = start.elapsed();
        let undisturbed = time_waited() == waited;
        result.map_err(|_| anyhow!("{} refused good input", operation.name()))?;
        if operation == Operation::Decaps {
            self.block.verify()?;
        }
        Ok(undisturbed.then(|| time.as_nanos() as f64 / self.operations(operation) as f64))
    }

    fn sample(&mut self, operation: Operation) -> Result<Sample> {
        self.subject.prepare(operation, &self.block)?;
        let mut sample = None;
        for _ in 0..ATTEMPTS {
            sample = self.time_block(operation)?;
            if sample.is_some() {
                break;
            }
        }
        Ok(sample)
    }

    fn take_turn(&mut self, operation: Operation, recorded: bool) -> Result<()> {
        let Description { library, backend, set, .. } = &self.description;
        let who = format!("{library} ({backend}), {set}");
        let sample = self.sample(operation).context(who)?;
        if recorded && self.counts(operation) {
            self.samples[operation as usize].push(sample);
        }
        Ok(())
    }
}

/// How long this thread was ready but had to wait for its core, in nanoseconds. Linux tells it, others do not.
fn time_waited() -> Option<u64> {
    fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().nth(1)?.parse().ok()
}

pub struct Plan {
    pub rounds: usize,
    pub warm_up: usize,
    /// No round begins after this time, once the first is recorded.
    pub limit: Duration,
}

/// Runs the rounds over the contests, one for each set, and returns how many were recorded.
pub fn measure(contests: &mut [Vec<Contestant>], plan: &Plan, mut progress: impl FnMut(usize)) -> Result<usize> {
    let mut rng = fastrand::Rng::with_seed(203);
    let start = Instant::now();
    for round in 0..plan.warm_up + plan.rounds {
        let recorded = round.saturating_sub(plan.warm_up);
        if recorded > 0 && start.elapsed() > plan.limit {
            return Ok(recorded);
        }
        run_round(contests, &mut rng, round >= plan.warm_up)?;
        progress(recorded);
    }
    Ok(plan.rounds)
}

fn run_round(contests: &mut [Vec<Contestant>], rng: &mut fastrand::Rng, recorded: bool) -> Result<()> {
    for contestants in shuffled(contests, rng) {
        for operation in OPERATIONS {
            for contestant in shuffled(contestants, rng) {
                contestant.take_turn(operation, recorded)?;
            }
        }
    }
    Ok(())
}

fn shuffled<'a, T>(items: &'a mut [T], rng: &mut fastrand::Rng) -> Vec<&'a mut T> {
    let mut order: Vec<_> = items.iter_mut().collect();
    rng.shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::{Block, Contestant, Description, OPERATIONS, Operation, Set, Subject, Tier};
    use crate::kem::Refused;

    struct Nothing;

    impl Subject for Nothing {
        fn prepare(&mut self, _: Operation, _: &Block) -> anyhow::Result<()> {
            Ok(())
        }

        fn run(&mut self, _: Operation, _: &mut Block) -> Result<(), Refused> {
            Ok(())
        }
    }

    impl Contestant {
        /// A row with the same samples for every operation.
        pub fn with_samples(
            (set, family): (&'static str, &'static str),
            (library, backend, tier): (&'static str, &str, Tier),
            samples: &[f64],
        ) -> Self {
            let (version, backend, checks) = (String::new(), backend.to_owned(), String::new());
            let description = Description { library, version, backend, set, family, tier, checks, rng: "" };
            let sizes = Set { name: set, family, ek_bytes: 0, dk_bytes: 0, ct_bytes: 0, ss_bytes: 0 };
            let samples = OPERATIONS.map(|_| samples.iter().copied().map(Some).collect());
            Self { samples, ..Self::new(description, Box::new(Nothing), &sizes, 1).unwrap() }
        }
    }
}
