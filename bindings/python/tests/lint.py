#!/usr/bin/env python3
"""The package's own checks: mypy --strict over it and a program that uses it, and clang-tidy over the extension.

The extension is configured with the CMake of this Python's environment. SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "bindings" / "python"
TREE = ROOT / "build" / "lint" / "python"


def run(*command: str | Path) -> int:
    """The status of a command, with the tools of this Python's environment first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "MYPYPATH": str(HERE)}
    return subprocess.run(list(map(str, command)), cwd=ROOT, env=environment, check=False).returncode


def main() -> int:
    mypy = [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--cache-dir=build/lint/mypy-package"]
    cmake: list[str | Path] = ["cmake", "-G", "Ninja", "--log-level=ERROR", "-S", HERE, "-B", TREE]
    options = [f"-DPython_ROOT_DIR={sys.base_prefix}", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    return (
        run(*mypy, HERE / "latkem", HERE / "tests" / "program.py")
        | run(*cmake, *options)
        | run(sys.executable, "tools/tidy.py", TREE, "bindings/python/src/*.c")
    )


if __name__ == "__main__":
    sys.exit(main())
