//! Official and other known answers, through keys, bytes and key files. SPDX-License-Identifier: Apache-2.0
mod common;

use std::fs;

use common::{bytes, hex, json, shake128, take, to_hex, vectors};
use latkem::{DecapsulationKey, EncapsulationKey, Error, ParameterSet};
use serde_json::Value;
use shake::Shake128;
use shake::digest::{ExtendableOutput, Update};

fn set(name: &Value) -> ParameterSet {
    ParameterSet::find(name.as_str().unwrap()).unwrap()
}

fn groups(file: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let groups = file["testGroups"].as_array().unwrap();
    groups.iter().flat_map(|group| group["tests"].as_array().unwrap().iter().map(move |test| (group, test)))
}

/// One digest over a hundred rounds of key generation, encapsulation, decapsulation and rejection, of every set.
#[test]
fn accumulated() {
    const ROUNDS: u64 = 100;
    let Some(folder) = vectors() else { return };
    let facts = json(&folder, "sets.json");
    let facts = facts["sets"].as_array().unwrap();
    assert_eq!(facts.len(), ParameterSet::all().count());
    for (set, fact) in facts.iter().map(|fact| (set(&fact["name"]), fact)) {
        let (mut stream, mut digest) = (shake128(b""), Shake128::default());
        let (mut ct, mut ss) = (vec![0; set.ciphertext_size()], vec![0; set.shared_key_size()]);
        for _ in 0..ROUNDS {
            let dk = set.from_seed(&take(&mut stream, set.seed_size())).unwrap();
            let ek = dk.encapsulation_key().unwrap();
            let coins = take(&mut stream, set.coins_size());
            set.encapsulate_derand(ek.as_bytes(), &coins, &mut ct, &mut ss).unwrap();
            assert_eq!(**dk.decapsulate(&ct).unwrap(), ss, "{set}");
            let rejected = dk.decapsulate(&take(&mut stream, set.ciphertext_size())).unwrap();
            [ek.as_bytes(), dk.as_bytes(), &ct, &ss, &rejected].iter().for_each(|part| digest.update(part));
        }
        let expected = fact["accumulated"].as_array().unwrap().iter().find(|one| one["rounds"] == ROUNDS).unwrap();
        let digest = to_hex(&take(&mut digest.finalize_xof(), 32));
        assert_eq!(digest, expected["with_dk"].as_str().unwrap(), "{set}");
    }
}

#[test]
fn acvp_key_generation() {
    let Some(folder) = vectors() else { return };
    let file = json(&folder, "acvp/ML-KEM-keyGen-FIPS203/internalProjection.json");
    let mut count = 0;
    for (group, test) in groups(&file) {
        let seed = [bytes(test, "d"), bytes(test, "z")].concat();
        let key = set(&group["parameterSet"]).from_seed(&seed).unwrap();
        assert_eq!(key.as_bytes(), bytes(test, "dk"));
        assert_eq!(key.encapsulation_key().unwrap().as_bytes(), bytes(test, "ek"));
        assert_eq!(&key.seed().unwrap()[..], seed);
        count += 1;
    }
    assert!(count > 30, "{count} cases");
}

fn acvp_case(set: ParameterSet, group: &Value, test: &Value) {
    let passes = |accepted: bool| assert_eq!(test["testPassed"], accepted, "{test}");
    match group["function"].as_str().unwrap() {
        "encapsulation" => {
            let (mut ct, mut ss) = (vec![0; set.ciphertext_size()], vec![0; set.shared_key_size()]);
            set.encapsulate_derand(&bytes(test, "ek"), &bytes(test, "m"), &mut ct, &mut ss).unwrap();
            assert_eq!((ct, ss), (bytes(test, "c"), bytes(test, "k")));
        }
        "decapsulation" if group["keyFormat"] == "seed" => {
            let key = set.from_seed(&[bytes(test, "d"), bytes(test, "z")].concat()).unwrap();
            assert_eq!(**key.decapsulate(&bytes(test, "c")).unwrap(), bytes(test, "k"));
        }
        "decapsulation" => {
            let (dk, ct, mut ss) = (bytes(test, "dk"), bytes(test, "c"), vec![0; set.shared_key_size()]);
            set.decapsulate(&dk, &ct, &mut ss).unwrap();
            assert_eq!(ss, bytes(test, "k"));
            assert_eq!(**set.decapsulation_key(&dk).unwrap().decapsulate(&ct).unwrap(), ss);
        }
        "decapsulationKeyCheck" => passes(set.decapsulation_key(&bytes(test, "dk")).is_ok()),
        "encapsulationKeyCheck" => passes(set.encapsulation_key(&bytes(test, "ek")).is_ok()),
        other => panic!("{other}"),
    }
}

#[test]
fn acvp_encapsulation_and_decapsulation() {
    let Some(folder) = vectors() else { return };
    let mut count = 0;
    for name in ["ML-KEM-encapDecap-FIPS203", "ML-KEM-encapDecap-FIPS203-tr1"] {
        let file = json(&folder, &format!("acvp/{name}/internalProjection.json"));
        for (group, test) in groups(&file) {
            acvp_case(set(&group["parameterSet"]), group, test);
            count += 1;
        }
    }
    assert!(count > 100, "{count} cases");
}

