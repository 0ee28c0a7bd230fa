#!/usr/bin/env python3
"""gofmt and go vet over the module, with and without cgo; --fix lays the sources out.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys

from package import HERE, put_sources, succeed


def main() -> int:
    paths = [str(path) for path in sorted(HERE.rglob("*.go"))]
    if "--fix" in sys.argv[1:]:
        return subprocess.run(["gofmt", "-l", "-w", *paths], check=False).returncode
    done = subprocess.run(["gofmt", "-l", *paths], capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stdout:
        sys.exit(f"not as gofmt lays out:\n{done.stdout}{done.stderr}")
    put_sources()
    for cgo in ["1", "0"]:
        succeed("vet", "./...", env={"CGO_ENABLED": cgo})
    print("go: layout and vet are fine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
