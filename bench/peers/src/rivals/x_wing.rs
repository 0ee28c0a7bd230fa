//! x-wing of RustCrypto, on its ml-kem and on x25519-dalek. dk is the seed, which the crate expands when it reads it and
//! again when it decapsulates. SPDX-License-Identifier: Apache-2.0
use x_wing::{Decapsulate, DecapsulationKey, Encapsulate, EncapsulationKey, Kem, KeyExport, XWingKem};

use super::pinned_version;
use crate::kem::{Refused, Rival, Set, Tier, Wire};

struct XWing;

pub fn rivals(set: &Set) -> Vec<Rival> {
    if set.name != "X-Wing" {
        return Vec::new();
    }
    vec![Rival {
        library: "x-wing",
        version: pinned_version("x-wing"),
        backend: "Rust".to_owned(),
        rng: "getrandom per request",
        tier: Tier::Wire,
        wire: Box::new(XWing),
    }]
}

impl Wire for XWing {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let (private, public) = XWingKem::generate_keypair();
        ek.copy_from_slice(&public.to_bytes());
        dk.copy_from_slice(private.as_bytes());
        Ok(())
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        let (ciphertext, secret) = EncapsulationKey::try_from(ek).map_err(|_| Refused)?.encapsulate();
        ct.copy_from_slice(&ciphertext);
        ss.copy_from_slice(&secret);
        Ok(())
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        let seed: [u8; 32] = dk.try_into().map_err(|_| Refused)?;
        ss.copy_from_slice(&DecapsulationKey::from(seed).decapsulate_slice(ct).map_err(|_| Refused)?);
        Ok(())
    }
}
