#!/usr/bin/env python3
"""Simulates faults in decapsulation on a Cortex-M4: each instruction of the call skipped once, and each condition
inverted once, while the ciphertext is an altered one.

No single fault may have the call accept the ciphertext (`accepted`), put six bytes of the message, of dk or of the
ciphertext into the secret (`leaked`), or return 0 with a secret that is zero or was never written (`stale`). All else
is allowed: the `right` secret of a rejection, an error with nothing in the secret (`refused`), a `crash`, and `other`
secrets. An error that leaves something in the secret is `left`, and allowed where it is none of the above.

An instruction that is executed six times at most is tried at each execution, of others the first two, the middle one
and the last two are. The library is built with arm-none-eabi-gcc, and Unicorn runs it.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from cases import Case
from firmware import ROOT, Firmware, Function, build
from simulation import Fault, Outcome, faults, outcomes

VERDICTS = ["right", "refused", "crash", "other", "left", "accepted", "leaked", "stale"]
FAILING = VERDICTS[5:]
Verdicts = list[tuple[str, Outcome]]
PIECES = 16  # of the list of faults, so that progress shows and processors share the work


def run_piece(program: Path, name: str, total: int, right: bytes, some: list[Fault]) -> Verdicts:
    firmware = Firmware(program)
    case = Case(firmware, name)
    found = outcomes(firmware, case.start, total, some, case.output)
    return [(case.verdict(outcome.result, outcome.output, right), outcome) for outcome in found]


def pieces(some: list[Fault]) -> list[list[Fault]]:
    size = -(-len(some) // PIECES)
    return [some[i : i + size] for i in range(0, len(some), size)]


@dataclass(frozen=True)
class Choice:
    """Which of the faults are tried, and on how many processors."""

    only: str  # a pattern for the names of functions
    control: bool  # none of the kernels
    every: int
    jobs: int

    def of(self, firmware: Firmware, some: list[Fault]) -> list[Fault]:
        chosen = [f for f in some if self._has(firmware.function_at(f.address))]
        if not chosen:
            raise SystemExit("faults: no instruction is executed there")
        return chosen[:: self.every]

    def _has(self, function: Function) -> bool:
        return bool(re.search(self.only, function.name)) and not (self.control and function.is_kernel)


def simulate(program: Path, name: str, choice: Choice) -> Verdicts:
    """All verdicts, in the order of the faults."""
    firmware = Firmware(program)
    case = Case(firmware, name)
    executed = firmware.trace()
    right = firmware.code(*case.output)
    if firmware.result() != 0 or case.verdict(0, right, right) != "right":
        raise SystemExit(f"faults: {name} does not reject the altered ciphertext")
    some = choice.of(firmware, faults(firmware, executed))
    print(f"{name}: {len(executed)} instructions executed, {len(some)} faults", flush=True)
    verdicts: dict[int, Verdicts] = {}
    with ProcessPoolExecutor(choice.jobs) as pool:
        running = {
            pool.submit(run_piece, program, name, len(executed), right, piece): i
            for i, piece in enumerate(pieces(some))
        }
        for done in as_completed(running):
            verdicts[running[done]] = done.result()
            print(f"\r{len(verdicts)} of {len(running)} pieces", end="", file=sys.stderr, flush=True)
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    return [verdict for i in sorted(verdicts) for verdict in verdicts[i]]


def show_failing(program: Path, verdicts: Verdicts) -> None:
    firmware = Firmware(program)
    for verdict, outcome in verdicts:
        fault = outcome.fault
        if verdict in FAILING:
            where = f"{firmware.function_at(fault.address).name} at {fault.address:#x}, instruction {fault.begin}"
            print(f"  {verdict}: {fault.kind} in {where}; returns {outcome.result}", flush=True)


def print_table(counts: dict[str, Counter[str]]) -> None:
    width = max(map(len, counts))
    print(" " * width + "".join(f"{verdict:>10}" for verdict in VERDICTS))
    for title, count in counts.items():
        print(f"{title:{width}}" + "".join(f"{count[verdict]:>10}" for verdict in VERDICTS))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", default=["ML-KEM-512"], help="parameter sets (ML-KEM-512)")
    parser.add_argument("--levels", default="-Os", metavar="LEVEL,..", help="of the compiler's optimisation (=-Os)")
    parser.add_argument("--build", default="all", metavar="SETS", help="what the firmware has, joined with ';' (all)")
    parser.add_argument("--small", action="store_true", help="the small build (LATKEM_SMALL)")
    parser.add_argument("--control", action="store_true", help="leave the kernels out")
    parser.add_argument("--only", default="", metavar="PATTERN", help="only functions whose names match")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth fault")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    args = parser.parse_args()
    choice = Choice(args.only, args.control, args.every, args.jobs)
    counts = {}
    for level in args.levels.split(","):
        tree = f"{'small-' if args.small else ''}{args.build.replace(';', '+')}{level}"
        program = build(ROOT / "build/faults" / tree, args.build, level, args.small)
        for name in args.sets:
            verdicts = simulate(program, name, choice)
            show_failing(program, verdicts)
            counts[f"{name} {level}"] = Counter(verdict for verdict, _ in verdicts)
    print_table(counts)
    return 1 if any(count[verdict] for count in counts.values() for verdict in FAILING) else 0


if __name__ == "__main__":
    sys.exit(main())
