#!/usr/bin/env python3
"""Tests the module with go test, with and without cgo, and with the packed module in an empty one; looks for secrets in
a process's memory. --deep also takes longer rounds, the race detector, checks of pointers, CIRCL, clang, and AArch64
in QEMU, and measures.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from package import HERE, MODULE, OUT, ROOT, go, package, put_sources, succeed, version

sys.path += [str(ROOT / "harness" / name) for name in ("memory", "packages")]
from search import search
from support import example, failing_randomness, moved, unpacked_vectors

PAGES = ["README.md", "docs/go.md", "bindings/go/README.md"]
VECTORS = OUT / "vectors"


def run_tests(*options: str, env: dict[str, str] | None = None) -> None:
    print(succeed("test", *options, ".", env={"LATKEM_VECTORS": str(unpacked_vectors(VECTORS))} | (env or {})).strip())


def test_failed_randomness() -> None:
    with tempfile.TemporaryDirectory() as work:
        library = failing_randomness(Path(work))
        program = Path(work, "test")
        succeed("test", "-c", "-o", str(program), ".")
        command = [str(program), "-test.run=FailedRandomness", "-test.v"]
        env = {"LD_PRELOAD": str(library), "LATKEM_TEST_RANDOM_FAILS": "1"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "PASS: TestFailedRandomness" not in done.stdout:
        sys.exit(f"failed randomness:\n{done.stdout}{done.stderr}")
    print("a random generator that fails is an error, and a panic where there is none")


def test_secrets() -> None:
    """Without signals that preempt, because they put registers on the stack, and these may hold a secret."""
    program = OUT / "secrets"
    succeed("build", "-o", str(program), "./tests/secrets")
    count = search(program, {"LD_BIND_NOW": "1", "GODEBUG": "asyncpreemptoff=1"})
    print(f"secrets: {count} found while their keys were open, none after they were closed or collected")


def packed_files() -> dict[str, bytes]:
    proxy = package()
    return {path.relative_to(proxy).as_posix(): path.read_bytes() for path in proxy.rglob("*") if path.is_file()}


def test_packed(program: str, deep: bool) -> None:
    """An empty module takes the packed one from its folder, with no network; also a copy of it, without the folder."""
    files = packed_files()
    if files != packed_files():
        sys.exit("packed twice, the module differs")
    if any(str(ROOT).encode() in content for content in files.values()):
        sys.exit("the packed module shows a path of this machine")
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work, "empty")
        folder.mkdir()
        (folder / "main.go").write_text(program)
        env = {"GOPROXY": f"file://{OUT / 'proxy'}", "GONOSUMDB": MODULE, "GONOSUMCHECK": "1", "GOPATH": f"{work}/path"}
        env |= {"GOFLAGS": "-buildvcs=false -modcacherw", "GOSUMDB": "off"}
        succeed("mod", "init", "example.org/empty", folder=folder, env=env)
        succeed("get", f"{MODULE}@{version()}", folder=folder, env=env)
        for cgo in ["1", "0"]:
            succeed("run", ".", folder=folder, env=env | {"CGO_ENABLED": cgo})
        if deep:
            succeed("mod", "vendor", folder=folder, env=env)
            succeed("run", "-mod=vendor", ".", folder=folder, env=env | {"GOPROXY": "off"})
    print(f"packed: {MODULE} {version()} builds and runs in an empty module without network")


def test_moving() -> None:
    """CIRCL's keys in latkem, in a module of its own. Its sources come from the network."""
    folder = HERE / "tests" / "moving"
    online = {"GOPROXY": os.environ.get("GOPROXY", "https://proxy.golang.org,direct")}
    fetched = go("mod", "download", folder=folder, env=online)
    if fetched.returncode != 0:
        print(f"skipped: go has no CIRCL: {fetched.stderr.strip()}")
        return
    print(succeed("test", ".", folder=folder).strip())


def test_clang() -> None:
    for clang in filter(shutil.which, ["clang-14", "clang-19"]):
        run_tests(env={"CC": clang})


def test_aarch64() -> None:
    """The tests for AArch64, under QEMU."""
    compiler = "aarch64-linux-gnu-gcc-12"
    if not (shutil.which(compiler) and shutil.which("qemu-aarch64")):
        print(f"skipped: {compiler} and qemu-aarch64 are needed")
        return
    env = {"GOARCH": "arm64", "CGO_ENABLED": "1", "CC": compiler}
    run_tests("-exec=qemu-aarch64 -L /usr/aarch64-linux-gnu", "-timeout=60m", env=env)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deep", action="store_true")
    deep = parser.parse_args().deep
    program = example("go", PAGES)
    moved("Go", [HERE / "moving_test.go", HERE / "tests" / "moving" / "moving_test.go"])
    put_sources()
    succeed("vet", "./...")
    run_tests(env={"LATKEM_TEST_DEEP": "1"} if deep else {"GODEBUG": "cgocheck=1"})
    run_tests(env={"CGO_ENABLED": "0"})
    test_failed_randomness()
    test_secrets()
    test_packed(program, deep)
    if deep:
        run_tests("-race")
        run_tests(env={"GOEXPERIMENT": "cgocheck2"})
        test_moving()
        test_clang()
        test_aarch64()
        subprocess.run([sys.executable, ROOT / "bindings" / "go" / "speed.py"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
