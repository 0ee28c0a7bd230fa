//! clatter's end of the interoperation. A line of words on stdin is a call, a line on stdout its results, as with latkem's
//! end. SPDX-License-Identifier: Apache-2.0
use std::io::{BufRead, Write};

use clatter::bytearray::ByteArray;
use clatter::crypto::cipher::{AesGcm, ChaChaPoly};
use clatter::crypto::hash::{Sha256, Sha512};
use clatter::crypto::kem::rust_crypto_ml_kem::{MlKem512, MlKem768, MlKem1024};
use clatter::handshakepattern::{HandshakePattern, noise_pqik, noise_pqkk, noise_pqnk};
use clatter::traits::{Cipher, Handshaker, Hash, Kem};
use clatter::transportstate::TransportState;
use clatter::{KeyPair, PqHandshake};

const MESSAGE_MAX: usize = 65535;

type Answer = Result<Vec<u8>, String>;

/// A session of any suite.
trait Session {
    fn write(&mut self, payload: &[u8]) -> Answer;
    fn read(&mut self, message: &[u8]) -> Answer;
    fn hash(&self) -> Answer;
}

/// A handshake until it is finished, then the transport.
enum Stage<K: Kem, C: Cipher, H: Hash> {
    Handshake(PqHandshake<K, K, C, H>),
    Transport(TransportState<C, H>),
    Over,
}

fn text(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

impl<K: Kem, C: Cipher, H: Hash> Stage<K, C, H> {
    fn proceed(&mut self) -> Result<(), String> {
        *self = match std::mem::replace(self, Self::Over) {
            Self::Handshake(handshake) if handshake.is_finished() => {
                Self::Transport(handshake.finalize().map_err(text)?)
            }
            other => other,
        };
        Ok(())
    }
}

impl<K: Kem, C: Cipher, H: Hash> Session for Stage<K, C, H> {
    fn write(&mut self, payload: &[u8]) -> Answer {
        let mut message = vec![0; MESSAGE_MAX];
        let length = match self {
            Self::Handshake(handshake) => handshake.write_message(payload, &mut message).map_err(text)?,
            Self::Transport(transport) => transport.send(payload, &mut message).map_err(text)?,
            Self::Over => return Err("over".to_owned()),
        };
        message.truncate(length);
        self.proceed()?;
        Ok(message)
    }

    fn read(&mut self, message: &[u8]) -> Answer {
        let mut payload = vec![0; MESSAGE_MAX];
        let length = match self {
            Self::Handshake(handshake) => handshake.read_message(message, &mut payload).map_err(text)?,
            Self::Transport(transport) => transport.receive(message, &mut payload).map_err(text)?,
            Self::Over => return Err("over".to_owned()),
        };
        payload.truncate(length);
        self.proceed()?;
        Ok(payload)
    }

    fn hash(&self) -> Answer {
        match self {
            Self::Transport(transport) => Ok(transport.get_handshake_hash().as_slice().to_vec()),
            _ => Err("not finished".to_owned()),
        }
    }
}

/// The initial data of a side. The keys are empty where a pattern has none.
struct Start {
    pattern: HandshakePattern,
    initiator: bool,
    prologue: Vec<u8>,
    own_dk: Vec<u8>,
    peer_ek: Vec<u8>,
    own_ek: Vec<u8>,
}

fn start<K: Kem + 'static, C: Cipher + 'static, H: Hash + 'static>(with: Start) -> Result<Box<dyn Session>, String> {
    let own = (!with.own_dk.is_empty()).then(|| KeyPair {
        public: K::PubKey::from_slice(&with.own_ek),
        secret: K::SecretKey::from_slice(&with.own_dk),
    });
    let peer = (!with.peer_ek.is_empty()).then(|| K::PubKey::from_slice(&with.peer_ek));
    let handshake = PqHandshake::<K, K, C, H>::new(with.pattern, &with.prologue, with.initiator, own, None, peer, None);
    Ok(Box::new(Stage::Handshake(handshake.map_err(text)?)))
}

fn with_kem<K: Kem + 'static>(cipher: &str, hash: &str, with: Start) -> Result<Box<dyn Session>, String> {
    match (cipher, hash) {
        ("ChaChaPoly", "SHA256") => start::<K, ChaChaPoly, Sha256>(with),
        ("ChaChaPoly", "SHA512") => start::<K, ChaChaPoly, Sha512>(with),
        ("AESGCM", "SHA256") => start::<K, AesGcm, Sha256>(with),
        ("AESGCM", "SHA512") => start::<K, AesGcm, Sha512>(with),
        _ => Err(format!("no suite with {cipher} and {hash}")),
    }
}

fn bytes(word: &str) -> Vec<u8> {
    let digits = if word == "-" { "" } else { word };
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex")).collect()
}

fn hex(bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

fn begin(words: &[&str]) -> Result<Box<dyn Session>, String> {
    let parts: Vec<_> = words[0].split('_').collect();
    let pattern = match parts[1] {
        "pqNK" => noise_pqnk(),
        "pqKK" => noise_pqkk(),
        "pqIK" => noise_pqik(),
        other => return Err(format!("no pattern {other}")),
    };
    let with = Start {
        pattern,
        initiator: words[1] == "initiator",
        prologue: bytes(words[2]),
        own_dk: bytes(words[3]),
        peer_ek: bytes(words[4]),
        own_ek: bytes(words[5]),
    };
    match parts[2] {
        "MLKEM512" => with_kem::<MlKem512>(parts[3], parts[4], with),
        "MLKEM768" => with_kem::<MlKem768>(parts[3], parts[4], with),
        "MLKEM1024" => with_kem::<MlKem1024>(parts[3], parts[4], with),
        other => Err(format!("no KEM {other}")),
    }
}

fn answer(session: &mut Option<Box<dyn Session>>, line: &str) -> Answer {
    let words: Vec<_> = line.split_whitespace().collect();
    if words[0] == "noise_start" {
        *session = Some(begin(&words[1..])?);
        return Ok(Vec::new());
    }
    let session = session.as_mut().ok_or("no session")?;
    match words[0] {
        "noise_write" => session.write(&bytes(words[1])),
        "noise_read" => session.read(&bytes(words[1])),
        "noise_hash" => session.hash(),
        other => Err(format!("no call {other}")),
    }
}

fn main() {
    let mut session = None;
    for line in std::io::stdin().lock().lines() {
        let result = answer(&mut session, &line.expect("a line"));
        println!("{}", result.map_or_else(|error| format!("error {error}"), |bytes| hex(&bytes)));
        std::io::stdout().flush().expect("a reader");
    }
}
