//! Builds the static libraries of OpenSSL 3.5 and 4.0 in FOLDER/3.5 and FOLDER/4.0, unless they are there.
//! SPDX-License-Identifier: Apache-2.0
use std::env;
use std::path::PathBuf;

const TARGET: &str = "x86_64-unknown-linux-gnu";

fn main() {
    let folder = PathBuf::from(env::args().nth(1).expect("usage: latkem-newer-openssl FOLDER"));
    // The crates read variables that Cargo sets for build scripts. No other thread is running.
    for (name, value) in [("OPT_LEVEL", "3"), ("TARGET", TARGET), ("HOST", TARGET), ("DEBUG", "false")] {
        unsafe { env::set_var(name, value) };
    }
    if !folder.join("3.5").is_dir() {
        openssl_3_5::Build::new().target(TARGET).host(TARGET).out_dir(folder.join("3.5")).build();
    }
    if !folder.join("4.0").is_dir() {
        openssl_4_0::Build::new().target(TARGET).host(TARGET).out_dir(folder.join("4.0")).build();
    }
}
