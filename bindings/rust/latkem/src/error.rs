//! Errors, and the codes of the library.
use core::ffi::c_int;
use core::fmt;

use latkem_sys as sys;

use crate::ParameterSet;

/// Why an operation failed. A ciphertext of the right length is never an error: one that was not made for the key gives a
/// pseudo-random shared key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Bytes of a wrong length. Nothing was written.
    Length {
        /// The set that decides.
        set: ParameterSet,
        /// The thing of a wrong length, as in "a ciphertext".
        what: &'static str,
        /// The bytes that it has in this set.
        expected: usize,
        /// The bytes that were given.
        actual: usize,
    },
    /// The encapsulation key is not valid (FIPS 203 section 7.2).
    InvalidEncapsulationKey,
    /// The decapsulation key is not valid (FIPS 203 section 7.3).
    InvalidDecapsulationKey,
    /// The bytes are no key file of ML-KEM, or of the other kind of key.
    Format,
    /// The seed was asked of a key that was made from its expanded form.
    NoSeed,
    /// The operating system gave no randomness.
    Random,
    /// The set has no key files, or the decapsulation key does not hold its encapsulation key (expanded keys of NTRU).
    Argument,
    /// The operation did not run as written: a fault in the hardware.
    Fault,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length { set, what, expected, actual } => {
                return write!(f, "{set}: {what} has {expected} bytes, not {actual}");
            }
            Self::InvalidEncapsulationKey => "the encapsulation key is not valid",
            Self::InvalidDecapsulationKey => "the decapsulation key is not valid",
            Self::Format => "not a key file of ML-KEM and of this kind",
            Self::NoSeed => "the key was made from its expanded form, which does not hold the seed",
            Self::Random => "the operating system's random generator failed",
            Self::Argument => "the set has no key files, or the decapsulation key does not hold the encapsulation key",
            Self::Fault => "the operation did not run as written",
        })
    }
}

impl core::error::Error for Error {}

/// The result of a call with buffers of the right lengths.
pub(crate) fn check(code: c_int) -> Result<(), Error> {
    Err(match code {
        sys::LATKEM_OK => return Ok(()),
        sys::LATKEM_ERR_EK => Error::InvalidEncapsulationKey,
        sys::LATKEM_ERR_DK => Error::InvalidDecapsulationKey,
        sys::LATKEM_ERR_RNG => Error::Random,
        sys::LATKEM_ERR_FORMAT => Error::Format,
        sys::LATKEM_ERR_FAULT => Error::Fault,
        _ => Error::Argument,
    })
}

/// Whether bytes have the length that a set gives them.
pub(crate) fn check_length(set: ParameterSet, what: &'static str, expected: usize, actual: usize) -> Result<(), Error> {
    if expected == actual { Ok(()) } else { Err(Error::Length { set, what, expected, actual }) }
}
