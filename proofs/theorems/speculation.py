"""Speculation in whole operations: the calls of independence.py, with the wrong way of each branch followed too.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from functools import partial

from proofs.domains import NotProved
from proofs.domains.unknowns import DeclassifyingMemory
from proofs.machine.speculation import Speculating, TransientMemory
from proofs.rung import Rung
from proofs.theorems.independence import SCHEMES, Call, Scheme, decaps, encaps, keygen, prepare
from proofs.theorems.target import Kernel, Target
from proofs.theorems.theorem import NEON, Theorem

WINDOW = 200  # instructions
CLAIM = (
    f"no branch and no address depends on a secret within {WINDOW} instructions of the wrong way of a branch: "
    "one wrong branch at a time, conditional branches only; no returns, no indirect jumps, no store bypass"
)


class TransientDeclassifyingMemory(TransientMemory, DeclassifyingMemory):
    """On a wrong way nothing is declassified."""


def prove(scheme: Scheme, make: Callable[[Scheme, Target], Call], target: Target, kernel: Kernel) -> str:
    call = prepare(scheme, make, target.on(Speculating), kernel, TransientDeclassifyingMemory)
    machine = call.machine
    if not isinstance(machine, Speculating):
        raise TypeError("the target's machine does not speculate")
    machine.window = WINDOW
    declassified = call.run()
    if machine.leaks:
        raise NotProved("; ".join(machine.leaks))
    return "; ".join(
        [
            declassified,
            f"{machine.branches} branches, {machine.followed} instructions behind them",
            f"{len(machine.unwritten)} places depend on what nobody wrote",
        ]
    )


BACKENDS = ("portable", "avx2", "avx512", *NEON)
QUICK = {("ML-KEM-512", "decaps"): ("avx2", "neon")}


def theorems() -> Iterator[Theorem]:
    for scheme in SCHEMES:
        for make in (keygen, encaps, decaps):
            quick = QUICK.get((scheme.name, make.__name__), ())
            others = tuple(backend for backend in BACKENDS if backend not in quick)
            for rung, backends in ((Rung.QUICK, quick), (Rung.ALL, others)):
                if backends:
                    call = partial(prove, scheme, make)
                    yield Theorem(scheme.name, make.__name__, CLAIM, "unknowns", call, rung, backends)
