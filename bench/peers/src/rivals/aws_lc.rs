//! aws-lc-rs: AWS-LC's copy of mlkem-native behind EVP objects. Bytes in and out go through its key objects, which is
//! what its users do at the wire. SPDX-License-Identifier: Apache-2.0
use std::ptr::{NonNull, null_mut};

use aws_lc_rs::kem::{
    Algorithm, AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_512, ML_KEM_768, ML_KEM_1024,
};
use aws_lc_sys as ffi;

use super::aws_lc_hybrids::Hybrid;
use super::handshake::Keeper;
use super::{both_tiers, by_cpu, pinned_version};
use crate::derand::Derand;
use crate::kem::{Refused, Rival, Set, Tier, Wire};

struct AwsLc {
    algorithm: &'static Algorithm<AlgorithmId>,
    nid: i32,
}

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
    let (algorithm, nid) = match set.name {
        "ML-KEM-512" => (&ML_KEM_512, ffi::NID_MLKEM512),
        "ML-KEM-768" => (&ML_KEM_768, ffi::NID_MLKEM768),
        "ML-KEM-1024" => (&ML_KEM_1024, ffi::NID_MLKEM1024),
        hybrid => {
            let exchange = Hybrid::of(hybrid).map(Keeper::new);
            return exchange.map(|kept| rival(Tier::Handshake, Box::new(kept))).into_iter().collect();
        }
    };
    both_tiers(rival, || AwsLc { algorithm, nid })
}

impl Wire for AwsLc {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let key = DecapsulationKey::generate(self.algorithm).map_err(|_| Refused)?;
        dk.copy_from_slice(key.key_bytes().map_err(|_| Refused)?.as_ref());
        let public = key.encapsulation_key().map_err(|_| Refused)?;
        ek.copy_from_slice(public.key_bytes().map_err(|_| Refused)?.as_ref());
        Ok(())
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        let key = EncapsulationKey::new(self.algorithm, ek).map_err(|_| Refused)?;
        let (ciphertext, secret) = key.encapsulate().map_err(|_| Refused)?;
        ct.copy_from_slice(ciphertext.as_ref());
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        let key = DecapsulationKey::new(self.algorithm, dk).map_err(|_| Refused)?;
        let secret = key.decapsulate(Ciphertext::from(ct)).map_err(|_| Refused)?;
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }
}

fn succeeded(code: i32) -> Result<(), Refused> {
    if code == 1 { Ok(()) } else { Err(Refused) }
}

// Functions that the crate builds but does not declare on every machine; its version is in every name that it links.
unsafe extern "C" {
    #[link_name = "aws_lc_0_47_0_EVP_PKEY_keygen_deterministic"]
    fn keygen_deterministic(
        context: *mut ffi::EVP_PKEY_CTX,
        key: *mut *mut ffi::EVP_PKEY,
        seed: *const u8,
        seed_len: *mut usize,
    ) -> i32;
    #[link_name = "aws_lc_0_47_0_EVP_PKEY_encapsulate_deterministic"]
    fn encapsulate_deterministic(
        context: *mut ffi::EVP_PKEY_CTX,
        ct: *mut u8,
        ct_len: *mut usize,
        ss: *mut u8,
        ss_len: *mut usize,
        coins: *const u8,
        coins_len: *mut usize,
    ) -> i32;
}

struct Key(NonNull<ffi::EVP_PKEY>);

impl Drop for Key {
    fn drop(&mut self) {
        unsafe { ffi::EVP_PKEY_free(self.0.as_ptr()) };
    }
}

struct Context(NonNull<ffi::EVP_PKEY_CTX>);

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { ffi::EVP_PKEY_CTX_free(self.0.as_ptr()) };
    }
}

/// The deterministic calls are of AWS-LC's C interface, where they are called experimental; aws-lc-rs has none.
/// SAFETY of the calls: a Key and a Context hold live objects, and AWS-LC gets the length of every buffer.
impl Derand for AwsLc {
    fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused> {
        let context = unsafe { ffi::EVP_PKEY_CTX_new_id(ffi::EVP_PKEY_KEM, null_mut()) };
        let context = Context(NonNull::new(context).ok_or(Refused)?);
        let (mut key, mut seed_len) = (null_mut(), seed.len());
        let (mut ek_len, mut dk_len) = (ek.len(), dk.len());
        unsafe {
            succeeded(ffi::EVP_PKEY_CTX_kem_set_params(context.0.as_ptr(), self.nid))?;
            succeeded(ffi::EVP_PKEY_keygen_init(context.0.as_ptr()))?;
            let (seed, len) = (seed.as_ptr(), &raw mut seed_len);
            succeeded(keygen_deterministic(context.0.as_ptr(), &mut key, seed, len))?;
            let key = Key(NonNull::new(key).ok_or(Refused)?);
            succeeded(ffi::EVP_PKEY_get_raw_private_key(key.0.as_ptr(), dk.as_mut_ptr(), &mut dk_len))?;
            succeeded(ffi::EVP_PKEY_get_raw_public_key(key.0.as_ptr(), ek.as_mut_ptr(), &mut ek_len))
        }
    }

    fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused> {
        let (mut ct_len, mut ss_len, mut coins_len) = (ct.len(), ss.len(), coins.len());
        unsafe {
            let key = ffi::EVP_PKEY_kem_new_raw_public_key(self.nid, ek.as_ptr(), ek.len());
            let key = Key(NonNull::new(key).ok_or(Refused)?);
            let context = ffi::EVP_PKEY_CTX_new(key.0.as_ptr(), null_mut());
            let context = Context(NonNull::new(context).ok_or(Refused)?);
            succeeded(encapsulate_deterministic(
                context.0.as_ptr(),
                ct.as_mut_ptr(),
                &mut ct_len,
                ss.as_mut_ptr(),
                &mut ss_len,
                coins.as_ptr(),
                &mut coins_len,
            ))
        }
    }
}
