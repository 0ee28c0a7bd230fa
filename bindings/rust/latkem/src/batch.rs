//! Operations on many keys at once, which vector code runs side by side.
use latkem_sys as sys;

use crate::error::{check, check_length};
use crate::{Error, ParameterSet};

const EKS: &str = "a batch of encapsulation keys";
const DKS: &str = "a batch of decapsulation keys";
const CTS: &str = "a batch of ciphertexts";
const SSS: &str = "a batch of shared keys";

/// Arrays hold one object after the other; the first array says how many. If lengths do not fit each other, nothing is
/// written. If a key is not valid, the call returns that error, the results of that key are zeroed, and all others are
/// complete.
impl ParameterSet {
    /// How many objects of a size an array holds.
    fn count(self, what: &'static str, size: usize, bytes: usize) -> Result<usize, Error> {
        check_length(self, what, bytes.next_multiple_of(size), bytes)?;
        Ok(bytes / size)
    }

    fn check_batch(self, what: &'static str, n: usize, size: usize, bytes: usize) -> Result<(), Error> {
        check_length(self, what, n.saturating_mul(size), bytes)
    }

    /// Makes key pairs.
    pub fn generate_batch(self, eks: &mut [u8], dks: &mut [u8]) -> Result<(), Error> {
        let n = self.count(EKS, self.encapsulation_key_size(), eks.len())?;
        self.check_batch(DKS, n, self.decapsulation_key_size(), dks.len())?;
        // SAFETY: the arrays have n objects of the set's sizes.
        check(unsafe { sys::latkem_keypair_batch(self.pointer(), n, eks.as_mut_ptr(), dks.as_mut_ptr()) })
    }

    /// Encapsulates once to each key.
    pub fn encapsulate_batch(self, eks: &[u8], cts: &mut [u8], sss: &mut [u8]) -> Result<(), Error> {
        let n = self.count(EKS, self.encapsulation_key_size(), eks.len())?;
        self.check_batch(CTS, n, self.ciphertext_size(), cts.len())?;
        self.check_batch(SSS, n, self.shared_key_size(), sss.len())?;
        let (cts, sss) = (cts.as_mut_ptr(), sss.as_mut_ptr());
        // SAFETY: the arrays have n objects of the set's sizes.
        check(unsafe { sys::latkem_encaps_batch(self.pointer(), n, cts, sss, eks.as_ptr()) })
    }

    /// Decapsulates each ciphertext with the key at its place.
    pub fn decapsulate_batch(self, dks: &[u8], cts: &[u8], sss: &mut [u8]) -> Result<(), Error> {
        let n = self.count(DKS, self.decapsulation_key_size(), dks.len())?;
        self.check_batch(CTS, n, self.ciphertext_size(), cts.len())?;
        self.check_batch(SSS, n, self.shared_key_size(), sss.len())?;
        // SAFETY: the arrays have n objects of the set's sizes.
        check(unsafe { sys::latkem_decaps_batch(self.pointer(), n, sss.as_mut_ptr(), cts.as_ptr(), dks.as_ptr()) })
    }
}
