//! Compiles vendor/sources.txt, which latkem's CMake has written, or finds the installed library.
//! SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_SYSTEM").is_some() { find_installed() } else { compile() }
}

/// A line of the table: the machine, a definition or a file, and its options.
struct Row<'a> {
    machine: &'a str,
    item: &'a str,
    options: Vec<&'a str>,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (machine, item) = (words.next()?, words.next()?);
        (machine != "#").then(|| Self { machine, item, options: words.collect() })
    }

    /// The options that the compiler takes.
    fn options_for(&self, compiler: &cc::Tool) -> Vec<String> {
        let common = self.options.iter().filter(|option| !option.starts_with("gcc:"));
        let of_gcc = self.options.iter().filter_map(|option| option.strip_prefix("gcc:"));
        common.copied().chain(of_gcc.filter(|_| compiler.is_like_gnu())).map(str::to_owned).collect()
    }
}

fn compile() {
    let vendor = Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("vendor");
    println!("cargo::rerun-if-changed={}", vendor.display());
    let table = fs::read_to_string(vendor.join("sources.txt"))
        .unwrap_or_else(|error| panic!("vendor/sources.txt: {error}; in latkem's own tree, `make rust` writes it"));
    let mut build = settings(&vendor);
    let compiler = build.get_compiler();
    let machine = machine(&compiler);
    let rows = table.lines().filter_map(Row::parse).filter(|row| ["any", machine].contains(&row.machine));
    let (definitions, files): (Vec<_>, Vec<_>) = rows.partition(|row| row.item.starts_with("-D"));
    for row in definitions {
        build.define(row.item.trim_start_matches("-D"), None);
    }
    let mut groups = BTreeMap::<_, Vec<PathBuf>>::new();
    for row in files {
        groups.entry(row.options_for(&compiler)).or_default().push(vendor.join(row.item));
    }
    let mut library = cc::Build::new();
    for (options, files) in groups {
        library.objects(build.clone().flags(options).files(files).compile_intermediates());
    }
    library.compile("latkem");
    if target("OS") == "windows" {
        println!("cargo::rustc-link-lib=bcrypt");
    }
    println!("cargo::metadata=include={}", vendor.join("include").display());
}

/// The settings of all files. The kernels are written for an optimising compiler, also in a debug build. Symbols are
/// not exported from a shared library that a program makes of this crate.
fn settings(vendor: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build.std("c11").opt_level(3).warnings(false);
    build.flag_if_supported("-fvisibility=hidden").flag_if_supported("-fno-jump-tables");
    build.includes(["include", "src", "protocol"].map(|folder| vendor.join(folder)));
    build.define("LATKEM_BUILDING", None).define("NDEBUG", None);
    build.define("LATKEM_API", "").define("LATKEM_PROTOCOL_API", "");
    if target("OS") == "none" {
        build.define("LATKEM_NO_OS_RANDOM", None);
    }
    build
}

fn target(what: &str) -> String {
    env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default()
}

/// The machine of the backends that are compiled beside the portable one. gcc for Windows aligns the stack too little for wide
/// vectors, and MSVC does not take the code; the assembly for AArch64 is for ELF and Mach-O.
fn machine(compiler: &cc::Tool) -> &'static str {
    let windows = target("OS") == "windows";
    match target("ARCH").as_str() {
        "x86_64" if !windows || compiler.is_like_clang() || compiler.is_like_clang_cl() => "x86_64",
        "aarch64" if !windows && target("ENDIAN") == "little" => "aarch64",
        _ => "none",
    }
}

/// pkg-config prints options of the linker. The library has to be of this crate's version, up to the last number.
fn find_installed() {
    let version = env::var("CARGO_PKG_VERSION").unwrap();
    let minor = version.rsplit_once('.').unwrap().0;
    for name in ["PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let found = pkg_config(&["--modversion", "latkem"]);
    let same = found.rsplit_once('.').is_some_and(|(prefix, _)| prefix == minor);
    assert!(same, "latkem {found} is installed, and this crate is for {minor}");
    for word in pkg_config(&["--libs", "latkem-protocol", "latkem"]).split_whitespace() {
        match word.split_at_checked(2) {
            Some(("-L", folder)) => println!("cargo::rustc-link-search=native={folder}"),
            Some(("-l", name)) => println!("cargo::rustc-link-lib={name}"),
            _ => {}
        }
    }
    println!("cargo::metadata=include={}", pkg_config(&["--variable=includedir", "latkem"]));
}

fn pkg_config(arguments: &[&str]) -> String {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let done = Command::new(program).args(arguments).output();
    let done = done.unwrap_or_else(|error| panic!("the feature `system` needs pkg-config: {error}"));
    assert!(done.status.success(), "pkg-config: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).trim().to_owned()
}
