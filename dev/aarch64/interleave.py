#!/usr/bin/env python3
"""Writes src/arch/aarch64/neon/keccak_round_x3.inc: the rounds of Keccak in general and in vector registers as one.

Both rounds are assembled from their sources; each instruction then goes where its share of its own round puts it, so
that machines that issue in order find a scalar instruction beside most vector instructions. With --check, only says
whether the file is up to date.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = "arch/aarch64/neon"
RESULT = ROOT / "src" / FOLDER / "keccak_round_x3.inc"
PLACEHOLDER = 32760  # an offset from sp, for the macro's argument

SCALAR = f"""
#include "{FOLDER}/keccak_round_lazy.inc"
lazy_round {PLACEHOLDER}
"""
# The scalar round leaves the constant in u0.
VECTOR = f"""
#include "{FOLDER}/keccak_round_lazy.inc"
#include "{FOLDER}/keccak_round_x2.inc"
vector_round dup v29.2d, u0
"""

HEADER = """/* Made by dev/aarch64/interleave.py from keccak_round_lazy.inc and keccak_round_x2.inc.
 * SPDX-License-Identifier: Apache-2.0 */

/* constant: where the round constant is, from sp. */
.macro round_x3 constant
"""


def instructions(source: str) -> list[str]:
    """The instructions of an assembly source, macros expanded."""
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder) / "round.o"
        compiler = ["aarch64-linux-gnu-gcc-12", "-x", "assembler-with-cpp", "-I", str(ROOT / "src")]
        subprocess.run([*compiler, "-c", "-o", str(code), "-"], input=source, text=True, check=True)
        command = ["aarch64-linux-gnu-objdump", "-d", "--no-show-raw-insn", str(code)]
        listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^\s+[0-9a-f]+:\t(.*)$", listing, re.MULTILINE)
    return [line.replace(f"#{PLACEHOLDER}", r"#\constant").replace("\t", " ") for line in lines]


def interleaved(first: list[str], second: list[str]) -> list[str]:
    """Both lists in order, merged in proportion to their lengths."""
    places = [((i + 0.5) / len(part), line) for part in (first, second) for i, line in enumerate(part)]
    return [line for _, line in sorted(places, key=lambda place: place[0])]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    lines = interleaved(instructions(VECTOR), instructions(SCALAR))
    text = HEADER + "".join(f"        {line}\n" for line in lines) + ".endm\n"
    if not check:
        RESULT.write_text(text)
    elif text != RESULT.read_text():
        print(f"{RESULT.relative_to(ROOT)} is not what dev/aarch64/interleave.py makes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
