//! The hybrids of TLS out of aws-lc-rs: its ML-KEM and its key agreement side by side, composed as rustls does it.
//! SPDX-License-Identifier: Apache-2.0
use aws_lc_rs::agreement::{self, Algorithm, ECDH_P256, ECDH_P384, PrivateKey, UnparsedPublicKey, X25519};
use aws_lc_rs::kem::{AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, ML_KEM_768, ML_KEM_1024};

use super::handshake::KeyExchange;
use crate::kem::Refused;
use crate::sets::{self, MlKemIn};

type MlKem = aws_lc_rs::kem::Algorithm<AlgorithmId>;

pub struct Hybrid {
    ml_kem: &'static MlKem,
    curve: &'static Algorithm,
    share_bytes: usize,
    curve_first: bool,
}

impl Hybrid {
    pub fn of(set: &str) -> Option<Self> {
        let (ml_kem, curve) = match set {
            "X25519MLKEM768" => (&ML_KEM_768, &X25519),
            "SecP256r1MLKEM768" => (&ML_KEM_768, &ECDH_P256),
            "SecP384r1MLKEM1024" => (&ML_KEM_1024, &ECDH_P384),
            _ => return None,
        };
        let MlKemIn { ek, .. } = sets::ml_kem_in(set)?;
        let share_bytes = if ek.start > 0 { ek.start } else { 32 };
        Some(Self { ml_kem, curve, share_bytes, curve_first: ek.start > 0 })
    }

    /// ML-KEM's part of an object and the curve's, which has so many bytes.
    fn split<'a>(&self, object: &'a [u8], curve: usize) -> Result<(&'a [u8], &'a [u8]), Refused> {
        let at = if self.curve_first { Some(curve) } else { object.len().checked_sub(curve) };
        let (first, second) = at.and_then(|at| object.split_at_checked(at)).ok_or(Refused)?;
        Ok(if self.curve_first { (second, first) } else { (first, second) })
    }

    fn join(&self, object: &mut [u8], ml_kem: &[u8], curve: &[u8]) -> Result<(), Refused> {
        let (first, second) = if self.curve_first { (curve, ml_kem) } else { (ml_kem, curve) };
        if object.len() != first.len() + second.len() {
            return Err(Refused);
        }
        let (one, two) = object.split_at_mut(first.len());
        one.copy_from_slice(first);
        two.copy_from_slice(second);
        Ok(())
    }

    /// Joins ML-KEM's secret and the curve's.
    fn agree(&self, ss: &mut [u8], ml_kem: &[u8], own: &PrivateKey, peer: &[u8]) -> Result<(), Refused> {
        let peer = UnparsedPublicKey::new(self.curve, peer);
        agreement::agree(own, peer, Refused, |secret| self.join(ss, ml_kem, secret))
    }
}

impl KeyExchange for Hybrid {
    type Key = (DecapsulationKey<AlgorithmId>, PrivateKey);

    fn start(&self, share: &mut [u8]) -> Result<Self::Key, Refused> {
        let own = PrivateKey::generate(self.curve).map_err(|_| Refused)?;
        let point = own.compute_public_key().map_err(|_| Refused)?;
        let key = DecapsulationKey::generate(self.ml_kem).map_err(|_| Refused)?;
        let public = key.encapsulation_key().and_then(|public| public.key_bytes()).map_err(|_| Refused)?;
        self.join(share, public.as_ref(), point.as_ref())?;
        Ok((key, own))
    }

    fn reply(&self, ct: &mut [u8], ss: &mut [u8], share: &[u8]) -> Result<(), Refused> {
        let (ml_kem, curve) = self.split(share, self.share_bytes)?;
        let own = PrivateKey::generate(self.curve).map_err(|_| Refused)?;
        let point = own.compute_public_key().map_err(|_| Refused)?;
        let key = EncapsulationKey::new(self.ml_kem, ml_kem).map_err(|_| Refused)?;
        let (ciphertext, secret) = key.encapsulate().map_err(|_| Refused)?;
        self.join(ct, ciphertext.as_ref(), point.as_ref())?;
        self.agree(ss, secret.as_ref(), &own, curve)
    }

    fn finish(&self, ss: &mut [u8], ct: &[u8], (key, own): &Self::Key) -> Result<(), Refused> {
        let (ml_kem, curve) = self.split(ct, self.share_bytes)?;
        let secret = key.decapsulate(Ciphertext::from(ml_kem)).map_err(|_| Refused)?;
        self.agree(ss, secret.as_ref(), own, curve)
    }
}
