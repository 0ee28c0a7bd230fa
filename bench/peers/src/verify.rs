//! What is found out about the libraries before they are timed: that they agree with latkem, which keys they refuse.
//! SPDX-License-Identifier: Apache-2.0
use anyhow::{Result, anyhow, ensure};

use crate::kem::{Refused, SS_BYTES, Set, Wire};

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

/// The checks that a library really makes, told by showing it bad keys.
pub fn checks(set: &Set, wire: &dyn Wire) -> Result<&'static str> {
    let refused = |_| anyhow!("a good key was refused");
    let (mut ek, mut dk) = keygen(set, wire).map_err(refused)?;
    let (ct, _) = encaps(set, wire, &ek).map_err(refused)?;
    // The first coefficient becomes 4095, which is no residue modulo 3329.
    ek[0] = 0xff;
    ek[1] |= 0x0f;
    // H(ek) stands before z, the last 32 bytes.
    dk[set.dk_bytes - 64] ^= 1;
    Ok(match (encaps(set, wire, &ek).is_err(), decaps(wire, &ct, &dk).is_err()) {
        (true, true) => "ek modulus, dk hash",
        (true, false) => "ek modulus",
        (false, true) => "dk hash",
        (false, false) => "none",
    })
}
