#!/usr/bin/env python3
"""Runs the tests on an extension with the address and undefined-behaviour sanitizers, in this Python's environment.

The extension's files and the parser of key files are compiled with them; the core is that of the wheel's build, which
comes first (run.py or make_wheel.py). Leaks are test_memory.py's. SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "bindings" / "python"
OUT = ROOT / "build" / "python"
SITE = OUT / "asan"
TESTS = ["test_arguments.py", "test_keys.py", "test_known_answers.py", "test_threads.py"]


def compile_extension() -> None:
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(HERE / "latkem", SITE / "latkem", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    folders = [sysconfig.get_path("include"), *(ROOT / name for name in ("include", "src", "protocol"))]
    sources = [*HERE.glob("src/*.c"), *ROOT.glob("protocol/keyfile/*.c")]
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g", "-O1"]
    command = ["gcc", "-std=c11", "-shared", "-fPIC", *checks, "-DPy_LIMITED_API=0x030B0000", "-DLKP_MLKEM_ONLY"]
    command += [f"-I{folder}" for folder in folders] + [str(source) for source in sources]
    library = OUT / "cmake" / "latkem" / "src" / "liblatkem.a"
    subprocess.run([*command, str(library), "-o", str(SITE / "latkem" / "_core.abi3.so")], check=True)


def main() -> int:
    subprocess.run([sys.executable, str(HERE / "make_wheel.py")], check=True)
    compile_extension()
    asked = ["gcc", "-print-file-name=libasan.so"]
    runtime = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    environment = {
        **os.environ,
        "ASAN_OPTIONS": "detect_leaks=0",
        "LD_PRELOAD": runtime,
        "PYTHONMALLOC": "malloc",  # the sanitizer sees each object's bounds
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(SITE),
    }
    tests = [str(HERE / "tests" / name) for name in TESTS]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-s", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, env=environment, cwd=OUT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
