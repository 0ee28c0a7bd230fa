//! latkem through its C API, in all tiers. SPDX-License-Identifier: Apache-2.0
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use anyhow::{Result, anyhow, ensure};
use latkem_sys as ffi;

use crate::derand::{Derand, Given};
use crate::kem::{Block, Operation, Refused, Set, Subject, Tier, Wire, run_singly};
use crate::sets::{HYBRID, NTRU, Named, TLS_HYBRID};

pub const LIBRARY: &str = "latkem";

/// The bytes that an operation takes from the operating system; NTRU, on CPUs with AES instructions, a key for the
/// rest.
pub fn rng(family: &str, backend: &str) -> &'static str {
    match family {
        NTRU if backend != "portable" => "getrandom of 32 bytes, AES",
        TLS_HYBRID | HYBRID => "getrandom per part",
        _ => "getrandom per call",
    }
}

fn text(string: *const c_char) -> &'static str {
    // SAFETY: the library returns static strings.
    unsafe { CStr::from_ptr(string) }.to_str().expect("the library's strings are ASCII")
}

pub fn version() -> &'static str {
    // SAFETY: takes nothing.
    text(unsafe { ffi::latkem_version() })
}

pub fn backends() -> Vec<&'static str> {
    // SAFETY: any index may be asked for; NULL ends the list.
    let names = (0..).map(|index| unsafe { ffi::latkem_backend_at(index) });
    names.take_while(|name| !name.is_null()).map(text).collect()
}

/// The backend in force.
pub fn backend() -> &'static str {
    // SAFETY: takes nothing.
    text(unsafe { ffi::latkem_backend_name() })
}

/// Puts a backend in force and asks the library whether it is.
pub fn use_backend(name: &str) -> Result<()> {
    let wanted = CString::new(name)?;
    // SAFETY: a terminated string.
    let code = unsafe { ffi::latkem_backend_use(wanted.as_ptr()) };
    ensure!(code == 0, "latkem backend {name}: {}", error(code));
    let got = backend();
    ensure!(got == name, "latkem runs backend {got} where {name} was asked for");
    Ok(())
}

/// The functions that latkem-sys does not have: liblatkem-protocol, on OpenSSL's libcrypto and on AWS-LC's.
#[allow(dead_code)]
mod protocol {
    use super::{c_char, c_int, c_void, ffi};

    unsafe extern "C" {
        pub fn latkem_hybrid_find(name: *const c_char) -> *const ffi::latkem_kem;
        pub fn latkem_hybrid_bytes() -> usize;
        pub fn latkem_hybrid_open(
            kem: *mut *const ffi::latkem_kem,
            storage: *mut c_void,
            hybrid: *const ffi::latkem_kem,
            context: *mut c_void,
        ) -> c_int;
        pub fn latkem_hybrid_find_on_aws_lc(name: *const c_char) -> *const ffi::latkem_kem;
        pub fn latkem_hybrid_bytes_on_aws_lc() -> usize;
        pub fn latkem_hybrid_open_on_aws_lc(
            kem: *mut *const ffi::latkem_kem,
            storage: *mut c_void,
            hybrid: *const ffi::latkem_kem,
            context: *mut c_void,
        ) -> c_int;
        pub fn OpenSSL_version(what: c_int) -> *const c_char;
    }
}

type Find = unsafe extern "C" fn(*const c_char) -> *const ffi::latkem_kem;
type Size = unsafe extern "C" fn() -> usize;
type Open =
    unsafe extern "C" fn(*mut *const ffi::latkem_kem, *mut c_void, *const ffi::latkem_kem, *mut c_void) -> c_int;

/// A library of latkem: its function that finds a set, those that open one, and what a row's backend says of its
/// libcrypto.
struct Library {
    find: Find,
    opening: Option<(Size, Open)>,
    on: &'static str,
}

static LIBRARIES: &[Library] = &[
    Library { find: ffi::latkem_kem_find, opening: None, on: "" },
    #[cfg(hybrids)]
    Library {
        find: protocol::latkem_hybrid_find,
        opening: Some((protocol::latkem_hybrid_bytes, protocol::latkem_hybrid_open)),
        on: "",
    },
    #[cfg(hybrids_on_aws_lc)]
    Library {
        find: protocol::latkem_hybrid_find_on_aws_lc,
        opening: Some((protocol::latkem_hybrid_bytes_on_aws_lc, protocol::latkem_hybrid_open_on_aws_lc)),
        on: " on AWS-LC",
    },
];

