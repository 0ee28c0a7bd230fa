//! OpenSSL's own ML-KEM behind EVP objects. Raw keys are turned into EVP_PKEYs and back, which is what its users do at
//! the wire. SPDX-License-Identifier: Apache-2.0
use std::ffi::{CStr, c_char, c_int};
use std::ptr::{NonNull, null, null_mut};

use openssl_sys::{self as ffi, EVP_PKEY, EVP_PKEY_CTX};

use crate::kem::{Refused, Rival, Set, Wire};

struct OpenSsl(&'static CStr);

/// ML-KEM is plain C; its Keccak is OpenSSL's, on the usual CPUs assembly without vectors.
pub fn rivals(set: &Set) -> Vec<Rival> {
    let name = match set.name {
        "ML-KEM-512" => c"ML-KEM-512",
        "ML-KEM-768" => c"ML-KEM-768",
        "ML-KEM-1024" => c"ML-KEM-1024",
        _ => return Vec::new(),
    };
    vec![Rival {
        library: "openssl",
        version: version(),
        backend: "C".to_owned(),
        rng: "per-thread DRBG",
        wire: Box::new(OpenSsl(name)),
    }]
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

type FromRaw =
    unsafe extern "C" fn(*mut ffi::OSSL_LIB_CTX, *const c_char, *const c_char, *const u8, usize) -> *mut EVP_PKEY;
type ToRaw = unsafe extern "C" fn(*const EVP_PKEY, *mut u8, *mut usize) -> c_int;

// SAFETY of the calls in this file: a Key and a Context hold live objects; OpenSSL is told the length of every buffer
// and refuses those that are too short.
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

impl Wire for OpenSsl {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let context = Context::new(unsafe { ffi::EVP_PKEY_CTX_new_from_name(null_mut(), self.0.as_ptr(), null()) })?;
        succeeded(unsafe { ffi::EVP_PKEY_keygen_init(context.0.as_ptr()) })?;
        let mut key = null_mut();
        succeeded(unsafe { ffi::EVP_PKEY_generate(context.0.as_ptr(), &mut key) })?;
        let key = Key(NonNull::new(key).ok_or(Refused)?);
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
        let context = Key::from_raw(ffi::EVP_PKEY_new_raw_private_key_ex, self.0, dk)?.context()?;
        let mut ss_len = ss.len();
        succeeded(unsafe { ffi::EVP_PKEY_decapsulate_init(context.0.as_ptr(), null()) })?;
        succeeded(unsafe {
            let (ss, ss_len) = (ss.as_mut_ptr(), &mut ss_len);
            ffi::EVP_PKEY_decapsulate(context.0.as_ptr(), ss, ss_len, ct.as_ptr(), ct.len())
        })?;
        filled(ss, ss_len)
    }
}
