//! ml-kem of RustCrypto. Its dk is read and written in the expanded form, as with every library here, though it
//! prefers seeds. SPDX-License-Identifier: Apache-2.0
#![allow(deprecated)]

use ml_kem::kem::{Decapsulate, Encapsulate, Kem, KeyExport};
use ml_kem::{ExpandedKeyEncoding, ml_kem_512, ml_kem_768, ml_kem_1024};

use super::{both_tiers, pinned_version};
use crate::derand::Derand;
use crate::kem::{Refused, Rival, Set, Wire};

pub fn rivals(set: &Set) -> Vec<Rival> {
    let rival = |tier, wire| Rival {
        library: "ml-kem",
        version: pinned_version("ml-kem"),
        backend: "portable Rust".to_owned(),
        rng: "getrandom per request",
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

macro_rules! wire {
    ($name:ident, $module:ident) => {
        struct $name;

        impl Wire for $name {
            fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
                let (private, public) = $module::$name::generate_keypair();
                ek.copy_from_slice(&public.to_bytes());
                dk.copy_from_slice(&private.to_expanded_bytes());
                Ok(())
            }

            fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
                let bytes = ek.try_into().map_err(|_| Refused)?;
                let key = $module::EncapsulationKey::new(bytes).map_err(|_| Refused)?;
                let (ciphertext, secret) = key.encapsulate();
                ct.copy_from_slice(&ciphertext);
                ss.copy_from_slice(&secret);
                Ok(())
            }

            fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
                let bytes = dk.try_into().map_err(|_| Refused)?;
                let key = $module::DecapsulationKey::from_expanded_bytes(bytes).map_err(|_| Refused)?;
                ss.copy_from_slice(&key.decapsulate_slice(ct).map_err(|_| Refused)?);
                Ok(())
            }
        }

        impl Derand for $name {
            fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused> {
                let private = $module::DecapsulationKey::from_seed((*seed).into());
                ek.copy_from_slice(&private.encapsulation_key().to_bytes());
                dk.copy_from_slice(&private.to_expanded_bytes());
                Ok(())
            }

            fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused> {
                let bytes = ek.try_into().map_err(|_| Refused)?;
                let key = $module::EncapsulationKey::new(bytes).map_err(|_| Refused)?;
                let (ciphertext, secret) = key.encapsulate_deterministic(&(*coins).into());
                ct.copy_from_slice(&ciphertext);
                ss.copy_from_slice(&secret);
                Ok(())
            }
        }
    };
}

wire!(MlKem512, ml_kem_512);
wire!(MlKem768, ml_kem_768);
wire!(MlKem1024, ml_kem_1024);
