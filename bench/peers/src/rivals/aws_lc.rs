//! aws-lc-rs: AWS-LC's copy of mlkem-native behind EVP objects. Bytes in and out go through its key objects, which is
//! what its users do at the wire. SPDX-License-Identifier: Apache-2.0
use aws_lc_rs::kem::{
    Algorithm, AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768, ML_KEM_1024,
};

use super::aws_lc_hybrids::Hybrid;
use super::handshake::Keeper;
use super::{by_cpu, pinned_version};
use crate::kem::{Refused, Rival, Set, Tier, Wire};

struct AwsLc(&'static Algorithm<AlgorithmId>);

fn avx2_condition() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

pub fn rivals(set: &Set) -> Vec<Rival> {
    let rival = |tier, wire| Rival {
        library: "aws-lc-rs",
        version: pinned_version("aws-lc-rs"),
        backend: by_cpu(avx2_condition(), "C"),
        rng: "per-thread DRBG",
        tier,
        wire,
    };
    let algorithm = match set.name {
        "ML-KEM-512" => &ML_KEM_512,
        "ML-KEM-768" => &ML_KEM_768,
        "ML-KEM-1024" => &ML_KEM_1024,
        hybrid => {
            let exchange = Hybrid::of(hybrid).map(Keeper::new);
            return exchange.map(|kept| rival(Tier::Handshake, Box::new(kept))).into_iter().collect();
        }
    };
    vec![rival(Tier::Wire, Box::new(AwsLc(algorithm)))]
}

impl Wire for AwsLc {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let key = DecapsulationKey::generate(self.0).map_err(|_| Refused)?;
        dk.copy_from_slice(key.key_bytes().map_err(|_| Refused)?.as_ref());
        let public = key.encapsulation_key().map_err(|_| Refused)?;
        ek.copy_from_slice(public.key_bytes().map_err(|_| Refused)?.as_ref());
        Ok(())
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        let key = EncapsulationKey::new(self.0, ek).map_err(|_| Refused)?;
        let (ciphertext, secret) = key.encapsulate().map_err(|_| Refused)?;
        ct.copy_from_slice(ciphertext.as_ref());
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        let key = DecapsulationKey::new(self.0, dk).map_err(|_| Refused)?;
        let secret = key.decapsulate(Ciphertext::from(ct)).map_err(|_| Refused)?;
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }
}
