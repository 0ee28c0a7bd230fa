"""The rows of proofs.toml:

    [[proof]]
    name = "ct-differ"           unique
    of = "src/shared/ct.h"       what is proved
    claim = "..."                what of it
    inputs = "up to 20 bytes"    for which inputs
    tool = "cbmc"                or "eva", or "trials": a program that tries every input, under sanitizers
    harness = "base.c"           in harness/
    entry = "prove_differ"       its function
    unwind = 21                  for cbmc: turns of a loop and one more; too few of them fail
    options = ["..."]            of the tool, beside the usual ones
    quick = true                 is part of --quick
    [[proof.fault]]              a fault that must make it fail: see tools/faults.py

SPDX-License-Identifier: Apache-2.0
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tools.faults import Fault, made

TOOLS = ("cbmc", "eva", "trials")


class RowError(ValueError):
    """A row that cannot be meant."""


@dataclass(frozen=True)
class Proof:
    name: str
    of: str
    claim: str
    inputs: str
    tool: str
    harness: str
    entry: str
    unwind: int = 0
    options: list[str] = field(default_factory=list)
    quick: bool = False
    fault: list[dict[str, str]] = field(default_factory=list)

    @property
    def faults(self) -> list[Fault]:
        return [made(Fault, row) for row in self.fault]


def read(path: Path) -> list[Proof]:
    proofs = [Proof(**table) for table in tomllib.loads(path.read_text())["proof"]]
    names = [proof.name for proof in proofs]
    if twins := {name for name in names if names.count(name) > 1}:
        raise RowError(f"several proofs have the name {sorted(twins)[0]!r}")
    for proof in proofs:
        if proof.tool not in TOOLS:
            raise RowError(f"{proof.name}: no tool {proof.tool!r}")
        if not proof.fault:
            raise RowError(f"no fault is planted for {proof.name}")
    return proofs
