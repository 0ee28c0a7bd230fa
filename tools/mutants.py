#!/usr/bin/env python3
"""Plants faults in the code, one at a time, and shows that a test notices each.

The faults are the rows [[mutant]] of tests/mutants/*.toml: faults.py has their schema, and here are two more keys.

    kill = "api_test --gtest_filter=..."   must fail: a test program with arguments, "ctest REGEX", or "sh COMMAND",
                                           which runs in the copy with $TREE, its build folder, and $VENV, that of the
                                           Python packages
    build = "gcc"                          the build that is tested: see BUILDS; gcc if left out
    needs = "go"                           a program without which the row is skipped

A row with a kill command that names avx2 or avx512 is skipped if the CPU does not run that backend.
Each build has a copy of the sources under build/mutants/, so that the checkout stays as it is. Every kill command is
first run without a fault and must pass. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import areas
import faults

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
VENV = ROOT / "build" / "venv"
MINUTES = 20  # for one command, so that a fault that makes a loop endless is seen to


def cross(toolchain: str) -> list[str]:
    return [f"-DCMAKE_TOOLCHAIN_FILE=tools/toolchains/{toolchain}.cmake", "-DLATKEM_GTEST_SOURCE=/usr/src/googletest"]


LIBRARY_ALONE = ["-DLATKEM_BUILD_CLI=OFF", "-DLATKEM_TEST_PARTS=unit;dispatch;api;kat;abi;ct"]
BUILDS = {
    "gcc": ["-DLATKEM_BUILD_PROVIDER=ON"],
    "aarch64": [*cross("aarch64"), *LIBRARY_ALONE],
    "m32": [*cross("m32"), *LIBRARY_ALONE],
}
# The faults are in the logic: a build that takes less time to make shows them as well.
FAST = ["-DCMAKE_C_FLAGS_RELEASE=-O1", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"]
ENVIRONMENT = {"QEMU_CPU": "max", "LATKEM_TEST_ROUNDS": "100"}


@dataclass(frozen=True, kw_only=True)
class Mutant(faults.Named):
    kill: str
    build: str = "gcc"
    needs: str = ""

    @property
    def backend(self) -> str:
        """The backend of x86-64 that the test is about."""
        named = re.search(r"[/=*](avx2|avx512)\b", self.kill)
        return named[1] if named else ""


class Copy:
    """A copy of the sources with a build tree in it."""

    def __init__(self, build: str, mutants: list[Mutant]):
        self.build, self.mutants = build, mutants
        self.source = WORK / build / "latkem"
        self.tree = self.source / "build" / "tree"
        self.log = (WORK / f"{build}.log").open("w")

    def run(self, command: list[str]) -> bool:
        self.log.write(f"$ {shlex.join(command)}\n")
        self.log.flush()
        try:
            return (
                subprocess.run(
                    command, cwd=self.source, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
                    env={**os.environ, **ENVIRONMENT, "TREE": str(self.tree), "VENV": str(VENV)}, timeout=60 * MINUTES,
                    check=False,
                ).returncode
                == 0
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            self.log.write("timed out\n")
            return False

    def prepare(self) -> None:
        faults.copy_sources(ROOT, self.source)
        command = ["cmake", "-G", "Ninja", "-S", ".", "-B", str(self.tree), *FAST, *BUILDS[self.build]]
        if not self.run(command):
            raise SystemExit(f"mutants: '{self.build}' cannot be configured: see {self.log.name}")

    def make(self, kill: str) -> bool:
        program = kill.split()[0]
        if program == "sh":
            targets = ["latkem_static", *re.findall(r"\$TREE/\S*/(\w+)(?=\s)", kill)]
        else:
            targets = [] if program == "ctest" else [program]
        return self.run(["cmake", "--build", str(self.tree), "-j2", *(["--target", *targets] if targets else [])])

    def passes(self, kill: str) -> bool:
        program, arguments = kill.split(maxsplit=1) if " " in kill else (kill, "")
        if program == "ctest":
            return self.run(
                ["ctest", "--test-dir", str(self.tree), "--output-on-failure", "--no-tests=error", "-R", arguments]
            )
        if program == "sh":
            return self.run(["sh", "-c", arguments])
        # That of this build: rows put other builds into folders of the tree.
        found = sorted(
            (path for path in self.tree.rglob(program) if path.is_file() and os.access(path, os.X_OK)),
            key=lambda path: len(path.parts),
        )
        emulator = {"aarch64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]}.get(self.build, [])
        return bool(found) and self.run([*emulator, str(found[0]), "--gtest_brief=1", *shlex.split(arguments)])

    def verdict(self, mutant: Mutant) -> str:
        """Empty if the fault is noticed, else what went wrong. The file is restored, and the next build sees that."""
        try:
            fault = mutant.text(ROOT)
        except faults.FaultError as error:
            return str(error)
        path = self.source / mutant.file
        sound = path.read_text()
        try:
            path.write_text(fault)
            self.log.write(f"\n== {mutant.name}\n")
            if not self.make(mutant.kill):
                return "does not build"
            return "SURVIVED" if self.passes(mutant.kill) else ""
        finally:
            path.write_text(sound)

    def runs(self, backend: str) -> bool:
        """Whether this CPU runs it: there are unit tests of it then."""
        if not self.make("unit_test"):
            raise SystemExit(f"mutants: unit_test of '{self.build}' does not build: see {self.log.name}")
        program = str(self.tree / "tests" / "unit" / "unit_test")
        listing = [program, f"--gtest_filter=*/{backend}", "--gtest_list_tests"]
        return backend in subprocess.run(listing, capture_output=True, text=True, check=True).stdout

    def sound(self, kill: str) -> bool:
        self.log.write(f"\n== without a fault: {kill}\n")
        return self.make(kill) and self.passes(kill)


class Tally:
    """Prints a line for each verdict as it comes, from whichever copy."""

    def __init__(self, total: int):
        self.total, self.done, self.bad, self.skipped = total, 0, 0, 0
        self.lock = threading.Lock()

    def skip(self, mutant: Mutant, reason: str) -> None:
        with self.lock:
            self.done += 1
            self.skipped += 1
            print(f"skipped: {mutant.name}: {reason}", flush=True)

    def note(self, mutant: Mutant, verdict: str, seconds: float) -> None:
        with self.lock:
            self.done += 1
            self.bad += bool(verdict)
            line = f"  {self.done:3}/{self.total} {seconds:4.0f} s  {mutant.build:<8} {mutant.name}"
            print(f"{line}: {verdict or 'killed'}", flush=True)


def try_all(build: str, mutants: list[Mutant], tally: Tally) -> None:
    copy = Copy(build, mutants)
    copy.prepare()
    sound: dict[str, bool] = {}
    runs = {backend: copy.runs(backend) for backend in {m.backend for m in mutants} - {""}}
    for mutant in mutants:
        begin = time.monotonic()
        if mutant.backend and not runs[mutant.backend]:
            tally.skip(mutant, f"this CPU does not run {mutant.backend}")
            continue
        if mutant.kill not in sound:
            sound[mutant.kill] = copy.sound(mutant.kill)
        verdict = copy.verdict(mutant) if sound[mutant.kill] else "its test fails without the fault"
        tally.note(mutant, verdict, time.monotonic() - begin)


def read_mutants() -> list[Mutant]:
    try:
        mutants = faults.read(sorted((ROOT / "tests" / "mutants").glob("*.toml")), Mutant)
    except faults.FaultError as error:
        raise SystemExit(f"mutants: {error}") from error
    for mutant in mutants:
        if mutant.build not in BUILDS:
            raise SystemExit(f"mutants: {mutant.name}: there is no build {mutant.build}")
    return mutants


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="REGEX", default="", help="only faults whose name or file matches")
    parser.add_argument(
        "--check", action="store_true", help="only see that every row of every list still fits the code"
    )
    parser.add_argument("--list", action="store_true", help="only list the faults")
    args = parser.parse_args()

    mutants = [m for m in read_mutants() if re.search(args.only, f"{m.file} {m.name}")]
    if not mutants:
        raise SystemExit("mutants: no fault has such a name or file")
    if args.list:
        print("\n".join(f"{m.build:<8} {m.file:<40} {m.name}" for m in mutants))
        return 0
    if args.check:
        return check(args.only)
    for mutant in (absent := [m for m in mutants if m.needs and not shutil.which(m.needs)]):
        print(f"skipped: {mutant.name}: no {mutant.needs} on this machine")
    mutants = [m for m in mutants if m not in absent]
    print(f"mutants: {len(mutants)} faults, logs in {WORK.relative_to(ROOT)}/", flush=True)
    WORK.mkdir(parents=True, exist_ok=True)
    tally = Tally(len(mutants))
    builds = {build: [m for m in mutants if m.build == build] for build in BUILDS}
    with ThreadPoolExecutor(max_workers=2) as pool:
        runs = [pool.submit(try_all, build, rows, tally) for build, rows in builds.items() if rows]
        for run in runs:
            run.result()
    print(f"{tally.done - tally.bad - tally.skipped} passed, {tally.bad} failed")
    return 1 if tally.bad or tally.done < len(mutants) else 0


def check(only: str) -> int:
    """Of all areas' lists, those of the proofs among them."""
    found = [(name, reason) for name, reason in faults.misfits(ROOT, areas.fault_lists()) if re.search(only, name)]
    bad = [f"{name}: {reason}" for name, reason in found if reason]
    print("\n".join([*bad, f"faults: {len(found)} rows, {len(bad)} do not fit the code"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
