#!/usr/bin/env python3
"""Proves properties of the cores' modules with yosys and its abc.

The proofs are in proofs.toml. Each has a top in this folder, with `parameters`, that wraps modules of hw/rtl and says
as assertions what is claimed of them, for every input; the assertions of the modules themselves are claims too. They
hold after any number of cycles (property-directed reachability), or where a proof states `cycles` in that many from the
beginning, which is all where nothing lasts longer. With `merge`, registers that are always equal are made one
before, and logic is made smaller. With `induct`, they hold in the first cycles and follow from the cycle
before, which suits sums and counts; a fault may break that step. With --faults each fault that proofs.toml plants must
make its proof fail.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyosys

sys.path += [str(Path(__file__).resolve().parents[3]), str(Path(__file__).resolve().parents[2] / "syn")]

import synthesis
from synthesis import ROOT, RTL

from tools.faults import Fault, FaultError, made

HERE = Path(__file__).resolve().parent
BUILD = synthesis.BUILD / "formal"
# From assertions to a circuit of ANDs and registers, with unknown first values as inputs.
TO_CIRCUIT = [
    "async2sync",
    "dffunmap",
    "setundef -undriven -anyseq",
    "formalff -setundef -clk2ff -ff2anyinit",
    "memory_map",
    "techmap",
    "opt -fast",
    "dffunmap",
    "aigmap",
    "opt_clean",
]
# Some faults show themselves after a hundred cycles: the first finds those in seconds, the second not in 20 minutes.
SEARCH = "bmc3 -F 150 -T 120; pdr"


class ProofError(Exception):
    """A proof that cannot be tried at all."""


@dataclass(frozen=True)
class Trial:
    """A proof, or with a fault its number."""

    table: dict[str, Any]
    fault: int | None = None

    @property
    def name(self) -> str:
        return self.table["name"] + ("" if self.fault is None else f" with fault {self.fault + 1}")

    @property
    def folder(self) -> Path:
        return BUILD / self.name.replace(" ", "-")

    def sources(self) -> list[Path]:
        """The files to read: those of the proof, one of them altered where there is a fault, and the wrapper."""
        rules = sorted((RTL / "rules").glob("*.sv"))
        paths = [RTL / name for name in self.table["sources"]]
        if self.fault is not None:
            fault = made(Fault, self.table["fault"][self.fault])
            if ROOT / fault.file not in paths:
                raise ProofError(f"{self.name}: {fault.file} is not among its sources")
            at = paths.index(ROOT / fault.file)
            paths[at] = self.folder / paths[at].name
            paths[at].write_text(fault.text(ROOT))
        return [*rules, *paths, HERE / f"{self.table['top']}.sv"]

    def holds(self, minutes: float) -> bool:
        self.folder.mkdir(parents=True, exist_ok=True)
        cycles = self.table.get("cycles")
        solve = f"bmc3 -F {cycles}" if cycles else "pdr" if self.fault is None else SEARCH
        proved = f"No output asserted in {cycles} frames" if cycles else "Property proved"
        if self.table.get("merge"):
            solve = f"scorr; dc2; {solve}"
        if self.table.get("induct"):
            solve, proved = "orpos; bmc3 -F 2; ind -F 2", "Networks are equivalent"
        said = self.solve(f"read_aiger {self.translate()}; fold; strash; {solve}", minutes)
        if "was asserted in frame" in said or "Networks are UNDECIDED" in said:
            return False
        if proved in said:
            return True
        raise ProofError(f"{self.name}: no verdict ({self.folder})")

    def translate(self) -> Path:
        """Its circuit, where an output is high if an assertion is false."""
        circuit, top = self.folder / "circuit.aig", self.table["top"]
        values = " ".join(f"-G {name}={value}" for name, value in self.table.get("parameters", {}).items())
        lines = [
            f"read_slang --threads 1 --no-synthesis-define --top {top} {values} {' '.join(map(str, self.sources()))}",
            f"prep -flatten -top {top}",
            *TO_CIRCUIT,
            f"write_aiger -B -zinit {circuit}",
        ]
        synthesis.run_yosys(lines, self.folder / "yosys.log")
        return circuit

    def solve(self, commands: str, minutes: float) -> str:
        """abc's answer to its commands, which is kept too."""
        log = self.folder / "solver.log"
        with log.open("w") as out:
            try:
                done = subprocess.run(
                    [yosys_abc(), "-c", commands],
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    timeout=60 * minutes,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise ProofError(f"{self.name}: no answer in {minutes:g} minutes") from error
        if done.returncode:
            raise ProofError(f"{self.name}: failed ({log})")
        return log.read_text(errors="replace")


def yosys_abc() -> Path:
    return Path(pyosys.__file__).parent / "yosys-abc"


def trials(only: list[str], faults: bool) -> Iterator[Trial]:
    proofs = tomllib.loads((HERE / "proofs.toml").read_text())["proof"]
    if unknown := set(only) - {table["name"] for table in proofs}:
        sys.exit(f"no proof {sorted(unknown)[0]}; --list lists all")
    for table in proofs:
        if only and table["name"] not in only:
            continue
        yield Trial(table)
        if faults:
            yield from (Trial(table, number) for number in range(len(table["fault"])))


def attempt(trial: Trial, minutes: float) -> tuple[bool, str]:
    """Whether it went as it must, and a line that says how."""
    try:
        holds = trial.holds(minutes)
    except (ProofError, FaultError, synthesis.ToolError) as error:
        return False, str(error)
    if trial.fault is None:
        return holds, f"{trial.name}: {trial.table['claim']}" if holds else f"{trial.name}: FAILED ({trial.folder})"
    return not holds, f"{trial.name}: {'NOT FOUND' if holds else 'found'}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this proof; may be repeated")
    parser.add_argument("--list", action="store_true", help="name the proofs and what they claim")
    parser.add_argument("--faults", action="store_true", help="also see each proof fail for its faults")
    parser.add_argument("--jobs", type=int, default=2, help="proofs at a time")
    parser.add_argument("--minutes", type=float, default=20, help="for each answer of the solver")
    arguments = parser.parse_args()
    chosen = list(trials(arguments.only, arguments.faults))
    if arguments.list:
        print("\n".join(f"{trial.name:10} {trial.table['claim']}" for trial in chosen))
        return 0
    progress, failed = synthesis.Progress(len(chosen)), 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        futures = [pool.submit(attempt, trial, arguments.minutes) for trial in chosen]
        for future in as_completed(futures):
            passed, text = future.result()
            failed += not passed
            progress.say(text)
    print(f"{len(chosen) - failed} of {len(chosen)} as they must be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
