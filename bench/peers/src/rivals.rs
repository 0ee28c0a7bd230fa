//! The rival libraries of this build, one module each behind a cargo feature of its name.
//! SPDX-License-Identifier: Apache-2.0
use crate::kem::{Rival, Set};

#[cfg(feature = "aws-lc-rs")]
mod aws_lc;
#[cfg(feature = "aws-lc-rs")]
mod aws_lc_hybrids;
#[cfg(feature = "graviola")]
mod graviola;
#[cfg(any(feature = "aws-lc-rs", feature = "graviola", feature = "openssl"))]
mod handshake;
#[cfg(feature = "libcrux-ml-kem")]
mod libcrux;
#[cfg(feature = "openssl")]
mod openssl;
#[cfg(feature = "oqs")]
mod oqs;
#[cfg(any(feature = "pqcrypto-clean", feature = "pqcrypto-avx2"))]
mod pqcrypto;
#[cfg(feature = "ml-kem")]
mod rustcrypto;
#[cfg(feature = "wolfssl-sys")]
mod wolfcrypt;
#[cfg(feature = "x-wing")]
mod x_wing;

#[cfg(not(any(
    feature = "aws-lc-rs",
    feature = "graviola",
    feature = "libcrux-ml-kem",
    feature = "ml-kem",
    feature = "openssl",
    feature = "oqs",
    feature = "pqcrypto-avx2",
    feature = "pqcrypto-clean",
    feature = "wolfssl-sys",
    feature = "x-wing"
)))]
compile_error!("build with the feature of at least one rival");

type MakeRivals = fn(&Set) -> Vec<Rival>;

const LIBRARIES: &[MakeRivals] = &[
    #[cfg(any(feature = "pqcrypto-clean", feature = "pqcrypto-avx2"))]
    pqcrypto::rivals,
    #[cfg(feature = "aws-lc-rs")]
    aws_lc::rivals,
    #[cfg(feature = "graviola")]
    graviola::rivals,
    #[cfg(feature = "oqs")]
    oqs::rivals,
    #[cfg(feature = "openssl")]
    openssl::rivals,
    #[cfg(feature = "libcrux-ml-kem")]
    libcrux::rivals,
    #[cfg(feature = "ml-kem")]
    rustcrypto::rivals,
    #[cfg(feature = "wolfssl-sys")]
    wolfcrypt::rivals,
    #[cfg(feature = "x-wing")]
    x_wing::rivals,
];

/// Every rival of this build that has the set and can run on this CPU.
pub fn rivals(set: &Set) -> Vec<Rival> {
    LIBRARIES.iter().flat_map(|make| make(set)).collect()
}

/// The version that Cargo.toml pins a crate to.
pub fn pinned_version(library: &str) -> String {
    let line = include_str!("../Cargo.toml").lines().find(|line| line.starts_with(&format!("{library} = {{")));
    let version = line.and_then(|line| line.split("\"=").nth(1)?.split('"').next());
    version.expect("Cargo.toml pins every rival").to_owned()
}

/// The vector backend of a library that asks the CPU at run time, or its plain one. The library's own answer cannot be
/// had; this is its condition, asked again.
#[cfg(any(
    feature = "aws-lc-rs",
    feature = "graviola",
    feature = "libcrux-ml-kem",
    feature = "oqs",
    feature = "wolfssl-sys"
))]
pub fn by_cpu(avx2_condition: bool, plain: &str) -> String {
    let vector = if cfg!(target_arch = "aarch64") { Some("neon") } else { avx2_condition.then_some("avx2") };
    vector.unwrap_or(plain).to_owned()
}

/// The library with its own randomness, and with what it is given.
#[cfg(any(
    feature = "_pqcrypto",
    feature = "aws-lc-rs",
    feature = "libcrux-ml-kem",
    feature = "ml-kem",
    feature = "wolfssl-sys"
))]
pub fn both_tiers<T: crate::derand::Derand + 'static>(
    rival: impl Fn(crate::kem::Tier, Box<dyn crate::kem::Wire>) -> Rival,
    make: impl Fn() -> T,
) -> Vec<Rival> {
    let given = Rival { rng: "given", ..rival(crate::kem::Tier::Derand, Box::new(crate::derand::Given(make()))) };
    vec![rival(crate::kem::Tier::Wire, Box::new(make())), given]
}
