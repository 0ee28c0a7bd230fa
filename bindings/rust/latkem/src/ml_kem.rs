//! ML-KEM as types, a set each, with the traits of [`kem`].
//!
//! ```
//! use latkem::{Decapsulate, Encapsulate, Kem, MlKem768};
//!
//! # #[cfg(feature = "getrandom")]
//! # {
//! let (dk, ek) = MlKem768::generate_keypair();
//! let (ciphertext, sent) = ek.encapsulate();
//! assert_eq!(dk.decapsulate(&ciphertext), sent);
//! # }
//! ```
use core::ffi::CStr;
use core::fmt;
use core::marker::PhantomData;

use hybrid_array::sizes::{U32, U64, U768, U800, U1088, U1184, U1568};
use hybrid_array::{Array, ArraySize};
use kem::common::rand_core::{CryptoRng, TryCryptoRng};
use kem::{
    Ciphertext, Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, Key, KeyExport, KeyInit,
    KeySizeUser, TryKeyInit,
};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::memory::Secret;
use crate::{Error, ParameterSet};

/// A seed d ‖ z, which is a private key.
pub type Seed = Array<u8, U64>;
/// A shared key.
pub type SharedKey = Array<u8, U32>;
/// The randomness of an encapsulation.
pub type B32 = Array<u8, U32>;

mod sealed {
    pub trait Sealed {}
}

/// One of the three sets of ML-KEM.
pub trait MlKem:
    Kem<DecapsulationKey = DecapsulationKey<Self>, EncapsulationKey = EncapsulationKey<Self>, SharedKeySize = U32>
    + sealed::Sealed
{
    /// The bytes of an encapsulation key.
    type EncapsulationKeySize: ArraySize;
    /// The name of the set.
    const NAME: &CStr;

    /// The set as a value.
    fn parameter_set() -> ParameterSet {
        ParameterSet::known(Self::NAME)
    }
}

/// Keys were checked when they were made, and buffers have their sizes: what is left is a fault in the hardware.
fn always<T>(result: Result<T, Error>) -> T {
    result.unwrap_or_else(|error| panic!("latkem: {error}"))
}

/// A private key of one set; [`crate::DecapsulationKey`] has more of it to offer, through [`AsRef`].
pub struct DecapsulationKey<P: MlKem> {
    key: crate::DecapsulationKey,
    ek: EncapsulationKey<P>,
}

impl<P: MlKem> ZeroizeOnDrop for DecapsulationKey<P> {}

impl<P: MlKem> DecapsulationKey<P> {
    fn of(key: crate::DecapsulationKey) -> Result<Self, Error> {
        let ek = EncapsulationKey { key: key.encapsulation_key()?, set: PhantomData };
        Ok(Self { key, ek })
    }

    fn of_seed(seed: Secret) -> Self {
        always(crate::DecapsulationKey::of_seed(P::parameter_set(), seed).and_then(Self::of))
    }

    /// The key of a seed.
    #[must_use]
    pub fn from_seed(mut seed: Seed) -> Self {
        let key = Self::new(&seed);
        seed.as_mut_slice().zeroize();
        key
    }

    /// The seed, unless the key was made from its expanded form.
    #[must_use]
    pub fn to_seed(&self) -> Option<Seed> {
        self.key.seed().map(|seed| Seed::from(*seed))
    }

    /// The key with which others encapsulate to this one.
    #[must_use]
    pub fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.ek
    }
}

impl<P: MlKem> AsRef<crate::DecapsulationKey> for DecapsulationKey<P> {
    fn as_ref(&self) -> &crate::DecapsulationKey {
        &self.key
    }
}

/// The error is [`Error::Argument`] for a key of another set.
impl<P: MlKem> TryFrom<crate::DecapsulationKey> for DecapsulationKey<P> {
    type Error = Error;

    fn try_from(key: crate::DecapsulationKey) -> Result<Self, Error> {
        if key.parameter_set() == P::parameter_set() { Self::of(key) } else { Err(Error::Argument) }
    }
}

impl<P: MlKem> From<Seed> for DecapsulationKey<P> {
    fn from(seed: Seed) -> Self {
        Self::from_seed(seed)
    }
}

impl<P: MlKem> fmt::Debug for DecapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl<P: MlKem> KeySizeUser for DecapsulationKey<P> {
    type KeySize = U64;
}

impl<P: MlKem> KeyInit for DecapsulationKey<P> {
    fn new(seed: &Seed) -> Self {
        Self::of_seed(Secret::copy_of(seed))
    }
}

/// # Panics
/// If the key was made from its expanded form, which has no seed.
impl<P: MlKem> KeyExport for DecapsulationKey<P> {
    fn to_bytes(&self) -> Seed {
        self.to_seed().expect("a key that was made from its seed")
    }
}

/// The generator is asked once, for 64 bytes: d ‖ z.
impl<P: MlKem> Generate for DecapsulationKey<P> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Secret::zeroed(size_of::<Seed>());
        rng.try_fill_bytes(&mut seed)?;
        Ok(Self::of_seed(seed))
    }
}

