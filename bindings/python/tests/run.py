#!/usr/bin/env python3
"""Builds the wheel, installs it into an empty environment without a network, and runs the tests there.

There first the wheel's own commands and the examples of the pages, with nothing else installed; then pytest on what was
installed, with the packages of this Python's environment. --deep: long forms, every Python here from 3.11 on, limits of
time, a second build that must have the same bytes, and the sdist installed too. Options behind -- are pytest's.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "harness" / "packages"))
from support import moved

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "bindings" / "python"
OUT = ROOT / "build" / "python"
OLDEST = (3, 11)
BESIDE = ["pqcrypto==1.0.0", "pqcrypto==0.4.0"]
EXAMPLES = ["README.md", "docs/python.md", "bindings/python/README.md"]


def run(*command: str | Path, **environment: str) -> None:
    subprocess.run(list(map(str, command)), cwd=OUT, env={**os.environ, **environment}, check=True)


def digests() -> dict[str, str]:
    """Of what was built."""
    files = [*OUT.glob("*.whl"), *OUT.glob("*.tar.gz")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def build() -> Path:
    subprocess.run([sys.executable, str(HERE / "make_wheel.py")], check=True)
    return next(OUT.glob("latkem-*.whl"))


def version_of(python: Path) -> tuple[int, int]:
    asked = "import sys; print(*sys.version_info[:2], sys.implementation.name == 'cpython')"
    done = subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True, check=False)
    major, minor, right = [*done.stdout.split(), "0", "0", ""][:3]
    return (int(major), int(minor)) if right == "True" else (0, 0)


def pythons() -> dict[tuple[int, int], Path]:
    """The Python of each version that is here."""
    found = [Path(folder) / name for folder in os.get_exec_path() for name in (f"python3.{n}" for n in range(11, 20))]
    found += sorted(Path.home().glob(".pyenv/versions/*/bin/python3"))
    versions = {version_of(python): python for python in found if python.is_file()}
    return {version: versions[version] for version in sorted(versions) if version >= OLDEST}


def install(python: Path, package: Path, name: str) -> Path:
    """The Python of an empty environment with the package alone, installed without a network."""
    folder = OUT / "env" / name
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", "--without-pip", folder)
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        folder / "bin" / "python",
    ]
    options = ["--no-index", "--no-deps", "--quiet"]
    if package.suffix == ".whl":
        run(*pip, "install", *options, package)
    else:  # the build backend is this environment's
        run(sys.executable, "-m", "pip", "wheel", *options, "--no-build-isolation", "-w", folder / "wheel", package)
        run(*pip, "install", *options, next((folder / "wheel").glob("*.whl")))
    return folder / "bin" / "python"


def examples() -> Iterator[tuple[str, str]]:
    """Each Python example of the pages."""
    for page in EXAMPLES:
        found = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
        if not found:
            sys.exit(f"python: {page} has no example")
        yield from ((page, text) for text in found)


def use(python: Path) -> None:
    """With the package alone."""
    for options in ([], ["bench", "--quick"]):
        run(python, "-I", "-m", "latkem", *options)
    for page, text in examples():
        print(f"python: an example of {page}", flush=True)
        run(python, "-I", "-c", text)


def site(python: Path) -> str:
    asked = "import sysconfig; print(sysconfig.get_path('platlib'))"
    return subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True, check=True).stdout.strip()


def search_path(installed: str) -> str:
    """The installed package, and this environment's packages."""
    return os.pathsep.join([installed, *(entry for entry in sys.path if entry.endswith("-packages"))])


def test(python: Path, installed: str, options: list[str]) -> None:
    """pytest on what was installed; the packages that it needs are those of this environment."""
    pytest: list[str | Path] = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", HERE / "tests", *options]
    run(python, *pytest, PYTHONPATH=search_path(installed), PYTHONDONTWRITEBYTECODE="1")


def test_beside(python: Path, installed: str) -> None:
    """tests/test_moving.py with each package that people move from, which pip fetches."""
    for package in BESIDE:
        folder = OUT / "beside" / package
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        done = subprocess.run([*pip, "--only-binary=:all:", "--upgrade", "--target", folder, package], check=False)
        if done.returncode:
            print(f"python: skipped {package}, as pip has none")
            continue
        path = os.pathsep.join([str(folder), search_path(installed)])
        pytest: list[str | Path] = [
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-rs",
            HERE / "tests/test_moving.py",
        ]
        run(python, *pytest, PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1", LATKEM_TEST_BESIDE=package)


def check_contents(wheel: Path) -> None:
    """The wheel says nothing of the machine that built it, and exports one function."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        extension = archive.read("latkem/_core.abi3.so")
        said = [name for name in names if str(ROOT).encode() in archive.read(name)]
    if said or not {"latkem/py.typed", "latkem/_core.pyi"} <= set(names):
        sys.exit(f"python: {said} say where they were built, or types are missing in {names}")
    (OUT / "extension.so").write_bytes(extension)
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", OUT / "extension.so"], capture_output=True, text=True, check=True
    ).stdout
    if [line.split()[-1] for line in listed.splitlines()] != ["PyInit__core"]:
        sys.exit(f"python: the extension exports more than PyInit__core:\n{listed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deep", action="store_true", help="the long forms")
    parser.add_argument("options", nargs="*", help="of pytest")
    args = parser.parse_args()
    moved("Python", [HERE / "tests" / "test_moving.py"])
    wheel, before = build(), digests()
    check_contents(wheel)
    options = [*args.options, *(["--slow"] if args.deep else [])]
    every = pythons() if args.deep else {sys.version_info[:2]: Path(sys.executable)}
    for version, python in every.items():
        name = ".".join(map(str, version))
        print(f"python: the wheel in Python {name}", flush=True)
        installed = install(python, wheel, name)
        use(installed)
        test(installed, site(installed), options)
        if args.deep and version == sys.version_info[:2]:
            test_beside(installed, site(installed))
    if args.deep:
        run(sys.executable, HERE / "tests" / "speed.py", "--built")
        use(install(Path(sys.executable), next(OUT.glob("*.tar.gz")), "sdist"))
        build()
        if digests() != before:
            sys.exit(f"python: a second build has other bytes: {before}, {digests()}")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"python: {error}")
