//! The tier derand: ML-KEM with its randomness given, so that what a random generator costs is in no library's time.
//! SPDX-License-Identifier: Apache-2.0
use std::cell::Cell;

use crate::kem::{Refused, Wire};

/// A library that offers key generation from d || z and encapsulation from m (FIPS 203, algorithms 16 and 17).
pub trait Derand: Wire {
    fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused>;
    fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused>;
}

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// Other bytes in each call, made in no time worth the name.
fn next<const N: usize>() -> [u8; N] {
    let calls = CALLS.get() + 1;
    CALLS.set(calls);
    let mut bytes = [0x5a; N];
    bytes[..8].copy_from_slice(&calls.to_le_bytes());
    bytes
}

/// Begins anew, so that two libraries may be given the same.
pub fn rewind() {
    CALLS.set(0);
}

/// Gives a library its randomness.
pub struct Given<T>(pub T);

impl<T: Derand> Wire for Given<T> {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        self.0.keygen_from(ek, dk, &next())
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        self.0.encaps_from(ct, ss, ek, &next())
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        self.0.decaps(ss, ct, dk)
    }
}
