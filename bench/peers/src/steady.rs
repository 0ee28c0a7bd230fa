//! Whether a round can be believed: the core's clock and the hypervisor are asked before and after it, and a round in
//! which either moved is dropped. SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;

use crate::stats::summary;

/// A reading may be so far from the run's median. A clock that moves by a twentieth moves no ratio of one round by more,
/// for its rows ran under both clocks.
pub const CLOCK_TOLERANCE: f64 = 0.05;

/// So much of a round's time may be stolen. /proc/stat counts hundredths of a second: in rounds shorter than a second
/// one of them is too many.
pub const STOLEN_TOLERANCE: f64 = 0.01;

/// Long enough that reading the time does not count, short enough that nobody else gets the core meanwhile.
const CHAIN: u32 = 4000;

/// The chain is timed so often; what is left of other processes is in the slower ones.
const TRIALS: usize = 5;

/// Readings at a round's beginning and at its end.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Of one multiplication that waits for the one before it: a fixed number of cycles on each CPU.
    pub ns_per_multiplication: f64,
    /// Since the machine started, on the core; 0 if the kernel does not report it.
    pub stolen_seconds: f64,
}

impl Reading {
    pub fn take(core: usize) -> Self {
        let chain = (0..TRIALS).map(|_| time_chain()).fold(f64::INFINITY, f64::min);
        Self { ns_per_multiplication: chain / f64::from(CHAIN), stolen_seconds: stolen_seconds(core) }
    }
}

/// In nanoseconds. A square needs the square before it, and no rule of arithmetic shortens the chain.
fn time_chain() -> f64 {
    let start = Instant::now();
    let square = |value: u64, _| value.wrapping_mul(value);
    black_box((0..CHAIN).fold(black_box(3), square));
    start.elapsed().as_nanos() as f64
}

/// The eighth number of a core's line, in hundredths of a second.
fn stolen_seconds(core: usize) -> f64 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let name = format!("cpu{core}");
    let mut lines = stat.lines().map(|line| line.split_whitespace());
    let numbers = lines.find_map(|mut words| (words.next() == Some(&name)).then_some(words));
    let stolen: Option<f64> = numbers.and_then(|mut numbers| numbers.nth(7)).and_then(|text| text.parse().ok());
    stolen.unwrap_or(0.0) / 100.0
}

/// A round as it was seen from outside.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    pub before: Reading,
    pub after: Reading,
    pub seconds: f64,
}

/// Why a round is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    Clock,
    Stolen,
}

/// The fate of the rounds of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Steadiness {
    pub kept: usize,
    pub dropped_clock: usize,
    pub dropped_stolen: usize,
    /// The median of all readings, which is what a reading is held against.
    pub ns_per_multiplication: f64,
    pub clock_tolerance: f64,
    pub stolen_tolerance: f64,
    #[serde(skip)]
    pub verdicts: Vec<Option<Moved>>,
}

/// A round's verdict is None where it is kept.
pub fn judge(rounds: &[Round]) -> Steadiness {
    let readings = rounds.iter().flat_map(|round| [round.before, round.after]);
    let usual = summary(readings.map(|reading| reading.ns_per_multiplication)).map_or(0.0, |found| found.median);
    let verdicts: Vec<_> = rounds.iter().map(|round| round.moved(usual)).collect();
    let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    Steadiness {
        kept: count(None),
        dropped_clock: count(Some(Moved::Clock)),
        dropped_stolen: count(Some(Moved::Stolen)),
        ns_per_multiplication: usual,
        clock_tolerance: CLOCK_TOLERANCE,
        stolen_tolerance: STOLEN_TOLERANCE,
        verdicts,
    }
}

impl Round {
    fn moved(&self, usual: f64) -> Option<Moved> {
        let off = |reading: Reading| (reading.ns_per_multiplication / usual - 1.0).abs() > CLOCK_TOLERANCE;
        let stolen = self.after.stolen_seconds - self.before.stolen_seconds;
        match () {
            () if stolen > STOLEN_TOLERANCE * self.seconds => Some(Moved::Stolen),
            () if off(self.before) || off(self.after) => Some(Moved::Clock),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Moved, Reading, Round, judge};

    /// A round of half a second between two readings of a quiet core.
    fn quiet() -> Round {
        let reading = Reading { ns_per_multiplication: 1.0, stolen_seconds: 7.0 };
        Round { before: reading, after: reading, seconds: 0.5 }
    }

    #[test]
    fn quiet_rounds_are_kept() {
        let found = judge(&[quiet(); 4]);
        assert_eq!((found.kept, found.dropped_clock, found.dropped_stolen), (4, 0, 0));
    }

    #[test]
    fn a_round_under_another_clock_is_dropped() {
        let mut rounds = [quiet(); 9];
        rounds[2].after.ns_per_multiplication = 1.06;
        rounds[4].before.ns_per_multiplication = 0.94;
        rounds[6].after.ns_per_multiplication = 1.04;
        let found = judge(&rounds);
        assert_eq!((found.kept, found.dropped_clock, found.dropped_stolen), (7, 2, 0));
        assert_eq!((found.verdicts[2], found.verdicts[6]), (Some(Moved::Clock), None));
    }

    #[test]
    fn a_round_of_which_time_was_stolen_is_dropped() {
        let mut rounds = [quiet(); 5];
        rounds[1].after.stolen_seconds += 0.01;
        rounds[3] = Round { seconds: 2.0, ..rounds[1] };
        let found = judge(&rounds);
        assert_eq!(found.verdicts, [None, Some(Moved::Stolen), None, None, None]);
    }

    #[test]
    fn a_reading_is_of_this_machine() {
        let reading = Reading::take(0);
        assert!(reading.ns_per_multiplication > 0.0 && reading.stolen_seconds >= 0.0, "{reading:?}");
    }
}
