//! Parameter sets, and their operations on bytes.
use core::ffi::{CStr, c_char};
use core::fmt;
use core::ptr::NonNull;

use latkem_sys as sys;

use crate::Error;
use crate::error::{check, check_length};
use crate::keys::{DecapsulationKey, EncapsulationKey};
use crate::memory::Secret;

/// A parameter set: one of the sixteen of ML-KEM, Kyber, Kyber-90s, Saber and NTRU.
///
/// ```
/// let set = latkem::ParameterSet::find("ML-KEM-768").unwrap();
/// assert_eq!((set.level(), set.ciphertext_size()), (3, 1088));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterSet(NonNull<sys::latkem_kem>);

// SAFETY: what it points to is static and never changes.
unsafe impl Send for ParameterSet {}
// SAFETY: the same.
unsafe impl Sync for ParameterSet {}

/// A string of the library.
pub(crate) fn text(string: *const c_char) -> &'static str {
    // SAFETY: the library returns static strings.
    unsafe { CStr::from_ptr(string) }.to_str().expect("the library's strings are ASCII")
}

pub(crate) const EK: &str = "an encapsulation key";
pub(crate) const DK: &str = "a decapsulation key";
pub(crate) const CT: &str = "a ciphertext";
pub(crate) const SS: &str = "a shared key";
const SEED: &str = "a seed";
const COINS: &str = "the randomness of an encapsulation";

/// The functions of the library that say one number of a set.
macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(self) -> usize {
                // SAFETY: a set of the library.
                unsafe { sys::$function(self.pointer()) }
            }
        )*
    };
}

