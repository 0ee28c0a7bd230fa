#!/usr/bin/env python3
"""Tests the crates with cargo, and looks for secrets in a process's memory. --deep also takes longer rounds, the
crate without its features, the packed crates in an empty crate without network, the installed library, AWS-LC,
AArch64 in QEMU and Miri.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from package import HERE, OUT, ROOT, cargo, package, put_sources, succeed

sys.path += [str(ROOT / "harness" / name) for name in ("memory", "packages")]
from search import search
from support import example, moved, unpacked_vectors

BUILD_SCRIPT = """fn main() {
    let headers = std::env::var_os("DEP_LATKEM_INCLUDE").unwrap();
    assert!(std::path::Path::new(&headers).join("latkem/latkem.h").is_file());
}
"""
PAGES = ["README.md", "docs/rust.md", "bindings/rust/latkem/README.md"]  # rustdoc runs the program of the last
VECTORS = OUT / "vectors"


def test_workspace(deep: bool) -> None:
    deeper = {"LATKEM_TEST_DEEP": "1"} if deep else {}
    environment = deeper | {"LATKEM_VECTORS": str(unpacked_vectors(VECTORS))}
    print(succeed("test", "--workspace", "--locked", env=environment).strip())
    if deep:
        succeed("build", "-p", "latkem", "--no-default-features", "--locked")


def test_secrets() -> None:
    succeed("build", "--example", "secrets", "--locked", "--quiet")
    count = search(OUT / "target" / "debug" / "examples" / "secrets", {"LD_BIND_NOW": "1"})
    print(f"secrets: {count} found while their keys were open, none after they were dropped")


def test_packed(program: str) -> None:
    """The crates, unpacked as cargo does it from a registry, and an empty crate that depends on them."""
    again = {path.name: path.read_bytes() for path in package()}
    packed = package()
    if any(again[path.name] != path.read_bytes() for path in packed):
        sys.exit("packed twice, the crates differ")
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "empty"
        (folder / "src").mkdir(parents=True)
        for path in packed:
            with tarfile.open(path) as tar:
                tar.extractall(work, filter="data")
            for member in Path(work, path.stem).rglob("*"):
                if member.is_file() and str(ROOT).encode() in member.read_bytes():
                    sys.exit(f"{member.name} of {path.name} shows a path of this machine")
        sys_crate, crate = (path.stem for path in packed)
        manifest = f"""[package]\nname = "empty"\nedition = "2024"\n[dependencies]\nlatkem = "*"\nlatkem-sys = "*"
            [patch.crates-io]\nlatkem = {{ path = "../{crate}" }}\nlatkem-sys = {{ path = "../{sys_crate}" }}\n"""
        (folder / "Cargo.toml").write_text(manifest)
        (folder / "build.rs").write_text(BUILD_SCRIPT)
        (folder / "src" / "main.rs").write_text(program)
        succeed("run", "--offline", "--quiet", folder=folder, env={"CARGO_TARGET_DIR": f"{work}/target"})
    print(f"packed: {crate} builds and runs in an empty crate without network")


def test_installed() -> None:
    """The feature `system`, with a library that is installed into a folder."""
    prefix, build = OUT / "installed", OUT / "installed-build"
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DLATKEM_BUILD_CLI=OFF"]
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), *options, f"-DCMAKE_INSTALL_PREFIX={prefix}"]
    done = subprocess.run(configure, check=True, capture_output=True, text=True)
    if not (build / "protocol").exists():
        print(f"skipped: liblatkem-protocol is not built here: {done.stderr.strip()}")
        return
    subprocess.run(["cmake", "--build", build, "--target", "install"], check=True, capture_output=True)
    libraries = next(prefix.glob("lib*/**/pkgconfig")).parent
    environment = {"PKG_CONFIG_PATH": f"{libraries}/pkgconfig", "LD_LIBRARY_PATH": str(libraries)}
    command = ["test", "-p", "latkem", "--features", "system", "--locked", "--tests"]
    environment |= {"CARGO_TARGET_DIR": str(OUT / "target-system"), "LATKEM_VECTORS": str(unpacked_vectors(VECTORS))}
    print(succeed(*command, env=environment).strip())


def test_beside_others() -> None:
    """AWS-LC, which takes minutes to build, and the pqcrypto crates; without their sources nothing is compared."""
    folder, env = HERE / "compare", {"CARGO_TARGET_DIR": str(OUT / "compare")}
    fetched = cargo("fetch", "--locked", "--quiet", folder=folder)
    if fetched.returncode != 0:
        print(f"skipped: cargo has no aws-lc-rs: {fetched.stderr.strip()}")
        return
    print(succeed("test", "--release", "--locked", folder=folder, env=env).strip())


def test_aarch64() -> None:
    """The crate for AArch64, under QEMU."""
    target, tools = "aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc-12"
    where = ["rustc", "--print", "target-libdir", "--target", target]
    library = subprocess.run(where, capture_output=True, text=True, check=False).stdout.strip()
    if not (Path(library).is_dir() and shutil.which(tools) and shutil.which("qemu-aarch64")):
        print(f"skipped: for {target} rustup's target, {tools} and qemu-aarch64 are needed")
        return
    upper, lower = target.upper().replace("-", "_"), target.replace("-", "_")
    env = {
        f"CARGO_TARGET_{upper}_LINKER": tools,
        f"CC_{lower}": tools,
        "LATKEM_VECTORS": str(unpacked_vectors(VECTORS)),
    }
    env |= {f"AR_{lower}": "aarch64-linux-gnu-ar"}
    env |= {f"CARGO_TARGET_{upper}_RUNNER": "qemu-aarch64 -L /usr/aarch64-linux-gnu"}
    print(succeed("test", "-p", "latkem", "--tests", "--target", target, "--locked", env=env).strip())


def test_miri() -> None:
    """Miri over the parts that call no C: memory, and values that are made once."""
    if cargo("+nightly", "miri", "--version").returncode != 0:
        print("skipped: there is no Miri (rustup component add --toolchain nightly miri rust-src)")
        return
    env = {"MIRIFLAGS": "-Zmiri-strict-provenance", "CARGO_TARGET_DIR": str(OUT / "miri")}
    print(succeed("+nightly", "miri", "test", "-p", "latkem", "--lib", "--locked", env=env).strip())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deep", action="store_true")
    deep = parser.parse_args().deep
    program = example("rust", PAGES)
    moved("Rust", [HERE / folder / "tests" / "moving.rs" for folder in ("latkem", "compare")])
    fetched = cargo("fetch", "--locked", "--quiet")
    if fetched.returncode != 0:
        print(f"skipped: cargo has no crates: {fetched.stderr.strip()}")
        return 0
    put_sources()
    test_workspace(deep)
    test_secrets()
    if deep:
        test_packed(program)
        test_installed()
        test_beside_others()
        test_aarch64()
        test_miri()
    return 0


if __name__ == "__main__":
    sys.exit(main())
