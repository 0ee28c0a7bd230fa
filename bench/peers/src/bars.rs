//! The bars that latkem is held to, rows of bars.json, and whether a run met them. SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::kem::{Operation, Tier};
use crate::measure::{Contestant, Description};
use crate::ratios::Quotient;
use crate::sets::{self, KYBER, KYBER_90S};

/// The other side of a comparison with a row of latkem, always for the same operation.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Against {
    /// A rival's implementation, by its label.
    Rival(String),
    /// Whichever rival of this run is the fastest for the set and operation.
    FastestRival,
    /// The fastest of those that make every check that latkem makes.
    FastestCheckingRival,
    /// The set of Kyber that differs in its symmetric primitives alone, on the same backend and in the same tier.
    OwnKyber,
    /// A hybrid with the set in it, on the same backend and in the same tier: the ratio is the set's share.
    OwnHybrid(String),
}

use Against::{FastestCheckingRival, FastestRival, OwnHybrid, OwnKyber, Rival};

/// latkem is to take at most `limit` of the other's time in all of the sets and operations.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bar {
    name: String,
    backend: String,
    tier: Tier,
    /// Either all sets of a family or these.
    family: Option<String>,
    #[serde(default)]
    sets: Vec<String>,
    operations: Vec<Operation>,
    against: Against,
    limit: f64,
}

static BARS: LazyLock<Vec<Bar>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../bars.json")).expect("bars.json is well-formed"));

/// A ratio of a bar. Of several rivals the fastest is named, which is the one with the largest ratio.
#[derive(Clone, Serialize)]
pub struct Case {
    pub ratio: f64,
    pub set: &'static str,
    pub operation: Operation,
    pub rival: String,
}

/// The verdict of a run on one bar.
#[derive(Serialize)]
pub struct Verdict {
    pub name: &'static str,
    pub backend: &'static str,
    pub tier: Tier,
    pub rival: String,
    /// For each set and operation of the bar that was in this run.
    pub cases: Vec<Case>,
    pub limit: f64,
    /// The largest of them.
    pub worst: Case,
    pub met: bool,
}

/// A verdict for each bar with rows in the run.
pub fn judge(contests: &[Vec<Contestant>]) -> Vec<Verdict> {
    let all: Vec<_> = contests.iter().flatten().collect();
    BARS.iter().filter_map(|bar| bar.verdict(&all)).collect()
}

/// The bars that a run says nothing about: the CPU, the sets or the rivals of this build do not have their rows.
pub fn not_judged(verdicts: &[Verdict]) -> Vec<&'static str> {
    let judged = |bar: &&Bar| verdicts.iter().any(|verdict| verdict.name == bar.name);
    BARS.iter().filter(|bar| !judged(bar)).map(|bar| bar.name.as_str()).collect()
}

impl Bar {
    fn verdict(&'static self, all: &[&Contestant]) -> Option<Verdict> {
        let ours = all.iter().filter(|c| self.is_about(&c.description));
        let cases: Vec<_> =
            ours.flat_map(|ours| self.operations.iter().filter_map(|op| self.case(ours, all, *op))).collect();
        let worst = cases.iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio))?.clone();
        Some(Verdict {
            name: &self.name,
            backend: &self.backend,
            tier: self.tier,
            rival: self.against.name(),
            limit: self.limit,
            met: worst.ratio <= self.limit,
            worst,
            cases,
        })
    }

    fn case(&self, ours: &Contestant, all: &[&Contestant], operation: Operation) -> Option<Case> {
        let others = all.iter().filter(|c| self.against.opposes(&ours.description, &c.description));
        let cases = others.filter_map(|theirs| {
            let ratio = Quotient::new(ours, theirs, operation)?.larger();
            Some(Case { ratio, set: ours.description.set, operation, rival: theirs.description.label() })
        });
        cases.max_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    fn is_about(&self, d: &Description) -> bool {
        let about = self.family.as_deref() == Some(d.family) || self.sets.iter().any(|name| name == d.set);
        d.is_ours() && (d.tier, d.backend.as_str()) == (self.tier, self.backend.as_str()) && about
    }
}

/// Rivals have no prepared keys and no batches: what latkem has more to offer is held to their plain operations.
fn rivals_tier(ours: Tier) -> Tier {
    if matches!(ours, Tier::Prepared | Tier::Batch) { Tier::Wire } else { ours }
}

impl Against {
    fn opposes(&self, ours: &Description, theirs: &Description) -> bool {
        let own = theirs.is_ours() && theirs.backend == ours.backend && theirs.tier == ours.tier;
        // Only what runs on the same CPUs is a rival.
        let alike = theirs.backend != "avx512" || ours.backend.starts_with("avx512");
        let rival = !theirs.is_ours() && theirs.set == ours.set && theirs.tier == rivals_tier(ours.tier) && alike;
        match self {
            Rival(label) => rival && theirs.label() == *label,
            FastestRival => rival,
            FastestCheckingRival => rival && ours.checks.split(", ").all(|check| theirs.checks.contains(check)),
            OwnKyber => own && Some(theirs.set) == kyber_of(ours.set),
            OwnHybrid(hybrid) => own && theirs.set == hybrid,
        }
    }

