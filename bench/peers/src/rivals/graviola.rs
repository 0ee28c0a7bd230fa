//! graviola: ML-KEM-768 and the hybrid with X25519, behind objects that its users keep. It reads no private key of ML-KEM,
//! so it has the tier of the handshake alone. SPDX-License-Identifier: Apache-2.0
use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey};
use graviola::key_agreement::x25519::{PrivateKey, PublicKey, StaticPrivateKey};
use graviola::util::is_cpu_supported;

use super::handshake::{Keeper, KeyExchange};
use super::{by_cpu, pinned_version};
use crate::kem::{Refused, Rival, Set, Tier, Wire};

const EK: usize = 1184;
const CT: usize = 1088;
const SHARE: usize = 32;

pub fn rivals(set: &Set) -> Vec<Rival> {
    let wire: Box<dyn Wire> = match set.name {
        "ML-KEM-768" => Box::new(Keeper::new(MlKem)),
        "X25519MLKEM768" => Box::new(Keeper::new(Hybrid)),
        _ => return Vec::new(),
    };
    let rival = Rival {
        library: "graviola",
        version: pinned_version("graviola"),
        backend: backend(),
        rng: "getrandom per call",
        tier: Tier::Handshake,
        wire,
    };
    if is_cpu_supported() { vec![rival] } else { Vec::new() }
}

/// Every CPU that it runs on has AVX2, or is an AArch64.
fn backend() -> String {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
    {
        return "avx512".to_owned();
    }
    by_cpu(true, "")
}

struct MlKem;

impl KeyExchange for MlKem {
    type Key = DecapKey;

    fn start(&self, share: &mut [u8]) -> Result<DecapKey, Refused> {
        let key = DecapKey::generate().map_err(|_| Refused)?;
        share.copy_from_slice(&key.encapsulation_key().as_bytes());
        Ok(key)
    }

    fn reply(&self, ct: &mut [u8], ss: &mut [u8], share: &[u8]) -> Result<(), Refused> {
        let key = EncapKey::from_bytes(share.try_into().map_err(|_| Refused)?).map_err(|_| Refused)?;
        let (secret, ciphertext) = key.encaps().map_err(|_| Refused)?;
        ct.copy_from_slice(ciphertext.as_ref());
        ss.copy_from_slice(secret.as_ref());
        Ok(())
    }

    /// `decaps` would use the key up, which a block of this program decapsulates with several times.
    fn finish(&self, ss: &mut [u8], ct: &[u8], key: &DecapKey) -> Result<(), Refused> {
        let ciphertext: [u8; CT] = ct.try_into().map_err(|_| Refused)?;
        ss.copy_from_slice(key.decaps_internal(&Ciphertext::from(ciphertext)).as_ref());
        Ok(())
    }
}

struct Hybrid;

impl KeyExchange for Hybrid {
    type Key = (DecapKey, StaticPrivateKey);

    fn start(&self, share: &mut [u8]) -> Result<Self::Key, Refused> {
        let own = StaticPrivateKey::new_random().map_err(|_| Refused)?;
        let (ml_kem, point) = share.split_at_mut(EK);
        point.copy_from_slice(&own.public_key().as_bytes());
        Ok((MlKem.start(ml_kem)?, own))
    }

    fn reply(&self, ct: &mut [u8], ss: &mut [u8], share: &[u8]) -> Result<(), Refused> {
        let (ml_kem, peer) = share.split_at(EK);
        let own = PrivateKey::new_random().map_err(|_| Refused)?;
        let (ciphertext, point) = ct.split_at_mut(CT);
        point.copy_from_slice(&own.public_key().as_bytes());
        let (first, second) = ss.split_at_mut(SHARE);
        MlKem.reply(ciphertext, first, ml_kem)?;
        let peer = PublicKey::try_from_slice(peer).map_err(|_| Refused)?;
        second.copy_from_slice(&own.diffie_hellman(&peer).map_err(|_| Refused)?.0);
        Ok(())
    }

    fn finish(&self, ss: &mut [u8], ct: &[u8], (key, own): &Self::Key) -> Result<(), Refused> {
        let (ciphertext, peer) = ct.split_at(CT);
        let (first, second) = ss.split_at_mut(SHARE);
        MlKem.finish(first, ciphertext, key)?;
        let peer = PublicKey::try_from_slice(peer).map_err(|_| Refused)?;
        second.copy_from_slice(&own.diffie_hellman(&peer).map_err(|_| Refused)?.0);
        Ok(())
    }
}
