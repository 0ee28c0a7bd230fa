"""CBMC, Frama-C's Eva, and trials: what each says of a proof. SPDX-License-Identifier: Apache-2.0"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from proofs.c.rows import Proof
from proofs.json_data import Json

ROOT = Path(__file__).resolve().parents[2]
HARNESS = Path("proofs/c/harness")
BUILD = ROOT / "build" / "proofs" / "c"
CBMC = ROOT / "build" / "proofs" / "cbmc" / "cbmc"
INCLUDES = ["-Isrc", "-Iinclude", "-Iprotocol", "-Icli", f"-I{HARNESS}"]
MINUTES = 15  # of processor time, for one proof
KIB = 6 << 20  # of memory

# Undefined behaviour and memory safety, beside the claims; a loop with more turns than are unrolled fails.
CBMC_CHECKS = ["--unwinding-assertions", "--pointer-overflow-check", "--signed-overflow-check", "--object-bits", "10"]
EVA_CHECKS = ["-eva", "-machdep", "gcc_x86_64", "-eva-slevel", "100000", "-eva-auto-loop-unroll", "300"]
COMPILERS = {".c": ["gcc", "-std=c11"], ".cpp": ["g++", "-std=c++17"]}
SANITIZERS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class ToolError(Exception):
    """A tool that is not here, or gave no verdict."""


@dataclass(frozen=True)
class Finding:
    proved: bool
    checks: int  # that were made, or inputs that were tried
    witness: str = ""  # the input, or what does not hold


@dataclass
class Tree:
    """Sources, and the processor time that tools spent on them: a machine that is busy or paused changes no result."""

    path: Path
    seconds: float = 0

    def run(self, command: list[str], limits: str) -> tuple[int, str, str]:
        """The command's status, output and errors."""
        limited = ["sh", "-c", f'ulimit -t {60 * MINUTES}; {limits} exec "$@"', "sh", *command]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            process = subprocess.Popen(limited, cwd=self.path, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds += usage.ru_utime + usage.ru_stime
            if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                raise ToolError(f"no answer in {MINUTES} minutes of processor time")
            out.seek(0), err.seek(0)
            return process.returncode, out.read(), err.read()

    def prove(self, command: list[str]) -> tuple[int, str, str]:
        return self.run(command, f"ulimit -v {KIB};")


def _values_in(trace: list[dict[str, Json]], harness: str) -> str:
    """The last values of the harness's variables in a counterexample."""
    values: dict[str, str] = {}
    for step in trace:
        data = step.get("value", {}).get("data")
        at_home = step.get("sourceLocation", {}).get("file", "").endswith(harness)
        name = step.get("lhs", "$")
        if step.get("stepType") == "assignment" and at_home and data and "$" not in name:
            values |= {} if name.startswith("return_value") else {name: data}
    return ", ".join(f"{name}={data}" for name, data in list(values.items())[:24])


def read_cbmc(messages: list[dict[str, Json]], harness: str) -> Finding:
    """CBMC's output in JSON: a list of messages, the claims among them."""
    status = next((message["cProverStatus"] for message in messages if "cProverStatus" in message), None)
    claims: list[dict[str, Json]] = next((message["result"] for message in messages if "result" in message), [])
    if status == "success":
        return Finding(True, len(claims))
    failures = [claim for claim in claims if claim["status"] == "FAILURE"]
    if status != "failure" or not failures:
        errors = [m["messageText"] for m in messages if m.get("messageType") == "ERROR"]
        raise ToolError("; ".join(errors) or "CBMC gave no verdict")
    first = failures[0]
    at = first.get("sourceLocation", {})
    values = _values_in(first.get("trace", []), harness)
    where = f"{at.get('file', '?')}:{at.get('line', '?')} ({at.get('function', '?')})"
    return Finding(False, len(claims), f"{first['description']} at {where}; {values}")


def _cbmc(tree: Tree, proof: Proof) -> Finding:
    if not CBMC.exists():
        raise ToolError("CBMC is missing: proofs/c/fetch_cbmc.sh fetches it, for x86-64 Linux")
    command = [str(CBMC), str(HARNESS / proof.harness), "--function", proof.entry, *INCLUDES]
    options = ["--unwind", str(proof.unwind), *CBMC_CHECKS, *proof.options, "--trace", "--json-ui"]
    status, said, errors = tree.prove([*command, *options])
    try:
        return read_cbmc(json.loads(said), proof.harness)
    except json.JSONDecodeError as error:
        raise ToolError(f"CBMC ended with {status}: {errors[-300:]}") from error


def read_eva(said: str) -> Finding:
    """Eva's summary of its alarms and of the harness's assertions."""
    alarms = re.search(r"(\d+|No) alarms? generated", said, re.IGNORECASE)
    claims = re.search(r"Assertions\s+(\d+) valid\s+(\d+) unknown\s+(\d+) invalid", said)
    if not alarms or not claims:
        raise ToolError(f"Eva gave no verdict: {said[-300:]}")
    valid, unknown, invalid = (int(number) for number in claims.groups())
    if alarms[1].lower() in ("0", "no") and unknown == invalid == 0 and valid > 0:
        return Finding(True, valid)
    broken = re.findall(r"\[eva:alarm\] (.*(?:\n .*)*)", said)
    return Finding(False, valid + unknown + invalid, re.sub(r"\s+", " ", "; ".join(broken[:3])))


def _eva(tree: Tree, proof: Proof) -> Finding:
    if not shutil.which("frama-c"):
        raise ToolError("Frama-C is missing: 'apt-get install frama-c-base' installs it")
    preprocess = "-cpp-extra-args=" + " ".join(INCLUDES)
    command = ["frama-c", str(HARNESS / proof.harness), "-main", proof.entry, preprocess, *EVA_CHECKS]
    _, said, errors = tree.prove([*command, *proof.options])
    return read_eva(said + errors)


def _trials(tree: Tree, proof: Proof) -> Finding:
    compiler, *standard = COMPILERS[Path(proof.harness).suffix]
    if not shutil.which(compiler):
        raise ToolError(f"{compiler} is missing")
    program = BUILD / "trials" / f"{tree.path.name}-{proof.name}"
    program.parent.mkdir(parents=True, exist_ok=True)
    options = [*standard, *SANITIZERS, *INCLUDES, f"-DENTRY={proof.entry}", *proof.options]
    status, _, errors = tree.run([compiler, *options, str(HARNESS / proof.harness), "-o", str(program)], "")
    if status != 0:
        raise ToolError(f"{proof.harness} does not build: {errors[-1000:]}")
    status, said, errors = tree.run([str(program)], "")  # the sanitizers reserve more addresses than any limit
    if status != 0:
        lines = [line for line in errors.splitlines() if re.search(r"ERROR:|runtime error:|; trial ", line)]
        return Finding(False, 0, next(iter(lines), f"ended with {status}"))
    return Finding(True, int(said))


PROVE: dict[str, Callable[[Tree, Proof], Finding]] = {"cbmc": _cbmc, "eva": _eva, "trials": _trials}
