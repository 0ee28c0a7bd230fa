//! The rounds: in each, every library does a small block of every operation, in a new order.
//! SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde::Serialize;

use crate::kem::{Block, OPERATIONS, Operation, Set, Subject, Tier};

/// How often a block is timed in one round as long as the kernel gives the core to another process meanwhile.
const ATTEMPTS: usize = 5;

/// The columns of a row that do not depend on the operation.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    pub library: &'static str,
    pub version: String,
    pub backend: String,
    pub set: &'static str,
    pub tier: Tier,
    pub checks: String,
    pub rng: &'static str,
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
    pub fn new(description: Description, subject: Box<dyn Subject>, set: &Set, count: usize) -> Self {
        Self { description, subject, block: Block::new(set, count), samples: Default::default() }
    }

    pub fn samples(&self, operation: Operation) -> &[Sample] {
        &self.samples[operation as usize]
    }

    /// Key generation is no operation of the prepared tier; there it only makes the keys.
    fn counts(&self, operation: Operation) -> bool {
        (self.description.tier, operation) != (Tier::Prepared, Operation::Keygen)
    }

    fn time_block(&mut self, operation: Operation) -> Result<Sample> {
        let waited = time_waited();
        let start = Instant::now();
        let result = self.subject.run(operation, &mut self.block);
        let time = start.elapsed();
        let undisturbed = time_waited() == waited;
        result.map_err(|_| anyhow!("{} refused good input", operation.name()))?;
        if operation == Operation::Decaps {
            self.block.verify()?;
        }
        Ok(undisturbed.then(|| time.as_nanos() as f64 / self.block.count as f64))
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
