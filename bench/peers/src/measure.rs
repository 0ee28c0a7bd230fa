//! The rounds: in each, every library does a small block of every operation, in a new order.
//! SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use crate::kem::{Block, OPERATIONS, Operation, Set, Subject, Tier};
use crate::steady::{self, Reading, Round, Steadiness};
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
    /// With blocks of at most `count` operations; their first keys are made here.
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

    /// Only the samples of the rounds that are kept stay; every row has one of each round.
    fn keep(&mut self, rounds: &Steadiness) {
        for samples in &mut self.samples {
            let mut verdicts = rounds.verdicts.iter();
            samples.retain(|_| verdicts.next().is_some_and(Option::is_none));
        }
    }

    /// Key generation only makes the keys of the prepared tier; decapsulation, which takes no randomness, only verifies in
    /// derand.
    fn counts(&self, operation: Operation) -> bool {
        let tier = self.description.tier;
        !matches!((tier, operation), (Tier::Prepared, Operation::Keygen) | (Tier::Derand, Operation::Decaps))
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

/// How long this thread was ready but had to wait for its core, in nanoseconds. Only Linux reports it.
fn time_waited() -> Option<u64> {
    fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().nth(1)?.parse().ok()
}

pub struct Plan {
    pub rounds: usize,
    pub warm_up: usize,
    /// No round begins after this time but the first.
    pub limit: Duration,
}

/// Runs the rounds over the contests, one for each set, with a reading before and after each. Samples of rounds in which
/// the machine moved are dropped.
pub fn measure(
    contests: &mut [Vec<Contestant>],
    plan: &Plan,
    mut read: impl FnMut() -> Reading,
    mut progress: impl FnMut(usize),
) -> Result<Steadiness> {
    let mut rng = fastrand::Rng::with_seed(203);
    for _ in 0..plan.warm_up {
        run_round(contests, &mut rng, false)?;
    }
    let (start, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() < plan.rounds && (rounds.is_empty() || start.elapsed() <= plan.limit) {
        let (before, begun) = (read(), Instant::now());
        run_round(contests, &mut rng, true)?;
        rounds.push(Round { seconds: begun.elapsed().as_secs_f64(), before, after: read() });
        progress(rounds.len());
    }
    let found = steady::judge(&rounds);
    contests.iter_mut().flatten().for_each(|contestant| contestant.keep(&found));
    Ok(found)
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
    use std::time::Duration;

    use super::{Block, Contestant, Description, OPERATIONS, Operation, Plan, Set, Subject, Tier, measure};
    use crate::kem::Refused;
    use crate::steady::Reading;

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

    /// Leaves what passes for equal secrets.
    struct Agreeing;

    impl Subject for Agreeing {
        fn prepare(&mut self, _: Operation, _: &Block) -> anyhow::Result<()> {
            Ok(())
        }

        fn run(&mut self, _: Operation, block: &mut Block) -> Result<(), Refused> {
            block.ss_sent.fill(1);
            block.ss_received.fill(1);
            Ok(())
        }
    }

    #[test]
    fn a_round_that_moved_leaves_no_sample() {
        let row = Contestant::with_samples(("ML-KEM-512", "ML-KEM"), ("latkem", "portable", Tier::Wire), &[]);
        let set = Set { ss_bytes: 1, ..row.block.set.clone() };
        let row = Contestant::new(row.description, Box::new(Agreeing), &set, 1).unwrap();
        let plan = Plan { rounds: 5, warm_up: 1, limit: Duration::MAX };
        // Two readings a round: the second round is the one that ends under another clock.
        let mut readings = [1.0, 1.0, 1.0, 1.2].into_iter().chain(std::iter::repeat(1.0));
        let read = || Reading { ns_per_multiplication: readings.next().unwrap(), stolen_seconds: 0.0 };
        let mut contests = [vec![row]];
        let found = measure(&mut contests, &plan, read, |_| ()).unwrap();
        assert_eq!((found.kept, found.dropped_clock), (4, 1));
        assert_eq!(OPERATIONS.map(|operation| contests[0][0].samples(operation).len()), [4; 3]);
    }
}
