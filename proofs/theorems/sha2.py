"""Theorems of the SHA-2 kernels: FIPS 180-4.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from functools import partial, reduce

from proofs.domains.naming import Naming, without_names
from proofs.domains.sums import Sums
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import fips180 as spec
from proofs.theorems import ninetys_contracts as contracts
from proofs.theorems.fips180 import Hash
from proofs.theorems.ninetys_contracts import Compression
from proofs.theorems.target import Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem, theorem


def prove_compress(contract: Compression, target: Target, kernel: Kernel) -> str:
    """Words of the state are the machine's, those of the blocks have their highest bytes first."""
    (h,) = (h for h in (spec.SHA256, spec.SHA512) if h.width == contract.width)
    state = [T.var(f"H[{i}]", h.width) for i in range(8)]
    data = byte_string(contract.block * max(contract.numbers))
    domain = Sums([*state, *data])
    for blocks in contract.numbers:
        run, used = Execution(target.on(Naming)), data[: contract.block * blocks]
        place = run.in_place(state, contract.align)
        run.call(kernel.address, place, run.input(used or [T.fresh(8)]), blocks)
        wanted = _compressed(h, state, used)
        for i, (x, y) in enumerate(zip(without_names(run.read(place)), wanted, strict=True)):
            domain.check(x, y, f"after {blocks} blocks word {i}")
    return ""


def _compressed(h: Hash, state: Sequence[Node], data: Sequence[Node]) -> Sequence[Node]:
    size = h.width // 8
    words = [T.concat(data[i : i + size][::-1]) for i in range(0, len(data), size)]
    return reduce(partial(spec.compress, h), (words[i : i + 16] for i in range(0, len(words), 16)), state)


def theorems() -> Iterator[Theorem]:
    for contract in (*contracts.SHA256, *contracts.SHA512):
        yield theorem(contract, prove_compress)
