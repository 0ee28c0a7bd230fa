//! Builds liblatkem-protocol with latkem's own CMake (Release) for the hybrids, links it with the library of latkem-sys,
//! and passes to the program which compilers and flags made the C on both sides. With the feature `openssl` the hybrids
//! use the libcrypto that this rival has built; without, the system's, if there is one. With the feature `aws-lc-rs`
//! there is liblatkem-protocol a second time, on this rival's libcrypto. LATKEM_BUILD_DIR is a folder in which latkem is
//! built already: `make peers BUILD=DIR` takes both libraries from it. SPDX-License-Identifier: Apache-2.0
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    for name in ["CC", "CFLAGS", "LATKEM_BUILD_DIR"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let given = env::var_os("LATKEM_BUILD_DIR").map(PathBuf::from);
    let build = given.clone().unwrap_or_else(|| build_protocol("latkem", &on_openssl()));
    let cache = fs::read_to_string(build.join("CMakeCache.txt")).unwrap();
    println!("cargo::rustc-check-cfg=cfg(hybrids, hybrids_on_aws_lc)");
    if build.join("protocol/liblatkem-protocol.a").is_file() {
        println!("cargo::rustc-cfg=hybrids");
        link(&build.join("protocol"), "latkem-protocol");
        link_libcrypto(Path::new(cached(&cache, "OPENSSL_CRYPTO_LIBRARY")));
    }
    if let Some(options) = on_aws_lc() {
        println!("cargo::rustc-cfg=hybrids_on_aws_lc");
        link_second(&build_protocol("latkem-on-aws-lc", &options));
    }
    tell_builds(given.map(|_| cache.as_str()));
    tell("PEERS_RUSTC", &first_line(Path::new(&env::var("RUSTC").unwrap())));
}

fn link(folder: &Path, name: &str) {
    println!("cargo::rerun-if-changed={}", folder.join(format!("lib{name}.a")).display());
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

fn on_openssl() -> Vec<String> {
    let Some(folder) = rivals_libcrypto() else { return Vec::new() };
    let folder = format!("-DOPENSSL_ROOT_DIR={folder}");
    vec![folder, "-DOPENSSL_USE_STATIC_LIBS=ON".to_owned(), "-DLATKEM_BUILD_PROTOCOL=ON".to_owned()]
}

/// The crate aws-lc-sys reports its headers and library, in which every name has its version before it. This is the CMake
/// package that AWS-LC itself would install.
fn on_aws_lc() -> Option<Vec<String>> {
    let reported = |(name, library): (String, String)| {
        let version = name.strip_prefix("DEP_AWS_LC_")?.strip_suffix("_LIBCRYPTO_PATH")?;
        Some((version.to_owned(), library))
    };
    let (version, library) = env::vars().find_map(reported)?;
    let include = env::var(format!("DEP_AWS_LC_{version}_INCLUDE")).unwrap();
    let folder = PathBuf::from(env::var("OUT_DIR").unwrap()).join("aws-lc");
    fs::create_dir_all(&folder).unwrap();
    let package = format!(
        "if(NOT TARGET AWS::crypto)\n  add_library(AWS::crypto STATIC IMPORTED)\nendif()\n\
         set_target_properties(AWS::crypto PROPERTIES IMPORTED_LOCATION \"{library}\" INTERFACE_LINK_LIBRARIES pthread\n    \
         INTERFACE_INCLUDE_DIRECTORIES \"{include}\" INTERFACE_COMPILE_DEFINITIONS BORINGSSL_PREFIX=aws_lc_{version})\n"
    );
    fs::write(folder.join("crypto-config.cmake"), package).unwrap();
    let options = ["-DLATKEM_LIBCRYPTO=AWS-LC", "-DLATKEM_BUILD_PROTOCOL=ON"].map(str::to_owned);
    Some([format!("-Dcrypto_DIR={}", folder.display())].into_iter().chain(options).collect())
}

/// The functions of liblatkem-protocol that the program calls.
const CALLED: [&str; 3] = ["latkem_hybrid_find", "latkem_hybrid_bytes", "latkem_hybrid_open"];

/// Links a second liblatkem-protocol: one object with these names alone, so that it does not meet the first.
fn link_second(build: &Path) {
    let folder = build.join("protocol");
    let (library, object) = (folder.join("liblatkem-protocol.a"), folder.join("second.o"));
    let second = folder.join("liblatkem-protocol-second.a");
    run(Command::new("ld").args(["-r", "--whole-archive"]).arg(&library).arg("-o").arg(&object));
    run(Command::new("objcopy").args(CALLED.map(|name| format!("--keep-global-symbol={name}"))).arg(&object));
    let renamed = CALLED.map(|name| format!("--redefine-sym={name}={name}_on_aws_lc"));
    run(Command::new("objcopy").args(renamed).arg(&object));
    let _ = fs::remove_file(&second);
    run(Command::new("ar").arg("crs").arg(&second).arg(&object));
    link(&folder, "latkem-protocol-second");
}

/// Without the core, which latkem-sys has. --fresh lets a changed CC or CFLAGS count, as CMake reads them at the first
/// configuration only.
fn build_protocol(name: &str, options: &[String]) -> PathBuf {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    for part in ["src", "include", "protocol", "CMakeLists.txt"] {
        println!("cargo::rerun-if-changed={}", root.join(part).display());
    }
    let build = PathBuf::from(env::var("OUT_DIR").unwrap()).join(name);
    let off = ["BUILD_TESTING", "LATKEM_BUILD_CLI", "BUILD_SHARED_LIBS"].map(|name| format!("-D{name}=OFF"));
    let mut configure = Command::new("cmake");
    configure.arg("--fresh").arg("-S").arg(root).arg("-B").arg(&build).args(options);
    run(configure.args(["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_OPTIMIZE_DEPENDENCIES=ON"]).args(off));
    if build.join("protocol").is_dir() {
        run(Command::new("cmake").arg("--build").arg(&build).args([
            "--parallel",
            "--target",
            "latkem_protocol_static",
        ]));
    }
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

/// The crates have their C from the cc crate, which gives every file these options. A given build of latkem has its own.
fn tell_builds(given: Option<&str>) {
    let tool = cc::Build::new().get_compiler();
    let flags: Vec<_> = tool.args().iter().map(|flag| flag.to_string_lossy()).collect();
    let (compiler, flags) = (first_line(tool.path()), flags.join(" "));
    tell("PEERS_RIVAL_CC", &compiler);
    tell("PEERS_RIVAL_FLAGS", &flags);
    match given {
        Some(cache) => tell_given_build(cache),
        None => tell_latkem(&compiler, "latkem-sys", &format!("{flags} -O3")),
    }
}

fn tell_given_build(cache: &str) {
    let value = |name: &str| cached(cache, name);
    let kind = value("CMAKE_BUILD_TYPE");
    let flags = [value("CMAKE_C_FLAGS"), value(&format!("CMAKE_C_FLAGS_{}", kind.to_uppercase()))];
    tell_latkem(&first_line(Path::new(value("CMAKE_C_COMPILER"))), kind, &format!("{} {} -fPIC", flags[0], flags[1]));
}

fn tell_latkem(compiler: &str, kind: &str, flags: &str) {
    tell("PEERS_LATKEM_CC", compiler);
    tell("PEERS_LATKEM_BUILD_TYPE", kind);
    tell("PEERS_LATKEM_FLAGS", flags);
}

fn first_line(program: &Path) -> String {
    let output = Command::new(program).arg("--version").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().unwrap_or_default().to_owned()
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={}", value.trim());
}
