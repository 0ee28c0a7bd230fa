//! The time of one row by that of another. SPDX-License-Identifier: Apache-2.0
use serde::Serialize;

use crate::kem::{OPERATIONS, Operation, TIERS, Tier};
use crate::measure::{Contestant, Sample};
use crate::stats::{Summary, summary};

/// Medians of whole runs may drift apart; `rounds` is of the ratios of the single rounds, in which the two ran
/// milliseconds apart.
#[derive(Clone, Copy)]
pub struct Quotient {
    pub medians: f64,
    pub rounds: Summary,
}

impl Quotient {
    /// None where a row has no samples, or the two have none in one round.
    pub fn new(ours: &Contestant, theirs: &Contestant, operation: Operation) -> Option<Self> {
        let (a, b) = (ours.samples(operation), theirs.samples(operation));
        let rounds = summary(a.iter().zip(b).filter_map(|(a, b)| Some((*a)? / (*b)?)))?;
        let median = |samples: &[Sample]| Some(summary(samples.iter().copied().flatten())?.median);
        Some(Self { medians: median(a)? / median(b)?, rounds })
    }

    /// A noisy run can make either form too small.
    pub fn larger(&self) -> f64 {
        self.medians.max(self.rounds.median)
    }
}

/// latkem's time by a rival's.
#[derive(Serialize)]
pub struct Ratio {
    pub set: &'static str,
    pub operation: Operation,
    pub tier: Tier,
    pub backend: String,
    pub rival: String,
    pub ratio: f64,
    pub ratio_rounds: f64,
    pub ratio_q1: f64,
    pub ratio_q3: f64,
}

/// Tiers do different work, so that only rows of one tier are compared.
pub fn ratios(contestants: &[Contestant]) -> Vec<Ratio> {
    let mut ratios = Vec::new();
    for tier in TIERS {
        let rows = || contestants.iter().filter(|c| c.description.tier == tier);
        for operation in OPERATIONS {
            for ours in rows().filter(|c| c.description.is_ours()) {
                let rivals = rows().filter(|c| !c.description.is_ours());
                ratios.extend(rivals.filter_map(|theirs| ratio(ours, theirs, operation)));
            }
        }
    }
    ratios
}

fn ratio(ours: &Contestant, theirs: &Contestant, operation: Operation) -> Option<Ratio> {
    let Quotient { medians, rounds } = Quotient::new(ours, theirs, operation)?;
    Some(Ratio {
        set: ours.description.set,
        operation,
        tier: ours.description.tier,
        backend: ours.description.backend.clone(),
        rival: theirs.description.label(),
        ratio: medians,
        ratio_rounds: rounds.median,
        ratio_q1: rounds.q1,
        ratio_q3: rounds.q3,
    })
}
