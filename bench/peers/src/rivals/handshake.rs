//! Key exchange as TLS has it: a library's private keys stay its own objects. SPDX-License-Identifier: Apache-2.0
use std::cell::RefCell;

use crate::kem::{Refused, Wire};

/// The two sides of a key exchange. One starts with a share, the other replies to it, the first finishes.
pub trait KeyExchange {
    type Key;

    fn start(&self, share: &mut [u8]) -> Result<Self::Key, Refused>;
    fn reply(&self, ct: &mut [u8], ss: &mut [u8], share: &[u8]) -> Result<(), Refused>;
    fn finish(&self, ss: &mut [u8], ct: &[u8], key: &Self::Key) -> Result<(), Refused>;
}

/// Keeps the keys. The dk that it writes is the number of a key, from 1; a key that takes another's place frees it.
pub struct Keeper<K: KeyExchange> {
    exchange: K,
    keys: RefCell<Vec<K::Key>>,
}

impl<K: KeyExchange> Keeper<K> {
    pub fn new(exchange: K) -> Self {
        Self { exchange, keys: RefCell::new(Vec::new()) }
    }
}

fn number(dk: &mut [u8]) -> &mut [u8; 8] {
    dk.first_chunk_mut().expect("room for a number")
}

impl<K: KeyExchange> Wire for Keeper<K> {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        let key = self.exchange.start(ek)?;
        let mut keys = self.keys.borrow_mut();
        match usize::from_le_bytes(*number(dk)) {
            0 => {
                keys.push(key);
                *number(dk) = keys.len().to_le_bytes();
            }
            place => keys[place - 1] = key,
        }
        Ok(())
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        self.exchange.reply(ct, ss, ek)
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        let place = usize::from_le_bytes(*dk.first_chunk().ok_or(Refused)?);
        self.exchange.finish(ss, ct, self.keys.borrow().get(place.wrapping_sub(1)).ok_or(Refused)?)
    }
}
