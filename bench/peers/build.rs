//! Builds latkem's static library with its own CMake (Release) or takes a build folder from LATKEM_BUILD_DIR, links it,
//! and tells the program which compilers and flags made the C on both sides.
//! SPDX-License-Identifier: Apache-2.0
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    for name in ["CC", "CFLAGS", "LATKEM_BUILD_DIR"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let build = match env::var_os("LATKEM_BUILD_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => build_latkem(),
    };
    let library = build.join("src/liblatkem.a");
    assert!(library.is_file(), "there is no {}", library.display());
    println!("cargo::rerun-if-changed={}", library.display());
    println!("cargo::rustc-link-search=native={}", build.join("src").display());
    println!("cargo::rustc-link-lib=static=latkem");
    tell_latkem_build(&build);
    tell_rival_build();
    tell("PEERS_RUSTC", &first_line(Path::new(&env::var("RUSTC").unwrap())));
}

/// --fresh lets a changed CC or CFLAGS count, as CMake reads them at the first configuration only.
fn build_latkem() -> PathBuf {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    for part in ["src", "include", "CMakeLists.txt"] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let build = PathBuf::from(env::var("OUT_DIR").unwrap()).join("latkem");
    let off = ["BUILD_TESTING", "LATKEM_BUILD_CLI", "BUILD_SHARED_LIBS"].map(|name| format!("-D{name}=OFF"));
    let mut configure = Command::new("cmake");
    configure.arg("--fresh").arg("-S").arg(root).arg("-B").arg(&build);
    run(configure.arg("-DCMAKE_BUILD_TYPE=Release").args(off));
    run(Command::new("cmake").arg("--build").arg(&build).args(["--target", "latkem_static", "--parallel"]));
    build
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

fn tell_latkem_build(build: &Path) {
    let cache = fs::read_to_string(build.join("CMakeCache.txt")).unwrap();
    let value = |name: &str| {
        let line = cache.lines().find(|line| line.starts_with(&format!("{name}:")));
        line.and_then(|line| line.split_once('=')).map_or("", |(_, value)| value.trim())
    };
    let kind = value("CMAKE_BUILD_TYPE");
    let flags = [value("CMAKE_C_FLAGS"), value(&format!("CMAKE_C_FLAGS_{}", kind.to_uppercase()))];
    tell("PEERS_LATKEM_CC", &first_line(Path::new(value("CMAKE_C_COMPILER"))));
    tell("PEERS_LATKEM_FLAGS", &format!("{} {} -fPIC", flags[0], flags[1]));
    tell("PEERS_LATKEM_BUILD_TYPE", kind);
}

/// What the cc crate, with which the rivals build their C, gives every file.
fn tell_rival_build() {
    let tool = cc::Build::new().get_compiler();
    let flags: Vec<_> = tool.args().iter().map(|flag| flag.to_string_lossy()).collect();
    tell("PEERS_RIVAL_CC", &first_line(tool.path()));
    tell("PEERS_RIVAL_FLAGS", &flags.join(" "));
}

fn first_line(program: &Path) -> String {
    let output = Command::new(program).arg("--version").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().unwrap_or_default().to_owned()
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={}", value.trim());
}
