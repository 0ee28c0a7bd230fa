//! The parameter sets that can be compared, by family, and the choice among them. SPDX-License-Identifier: Apache-2.0
use anyhow::{Result, bail};

pub struct Family {
    pub name: &'static str,
    pub sets: &'static [&'static str],
}

pub const ML_KEM: Family = Family { name: "ML-KEM", sets: &["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"] };
pub const KYBER: Family = Family { name: "Kyber", sets: &["Kyber512", "Kyber768", "Kyber1024"] };
pub const KYBER_90S: Family = Family { name: "Kyber-90s", sets: &["Kyber512-90s", "Kyber768-90s", "Kyber1024-90s"] };
pub const SABER: Family = Family { name: "Saber", sets: &["LightSaber", "Saber", "FireSaber"] };
pub const NTRU: Family =
    Family { name: "NTRU", sets: &["NTRU-HPS-2048-509", "NTRU-HPS-2048-677", "NTRU-HPS-4096-821", "NTRU-HRSS-701"] };

pub const FAMILIES: [Family; 5] = [ML_KEM, KYBER, KYBER_90S, SABER, NTRU];

/// Name and family of a set.
pub type Named = (&'static str, &'static str);

pub fn all() -> Vec<Named> {
    FAMILIES.iter().flat_map(|family| family.sets.iter().map(|set| (*set, family.name))).collect()
}

/// The sets that the names stand for, in the order of the table. A name is that of a set, or of a family in lower case:
/// "Saber" is one set, "saber" are three.
pub fn named(names: &[String]) -> Result<Vec<Named>> {
    let means = |name: &str, (set, family): Named| name == set || name == family.to_lowercase();
    for name in names {
        if !all().into_iter().any(|set| means(name, set)) {
            let families = FAMILIES.map(|family| format!("{} ({})", family.name.to_lowercase(), family.sets.join(" ")));
            bail!("there is no set or family {name}, but {}", families.join(", "));
        }
    }
    Ok(all().into_iter().filter(|set| names.iter().any(|name| means(name, *set))).collect())
}

#[cfg(test)]
mod tests {
    use super::named;

    fn chosen(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<_> = names.iter().map(|name| name.to_string()).collect();
        named(&names).unwrap().into_iter().map(|(set, _)| set).collect()
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
