//! Key files of ML-KEM: SubjectPublicKeyInfo and PKCS#8 in DER (RFC 9935). PEM is base64 of them between two lines.
use alloc::vec;
use alloc::vec::Vec;
use core::ptr;

use latkem_sys as sys;
use zeroize::Zeroizing;

use crate::error::check;
use crate::memory::Secret;
use crate::{DecapsulationKey, EncapsulationKey, Error, ParameterSet};

/// The content of a private key's file. Files of every form can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateKeyForm {
    /// The seed, which every reader takes.
    Seed,
    /// The expanded key.
    Expanded,
    /// The two together.
    Both,
}

impl PrivateKeyForm {
    fn code(self) -> core::ffi::c_int {
        match self {
            Self::Seed => sys::LATKEM_FORM_SEED,
            Self::Expanded => sys::LATKEM_FORM_EXPANDED,
            Self::Both => sys::LATKEM_FORM_BOTH,
        }
    }
}

/// The set of a file. An installed library reads X-Wing too, which is not one of this crate's.
fn set_of(kem: *const sys::latkem_kem) -> Result<ParameterSet, Error> {
    ParameterSet::all().find(|set| set.pointer() == kem).ok_or(Error::Format)
}

impl DecapsulationKey {
    /// The key as PKCS#8. Without its seed it has the expanded form alone ([`Error::NoSeed`]); only ML-KEM has files
    /// ([`Error::Argument`]).
    pub fn to_pkcs8_der(&self, form: PrivateKeyForm) -> Result<Zeroizing<Vec<u8>>, Error> {
        let set = self.parameter_set();
        let key = match self.seed() {
            Some(seed) => &seed[..],
            None if set.keeps_seeds() && form != PrivateKeyForm::Expanded => return Err(Error::NoSeed),
            None => self.as_bytes(),
        };
        let mut der = Zeroizing::new(vec![0; sys::LATKEM_PRIVATE_KEY_DER_MAX]);
        let mut len = der.len();
        let (out, key, key_len) = (der.as_mut_ptr(), key.as_ptr(), key.len());
        // SAFETY: len is the length of out.
        check(unsafe { sys::latkem_private_key_write(set.pointer(), form.code(), out, &raw mut len, key, key_len) })?;
        der.truncate(len);
        Ok(der)
    }

    /// The key of a PKCS#8 file. Everything that the file says twice is compared.
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, Error> {
        let mut seed = Secret::zeroed(sys::LATKEM_MLKEM_SEED_BYTES);
        let mut dk = Secret::zeroed(sys::LATKEM_MLKEM_DK_MAX);
        let (mut kem, mut form, mut seed_len, mut dk_len) = (ptr::null(), 0, seed.len(), dk.len());
        // SAFETY: the lengths are those of the buffers.
        check(unsafe {
            sys::latkem_private_key_read(
                &raw mut kem,
                &raw mut form,
                seed.as_mut_ptr(),
                &raw mut seed_len,
                dk.as_mut_ptr(),
                &raw mut dk_len,
                der.as_ptr(),
                der.len(),
            )
        })?;
        let (set, dk) = (set_of(kem)?, Secret::copy_of(&dk[..dk_len]));
        Ok(if seed_len > 0 { Self::of_both(set, seed, dk) } else { Self::of_expanded(set, dk) })
    }
}

impl EncapsulationKey {
    /// The key as SubjectPublicKeyInfo. Only ML-KEM has files ([`Error::Argument`]).
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        let (set, ek) = (self.parameter_set(), self.as_bytes());
        let mut der = vec![0; sys::LATKEM_PUBLIC_KEY_DER_MAX];
        let mut len = der.len();
        let out = der.as_mut_ptr();
        // SAFETY: len is the length of out.
        check(unsafe { sys::latkem_public_key_write(set.pointer(), out, &raw mut len, ek.as_ptr(), ek.len()) })?;
        der.truncate(len);
        Ok(der)
    }

    /// The key of a SubjectPublicKeyInfo.
    pub fn from_spki_der(der: &[u8]) -> Result<Self, Error> {
        let (mut kem, mut ek) = (ptr::null(), vec![0; sys::LATKEM_MLKEM_EK_MAX]);
        let mut len = ek.len();
        let out = ek.as_mut_ptr();
        // SAFETY: len is the length of out.
        check(unsafe { sys::latkem_public_key_read(&raw mut kem, out, &raw mut len, der.as_ptr(), der.len()) })?;
        ek.truncate(len);
        Ok(Self::of_checked(set_of(kem)?, ek.into()))
    }
}
