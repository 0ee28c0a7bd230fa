//! libcrux-ml-kem; its caller brings the randomness. Its key checks are calls of their own, which the operations do
//! not make and which are not made here. SPDX-License-Identifier: Apache-2.0
use libcrux_ml_kem::{mlkem512, mlkem768, mlkem1024};

use super::{both_tiers, by_cpu, pinned_version};
use crate::derand::Derand;
use crate::kem::{Refused, Rival, Set, Wire};

fn avx2_condition() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("movbe");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

pub fn rivals(set: &Set) -> Vec<Rival> {
    let rival = |tier, wire| Rival {
        library: "libcrux-ml-kem",
        version: pinned_version("libcrux-ml-kem"),
        backend: by_cpu(avx2_condition(), "portable Rust"),
        rng: "getrandom per call",
        tier,
        wire,
    };
    match set.name {
        "ML-KEM-512" => both_tiers(rival, || MlKem512),
        "ML-KEM-768" => both_tiers(rival, || MlKem768),
        "ML-KEM-1024" => both_tiers(rival, || MlKem1024),
        _ => Vec::new(),
    }
}

fn random<const N: usize>() -> Result<[u8; N], Refused> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Refused)?;
    Ok(bytes)
}

macro_rules! wire {
    ($name:ident, $module:ident) => {
        struct $name;

        impl Wire for $name {
            fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
                self.keygen_from(ek, dk, &random()?)
            }

            fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
                self.encaps_from(ct, ss, ek, &random()?)
            }

            fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
                let (key, ciphertext) = (dk.try_into().map_err(|_| Refused)?, ct.try_into().map_err(|_| Refused)?);
                ss.copy_from_slice(&$module::decapsulate(&key, &ciphertext));
                Ok(())
            }
        }

        impl Derand for $name {
            fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused> {
                let pair = $module::generate_key_pair(*seed);
                ek.copy_from_slice(pair.pk());
                dk.copy_from_slice(pair.sk());
                Ok(())
            }

            fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused> {
                let key = ek.try_into().map_err(|_| Refused)?;
                let (ciphertext, secret) = $module::encapsulate(&key, *coins);
                ct.copy_from_slice(ciphertext.as_ref());
                ss.copy_from_slice(&secret);
                Ok(())
            }
        }
    };
}

wire!(MlKem512, mlkem512);
wire!(MlKem768, mlkem768);
wire!(MlKem1024, mlkem1024);
