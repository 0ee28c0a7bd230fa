//! OpenSSL's own ML-KEM and hybrids of TLS behind EVP objects. Raw keys are turned into EVP_PKEYs and back, which is what
//! its users do at the wire; in a handshake the private key is an EVP_PKEY throughout. SPDX-License-Identifier: Apache-2.0
use std::ffi::{CStr, c_char, c_int};
use std::ptr::{NonNull, null, null_mut};
use std::slice;

use openssl_sys::{self as ffi, EVP_PKEY, EVP_PKEY_CTX};

use super::handshake::{Keeper, KeyExchange};
use crate::kem::{Refused, Rival, Set, Tier, Wire};
use crate::sets::TLS_HYBRID;

struct OpenSsl(&'static CStr);

/// ML-KEM is plain C; its Keccak is OpenSSL's, on the usual CPUs assembly without vectors. So are the curves.
pub fn rivals(set: &Set) -> Vec<Rival> {
    let name = match set.name {
        "ML-KEM-512" => c"ML-KEM-512",
        "ML-KEM-768" => c"ML-KEM-768",
        "ML-KEM-1024" => c"ML-KEM-1024",
        "X25519MLKEM768" => c"X25519MLKEM768",
        "SecP256r1MLKEM768" => c"SecP256r1MLKEM768",
        "SecP384r1MLKEM1024" => c"SecP384r1MLKEM1024",
        _ => return Vec::new(),
    };
    let rival = |tier, wire| Rival {
        library: "openssl",
        version: version(),
        backend: "C".to_owned(),
        rng: "per-thread DRBG",
        tier,
        wire,
    };
    let mut rivals = Vec::new();
    // It does not give the other hybrids' private keys as bytes.
    if set.family != TLS_HYBRID || set.name == "X25519MLKEM768" {
        rivals.push(rival(Tier::Wire, Box::new(OpenSsl(name)) as Box<dyn Wire>));
    }
    if set.family == TLS_HYBRID {
        rivals.push(rival(Tier::Handshake, Box::new(Keeper::new(OpenSsl(name)))));
    }
    rivals
}

/// The version of the OpenSSL that is linked, which says "OpenSSL 3.6.3 9 Jun 2026".
fn version() -> String {
    // SAFETY: OpenSSL returns a static string.
    let text = unsafe { CStr::from_ptr(ffi::OpenSSL_version(ffi::OPENSSL_VERSION)) }.to_string_lossy();
    text.split(' ').nth(1).unwrap_or(&text).to_owned()
}

fn succeeded(code: c_int) -> Result<(), Refused> {
    if code == 1 { Ok(()) } else { Err(Refused) }
}

fn filled(buffer: &[u8], written: usize) -> Result<(), Refused> {
    if written == buffer.len() { Ok(()) } else { Err(Refused) }
}

struct Key(NonNull<EVP_PKEY>);

unsafe extern "C" {
    fn EVP_PKEY_get1_encoded_public_key(key: *mut EVP_PKEY, copy: *mut *mut u8) -> usize;
}

type FromRaw =
    unsafe extern "C" fn(*mut ffi::OSSL_LIB_CTX, *const c_char, *const c_char, *const u8, usize) -> *mut EVP_PKEY;
type ToRaw = unsafe extern "C" fn(*const EVP_PKEY, *mut u8, *mut usize) -> c_int;

// SAFETY of the calls in this file: a Key and a Context hold live objects; OpenSSL gets the length of every buffer and
// refuses those that are too short.
impl Key {
    fn from_raw(from_raw: FromRaw, name: &CStr, bytes: &[u8]) -> Result<Self, Refused> {
        let key = unsafe { from_raw(null_mut(), name.as_ptr(), null(), bytes.as_ptr(), bytes.len()) };
        NonNull::new(key).map(Self).ok_or(Refused)
    }

    fn to_raw(&self, to_raw: ToRaw, bytes: &mut [u8]) -> Result<(), Refused> {
        let mut len = bytes.len();
        succeeded(unsafe { to_raw(self.0.as_ptr(), bytes.as_mut_ptr(), &mut len) })?;
        filled(bytes, len)
    }

    /// As libssl gets it.
    fn share(&self, share: &mut [u8]) -> Result<(), Refused> {
        let mut copy = null_mut();
        let len = unsafe { EVP_PKEY_get1_encoded_public_key(self.0.as_ptr(), &mut copy) };
        let result = filled(share, len);
        if result.is_ok() {
            share.copy_from_slice(unsafe { slice::from_raw_parts(copy, len) });
        }
        unsafe { ffi::CRYPTO_free(copy.cast(), c"share".as_ptr(), 0) };
        result
    }

    fn context(&self) -> Result<Context, Refused> {
        Context::new(unsafe { ffi::EVP_PKEY_CTX_new(self.0.as_ptr(), null_mut()) })
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        unsafe { ffi::EVP_PKEY_free(self.0.as_ptr()) };
    }
}

struct Context(NonNull<EVP_PKEY_CTX>);

impl Context {
    fn new(context: *mut EVP_PKEY_CTX) -> Result<Self, Refused> {
        NonNull::new(context).map(Self).ok_or(Refused)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { ffi::EVP_PKEY_CTX_free(self.0.as_ptr()) };
    }
}

impl OpenSsl {
    fn generate(&self) -> Result<Key, Refused> {
        let context = Context::new(unsafe { ffi::EVP_PKEY_CTX_new_from_name(null_mut(), self.0.as_ptr(), null()) })?;
        succeeded(unsafe { ffi::EVP_PKEY_keygen_init(context.0.as_ptr()) })?;
        let mut key = null_mut();
        succeeded(unsafe { ffi::EVP_PKEY_generate(context.0.as_ptr(), &mut key) })?;
        NonNull::new(key).map(Key).ok_or(Refused)
    }

    fn decapsulate(&self, ss: &mut [u8], ct: &[u8], key: &Key) -> Result<(), Refused> {
        let (context, mut ss_len) = (key.context()?, ss.len());
        succeeded(unsafe { ffi::EVP_PKEY_decapsulate_init(context.0.as_ptr(), null()) })?;
        succeeded(unsafe {
            let (ss, ss_len) = (ss.as_mut_ptr(), &mut ss_len);
            ffi::EVP_PKEY_decapsulate(context.0.as_ptr(), ss, ss_len, ct.as_ptr(), ct.len())
        })?;
        filled(ss, ss_len)
    }
}

impl Wire for OpenSsl {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let key = self.generate()?;
        key.to_raw(ffi::EVP_PKEY_get_raw_public_key, ek)?;
        key.to_raw(ffi::EVP_PKEY_get_raw_private_key, dk)
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        let context = Key::from_raw(ffi::EVP_PKEY_new_raw_public_key_ex, self.0, ek)?.context()?;
        let (mut ct_len, mut ss_len) = (ct.len(), ss.len());
        succeeded(unsafe { ffi::EVP_PKEY_encapsulate_init(context.0.as_ptr(), null()) })?;
        succeeded(unsafe {
            let (ct, ss) = (ct.as_mut_ptr(), ss.as_mut_ptr());
            ffi::EVP_PKEY_encapsulate(context.0.as_ptr(), ct, &mut ct_len, ss, &mut ss_len)
        })?;
        filled(ct, ct_len).and(filled(ss, ss_len))
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        self.decapsulate(ss, ct, &Key::from_raw(ffi::EVP_PKEY_new_raw_private_key_ex, self.0, dk)?)
    }
}

impl KeyExchange for OpenSsl {
    type Key = Key;

    fn start(&self, share: &mut [u8]) -> Result<Key, Refused> {
        let key = self.generate()?;
        key.share(share)?;
        Ok(key)
    }

    fn reply(&self, ct: &mut [u8], ss: &mut [u8], share: &[u8]) -> Result<(), Refused> {
        self.encaps(ct, ss, share)
    }

    fn finish(&self, ss: &mut [u8], ct: &[u8], key: &Key) -> Result<(), Refused> {
        self.decapsulate(ss, ct, key)
    }
}
