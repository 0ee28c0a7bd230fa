//! Keys of every set: what they give, what they refuse, what they show, threads. SPDX-License-Identifier: Apache-2.0
use std::sync::Barrier;
use std::thread;

use latkem::{DecapsulationKey, EncapsulationKey, Error, ParameterSet, PrivateKeyForm};
use zeroize::ZeroizeOnDrop;

fn has_seed(set: ParameterSet) -> bool {
    set.family() == "ML-KEM"
}

#[test]
fn every_set_agrees_with_itself() {
    assert_eq!(ParameterSet::all().count(), 16);
    for set in ParameterSet::all() {
        assert_eq!(ParameterSet::find(set.name()), Some(set));
        let dk = set.generate().unwrap();
        let ek = set.encapsulation_key(dk.encapsulation_key().unwrap().as_bytes()).unwrap();
        let expanded = set.decapsulation_key(dk.as_bytes()).unwrap();
        let (mut ct, ss) = ek.encapsulate().unwrap();
        assert_eq!(dk.decapsulate(&ct).unwrap(), ss, "{set}");
        assert_eq!(expanded.decapsulate(&ct).unwrap(), ss, "{set}");
        let (mut bytes_ct, mut bytes_ss) = (vec![0; set.ciphertext_size()], vec![0; set.shared_key_size()]);
        set.encapsulate(ek.as_bytes(), &mut bytes_ct, &mut bytes_ss).unwrap();
        assert_eq!(**dk.decapsulate(&bytes_ct).unwrap(), bytes_ss, "{set}");
        ct[0] ^= 1;
        assert_ne!(dk.decapsulate(&ct).unwrap(), ss, "{set}: implicit rejection");
        assert_eq!(dk.decapsulate(&ct).unwrap(), expanded.decapsulate(&ct).unwrap(), "{set}");
    }
    for name in ["", "ML-KEM", "ml-kem-768", "ML-KEM-768\0", "X-Wing"] {
        assert_eq!(ParameterSet::find(name), None);
    }
}

#[test]
fn seeds_are_kept_for_ml_kem_alone() {
    for set in ParameterSet::all() {
        let generated = set.generate().unwrap();
        assert_eq!(generated.seed().is_some(), has_seed(set), "{set}");
        assert_eq!(set.decapsulation_key(generated.as_bytes()).unwrap().seed(), None);
        let made = set.from_seed(&vec![9; set.seed_size()]).unwrap();
        assert_eq!(made.seed(), has_seed(set).then_some(&[9; 64]));
        if let Some(seed) = generated.seed() {
            assert_eq!(set.from_seed(seed).unwrap().as_bytes(), generated.as_bytes());
        }
    }
}

#[test]
fn expanded_keys_hold_the_public_key_but_in_ntru() {
    for set in ParameterSet::all() {
        let generated = set.generate().unwrap();
        let ek = generated.encapsulation_key().unwrap();
        let found = set.decapsulation_key(generated.as_bytes()).unwrap().encapsulation_key();
        assert_eq!(found, if set.family() == "NTRU" { Err(Error::Argument) } else { Ok(ek) }, "{set}");
    }
}

/// FIPS 203 section 7.3: the hash of the key inside. Kyber has no such check.
#[test]
fn damaged_keys() {
    for set in ParameterSet::all() {
        let mut dk = set.generate().unwrap().as_bytes().to_vec();
        let at = dk.len() - 40;
        dk[at] ^= 1;
        let mut ss = vec![0; set.shared_key_size()];
        let ct = vec![0; set.ciphertext_size()];
        if has_seed(set) {
            assert_eq!(set.decapsulation_key(&dk).err(), Some(Error::InvalidDecapsulationKey));
            assert_eq!(set.decapsulate(&dk, &ct, &mut ss), Err(Error::InvalidDecapsulationKey));
        }
    }
}

#[test]
fn batches_are_the_single_operations() {
    const N: usize = 9;
    for set in ParameterSet::all() {
        let zeroed = |size: usize| vec![0; N * size];
        let (mut eks, mut dks) = (zeroed(set.encapsulation_key_size()), zeroed(set.decapsulation_key_size()));
        let (mut cts, mut sss) = (zeroed(set.ciphertext_size()), zeroed(set.shared_key_size()));
        let mut received = sss.clone();
        set.generate_batch(&mut eks, &mut dks).unwrap();
        set.encapsulate_batch(&eks, &mut cts, &mut sss).unwrap();
        set.decapsulate_batch(&dks, &cts, &mut received).unwrap();
        assert_eq!(sss, received, "{set}");
        for (i, ct) in cts.chunks_exact(set.ciphertext_size()).enumerate() {
            let dk = dks.chunks_exact(set.decapsulation_key_size()).nth(i).unwrap();
            let ss = set.decapsulation_key(dk).unwrap().decapsulate(ct).unwrap();
            assert_eq!(**ss, sss[i * ss.len()..][..ss.len()]);
        }
        assert_eq!(set.generate_batch(&mut [], &mut []), Ok(()));
        assert_eq!(set.decapsulate_batch(&[], &[], &mut []), Ok(()));
    }
}