    fn name(&self) -> String {
        match self {
            Rival(label) => label.clone(),
            FastestRival => "fastest rival".to_owned(),
            FastestCheckingRival => "fastest rival with the same checks".to_owned(),
            OwnKyber => "latkem, Kyber".to_owned(),
            OwnHybrid(hybrid) => format!("latkem, {hybrid}"),
        }
    }
}

/// The set of Kyber at the place of one of Kyber-90s.
fn kyber_of(set: &str) -> Option<&'static str> {
    let place = sets::of(KYBER_90S).iter().position(|name| *name == set)?;
    sets::of(KYBER).get(place).copied()
}

#[cfg(test)]
mod tests {
    use super::{BARS, judge, not_judged};
    use crate::kem::Tier;
    use crate::measure::Contestant;
    use crate::sets;

    const PORTABLE: (&str, &str, Tier) = ("latkem", "portable", Tier::Wire);
    const AVX512: (&str, &str, Tier) = ("latkem", "avx512", Tier::Wire);
    const CLEAN: (&str, &str, Tier) = ("pqcrypto-mlkem", "clean C", Tier::Wire);
    const SABER: (&str, &str, Tier) = ("pqcrypto-saber", "clean C", Tier::Wire);
    const LIBCRUX: (&str, &str, Tier) = ("libcrux-ml-kem", "avx2", Tier::Wire);

    fn row(set: (&'static str, &'static str), row: (&'static str, &str, Tier), samples: &[f64]) -> Contestant {
        Contestant::with_samples(set, row, samples)
    }

    #[test]
    fn the_larger_form_decides_and_the_worst_set_is_named() {
        let good = ("ML-KEM-512", "ML-KEM");
        let bad = ("ML-KEM-768", "ML-KEM");
        // Of medians 0.7; of the rounds 0.7, 0.9 and 0.9.
        let bad = vec![row(bad, PORTABLE, &[7.0, 9.0, 3.6]), row(bad, CLEAN, &[10.0, 10.0, 4.0])];
        let good = vec![row(good, PORTABLE, &[4.0; 3]), row(good, CLEAN, &[10.0; 3])];
        let verdicts = judge(&[good, bad]);
        assert_eq!(verdicts.len(), 1);
        assert!(!verdicts[0].met);
        assert_eq!((verdicts[0].worst.set, verdicts[0].worst.ratio), ("ML-KEM-768", 0.9));
        let sets: Vec<_> = verdicts[0].cases.iter().map(|case| case.set).collect();
        assert_eq!(sets, [["ML-KEM-512"; 3], ["ML-KEM-768"; 3]].concat());
    }

    #[test]
    fn a_bar_that_is_reached_is_met() {
        let set = ("Saber", "Saber");
        let verdicts = judge(&[vec![row(set, PORTABLE, &[5.0]), row(set, SABER, &[5.0])]]);
        assert_eq!((verdicts.len(), verdicts[0].met), (1, true));
    }

    #[test]
    fn bars_without_rows_are_not_judged() {
        let set = ("ML-KEM-512", "ML-KEM");
        let verdicts = judge(&[vec![row(set, PORTABLE, &[1.0]), row(set, LIBCRUX, &[1.0])]]);
        assert!(verdicts.is_empty());
        assert_eq!(not_judged(&verdicts).len(), BARS.len());
    }

    #[test]
    fn bars_are_about_sets_that_there_are() {
        for bar in BARS.iter() {
            let sets: Vec<_> = match &bar.family {
                Some(family) => sets::of(family),
                None => bar.sets.iter().map(String::as_str).collect(),
            };
            let known = sets.iter().all(|set| sets::all().iter().any(|(name, _)| name == set));
            assert!(known && !sets.is_empty() && bar.limit > 0.0, "{}", bar.name);
        }
    }

    /// The verdict on a bar, as what is the largest ratio, by whom, and whether the bar is met.
    fn found<'a>(verdicts: &'a [super::Verdict], name: &str) -> (f64, &'a str, bool) {
        let verdict = verdicts.iter().find(|verdict| verdict.name == name).expect("it is judged");
        (verdict.worst.ratio, &verdict.worst.rival, verdict.met)
    }

    #[test]
    fn the_fastest_rival_is_the_one_that_counts() {
        let set = ("ML-KEM-512", "ML-KEM");
        let verdicts = judge(&[vec![row(set, AVX512, &[4.0]), row(set, CLEAN, &[40.0]), row(set, LIBCRUX, &[5.0])]]);
        assert_eq!(found(&verdicts, "avx512 ML-KEM encaps"), (0.8, "libcrux-ml-kem (avx2)", false));
    }

