"""Theorems of the SHA-2 kernels: FIPS 180-4.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from functools import partial, reduce

from proofs.domains.naming import Naming, without_names
from proofs.domains.sums import Sums
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems import fips180 as spec
from proofs.theorems.fips180 import Hash
from proofs.theorems.target import Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem

FAMILY = "sha2"
FEW = (0, 1, 3)  # SHA-512 is of one: no message of the 90s' is longer than 64 bytes but keys and ciphertexts
WHOLE = (12, 17, 18, 24)  # of the 90s' keys and ciphertexts


def prove_compress(h: Hash, numbers: Sequence[int], target: Target, kernel: Kernel) -> str:
    """Words of the state are the machine's, those of the blocks have their highest bytes first."""
    block = 2 * h.width  # bytes: 16 words
    state = [T.var(f"H[{i}]", h.width) for i in range(8)]
    data = byte_string(block * max(numbers))
    domain = Sums([*state, *data])
    for blocks in numbers:
        run, used = Execution(target.on(Naming)), data[: block * blocks]
        place = run.in_place(state, h.width // 8)
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
    for name, section, h, numbers, rung in (
        ("sha256", "6.2.2", spec.SHA256, FEW, Rung.QUICK),
        ("sha256", "6.2.2", spec.SHA256, WHOLE, Rung.ALL),
        ("sha512", "6.4.2", spec.SHA512, FEW, Rung.QUICK),
    ):
        claim = f"the compression of FIPS 180-4, {section}, of {', '.join(map(str, numbers))} blocks"
        yield Theorem(FAMILY, f"{name}_compress", claim, "sums and bits", partial(prove_compress, h, numbers), rung)