impl<P: MlKem> Decapsulator for DecapsulationKey<P> {
    type Kem = P;

    fn encapsulation_key(&self) -> &EncapsulationKey<P> {
        &self.ek
    }
}

impl<P: MlKem> Decapsulate for DecapsulationKey<P> {
    fn decapsulate(&self, ct: &Ciphertext<P>) -> SharedKey {
        let mut ss = SharedKey::default();
        always(self.key.decapsulate_into(ct, &mut ss));
        ss
    }
}

/// A public key of one set; [`crate::EncapsulationKey`] has more of it to offer, through [`AsRef`].
pub struct EncapsulationKey<P: MlKem> {
    key: crate::EncapsulationKey,
    set: PhantomData<P>,
}

impl<P: MlKem> EncapsulationKey<P> {
    /// The key of its bytes, once it is checked.
    pub fn new(ek: &Key<Self>) -> Result<Self, InvalidKey> {
        P::parameter_set().encapsulation_key(ek).map(|key| Self { key, set: PhantomData }).map_err(|_| InvalidKey)
    }

    /// Encapsulates with given randomness, for known answers. It must be secret, uniform and never used twice.
    #[must_use]
    pub fn encapsulate_deterministic(&self, m: &B32) -> (Ciphertext<P>, SharedKey) {
        let (mut ct, mut ss) = (Ciphertext::<P>::default(), SharedKey::default());
        always(self.key.encapsulate_with(m, &mut ct, &mut ss));
        (ct, ss)
    }
}

impl<P: MlKem> AsRef<crate::EncapsulationKey> for EncapsulationKey<P> {
    fn as_ref(&self) -> &crate::EncapsulationKey {
        &self.key
    }
}

/// The error is [`Error::Argument`] for a key of another set.
impl<P: MlKem> TryFrom<crate::EncapsulationKey> for EncapsulationKey<P> {
    type Error = Error;

    fn try_from(key: crate::EncapsulationKey) -> Result<Self, Error> {
        if key.parameter_set() != P::parameter_set() {
            return Err(Error::Argument);
        }
        Ok(Self { key, set: PhantomData })
    }
}

impl<P: MlKem> Clone for EncapsulationKey<P> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), set: PhantomData }
    }
}

impl<P: MlKem> PartialEq for EncapsulationKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<P: MlKem> Eq for EncapsulationKey<P> {}

impl<P: MlKem> fmt::Debug for EncapsulationKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl<P: MlKem> KeySizeUser for EncapsulationKey<P> {
    type KeySize = P::EncapsulationKeySize;
}

impl<P: MlKem> TryKeyInit for EncapsulationKey<P> {
    fn new(ek: &Key<Self>) -> Result<Self, InvalidKey> {
        Self::new(ek)
    }
}

impl<P: MlKem> KeyExport for EncapsulationKey<P> {
    fn to_bytes(&self) -> Key<Self> {
        let mut bytes = Key::<Self>::default();
        bytes.copy_from_slice(self.key.as_bytes());
        bytes
    }
}

/// The generator is asked once, for 32 bytes: m.
impl<P: MlKem> Encapsulate for EncapsulationKey<P> {
    type Kem = P;

    fn encapsulate_with_rng<R: CryptoRng + ?Sized>(&self, rng: &mut R) -> (Ciphertext<P>, SharedKey) {
        let mut m = Zeroizing::new([0; size_of::<B32>()]);
        rng.fill_bytes(&mut *m);
        self.encapsulate_deterministic((&*m).into())
    }
}

/// A set, and the module with its types.
macro_rules! set {
    ($set:ident, $module:ident, $name:literal, $c_name:literal, $ek:ident, $ct:ident) => {
        #[doc = concat!($name, " of FIPS 203.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $set;

        impl sealed::Sealed for $set {}

        impl MlKem for $set {
            type EncapsulationKeySize = $ek;
            const NAME: &CStr = $c_name;
        }

        impl Kem for $set {
            type DecapsulationKey = DecapsulationKey<Self>;
            type EncapsulationKey = EncapsulationKey<Self>;
            type SharedKeySize = U32;
            type CiphertextSize = $ct;
        }

        #[doc = concat!("The types of ", $name, ".")]
        pub mod $module {
            pub use super::{SharedKey, $set};

            /// A private key.
            pub type DecapsulationKey = super::DecapsulationKey<$set>;
            /// A public key.
            pub type EncapsulationKey = super::EncapsulationKey<$set>;
            /// A ciphertext.
            pub type Ciphertext = kem::Ciphertext<$set>;
        }
    };
}

set!(MlKem512, ml_kem_512, "ML-KEM-512", c"ML-KEM-512", U800, U768);
set!(MlKem768, ml_kem_768, "ML-KEM-768", c"ML-KEM-768", U1184, U1088);
set!(MlKem1024, ml_kem_1024, "ML-KEM-1024", c"ML-KEM-1024", U1568, U1568);
