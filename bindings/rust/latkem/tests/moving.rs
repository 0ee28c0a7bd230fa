//! The calls of docs/moving.md that are of this crate. SPDX-License-Identifier: Apache-2.0
use latkem::ParameterSet;

#[test]
fn sets() -> Result<(), latkem::Error> {
    let set = ParameterSet::find("ML-KEM-768").unwrap();
    let dk = set.generate()?;
    let ek = dk.encapsulation_key()?;
    let (ct, ss) = ek.encapsulate()?;
    let sent = ss;
    let ss = dk.decapsulate(&ct)?;
    assert_eq!(ss, sent);
    let (pk, sk) = (ek.as_bytes(), dk.as_bytes());
    assert_eq!((pk.len(), sk.len()), (1184, 2400));
    let dk = set.decapsulation_key(sk)?;
    assert_eq!(dk.decapsulate(&ct)?, sent);
    Ok(())
}

#[cfg(feature = "getrandom")]
mod traits {
    use latkem::MlKem768;
    use latkem::kem::{Decapsulate, Encapsulate, Kem, KeyExport, KeyInit};

    #[test]
    fn types() {
        let (dk, ek) = MlKem768::generate_keypair();
        let (ct, ss) = ek.encapsulate();
        let sent = ss;
        let ss = dk.decapsulate(&ct);
        assert_eq!(ss, sent);
        let seed = dk.to_bytes();
        assert_eq!(latkem::ml_kem_768::DecapsulationKey::new(&seed).decapsulate(&ct), sent);
    }
}
