//! The costs of a library besides its time when it is warm: the first call in a process, and the stack.
//! SPDX-License-Identifier: Apache-2.0
use std::ffi::c_void;
use std::process::Command;
use std::ptr::{self, null_mut};
use std::time::Instant;
use std::{env, slice};

use anyhow::{Context as _, Result, anyhow, ensure};
use serde::Serialize;

use crate::kem::{Block, OPERATIONS, Operation, Set, Tier, Wire, run_singly};
use crate::latkem::{self, Kem};
use crate::rivals::rivals;

/// Processes; the median counts.
const PROCESSES: usize = 7;

/// Of the thread that an operation runs on. None here takes a sixteenth of it.
const STACK_BYTES: usize = 8 << 20;

const PAINT: u8 = 0xa7;

/// Of one library and set, in the order of OPERATIONS.
#[derive(Serialize)]
pub struct Costs {
    pub library: &'static str,
    pub backend: String,
    pub set: &'static str,
    /// Microseconds of the first key generation in a process, then of the first encapsulation and decapsulation. None
    /// for a backend of latkem's that it would not choose by itself.
    pub first_us: Option<[f64; OPERATIONS.len()]>,
    pub stack_bytes: [usize; OPERATIONS.len()],
}

/// Of the set's rows in the tier wire. `chosen` is the backend that latkem takes if nobody forces one.
pub fn costs(kem: Kem, set: &Set, backends: &[&'static str], chosen: &str) -> Result<Vec<Costs>> {
    let mut found = Vec::new();
    for backend in backends {
        latkem::use_backend(backend)?;
        let first_us = if *backend == chosen { Some(first_calls(set.name, latkem::LIBRARY, backend)?) } else { None };
        let (library, backend) = (latkem::LIBRARY, kem.backend(backend));
        found.push(Costs { library, backend, set: set.name, first_us, stack_bytes: stacks(set, &kem)? });
    }
    for rival in rivals(set).into_iter().filter(|rival| rival.tier == Tier::Wire) {
        let (library, backend) = (rival.library, rival.backend);
        let first_us = Some(first_calls(set.name, library, &backend)?);
        found.push(Costs { library, first_us, stack_bytes: stacks(set, rival.wire.as_ref())?, backend, set: set.name });
    }
    Ok(found)
}

/// The medians over processes that do nothing else.
fn first_calls(set: &str, library: &str, backend: &str) -> Result<[f64; OPERATIONS.len()]> {
    let mut runs = Vec::new();
    for _ in 0..PROCESSES {
        let output = Command::new(env::current_exe()?).args(["--first-calls", set, library, backend]).output()?;
        ensure!(output.status.success(), "{library}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        let times: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        runs.push(times);
    }
    Ok(OPERATIONS.map(|operation| {
        let mut times: Vec<f64> = runs.iter().map(|times| times[operation as usize]).collect();
        times.sort_by(f64::total_cmp);
        times[PROCESSES / 2]
    }))
}

/// The work of the processes of `first_calls`: the three operations once, and their microseconds on standard output.
/// Objects that a caller makes once, such as wolfcrypt's generator, are made before.
pub fn print_first_calls(kem: Kem, set: &Set, library: &str, backend: &str) -> Result<()> {
    let mut known = rivals(set).into_iter().filter(|rival| rival.tier == Tier::Wire);
    let wire: Box<dyn Wire> = match library {
        latkem::LIBRARY => Box::new(kem),
        _ => known.find(|r| (r.library, r.backend.as_str()) == (library, backend)).context("no such rival")?.wire,
    };
    let mut block = Block::new(set, 1);
    for operation in OPERATIONS {
        let start = Instant::now();
        run_singly(wire.as_ref(), operation, &mut block).map_err(|_| anyhow!("{} fails", operation.name()))?;
        println!("{:.3}", start.elapsed().as_nanos() as f64 / 1e3);
    }
    block.verify()
}

/// An operation for a painted thread to do.
struct Task<'a> {
    wire: &'a dyn Wire,
    block: &'a mut Block,
    operation: Option<Operation>,
    refused: bool,
}

extern "C" fn work(task: *mut c_void) -> *mut c_void {
    // SAFETY: `depth` gives a task that lives until this thread has ended, and leaves it alone meanwhile.
    let task = unsafe { &mut *task.cast::<Task>() };
    if let Some(operation) = task.operation {
        task.refused = run_singly(task.wire, operation, task.block).is_err();
    }
    null_mut()
}

/// Bytes that each operation changes of its thread's stack, more than a thread does that does nothing.
fn stacks(set: &Set, wire: &dyn Wire) -> Result<[usize; OPERATIONS.len()]> {
    let mut block = Block::new(set, 1);
    let mut depths = [0; OPERATIONS.len()];
    // Work that is only done once, such as binding symbols, is done before.
    for operation in OPERATIONS {
        run_singly(wire, operation, &mut block).map_err(|_| anyhow!("{} fails", operation.name()))?;
    }
    let idle = depth(&mut Task { wire, block: &mut block, operation: None, refused: false })?;
    for (operation, bytes) in OPERATIONS.into_iter().zip(&mut depths) {
        let mut task = Task { wire, block: &mut block, operation: Some(operation), refused: false };
        *bytes = depth(&mut task)?.saturating_sub(idle);
        ensure!(!task.refused, "{} fails on a stack of its own", operation.name());
    }
    Ok(depths)
}

fn depth(task: &mut Task) -> Result<usize> {
    let done =
        |code: i32| if code == 0 { Ok(()) } else { Err(anyhow!("no thread on a stack of its own: error {code}")) };
    // SAFETY: the memory is this function's own, is no thread's stack before or after the thread's life, and is read
    // again only when the thread has ended.
    unsafe {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        let stack = libc::mmap(null_mut(), STACK_BYTES, access, kind, -1, 0);
        ensure!(stack != libc::MAP_FAILED, "no memory for a stack");
        ptr::write_bytes(stack.cast::<u8>(), PAINT, STACK_BYTES);
        let (mut attributes, mut thread) = (std::mem::zeroed(), std::mem::zeroed());
        done(libc::pthread_attr_init(&mut attributes))?;
        done(libc::pthread_attr_setstack(&mut attributes, stack, STACK_BYTES))?;
        done(libc::pthread_create(&mut thread, &attributes, work, ptr::from_mut(task).cast()))?;
        done(libc::pthread_join(thread, null_mut()))?;
        done(libc::pthread_attr_destroy(&mut attributes))?;
        let bytes = slice::from_raw_parts(stack.cast::<u8>(), STACK_BYTES);
        let untouched = bytes.iter().take_while(|byte| **byte == PAINT).count();
        libc::munmap(stack, STACK_BYTES);
        Ok(STACK_BYTES - untouched)
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::stacks;
    use crate::kem::{Refused, Set, Wire};

    /// Key generation takes 100 kB of stack.
    struct Deep;

    impl Wire for Deep {
        fn keygen(&self, _: &mut [u8], _: &mut [u8]) -> Result<(), Refused> {
            black_box([1_u8; 100_000]);
            Ok(())
        }

        fn encaps(&self, _: &mut [u8], _: &mut [u8], _: &[u8]) -> Result<(), Refused> {
            Ok(())
        }

        fn decaps(&self, _: &mut [u8], _: &[u8], _: &[u8]) -> Result<(), Refused> {
            Ok(())
        }
    }

    #[test]
    fn a_stack_is_seen_as_deep_as_it_is() {
        let set = Set { name: "none", family: "none", ek_bytes: 1, dk_bytes: 1, ct_bytes: 1, ss_bytes: 1 };
        let [keygen, encaps, _] = stacks(&set, &Deep).unwrap();
        assert!((100_000..110_000).contains(&keygen) && encaps < 5_000, "{keygen} {encaps}");
    }
}
