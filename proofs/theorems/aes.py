"""Theorems of the AES kernels: FIPS 197, in counter mode.

The counter of the first block is a variable, so that a call holds for all of them. The first blocks are compared with
the standard's formula; of the others it is enough that they are the same function of their own counters.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from proofs.domains import NotProved
from proofs.domains.gf2 import Bits
from proofs.domains.rebuilding import rebuilt
from proofs.machine import terms as T
from proofs.machine.frames import Frames
from proofs.machine.terms import Node
from proofs.theorems import fips197 as spec
from proofs.theorems import ninetys_contracts as contracts
from proofs.theorems.ninetys_contracts import BLOCK, EXPANDED_WORDS, Cipher
from proofs.theorems.target import Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem, theorem

TOGETHER = 4  # blocks that code computes together, or each alone
COUNTER, ANY = T.var("counter", 32), 0x5EED0000C0000  # and what is passed in its place


class AnyCounter(Frames):
    """A machine that begins with a variable for the counter; what is above its 32 bits may be anything."""

    def _run(self, limit: int | None) -> None:
        any_counter = T.concat([COUNTER, T.fresh(32)])
        self.general[:] = [any_counter if n == T.const(ANY, 64) else n for n in self.general]
        super()._run(limit)


def prove_ctr(contract: Cipher, target: Target, kernel: Kernel) -> str:
    """With the key that the same backend expands."""
    key, nonce = byte_string(32, "key byte"), byte_string(12, "nonce byte")
    run = Execution(target.on(AnyCounter))
    expanded = run.output(EXPANDED_WORDS, 64, contract.align)
    run.call(target.sibling(kernel, "expand_key") or 0, expanded, run.input(key))
    stream = Stream(key, nonce)
    for blocks in contract.numbers:
        out = run.output(BLOCK * blocks, 8)
        run.call(target.sibling(kernel, "ctr") or 0, out, blocks, expanded, run.input(nonce), ANY)
        stream.check(run.read(out))
    return ""


class Stream:
    """The expected key stream."""

    def __init__(self, key: Sequence[Node], nonce: Sequence[Node]) -> None:
        self._inputs = [*key, *nonce, *map(_counter, range(TOGETHER))]
        self._domain = Bits(self._inputs)
        round_keys = spec.expanded_key(key)
        counters = (T.split(_counter(i), 8)[::-1] for i in range(TOGETHER))
        wanted = [byte for last in counters for byte in spec.cipher([*nonce, *last], round_keys)]
        self._wanted = self._domain.sets(wanted)
        self._right: list[set[Node]] = [set() for _ in wanted]  # by byte, terms that are the formula's

    def check(self, got: Sequence[Node]) -> None:
        """Of any number of blocks."""
        size = BLOCK * TOGETHER
        for first in range(0, len(got), size):
            own = {_counter(first // BLOCK + i): _counter(i) for i in range(TOGETHER)}
            for i, n in enumerate(got[first : first + size]):
                self._check(i, rebuilt(n, own), first // BLOCK)

    def _check(self, i: int, n: Node, first: int) -> None:
        """Byte i of the first blocks."""
        if n in self._right[i]:
            return
        if self._domain.sets([n]) != [self._wanted[i]]:
            raise NotProved(f"byte {i % BLOCK} of block {first + i // BLOCK} is not that of FIPS 197")
        self._right[i].add(n)


def _counter(i: int) -> Node:
    return T.add(COUNTER, T.const(i, 32))


def theorems() -> Iterator[Theorem]:
    for contract in (contracts.EXPAND_KEY, contracts.COUNTERS, *contracts.STRETCHING):
        yield replace(theorem(contract, prove_ctr), together=True)
