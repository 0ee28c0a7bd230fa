//! wolfCrypt, of wolfSSL: the one rival with AVX-512. The crate builds it but declares none of its ML-KEM; these are the
//! declarations of wolfssl/wolfcrypt/wc_mlkem.h. SPDX-License-Identifier: Apache-2.0
use std::ffi::{c_int, c_uchar, c_void};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use wolfssl_sys::{WC_RNG, get_wolfssl_version_string, wc_FreeRng, wc_InitRng};

use super::{both_tiers, by_cpu};
use crate::derand::Derand;
use crate::kem::{Refused, Rival, Set, Wire};

mod ffi {
    use super::{WC_RNG, c_int, c_uchar, c_void};

    #[repr(C)]
    pub struct MlKemKey {
        _opaque: [u8; 0],
    }

    unsafe extern "C" {
        pub fn wc_MlKemKey_New(kind: c_int, heap: *mut c_void, device: c_int) -> *mut MlKemKey;
        pub fn wc_MlKemKey_Delete(key: *mut MlKemKey, place: *mut *mut MlKemKey) -> c_int;
        pub fn wc_MlKemKey_Init(key: *mut MlKemKey, kind: c_int, heap: *mut c_void, device: c_int) -> c_int;
        pub fn wc_MlKemKey_Free(key: *mut MlKemKey) -> c_int;
        pub fn wc_MlKemKey_MakeKey(key: *mut MlKemKey, rng: *mut WC_RNG) -> c_int;
        pub fn wc_MlKemKey_Encapsulate(
            key: *mut MlKemKey,
            ct: *mut c_uchar,
            ss: *mut c_uchar,
            rng: *mut WC_RNG,
        ) -> c_int;
        pub fn wc_MlKemKey_MakeKeyWithRandom(key: *mut MlKemKey, seed: *const c_uchar, len: c_int) -> c_int;
        pub fn wc_MlKemKey_EncapsulateWithRandom(
            key: *mut MlKemKey,
            ct: *mut c_uchar,
            ss: *mut c_uchar,
            coins: *const c_uchar,
            len: c_int,
        ) -> c_int;
        pub fn wc_MlKemKey_Decapsulate(key: *mut MlKemKey, ss: *mut c_uchar, ct: *const c_uchar, len: u32) -> c_int;
        pub fn wc_MlKemKey_DecodePrivateKey(key: *mut MlKemKey, bytes: *const c_uchar, len: u32) -> c_int;
        pub fn wc_MlKemKey_DecodePublicKey(key: *mut MlKemKey, bytes: *const c_uchar, len: u32) -> c_int;
        pub fn wc_MlKemKey_EncodePrivateKey(key: *mut MlKemKey, bytes: *mut c_uchar, len: u32) -> c_int;
        pub fn wc_MlKemKey_EncodePublicKey(key: *mut MlKemKey, bytes: *mut c_uchar, len: u32) -> c_int;
    }
}

/// INVALID_DEVID: no device but the CPU.
const NO_DEVICE: c_int = -2;

struct WolfCrypt {
    /// WC_ML_KEM_512 and its like.
    kind: c_int,
    /// Room for one key, made anew in each operation, as on a caller's stack.
    key: *mut ffi::MlKemKey,
    /// A caller keeps one per thread.
    rng: *mut WC_RNG,
}

/// The features that its own condition, USE_INTEL_AVX512, asks for.
fn backend() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
            return "avx512".to_owned();
        }
        by_cpu(is_x86_feature_detected!("avx2"), "C")
    }
    #[cfg(not(target_arch = "x86_64"))]
    by_cpu(false, "C")
}

pub fn rivals(set: &Set) -> Vec<Rival> {
    let kind = match set.name {
        "ML-KEM-512" => 0,
        "ML-KEM-768" => 1,
        "ML-KEM-1024" => 2,
        _ => return Vec::new(),
    };
    let rival = |tier, wire| Rival {
        library: "wolfcrypt",
        version: get_wolfssl_version_string().to_owned(),
        backend: backend(),
        rng: "DRBG of the caller's",
        tier,
        wire,
    };
    both_tiers(rival, || WolfCrypt::new(kind))
}

