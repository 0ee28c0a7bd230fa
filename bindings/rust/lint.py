#!/usr/bin/env python3
"""rustfmt, clippy and rustdoc over the crates, warnings being errors; --fix lays them out.

SPDX-License-Identifier: Apache-2.0
"""

import sys

from package import HERE, cargo, put_sources, succeed


def main() -> int:
    if "--fix" in sys.argv[1:]:
        succeed("fmt", "--all")
        succeed("fmt", folder=HERE / "compare")
        return 0
    if cargo("fetch", "--locked", "--quiet").returncode != 0:
        print("skipped: cargo cannot fetch the crates that the tests need")
        return 0
    put_sources()
    succeed("fmt", "--all", "--check")
    succeed("fmt", "--check", folder=HERE / "compare")
    succeed("clippy", "--workspace", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings")
    succeed("doc", "--workspace", "--no-deps", "--locked", "--quiet", env={"RUSTDOCFLAGS": "-D warnings"})
    print("rust: layout, clippy and documentation are fine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
