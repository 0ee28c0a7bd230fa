//! The crate latkem beside the C calls, aws-lc-rs and ml-kem: ML-KEM-768 with key objects that are kept.
//! Blocks of all contestants take turns in one process; each figure is the median of its blocks. The ratios are held to the
//! bars below where latkem runs AVX-512 code. SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use aws_lc_rs::kem as aws;
use latkem::{EncapsulationKey, ParameterSet};
use latkem_sys as sys;
use ml_kem::kem::{Decapsulate, Encapsulate, Kem};

const ROUNDS: usize = 1001;
const BLOCK: u32 = 16;
const OPERATIONS: [&str; 3] = ["key generation", "encapsulation", "decapsulation"];
/// The other side, and latkem's largest share of its time in each operation.
const BARS: [(&str, [f64; 3]); 2] = [("aws-lc-rs", [0.70, 0.28, 0.38]), ("C", [1.25, 1.15, 1.15])];

struct Row<'a> {
    operation: usize,
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    samples: Vec<f64>,
}

impl<'a> Row<'a> {
    fn new<T>(operation: usize, name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        let run = Box::new(move || {
            black_box(run());
        });
        Self { operation, name, run, samples: Vec::with_capacity(ROUNDS) }
    }

    fn measure(&mut self) {
        let begin = Instant::now();
        (0..BLOCK).for_each(|_| (self.run)());
        self.samples.push(begin.elapsed().as_secs_f64() * 1e6 / f64::from(BLOCK));
    }

    fn median(&self) -> f64 {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

/// Memory as C's callers have it, for keys that are expanded.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line {
    _bytes: [u8; 64],
}

/// The C calls, with buffers that are kept.
fn c_rows(ek: &[u8], dk: &[u8], ct: &[u8]) -> [Row<'static>; 3] {
    let set = c"ML-KEM-768";
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

fn latkem_rows<'a>(set: ParameterSet, key: &'a latkem::DecapsulationKey, ct: &'a [u8]) -> [Row<'a>; 3] {
    let ek: EncapsulationKey = key.encapsulation_key().unwrap();
    [
        Row::new(0, "latkem", move || set.generate().unwrap()),
        Row::new(1, "latkem", move || ek.encapsulate().unwrap()),
        Row::new(2, "latkem", move || key.decapsulate(ct).unwrap()),
    ]
}

fn aws_rows() -> [Row<'static>; 3] {
    let key = aws::DecapsulationKey::generate(&aws::ML_KEM_768).unwrap();
    let ek = key.encapsulation_key().unwrap();
    let ct = ek.encapsulate().unwrap().0.as_ref().to_vec();
    [
        Row::new(0, "aws-lc-rs", || aws::DecapsulationKey::generate(&aws::ML_KEM_768).unwrap()),
        Row::new(1, "aws-lc-rs", move || ek.encapsulate().unwrap()),
        Row::new(2, "aws-lc-rs", move || key.decapsulate(aws::Ciphertext::from(&ct[..])).unwrap()),
    ]
}

fn ml_kem_rows() -> [Row<'static>; 3] {
    let (dk, ek) = ml_kem::MlKem768::generate_keypair();
    let (ct, _) = ek.encapsulate();
    [
        Row::new(0, "ml-kem", ml_kem::MlKem768::generate_keypair),
        Row::new(1, "ml-kem", move || ek.encapsulate()),
        Row::new(2, "ml-kem", move || dk.decapsulate(&ct)),
    ]
}

fn cpu() -> String {
    let facts = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = facts.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(": ")).map_or("an unknown CPU", |(_, name)| name).to_owned()
}

fn median_of(rows: &[Row], operation: usize, name: &str) -> f64 {
    rows.iter().find(|row| (row.operation, row.name) == (operation, name)).unwrap().median()
}

/// Whether every bar holds; each that does not is printed.
fn judge(rows: &[Row]) -> bool {
    let mut met = true;
    for (other, limits) in BARS {
        for (operation, limit) in limits.into_iter().enumerate() {
            let ratio = median_of(rows, operation, "latkem") / median_of(rows, operation, other);
            if ratio > limit {
                println!("{}: {ratio:.2} of {other}, where {limit:.2} is the bar", OPERATIONS[operation]);
                met = false;
            }
        }
    }
    met
}

fn main() -> ExitCode {
    let set = ParameterSet::find("ML-KEM-768").unwrap();
    let key = set.generate().unwrap();
    let ek = key.encapsulation_key().unwrap();
    let (ct, _) = ek.encapsulate().unwrap();
    let mut rows: Vec<Row> = latkem_rows(set, &key, &ct).into();
    rows.extend(c_rows(ek.as_bytes(), key.as_bytes(), &ct));
    rows.extend(aws_rows());
    rows.extend(ml_kem_rows());
    for _ in 0..ROUNDS {
        rows.iter_mut().for_each(Row::measure);
    }
    println!("{}, {} backend; medians of {ROUNDS} blocks of {BLOCK}, in µs\n", cpu(), latkem::backend());
    println!("| operation | latkem | C | aws-lc-rs | ml-kem | of C | of aws-lc-rs | of ml-kem |");
    println!("|---|---|---|---|---|---|---|---|");
    for (operation, title) in OPERATIONS.into_iter().enumerate() {
        let [ours, c, aws, ml_kem] =
            ["latkem", "C", "aws-lc-rs", "ml-kem"].map(|name| median_of(&rows, operation, name));
        println!(
            "| {title} | {ours:.2} | {c:.2} | {aws:.2} | {ml_kem:.2} | {:.2} | {:.2} | {:.2} |",
            ours / c,
            ours / aws,
            ours / ml_kem
        );
    }
    println!();
    if latkem::backend() != "avx512" {
        println!("the bars are for avx512");
        return ExitCode::SUCCESS;
    }
    if judge(&rows) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
