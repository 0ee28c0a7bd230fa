#!/usr/bin/env python3
"""Secret-independence where valgrind cannot go on AArch64 (the instructions for SHA-3).

Each operation runs in QEMU with different secrets. What it executes and every address it accesses must be the same, but
in functions whose names end in _vartime, which see public data that follow from these secrets. Two planted leaks must
be found first. In key generation all keys differ, and with them the matrix and its sampling: one of seven other seeds
must do the same as the first.

Usage: run_trace_aarch64.py SOURCE_DIR; in the environment BACKENDS, SETS, OPERATIONS and COMPILER choose others, TREE
is a folder that keeps what is built for the next run.
SPDX-License-Identifier: Apache-2.0
"""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "bench" / "aarch64"))

from program import Program  # noqa: E402
from recording import ACCESS, Recorder, build_plugin, run  # noqa: E402

QEMU, OBJDUMP = "qemu-aarch64", "llvm-objdump-19"
COMPILER = os.environ.get("COMPILER", "aarch64-linux-gnu-gcc-12")
BACKENDS = os.environ.get("BACKENDS", "neon-sha3").split()
SETS = os.environ.get("SETS", "ML-KEM-768 Kyber768-90s Saber NTRU-HPS-2048-509 NTRU-HRSS-701").split()
SECRETS = {"keypair": 8, "encaps": 2, "encaps_prepared": 2, "decaps": 2, "decaps_prepared": 2}  # how many to try
OPERATIONS = os.environ.get("OPERATIONS", " ".join(SECRETS)).split()
LEAKS = ["leak-branch", "leak-index"]


def build(folder: Path) -> Path:
    options = [
        f"-DCMAKE_C_COMPILER={COMPILER}",
        "-DBUILD_TESTING=OFF",
        "-DLATKEM_BUILD_CLI=OFF",
        "-DBUILD_SHARED_LIBS=OFF",
    ]
    run(["cmake", "-G", "Ninja", "-S", str(SOURCE), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release", *options])
    run(["cmake", "--build", str(folder), "--target", "latkem_static"])
    program, flags = folder / "trace_sections", ["-std=c11", "-O2", "-static", "-Wall", "-Wextra", "-Werror"]
    sources = [str(SOURCE / "tests" / "ct" / name) for name in ("trace_sections.c", "traced.c")]
    library = [f"-I{SOURCE / 'include'}", *sources, str(next(folder.rglob("liblatkem*.a")))]
    run([COMPILER, *flags, *library, "-o", str(program)])
    return program


class Comparison:
    """The sections of one run, without what functions for public data did."""

    def __init__(self, recorder: Recorder, arguments: list[str]) -> None:
        self.program = recorder.program
        _, self.blocks, sections = recorder.run(arguments, memory=True)
        self.traces = [self.secret_part(words) for words in sections]

    def secret_part(self, words: list[int]) -> list[int]:
        """The addresses of the executed blocks, and of their accesses."""
        kept, keep = [], False
        for word in words:
            if word & ACCESS:
                if keep:
                    kept.append(word)
                continue
            block = self.blocks[word]
            keep = block is not None and "_vartime" not in self.program.function(block.address)
            if keep:
                kept.append(block.address)
        return kept

    def difference(self, other: list[int]) -> str:
        """Where a trace first differs from the first one, or nothing."""
        first, where = self.traces[0], 0
        for a, b in zip(first, other, strict=False):
            if a != b:
                what = "an address" if a & b & ACCESS else "a branch after a block"
                return f"{what} in {self.program.function(where)} at {where:x}"
            where = where if a & ACCESS else a
        return "" if len(first) == len(other) else "the length"


def compare(recorder: Recorder, backend: str, kem: str, operation: str, secrets: int) -> bool:
    """Whether one of the other secrets does the same as the first; prints the result."""
    comparison = Comparison(recorder, [backend, kem, operation, *map(str, range(secrets))])
    differences = [comparison.difference(trace) for trace in comparison.traces[1:]]
    if "" in differences and comparison.traces[0]:
        print(
            f"{kem} on {backend}, {operation}: {len(comparison.traces[0])} blocks and addresses are the same",
            flush=True,
        )
        return True
    print(
        f"{kem} on {backend}, {operation}: depends on a secret: {'; '.join(differences) or 'nothing was traced'}",
        flush=True,
    )
    return False


def check(folder: Path) -> int:
    executable = build(folder)
    recorder = Recorder(executable, Program(executable, OBJDUMP), build_plugin(folder, QEMU), QEMU)
    for leak in LEAKS:
        if compare(recorder, "portable", "ML-KEM-512", leak, 2):
            print(f"run_trace_aarch64: {leak} is not found", file=sys.stderr)
            return 1
    runs = [(backend, kem, name, SECRETS[name]) for backend in BACKENDS for kem in SETS for name in OPERATIONS]
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
