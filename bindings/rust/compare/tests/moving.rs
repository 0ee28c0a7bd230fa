//! The calls of docs/moving.md that are of other crates, and their keys and ciphertexts in latkem.
//! SPDX-License-Identifier: Apache-2.0
use latkem::ParameterSet;
use pqcrypto_traits::kem::{Ciphertext, PublicKey, SecretKey, SharedSecret};

#[test]
fn pqcrypto() -> Result<(), pqcrypto_traits::Error> {
    use pqcrypto_mlkem::mlkem768;
    let (pk, sk) = mlkem768::keypair();
    let (ss, ct) = mlkem768::encapsulate(&pk);
    let sent = ss;
    let ss = mlkem768::decapsulate(&ct, &sk);
    assert_eq!(ss.as_bytes(), sent.as_bytes());
    let (pk, sk) = (pk.as_bytes(), sk.as_bytes());
    assert_eq!((pk.len(), sk.len()), (1184, 2400));
    let sk = mlkem768::SecretKey::from_bytes(sk)?;
    assert_eq!(mlkem768::decapsulate(&ct, &sk).as_bytes(), sent.as_bytes());
    Ok(())
}

#[test]
fn ml_kem() {
    use ml_kem::MlKem768;
    use ml_kem::kem::{Decapsulate, Encapsulate, Kem, KeyExport};
    let (dk, ek) = MlKem768::generate_keypair();
    let (ct, ss) = ek.encapsulate();
    let sent = ss;
    let ss = dk.decapsulate(&ct);
    assert_eq!(ss, sent);
    let seed = dk.to_bytes();
    let ours = ParameterSet::find("ML-KEM-768").unwrap().from_seed(&seed).unwrap();
    assert_eq!(**ours.decapsulate(&ct).unwrap(), *sent);
}

/// Keys and ciphertexts of a module of the pqcrypto crates in latkem, and of latkem there; an altered ciphertext in both.
macro_rules! works_here {
    ($($name:ident: $set:literal, $module:path;)*) => {$(
        #[test]
        fn $name() {
            use $module as there;
            let set = ParameterSet::find($set).unwrap();
            let (pk, sk) = there::keypair();
            let (ss, ct) = there::encapsulate(&pk);
            let dk = set.decapsulation_key(sk.as_bytes()).unwrap();
            assert_eq!(**dk.decapsulate(ct.as_bytes()).unwrap(), *ss.as_bytes());

            let ek = set.encapsulation_key(pk.as_bytes()).unwrap();
            let (own, ours) = ek.encapsulate().unwrap();
            let decapsulate = |ct: &[u8]| there::decapsulate(&there::Ciphertext::from_bytes(ct).unwrap(), &sk);
            assert_eq!(*decapsulate(&own).as_bytes(), **ours);

            let mut altered = ct.as_bytes().to_vec();
            altered[3] ^= 1;
            let rejected = dk.decapsulate(&altered).unwrap();
            assert_eq!(*decapsulate(&altered).as_bytes(), **rejected);
            assert_ne!(*ss.as_bytes(), **rejected);
        }
    )*};
}

works_here! {
    mlkem512: "ML-KEM-512", pqcrypto_mlkem::mlkem512;
    mlkem768: "ML-KEM-768", pqcrypto_mlkem::mlkem768;
    mlkem1024: "ML-KEM-1024", pqcrypto_mlkem::mlkem1024;
    ntruhps2048509: "NTRU-HPS-2048-509", pqcrypto_ntru::ntruhps2048509;
    ntruhps2048677: "NTRU-HPS-2048-677", pqcrypto_ntru::ntruhps2048677;
    ntruhps4096821: "NTRU-HPS-4096-821", pqcrypto_ntru::ntruhps4096821;
    ntruhrss701: "NTRU-HRSS-701", pqcrypto_ntru::ntruhrss701;
    lightsaber: "LightSaber", pqcrypto_saber::lightsaber;
    saber: "Saber", pqcrypto_saber::saber;
    firesaber: "FireSaber", pqcrypto_saber::firesaber;
}
