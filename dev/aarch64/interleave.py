#!/usr/bin/env python3
"""Writes the rounds of Keccak on three states, one in general and two in vector registers: keccak_round_x3.inc of each
backend of src/arch/aarch64 that has one.

Both rounds are assembled from their sources; each instruction then goes where its share of its own round puts it, so
that machines that issue in order find a scalar instruction beside most vector instructions. With --check, only says
whether the files are up to date.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = "arch/aarch64"
PLACEHOLDER = 32760  # an offset from sp, for the macro's argument

LAZY = f"{FOLDER}/neon/keccak_round_lazy.inc"
SCALAR = f"lazy_round {PLACEHOLDER}"
# The scalar round leaves the constant in u0.
NEON = (f"{FOLDER}/neon/keccak_round_x2.inc", "vector_round dup v29.2d, u0")
SHA3 = (f"{FOLDER}/neon_sha3/keccak_round_x2.inc", "sha3_round dup v28.2d, u0")

# By the backend's folder the vector round, and how many of its eor3, rax1, xar and bcax stay. They were found by trying
# choices in LLVM's models of Neoverse N2 (half), V1 and V2 (quarter).
ROUNDS = {
    "neon": (NEON, {}),
    "neon_sha3_full": (SHA3, {"eor3": 10, "rax1": 5, "xar": 24, "bcax": 25}),
    "neon_sha3_half": (SHA3, {"eor3": 6, "rax1": 3, "xar": 22, "bcax": 11}),
    "neon_sha3_quarter": (SHA3, {"eor3": 4, "rax1": 5, "xar": 16, "bcax": 8}),
}

HEADER = """/* Made by dev/aarch64/interleave.py from {scalar} and {vector}.
 * SPDX-License-Identifier: Apache-2.0 */

/* constant: where the round constant is, from sp. */
.macro round_x3 constant
"""


def instructions(source: str) -> list[str]:
    """The instructions of an assembly source, macros expanded."""
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder) / "round.o"
        options = ["-march=armv8.2-a+sha3", "-x", "assembler-with-cpp", "-I", str(ROOT / "src")]
        command = ["aarch64-linux-gnu-gcc-12", *options, "-c", "-o", str(code), "-"]
        subprocess.run(command, input=source, text=True, check=True)
        command = ["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", str(code)]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^\s+[0-9a-f]+:\t(.*)$", listing, re.MULTILINE)
    return [line.replace(f"#{PLACEHOLDER}", r"#\constant").replace("\t", " ") for line in lines]


def interleaved(first: list[str], second: list[str]) -> list[str]:
    """Both lists in order, merged in proportion to their lengths."""
    places = [((i + 0.5) / len(part), line) for part in (first, second) for i, line in enumerate(part)]
    return [line for _, line in sorted(places, key=lambda place: place[0])]


def source(included: list[str], native: dict[str, int], macro: str) -> str:
    lines = [f'#include "{name}"' for name in included]
    lines += [f".equ native_{instruction}, {count}" for instruction, count in native.items()]
    return "\n".join([*lines, macro, ""])


def round_x3(folder: str) -> str:
    """The text of a backend's keccak_round_x3.inc."""
    (included, macro), native = ROUNDS[folder]
    vector = instructions(source([LAZY, included], native, macro))
    lines = interleaved(vector, instructions(source([LAZY], {}, SCALAR)))
    header = HEADER.format(scalar=Path(LAZY).name, vector=included.removeprefix(f"{FOLDER}/"))
    return header + "".join(f"        {line}\n" for line in lines) + ".endm\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    stale = []
    for folder in ROUNDS:
        path, text = ROOT / "src" / FOLDER / folder / "keccak_round_x3.inc", round_x3(folder)
        if not check:
            path.write_text(text)
        elif text != path.read_text():
            stale.append(path)
    for path in stale:
        print(f"{path.relative_to(ROOT)} is not what dev/aarch64/interleave.py makes", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
