//! Holds secrets for bindings/rust/test.py, which looks for them in this process's memory. It prints them masked, so that
//! no buffer of the output holds one, and then waits for a line. SPDX-License-Identifier: Apache-2.0
use std::io::{self, BufRead, Write};

use latkem::{Decapsulate, DecapsulationKey, Encapsulate, Kem, MlKem768, ParameterSet, PrivateKeyForm};

fn tell(name: &str, secret: &[u8]) {
    let mut out = io::stdout().lock();
    write!(out, "{name} ").unwrap();
    for byte in secret {
        write!(out, "{:02x}", byte ^ 0xa5).unwrap();
    }
    writeln!(out).unwrap();
}

fn wait(stage: &str) {
    println!("{stage}");
    io::stdout().flush().unwrap();
    io::stdin().lock().lines().next();
}

/// All that the crate does with a secret, of a key that outlives it.
fn use_key(key: &DecapsulationKey) {
    let (ct, ss) = key.encapsulation_key().unwrap().encapsulate().unwrap();
    assert_eq!(key.decapsulate(&ct).unwrap(), ss);
    tell("a shared key", &ss);
    if let Some(seed) = key.seed() {
        tell("d", &seed[..32]);
        tell("z", &seed[32..]);
        for form in [PrivateKeyForm::Seed, PrivateKeyForm::Expanded, PrivateKeyForm::Both] {
            let file = key.to_pkcs8_der(form).unwrap();
            let read = DecapsulationKey::from_pkcs8_der(&file).unwrap();
            assert_eq!(read.decapsulate(&ct).unwrap(), ss);
        }
        let made = key.parameter_set().from_seed(seed).unwrap();
        assert_eq!(made.decapsulate(&ct).unwrap(), ss);
    }
    tell("the expanded key", &key.as_bytes()[..128]);
    let copy = key.parameter_set().decapsulation_key(key.as_bytes()).unwrap();
    assert_eq!(copy.decapsulate(&ct).unwrap(), ss);
    wait("open");
}

fn main() {
    for name in ["ML-KEM-768", "Kyber1024", "Saber", "NTRU-HPS-2048-509"] {
        let key = Box::new(ParameterSet::find(name).unwrap().generate().unwrap());
        use_key(&key);
        drop(key);
        wait("closed");
    }
    let (dk, ek) = MlKem768::generate_keypair();
    let moved = vec![dk];
    let (ct, _) = ek.encapsulate();
    let _ = moved[0].decapsulate(&ct);
    let seed = moved[0].as_ref().seed().unwrap();
    tell("d", &seed[..32]);
    tell("z", &seed[32..]);
    wait("open");
    drop(moved);
    wait("closed");
}