/// The libcryptos that the hybrids have their curves from.
pub fn libcrypto() -> String {
    let mut names = Vec::new();
    // SAFETY: any number may be asked for; 0 is the name with the version.
    #[cfg(hybrids)]
    names.push(text(unsafe { protocol::OpenSSL_version(0) }));
    // SAFETY: the same.
    #[cfg(hybrids_on_aws_lc)]
    names.push(text(unsafe { aws_lc_sys::OpenSSL_version(0) }));
    if names.is_empty() {
        names.push("none in this build, so no hybrids");
    }
    names.join("; ")
}

fn error(code: c_int) -> &'static str {
    // SAFETY: any code may be described.
    text(unsafe { ffi::latkem_strerror(code) })
}

fn accepted(code: c_int) -> Result<(), Refused> {
    if code == 0 { Ok(()) } else { Err(Refused) }
}

/// The library with one parameter set. Immutable and static, so it may be copied and shared.
#[derive(Clone, Copy)]
pub struct Kem(*const ffi::latkem_kem, &'static Library);

impl Kem {
    /// The set of that name: a hybrid once on each libcrypto of the build.
    pub fn all(name: &str) -> Vec<Self> {
        let Ok(name) = CString::new(name) else { return Vec::new() };
        // SAFETY: a terminated string.
        let found = LIBRARIES.iter().map(|library| Self(unsafe { (library.find)(name.as_ptr()) }, library));
        found.filter(|kem| !kem.0.is_null()).collect()
    }

    /// None if the library has no set of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::all(name).into_iter().next()
    }

    /// As a TLS server keeps the set: a hybrid is opened, for good. Other sets are as they are.
    pub fn kept(self) -> Result<Self> {
        let Some((size, open)) = self.1.opening else { return Ok(self) };
        let mut kem = self.0;
        // SAFETY: storage of the size asked for, which is never freed. Without a context it is the default one.
        let code = unsafe {
            let storage = Slots::new(1, size()).units.leak();
            open(&raw mut kem, storage.as_mut_ptr().cast(), self.0, std::ptr::null_mut())
        };
        ensure!(code == 0, "latkem opens no hybrid: {}", error(code));
        Ok(Self(kem, self.1))
    }

    /// The backend as a row has it.
    pub fn backend(self, name: &str) -> String {
        format!("{name}{}", self.1.on)
    }

    pub fn set(self, (name, family): Named) -> Set {
        // SAFETY: the pointer came from find.
        unsafe {
            Set {
                name,
                family,
                ek_bytes: ffi::latkem_ek_bytes(self.0),
                dk_bytes: ffi::latkem_dk_bytes(self.0),
                ct_bytes: ffi::latkem_ct_bytes(self.0),
                ss_bytes: ffi::latkem_ss_bytes(self.0),
            }
        }
    }

    /// The library as a row of the results, with room for `count` prepared keys.
    pub fn subject(self, tier: Tier, backend: &'static str, count: usize) -> Latkem {
        // SAFETY: the pointer came from find.
        let (ek_bytes, dk_bytes) =
            unsafe { (ffi::latkem_prepared_ek_bytes(self.0), ffi::latkem_prepared_dk_bytes(self.0)) };
        Latkem { kem: self, backend, tier, eks: Slots::new(count, ek_bytes), dks: Slots::new(count, dk_bytes) }
    }
}

// SAFETY of the calls below: every buffer has the size that the set gives, as Block and the callers of Wire see to; the
// lengths that the API takes are the slices' own.
impl Wire for Kem {
    fn keygen(&self, ek: &mut [u8], dk: &mut [u8]) -> Result<(), Refused> {
        accepted(unsafe { ffi::latkem_keypair(self.0, ek.as_mut_ptr(), dk.as_mut_ptr()) })
    }

    fn encaps(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8]) -> Result<(), Refused> {
        accepted(unsafe { ffi::latkem_encaps(self.0, ct.as_mut_ptr(), ss.as_mut_ptr(), ek.as_ptr(), ek.len()) })
    }

    fn decaps(&self, ss: &mut [u8], ct: &[u8], dk: &[u8]) -> Result<(), Refused> {
        accepted(unsafe { ffi::latkem_decaps(self.0, ss.as_mut_ptr(), ct.as_ptr(), ct.len(), dk.as_ptr(), dk.len()) })
    }
}

impl Derand for Kem {
    fn keygen_from(&self, ek: &mut [u8], dk: &mut [u8], seed: &[u8; 64]) -> Result<(), Refused> {
        let (ek, dk) = (ek.as_mut_ptr(), dk.as_mut_ptr());
        accepted(unsafe { ffi::latkem_keypair_derand(self.0, ek, dk, seed.as_ptr(), seed.len()) })
    }

    fn encaps_from(&self, ct: &mut [u8], ss: &mut [u8], ek: &[u8], coins: &[u8; 32]) -> Result<(), Refused> {
        let (ct, ss, (coins, len)) = (ct.as_mut_ptr(), ss.as_mut_ptr(), (coins.as_ptr(), coins.len()));
        accepted(unsafe { ffi::latkem_encaps_derand(self.0, ct, ss, ek.as_ptr(), ek.len(), coins, len) })
    }
}

