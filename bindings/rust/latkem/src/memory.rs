//! Memory for keys. It lies on the heap, because a secret inside a structure leaves copies behind where it is moved.
use alloc::boxed::Box;
use core::ffi::c_void;

use zeroize::{DefaultIsZeroes, Zeroizing};

/// Bytes that are wiped when they are dropped, aligned like words.
pub(crate) type Secret = Memory<u64>;

/// Bytes of an expanded key, aligned like lines of the cache, by which vector code reads them. The heap takes longer to
/// align so much.
pub(crate) type Lines = Memory<Line>;

#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Line([u64; 8]);

impl DefaultIsZeroes for Line {}

/// Units of memory for keys. Every pattern of bits is one.
pub(crate) trait Unit: DefaultIsZeroes + Default {}

impl Unit for u64 {}
impl Unit for Line {}

pub(crate) struct Memory<U: Unit> {
    units: Zeroizing<Box<[U]>>,
    bytes: usize,
}

impl<U: Unit> Memory<U> {
    pub(crate) fn zeroed(bytes: usize) -> Self {
        let units = core::iter::repeat_n(U::default(), bytes.div_ceil(size_of::<U>())).collect();
        Self { units: Zeroizing::new(units), bytes }
    }

    pub(crate) fn copy_of(bytes: &[u8]) -> Self {
        let mut memory = Self::zeroed(bytes.len());
        memory.copy_from_slice(bytes);
        memory
    }

    pub(crate) fn address(&self) -> *const c_void {
        self.units.as_ptr().cast()
    }

    pub(crate) fn address_mut(&mut self) -> *mut c_void {
        self.units.as_mut_ptr().cast()
    }
}

impl<U: Unit> core::ops::Deref for Memory<U> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the units hold so many bytes or more, all of them made.
        unsafe { core::slice::from_raw_parts(self.address().cast(), self.bytes) }
    }
}

impl<U: Unit> core::ops::DerefMut for Memory<U> {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the same, and any bytes are a unit.
        unsafe { core::slice::from_raw_parts_mut(self.address_mut().cast(), self.bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Secret};

    #[test]
    fn every_length_is_kept_and_aligned() {
        for bytes in 0..200 {
            let data: alloc::vec::Vec<u8> = (1..=bytes).collect();
            assert_eq!(*Secret::copy_of(&data), *data);
            let lines = Lines::copy_of(&data);
            assert_eq!(*lines, *data);
            assert_eq!(lines.address().addr() % 64, 0);
        }
    }
}
