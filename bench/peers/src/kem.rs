//! The things measured: parameter sets, operations, tiers, and the traits that a library implements to be a row.
//! SPDX-License-Identifier: Apache-2.0
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// A parameter set with the sizes of its objects in bytes. dk is the expanded form.
#[derive(Clone, Debug)]
pub struct Set {
    pub name: &'static str,
    pub family: &'static str,
    pub ek_bytes: usize,
    pub dk_bytes: usize,
    pub ct_bytes: usize,
    pub ss_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    Keygen,
    Encaps,
    Decaps,
}

pub const OPERATIONS: [Operation; 3] = [Operation::Keygen, Operation::Encaps, Operation::Decaps];

impl Operation {
    pub fn name(self) -> &'static str {
        ["keygen", "encaps", "decaps"][self as usize]
    }
}

/// wire: bytes in, bytes out. derand: the same with randomness given. prepared: with keys expanded beforehand. batch: many
/// operations in one call. handshake: as TLS has it, ek, ct and ss are bytes, and a private key stays what its library
/// makes of it until it decapsulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    Wire,
    Derand,
    Prepared,
    Batch,
    Handshake,
}

pub const TIERS: [Tier; 5] = [Tier::Wire, Tier::Derand, Tier::Prepared, Tier::Batch, Tier::Handshake];

impl Tier {
    pub fn name(self) -> &'static str {
        ["wire", "derand", "prepared", "batch", "handshake"][self as usize]
    }
}

/// The library, or the glue to it, refused its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// One library with one parameter set, bytes in and bytes out. Every call uses the library's own random generator and
/// makes the checks that the library makes by itself.
pub trait Wire {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused>;
    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused>;
    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused>;
}

/// A rival library, as its module describes it.
pub struct Rival {
    pub library: &'static str,
    pub version: String,
    pub backend: String,
    pub rng: &'static str,
    /// Of Tier::Handshake, the dk that the library writes identifies a key that it keeps.
    pub tier: Tier,
    pub wire: Box<dyn Wire>,
}

/// The objects of one block of operations, contiguous. Each operation takes what the one before it left.
pub struct Block {
    pub count: usize,
    /// Key generation renews so many of the keys, from the first.
    pub keys: usize,
    pub set: Set,
    pub ek: Vec<u8>,
    pub dk: Vec<u8>,
    pub ct: Vec<u8>,
    pub ss_sent: Vec<u8>,
    pub ss_received: Vec<u8>,
}

impl Block {
    pub fn new(set: &Set, count: usize) -> Self {
        Self {
            count,
            keys: count,
            set: set.clone(),
            ek: vec![0; count * set.ek_bytes],
            dk: vec![0; count * set.dk_bytes],
            ct: vec![0; count * set.ct_bytes],
            ss_sent: vec![0; count * set.ss_bytes],
            ss_received: vec![0; count * set.ss_bytes],
        }
    }

    pub fn operations(&self, operation: Operation) -> usize {
        if operation == Operation::Keygen { self.keys } else { self.count }
    }

    /// To be called after decaps. Clears what was received, so that the next decaps cannot pass with it.
    pub fn verify(&mut self) -> Result<()> {
        ensure!(self.ss_sent.iter().any(|&byte| byte != 0), "the shared secrets are zero");
        ensure!(self.ss_sent == self.ss_received, "the shared secrets differ");
        self.ss_received.fill(0);
        Ok(())
    }
}

/// One row of the results: a library in one tier, able to do a block of each operation.
pub trait Subject {
    /// Preparations that the operation needs and that are not part of its time.
    fn prepare(&mut self, operation: Operation, block: &Block) -> Result<()>;
    fn run(&mut self, operation: Operation, block: &mut Block) -> Result<(), Refused>;
}

/// Does the wire operations one by one.
pub struct Singly(pub Box<dyn Wire>);

impl Subject for Singly {
    fn prepare(&mut self, _: Operation, _: &Block) -> Result<()> {
        Ok(())
    }

    fn run(&mut self, operation: Operation, block: &mut Block) -> Result<(), Refused> {
        run_singly(self.0.as_ref(), operation, block)
    }
}

pub fn run_singly(wire: &dyn Wire, operation: Operation, block: &mut Block) -> Result<(), Refused> {
    let operations = block.operations(operation);
    let Block { set, ek, dk, ct, ss_sent, ss_received, .. } = block;
    let (mut ek, mut dk) = (ek.chunks_exact_mut(set.ek_bytes), dk.chunks_exact_mut(set.dk_bytes));
    let (mut ct, mut sent) = (ct.chunks_exact_mut(set.ct_bytes), ss_sent.chunks_exact_mut(set.ss_bytes));
    let mut received = ss_received.chunks_exact_mut(set.ss_bytes);
    (0..operations).try_for_each(|_| match operation {
        Operation::Keygen => wire.keygen(ek.next().unwrap(), dk.next().unwrap()),
        Operation::Encaps => wire.encaps(ct.next().unwrap(), sent.next().unwrap(), ek.next().unwrap()),
        Operation::Decaps => wire.decaps(received.next().unwrap(), ct.next().unwrap(), dk.next().unwrap()),
    })
}
