//! Operations and their errors leave the heap as they found it. SPDX-License-Identifier: Apache-2.0
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use latkem::{DecapsulationKey, EncapsulationKey, ParameterSet, PrivateKeyForm};

/// The system's heap, with a count of the bytes that each thread has in use: the test's harness has threads too.
struct Counting;

thread_local! {
    static IN_USE: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: the system's own, and a number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.set(IN_USE.get() + layout.size().cast_signed());
        // SAFETY: the caller's promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.set(IN_USE.get() - layout.size().cast_signed());
        // SAFETY: the caller's promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// Every kind of object, used and refused.
fn round(set: ParameterSet) {
    let dk = set.generate().unwrap();
    let ek = dk.encapsulation_key().unwrap();
    let (ct, ss) = ek.clone().encapsulate().unwrap();
    assert_eq!(dk.decapsulate(&ct).unwrap(), ss);
    assert!(dk.decapsulate(&ct[1..]).is_err());
    assert!(set.decapsulation_key(&[0; 7]).is_err());
    assert!(set.encapsulation_key(&vec![0xff; set.encapsulation_key_size()]).is_err());
    let der = dk.to_pkcs8_der(PrivateKeyForm::Both).unwrap();
    assert!(DecapsulationKey::from_pkcs8_der(&der).is_ok());
    assert!(DecapsulationKey::from_pkcs8_der(&der[1..]).is_err());
    assert!(EncapsulationKey::from_spki_der(&ek.to_spki_der().unwrap()[..20]).is_err());
    assert!(set.decapsulation_key(dk.as_bytes()).unwrap().to_pkcs8_der(PrivateKeyForm::Seed).is_err());
}

/// Some 100 000 operations and errors with LATKEM_TEST_DEEP, a tenth of them without.
#[test]
fn the_heap_is_flat() {
    let rounds = if std::env::var_os("LATKEM_TEST_DEEP").is_some() { 8000 } else { 800 };
    let set = ParameterSet::find("ML-KEM-512").unwrap();
    round(set);
    let before = IN_USE.get();
    for _ in 0..rounds {
        round(set);
    }
    assert_eq!(IN_USE.get() - before, 0, "bytes more after {rounds} rounds");
}
