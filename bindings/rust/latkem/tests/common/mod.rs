//! The known-answer files, and bytes that look random. SPDX-License-Identifier: Apache-2.0
#![allow(dead_code)] // each test uses a part

use std::path::PathBuf;
use std::{env, fs};

use serde_json::Value;
use shake::Shake128;
use shake::digest::{ExtendableOutput, Update, XofReader};

/// The folder of known-answer files, which bindings/rust/test.py unpacks. They are not in the package.
pub fn vectors() -> Option<PathBuf> {
    let folder = env::var_os("LATKEM_VECTORS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: LATKEM_VECTORS names no folder with known answers");
    }
    folder
}

pub fn json(folder: &std::path::Path, file: &str) -> Value {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

pub fn hex(text: &str) -> Vec<u8> {
    let text = text.trim();
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of a member of an object, in hexadecimal.
pub fn bytes(object: &Value, member: &str) -> Vec<u8> {
    hex(object[member].as_str().unwrap_or_else(|| panic!("no {member} in {object}")))
}

pub fn shake128(data: &[u8]) -> impl XofReader {
    let mut hash = Shake128::default();
    hash.update(data);
    hash.finalize_xof()
}

pub fn take(stream: &mut impl XofReader, count: usize) -> Vec<u8> {
    let mut out = vec![0; count];
    stream.read(&mut out);
    out
}
