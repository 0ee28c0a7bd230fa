"""Proves what lies above the kernels, in C, for all inputs up to stated lengths: with CBMC, Frama-C's Eva and trials.

The rows are in proofs.toml (rows.py lists their keys), the programs that the tools look at in harness/. A proof is of
memory safety, undefined behaviour and the claims of its harness. It is about the sources, whatever compiles them.
--faults plants each row's faults instead, in copies, and each must be refused. The table is build/proofs/c/table.txt.
Exits with 1 if a claim is not proved, be it that its tool is missing, or if a fault is not refused.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from proofs.c.rows import Fault, Proof, RowError, read
from proofs.c.tools import BUILD, HARNESS, PROVE, ROOT, Finding, ToolError, Tree
from proofs.table import NOT_PROVED, PROVED, Row, Table, summary

COPIED = ["src", "include", "protocol", "cli", str(HARNESS)]


@dataclass(frozen=True)
class Attempt:
    """To prove a row, unchanged or with one of its faults."""

    proof: Proof
    fault: int | None = None

    @property
    def name(self) -> str:
        return self.proof.name + ("" if self.fault is None else f"+fault-{self.fault + 1}")


@dataclass(frozen=True)
class Outcome:
    attempt: Attempt
    finding: Finding | None
    error: str
    seconds: float

    @property
    def good(self) -> bool:
        """Proved, or with a fault refused."""
        return self.finding is not None and self.finding.proved == (self.attempt.fault is None)

    def row(self) -> Row:
        proof, finding = self.attempt.proof, self.finding
        number = f"{finding.checks} {'inputs' if proof.tool == 'trials' else 'checks'}" if finding else ""
        return Row(
            build="source",
            machine="C",
            backend="c",
            kernel=self.attempt.name,
            variant=0,
            claim=proof.claim,
            domain=proof.tool,
            status=PROVED if finding and finding.proved else NOT_PROVED,
            detail="; ".join(filter(None, (proof.inputs, number, self.told))),
            function=proof.of,
            seconds=round(self.seconds, 1),
        )

    @property
    def told(self) -> str:
        """Why it is not proved."""
        return self.error or (self.finding.witness if self.finding else "")


def faulty_copy(name: str, fault: Fault) -> Path:
    tree = BUILD / "faults" / name
    shutil.rmtree(tree, ignore_errors=True)
    for folder in COPIED:
        shutil.copytree(ROOT / folder, tree / folder)
    fault.plant(tree)
    return tree


def attempt(a: Attempt) -> Outcome:
    tree, finding, error = Tree(ROOT), None, ""
    try:
        if a.fault is not None:
            tree = Tree(faulty_copy(a.name, a.proof.faults[a.fault]))
        finding = PROVE[a.proof.tool](tree, a.proof)
    except (ToolError, ValueError, OSError) as reason:
        error = str(reason)
    if a.fault is not None:
        shutil.rmtree(BUILD / "faults" / a.name, ignore_errors=True)
    return Outcome(a, finding, error, tree.seconds)


def wanted(proofs: Sequence[Proof], args: argparse.Namespace) -> list[Attempt]:
    """All words of --only are part of a row's name, subject or tool."""
    chosen = [
        proof
        for proof in proofs
        if (proof.quick or not args.quick)
        and all(word in f"{proof.name} {proof.of} {proof.tool}" for word in args.only)
    ]
    if not args.faults:
        return [Attempt(proof) for proof in chosen]
    return [Attempt(proof, number) for proof in chosen for number in range(len(proof.fault))]


def run(attempts: Sequence[Attempt], jobs: int) -> list[Outcome]:
    outcomes = []
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for future in as_completed([pool.submit(attempt, a) for a in attempts]):
            outcomes.append(outcome := future.result())
            verdict = "not proved" if not outcome.finding or not outcome.finding.proved else "proved"
            line = f"  {len(outcomes):3}/{len(attempts)} {outcome.seconds:6.1f} s  {outcome.attempt.name:<32} {verdict}"
            print(f"{line}: {outcome.told}" if outcome.told else line, flush=True)
    return sorted(outcomes, key=lambda outcome: attempts.index(outcome.attempt))


def write_table(outcomes: Sequence[Outcome]) -> None:
    table = Table(rows=[outcome.row() for outcome in outcomes])
    (BUILD / "table.json").write_text(json.dumps(table.as_json(), indent=1) + "\n")
    (BUILD / "table.txt").write_text(table.as_text().lstrip())
    print(f"{summary(table.rows)}; {BUILD / 'table.txt'}")


def write_faults(outcomes: Sequence[Outcome]) -> None:
    rows = [{**asdict(o.attempt.proof.faults[o.attempt.fault or 0]), **o.row().told()} for o in outcomes]
    (BUILD / "faults.json").write_text(json.dumps({"rows": rows}, indent=1) + "\n")
    refused = sum(outcome.good for outcome in outcomes)
    print(f"{refused} of {len(outcomes)} faults are refused; {BUILD / 'faults.json'}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m proofs.c", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], help="rows with all these words, as 'api cbmc'")
    parser.add_argument("--quick", action="store_true", help="the quick ones: under a minute of processor time")
    parser.add_argument("--faults", action="store_true", help="see each proof fail for its faults")
    parser.add_argument("--jobs", type=int, default=1, help="proofs at a time")
    return parser.parse_args()


def main() -> int:
    args = parse()
    try:
        attempts = wanted(read(ROOT / "proofs/c/proofs.toml"), args)
    except RowError as error:
        raise SystemExit(f"proofs: {error}") from error
    if not attempts:
        raise SystemExit("proofs: no row has these words")
    BUILD.mkdir(parents=True, exist_ok=True)
    outcomes = run(attempts, args.jobs)
    (write_faults if args.faults else write_table)(outcomes)
    return int(not all(outcome.good for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
