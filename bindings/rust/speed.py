#!/usr/bin/env python3
"""Measures the crate latkem beside the C calls, aws-lc-rs and ml-kem, in one process.

It builds the program of compare, or with --built takes that in build/rust. SPDX-License-Identifier: Apache-2.0
"""

import shutil
import sys

from package import HERE, OUT, ROOT, cargo, put_sources, succeed

sys.path.append(str(ROOT / "harness" / "packages"))
import measure

FOLDER = HERE / "compare"
PROGRAM = OUT / "compare" / "release" / "latkem-compare"


def build() -> None:
    if not shutil.which("cargo"):
        raise measure.Absent("there is no cargo")
    fetched = cargo("fetch", "--locked", "--quiet", folder=FOLDER)
    if fetched.returncode != 0:
        raise measure.Absent(f"cargo has no aws-lc-rs: {fetched.stderr.strip()}")
    put_sources()
    compiler = " ".join(measure.run("rustc", "--version").split()[:2])
    environment = {"CARGO_TARGET_DIR": str(OUT / "compare"), "RUSTC_VERSION": compiler}
    succeed("build", "--release", "--locked", "--quiet", folder=FOLDER, env=environment)


def documents(arguments: list[str], built: bool) -> list[str]:
    if not built:
        build()
    if not PROGRAM.exists():
        raise measure.Absent("the program is not built; make rust-speed builds it")
    return [measure.run(PROGRAM, *arguments)]


if __name__ == "__main__":
    sys.exit(measure.main(["Rust"], documents))
