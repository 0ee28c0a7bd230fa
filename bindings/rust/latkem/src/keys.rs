//! Keys of any set.
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ffi::{c_int, c_void};
use core::fmt;

use latkem_sys as sys;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::error::{check, check_length};
use crate::lazy::Lazy;
use crate::memory::{Lines, Secret};
use crate::set::{CT, SS};
use crate::{Error, ParameterSet};

/// The bytes behind the encapsulation key in an expanded decapsulation key of all families but NTRU: a hash, and z.
const BEHIND_EK: usize = 64;

/// A private key. It owns its expanded form, of ML-KEM its seed if it is known, and from the first decapsulation on
/// a form that is faster to use. It cannot be copied, and everything that it holds is wiped when it is dropped.
///
/// ```
/// use latkem::{DecapsulationKey, ParameterSet, PrivateKeyForm};
///
/// # fn main() -> Result<(), latkem::Error> {
/// let alice = ParameterSet::find("ML-KEM-1024").unwrap().generate()?;
/// let (ciphertext, sent) = alice.encapsulation_key()?.encapsulate()?;
/// assert_eq!(alice.decapsulate(&ciphertext)?, sent);
///
/// let file = alice.to_pkcs8_der(PrivateKeyForm::Seed)?;
/// assert_eq!(DecapsulationKey::from_pkcs8_der(&file)?.seed(), alice.seed());
/// # Ok(())
/// # }
/// ```
pub struct DecapsulationKey {
    set: ParameterSet,
    dk: Secret,
    seed: Option<Secret>,
    ek: Option<EncapsulationKey>,
    prepared: Lazy<Lines>,
}

impl ZeroizeOnDrop for DecapsulationKey {}

impl DecapsulationKey {
    /// A key pair that `call` writes.
    pub(crate) fn make(set: ParameterSet, call: impl FnOnce(*mut u8, *mut u8) -> c_int) -> Result<Self, Error> {
        let mut ek = vec![0; set.encapsulation_key_size()].into_boxed_slice();
        let mut dk = Secret::zeroed(set.decapsulation_key_size());
        check(call(ek.as_mut_ptr(), dk.as_mut_ptr()))?;
        Ok(Self { ek: Some(EncapsulationKey::of_checked(set, ek)), ..Self::of_expanded(set, dk) })
    }

    /// Of a seed of the right length.
    pub(crate) fn of_seed(set: ParameterSet, seed: Secret) -> Result<Self, Error> {
        let (from, len) = (seed.as_ptr(), seed.len());
        let call =
            // SAFETY: every buffer has the set's size, and the seed is in its place until the call has ended.
            |ek, dk| unsafe { sys::latkem_keypair_derand(set.pointer(), ek, dk, from, len) };
        let mut key = Self::make(set, call)?;
        key.seed = Some(seed).filter(|_| set.keeps_seeds());
        Ok(key)
    }

    /// Of an expanded key that was checked.
    pub(crate) fn of_expanded(set: ParameterSet, dk: Secret) -> Self {
        Self { set, dk, seed: None, ek: None, prepared: Lazy::new() }
    }

    /// Of an expanded key that the library has made from this seed.
    pub(crate) fn of_both(set: ParameterSet, seed: Secret, dk: Secret) -> Self {
        let mut key = Self::of_expanded(set, dk);
        key.ek = key.ek_inside().map(|ek| EncapsulationKey::of_checked(set, ek.into()));
        key.seed = Some(seed);
        key
    }

    /// The encapsulation key inside the expanded form, which NTRU does not have.
    fn ek_inside(&self) -> Option<&[u8]> {
        let end = self.dk.len() - BEHIND_EK;
        let begin = end.checked_sub(self.set.encapsulation_key_size())?;
        (self.set.family() != "NTRU").then(|| &self.dk[begin..end])
    }

    /// The parameter set.
    pub fn parameter_set(&self) -> ParameterSet {
        self.set
    }

    /// The encapsulation key. A key of NTRU that was made from its expanded form does not hold it: that is
    /// [`Error::Argument`].
    pub fn encapsulation_key(&self) -> Result<EncapsulationKey, Error> {
        if let Some(ek) = &self.ek {
            return Ok(ek.clone());
        }
        self.set.encapsulation_key(self.ek_inside().ok_or(Error::Argument)?)
    }

    /// Recovers the shared key of a ciphertext. One that was not made for this key gives a pseudo-random shared key.
    pub fn decapsulate(&self, ct: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut ss = Zeroizing::new(vec![0; self.set.shared_key_size()]);
        self.decapsulate_into(ct, &mut ss)?;
        Ok(ss)
    }

    /// The same into memory of the caller.
    pub fn decapsulate_into(&self, ct: &[u8], ss: &mut [u8]) -> Result<(), Error> {
        self.set.check_outputs(ct, ss)?;
        let prepared = self.prepared.get_or_make(|| self.prepare())?;
        let (ss, ct, ct_len) = (ss.as_mut_ptr(), ct.as_ptr(), ct.len());
        // SAFETY: every buffer has the set's size, and the key was prepared.
        check(unsafe { sys::latkem_decaps_prepared(self.set.pointer(), ss, ct, ct_len, prepared.address()) })
    }

