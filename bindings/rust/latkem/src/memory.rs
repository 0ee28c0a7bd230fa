//! Memory for keys. It lies on the heap, because a secret inside a structure leaves copies behind where it is moved.
use alloc::boxed::Box;
use alloc::vec;
use core::ffi::c_void;

use zeroize::{DefaultIsZeroes, Zeroizing};

/// A line of the cache, by which vector code reads expanded keys.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Line([u64; 8]);

impl DefaultIsZeroes for Line {}

/// Bytes, aligned to lines, that are wiped when they are dropped.
pub(crate) struct Memory {
    lines: Zeroizing<Box<[Line]>>,
    bytes: usize,
}

impl Memory {
    pub(crate) fn zeroed(bytes: usize) -> Self {
        let lines = vec![Line::default(); bytes.div_ceil(size_of::<Line>())].into_boxed_slice();
        Self { lines: Zeroizing::new(lines), bytes }
    }

    pub(crate) fn copy_of(bytes: &[u8]) -> Self {
        let mut memory = Self::zeroed(bytes.len());
        memory.copy_from_slice(bytes);
        memory
    }

    pub(crate) fn address(&self) -> *const c_void {
        self.lines.as_ptr().cast()
    }

    pub(crate) fn address_mut(&mut self) -> *mut c_void {
        self.lines.as_mut_ptr().cast()
    }
}

impl core::ops::Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the lines hold so many bytes or more, all of them made.
        unsafe { core::slice::from_raw_parts(self.address().cast(), self.bytes) }
    }
}

impl core::ops::DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the same, and any bytes are a line.
        unsafe { core::slice::from_raw_parts_mut(self.address_mut().cast(), self.bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn every_length_is_kept_and_aligned() {
        for bytes in 0..200 {
            let data: alloc::vec::Vec<u8> = (1..=bytes).collect();
            let memory = Memory::copy_of(&data);
            assert_eq!(*memory, *data);
            assert_eq!(memory.address().addr() % 64, 0);
        }
    }
}