/// Storage of prepared keys, in units as aligned as C's max_align_t.
struct Slots {
    units: Vec<u128>,
    per_key: usize,
}

impl Slots {
    fn new(count: usize, bytes: usize) -> Self {
        let per_key = bytes.div_ceil(size_of::<u128>());
        Self { units: vec![0; count * per_key], per_key }
    }

    fn iter(&self) -> impl Iterator<Item = *const c_void> {
        self.units.chunks_exact(self.per_key).map(|key| key.as_ptr().cast())
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = *mut c_void> {
        self.units.chunks_exact_mut(self.per_key).map(|key| key.as_mut_ptr().cast())
    }
}

pub struct Latkem {
    kem: Kem,
    backend: &'static str,
    tier: Tier,
    eks: Slots,
    dks: Slots,
}

impl Latkem {
    fn prepare_keys(&mut self, operation: Operation, block: &Block) -> Result<(), Refused> {
        let kem = self.kem.0;
        match operation {
            Operation::Keygen => Ok(()),
            Operation::Encaps => {
                let eks = block.ek.chunks_exact(block.set.ek_bytes);
                eks.zip(self.eks.iter_mut()).try_for_each(|(ek, slot)| {
                    accepted(unsafe { ffi::latkem_prepare_ek(kem, slot, ek.as_ptr(), ek.len()) })
                })
            }
            Operation::Decaps => {
                let dks = block.dk.chunks_exact(block.set.dk_bytes);
                dks.zip(self.dks.iter_mut()).try_for_each(|(dk, slot)| {
                    accepted(unsafe { ffi::latkem_prepare_dk(kem, slot, dk.as_ptr(), dk.len()) })
                })
            }
        }
    }

    fn encaps_prepared(&self, block: &mut Block) -> Result<(), Refused> {
        let cts = block.ct.chunks_exact_mut(block.set.ct_bytes);
        let outputs = cts.zip(block.ss_sent.chunks_exact_mut(block.set.ss_bytes));
        outputs.zip(self.eks.iter()).try_for_each(|((ct, ss), ek)| {
            accepted(unsafe { ffi::latkem_encaps_prepared(self.kem.0, ct.as_mut_ptr(), ss.as_mut_ptr(), ek) })
        })
    }

    fn decaps_prepared(&self, block: &mut Block) -> Result<(), Refused> {
        let inputs = block.ct.chunks_exact(block.set.ct_bytes).zip(self.dks.iter());
        inputs.zip(block.ss_received.chunks_exact_mut(block.set.ss_bytes)).try_for_each(|((ct, dk), ss)| {
            let (ss, ct_len) = (ss.as_mut_ptr(), ct.len());
            accepted(unsafe { ffi::latkem_decaps_prepared(self.kem.0, ss, ct.as_ptr(), ct_len, dk) })
        })
    }

    fn run_batch(&self, operation: Operation, block: &mut Block) -> Result<(), Refused> {
        let (kem, n) = (self.kem.0, block.count);
        let (eks, dks, cts) = (block.ek.as_mut_ptr(), block.dk.as_mut_ptr(), block.ct.as_mut_ptr());
        accepted(unsafe {
            match operation {
                Operation::Keygen => ffi::latkem_keypair_batch(kem, n, eks, dks),
                Operation::Encaps => ffi::latkem_encaps_batch(kem, n, cts, block.ss_sent.as_mut_ptr(), eks),
                Operation::Decaps => ffi::latkem_decaps_batch(kem, n, block.ss_received.as_mut_ptr(), cts, dks),
            }
        })
    }
}

impl Subject for Latkem {
    fn prepare(&mut self, operation: Operation, block: &Block) -> Result<()> {
        use_backend(self.backend)?;
        if self.tier == Tier::Prepared {
            self.prepare_keys(operation, block).map_err(|_| anyhow!("latkem refuses to prepare its own key"))?;
        }
        Ok(())
    }

    fn run(&mut self, operation: Operation, block: &mut Block) -> Result<(), Refused> {
        match (self.tier, operation) {
            (Tier::Derand, _) => run_singly(&Given(self.kem), operation, block),
            (Tier::Wire | Tier::Handshake, _) | (Tier::Prepared, Operation::Keygen) => {
                run_singly(&self.kem, operation, block)
            }
            (Tier::Prepared, Operation::Encaps) => self.encaps_prepared(block),
            (Tier::Prepared, Operation::Decaps) => self.decaps_prepared(block),
            (Tier::Batch, _) => self.run_batch(operation, block),
        }
    }
}
