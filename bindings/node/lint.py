#!/usr/bin/env python3
"""clang-tidy over the add-on and what it shares with WebAssembly. SPDX-License-Identifier: Apache-2.0"""

import subprocess
import sys

from package import HERE, NODE, ROOT, lacking

TREE = ROOT / "build" / "lint" / "node"


def main() -> int:
    if lacking():
        print(f"node: skipped, as there is no {lacking()}")
        return 0
    options = [f"-DNODE_INCLUDE={NODE}/include/node", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    cmake = ["cmake", "--log-level=ERROR", "-S", str(HERE), "-B", str(TREE), *options]
    configured = subprocess.run(cmake, cwd=ROOT, check=False).returncode
    tidy = [sys.executable, str(ROOT / "tools" / "tidy.py"), str(TREE), "bindings/node/src/*.c"]
    return configured or subprocess.run(tidy, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
