//! A value that is made at its first use.
use alloc::boxed::Box;
use core::marker::PhantomData;
use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicPtr, Ordering};

/// Threads that come at once each make a value, and all use the one that was first ready: nobody waits.
pub(crate) struct Lazy<T> {
    value: AtomicPtr<T>,
    _owned: PhantomData<Box<T>>,
}

impl<T> Lazy<T> {
    pub(crate) const fn new() -> Self {
        Self { value: AtomicPtr::new(ptr::null_mut()), _owned: PhantomData }
    }

    pub(crate) fn get_or_make<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        let value = match NonNull::new(self.value.load(Ordering::Acquire)) {
            Some(value) => value,
            None => self.keep_first(Box::new(make()?)),
        };
        // SAFETY: what was once stored stays until self is dropped.
        Ok(unsafe { value.as_ref() })
    }

    /// The value that is stored at the end, which is another thread's if that one was faster.
    fn keep_first(&self, made: Box<T>) -> NonNull<T> {
        let made = NonNull::from(Box::leak(made));
        let stored = self.value.compare_exchange(ptr::null_mut(), made.as_ptr(), Ordering::AcqRel, Ordering::Acquire);
        match stored.err().and_then(NonNull::new) {
            Some(first) => {
                // SAFETY: it came from a Box, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made.as_ptr()) });
                first
            }
            None => made,
        }
    }
}

impl<T> Drop for Lazy<T> {
    fn drop(&mut self) {
        if let Some(value) = NonNull::new(*self.value.get_mut()) {
            // SAFETY: it came from a Box, and all borrows of it have ended.
            drop(unsafe { Box::from_raw(value.as_ptr()) });
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use alloc::sync::Arc;
    use core::convert::Infallible;
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Barrier;
    use std::thread;

    use super::Lazy;

    #[test]
    fn a_failure_is_not_kept() {
        let lazy = Lazy::new();
        assert_eq!(lazy.get_or_make(|| Err::<u8, _>("no")), Err("no"));
        assert_eq!(lazy.get_or_make(|| Ok::<_, &str>(1)), Ok(&1));
        assert_eq!(lazy.get_or_make(|| Ok::<_, &str>(2)), Ok(&1));
    }

    /// All threads are in `make` before the first leaves it; all see one value, and the others are freed.
    #[test]
    fn threads_agree() {
        const THREADS: usize = 4;
        struct Counted<'a>(&'a AtomicUsize);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        let (dropped, inside) = (AtomicUsize::new(0), Barrier::new(THREADS));
        let lazy = Lazy::new();
        let make = || {
            inside.wait();
            Ok::<_, Infallible>(Arc::new(Counted(&dropped)))
        };
        let run = || Arc::as_ptr(lazy.get_or_make(make).unwrap()).addr();
        let seen = thread::scope(|scope| [(); THREADS].map(|()| scope.spawn(run)).map(|thread| thread.join().unwrap()));
        assert!(seen.iter().all(|address| *address == seen[0]));
        assert_eq!(dropped.load(Ordering::Relaxed), THREADS - 1);
        drop(lazy);
        assert_eq!(dropped.load(Ordering::Relaxed), THREADS);
    }
}
