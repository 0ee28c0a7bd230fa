//! The declarations of this crate are those of the headers: functions with their types, and constants.
//! SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const HEADERS: [&str; 7] = ["latkem", "backend", "derand", "prepared", "batch", "kex", "keyfile"];

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Without comments, with single spaces.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for part in text.split("/*") {
        out.push_str(part.split_once("*/").map_or(part, |(_, after)| after));
    }
    out
}

fn headers() -> String {
    HEADERS.map(|name| plain(&read(&format!("vendor/include/latkem/{name}.h")))).join("\n")
}

/// Rust's name of a type of C.
fn rust_type(c: &str) -> &'static str {
    match c.replace(' ', "").as_str() {
        "uint8_t*" => "*mut u8",
        "constuint8_t*" => "*const u8",
        "size_t" => "usize",
        "size_t*" => "*mut usize",
        "int" => "c_int",
        "int*" => "*mut c_int",
        "constchar*" => "*const c_char",
        "constlatkem_kem*" => "*const latkem_kem",
        "constlatkem_kem**" => "*mut *const latkem_kem",
        "void*" => "*mut c_void",
        "constvoid*" => "*const c_void",
        "latkem_rng_fn*" => "latkem_rng_fn",
        other => panic!("a type that this test does not know: {other}"),
    }
}

/// "int *form" as ("int *", "form").
fn split_name(declaration: &str) -> (&str, &str) {
    let declaration = declaration.trim();
    let at = declaration.rfind([' ', '*']).expect("a type and a name");
    declaration.split_at(at + 1)
}

fn functions_of_headers() -> BTreeSet<String> {
    let text = headers();
    let declared = text.split("_API ").skip(1).filter_map(|rest| rest.split_once(';')).map(|(head, _)| head);
    declared
        .filter(|head| head.ends_with(')') && !head.contains('#'))
        .map(|head| {
            let (head, arguments) = head.trim_end_matches(')').split_once('(').unwrap();
            let (returned, name) = split_name(head);
            let arguments = arguments.split(',').filter(|one| one.trim() != "void").map(|one| {
                let (c, name) = split_name(one);
                format!("{name}: {}", rust_type(c))
            });
            format!("{name}({}) -> {}", arguments.collect::<Vec<_>>().join(", "), rust_type(returned))
        })
        .collect()
}

fn functions_of_crate() -> BTreeSet<String> {
    let text = read("src/lib.rs").split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace("( ", "(").replace(", )", ")");
    text.split("pub fn ").skip(1).map(|rest| rest.split_once(';').unwrap().0.to_owned()).collect()
}

fn constants_of_headers() -> BTreeMap<String, i64> {
    let text = headers();
    let mut found = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("#define ")) {
        if let Some((name, value)) = line.trim().split_once(' ')
            && let Ok(value) = value.trim().parse()
        {
            found.insert(name.to_owned(), value);
        }
    }
    for list in text.split("enum ").skip(1) {
        let Some((_, list)) = list.split_once('}').map_or("", |(list, _)| list).split_once('{') else { continue };
        let mut next = 0;
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (name, value) = item.split_once('=').unwrap_or((item, ""));
            next = value.trim().parse().unwrap_or(next);
            found.insert(name.trim().to_owned(), next);
            next += 1;
        }
    }
    found
}

fn constants_of_crate() -> BTreeMap<String, i64> {
    let text = read("src/lib.rs");
    let lines = text.lines().filter_map(|line| line.strip_prefix("pub const "));
    lines
        .map(|line| {
            let (name, rest) = line.split_once(": ").unwrap();
            (name.to_owned(), rest.split_once("= ").unwrap().1.trim_end_matches(';').parse().unwrap())
        })
        .collect()
}

#[test]
fn functions_are_those_of_the_headers() {
    let declared = functions_of_headers();
    assert!(declared.len() > 50, "this test reads only {} functions", declared.len());
    assert_eq!(functions_of_crate(), declared);
}

#[test]
fn constants_are_those_of_the_headers() {
    let declared = constants_of_headers();
    assert!(declared.len() > 25, "this test reads only {} constants", declared.len());
    assert_eq!(constants_of_crate(), declared);
}
