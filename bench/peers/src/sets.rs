//! The parameter sets that can be compared, from spec/sets.json, and the choice among them.
//! SPDX-License-Identifier: Apache-2.0
use std::ops::Range;
use std::sync::LazyLock;

use anyhow::{Result, bail};
use serde::Deserialize;

/// The families that the bars and the checks name.
pub const ML_KEM: &str = "ML-KEM";
pub const KYBER: &str = "Kyber";
pub const KYBER_90S: &str = "Kyber-90s";
#[cfg(any(feature = "_pqcrypto", test))]
pub const SABER: &str = "Saber";
pub const NTRU: &str = "NTRU";
pub const TLS_HYBRID: &str = "TLS hybrid";
pub const HYBRID: &str = "Hybrid";

#[derive(Deserialize)]
struct Facts<'a> {
    name: &'a str,
    family: &'a str,
    sizes: Sizes,
    /// Of a hybrid: the set of ML-KEM and the group, in the order of their objects.
    parts: Option<[&'a str; 2]>,
    combiner: Option<&'a str>,
}

#[derive(Deserialize)]
struct Sizes {
    ek: usize,
    dk: usize,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    sets: Vec<Facts<'a>>,
    hybrids: Vec<Facts<'a>>,
}

/// Name and family of a set.
pub type Named = (&'static str, &'static str);

/// The sets of ML-KEM and others, then the hybrids.
static SETS: LazyLock<Vec<Facts>> = LazyLock::new(|| {
    let file: File =
        serde_json::from_str(include_str!("../../../spec/sets.json")).expect("spec/sets.json is well-formed");
    file.sets.into_iter().chain(file.hybrids).collect()
});

fn facts(set: &str) -> Option<&'static Facts<'static>> {
    SETS.iter().find(|facts| facts.name == set)
}

pub fn all() -> Vec<Named> {
    SETS.iter().map(|set| (set.name, set.family)).collect()
}

/// The names of a family's sets.
pub fn of(family: &str) -> Vec<&'static str> {
    SETS.iter().filter(|set| set.family == family).map(|set| set.name).collect()
}

/// The families in the order of the table.
fn families() -> Vec<&'static str> {
    let mut families: Vec<_> = SETS.iter().map(|set| set.family).collect();
    families.dedup();
    families
}

pub fn is_hybrid(set: &str) -> bool {
    facts(set).is_some_and(|facts| facts.parts.is_some())
}

/// The places of ML-KEM's keys in those of a set.
pub struct MlKemIn {
    pub ek: Range<usize>,
    /// None if dk is a seed.
    pub dk: Option<Range<usize>>,
}

/// None for sets without ML-KEM.
pub fn ml_kem_in(set: &str) -> Option<MlKemIn> {
    let whole = facts(set)?;
    let (part, first) = match whole.parts {
        Some([first, second]) => facts(first).map(|part| (part, true)).or(facts(second).map(|part| (part, false)))?,
        None => (whole, true),
    };
    let place = |whole: usize, part: usize| if first { 0..part } else { whole - part..whole };
    let expanded = whole.combiner.is_none_or(|combiner| combiner == "concatenation");
    let dk = expanded.then(|| place(whole.sizes.dk, part.sizes.dk));
    (part.family == ML_KEM).then(|| MlKemIn { ek: place(whole.sizes.ek, part.sizes.ek), dk })
}

/// A family as the command line has it.
fn option(family: &str) -> String {
    family.to_lowercase().replace(' ', "-")
}

/// The sets of these names, in the order of the table. A name is that of a set, or of a family in lower case:
/// "Saber" is one set, "saber" are three.
pub fn named(names: &[String]) -> Result<Vec<Named>> {
    let means = |name: &str, (set, family): Named| name == set || name == option(family);
    for name in names {
        if !all().into_iter().any(|set| means(name, set)) {
            let means = |family: &str| format!("{} ({})", option(family), of(family).join(" "));
            let known: Vec<_> = families().into_iter().map(means).collect();
            bail!("there is no set or family {name}, but {}", known.join(", "));
        }
    }
    Ok(all().into_iter().filter(|set| names.iter().any(|name| means(name, *set))).collect())
}

#[cfg(test)]
mod tests {
    use super::{HYBRID, KYBER, KYBER_90S, ML_KEM, NTRU, SABER, TLS_HYBRID, families, ml_kem_in, named};

    fn chosen(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<_> = names.iter().map(|name| name.to_string()).collect();
        named(&names).unwrap().into_iter().map(|(set, _)| set).collect()
    }

    #[test]
    fn the_named_families_are_those_of_the_table() {
        assert_eq!(families(), [ML_KEM, KYBER, KYBER_90S, SABER, NTRU, TLS_HYBRID, HYBRID]);
    }

    #[test]
    fn case_tells_a_family_from_a_set() {
        assert_eq!(chosen(&["Saber"]), ["Saber"]);
        assert_eq!(chosen(&["saber"]), ["LightSaber", "Saber", "FireSaber"]);
    }

    #[test]
    fn sets_keep_the_order_of_the_table_and_come_once() {
        assert_eq!(chosen(&["Saber", "ML-KEM-512", "Saber"]), ["ML-KEM-512", "Saber"]);
    }

    #[test]
    fn a_family_of_two_words_is_one_option() {
        assert_eq!(chosen(&["tls-hybrid"]), ["X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024"]);
    }

    #[test]
    fn ml_kem_is_found_in_the_keys_of_hybrids() {
        let places = |set| ml_kem_in(set).map(|places| (places.ek, places.dk));
        assert_eq!(places("ML-KEM-512"), Some((0..800, Some(0..1632))));
        assert_eq!(places("X25519MLKEM768"), Some((0..1184, Some(0..2400))));
        assert_eq!(places("SecP384r1MLKEM1024"), Some((97..1665, Some(48..3216))));
        assert_eq!(places("X-Wing"), Some((0..1184, None)));
        assert_eq!(places("Saber"), None);
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!(named(&["Frodo".to_owned()]).is_err());
    }
}