/// The result of the bad key is zeroed, and the others are complete.
#[test]
fn a_bad_key_in_a_batch() {
    let set = ParameterSet::find("ML-KEM-768").unwrap();
    let (mut eks, mut dks) = (vec![0; 3 * 1184], vec![0; 3 * 2400]);
    set.generate_batch(&mut eks, &mut dks).unwrap();
    eks[1184..][..2].fill(0xff);
    let (mut cts, mut sss, mut received) = (vec![1; 3 * 1088], vec![1; 96], vec![1; 96]);
    assert_eq!(set.encapsulate_batch(&eks, &mut cts, &mut sss), Err(Error::InvalidEncapsulationKey));
    assert_eq!(sss[32..64], [0; 32]);
    set.decapsulate_batch(&dks, &cts, &mut received).unwrap();
    assert_eq!((&sss[..32], &sss[64..]), (&received[..32], &received[64..]));
    dks[2400 + 2340] ^= 1;
    assert_eq!(set.decapsulate_batch(&dks, &cts, &mut received), Err(Error::InvalidDecapsulationKey));
    assert_eq!(received[32..64], [0; 32]);
}

#[test]
fn key_files() {
    use PrivateKeyForm::{Both, Expanded, Seed};
    for set in ParameterSet::all() {
        let key = set.generate().unwrap();
        let ek = key.encapsulation_key().unwrap();
        let expanded = set.decapsulation_key(key.as_bytes()).unwrap();
        if !has_seed(set) {
            for form in [Seed, Expanded, Both] {
                assert_eq!(key.to_pkcs8_der(form).err(), Some(Error::Argument), "{set}");
            }
            assert_eq!(ek.to_spki_der(), Err(Error::Argument), "{set}");
            continue;
        }
        assert_eq!(EncapsulationKey::from_spki_der(&ek.to_spki_der().unwrap()), Ok(ek.clone()));
        for (form, keeps) in [(Seed, true), (Expanded, false), (Both, true)] {
            let der = key.to_pkcs8_der(form).unwrap();
            let read = DecapsulationKey::from_pkcs8_der(&der).unwrap();
            assert_eq!((read.as_bytes(), read.seed().is_some()), (key.as_bytes(), keeps));
            assert_eq!(read.encapsulation_key(), Ok(ek.clone()));
            let written = expanded.to_pkcs8_der(form);
            assert_eq!(written, if form == Expanded { Ok(der) } else { Err(Error::NoSeed) });
        }
        assert_eq!(DecapsulationKey::from_pkcs8_der(&ek.to_spki_der().unwrap()).err(), Some(Error::Format));
        assert_eq!(EncapsulationKey::from_spki_der(&key.to_pkcs8_der(Seed).unwrap()), Err(Error::Format));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn printing_shows_no_secret() {
    let set = ParameterSet::find("ML-KEM-768").unwrap();
    let key = set.from_seed(&[0x5a; 64]).unwrap();
    let shown = format!("{key:?} {key:#?}");
    assert_eq!(shown, "DecapsulationKey(ML-KEM-768, ..) DecapsulationKey(ML-KEM-768, ..)");
    assert!(!shown.contains(&hex(&key.as_bytes()[..2])));
    let ek = key.encapsulation_key().unwrap();
    assert_eq!(format!("{ek:?}"), format!("EncapsulationKey(ML-KEM-768, {}..)", hex(&ek.as_bytes()[..8])));
    assert_eq!(format!("{set:?} {set:>11}"), "ML-KEM-768  ML-KEM-768");
}

#[test]
fn equality() {
    let set = ParameterSet::find("ML-KEM-512").unwrap();
    let key = set.generate().unwrap();
    let [one, same] = [(); 2].map(|()| key.encapsulation_key().unwrap());
    assert_eq!((&one, &one.clone()), (&same, &same));
    assert_ne!(one, set.generate().unwrap().encapsulation_key().unwrap());
    let kyber = ParameterSet::find("Kyber512").unwrap();
    assert_ne!(one, kyber.encapsulation_key(one.as_bytes()).unwrap(), "another set");
}

#[test]
fn types_promise_what_the_documentation_says() {
    fn shared<T: Send + Sync>() {}
    fn wiped<T: ZeroizeOnDrop>() {}
    fn error<T: core::error::Error + Clone + Eq + Send + Sync + 'static>() {}
    shared::<(ParameterSet, DecapsulationKey, EncapsulationKey, Error)>();
    shared::<(latkem::ml_kem_768::DecapsulationKey, latkem::ml_kem_768::EncapsulationKey)>();
    wiped::<DecapsulationKey>();
    wiped::<latkem::ml_kem_768::DecapsulationKey>();
    error::<Error>();
}

/// All threads use a key for the first time at once.
#[test]
fn threads() {
    const THREADS: usize = 8;
    for set in ParameterSet::all() {
        let dk = set.generate().unwrap();
        let ek = dk.encapsulation_key().unwrap();
        let start = Barrier::new(THREADS);
        thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    start.wait();
                    for _ in 0..5 {
                        let (ct, ss) = ek.encapsulate().unwrap();
                        assert_eq!(dk.decapsulate(&ct).unwrap(), ss, "{set}");
                    }
                });
            }
        });
    }
}

/// A clone still works when the others are dropped.
#[test]
fn a_clone_outlives_its_key() {
    let set = ParameterSet::find("Saber").unwrap();
    let dk = set.generate().unwrap();
    let ek = dk.encapsulation_key().unwrap();
    let clone = ek.clone();
    ek.encapsulate().unwrap();
    drop(ek);
    let (ct, ss) = thread::spawn(move || clone.encapsulate().unwrap()).join().unwrap();
    assert_eq!(dk.decapsulate(&ct).unwrap(), ss);
}

#[test]
fn facts_of_the_library() {
    assert_eq!(latkem::version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(latkem::backends().last(), Some(latkem::backend()));
    assert_eq!(latkem::backends().next(), Some("portable"));
}
