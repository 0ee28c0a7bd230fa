#!/usr/bin/env python3
"""Runs the tests of latkem, in one of two rungs, and closes with a plain line of passes and failures.

The quick rung (`make test`) takes at most ten minutes on two cores and fails for a fault in any kernel of any backend,
in the schemes, the API or the command. The deep rung (`make test DEEP=1`) runs everything: all compilers, levels and
CPUs, all traces, long fuzzing, the planted faults; it takes up to an hour. Each step is a build configuration with its
CTest suites, or a script; a step's log is kept under build/test/. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "test"
JOBS = str(os.cpu_count() or 2)


@dataclass
class Result:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: "Result", part: str = "") -> None:
        """Adds the counts of another, and where it is a part of this one its notes."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.notes += [f"{part}: {note}" for note in other.notes] if part else []


@dataclass
class Suite:
    """A build tree whose CTest suites are run, once or on each of the CPUs that QEMU is to emulate; `needs` are the
    programs without which it is skipped."""

    name: str
    cmake: list[str]
    ctest: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    cpus: list[str] = field(default_factory=list)
    minutes: float = 60

    def run(self, log: Path) -> Result:
        if lacking := lacks(self.needs):
            return lacking
        tree = OUT / self.name
        configure = ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(tree), "-DLATKEM_WERROR=ON", *self.cmake]
        if not call(configure, log) or not call(["cmake", "--build", str(tree), "-j", JOBS], log):
            return Result(failed=1, notes=["does not build"])
        if not self.cpus:
            return self.test(tree, log, self.env)
        result = Result()
        for cpu in self.cpus:
            result.add(self.test(tree, log, {**self.env, "QEMU_CPU": cpu}), cpu)
        return result

    def test(self, tree: Path, log: Path, env: dict[str, str]) -> Result:
        report, parts_of_programs = tree / "report.xml", tree / "gtest"
        report.unlink(missing_ok=True)
        shutil.rmtree(parts_of_programs, ignore_errors=True)
        ctest = ["ctest", "--test-dir", str(tree), "-j", JOBS, "--output-on-failure", "--no-tests=error"]
        call([*ctest, "--output-junit", str(report), *self.ctest], log, env, self.minutes)
        return read_results(report, parts_of_programs)


@dataclass
class Script:
    """A command that succeeds or fails as one test; `needs` as above, `machine` the only one that it is for."""

    name: str
    command: list[str]
    needs: list[str] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    machine: str = ""
    minutes: float = 60

    def run(self, log: Path) -> Result:
        if self.machine and self.machine != platform.machine():
            return Result(skipped=1, notes=[f"skipped: for {self.machine} only"])
        if lacking := lacks(self.needs):
            return lacking
        passed = call(self.command, log, self.env, self.minutes)
        skipped = [line.strip() for line in log.read_text(errors="replace").splitlines() if "skipped: " in line]
        return Result(passed=int(passed), failed=int(not passed), skipped=len(skipped), notes=skipped)


def lacks(programs: list[str]) -> Result | None:
    for program in programs:
        if not shutil.which(program):
            return Result(skipped=1, notes=[f"skipped: no {program} on this machine"])
    return None


