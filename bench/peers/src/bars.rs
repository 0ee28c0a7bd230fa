//! The bars that latkem is held to, as rows of data, and whether a run met them. SPDX-License-Identifier: Apache-2.0
use serde::Serialize;

use crate::kem::{OPERATIONS, Operation, Tier};
use crate::measure::{Contestant, Description};
use crate::ratios::Quotient;
use crate::sets::{self, KYBER, KYBER_90S, ML_KEM, NTRU, SABER, TLS_HYBRID};

/// What a row of latkem is compared with, always for the same operation.
#[derive(Clone, Copy)]
enum Against {
    /// A rival's implementation, by its label.
    Rival(&'static str),
    /// Whichever rival of this run is the fastest for the set and operation, in the same tier.
    FastestRival,
    /// The same set and backend of latkem, bytes in and bytes out.
    OwnWire,
    /// The set of Kyber that differs in its symmetric primitives alone, on the same backend and in the same tier.
    OwnKyber,
    /// A hybrid with the set in it, on the same backend and in the same tier: the ratio is the set's share.
    OwnHybrid(&'static str),
}

/// The sets that a bar is about.
#[derive(Clone, Copy)]
enum About {
    Family(&'static str),
    Set(&'static str),
}

use About::{Family, Set};

/// latkem is to take at most `limit` of the other's time in all of the sets and operations.
struct Bar {
    name: &'static str,
    backend: &'static str,
    tier: Tier,
    against: Against,
    about: About,
    operations: &'static [Operation],
    limit: f64,
}

const fn bar(
    name: &'static str,
    backend: &'static str,
    tier: Tier,
    against: Against,
    about: About,
    operations: &'static [Operation],
    limit: f64,
) -> Bar {
    Bar { name, backend, tier, against, about, operations, limit }
}

/// Of hybrids in a handshake.
const fn tls(name: &'static str, backend: &'static str, against: Against, about: About) -> Bar {
    bar(name, backend, Tier::Handshake, against, about, &OPERATIONS, 0.90)
}

const KEYGEN: &[Operation] = &[Operation::Keygen];
const ENCAPS: &[Operation] = &[Operation::Encaps];
const ENCAPS_AND_DECAPS: &[Operation] = &[Operation::Encaps, Operation::Decaps];

const CLEAN_ML_KEM: Against = Against::Rival("pqcrypto-mlkem (clean C)");
const CLEAN_SABER: Against = Against::Rival("pqcrypto-saber (clean C)");
const CLEAN_NTRU: Against = Against::Rival("pqcrypto-ntru (clean C)");

/// The rival whose libcrypto latkem's hybrids stand on.
const SAME_CURVES: Against = Against::Rival("openssl (C)");
const IN_X25519: Against = Against::OwnHybrid("X25519MLKEM768");

const BARS: &[Bar] = &[
    bar("portable ML-KEM", "portable", Tier::Wire, CLEAN_ML_KEM, Family(ML_KEM), &OPERATIONS, 0.80),
    bar("portable Saber", "portable", Tier::Wire, CLEAN_SABER, Family(SABER), &OPERATIONS, 1.00),
    bar("portable NTRU keys", "portable", Tier::Wire, CLEAN_NTRU, Family(NTRU), KEYGEN, 0.20),
    bar("portable NTRU", "portable", Tier::Wire, CLEAN_NTRU, Family(NTRU), ENCAPS_AND_DECAPS, 0.50),
    bar("avx2 ML-KEM", "avx2", Tier::Wire, Against::FastestRival, Family(ML_KEM), &OPERATIONS, 0.85),
    bar("avx2 Saber", "avx2", Tier::Wire, Against::FastestRival, Family(SABER), &OPERATIONS, 0.90),
    bar("avx2 NTRU keys", "avx2", Tier::Wire, Against::FastestRival, Family(NTRU), KEYGEN, 0.60),
    bar("avx2 NTRU", "avx2", Tier::Wire, Against::FastestRival, Family(NTRU), ENCAPS_AND_DECAPS, 0.95),
    bar("avx512 ML-KEM", "avx512", Tier::Wire, Against::FastestRival, Family(ML_KEM), &OPERATIONS, 0.50),
    bar("avx512 Saber", "avx512", Tier::Wire, Against::FastestRival, Family(SABER), &OPERATIONS, 0.55),
    bar("avx512 NTRU keys", "avx512", Tier::Wire, Against::FastestRival, Family(NTRU), KEYGEN, 0.35),
    bar("avx512 NTRU", "avx512", Tier::Wire, Against::FastestRival, Family(NTRU), ENCAPS_AND_DECAPS, 0.70),
    bar("avx512 prepared keys", "avx512", Tier::Prepared, Against::OwnWire, Family(ML_KEM), ENCAPS, 0.50),
    bar("avx512 batch", "avx512", Tier::Batch, Against::OwnWire, Family(ML_KEM), &OPERATIONS, 0.50),
    bar("avx512 batch of NTRU keys", "avx512", Tier::Batch, Against::OwnWire, Family(NTRU), KEYGEN, 1.0 / 3.0),
    bar("avx512 Kyber-90s", "avx512", Tier::Wire, Against::OwnKyber, Family(KYBER_90S), &OPERATIONS, 1.00),
    tls("avx2 X25519MLKEM768", "avx2", Against::FastestRival, Set("X25519MLKEM768")),
    tls("avx2 SecP256r1MLKEM768", "avx2", Against::FastestRival, Set("SecP256r1MLKEM768")),
    tls("avx2 SecP384r1MLKEM1024", "avx2", Against::FastestRival, Set("SecP384r1MLKEM1024")),
    tls("avx512 X25519MLKEM768", "avx512", Against::FastestRival, Set("X25519MLKEM768")),
    tls("avx512 SecP256r1MLKEM768", "avx512", Against::FastestRival, Set("SecP256r1MLKEM768")),
    tls("avx512 SecP384r1MLKEM1024", "avx512", Against::FastestRival, Set("SecP384r1MLKEM1024")),
    tls("avx2 hybrids, curves alike", "avx2", SAME_CURVES, Family(TLS_HYBRID)),
    tls("avx512 hybrids, curves alike", "avx512", SAME_CURVES, Family(TLS_HYBRID)),
    bar("avx512 ML-KEM in a hybrid", "avx512", Tier::Wire, IN_X25519, Set("ML-KEM-768"), ENCAPS, 0.20),
];

/// The largest ratio of a bar.
#[derive(Serialize)]
pub struct Worst {
    pub ratio: f64,
    pub set: &'static str,
    pub operation: Operation,
    pub rival: String,
}

/// What a run says about one bar.
#[derive(Serialize)]
pub struct Verdict {
    pub name: &'static str,
    pub backend: &'static str,
    pub tier: Tier,
    pub rival: String,
    /// Those of the bar's sets that were in this run.
    pub sets: Vec<&'static str>,
    pub operations: &'static [Operation],
    pub limit: f64,
    pub worst: Worst,
    pub met: bool,
}

/// A verdict for each bar whose rows are in the run.
pub fn judge(contests: &[Vec<Contestant>]) -> Vec<Verdict> {
    let all: Vec<_> = contests.iter().flatten().collect();
    BARS.iter().filter_map(|bar| bar.verdict(&all)).collect()
}

impl Bar {
    fn verdict(&self, all: &[&Contestant]) -> Option<Verdict> {
        let mut cases = Vec::new();
        for ours in all.iter().filter(|c| self.is_about(&c.description)) {
            for theirs in all.iter().filter(|c| self.against.opposes(&ours.description, &c.description)) {
                cases.extend(self.operations.iter().filter_map(|operation| worst(ours, theirs, *operation)));
            }
        }
        let in_run = |set: &&str| cases.iter().any(|case| case.set == *set);
        let sets = self.about.sets().into_iter().filter(in_run).collect();
        // The fastest rival is the one with the largest ratio.
        let worst = cases.into_iter().max_by(|a, b| a.ratio.total_cmp(&b.ratio))?;
        Some(Verdict {
            name: self.name,
            backend: self.backend,
            tier: self.tier,
            rival: self.against.name(),
            sets,
            operations: self.operations,
            limit: self.limit,
            met: worst.ratio <= self.limit,
            worst,
        })
    }

    fn is_about(&self, d: &Description) -> bool {
        let row = (d.tier, d.backend.as_str());
        d.is_ours() && row == (self.tier, self.backend) && self.about.has(d)
    }
}

impl About {
    fn has(self, d: &Description) -> bool {
        match self {
            Family(name) => d.family == name,
            Set(name) => d.set == name,
        }
    }

    fn sets(self) -> Vec<&'static str> {
        match self {
            Family(name) => sets::of(name),
            Set(name) => vec![name],
        }
    }
}

impl Against {
    fn opposes(self, ours: &Description, theirs: &Description) -> bool {
        let (same_set, same_tier) = (theirs.set == ours.set, theirs.tier == ours.tier);
        let own = theirs.is_ours() && theirs.backend == ours.backend;
        match self {
            Self::Rival(label) => same_set && same_tier && theirs.label() == label,
            Self::FastestRival => same_set && same_tier && !theirs.is_ours(),
            Self::OwnWire => same_set && own && theirs.tier == Tier::Wire,
            Self::OwnKyber => own && same_tier && Some(theirs.set) == kyber_of(ours.set),
            Self::OwnHybrid(hybrid) => own && same_tier && theirs.set == hybrid,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Rival(label) => label,
            Self::FastestRival => "fastest rival",
            Self::OwnWire => "latkem, tier wire",
            Self::OwnKyber => "latkem, Kyber",
            Self::OwnHybrid(hybrid) => return format!("latkem, {hybrid}"),
        }
        .to_owned()
    }
}

/// The set of Kyber at the place of one of Kyber-90s.
fn kyber_of(set: &str) -> Option<&'static str> {
    let place = sets::of(KYBER_90S).iter().position(|name| *name == set)?;
    sets::of(KYBER).get(place).copied()
}

fn worst(ours: &Contestant, theirs: &Contestant, operation: Operation) -> Option<Worst> {
    let ratio = Quotient::new(ours, theirs, operation)?.larger();
    Some(Worst { ratio, set: ours.description.set, operation, rival: theirs.description.label() })
}

#[cfg(test)]
mod tests {
    use super::judge;
    use crate::kem::Tier;
    use crate::measure::Contestant;

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
        assert_eq!(verdicts[0].sets, ["ML-KEM-512", "ML-KEM-768"]);
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
        assert!(judge(&[vec![row(set, PORTABLE, &[1.0]), row(set, LIBCRUX, &[1.0])]]).is_empty());
    }

    #[test]
    fn the_fastest_rival_is_the_one_that_counts() {
        let set = ("ML-KEM-512", "ML-KEM");
        let verdicts = judge(&[vec![row(set, AVX512, &[4.0]), row(set, CLEAN, &[40.0]), row(set, LIBCRUX, &[5.0])]]);
        assert_eq!(verdicts.len(), 1);
        assert_eq!((verdicts[0].worst.rival.as_str(), verdicts[0].met), ("libcrux-ml-kem (avx2)", false));
    }

    #[test]
    fn latkem_is_compared_with_itself() {
        let set = ("ML-KEM-512", "ML-KEM");
        let batch = ("latkem", "avx512", Tier::Batch);
        let verdicts = judge(&[vec![row(set, AVX512, &[4.0]), row(set, batch, &[2.0]), row(set, PORTABLE, &[0.1])]]);
        assert_eq!(verdicts.len(), 1);
        assert_eq!((verdicts[0].name, verdicts[0].met), ("avx512 batch", true));
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
