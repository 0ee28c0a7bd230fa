//! The parameter sets that can be compared, from spec/sets.json, and the choice among them.
//! SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use anyhow::{Result, bail};
use serde::Deserialize;

/// The families that the bars and the checks name.
pub const ML_KEM: &str = "ML-KEM";
pub const KYBER: &str = "Kyber";
pub const KYBER_90S: &str = "Kyber-90s";
pub const SABER: &str = "Saber";
pub const NTRU: &str = "NTRU";

#[derive(Deserialize)]
struct Facts<'a> {
    name: &'a str,
    family: &'a str,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    sets: Vec<Facts<'a>>,
}

/// Name and family of a set.
pub type Named = (&'static str, &'static str);

static SETS: LazyLock<Vec<Named>> = LazyLock::new(|| {
    let file: File =
        serde_json::from_str(include_str!("../../../spec/sets.json")).expect("spec/sets.json is well-formed");
    file.sets.iter().map(|set| (set.name, set.family)).collect()
});

pub fn all() -> Vec<Named> {
    SETS.clone()
}

/// The names of a family's sets.
pub fn of(family: &str) -> Vec<&'static str> {
    SETS.iter().filter(|(_, of)| *of == family).map(|(set, _)| *set).collect()
}

/// The families in the order of the table.
fn families() -> Vec<&'static str> {
    let mut families: Vec<_> = SETS.iter().map(|(_, family)| *family).collect();
    families.dedup();
    families
}

/// The sets that the names stand for, in the order of the table. A name is that of a set, or of a family in lower case:
/// "Saber" is one set, "saber" are three.
pub fn named(names: &[String]) -> Result<Vec<Named>> {
    let means = |name: &str, (set, family): Named| name == set || name == family.to_lowercase();
    for name in names {
        if !all().into_iter().any(|set| means(name, set)) {
            let means = |family: &str| format!("{} ({})", family.to_lowercase(), of(family).join(" "));
            let known: Vec<_> = families().into_iter().map(means).collect();
            bail!("there is no set or family {name}, but {}", known.join(", "));
        }
    }
    Ok(all().into_iter().filter(|set| names.iter().any(|name| means(name, *set))).collect())
}

#[cfg(test)]
mod tests {
    use super::{KYBER, KYBER_90S, ML_KEM, NTRU, SABER, families, named};

    fn chosen(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<_> = names.iter().map(|name| name.to_string()).collect();
        named(&names).unwrap().into_iter().map(|(set, _)| set).collect()
    }

    #[test]
    fn the_named_families_are_those_of_the_table() {
        assert_eq!(families(), [ML_KEM, KYBER, KYBER_90S, SABER, NTRU]);
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
    fn unknown_names_are_refused() {
        assert!(named(&["Frodo".to_owned()]).is_err());
    }
}
