"""Theorems of the AES kernels: FIPS 197, in counter mode.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence

from proofs.domains import NotProved
from proofs.domains.gf2 import Bits
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import fips197 as spec
from proofs.theorems.target import CACHE_LINE, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Rung, Theorem

FAMILY = "aes"
EXPANDED_WORDS = 120
TOGETHER = 4  # blocks of which code computes all, or each alone
CALLS = ((1, 0), (21, 0xFFFE))  # blocks, and the counter of the first: carries reach its third byte


def prove_ctr(target: Target, kernel: Kernel) -> str:
    """With the key that the same backend expands."""
    key, nonce = byte_string(32, "key byte"), byte_string(12, "nonce byte")
    run = Execution(target)
    expanded = run.output(EXPANDED_WORDS, 64, CACHE_LINE)
    run.call(target.sibling(kernel, "expand_key") or 0, expanded, run.input(key))
    for blocks, counter in CALLS:
        out = run.output(16 * blocks, 8)
        run.call(target.sibling(kernel, "ctr") or 0, out, blocks, expanded, run.input(nonce), counter)
        result = run.read(out)
        for first in range(0, blocks, TOGETHER):
            end = min(first + TOGETHER, blocks)
            _check([*key, *nonce], result[16 * first : 16 * end], _key_stream(key, nonce, counter + first, end - first))
    return ""


def _key_stream(key: Sequence[Node], nonce: Sequence[Node], counter: int, blocks: int) -> list[Node]:
    round_keys = spec.expanded_key(key)
    counters = (T.split(T.const(counter + i, 32), 8)[::-1] for i in range(blocks))
    return [byte for last in counters for byte in spec.cipher([*nonce, *last], round_keys)]


def _check(inputs: Sequence[Node], got: Sequence[Node], wanted: Sequence[Node]) -> None:
    domain = Bits(inputs)
    formula = domain.sets(wanted)
    for i, (x, y) in enumerate(zip(domain.sets(got), formula, strict=True)):
        if x != y:
            raise NotProved(f"byte {i % 16} of a block is not that of FIPS 197")


def theorems() -> Iterator[Theorem]:
    calls = ", ".join(f"{blocks} from {counter:#x}" for blocks, counter in CALLS)
    claim = f"AES-256 in counter mode (FIPS 197, 5.1 and 5.2), blocks from the counter: {calls}"
    for name in ("expand_key", "ctr"):
        yield Theorem(FAMILY, name, claim, "bits", prove_ctr, Rung.ALL)