impl ParameterSet {
    /// The set of that exact name, if there is one.
    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|set| set.name() == name)
    }

    /// The set of a name that the library knows.
    pub(crate) fn known(name: &CStr) -> Self {
        // SAFETY: a terminated string.
        Self::of(unsafe { sys::latkem_kem_find(name.as_ptr()) }).expect("every build of the library has ML-KEM")
    }

    /// Every set of the library.
    pub fn all() -> impl Iterator<Item = Self> {
        // SAFETY: any index may be asked for; NULL ends the list.
        (0..).map_while(|index| Self::of(unsafe { sys::latkem_kem_at(index) }))
    }

    pub(crate) fn of(pointer: *const sys::latkem_kem) -> Option<Self> {
        NonNull::new(pointer.cast_mut()).map(Self)
    }

    pub(crate) fn pointer(self) -> *const sys::latkem_kem {
        self.0.as_ptr()
    }

    /// The name, as in "ML-KEM-768".
    pub fn name(self) -> &'static str {
        // SAFETY: a set of the library.
        text(unsafe { sys::latkem_kem_name(self.pointer()) })
    }

    /// The family: "ML-KEM", "Kyber", "Kyber-90s", "Saber" or "NTRU". Others may join.
    pub fn family(self) -> &'static str {
        // SAFETY: a set of the library.
        text(unsafe { sys::latkem_kem_family(self.pointer()) })
    }

    /// The security category of NIST: 1, 3 or 5.
    pub fn level(self) -> u8 {
        // SAFETY: a set of the library.
        unsafe { sys::latkem_kem_level(self.pointer()) as u8 }
    }

    /// Whether a published standard has it (FIPS 203). The others are for research.
    pub fn is_standard(self) -> bool {
        // SAFETY: a set of the library.
        unsafe { sys::latkem_kem_is_standard(self.pointer()) != 0 }
    }

    sizes! {
        /// The bytes of an encapsulation key.
        encapsulation_key_size = latkem_ek_bytes;
        /// The bytes of an expanded decapsulation key.
        decapsulation_key_size = latkem_dk_bytes;
        /// The bytes of a ciphertext.
        ciphertext_size = latkem_ct_bytes;
        /// The bytes of a shared key.
        shared_key_size = latkem_ss_bytes;
        /// The bytes of randomness from which a key pair is made.
        seed_size = latkem_seed_bytes;
        /// The bytes of randomness that an encapsulation takes.
        coins_size = latkem_coins_bytes;
    }

    /// Only ML-KEM defines the seed to be a private key.
    pub(crate) fn keeps_seeds(self) -> bool {
        self.is_standard()
    }

    pub(crate) fn check_ek(self, ek: &[u8]) -> Result<(), Error> {
        check_length(self, EK, self.encapsulation_key_size(), ek.len())
    }

    pub(crate) fn check_dk(self, dk: &[u8]) -> Result<(), Error> {
        check_length(self, DK, self.decapsulation_key_size(), dk.len())
    }

    pub(crate) fn check_outputs(self, ct: &[u8], ss: &[u8]) -> Result<(), Error> {
        check_length(self, CT, self.ciphertext_size(), ct.len())?;
        check_length(self, SS, self.shared_key_size(), ss.len())
    }

    /// A new key, from the operating system's generator.
    pub fn generate(self) -> Result<DecapsulationKey, Error> {
        if !self.keeps_seeds() {
            // SAFETY: the buffers have the set's sizes.
            return DecapsulationKey::make(self, |ek, dk| unsafe { sys::latkem_keypair(self.pointer(), ek, dk) });
        }
        let mut seed = Secret::zeroed(self.seed_size());
        // SAFETY: the pointer and length of a buffer. The context is not used.
        check(unsafe { sys::latkem_system_rng(core::ptr::null_mut(), seed.as_mut_ptr(), seed.len()) })?;
        DecapsulationKey::of_seed(self, seed)
    }

    /// The key of a seed. Of ML-KEM it is d ‖ z, 64 bytes, and a private key as FIPS 203 defines it.
    pub fn from_seed(self, seed: &[u8]) -> Result<DecapsulationKey, Error> {
        check_length(self, SEED, self.seed_size(), seed.len())?;
        DecapsulationKey::of_seed(self, Secret::copy_of(seed))
    }

    /// A decapsulation key of its expanded form, once it is checked.
    pub fn decapsulation_key(self, dk: &[u8]) -> Result<DecapsulationKey, Error> {
        self.check_dk(dk)?;
        // SAFETY: the pointer and length of a buffer.
        check(unsafe { sys::latkem_check_dk(self.pointer(), dk.as_ptr(), dk.len()) })?;
        Ok(DecapsulationKey::of_expanded(self, Secret::copy_of(dk)))
    }

    /// An encapsulation key of its bytes, once it is checked.
    pub fn encapsulation_key(self, ek: &[u8]) -> Result<EncapsulationKey, Error> {
        self.check_ek(ek)?;
        // SAFETY: the pointer and length of a buffer.
        check(unsafe { sys::latkem_check_ek(self.pointer(), ek.as_ptr(), ek.len()) })?;
        Ok(EncapsulationKey::of_checked(self, ek.into()))
    }

    /// Makes a shared key and its ciphertext for the owner of `ek`. One encapsulation to a key is faster this way, several
    /// are faster with an [`EncapsulationKey`].
    pub fn encapsulate(self, ek: &[u8], ct: &mut [u8], ss: &mut [u8]) -> Result<(), Error> {
        self.check_ek(ek)?;
        self.check_outputs(ct, ss)?;
        let (ct, ss) = (ct.as_mut_ptr(), ss.as_mut_ptr());
        // SAFETY: every buffer has the set's size.
        check(unsafe { sys::latkem_encaps(self.pointer(), ct, ss, ek.as_ptr(), ek.len()) })
    }

    /// The same with given randomness, for known answers. It must be secret, uniform and never used twice.
    pub fn encapsulate_derand(self, ek: &[u8], coins: &[u8], ct: &mut [u8], ss: &mut [u8]) -> Result<(), Error> {
        self.check_ek(ek)?;
        check_length(self, COINS, self.coins_size(), coins.len())?;
        self.check_outputs(ct, ss)?;
        let (ct, ss, ek, ek_len) = (ct.as_mut_ptr(), ss.as_mut_ptr(), ek.as_ptr(), ek.len());
        let (coins, coins_len) = (coins.as_ptr(), coins.len());
        // SAFETY: every buffer has the set's size.
        check(unsafe { sys::latkem_encaps_derand(self.pointer(), ct, ss, ek, ek_len, coins, coins_len) })
    }

    /// Recovers the shared key of a ciphertext with an expanded decapsulation key.
    pub fn decapsulate(self, dk: &[u8], ct: &[u8], ss: &mut [u8]) -> Result<(), Error> {
        self.check_dk(dk)?;
        self.check_outputs(ct, ss)?;
        let (ss, ct, ct_len) = (ss.as_mut_ptr(), ct.as_ptr(), ct.len());
        // SAFETY: every buffer has the set's size.
        check(unsafe { sys::latkem_decaps(self.pointer(), ss, ct, ct_len, dk.as_ptr(), dk.len()) })
    }
}

impl fmt::Debug for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for ParameterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
