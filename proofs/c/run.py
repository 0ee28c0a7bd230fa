#!/usr/bin/env python3
"""Proves what lies above the kernels, for all inputs up to stated lengths, with CBMC, Frama-C's Eva and plain trials.

The proofs stand in proofs.toml, the programs that they check in harness/:

    [[proof]]
    name = "ct-differ"           unique
    of = "src/base/ct.h"         what is proved
    claim = "..."                what of it
    inputs = "up to 20 bytes"    for which inputs
    tool = "cbmc"                or "eva"; or "trials": a C++ program that tries every input, under sanitizers;
                                 or "none": not proved, for the reason `why`
    harness = "base.c"           in harness/
    entry = "prove_differ"       its function, for cbmc and eva
    unwind = 21                  turns of a loop and one more; too few of them fail
    options = ["..."]            of the tool, beside the usual ones
    quick = true                 is part of --quick
    [[proof.fault]]              a fault that must make it fail: in a copy of the sources
    file = "src/base/ct.h"       this file
    find = "text"                has in place of this text, which occurs there exactly once,
    replace = "faulty text"      that one

A proof covers memory safety, undefined behaviour and the claims of its harness. --faults runs the proofs with their
faults instead, each of which must be refused. What was found is kept in build/proofs/c.json, or c-faults.json.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path("proofs/c")
BUILD = ROOT / "build" / "proofs"
CBMC = BUILD / "cbmc" / "cbmc"
INCLUDES = ["-Isrc", "-Iinclude", "-Iprotocol", "-Icli", f"-I{HERE / 'harness'}"]
COPIED = ["src", "include", "protocol", "cli", str(HERE / "harness")]
MINUTES = 15  # of processor time, for one proof

PROVED, FAILED, OPEN = "proved", "failed", "not applicable"
# Undefined behaviour and memory safety, beside the claims; a loop with more turns than are unrolled fails.
CBMC_CHECKS = ["--unwinding-assertions", "--pointer-overflow-check", "--signed-overflow-check", "--object-bits", "10"]
EVA_CHECKS = ["-eva", "-machdep", "gcc_x86_64", "-eva-precision", "4", "-eva-auto-loop-unroll", "300"]
SANITIZERS = ["-std=c++17", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class ProofError(Exception):
    """What cannot be tried at all."""


@dataclass(frozen=True)
class Fault:
    file: str
    find: str
    replace: str

    def plant(self, tree: Path) -> None:
        path = tree / self.file
        text = path.read_text()
        if (count := text.count(self.find)) != 1:
            raise ProofError(f"'find' occurs {count} times in {self.file}")
        path.write_text(text.replace(self.find, self.replace))


@dataclass(frozen=True)
class Proof:
    name: str
    of: str
    claim: str
    tool: str
    inputs: str = ""
    harness: str = ""
    entry: str = ""
    unwind: int = 0
    options: list[str] = field(default_factory=list)
    quick: bool = False
    why: str = ""
    fault: list[dict[str, str]] = field(default_factory=list)

    @property
    def faults(self) -> list[Fault]:
        return [Fault(**table) for table in self.fault]

    @property
    def path(self) -> str:
        return str(HERE / "harness" / self.harness)


@dataclass(frozen=True)
class Trial:
    """A proof, or with a fault its number."""

    proof: Proof
    fault: int | None = None

    @property
    def name(self) -> str:
        return self.proof.name + ("" if self.fault is None else f"+fault-{self.fault + 1}")


@dataclass
class Finding:
    """What a tool says of a proof."""

    verdict: str
    checks: int = 0  # that it made
    witness: str = ""  # the input, or what does not hold; or why it is not applicable


@dataclass
class Result:
    trial: Trial
    finding: Finding
    seconds: float

    def as_expected(self) -> bool:
        """Whether it is proved, or known to be open; with a fault, whether it is refused."""
        refused = self.finding.verdict == FAILED
        return refused if self.trial.fault is not None else not refused

    def row(self) -> dict[str, Any]:
        proof = self.trial.proof
        row = {key: getattr(proof, key) for key in ("of", "claim", "inputs", "tool", "quick")}
        if self.trial.fault is not None:
            row["fault"] = asdict(proof.faults[self.trial.fault])
        return {"name": self.trial.name, **row, **asdict(self.finding), "seconds": round(self.seconds, 1)}


# ---- Tools ----


@dataclass
class Tree:
    """Sources, and the processor time that tools spent on them: a machine that is busy or paused changes no result."""

    path: Path
    seconds: float = 0

    def run(self, command: list[str]) -> tuple[int, str, str]:
        """The command's status, output and errors."""
        limited = ["sh", "-c", f'ulimit -t {60 * MINUTES}; exec "$@"', "sh", *command]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            process = subprocess.Popen(limited, cwd=self.path, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds += usage.ru_utime + usage.ru_stime
            if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                raise ProofError(f"no answer in {MINUTES} minutes of processor time")
            out.seek(0), err.seek(0)
            return process.returncode, out.read(), err.read()


def values_in(trace: list[dict[str, Any]], harness: str) -> str:
    """The last values of the harness's variables in a counterexample."""
    values = {}
    for step in trace:
        data = step.get("value", {}).get("data")
        at_home = step.get("sourceLocation", {}).get("file", "").endswith(harness)
        name = step.get("lhs", "$")
        if step.get("stepType") == "assignment" and at_home and data and "$" not in name:
            values |= {} if name.startswith("return_value") else {name: data}
    return ", ".join(f"{name}={data}" for name, data in list(values.items())[:24])


def read_cbmc(messages: list[dict[str, Any]], harness: str) -> Finding:
    """What CBMC says in JSON: a list of messages, the claims among them."""
    status = next((message["cProverStatus"] for message in messages if "cProverStatus" in message), None)
    claims = next((message["result"] for message in messages if "result" in message), [])
    if status == "success":
        return Finding(PROVED, len(claims))
    failures = [claim for claim in claims if claim["status"] == "FAILURE"]
    if status != "failure" or not failures:
        errors = [m["messageText"] for m in messages if m.get("messageType") == "ERROR"]
        raise ProofError("; ".join(errors) or "CBMC gave no verdict")
    first = failures[0]
    at = first.get("sourceLocation", {})
    values = values_in(first.get("trace", []), harness)
    where = f"{at.get('file', '?')}:{at.get('line', '?')} ({at.get('function', '?')})"
    return Finding(FAILED, len(claims), f"{first['description']} at {where}; {values}")


def prove_cbmc(tree: Tree, proof: Proof) -> Finding:
    if not CBMC.exists():
        return Finding(OPEN, witness=f"CBMC is not here: {HERE / 'fetch_cbmc.sh'} fetches it")
    command = [str(CBMC), proof.path, "--function", proof.entry, *INCLUDES, "--unwind", str(proof.unwind)]
    status, said, errors = tree.run([*command, *CBMC_CHECKS, *proof.options, "--trace", "--json-ui"])
    try:
        return read_cbmc(json.loads(said), proof.harness)
    except json.JSONDecodeError as error:
        raise ProofError(f"CBMC ended with {status}: {errors[-300:]}") from error


def read_eva(said: str) -> Finding:
    """What Eva's summary says of its alarms and of the harness's assertions."""
    alarms = re.search(r"(\d+|No) alarms? generated", said, re.IGNORECASE)
    claims = re.search(r"Assertions\s+(\d+) valid\s+(\d+) unknown\s+(\d+) invalid", said)
    if not alarms or not claims:
        raise ProofError(f"Eva gave no verdict: {said[-300:]}")
    valid, unknown, invalid = (int(number) for number in claims.groups())
    if alarms[1].lower() in ("0", "no") and unknown == invalid == 0 and valid > 0:
        return Finding(PROVED, valid)
    broken = re.findall(r"\[eva:alarm\] (.*(?:\n .*)*)", said)
    return Finding(FAILED, valid + unknown + invalid, re.sub(r"\s+", " ", "; ".join(broken[:3])))


def prove_eva(tree: Tree, proof: Proof) -> Finding:
    if not shutil.which("frama-c"):
        return Finding(OPEN, witness="no frama-c on this machine")
    preprocess = "-cpp-extra-args=" + " ".join(INCLUDES)
    command = ["frama-c", proof.path, "-main", proof.entry, preprocess, *EVA_CHECKS, *proof.options]
    _, said, errors = tree.run(command)
    return read_eva(said + errors)


def prove_by_trials(tree: Tree, proof: Proof) -> Finding:
    if not (compiler := shutil.which("g++")):
        return Finding(OPEN, witness="no g++ on this machine")
    program = BUILD / f"{tree.path.name}-{proof.name}"
    status, _, errors = tree.run([compiler, *SANITIZERS, *INCLUDES, *proof.options, proof.path, "-o", str(program)])
    if status != 0:
        raise ProofError(f"{proof.harness} does not build: {errors[-1000:]}")
    status, said, errors = tree.run([str(program)])
    if status != 0:
        return Finding(FAILED, witness=errors.strip()[:500])
    return Finding(PROVED, int(said))  # the inputs that it tried


TOOLS = {"cbmc": prove_cbmc, "eva": prove_eva, "trials": prove_by_trials}

# ---- Rows ----


def read_proofs(path: Path) -> list[Proof]:
    proofs = [Proof(**table) for table in tomllib.loads(path.read_text())["proof"]]
    names = [proof.name for proof in proofs]
    if twins := {name for name in names if names.count(name) > 1}:
        raise ProofError(f"several proofs have the name {sorted(twins)[0]!r}")
    for proof in proofs:
        if proof.tool not in (*TOOLS, "none"):
            raise ProofError(f"{proof.name}: no tool {proof.tool!r}")
        if (proof.tool == "none") != bool(proof.why):
            raise ProofError(f"{proof.name}: a proof has a tool, or says why not")
        if proof.tool != "none" and not proof.fault:
            raise ProofError(f"{proof.name}: no fault is planted for it")
    return proofs


def trials(proofs: list[Proof], faults: bool) -> Iterator[Trial]:
    for proof in proofs:
        if faults:
            yield from (Trial(proof, number) for number in range(len(proof.fault)))
        else:
            yield Trial(proof)


def faulty_copy(trial: Trial) -> Path:
    """The sources with the trial's fault."""
    assert trial.fault is not None
    tree = BUILD / "faults" / trial.name
    shutil.rmtree(tree, ignore_errors=True)
    for name in COPIED:
        shutil.copytree(ROOT / name, tree / name)
    trial.proof.faults[trial.fault].plant(tree)
    return tree


def attempt(trial: Trial) -> Result:
    proof, tree = trial.proof, Tree(ROOT)
    if proof.tool == "none":
        return Result(trial, Finding(OPEN, witness=proof.why), 0)
    try:
        if trial.fault is not None:
            tree = Tree(faulty_copy(trial))
        finding = TOOLS[proof.tool](tree, proof)
    except (ProofError, OSError) as error:
        finding = Finding("error", witness=str(error))
    return Result(trial, finding, tree.seconds)


def told(result: Result, done: int, total: int) -> str:
    """A line for a result, and its witness where one is of interest."""
    finding = result.finding
    line = f"  {done:3}/{total} {result.seconds:5.1f} s  {result.trial.name:<28} {finding.verdict}"
    if finding.verdict == PROVED and result.trial.fault is None:
        return f"{line} ({finding.checks} checks): {result.trial.proof.claim}"
    return f"{line}: {finding.witness}"


def save(results: list[Result], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"results": [result.row() for result in results]}, indent=1) + "\n")


