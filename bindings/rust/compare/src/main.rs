//! The crate latkem beside the C calls, aws-lc-rs and ml-kem: ML-KEM with key objects that are kept. Blocks of all
//! contestants take turns in one process. It prints JSON (harness/packages/measure.py). Usage: latkem-compare SECONDS SET...
//! SPDX-License-Identifier: Apache-2.0
use std::env;
use std::ffi::CString;
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use aws_lc_rs::kem as aws;
use latkem::ParameterSet;
use latkem_sys as sys;
use ml_kem::kem::{Decapsulate, Encapsulate, Kem};

const ROUNDS_MIN: usize = 15;
const BLOCK: u32 = 16;
const OPERATIONS: [&str; 3] = ["keygen", "encaps", "decaps"];
/// Pinned in Cargo.toml.
const LIBRARIES: &str = r#"{"aws-lc-rs": "1.19.0", "ml-kem": "0.3.4"}"#;

struct Row {
    operation: usize,
    library: &'static str,
    run: Box<dyn FnMut()>,
    samples: Vec<f64>,
}

impl Row {
    fn new<T>(operation: usize, library: &'static str, mut run: impl FnMut() -> T + 'static) -> Self {
        let run = Box::new(move || {
            black_box(run());
        });
        Self { operation, library, run, samples: Vec::new() }
    }

    /// A block goes before the timed one, because the row before this one has used the caches.
    fn measure(&mut self) {
        (0..BLOCK).for_each(|_| (self.run)());
        let begin = Instant::now();
        (0..BLOCK).for_each(|_| (self.run)());
        self.samples.push(begin.elapsed().as_secs_f64() * 1e9 / f64::from(BLOCK));
    }

    /// The row in JSON, with the quartiles.
    fn json(&mut self, set: &str) -> String {
        self.samples.sort_by(f64::total_cmp);
        let at = |quarter: usize| self.samples[self.samples.len() * quarter / 4];
        format!(
            r#"{{"set": "{set}", "operation": "{}", "library": "{}", "q1_ns": {}, "median_ns": {}, "q3_ns": {}}}"#,
            OPERATIONS[self.operation],
            self.library,
            at(1),
            at(2),
            at(3)
        )
    }
}

/// Memory as C's callers have it, for keys that are expanded.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line {
    _bytes: [u8; 64],
}

/// The C calls, with buffers that are kept.
fn c_rows(set: &str, ek: &[u8], dk: &[u8], ct: &[u8]) -> [Row; 3] {
    let set = CString::new(set).unwrap();
    // SAFETY: a terminated string, then a set of the library.
    let (kem, ek_bytes, dk_bytes) = unsafe {
        let kem = sys::latkem_kem_find(set.as_ptr());
        (kem, sys::latkem_prepared_ek_bytes(kem), sys::latkem_prepared_dk_bytes(kem))
    };
    let lines = |bytes: usize| vec![Line { _bytes: [0; 64] }; bytes.div_ceil(64)];
    let (mut prepared_ek, mut prepared_dk) = (lines(ek_bytes), lines(dk_bytes));
    // SAFETY: the memory has the sizes and the alignment.
    let codes = unsafe {
        [
            sys::latkem_prepare_ek(kem, prepared_ek.as_mut_ptr().cast(), ek.as_ptr(), ek.len()),
            sys::latkem_prepare_dk(kem, prepared_dk.as_mut_ptr().cast(), dk.as_ptr(), dk.len()),
        ]
    };
    assert_eq!(codes, [0; 2]);
    let (mut new_ek, mut new_dk) = (ek.to_vec(), dk.to_vec());
    let (mut new_ct, mut sent, mut received, ct) = (ct.to_vec(), [0; 32], [0; 32], ct.to_vec());
    [
        // SAFETY: here and below every buffer has the set's size.
        Row::new(0, "C", move || unsafe { sys::latkem_keypair(kem, new_ek.as_mut_ptr(), new_dk.as_mut_ptr()) }),
        Row::new(1, "C", move || unsafe {
            sys::latkem_encaps_prepared(kem, new_ct.as_mut_ptr(), sent.as_mut_ptr(), prepared_ek.as_ptr().cast())
        }),
        Row::new(2, "C", move || unsafe {
            let prepared = prepared_dk.as_ptr().cast();
            sys::latkem_decaps_prepared(kem, received.as_mut_ptr(), ct.as_ptr(), ct.len(), prepared)
        }),
    ]
}

