#!/usr/bin/env python3
"""Secret-independence where valgrind cannot go on AArch64 (the instructions for SHA-3).

Each operation runs in QEMU with different secrets. Its instructions and every address it accesses must be the same, but
in functions with names that end in _vartime, which see public data that follow from these secrets. Two planted leaks
must be found first.

Key pairs from other seeds have other matrices. Sampling these is public and may take more blocks. So only key pairs are
compared with encapsulation keys that take the same steps to prepare, as the most do.

Usage: run_trace_aarch64.py SOURCE_DIR; in the environment BACKENDS, SETS, OPERATIONS, EXCHANGES and COMPILER choose
others, TREE is a folder that keeps what is built for the next run, LIBRARY_TREE a build tree with a library to take if
it is there. SPDX-License-Identifier: Apache-2.0
"""

import os
import sys
import tempfile
from array import array
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "harness"))

from executed.program import run  # noqa: E402
from executed.sections import Block  # noqa: E402
from qemu.program import Program  # noqa: E402
from qemu.recording import ACCESS, Recorder, build_plugin  # noqa: E402

QEMU, OBJDUMP = "qemu-aarch64", "llvm-objdump-19"
COMPILER = os.environ.get("COMPILER", "aarch64-linux-gnu-gcc-12")
BACKENDS = os.environ.get("BACKENDS", "neon-sha3").split()
SETS = os.environ.get("SETS", "ML-KEM-768 Kyber768-90s Saber NTRU-HPS-2048-509 NTRU-HRSS-701").split()
OPERATIONS = os.environ.get("OPERATIONS", "keypair encaps encaps_prepared decaps decaps_prepared").split()
# Of Kyber's sets; that A starts is a keypair and an encaps.
EXCHANGES = os.environ.get("EXCHANGES", "uake_reply uake_finish ake_reply ake_finish").split()
PARTS = os.environ.get("PARTS", "encaps1 encaps2").split()  # of ML-KEM's; decaps_parts is a decaps
SECRETS = [*range(14), 62, 63]  # the last two are bytes of zeros and of ones
LEAKS = ["leak-branch", "leak-index"]


def build_library(folder: Path) -> Path:
    tree = Path(os.environ.get("LIBRARY_TREE", folder))
    if not (tree / "CMakeCache.txt").exists():
        tree = folder
        configure(tree)
    run(["cmake", "--build", str(tree), "--target", "latkem_static"])
    return next((tree / "src").glob("liblatkem*.a"))


def configure(folder: Path) -> None:
    options = [
        f"-DCMAKE_C_COMPILER={COMPILER}",
        "-DBUILD_TESTING=OFF",
        "-DLATKEM_BUILD_CLI=OFF",
        "-DBUILD_SHARED_LIBS=OFF",
    ]
    run(["cmake", "-G", "Ninja", "-S", str(SOURCE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", *options])


def build(folder: Path) -> Path:
    program, flags = folder / "trace_sections", ["-std=c11", "-O2", "-static", "-Wall", "-Wextra", "-Werror"]
    sources = [str(SOURCE / "tests" / "ct" / name) for name in ("trace_sections.c", "traced.c")]
    library = [f"-I{SOURCE / 'include'}", *sources, str(build_library(folder))]
    run([COMPILER, *flags, *library, "-o", str(program)])
    return program


class Comparison:
    """The runs of an operation with several secrets, without what functions for public data did."""

    def __init__(self, recorder: Recorder, backend: str, kem: str, operation: str) -> None:
        self.program = recorder.program
        _, blocks, sections = recorder.run([backend, kem, operation, *map(str, SECRETS)], memory=True)
        self.kept = [self.kept_address(block) for block in blocks]
        if operation == "keypair":
            sections = most_alike(sections[0::2], [self.secret_part(words) for words in sections[1::2]])
        self.runs = len(sections)
        self.first = self.secret_part(sections[0])
        self.differences = [
            difference for words in sections[1:] if words != sections[0] and (difference := self.difference(words))
        ]

    def kept_address(self, block: Block | None) -> int:
        """The address of a block, 0 if it works on public data or does not count."""
        return block.address if block and "_vartime" not in self.program.function(block.address) else 0

    def secret_part(self, words: array) -> array:
        """The addresses of the executed blocks, and of their accesses."""
        kept, block = array("Q"), 0
        for word in words:
            if word & ACCESS:
                if block:
                    kept.append(word)
            elif block := self.kept[word]:
                kept.append(block)
        return kept

    def difference(self, words: array) -> str:
        """The first difference of a run from the first one, or nothing."""
        where, other = 0, self.secret_part(words)
        for a, b in zip(self.first, other, strict=False):
            if a != b:
                what = "an address" if a & b & ACCESS else "a branch after a block"
                return f"{what} in {self.program.function(where)} at {where:x}"
            where = where if a & ACCESS else a
        return "" if len(self.first) == len(other) else "the length"

    def result(self) -> str:
        """The findings that depend on a secret, or nothing."""
        if not self.first:
            return "nothing was traced"
        if self.runs < len(SECRETS) / 2:
            return f"only {self.runs} runs can be compared"
        return "; ".join(f"{what} ({count} runs)" for what, count in Counter(self.differences).items())


def most_alike(sections: list[array], public: list[array]) -> list[array]:
    """Those with the most frequent public work."""
    kinds = [work.tobytes() for work in public]
    most = Counter(kinds).most_common(1)[0][0]
    return [words for words, kind in zip(sections, kinds, strict=True) if kind == most]


def compare(recorder: Recorder, backend: str, kem: str, operation: str) -> bool:
    """Whether an operation does the same with all secrets; prints the result."""
    comparison = Comparison(recorder, backend, kem, operation)
    same = f"{len(comparison.first)} blocks and addresses are the same for {comparison.runs} secrets"
    result = comparison.result()
    verdict = f"DEPENDS ON A SECRET: {result}" if result else same
    print(f"{kem} on {backend}, {operation}: {verdict}\n", end="", flush=True)  # at once: there are other threads
    return not result


def operations_of(kem: str) -> list[str]:
    more = EXCHANGES if kem.startswith("Kyber") else PARTS if kem.startswith("ML-KEM") else []
    return [*OPERATIONS, *more]


def check(folder: Path) -> int:
    executable = build(folder)
    recorder = Recorder(executable, Program(executable, OBJDUMP), build_plugin(folder, QEMU), QEMU)
    for leak in LEAKS:
        if compare(recorder, "portable", "ML-KEM-512", leak):
            print(f"run_trace_aarch64: {leak} is not found", file=sys.stderr)
            return 1
    runs = [(backend, kem, name) for backend in BACKENDS for kem in SETS for name in operations_of(kem)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda arguments: compare(recorder, *arguments), runs))
    return 0 if results and all(results) else 1


def main() -> int:
    if tree := os.environ.get("TREE"):
        Path(tree).mkdir(parents=True, exist_ok=True)
        return check(Path(tree).resolve())
    with tempfile.TemporaryDirectory() as folder:
        return check(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