def run(wanted: list[Trial], jobs: int) -> list[Result]:
    results = []
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for future in as_completed([pool.submit(attempt, trial) for trial in wanted]):
            results.append(future.result())
            print(told(results[-1], len(results), len(wanted)), flush=True)
    return sorted(results, key=lambda result: wanted.index(result.trial))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="REGEX", default="", help="only proofs whose name or subject matches")
    parser.add_argument("--quick", action="store_true", help="only the quick ones: at most two minutes in all")
    parser.add_argument("--faults", action="store_true", help="see each proof fail for its faults")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 2), help="proofs at a time")
    args = parser.parse_args()

    try:
        proofs = [p for p in read_proofs(ROOT / HERE / "proofs.toml") if re.search(args.only, f"{p.name} {p.of}")]
    except ProofError as error:
        raise SystemExit(f"proofs: {error}") from error
    wanted = list(trials([p for p in proofs if p.quick or not args.quick], args.faults))
    if not wanted:
        raise SystemExit("proofs: none has such a name or subject")
    results = run(wanted, args.jobs)
    save(results, BUILD / ("c-faults.json" if args.faults else "c.json"))
    bad = [result for result in results if result.finding.verdict == "error" or not result.as_expected()]
    good = len(results) - len(bad)
    print(f"{good} {'refused' if args.faults else 'proved or known to be open'}, {len(bad)} not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
