//! Every wrong length of every argument is refused with both lengths, and nothing is written.
//! SPDX-License-Identifier: Apache-2.0
use latkem::{DecapsulationKey, EncapsulationKey, Error, ParameterSet};

const UNTOUCHED: u8 = 0xa5;

/// Lengths beside the right one.
fn wrong(right: usize) -> impl Iterator<Item = usize> {
    [0, 1, right / 2, right - 1, right + 1, 2 * right].into_iter().filter(move |length| *length != right)
}

/// A buffer and whether it still is as it was made.
fn buffer(bytes: usize) -> Vec<u8> {
    vec![UNTOUCHED; bytes]
}

fn untouched(buffer: &[u8]) -> bool {
    buffer.iter().all(|byte| *byte == UNTOUCHED)
}

#[track_caller]
fn refused<T>(result: Result<T, Error>, set: ParameterSet, what: &str, expected: usize, actual: usize) {
    let error = result.err().unwrap_or_else(|| panic!("{set}: {what} of {actual} bytes was accepted"));
    assert_eq!(error.to_string(), format!("{set}: {what} has {expected} bytes, not {actual}"));
    assert!(matches!(error, Error::Length { .. }));
}

#[test]
fn keys_and_seeds() {
    for set in ParameterSet::all() {
        for n in wrong(set.seed_size()) {
            refused(set.from_seed(&buffer(n)), set, "a seed", set.seed_size(), n);
        }
        for n in wrong(set.decapsulation_key_size()) {
            let right = set.decapsulation_key_size();
            refused(set.decapsulation_key(&buffer(n)), set, "a decapsulation key", right, n);
        }
        for n in wrong(set.encapsulation_key_size()) {
            let right = set.encapsulation_key_size();
            refused(set.encapsulation_key(&buffer(n)), set, "an encapsulation key", right, n);
        }
    }
}

/// Calls that write a ciphertext and a shared key, with each length of these two.
#[track_caller]
fn outputs(set: ParameterSet, call: impl Fn(&mut [u8], &mut [u8]) -> Result<(), Error>) {
    let (ct_size, ss_size) = (set.ciphertext_size(), set.shared_key_size());
    for n in wrong(ct_size) {
        let (mut ct, mut ss) = (buffer(n), buffer(ss_size));
        refused(call(&mut ct, &mut ss), set, "a ciphertext", ct_size, n);
        assert!(untouched(&ct) && untouched(&ss));
    }
    for n in wrong(ss_size) {
        let (mut ct, mut ss) = (buffer(ct_size), buffer(n));
        refused(call(&mut ct, &mut ss), set, "a shared key", ss_size, n);
        assert!(untouched(&ct) && untouched(&ss));
    }
}

#[test]
fn operations_on_bytes() {
    for set in ParameterSet::all() {
        let key = set.generate().unwrap();
        let (ek, dk) = (key.encapsulation_key().unwrap().as_bytes().to_vec(), key.as_bytes());
        let coins = vec![7; set.coins_size()];
        outputs(set, |ct, ss| set.encapsulate(&ek, ct, ss));
        outputs(set, |ct, ss| set.encapsulate_derand(&ek, &coins, ct, ss));
        outputs(set, |ct, ss| set.decapsulate(dk, ct, ss));
        let (mut ct, mut ss) = (buffer(set.ciphertext_size()), buffer(set.shared_key_size()));
        for n in wrong(ek.len()) {
            let bad = buffer(n);
            refused(set.encapsulate(&bad, &mut ct, &mut ss), set, "an encapsulation key", ek.len(), n);
            let derand = set.encapsulate_derand(&bad, &coins, &mut ct, &mut ss);
            refused(derand, set, "an encapsulation key", ek.len(), n);
        }
        for n in wrong(coins.len()) {
            let derand = set.encapsulate_derand(&ek, &buffer(n), &mut ct, &mut ss);
            refused(derand, set, "the randomness of an encapsulation", coins.len(), n);
        }
        for n in wrong(dk.len()) {
            refused(set.decapsulate(&buffer(n), &ct, &mut ss), set, "a decapsulation key", dk.len(), n);
        }
        assert!(untouched(&ct) && untouched(&ss));
    }
}

#[test]
fn operations_of_keys() {
    for set in ParameterSet::all() {
        let dk = set.generate().unwrap();
        let ek = dk.encapsulation_key().unwrap();
        outputs(set, |ct, ss| ek.encapsulate_into(ct, ss));
        outputs(set, |ct, ss| dk.decapsulate_into(ct, ss));
        for n in wrong(set.ciphertext_size()) {
            refused(dk.decapsulate(&buffer(n)), set, "a ciphertext", set.ciphertext_size(), n);
        }
    }
}

/// A batch of two, with each array too short or too long by a byte or by an object, or empty.
#[test]
fn batches() {
    for set in ParameterSet::all() {
        let sizes =
            [set.encapsulation_key_size(), set.decapsulation_key_size(), set.ciphertext_size(), set.shared_key_size()];
        for changed in 0..4 {
            let right = 2 * sizes[changed];
            for n in [0, sizes[changed], right - 1, right + 1, right + sizes[changed]] {
                let mut bytes = sizes.map(|size| buffer(2 * size));
                bytes[changed].resize(n, UNTOUCHED);
                let [eks, dks, cts, sss] = &mut bytes;
                if changed < 2 {
                    assert!(matches!(set.generate_batch(eks, dks), Err(Error::Length { .. })));
                }
                if changed != 1 {
                    assert!(matches!(set.encapsulate_batch(eks, cts, sss), Err(Error::Length { .. })));
                }
                if changed != 0 {
                    assert!(matches!(set.decapsulate_batch(dks, cts, sss), Err(Error::Length { .. })));
                }
                assert!(bytes.iter().all(|bytes| untouched(bytes)), "{set}");
            }
        }
        let error = set.encapsulate_batch(&buffer(sizes[0] + 1), &mut [], &mut []).unwrap_err();
        let expected = format!("{set}: a batch of encapsulation keys has {} bytes, not {}", 2 * sizes[0], sizes[0] + 1);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn empty_key_files() {
    assert_eq!(DecapsulationKey::from_pkcs8_der(&[]).err(), Some(Error::Format));
    assert_eq!(EncapsulationKey::from_spki_der(&[]).err(), Some(Error::Format));
}
