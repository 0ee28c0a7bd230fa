//! The pqcrypto crates: PQClean's C code, called through the crates' own declarations, which spares it the copies of
//! their Rust types. Clean C and AVX2 code are in one build; each is called by its name, so there is no dispatch to
//! verify. SPDX-License-Identifier: Apache-2.0
use std::ffi::c_int;

use super::{both_tiers, pinned_version};
use crate::derand::Derand;
use crate::kem::{Refused, Rival, Set, Tier, Wire};
use crate::sets::{NTRU, SABER};

/// Key generation and encapsulation with the randomness as the last argument.
#[derive(Clone, Copy)]
struct DerandCode {
    keypair: unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int,
    enc: unsafe extern "C" fn(*mut u8, *mut u8, *const u8, *const u8) -> c_int,
}

#[derive(Clone, Copy)]
struct PqClean {
    /// Of pk, sk, ciphertext and shared secret.
    bytes: [usize; 4],
    keypair: unsafe extern "C" fn(*mut u8, *mut u8) -> c_int,
    enc: unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int,
    dec: unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int,
    /// Of ML-KEM.
    derand: Option<DerandCode>,
}

/// One of PQClean's implementations of one set; its names are PQCLEAN_<SET>_<CODE>_<WHAT>.
macro_rules! pqclean {
    ($library:ident, $set:ident, $code:ident, $derand:ident) => {
        pastey::paste! {
            PqClean {
                bytes: [
                    $library::ffi::[<PQCLEAN_ $set _ $code _CRYPTO_PUBLICKEYBYTES>],
                    $library::ffi::[<PQCLEAN_ $set _ $code _CRYPTO_SECRETKEYBYTES>],
                    $library::ffi::[<PQCLEAN_ $set _ $code _CRYPTO_CIPHERTEXTBYTES>],
                    $library::ffi::[<PQCLEAN_ $set _ $code _CRYPTO_BYTES>],
                ],
                keypair: $library::ffi::[<PQCLEAN_ $set _ $code _crypto_kem_keypair>],
                enc: $library::ffi::[<PQCLEAN_ $set _ $code _crypto_kem_enc>],
                dec: $library::ffi::[<PQCLEAN_ $set _ $code _crypto_kem_dec>],
                derand: $derand!($set, $code),
            }
        }
    };
}

macro_rules! none {
    ($set:ident, $code:ident) => {
        None
    };
}

/// Functions that the crate builds but does not declare.
macro_rules! derand {
    ($set:ident, $code:ident) => {
        pastey::paste! {{
            unsafe extern "C" {
                fn [<PQCLEAN_ $set _ $code _crypto_kem_keypair_derand>](
                    pk: *mut u8,
                    sk: *mut u8,
                    coins: *const u8,
                ) -> c_int;
                fn [<PQCLEAN_ $set _ $code _crypto_kem_enc_derand>](
                    ct: *mut u8,
                    ss: *mut u8,
                    pk: *const u8,
                    coins: *const u8,
                ) -> c_int;
            }
            Some(DerandCode {
                keypair: [<PQCLEAN_ $set _ $code _crypto_kem_keypair_derand>],
                enc: [<PQCLEAN_ $set _ $code _crypto_kem_enc_derand>],
            })
        }}
    };
}

type Implementation = (&'static str, PqClean);

/// The implementations of one set in this build; None for one that this CPU cannot run.
macro_rules! implementations {
    ($library:ident, $set:ident, $derand:ident) => {
        Vec::<Option<Implementation>>::from([
            #[cfg(feature = "pqcrypto-clean")]
            Some(("clean C", pqclean!($library, $set, CLEAN, $derand))),
            #[cfg(all(feature = "pqcrypto-avx2", target_arch = "x86_64", target_os = "linux"))]
            avx2_condition().then_some(("avx2", pqclean!($library, $set, AVX2, $derand))),
        ])
    };
}

/// The features that the crates let the compiler use in their AVX2 code.
#[cfg(all(feature = "pqcrypto-avx2", target_arch = "x86_64", target_os = "linux"))]
fn avx2_condition() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("aes")
        && is_x86_feature_detected!("pclmulqdq")
}

fn implementations(set: &Set) -> Vec<Option<Implementation>> {
    match set.name {
        "ML-KEM-512" => implementations!(pqcrypto_mlkem, MLKEM512, derand),
        "ML-KEM-768" => implementations!(pqcrypto_mlkem, MLKEM768, derand),
        "ML-KEM-1024" => implementations!(pqcrypto_mlkem, MLKEM1024, derand),
        "LightSaber" => implementations!(pqcrypto_saber, LIGHTSABER, none),
        "Saber" => implementations!(pqcrypto_saber, SABER, none),
        "FireSaber" => implementations!(pqcrypto_saber, FIRESABER, none),
        "NTRU-HPS-2048-509" => implementations!(pqcrypto_ntru, NTRUHPS2048509, none),
        "NTRU-HPS-2048-677" => implementations!(pqcrypto_ntru, NTRUHPS2048677, none),
        "NTRU-HPS-4096-821" => implementations!(pqcrypto_ntru, NTRUHPS4096821, none),
        "NTRU-HRSS-701" => implementations!(pqcrypto_ntru, NTRUHRSS701, none),
        _ => Vec::new(),
    }
}

fn library(set: &Set) -> &'static str {
    match set.family {
        SABER => "pqcrypto-saber",
        NTRU => "pqcrypto-ntru",
        _ => "pqcrypto-mlkem",
    }
}

pub fn rivals(set: &Set) -> Vec<Rival> {
    let rival = |(backend, code): Implementation| {
        // The C functions take no lengths.
        let ours = [set.ek_bytes, set.dk_bytes, set.ct_bytes, set.ss_bytes];
        assert_eq!(code.bytes, ours, "{}: PQClean's sizes are not latkem's", set.name);
        let rival = |tier, wire| Rival {
            library: library(set),
            version: pinned_version(library(set)),
            backend: backend.to_owned(),
            rng: "getrandom per request",
            tier,
            wire,
        };
        match code.derand {
            Some(_) => both_tiers(rival, || code),
            None => vec![rival(Tier::Wire, Box::new(code))],
        }
    };
    implementations(set).into_iter().flatten().flat_map(rival).collect()
}

fn accepted(code: c_int) -> Result<(), Refused> {
    if code == 0 { Ok(()) } else { Err(Refused) }
}

// SAFETY of the calls: every buffer has the size of the set, and `rivals` has seen that it is the code's.
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

impl Derand for PqClean {
    fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused> {
        let code = self.derand.ok_or(Refused)?;
        accepted(unsafe { (code.keypair)(ek.as_mut_ptr(), dk.as_mut_ptr(), seed.as_ptr()) })
    }

    fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused> {
        let code = self.derand.ok_or(Refused)?;
        accepted(unsafe { (code.enc)(ct.as_mut_ptr(), ss.as_mut_ptr(), ek.as_ptr(), coins.as_ptr()) })
    }
}
