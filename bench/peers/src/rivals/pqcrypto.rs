//! pqcrypto-mlkem: PQClean's C code, called through the crate's own declarations, which spares it the copies of its
//! Rust types. Clean C and AVX2 code stand in one build; each is called by its name, so there is no dispatch to verify.
//! SPDX-License-Identifier: Apache-2.0
use std::ffi::c_int;

use pqcrypto_mlkem::ffi;

use super::pinned_version;
use crate::kem::{Refused, Rival, Set, Wire};

struct PqClean {
    keypair: unsafe extern "C" fn(*mut u8, *mut u8) -> c_int,
    enc: unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int,
    dec: unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int,
}

#[cfg(feature = "pqcrypto-clean")]
fn clean(set: &Set) -> Option<PqClean> {
    Some(match set.name {
        "ML-KEM-512" => PqClean {
            keypair: ffi::PQCLEAN_MLKEM512_CLEAN_crypto_kem_keypair,
            enc: ffi::PQCLEAN_MLKEM512_CLEAN_crypto_kem_enc,
            dec: ffi::PQCLEAN_MLKEM512_CLEAN_crypto_kem_dec,
        },
        "ML-KEM-768" => PqClean {
            keypair: ffi::PQCLEAN_MLKEM768_CLEAN_crypto_kem_keypair,
            enc: ffi::PQCLEAN_MLKEM768_CLEAN_crypto_kem_enc,
            dec: ffi::PQCLEAN_MLKEM768_CLEAN_crypto_kem_dec,
        },
        "ML-KEM-1024" => PqClean {
            keypair: ffi::PQCLEAN_MLKEM1024_CLEAN_crypto_kem_keypair,
            enc: ffi::PQCLEAN_MLKEM1024_CLEAN_crypto_kem_enc,
            dec: ffi::PQCLEAN_MLKEM1024_CLEAN_crypto_kem_dec,
        },
        _ => return None,
    })
}

#[cfg(all(feature = "pqcrypto-avx2", target_arch = "x86_64"))]
fn avx2(set: &Set) -> Option<PqClean> {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt")) {
        return None;
    }
    Some(match set.name {
        "ML-KEM-512" => PqClean {
            keypair: ffi::PQCLEAN_MLKEM512_AVX2_crypto_kem_keypair,
            enc: ffi::PQCLEAN_MLKEM512_AVX2_crypto_kem_enc,
            dec: ffi::PQCLEAN_MLKEM512_AVX2_crypto_kem_dec,
        },
        "ML-KEM-768" => PqClean {
            keypair: ffi::PQCLEAN_MLKEM768_AVX2_crypto_kem_keypair,
            enc: ffi::PQCLEAN_MLKEM768_AVX2_crypto_kem_enc,
            dec: ffi::PQCLEAN_MLKEM768_AVX2_crypto_kem_dec,
        },
        "ML-KEM-1024" => PqClean {
            keypair: ffi::PQCLEAN_MLKEM1024_AVX2_crypto_kem_keypair,
            enc: ffi::PQCLEAN_MLKEM1024_AVX2_crypto_kem_enc,
            dec: ffi::PQCLEAN_MLKEM1024_AVX2_crypto_kem_dec,
        },
        _ => return None,
    })
}

type Find = fn(&Set) -> Option<PqClean>;

pub fn rivals(set: &Set) -> Vec<Rival> {
    let builds: &[(&str, Find)] = &[
        #[cfg(feature = "pqcrypto-clean")]
        ("clean C", clean),
        #[cfg(all(feature = "pqcrypto-avx2", target_arch = "x86_64"))]
        ("avx2", avx2),
    ];
    let rival = |&(backend, find): &(&str, Find)| {
        let wire = find(set)?;
        Some(Rival {
            library: "pqcrypto-mlkem",
            version: pinned_version("pqcrypto-mlkem"),
            backend: backend.to_owned(),
            rng: "getrandom per call",
            wire: Box::new(wire),
        })
    };
    builds.iter().filter_map(rival).collect()
}

fn accepted(code: c_int) -> Result<(), Refused> {
    if code == 0 { Ok(()) } else { Err(Refused) }
}

// SAFETY of the calls: every buffer has the size of the set, whose sizes FIPS 203 fixes.
impl Wire for PqClean {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        accepted(unsafe { (self.keypair)(ek.as_mut_ptr(), dk.as_mut_ptr()) })
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        accepted(unsafe { (self.enc)(ct.as_mut_ptr(), ss.as_mut_ptr(), ek.as_ptr()) })
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        accepted(unsafe { (self.dec)(ss.as_mut_ptr(), ct.as_ptr(), dk.as_ptr()) })
    }
}
