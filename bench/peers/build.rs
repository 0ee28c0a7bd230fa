//! Builds latkem's static libraries with its own CMake (Release) or takes a build folder from LATKEM_BUILD_DIR, links
//! them, and passes to the program which compilers and flags made the C on both sides. With the feature `openssl`
//! latkem's hybrids use the libcrypto that this rival has built; without, the system's, if there is one.
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
    let cache = fs::read_to_string(build.join("CMakeCache.txt")).unwrap();
    println!("cargo::rustc-check-cfg=cfg(hybrids)");
    if build.join("protocol/liblatkem-protocol.a").is_file() {
        println!("cargo::rustc-cfg=hybrids");
        link(&build.join("protocol"), "latkem-protocol");
        link_libcrypto(Path::new(cached(&cache, "OPENSSL_CRYPTO_LIBRARY")));
    }
    link(&build.join("src"), "latkem");
    tell_latkem_build(&cache);
    tell_rival_build();
    tell("PEERS_RUSTC", &first_line(Path::new(&env::var("RUSTC").unwrap())));
}

fn link(folder: &Path, name: &str) {
    let library = folder.join(format!("lib{name}.a"));
    assert!(library.is_file(), "there is no {}", library.display());
    println!("cargo::rerun-if-changed={}", library.display());
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static={name}");
}

/// If a rival brings libcrypto, its crate links it.
fn link_libcrypto(library: &Path) {
    if rivals_libcrypto().is_none() {
        println!("cargo::rustc-link-search=native={}", library.parent().unwrap().display());
        println!("cargo::rustc-link-lib=dylib=crypto");
    }
}

/// The folder of OpenSSL's headers and libraries, which the crate openssl-sys reports.
fn rivals_libcrypto() -> Option<String> {
    env::var("DEP_OPENSSL_ROOT").ok()
}

/// --fresh lets a changed CC or CFLAGS count, as CMake reads them at the first configuration only.
fn build_latkem() -> PathBuf {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    for part in ["src", "include", "protocol", "CMakeLists.txt"] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let build = PathBuf::from(env::var("OUT_DIR").unwrap()).join("latkem");
    let off = ["BUILD_TESTING", "LATKEM_BUILD_CLI", "BUILD_SHARED_LIBS"].map(|name| format!("-D{name}=OFF"));
    let mut configure = Command::new("cmake");
    configure.arg("--fresh").arg("-S").arg(root).arg("-B").arg(&build);
    if let Some(folder) = rivals_libcrypto() {
        configure.arg(format!("-DOPENSSL_ROOT_DIR={folder}"));
        configure.args(["-DOPENSSL_USE_STATIC_LIBS=ON", "-DLATKEM_BUILD_PROTOCOL=ON"]);
    }
    run(configure.arg("-DCMAKE_BUILD_TYPE=Release").args(off));
    run(Command::new("cmake").arg("--build").arg(&build).arg("--parallel"));
    build
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

fn cached<'a>(cache: &'a str, name: &str) -> &'a str {
    let line = cache.lines().find(|line| line.starts_with(&format!("{name}:")));
    line.and_then(|line| line.split_once('=')).map_or("", |(_, value)| value.trim())
}

fn tell_latkem_build(cache: &str) {
    let value = |name: &str| cached(cache, name);
    let kind = value("CMAKE_BUILD_TYPE");
    let flags = [value("CMAKE_C_FLAGS"), value(&format!("CMAKE_C_FLAGS_{}", kind.to_uppercase()))];
    tell("PEERS_LATKEM_CC", &first_line(Path::new(value("CMAKE_C_COMPILER"))));
    tell("PEERS_LATKEM_FLAGS", &format!("{} {} -fPIC", flags[0], flags[1]));
    tell("PEERS_LATKEM_BUILD_TYPE", kind);
}

/// The options that the cc crate, with which the rivals build their C, gives every file.
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
