//! What is found out about the libraries before they are timed: that they agree with latkem, which keys they refuse.
//! SPDX-License-Identifier: Apache-2.0
use anyhow::{Result, anyhow, ensure};

use crate::kem::{Refused, SS_BYTES, Set, Wire};
use crate::sets::ML_KEM;

type Secret = [u8; SS_BYTES];

fn keygen(set: &Set, wire: &dyn Wire) -> Result<(Vec<u8>, Vec<u8>), Refused> {
    let (mut ek, mut dk) = (vec![0; set.ek_bytes], vec![0; set.dk_bytes]);
    wire.keygen(&mut ek, &mut dk)?;
    Ok((ek, dk))
}

fn encaps(set: &Set, wire: &dyn Wire, ek: &[u8]) -> Result<(Vec<u8>, Secret), Refused> {
    let (mut ct, mut ss) = (vec![0; set.ct_bytes], [0; SS_BYTES]);
    wire.encaps(&mut ct, &mut ss, ek)?;
    Ok((ct, ss))
}

fn decaps(wire: &dyn Wire, ct: &[u8], dk: &[u8]) -> Result<Secret, Refused> {
    let mut ss = [0; SS_BYTES];
    wire.decaps(&mut ss, ct, dk)?;
    Ok(ss)
}

/// Takes each library's keys in turn: what one encapsulates, both decapsulate to the same secret, and an altered
/// ciphertext gives both the same other secret.
pub fn interoperate(set: &Set, ours: &dyn Wire, theirs: &dyn Wire) -> Result<()> {
    for (receiver, sender) in [(ours, theirs), (theirs, ours)] {
        let refused = |_| anyhow!("a good key or ciphertext was refused");
        let (ek, dk) = keygen(set, receiver).map_err(refused)?;
        let (mut ct, sent) = encaps(set, sender, &ek).map_err(refused)?;
        let both = |ct: &[u8]| -> Result<(Secret, Secret)> {
            Ok((decaps(receiver, ct, &dk).map_err(refused)?, decaps(sender, ct, &dk).map_err(refused)?))
        };
        ensure!(both(&ct)? == (sent, sent), "the shared secrets differ");
        ct[set.ct_bytes / 2] ^= 1;
        let (received, again) = both(&ct)?;
        ensure!(received == again && received != sent, "implicit rejection differs");
    }
    Ok(())
}

/// The checks that a library really makes, told by showing it altered keys. All but ML-KEM define none.
pub fn checks(set: &Set, wire: &dyn Wire) -> Result<String> {
    let refused = |_| anyhow!("a good key was refused");
    let (ek, dk) = keygen(set, wire).map_err(refused)?;
    let (ct, _) = encaps(set, wire, &ek).map_err(refused)?;
    let probes = [
        ("ek modulus", encaps(set, wire, &above_modulus(ek)).is_err()),
        ("dk hash", decaps(wire, &ct, &with_other_hash(&dk)).is_err()),
        ("dk pair", decaps(wire, &ct, &with_other_secret(&dk)).is_err()),
    ];
    let made: Vec<_> = probes.iter().filter(|(_, refused)| *refused).map(|(name, _)| *name).collect();
    Ok(match (set.family == ML_KEM, made.is_empty()) {
        (true, false) => made.join(", "),
        (true, true) => "none".to_owned(),
        (false, true) => "none defined".to_owned(),
        (false, false) => format!("not defined: {}", made.join(", ")),
    })
}

/// The first coefficient of ML-KEM's ek becomes 4095, which is no residue modulo 3329.
fn above_modulus(mut ek: Vec<u8>) -> Vec<u8> {
    ek[0] = 0xff;
    ek[1] |= 0x0f;
    ek
}

/// H(ek) stands before z, the last 32 bytes of ML-KEM's dk.
fn with_other_hash(dk: &[u8]) -> Vec<u8> {
    let mut dk = dk.to_vec();
    let at = dk.len() - 2 * SS_BYTES;
    dk[at] ^= 1;
    dk
}

/// The first coefficient of the secret vector, 12 bits, becomes another residue: dk no longer belongs to its ek.
fn with_other_secret(dk: &[u8]) -> Vec<u8> {
    let mut dk = dk.to_vec();
    match dk[0] {
        0 => dk[1] ^= 1,
        _ => dk[0] = 0,
    }
    dk
}
