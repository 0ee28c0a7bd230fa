//! Checks of the libraries before they are timed: that they agree with latkem, which keys they refuse.
//! SPDX-License-Identifier: Apache-2.0
use std::ops::Range;

use anyhow::{Result, anyhow, ensure};

use crate::derand;
use crate::kem::{Refused, Set, Tier, Wire};
use crate::sets::{self, MlKemIn};

type Secret = Vec<u8>;

fn keygen(set: &Set, wire: &dyn Wire) -> Result<(Vec<u8>, Vec<u8>), Refused> {
    let (mut ek, mut dk) = (vec![0; set.ek_bytes], vec![0; set.dk_bytes]);
    wire.keygen(&mut ek, &mut dk)?;
    Ok((ek, dk))
}

fn encaps(set: &Set, wire: &dyn Wire, ek: &[u8]) -> Result<(Vec<u8>, Secret), Refused> {
    let (mut ct, mut ss) = (vec![0; set.ct_bytes], vec![0; set.ss_bytes]);
    wire.encaps(&mut ct, &mut ss, ek)?;
    Ok((ct, ss))
}

fn decaps(set: &Set, wire: &dyn Wire, ct: &[u8], dk: &[u8]) -> Result<Secret, Refused> {
    let mut ss = vec![0; set.ss_bytes];
    wire.decaps(&mut ss, ct, dk)?;
    Ok(ss)
}

/// Takes each library's keys in turn: what one encapsulates, both decapsulate to the same secret, and an altered
/// ciphertext gives both the same other secret. A rival that keeps its private keys decapsulates with its own alone.
pub fn interoperate(set: &Set, ours: &dyn Wire, theirs: &dyn Wire, tier: Tier) -> Result<()> {
    for (receiver, sender) in [(ours, theirs), (theirs, ours)] {
        let refused = |_| anyhow!("a good key or ciphertext was refused");
        let (ek, dk) = keygen(set, receiver).map_err(refused)?;
        let (mut ct, sent) = encaps(set, sender, &ek).map_err(refused)?;
        let second = if tier == Tier::Handshake { receiver } else { sender };
        let both = |ct: &[u8]| -> Result<(Secret, Secret)> {
            let decaps = |by| decaps(set, by, ct, &dk).map_err(refused);
            Ok((decaps(receiver)?, decaps(second)?))
        };
        ensure!(both(&ct)? == (sent.clone(), sent.clone()), "the shared secrets differ");
        ct[set.ct_bytes / 2] ^= 1;
        let (received, again) = both(&ct)?;
        ensure!(received == again && received != sent, "implicit rejection differs");
    }
    Ok(())
}

/// From the same randomness both make the same keys, ciphertext and secret.
pub fn same(set: &Set, ours: &dyn Wire, theirs: &dyn Wire) -> Result<()> {
    let answers = |wire| -> Result<_, Refused> {
        derand::rewind();
        let (ek, dk) = keygen(set, wire)?;
        let sent = encaps(set, wire, &ek)?;
        Ok((ek, dk, sent))
    };
    let refused = |_| anyhow!("given randomness was refused");
    ensure!(answers(ours).map_err(refused)? == answers(theirs).map_err(refused)?, "the same randomness gives another");
    Ok(())
}

/// The checks that a library really makes, found by giving it altered keys. Sets without ML-KEM define none.
pub fn checks(set: &Set, wire: &dyn Wire, tier: Tier) -> Result<String> {
    let refused = |_| anyhow!("a good key was refused");
    let (ek, dk) = keygen(set, wire).map_err(refused)?;
    let (ct, _) = encaps(set, wire, &ek).map_err(refused)?;
    let whole = MlKemIn { ek: 0..ek.len(), dk: Some(0..dk.len()) };
    let defined = sets::ml_kem_in(set.name);
    let made: Vec<_> = altered(&ek, &dk, defined.as_ref().unwrap_or(&whole), tier)
        .into_iter()
        .filter(|(_, ek, dk)| encaps(set, wire, ek).is_err() || decaps(set, wire, &ct, dk).is_err())
        .map(|(name, ..)| name)
        .collect();
    Ok(match (defined.is_some(), made.is_empty()) {
        (true, false) => made.join(", "),
        (true, true) => "none".to_owned(),
        (false, true) => "none defined".to_owned(),
        (false, false) => format!("not defined: {}", made.join(", ")),
    })
}

type Keys = (&'static str, Vec<u8>, Vec<u8>);

/// A pair of keys with a fault for each check. The number of a key that its library keeps has none.
fn altered(ek: &[u8], dk: &[u8], ml_kem: &MlKemIn, tier: Tier) -> Vec<Keys> {
    let mut pairs = vec![("ek modulus", above_modulus(ek, ml_kem.ek.start), dk.to_vec())];
    if ml_kem.ek.len() < ek.len() {
        pairs.push(("ek point", without_point(ek, &ml_kem.ek), dk.to_vec()));
    }
    if let Some(place) = ml_kem.dk.as_ref().filter(|_| tier != Tier::Handshake) {
        pairs.push(("dk hash", ek.to_vec(), with_other_hash(dk, place.end)));
        pairs.push(("dk pair", ek.to_vec(), with_other_secret(dk, place.start)));
    }
    pairs
}

/// The first coefficient of ML-KEM's ek becomes 4095, which is no residue modulo 3329.
fn above_modulus(ek: &[u8], start: usize) -> Vec<u8> {
    let mut ek = ek.to_vec();
    ek[start] = 0xff;
    ek[start + 1] |= 0x0f;
    ek
}

/// All of ek but ML-KEM's part becomes zero, an X25519 share of small order and no point of the other curves.
fn without_point(ek: &[u8], ml_kem: &Range<usize>) -> Vec<u8> {
    let kept = |at, byte| if ml_kem.contains(&at) { byte } else { 0 };
    ek.iter().enumerate().map(|(at, byte)| kept(at, *byte)).collect()
}

/// H(ek) is before z, the last 32 bytes of ML-KEM's dk.
fn with_other_hash(dk: &[u8], end: usize) -> Vec<u8> {
    let mut dk = dk.to_vec();
    dk[end - 64] ^= 1;
    dk
}

/// The first coefficient of the secret vector, 12 bits, becomes another residue: dk no longer belongs to its ek.
fn with_other_secret(dk: &[u8], start: usize) -> Vec<u8> {
    let mut dk = dk.to_vec();
    match dk[start] {
        0 => dk[start + 1] ^= 1,
        _ => dk[start] = 0,
    }
    dk
}
