//! The traits of `kem`, with generators that count, fail and panic, and beside the crate `ml-kem`.
//! SPDX-License-Identifier: Apache-2.0
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

use latkem::kem::common::rand_core::{TryCryptoRng, TryRng};
use latkem::{
    Decapsulate, Encapsulate, Error, FromSeed, Generate, Kem, KeyExport, KeyInit, MlKem512, MlKem768, MlKem1024,
    ParameterSet, TryKeyInit, ml_kem,
};

/// It notes what it is asked for.
#[derive(Default)]
struct Noting {
    requests: Vec<usize>,
}

impl TryRng for Noting {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("asked for a number")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("asked for a number")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.requests.push(out.len());
        out.iter_mut().zip(1..).for_each(|(byte, value)| *byte = value);
        Ok(())
    }
}

impl TryCryptoRng for Noting {}

/// It fails, or panics.
struct Broken {
    panics: bool,
}

impl TryRng for Broken {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        Err(Error::Random)
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        Err(Error::Random)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Error> {
        assert!(!self.panics, "this generator panics");
        out.fill(1);
        Err(Error::Random)
    }
}

impl TryCryptoRng for Broken {}

/// An infallible view of a generator, for the traits that want one.
struct Panicking;

impl TryRng for Panicking {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("this generator panics")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("this generator panics")
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        panic!("this generator panics")
    }
}

impl TryCryptoRng for Panicking {}

/// Code as a user of the traits writes it, for whichever crate.
fn generic<K>() -> usize
where
    K: Kem<DecapsulationKey: Decapsulate + KeyInit + KeyExport>,
{
    let (dk, ek) = K::generate_keypair();
    let (again, same_ek) = K::from_seed(&dk.to_bytes());
    assert_eq!(same_ek, ek);
    let read = K::EncapsulationKey::new(&ek.to_bytes()).unwrap();
    let (ct, sent) = read.encapsulate();
    assert_eq!(dk.decapsulate(&ct), sent);
    assert_eq!(again.decapsulate_slice(&ct).unwrap(), sent);
    assert!(again.decapsulate_slice(&ct[1..]).is_err());
    ct.len()
}

#[test]
fn code_for_ml_kem_runs_here() {
    assert_eq!(generic::<MlKem512>(), generic::<::ml_kem::MlKem512>());
    assert_eq!(generic::<MlKem768>(), generic::<::ml_kem::MlKem768>());
    assert_eq!(generic::<MlKem1024>(), generic::<::ml_kem::MlKem1024>());
}

/// The same seeds and randomness give the same bytes; each decapsulates what the other has encapsulated.
fn beside<P, Q>()
where
    P: ml_kem::MlKem,
    Q: Kem<SharedKeySize = P::SharedKeySize, CiphertextSize = P::CiphertextSize>,
    Q::DecapsulationKey: Decapsulate + KeyInit<KeySize = latkem::array::sizes::U64>,
    Q::EncapsulationKey: TryKeyInit<KeySize = P::EncapsulationKeySize>,
{
    for byte in 0..20 {
        let seed = [byte; 64].into();
        let (ours, theirs) = (ml_kem::DecapsulationKey::<P>::new(&seed), Q::DecapsulationKey::new(&seed));
        let (our_ek, their_ek) = (ours.encapsulation_key(), Q::from_seed(&seed).1);
        assert_eq!(our_ek.to_bytes(), their_ek.to_bytes());
        let (ct, ss) = our_ek.encapsulate();
        assert_eq!(theirs.decapsulate(&ct), ss);
        let (mut ct, ss) = their_ek.encapsulate();
        assert_eq!(ours.decapsulate(&ct), ss);
        ct[7] ^= 4;
        assert_eq!(ours.decapsulate(&ct), theirs.decapsulate(&ct), "implicit rejection");
        let same = (
            our_ek.encapsulate_with_rng(&mut Noting::default()),
            their_ek.encapsulate_with_rng(&mut Noting::default()),
        );
        assert_eq!(same.0, same.1);
    }
}

#[test]
fn results_are_those_of_ml_kem() {
    beside::<MlKem512, ::ml_kem::MlKem512>();
    beside::<MlKem768, ::ml_kem::MlKem768>();
    beside::<MlKem1024, ::ml_kem::MlKem1024>();
}

#[test]
fn a_generator_is_asked_once() {
    let mut rng = Noting::default();
    let (dk, ek) = MlKem768::generate_keypair_from_rng(&mut rng);
    assert_eq!(rng.requests, [64]);
    let expected: Vec<u8> = (1..=64).collect();
    assert_eq!(dk.to_seed().unwrap()[..], expected);
    let mut rng = Noting::default();
    let (ct, ss) = ek.encapsulate_with_rng(&mut rng);
    assert_eq!(rng.requests, [32]);
    let m: Vec<u8> = (1..=32).collect();
    assert_eq!(ek.encapsulate_deterministic(&m.as_slice().try_into().unwrap()), (ct, ss));
}

#[test]
fn a_generator_may_fail_and_panic() {
    type Dk = latkem::ml_kem_768::DecapsulationKey;
    assert_eq!(Dk::try_generate_from_rng(&mut Broken { panics: false }).err(), Some(Error::Random));
    assert!(catch_unwind(|| Dk::try_generate_from_rng(&mut Broken { panics: true })).is_err());
    let (dk, ek) = MlKem768::generate_keypair();
    assert!(catch_unwind(AssertUnwindSafe(|| ek.encapsulate_with_rng(&mut Panicking))).is_err());
    let (ct, ss) = ek.encapsulate();
    assert_eq!(dk.decapsulate(&ct), ss, "the key works as before");
}

#[test]
fn keys_cross_between_the_two_interfaces() {
    let set = ParameterSet::find("ML-KEM-768").unwrap();
    let typed = ml_kem::DecapsulationKey::<MlKem768>::try_from(set.generate().unwrap()).unwrap();
    let (ct, ss) = typed.encapsulation_key().encapsulate();
    assert_eq!(**typed.as_ref().decapsulate(&ct).unwrap(), ss[..]);
    let other = ParameterSet::find("Kyber768").unwrap().generate().unwrap();
    let ek = other.encapsulation_key().unwrap();
    assert_eq!(ml_kem::EncapsulationKey::<MlKem768>::try_from(ek).err(), Some(Error::Argument));
    assert_eq!(ml_kem::DecapsulationKey::<MlKem768>::try_from(other).err(), Some(Error::Argument));
    let expanded = set.decapsulation_key(typed.as_ref().as_bytes()).unwrap();
    let expanded = ml_kem::DecapsulationKey::<MlKem768>::try_from(expanded).unwrap();
    assert_eq!(expanded.to_seed(), None);
    assert!(catch_unwind(AssertUnwindSafe(|| expanded.to_bytes())).is_err());
}

#[test]
fn invalid_public_keys_are_refused() {
    let bytes = latkem::Key::<latkem::ml_kem_512::EncapsulationKey>::from_fn(|_| 0xff);
    assert!(latkem::ml_kem_512::EncapsulationKey::new(&bytes).is_err());
    assert!(latkem::ml_kem_512::EncapsulationKey::new_from_slice(&bytes[1..]).is_err());
}