    #[test]
    fn wider_code_is_no_rival_of_avx2() {
        let set = ("Saber", "Saber");
        let avx2 = |library| row(set, (library, "avx2", Tier::Wire), &[8.0]);
        let wide = row(set, ("wide", "avx512", Tier::Wire), &[2.0]);
        let verdicts = judge(&[vec![avx2("latkem"), avx2("rival"), row(set, AVX512, &[1.0]), wide]]);
        assert_eq!(found(&verdicts, "avx2 Saber"), (1.0, "rival (avx2)", false));
        assert_eq!(found(&verdicts, "avx512 Saber"), (0.5, "wide (avx512)", true));
    }

    #[test]
    fn a_rival_without_the_checks_is_not_among_those_with_them() {
        let set = ("ML-KEM-512", "ML-KEM");
        let with = |library, checks: &str, ns| {
            let mut row = row(set, (library, "avx2", Tier::Wire), &[ns]);
            row.description.checks = checks.to_owned();
            row
        };
        let ours = with("latkem", "ek modulus, dk hash", 8.0);
        let rivals = [with("checks", "ek modulus, dk hash, dk pair", 10.0), with("hasty", "ek modulus", 4.0)];
        let verdicts = judge(&[rivals.into_iter().chain([ours]).collect()]);
        assert_eq!(found(&verdicts, "avx2 ML-KEM"), (0.8, "checks (avx2)", true));
    }

    #[test]
    fn batches_and_prepared_keys_are_held_to_the_rivals_wire() {
        let set = ("ML-KEM-512", "ML-KEM");
        let own = |tier, ns: f64| row(set, ("latkem", "avx512", tier), &[ns]);
        let rows =
            vec![own(Tier::Wire, 4.0), own(Tier::Batch, 2.0), own(Tier::Prepared, 1.0), row(set, LIBCRUX, &[5.0])];
        let verdicts = judge(&[rows]);
        assert_eq!(found(&verdicts, "avx512 batch decaps"), (0.4, "libcrux-ml-kem (avx2)", false));
        assert_eq!(found(&verdicts, "avx512 prepared ML-KEM-512"), (0.2, "libcrux-ml-kem (avx2)", true));
    }

    #[test]
    fn hybrids_are_compared_in_the_tier_of_the_handshake() {
        let set = ("X25519MLKEM768", "TLS hybrid");
        let tls = |library, backend, ns: f64| row(set, (library, backend, Tier::Handshake), &[ns]);
        let wire = row(set, ("openssl", "C", Tier::Wire), &[1.0]);
        let rivals = [tls("openssl", "C", 10.0), tls("aws-lc-rs", "avx2", 9.5)];
        let verdicts = judge(&[rivals.into_iter().chain([tls("latkem", "avx512", 9.0), wire]).collect()]);
        let found: Vec<_> = verdicts.iter().map(|bar| (bar.name, bar.met)).collect();
        assert_eq!(found, [("avx512 X25519MLKEM768", false), ("avx512 hybrids, curves alike", true)]);
    }

    #[test]
    fn a_bar_on_aws_lc_is_about_the_rows_on_it() {
        let tls = |library, backend, ns: f64| {
            row(("X25519MLKEM768", "TLS hybrid"), (library, backend, Tier::Handshake), &[ns])
        };
        let ours = [tls("latkem", "avx512 on AWS-LC", 9.0), tls("latkem", "avx512", 20.0)];
        let rivals = [tls("aws-lc-rs", "avx2", 10.0), tls("graviola", "avx512", 8.0)];
        let verdicts = judge(&[ours.into_iter().chain(rivals).collect()]);
        assert_eq!(found(&verdicts, "avx512 X25519MLKEM768 on AWS-LC"), (0.9, "aws-lc-rs (avx2)", true));
        assert_eq!(
            found(&verdicts, "avx512 X25519MLKEM768 on AWS-LC by graviola"),
            (1.125, "graviola (avx512)", false)
        );
        assert_eq!(found(&verdicts, "avx512 X25519MLKEM768"), (2.5, "graviola (avx512)", false));
    }

    #[test]
    fn the_share_of_ml_kem_is_its_time_by_the_hybrids() {
        let set = |name, family, ns: f64| vec![row((name, family), AVX512, &[ns])];
        let verdicts = judge(&[set("ML-KEM-768", "ML-KEM", 10.0), set("X25519MLKEM768", "TLS hybrid", 40.0)]);
        assert_eq!((verdicts.len(), verdicts[0].met, verdicts[0].worst.ratio), (1, false, 0.25));
        assert_eq!(verdicts[0].rival, "latkem, X25519MLKEM768");
    }

    #[test]
    fn kyber_90s_is_compared_with_the_same_size() {
        let kyber = |name, ns: f64| vec![row((name, "Kyber"), AVX512, &[ns])];
        let kyber_90s = vec![row(("Kyber768-90s", "Kyber-90s"), AVX512, &[3.0])];
        let verdicts = judge(&[kyber("Kyber512", 2.0), kyber("Kyber768", 3.0), kyber_90s]);
        assert_eq!((verdicts.len(), verdicts[0].met, verdicts[0].worst.ratio), (1, true, 1.0));
    }
}
