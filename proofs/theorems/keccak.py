"""Theorems of the Keccak kernels: FIPS 202.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from proofs.domains import NotProved
from proofs.domains.keccak import Algebra, Word
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import fips202 as spec
from proofs.theorems.bounds import constants
from proofs.theorems.target import CACHE_LINE, Buffer, Execution, Kernel, Target
from proofs.theorems.theorem import Rung, Theorem

FAMILY = "keccak"
MOST_WORDS = constants(FAMILY)["LK_KECCAK_RATE_MAX"] // 8
RATES = {name: constants(FAMILY)[f"LK_{name}_RATE"] for name in ("SHAKE128", "SHAKE256")}
SEED_WORDS = 4


def states(lanes: int) -> list[Node]:
    """Word w of lane l is at w * lanes + l."""
    return [T.var(f"A[{w}] of lane {lane}", 64) for w in range(spec.WORDS) for lane in range(lanes)]


def lanes_of(target: Target, kernel: Kernel) -> int:
    return target.sibling(kernel, "lanes") or 0


@cache
def permutation() -> tuple[Algebra, list[Word]]:
    algebra = Algebra()
    return algebra, spec.permutation(algebra)


def prove_permute(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    for used in range(1, lanes + 1):
        _prove_lanes(target, kernel, lanes, used)
    return f"of {lanes} lanes, each number of them"


def _prove_lanes(target: Target, kernel: Kernel, lanes: int, used: int) -> None:
    algebra, wanted = permutation()
    run, a = Execution(target), states(lanes)
    place = run.in_place(a, CACHE_LINE)
    run.call(kernel.address, place, used)
    out = run.read(place)
    for lane in range(used):
        words = algebra.normal(out[lane::lanes], a[lane::lanes])
        wrong = [w for w in range(spec.WORDS) if words[w] != wanted[w]]
        if wrong:
            raise NotProved(f"with {used} lanes used, word {wrong[0]} of lane {lane} is not FIPS 202's")


@dataclass(frozen=True)
class Counts:
    """A choice of the public arguments: words of each lane, and whether it is fresh."""

    words: Sequence[int]
    fresh: Sequence[bool]

    @property
    def mask(self) -> int:
        return sum(1 << lane for lane, fresh in enumerate(self.fresh) if fresh)


def counts(lanes: int) -> Iterator[Counts]:
    """Every count, the same in all lanes and different from lane to lane, and each lane by itself; lanes without words
    are not fresh."""
    for n in range(MOST_WORDS + 1):
        yield Counts([n] * lanes, [False] * lanes)
        yield Counts([n] * lanes, [n > 0] * lanes)
        mixed = [(n + 5 * lane) % (MOST_WORDS + 1) for lane in range(lanes)]
        yield Counts(mixed, [mixed[lane] > 0 and (n + lane) % 2 == 0 for lane in range(lanes)])
    for alone in range(lanes):
        one = [MOST_WORDS if lane == alone else 0 for lane in range(lanes)]
        yield Counts(one, [False] * lanes)
        yield Counts(one, [words > 0 for words in one])


def _pointers(run: Execution, buffers: Sequence[Buffer | None]) -> Buffer:
    """The array of addresses, NULL where there is no buffer."""
    return run.input([T.const(b.address if b else 0, 64) for b in buffers], 8)


def prove_absorb_seed(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    seed = [T.var(f"word {w} of the seed", 64) for w in range(SEED_WORDS)]
    ends = [T.var(f"end of lane {lane}", 64) for lane in range(lanes)]
    lasts = sorted({rate // 8 - 1 for rate in RATES.values()})
    for chosen in range(1 << lanes):
        for last in lasts:
            run, a = Execution(target), states(lanes)
            place = run.in_place(a, CACHE_LINE)
            run.call(kernel.address, place, chosen, run.input(seed), run.input(ends), last)
            for i, got in enumerate(run.read(place)):
                w, lane = divmod(i, lanes)
                padding = T.const(1 << 63 if w == last else 0, 64)
                fresh = seed[w] if w < SEED_WORDS else ends[lane] if w == SEED_WORDS else padding
                if got != (fresh if chosen >> lane & 1 else a[i]):
                    raise NotProved(f"of lanes {chosen:#b}, word {w} of lane {lane} is wrong, with rate {last + 1}")
    return f"for every set of {lanes} lanes, and the rates of SHAKE"


def prove_absorb(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    for chosen in counts(lanes):
        run, a = Execution(target), states(lanes)
        data = [[T.var(f"word {w} of block {lane}", 64) for w in range(n)] for lane, n in enumerate(chosen.words)]
        place = run.in_place(a, CACHE_LINE)
        blocks = _pointers(run, [run.input(block) if block else None for block in data])
        numbers = run.input([T.const(n, 8) for n in chosen.words])
        run.call(kernel.address, place, blocks, numbers, chosen.mask)
        out = run.read(place)
        for i, got in enumerate(out):
            w, lane = divmod(i, lanes)
            before = T.const(0, 64) if chosen.fresh[lane] else a[i]
            wanted = T.xor(before, data[lane][w]) if w < chosen.words[lane] else before
            if got != wanted:
                raise NotProved(f"with {chosen}, word {w} of lane {lane} is wrong")
    return _told(lanes)


def prove_squeeze(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    for chosen in counts(lanes):
        run, a = Execution(target), states(lanes)
        outputs = [run.output(n, 64) if n else None for n in chosen.words]
        numbers = run.input([T.const(n, 8) for n in chosen.words])
        run.call(kernel.address, _pointers(run, outputs), run.input(a, CACHE_LINE), numbers)
        for lane, block in enumerate(outputs):
            if block and run.read(block) != a[lane::lanes][: block.words]:
                raise NotProved(f"with {chosen}, the block of lane {lane} is wrong")
    return _told(lanes)


def _told(lanes: int) -> str:
    return f"for 0 to {MOST_WORDS} words in {lanes} lanes, the same in all, different, and in one alone"


def theorems() -> Iterator[Theorem]:
    claim = "Keccak-f[1600] (FIPS 202, 3.3), 24 rounds"
    yield Theorem(FAMILY, "permute", claim, "XOR and AND", prove_permute, Rung.SLICE)
    yield Theorem(FAMILY, "absorb_seed", "absorbs a seed, a nonce and the padding", "terms", prove_absorb_seed)
    yield Theorem(FAMILY, "absorb", "XORs words into lanes, or sets them", "terms", prove_absorb)
    yield Theorem(FAMILY, "squeeze", "writes words of lanes", "terms", prove_squeeze)