/// The crate, and beside it C with the same key.
fn own_rows(name: &str) -> Vec<Row> {
    let set = ParameterSet::find(name).unwrap();
    let key = set.generate().unwrap();
    let ek = key.encapsulation_key().unwrap();
    let (ct, _) = ek.encapsulate().unwrap();
    let c = c_rows(name, ek.as_bytes(), key.as_bytes(), &ct);
    let own = [
        Row::new(0, "latkem", move || set.generate().unwrap()),
        Row::new(1, "latkem", move || ek.encapsulate().unwrap()),
        Row::new(2, "latkem", move || key.decapsulate(&ct).unwrap()),
    ];
    own.into_iter().chain(c).collect()
}

fn aws_rows(set: &'static aws::Algorithm<aws::AlgorithmId>) -> [Row; 3] {
    let key = aws::DecapsulationKey::generate(set).unwrap();
    let ek = key.encapsulation_key().unwrap();
    let ct = ek.encapsulate().unwrap().0.as_ref().to_vec();
    [
        Row::new(0, "aws-lc-rs", || aws::DecapsulationKey::generate(set).unwrap()),
        Row::new(1, "aws-lc-rs", move || ek.encapsulate().unwrap()),
        Row::new(2, "aws-lc-rs", move || key.decapsulate(aws::Ciphertext::from(&ct[..])).unwrap()),
    ]
}

fn ml_kem_rows<K: Kem<DecapsulationKey: Decapsulate>>() -> [Row; 3] {
    let (dk, ek) = K::generate_keypair();
    let (ct, _) = ek.encapsulate();
    [
        Row::new(0, "ml-kem", K::generate_keypair),
        Row::new(1, "ml-kem", move || ek.encapsulate()),
        Row::new(2, "ml-kem", move || dk.decapsulate(&ct)),
    ]
}

fn rows(set: &str) -> Vec<Row> {
    let (aws, ml_kem) = match set {
        "ML-KEM-512" => (aws_rows(&aws::ML_KEM_512), ml_kem_rows::<ml_kem::MlKem512>()),
        "ML-KEM-768" => (aws_rows(&aws::ML_KEM_768), ml_kem_rows::<ml_kem::MlKem768>()),
        "ML-KEM-1024" => (aws_rows(&aws::ML_KEM_1024), ml_kem_rows::<ml_kem::MlKem1024>()),
        _ => panic!("{set} is not of ML-KEM"),
    };
    own_rows(set).into_iter().chain(aws).chain(ml_kem).collect()
}

/// The rows of a set in JSON, and how many rounds they are of.
fn measure(set: &str, seconds: f64) -> (Vec<String>, usize) {
    let mut rows = rows(set);
    let (begin, limit) = (Instant::now(), Duration::from_secs_f64(seconds));
    while begin.elapsed() < limit || rows[0].samples.len() < ROUNDS_MIN {
        rows.iter_mut().for_each(Row::measure);
    }
    (rows.iter_mut().map(|row| row.json(set)).collect(), rows[0].samples.len())
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let seconds = arguments[0].parse().expect("the seconds for a set");
    let measured: Vec<_> = arguments[1..].iter().map(|set| measure(set, seconds)).collect();
    let rounds = measured.iter().map(|(_, rounds)| rounds).min().expect("a set");
    let rows: Vec<_> = measured.iter().flat_map(|(rows, _)| rows.clone()).collect();
    let mut text = String::new();
    let facts = [
        ("language", "Rust"),
        ("runtime", option_env!("RUSTC_VERSION").unwrap_or("rustc")),
        ("backend", latkem::backend()),
        ("version", latkem::version()),
    ];
    for (key, value) in facts {
        write!(text, r#""{key}": "{value}", "#).unwrap();
    }
    println!(
        r#"{{{text}"libraries": {LIBRARIES}, "rounds": {rounds}, "block": {BLOCK}, "rows": [{}]}}"#,
        rows.join(",\n")
    );
}
