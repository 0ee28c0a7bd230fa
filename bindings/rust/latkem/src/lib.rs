#![doc = include_str!("../README.md")]
//! # The interface
//!
//! [`ParameterSet`] names a set, makes and reads keys, and works on bytes and batches. [`DecapsulationKey`] and
//! [`EncapsulationKey`] are keys of any set. [`ml_kem_512`], [`ml_kem_768`] and [`ml_kem_1024`] have keys of one set each,
//! which implement the traits of [`kem`]: code that was written for the crate `ml-kem` runs with them.
//!
//! Keys are checked when they are made. An operation expands a key at its first use and keeps the expanded form. Every
//! type may be used from several threads at once. Secrets lie in memory of their own, which is wiped when they are
//! dropped; arrays and vectors that the caller gets are the caller's.
//!
//! SPDX-License-Identifier: Apache-2.0
#![no_std]

extern crate alloc;

mod batch;
mod error;
mod keyfile;
mod keys;
mod lazy;
mod memory;
pub mod ml_kem;
mod set;

pub use error::Error;
pub use hybrid_array as array;
pub use kem;
pub use kem::{
    Decapsulate, Decapsulator, Encapsulate, FromSeed, Generate, InvalidKey, Kem, Key, KeyExport, KeyInit, KeySizeUser,
    TryKeyInit,
};
pub use keyfile::PrivateKeyForm;
pub use keys::{DecapsulationKey, EncapsulationKey};
pub use ml_kem::{B32, MlKem512, MlKem768, MlKem1024, Seed, SharedKey, ml_kem_512, ml_kem_768, ml_kem_1024};
pub use set::ParameterSet;
pub use zeroize;

/// The version of the C library.
pub fn version() -> &'static str {
    // SAFETY: takes nothing.
    set::text(unsafe { latkem_sys::latkem_version() })
}

/// The backend in force: "portable", or the vector code that the library has chosen for this CPU.
pub fn backend() -> &'static str {
    // SAFETY: takes nothing.
    set::text(unsafe { latkem_sys::latkem_backend_name() })
}

/// The backends that this CPU can run, the library's choice last.
pub fn backends() -> impl Iterator<Item = &'static str> {
    // SAFETY: any index may be asked for; NULL ends the list.
    let names = (0..).map(|index| unsafe { latkem_sys::latkem_backend_at(index) });
    names.take_while(|name| !name.is_null()).map(set::text)
}