def call(command: list[str], log: Path, env: dict[str, str] | None = None, minutes: float = 60) -> bool:
    with log.open("a") as out:
        out.write(f"$ {' '.join(command)}\n")
        out.flush()
        try:
            done = subprocess.run(
                command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=ROOT,
                env={**os.environ, **(env or {})}, timeout=60 * minutes, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            out.write(f"{error}\n")
            return False
    return done.returncode == 0


def read_results(report: Path, parts_of_programs: Path) -> Result:
    """CTest's report. Where a test of it is a part of a GoogleTest program, that part's own report counts, if it wrote
    one that explains CTest's verdict."""
    if not report.exists():
        return Result(failed=1, notes=["no tests were run"])
    result, reasons = Result(), {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        tests = read_part(parts_of_programs / f"{case.get('name')}.xml")
        verdict = (case.get("name"), verdict_of_ctest(case), skip_reason(case.findtext("system-out") or ""))
        explained = bool(tests) and (verdict[1] == "passed") == all(test[1] != "failed" for test in tests)
        for name, outcome, reason in tests if explained else [verdict]:
            setattr(result, outcome, getattr(result, outcome) + 1)
            if outcome == "failed":
                result.notes.append(f"FAILED: {name}")
            if outcome == "skipped":
                reasons[reason] = reasons.get(reason, 0) + 1
    result.notes += [f"{count} skipped: {reason}" for reason, count in sorted(reasons.items())]
    return result


def verdict_of_ctest(case: ElementTree.Element) -> str:
    return {"run": "passed", "disabled": "skipped", "notrun": "skipped", "skipped": "skipped"}.get(
        case.get("status") or "", "failed"
    )


def read_part(report: Path) -> list[tuple[str, str, str]]:
    """Name, outcome and reason for skipping of each test in a report of GoogleTest."""
    if not report.exists():
        return []
    tests = []
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        skipped = case.find("skipped")
        outcome = "failed" if case.find("failure") is not None else "passed" if skipped is None else "skipped"
        reason = "" if skipped is None else skip_reason(skipped.get("message") or "")
        tests.append((f"{case.get('classname')}.{case.get('name')}", outcome, reason))
    return tests


def skip_reason(text: str) -> str:
    for line in text.splitlines():
        if "skipped:" in line:
            return line.split("skipped:", 1)[1].strip()
    return "no reason given"


def parts(names: str) -> list[str]:
    return [f"-DLATKEM_TEST_PARTS={names}", "-DLATKEM_BUILD_CLI=OFF"]


def optimised(compiler: str, level: str, names: str = "kat") -> list[str]:
    return [f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS_RELEASE={level}", *QUICK_CXX, *parts(names)]


def rounds(count: int) -> dict[str, str]:
    """How many rounds the accumulated digests have."""
    return {"LATKEM_TEST_ROUNDS": str(count)}


def foreign(toolchain: str, folders: str) -> list[str]:
    return [
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/tools/toolchains/{toolchain}.cmake",
        "-DLATKEM_GTEST_SOURCE=/usr/src/googletest",
        *parts(folders),
    ]


CLANG = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]

# The library is compiled as it ships. Its tests and the command are compiled faster than they would run fastest.
QUICK_CXX = ["-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"]


def sanitized(kind: str) -> list[str]:
    flags = f"-fsanitize={kind} -fno-sanitize-recover=all -fno-omit-frame-pointer -g"
    built = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1"]
    return [*CLANG, f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}", *built]


AARCH64 = ["aarch64-linux-gnu-gcc-12", "qemu-aarch64"]


def quick_steps() -> list[Suite | Script]:
    return [
        Script("layers", [sys.executable, "tools/check_layers.py"]),
        Script("planted-faults-fit", [sys.executable, "tools/mutants.py", "--check"]),
        Suite("gcc", QUICK_CXX, env=rounds(1000)),
        Script(
            "secret-independence",
            ["sh", "tests/ct/run_ct.sh", "."],
            env={"COMPILERS": "clang-19", "LEVELS": "-O2"},
            needs=["valgrind", "clang-19"],
        ),
        Script("traces", ["sh", "tests/ct/run_trace.sh", "."], needs=["gcc"], machine="x86_64"),
        Suite(
            "aarch64",
            [*QUICK_CXX, *foreign("aarch64", "unit;dispatch;api;kat;abi;ct")],
            env=rounds(100),
            cpus=["max"],
            needs=AARCH64,
        ),
        Script(
            "aarch64-traces",
            [sys.executable, "tests/ct/run_trace_aarch64.py", "."],
            env={"BACKENDS": "neon neon-sha3"},
            needs=[*AARCH64, "llvm-objdump-19"],
        ),
        Script("system-randomness", ["sh", "tests/platforms/os_random.sh"]),
        Script("configuring", ["bash", "tests/platforms/configure.sh"]),
        Script("platforms", ["bash", "tests/platforms/run.sh", "cortex-m4", "wasi", "musl", "armv7", "riscv64"]),
        Script("python", ["build/venv/bin/python", "-m", "pytest", "-q", "-n", JOBS, "evaluate/tests"]),
    ]


def deep_steps() -> list[Suite | Script]:
    return [
        Script("layers", [sys.executable, "tools/check_layers.py"]),
        Suite("gcc", ["-DLATKEM_BUILD_BENCH=ON"]),
        Suite("gcc-O2", optimised("gcc", "-O2"), env=rounds(1000)),
        Suite("clang-O2", optimised("clang", "-O2"), env=rounds(1000), needs=["clang"]),
        Suite("clang-O3", optimised("clang", "-O3"), env=rounds(1000), needs=["clang"]),
        Suite("clang-19", optimised("clang-19", "-O2", "unit;dispatch;kat;ct"), env=rounds(1000), needs=["clang-19"]),
        Suite(
            "sanitizers",
            [*sanitized("address,undefined"), "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"],
            env=rounds(100),
            needs=["clang"],
        ),
        Suite("threads", [*sanitized("thread"), *parts("api")], ctest=["-R", "^threads$"], needs=["clang"]),
        Script(
            "secret-independence",
            ["sh", "tests/ct/run_ct.sh", "."],
            env={"COMPILERS": "gcc clang clang-19", "LEVELS": "-O1 -O2 -O3 -Os"},
            needs=["valgrind", "clang", "clang-19"],
        ),
        Script(
            "traces",
            ["sh", "tests/ct/run_trace.sh", "."],
            env={"COMPILERS": "gcc clang-19", "BACKENDS": "portable avx2 avx512"},
            needs=["gcc", "clang-19"],
            machine="x86_64",
        ),
        Suite("32-bit", foreign("m32", "unit;dispatch;api;kat"), env=rounds(1000), needs=["gcc-12"]),
        Suite(
            "big-endian",
            foreign("s390x", "unit;dispatch;kat"),
            env=rounds(100),
            needs=["s390x-linux-gnu-gcc-12", "qemu-s390x"],
        ),
        Suite(
            "aarch64",
            foreign("aarch64", "unit;dispatch;kat;abi;ct"),
            env=rounds(100),
            cpus=["cortex-a53", "cortex-a72", "neoverse-n1", "max"],
            needs=AARCH64,
        ),
        # In its quick form: all else of it would be the same on each machine, and take QEMU long.
        Suite(
            "aarch64-api",
            [*QUICK_CXX, *foreign("aarch64", "api")],
            env={"LATKEM_TEST_DEEP": ""},
            cpus=["max"],
            needs=AARCH64,
        ),
        Suite(
            "aarch64-clang",
            foreign("aarch64-clang", "unit;dispatch;abi;ct"),
            cpus=["max"],
            needs=["clang", *AARCH64],
        ),
        Script(
            "aarch64-secrets",
            ["sh", "tests/ct/run_ct_aarch64.sh", ".", str(ROOT / "build/arm64")],
            needs=[str(ROOT / "build/arm64/usr/bin/valgrind"), "clang", *AARCH64],
        ),
        Script(
            "aarch64-traces",
            [sys.executable, "tests/ct/run_trace_aarch64.py", "."],
            env={"BACKENDS": "neon neon-sha3"},
            needs=[*AARCH64, "llvm-objdump-19"],
        ),
        Script(
            "aarch64-interleaved",
            [sys.executable, "dev/aarch64/interleave.py", "--check"],
            needs=["aarch64-linux-gnu-gcc-12", "aarch64-linux-gnu-objdump"],
        ),
        Script(
            "aarch64-counts",
            [sys.executable, "bench/aarch64/cost_model.py", "--only", "operations", "--counts", "--check"],
            needs=[*AARCH64, "llvm-objdump-19"],
        ),
        Script("fuzz", ["bash", "tests/fuzz/run.sh", "60"], needs=["clang"]),
        Script("system-randomness", ["sh", "tests/platforms/os_random.sh"]),
        Script("configuring", ["bash", "tests/platforms/configure.sh"]),
        Script("platforms", ["bash", "tests/platforms/run.sh"]),
        Suite(
            "wine",
            foreign("mingw", "unit;api;kat"),
            env={**rounds(100), "WINEDEBUG": "-all", "WINEPREFIX": str(ROOT / "build/wine")},
            needs=["x86_64-w64-mingw32-g++-posix", "wine"],
        ),
        Script("python", ["build/venv/bin/python", "-m", "pytest", "-q", "-n", JOBS, "evaluate/tests"]),
        Script("planted-faults", [sys.executable, "tools/mutants.py"], needs=AARCH64, minutes=60),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="STEP", action="append", help="run only this step (may be given again)")
    parser.add_argument("--deep", action="store_true", help="the deep rung: everything, up to an hour")
    args = parser.parse_args()

    OUT.mkdir(parents=True, exist_ok=True)
    if args.deep:
        os.environ["LATKEM_TEST_DEEP"] = "1"
    steps = deep_steps() if args.deep else quick_steps()
    chosen = [step for step in steps if not args.only or step.name in args.only]
    if unknown := set(args.only or []) - {step.name for step in steps}:
        parser.error(f"no step {sorted(unknown)[0]}; there are: {', '.join(step.name for step in steps)}")
    rung = "deep" if args.deep else "quick"
    where = f"on {platform.machine()}, logs in {OUT.relative_to(ROOT)}/"
    print(f"latkem tests, {rung} rung: {len(chosen)} steps {where}", flush=True)
    begun, total = time.monotonic(), Result()
    for step in chosen:
        log = OUT / f"{step.name}.log"
        log.unlink(missing_ok=True)
        begin = time.monotonic()
        result = step.run(log)
        seconds = time.monotonic() - begin
        total.add(result)
        counts = f"{result.passed} passed, {result.failed} failed, {result.skipped} skipped"
        print(f"  {step.name:<20} {seconds:6.0f} s   {counts}", flush=True)
        for note in result.notes:
            print(f"      {note}", flush=True)
        if result.failed:
            print(f"      see {log.relative_to(ROOT)}", flush=True)
    print(f"  {'in all':<20} {time.monotonic() - begun:6.0f} s")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped")
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main())