    fn prepare(&self) -> Result<Lines, Error> {
        let kem = self.set.pointer();
        // SAFETY: asks a number of a set.
        let mut prepared = Lines::zeroed(unsafe { sys::latkem_prepared_dk_bytes(kem) });
        // SAFETY: the memory has the size, and every line of it is aligned.
        check(unsafe { sys::latkem_prepare_dk(kem, prepared.address_mut(), self.dk.as_ptr(), self.dk.len()) })?;
        Ok(prepared)
    }

    /// The expanded form.
    pub fn as_bytes(&self) -> &[u8] {
        &self.dk
    }

    /// The seed d ‖ z of ML-KEM, if the key was generated or made from it.
    pub fn seed(&self) -> Option<&[u8; 64]> {
        self.seed.as_deref().and_then(|seed| seed.try_into().ok())
    }
}

impl fmt::Debug for DecapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecapsulationKey({}, ..)", self.set)
    }
}

/// A public key. Clones share one form that is faster to use, which the first encapsulation makes.
#[derive(Clone)]
pub struct EncapsulationKey(Arc<Public>);

struct Public {
    set: ParameterSet,
    ek: Box<[u8]>,
    prepared: Lazy<Lines>,
}

impl EncapsulationKey {
    /// Of bytes that were checked.
    pub(crate) fn of_checked(set: ParameterSet, ek: Box<[u8]>) -> Self {
        Self(Arc::new(Public { set, ek, prepared: Lazy::new() }))
    }

    /// The parameter set.
    pub fn parameter_set(&self) -> ParameterSet {
        self.0.set
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0.ek
    }

    /// Makes a shared key, and the ciphertext that carries it to the owner of the decapsulation key.
    pub fn encapsulate(&self) -> Result<(Vec<u8>, Zeroizing<Vec<u8>>), Error> {
        let mut ct = vec![0; self.0.set.ciphertext_size()];
        let mut ss = Zeroizing::new(vec![0; self.0.set.shared_key_size()]);
        self.encapsulate_into(&mut ct, &mut ss)?;
        Ok((ct, ss))
    }

    /// The same into memory of the caller.
    pub fn encapsulate_into(&self, ct: &mut [u8], ss: &mut [u8]) -> Result<(), Error> {
        self.encapsulate_prepared(ct, ss, |kem, ct, ss, prepared| {
            // SAFETY: as encapsulate_prepared says.
            unsafe { sys::latkem_encaps_prepared(kem, ct, ss, prepared) }
        })
    }

    /// The same with randomness that a caller's generator has given before: a panic of it must not pass through C.
    pub(crate) fn encapsulate_with(&self, coins: &[u8], ct: &mut [u8], ss: &mut [u8]) -> Result<(), Error> {
        let mut coins = coins;
        let context = (&raw mut coins).cast();
        self.encapsulate_prepared(ct, ss, |kem, ct, ss, prepared| {
            // SAFETY: as encapsulate_prepared says, and the context is what `given` takes.
            unsafe { sys::latkem_encaps_prepared_rng(kem, ct, ss, prepared, given, context) }
        })
    }

    /// Gives `call` the set, buffers of its sizes, and the prepared key.
    fn encapsulate_prepared(
        &self,
        ct: &mut [u8],
        ss: &mut [u8],
        call: impl FnOnce(*const sys::latkem_kem, *mut u8, *mut u8, *const c_void) -> c_int,
    ) -> Result<(), Error> {
        let Public { set, prepared, .. } = &*self.0;
        check_length(*set, CT, set.ciphertext_size(), ct.len())?;
        check_length(*set, SS, set.shared_key_size(), ss.len())?;
        let prepared = prepared.get_or_make(|| self.prepare())?;
        check(call(set.pointer(), ct.as_mut_ptr(), ss.as_mut_ptr(), prepared.address()))
    }

    fn prepare(&self) -> Result<Lines, Error> {
        let Public { set, ek, .. } = &*self.0;
        // SAFETY: asks a number of a set.
        let mut prepared = Lines::zeroed(unsafe { sys::latkem_prepared_ek_bytes(set.pointer()) });
        // SAFETY: the memory has the size, and every line of it is aligned.
        check(unsafe { sys::latkem_prepare_ek(set.pointer(), prepared.address_mut(), ek.as_ptr(), ek.len()) })?;
        Ok(prepared)
    }
}

/// A generator for C that hands out the bytes of a slice, its context.
unsafe extern "C" fn given(context: *mut c_void, out: *mut u8, len: usize) -> c_int {
    // SAFETY: encapsulate_with gives its own variable, which nobody else uses during the call.
    let coins = unsafe { &mut *context.cast::<&[u8]>() };
    let Some((now, later)) = coins.split_at_checked(len) else { return -1 };
    // SAFETY: the library asks for len bytes at out.
    unsafe { core::ptr::copy_nonoverlapping(now.as_ptr(), out, len) };
    *coins = later;
    0
}

impl PartialEq for EncapsulationKey {
    fn eq(&self, other: &Self) -> bool {
        (self.0.set, &self.0.ek) == (other.0.set, &other.0.ek)
    }
}

impl Eq for EncapsulationKey {}

impl fmt::Debug for EncapsulationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Public { set, ek, .. } = &*self.0;
        write!(f, "EncapsulationKey({set}, ")?;
        ek.iter().take(8).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("..)")
    }
}
