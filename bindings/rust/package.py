#!/usr/bin/env python3
"""Packs the crates latkem-sys and latkem into build/rust, once the C sources are in the former (src/sources.txt). With
--sources it only puts them there. cargo packs the same bytes again from the same tree.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "rust"
CRATES = ["latkem-sys", "latkem"]


def cargo(*arguments: str, folder: Path = HERE, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"CARGO_TARGET_DIR": str(OUT / "target")} | (env or {})
    return subprocess.run(["cargo", *arguments], cwd=folder, env=env, text=True, capture_output=True, check=False)


def succeed(*arguments: str, folder: Path = HERE, env: dict[str, str] | None = None) -> str:
    """Returns the output."""
    done = cargo(*arguments, folder=folder, env=env)
    if done.returncode != 0:
        sys.exit(f"cargo {' '.join(arguments)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def put_sources() -> None:
    """Files that have not changed keep their times, so that cargo compiles nothing again."""
    fresh, vendor = OUT / "vendor", HERE / "latkem-sys" / "vendor"
    subprocess.run([sys.executable, ROOT / "tools" / "sources.py", "--copy", fresh], check=True)
    new = {path.relative_to(fresh): path.read_bytes() for path in fresh.rglob("*") if path.is_file()}
    old = {path.relative_to(vendor): path for path in vendor.rglob("*") if path.is_file()}
    for name, path in old.items():
        if name not in new:
            path.unlink()
    for name, content in new.items():
        if name not in old or old[name].read_bytes() != content:
            (vendor / name).parent.mkdir(parents=True, exist_ok=True)
            (vendor / name).write_bytes(content)
    for crate in CRATES:
        shutil.copyfile(ROOT / "LICENSE", HERE / crate / "LICENSE")


def package() -> list[Path]:
    """The packed crates, in the order in which they depend on each other."""
    put_sources()
    succeed("package", "--workspace", "--no-verify", "--allow-dirty", "--locked", "--quiet")
    packed = [next((OUT / "target" / "package").glob(f"{crate}-[0-9]*.crate")) for crate in CRATES]
    return [Path(shutil.copyfile(path, OUT / path.name)) for path in packed]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", action="store_true", help="only put the sources in place")
    if parser.parse_args().sources:
        put_sources()
        return 0
    for path in package():
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