fn wycheproof_case(set: ParameterSet, name: &str, test: &Value) -> Result<(), Error> {
    let mut ss = vec![0; set.shared_key_size()];
    match name {
        "encaps" => {
            let (ek, mut ct) = (bytes(test, "ek"), vec![0; set.ciphertext_size()]);
            set.encapsulate_derand(&ek, &bytes(test, "m"), &mut ct, &mut ss)?;
            assert_eq!(ct, bytes(test, "c"));
        }
        "keygen_seed" => {
            let key = set.from_seed(&bytes(test, "seed"))?;
            assert_eq!(key.encapsulation_key()?.as_bytes(), bytes(test, "ek"));
            assert_eq!(key.as_bytes(), bytes(test, "dk"));
            return Ok(());
        }
        _ => {
            let key = set.decapsulation_key(&bytes(test, "dk"))?;
            key.decapsulate_into(&bytes(test, "c"), &mut ss)?;
        }
    }
    assert_eq!(ss, bytes(test, "K"));
    Ok(())
}

#[test]
fn wycheproof() {
    let Some(folder) = vectors() else { return };
    let (mut accepted, mut refused) = (0, 0);
    for level in [512, 1024] {
        for name in ["encaps", "keygen_seed", "semi_expanded_decaps"] {
            let file = json(&folder, &format!("wycheproof/mlkem_{level}_{name}_test.json"));
            for (group, test) in groups(&file) {
                let result = wycheproof_case(set(&group["parameterSet"]), name, test);
                assert_eq!(result.is_ok(), test["result"] == "valid", "{name} {}: {result:?}", test["tcId"]);
                *if result.is_ok() { &mut accepted } else { &mut refused } += 1;
            }
        }
    }
    assert!(accepted > 200 && refused > 200, "{accepted} accepted, {refused} refused");
}

/// Keys with a coefficient of 3329 or more, at each place.
#[test]
fn keys_that_are_not_reduced() {
    let Some(folder) = vectors() else { return };
    for (ours, kyber) in [("ML-KEM-512", "Kyber512"), ("ML-KEM-1024", "Kyber1024")] {
        let text = fs::read_to_string(folder.join(format!("cctv/modulus/{ours}.txt"))).unwrap();
        let (ours, kyber) = (ParameterSet::find(ours).unwrap(), ParameterSet::find(kyber).unwrap());
        assert!(text.lines().count() > 700);
        for ek in text.lines().map(hex) {
            assert_eq!(ours.encapsulation_key(&ek), Err(Error::InvalidEncapsulationKey));
            assert!(kyber.encapsulation_key(&ek).is_ok(), "Kyber takes every key");
        }
    }
}

fn private_file(der: &[u8], file: &Value) -> Result<(), Error> {
    let key = DecapsulationKey::from_pkcs8_der(der)?;
    assert_eq!(key.parameter_set().name(), file["set"]);
    assert_eq!(key.seed().map(|seed| to_hex(seed)).as_deref(), file["seed"].as_str());
    let ek = key.encapsulation_key()?;
    let (ct, ss) = ek.encapsulate()?;
    assert_eq!(key.decapsulate(&ct)?, ss);
    let form = match file["form"].as_str().unwrap() {
        "seed" => latkem::PrivateKeyForm::Seed,
        "both" => latkem::PrivateKeyForm::Both,
        _ => latkem::PrivateKeyForm::Expanded,
    };
    let again = DecapsulationKey::from_pkcs8_der(&key.to_pkcs8_der(form)?)?;
    assert_eq!(again.as_bytes(), key.as_bytes());
    Ok(())
}

fn public_file(der: &[u8], file: &Value) -> Result<(), Error> {
    let key = EncapsulationKey::from_spki_der(der)?;
    assert_eq!(key.parameter_set().name(), file["set"]);
    assert_eq!(key.to_spki_der()?, der);
    Ok(())
}

/// Files of X-Wing are none of this crate's, also where the installed library reads them.
#[test]
fn key_files() {
    let Some(folder) = vectors() else { return };
    let (mut read, mut refused) = (0, 0);
    for file in json(&folder, "hybrid/keyfiles.json")["files"].as_array().unwrap() {
        let der = bytes(file, "der");
        let result = if file["kind"] == "private" { private_file(&der, file) } else { public_file(&der, file) };
        let expected = match file["error"].as_str() {
            _ if file["set"] == "X-Wing" => Err(Error::Format),
            None => Ok(()),
            Some("LATKEM_ERR_FORMAT") => Err(Error::Format),
            Some("LATKEM_ERR_DK") => Err(Error::InvalidDecapsulationKey),
            Some("LATKEM_ERR_EK") => Err(Error::InvalidEncapsulationKey),
            Some(other) => panic!("{other}"),
        };
        assert_eq!(result, expected, "{}", file["what"]);
        *if result.is_ok() { &mut read } else { &mut refused } += 1;
    }
    assert!(read > 30 && refused > 80, "{read} read, {refused} refused");
}
