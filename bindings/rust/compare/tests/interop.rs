//! latkem and AWS-LC with each other's keys and ciphertexts. SPDX-License-Identifier: Apache-2.0
use aws_lc_rs::kem::{
    Algorithm, AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768, ML_KEM_1024,
};
use latkem::ParameterSet;

const ROUNDS: usize = 50;

fn sets() -> [(ParameterSet, &'static Algorithm<AlgorithmId>); 3] {
    let find = |name| ParameterSet::find(name).unwrap();
    [(find("ML-KEM-512"), &ML_KEM_512), (find("ML-KEM-768"), &ML_KEM_768), (find("ML-KEM-1024"), &ML_KEM_1024)]
}

#[test]
fn aws_encapsulates_to_latkem() {
    for (set, theirs) in sets() {
        for _ in 0..ROUNDS {
            let key = set.generate().unwrap();
            let ek = EncapsulationKey::new(theirs, key.encapsulation_key().unwrap().as_bytes()).unwrap();
            let (ct, ss) = ek.encapsulate().unwrap();
            assert_eq!(**key.decapsulate(ct.as_ref()).unwrap(), *ss.as_ref(), "{set}");
        }
    }
}

#[test]
fn latkem_encapsulates_to_aws() {
    for (set, theirs) in sets() {
        for _ in 0..ROUNDS {
            let key = DecapsulationKey::generate(theirs).unwrap();
            let ek = set.encapsulation_key(key.encapsulation_key().unwrap().key_bytes().unwrap().as_ref()).unwrap();
            let (ct, ss) = ek.encapsulate().unwrap();
            assert_eq!(key.decapsulate(Ciphertext::from(&ct[..])).unwrap().as_ref(), &**ss, "{set}");
        }
    }
}

/// Both read an expanded key of the other, and reject an altered ciphertext alike.
#[test]
fn expanded_keys_and_rejection() {
    for (set, theirs) in sets() {
        for _ in 0..ROUNDS {
            let ours = set.generate().unwrap();
            let read = DecapsulationKey::new(theirs, ours.as_bytes()).unwrap();
            let back = set.decapsulation_key(read.key_bytes().unwrap().as_ref()).unwrap();
            let (mut ct, _) = ours.encapsulation_key().unwrap().encapsulate().unwrap();
            for altered in [0, 1] {
                ct[3] ^= altered;
                let secret = ours.decapsulate(&ct).unwrap();
                assert_eq!(read.decapsulate(Ciphertext::from(&ct[..])).unwrap().as_ref(), &**secret, "{set}");
                assert_eq!(back.decapsulate(&ct).unwrap(), secret, "{set}");
            }
        }
    }
}