fn succeeded(code: c_int) -> Result<(), Refused> {
    if code == 0 { Ok(()) } else { Err(Refused) }
}

// SAFETY of the calls in this file: the key is wolfCrypt's own and initialised around each operation; a length goes with
// every buffer but ct and ss of the encapsulation, which have the set's sizes.
impl WolfCrypt {
    fn new(kind: c_int) -> Self {
        let rng = Box::into_raw(Box::new(unsafe { MaybeUninit::<WC_RNG>::zeroed().assume_init() }));
        assert_eq!(unsafe { wc_InitRng(rng) }, 0, "wolfCrypt has no randomness");
        let key = unsafe { ffi::wc_MlKemKey_New(kind, null_mut(), NO_DEVICE) };
        assert!(!key.is_null(), "wolfCrypt was built without ML-KEM");
        Self { kind, key, rng }
    }

    /// With a key that is empty before and wiped after.
    fn with_key(&self, work: impl FnOnce(*mut ffi::MlKemKey) -> Result<(), Refused>) -> Result<(), Refused> {
        succeeded(unsafe { ffi::wc_MlKemKey_Init(self.key, self.kind, null_mut(), NO_DEVICE) })?;
        let result = work(self.key);
        succeeded(unsafe { ffi::wc_MlKemKey_Free(self.key) })?;
        result
    }

    fn keygen_with(
        &self,
        ek: &mut [u8],
        dk: &mut [u8],
        make: impl FnOnce(*mut ffi::MlKemKey) -> c_int,
    ) -> Result<(), Refused> {
        self.with_key(|key| {
            succeeded(make(key))?;
            succeeded(unsafe { ffi::wc_MlKemKey_EncodePrivateKey(key, dk.as_mut_ptr(), len(dk)) })?;
            succeeded(unsafe { ffi::wc_MlKemKey_EncodePublicKey(key, ek.as_mut_ptr(), len(ek)) })
        })
    }

    fn encaps_with(&self, ek: &[u8], encapsulate: impl FnOnce(*mut ffi::MlKemKey) -> c_int) -> Result<(), Refused> {
        self.with_key(|key| {
            succeeded(unsafe { ffi::wc_MlKemKey_DecodePublicKey(key, ek.as_ptr(), len(ek)) })?;
            succeeded(encapsulate(key))
        })
    }
}

impl Drop for WolfCrypt {
    fn drop(&mut self) {
        unsafe {
            ffi::wc_MlKemKey_Delete(self.key, null_mut());
            wc_FreeRng(self.rng);
            drop(Box::from_raw(self.rng));
        }
    }
}

fn len(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("keys are short")
}

impl Wire for WolfCrypt {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        self.keygen_with(ek, dk, |key| unsafe { ffi::wc_MlKemKey_MakeKey(key, self.rng) })
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        let (ct, ss) = (ct.as_mut_ptr(), ss.as_mut_ptr());
        self.encaps_with(ek, |key| unsafe { ffi::wc_MlKemKey_Encapsulate(key, ct, ss, self.rng) })
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        self.with_key(|key| {
            succeeded(unsafe { ffi::wc_MlKemKey_DecodePrivateKey(key, dk.as_ptr(), len(dk)) })?;
            succeeded(unsafe { ffi::wc_MlKemKey_Decapsulate(key, ss.as_mut_ptr(), ct.as_ptr(), len(ct)) })
        })
    }
}

impl Derand for WolfCrypt {
    fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused> {
        self.keygen_with(ek, dk, |key| unsafe { ffi::wc_MlKemKey_MakeKeyWithRandom(key, seed.as_ptr(), 64) })
    }

    fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused> {
        let (ct, ss) = (ct.as_mut_ptr(), ss.as_mut_ptr());
        self.encaps_with(ek, |key| unsafe { ffi::wc_MlKemKey_EncapsulateWithRandom(key, ct, ss, coins.as_ptr(), 32) })
    }
}
