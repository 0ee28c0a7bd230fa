//! The C API of latkem: latkem.h, backend.h, derand.h, prepared.h, batch.h, kex.h and keyfile.h. The headers in
//! `DEP_LATKEM_INCLUDE` say what each function does; the crate `latkem` is the API for programs.
//! SPDX-License-Identifier: Apache-2.0
#![no_std]
#![allow(missing_docs)] // the headers have them
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};
use core::marker::{PhantomData, PhantomPinned};

/// A parameter set, immutable and in static storage: only pointers to it exist.
#[repr(C)]
pub struct latkem_kem {
    _bytes: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

/// A generator: it fills `len` bytes and returns 0, or returns another number for failure. It must not unwind.
pub type latkem_rng_fn = unsafe extern "C" fn(ctx: *mut c_void, out: *mut u8, len: usize) -> c_int;

pub const LATKEM_MLKEM_EK_MAX: usize = 1568;
pub const LATKEM_MLKEM_DK_MAX: usize = 3168;
pub const LATKEM_MLKEM_CT_MAX: usize = 1568;
pub const LATKEM_MLKEM_SS_BYTES: usize = 32;
pub const LATKEM_MLKEM_SEED_BYTES: usize = 64;
pub const LATKEM_MLKEM_COINS_BYTES: usize = 32;
pub const LATKEM_OK: c_int = 0;
pub const LATKEM_ERR_ARGUMENT: c_int = -1;
pub const LATKEM_ERR_LENGTH: c_int = -2;
pub const LATKEM_ERR_EK: c_int = -3;
pub const LATKEM_ERR_DK: c_int = -4;
pub const LATKEM_ERR_RNG: c_int = -5;
pub const LATKEM_ERR_BACKEND: c_int = -6;
pub const LATKEM_ERR_PREPARED: c_int = -7;
pub const LATKEM_ERR_CT: c_int = -8;
pub const LATKEM_ERR_CRYPTO: c_int = -9;
pub const LATKEM_ERR_AUTH: c_int = -10;
pub const LATKEM_ERR_FORMAT: c_int = -11;
pub const LATKEM_ERR_STATE: c_int = -12;
pub const LATKEM_ERR_FAULT: c_int = -13;
pub const LATKEM_KEX_KEY_BYTES: usize = 32;
pub const LATKEM_PUBLIC_KEY_DER_MAX: usize = 1590;
pub const LATKEM_PRIVATE_KEY_DER_MAX: usize = 3266;
pub const LATKEM_FORM_SEED: c_int = 1;
pub const LATKEM_FORM_EXPANDED: c_int = 2;
pub const LATKEM_FORM_BOTH: c_int = 3;
pub const LATKEM_FORM_OQS: c_int = 4;
pub const LATKEM_FORM_BARE_SEED: c_int = 5;
pub const LATKEM_FORM_BARE_EXPANDED: c_int = 6;

unsafe extern "C" {
    // latkem.h
    pub fn latkem_strerror(error: c_int) -> *const c_char;
    pub fn latkem_version() -> *const c_char;
    pub fn latkem_kem_find(name: *const c_char) -> *const latkem_kem;
    pub fn latkem_kem_at(index: usize) -> *const latkem_kem;
    pub fn latkem_kem_name(kem: *const latkem_kem) -> *const c_char;
    pub fn latkem_kem_family(kem: *const latkem_kem) -> *const c_char;
    pub fn latkem_kem_level(kem: *const latkem_kem) -> c_int;
    pub fn latkem_kem_is_standard(kem: *const latkem_kem) -> c_int;
    pub fn latkem_ek_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_dk_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_ct_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_ss_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_stack_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_keypair(kem: *const latkem_kem, ek: *mut u8, dk: *mut u8) -> c_int;
    pub fn latkem_encaps(kem: *const latkem_kem, ct: *mut u8, ss: *mut u8, ek: *const u8, ek_len: usize) -> c_int;
    pub fn latkem_decaps(
        kem: *const latkem_kem,
        ss: *mut u8,
        ct: *const u8,
        ct_len: usize,
        dk: *const u8,
        dk_len: usize,
    ) -> c_int;
    pub fn latkem_check_ek(kem: *const latkem_kem, ek: *const u8, ek_len: usize) -> c_int;
    pub fn latkem_check_dk(kem: *const latkem_kem, dk: *const u8, dk_len: usize) -> c_int;
    pub fn latkem_system_rng(ctx: *mut c_void, out: *mut u8, len: usize) -> c_int;
    pub fn latkem_keypair_rng(
        kem: *const latkem_kem,
        ek: *mut u8,
        dk: *mut u8,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;
    pub fn latkem_encaps_rng(
        kem: *const latkem_kem,
        ct: *mut u8,
        ss: *mut u8,
        ek: *const u8,
        ek_len: usize,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;

    // backend.h
    pub fn latkem_backend_name() -> *const c_char;
    pub fn latkem_backend_use(name: *const c_char) -> c_int;
    pub fn latkem_backend_at(index: usize) -> *const c_char;
    pub fn latkem_kernel_at(index: usize) -> *const c_char;
    pub fn latkem_kernel_origin(index: usize, backend: *const c_char) -> *const c_char;

    // derand.h
    pub fn latkem_seed_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_coins_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_keypair_derand(
        kem: *const latkem_kem,
        ek: *mut u8,
        dk: *mut u8,
        seed: *const u8,
        seed_len: usize,
    ) -> c_int;
    pub fn latkem_encaps_derand(
        kem: *const latkem_kem,
        ct: *mut u8,
        ss: *mut u8,
        ek: *const u8,
        ek_len: usize,
        coins: *const u8,
        coins_len: usize,
    ) -> c_int;

    // prepared.h
    pub fn latkem_prepared_ek_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_prepared_dk_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_prepare_ek(kem: *const latkem_kem, prepared: *mut c_void, ek: *const u8, ek_len: usize) -> c_int;
    pub fn latkem_prepare_dk(kem: *const latkem_kem, prepared: *mut c_void, dk: *const u8, dk_len: usize) -> c_int;
    pub fn latkem_encaps_prepared(
        kem: *const latkem_kem,
        ct: *mut u8,
        ss: *mut u8,
        prepared_ek: *const c_void,
    ) -> c_int;
    pub fn latkem_encaps_prepared_rng(
        kem: *const latkem_kem,
        ct: *mut u8,
        ss: *mut u8,
        prepared_ek: *const c_void,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;
    pub fn latkem_decaps_prepared(
        kem: *const latkem_kem,
        ss: *mut u8,
        ct: *const u8,
        ct_len: usize,
        prepared_dk: *const c_void,
    ) -> c_int;

    // batch.h
    pub fn latkem_stack_bytes_batch(kem: *const latkem_kem) -> usize;
    pub fn latkem_keypair_batch(kem: *const latkem_kem, n: usize, eks: *mut u8, dks: *mut u8) -> c_int;
    pub fn latkem_encaps_batch(kem: *const latkem_kem, n: usize, cts: *mut u8, sss: *mut u8, eks: *const u8) -> c_int;
    pub fn latkem_decaps_batch(kem: *const latkem_kem, n: usize, sss: *mut u8, cts: *const u8, dks: *const u8)
    -> c_int;
    pub fn latkem_keypair_batch_rng(
        kem: *const latkem_kem,
        n: usize,
        eks: *mut u8,
        dks: *mut u8,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;
    pub fn latkem_encaps_batch_rng(
        kem: *const latkem_kem,
        n: usize,
        cts: *mut u8,
        sss: *mut u8,
        eks: *const u8,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;

    // kex.h
    pub fn latkem_kex_message1_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_uake_message2_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_ake_message2_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_kex_state_bytes(kem: *const latkem_kem) -> usize;
    pub fn latkem_uake_start(
        kem: *const latkem_kem,
        message1: *mut u8,
        state: *mut u8,
        ek_b: *const u8,
        ek_b_len: usize,
    ) -> c_int;
    pub fn latkem_uake_reply(
        kem: *const latkem_kem,
        message2: *mut u8,
        key: *mut u8,
        message1: *const u8,
        message1_len: usize,
        dk_b: *const u8,
        dk_b_len: usize,
    ) -> c_int;
    pub fn latkem_uake_finish(
        kem: *const latkem_kem,
        key: *mut u8,
        message2: *const u8,
        message2_len: usize,
        state: *mut u8,
        state_len: usize,
    ) -> c_int;
    pub fn latkem_ake_start(
        kem: *const latkem_kem,
        message1: *mut u8,
        state: *mut u8,
        ek_b: *const u8,
        ek_b_len: usize,
    ) -> c_int;
    pub fn latkem_ake_reply(
        kem: *const latkem_kem,
        message2: *mut u8,
        key: *mut u8,
        message1: *const u8,
        message1_len: usize,
        dk_b: *const u8,
        dk_b_len: usize,
        ek_a: *const u8,
        ek_a_len: usize,
    ) -> c_int;
    pub fn latkem_ake_finish(
        kem: *const latkem_kem,
        key: *mut u8,
        message2: *const u8,
        message2_len: usize,
        state: *mut u8,
        state_len: usize,
        dk_a: *const u8,
        dk_a_len: usize,
    ) -> c_int;
    pub fn latkem_uake_start_rng(
        kem: *const latkem_kem,
        message1: *mut u8,
        state: *mut u8,
        ek_b: *const u8,
        ek_b_len: usize,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;
    pub fn latkem_uake_reply_rng(
        kem: *const latkem_kem,
        message2: *mut u8,
        key: *mut u8,
        message1: *const u8,
        message1_len: usize,
        dk_b: *const u8,
        dk_b_len: usize,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;
    pub fn latkem_ake_start_rng(
        kem: *const latkem_kem,
        message1: *mut u8,
        state: *mut u8,
        ek_b: *const u8,
        ek_b_len: usize,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;
    pub fn latkem_ake_reply_rng(
        kem: *const latkem_kem,
        message2: *mut u8,
        key: *mut u8,
        message1: *const u8,
        message1_len: usize,
        dk_b: *const u8,
        dk_b_len: usize,
        ek_a: *const u8,
        ek_a_len: usize,
        fill: latkem_rng_fn,
        ctx: *mut c_void,
    ) -> c_int;

    // keyfile.h
    pub fn latkem_public_key_write(
        kem: *const latkem_kem,
        der: *mut u8,
        der_len: *mut usize,
        ek: *const u8,
        ek_len: usize,
    ) -> c_int;
    pub fn latkem_private_key_write(
        kem: *const latkem_kem,
        form: c_int,
        der: *mut u8,
        der_len: *mut usize,
        key: *const u8,
        key_len: usize,
    ) -> c_int;
    pub fn latkem_public_key_read(
        kem: *mut *const latkem_kem,
        ek: *mut u8,
        ek_len: *mut usize,
        der: *const u8,
        der_len: usize,
    ) -> c_int;
    pub fn latkem_private_key_read(
        kem: *mut *const latkem_kem,
        form: *mut c_int,
        seed: *mut u8,
        seed_len: *mut usize,
        dk: *mut u8,
        dk_len: *mut usize,
        der: *const u8,
        der_len: usize,
    ) -> c_int;
}
