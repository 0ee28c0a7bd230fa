//! oqs: liboqs' copy of mlkem-native, built for distribution (it asks the CPU). SPDX-License-Identifier: Apache-2.0
use oqs::kem::{Algorithm, Kem};

use super::{by_cpu, pinned_version};
use crate::kem::{Refused, Rival, Set, Tier, Wire};

struct Oqs(Kem);

fn avx2_condition() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

pub fn rivals(set: &Set) -> Vec<Rival> {
    let algorithm = match set.name {
        "ML-KEM-512" => Algorithm::MlKem512,
        "ML-KEM-768" => Algorithm::MlKem768,
        "ML-KEM-1024" => Algorithm::MlKem1024,
        _ => return Vec::new(),
    };
    oqs::init();
    vec![Rival {
        library: "oqs",
        version: pinned_version("oqs"),
        backend: by_cpu(avx2_condition(), "C"),
        rng: "getentropy per call",
        tier: Tier::Wire,
        wire: Box::new(Oqs(Kem::new(algorithm).expect("liboqs was built with ML-KEM"))),
    }]
}

impl Wire for Oqs {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let (public, secret) = self.0.keypair().map_err(|_| Refused)?;
        ek.copy_from_slice(public.as_ref());
        dk.copy_from_slice(secret.as_ref());
        Ok(())
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        let key = self.0.public_key_from_bytes(ek).ok_or(Refused)?;
        let (ciphertext, secret) = self.0.encapsulate(key).map_err(|_| Refused)?;
        ct.copy_from_slice(ciphertext.as_ref());
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        let key = self.0.secret_key_from_bytes(dk).ok_or(Refused)?;
        let ciphertext = self.0.ciphertext_from_bytes(ct).ok_or(Refused)?;
        let secret = self.0.decapsulate(key, ciphertext).map_err(|_| Refused)?;
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }
}
