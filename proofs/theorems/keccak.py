"""Theorems of the Keccak kernels: FIPS 202.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from proofs.domains import NotProved
from proofs.domains.keccak import Algebra, Word
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems import fips202 as spec
from proofs.theorems.bounds import constants
from proofs.theorems.contracts import PERMUTE, Permutation
from proofs.theorems.target import CACHE_LINE, Buffer, Execution, Kernel, Target
from proofs.theorems.theorem import NEON, Theorem, theorem

FAMILY = "keccak"
MOST_WORDS = constants(FAMILY)["LK_KECCAK_RATE_MAX"] // 8
RATES = {name: constants(FAMILY)[f"LK_{name}_RATE"] for name in ("SHAKE128", "SHAKE256")}
SEED_WORDS = 4
DOES = {
    "absorb": f"XORs words into lanes, or sets them: 0 to {MOST_WORDS} words",
    "squeeze": f"writes words of lanes, returns their sum: 0 to {MOST_WORDS} words",
}

Choices = Callable[[int], Iterator["Counts"]]


def states(lanes: int) -> list[Node]:
    """Word w of lane l is at w * lanes + l."""
    return [T.var(f"A[{w}] of lane {lane}", 64) for w in range(spec.WORDS) for lane in range(lanes)]


def lanes_of(target: Target, kernel: Kernel) -> int:
    return target.sibling(kernel, "lanes") or 0


@cache
def permutation() -> tuple[Algebra, list[Word]]:
    algebra = Algebra()
    return algebra, spec.permutation(algebra)


def prove_permute(contract: Permutation, target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    for used in range(contract.fewest, lanes + 1):
        _prove_lanes(contract, target, kernel, lanes, used)
    return f"of {lanes} lanes, each number of them"


def _require(returned: Node, number: int) -> None:
    if returned != T.const(number, 64):
        raise NotProved(f"it returns {returned} instead of {number}")


def _prove_lanes(contract: Permutation, target: Target, kernel: Kernel, lanes: int, used: int) -> None:
    algebra, wanted = permutation()
    run, a = Execution(target), states(lanes)
    place = run.in_place(a, contract.align)
    _require(run.call(kernel.address, place, used), used)
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


def alike(lanes: int) -> Iterator[Counts]:
    """Every count, the same in all lanes and in each lane by itself; lanes without words are not fresh."""
    for n in range(MOST_WORDS + 1):
        for fresh in (False, n > 0):
            yield Counts([n] * lanes, [fresh] * lanes)
            for alone in range(lanes):
                words = [n if lane == alone else 0 for lane in range(lanes)]
                yield Counts(words, [fresh and count > 0 for count in words])


def combined(prime: int, some: int, lanes: int) -> Iterator[list[int]]:
    """For each lane a number below the prime: in any `some` lanes there are all combinations of numbers. They are the
    values of all polynomials of so many coefficients, which any so many values determine."""
    for coefficients in product(range(prime), repeat=min(some, lanes)):
        yield [sum(c * lane**i for i, c in enumerate(coefficients)) % prime for lane in range(lanes)]


def in_two(lanes: int) -> Iterator[Counts]:
    """Of any two lanes all combinations of counts, each fresh or not."""
    choices = [(0, False), *((n, fresh) for n in range(1, MOST_WORDS + 1) for fresh in (False, True))]
    for numbers in combined(len(choices), 2, lanes):
        yield Counts(*zip(*(choices[i] for i in numbers), strict=True))


def in_three(lanes: int) -> Iterator[Counts]:
    """Of any three lanes all combinations of counts. Which lanes are fresh changes from one to the next."""
    for number, below_prime in enumerate(combined(MOST_WORDS + 2, 3, lanes)):
        words = [min(n, MOST_WORDS) for n in below_prime]
        yield Counts(words, [n > 0 and bool(number >> lane & 1) for lane, n in enumerate(words)])


class Arrays:
    """The kernels' arrays of addresses, NULL where there is no buffer, and of counts: of one buffer for each lane and
    count."""

    def __init__(self, run: Execution, buffers: Sequence[Sequence[Buffer | None]]) -> None:
        self.addresses = run.input([T.const(0, 64)] * len(buffers), 8)
        self.counts = run.input([T.const(0, 8)] * len(buffers))
        self._memory, self._address, self._buffers = run.memory, run.address, buffers

    def tell(self, chosen: Counts) -> list[Buffer | None]:
        """The buffers of a choice."""
        found = [self._buffers[lane][n] for lane, n in enumerate(chosen.words)]
        self._memory.put(self.addresses.address, [self._address(b) for b in found])
        self._memory.put(self.counts.address, [T.const(n, 8) for n in chosen.words])
        return found


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


def prove_absorb(choices: Choices, target: Target, kernel: Kernel) -> str:
    lanes, tried = lanes_of(target, kernel), 0
    run, a = Execution(target), states(lanes)
    data = [[T.var(f"word {w} of block {lane}", 64) for w in range(MOST_WORDS)] for lane in range(lanes)]
    place = run.in_place(a, CACHE_LINE)
    arrays = Arrays(run, [[run.input(block[:n]) if n else None for n in range(MOST_WORDS + 1)] for block in data])
    for chosen in choices(lanes):
        run.memory.put(place.address, a)
        arrays.tell(chosen)
        run.call(kernel.address, place, arrays.addresses, arrays.counts, chosen.mask)
        out = run.read(place)
        for lane, (n, fresh) in enumerate(zip(chosen.words, chosen.fresh, strict=True)):
            before = [T.const(0, 64)] * spec.WORDS if fresh else a[lane::lanes]
            wanted = [*map(T.xor, before[:n], data[lane]), *before[n:]]
            if (got := out[lane::lanes]) != wanted:
                wrong = next(w for w in range(spec.WORDS) if got[w] != wanted[w])
                raise NotProved(f"with {chosen}, word {wrong} of lane {lane} is wrong")
        tried += 1
    return f"{tried} combinations in {lanes} lanes"


def prove_squeeze(choices: Choices, target: Target, kernel: Kernel) -> str:
    lanes, tried = lanes_of(target, kernel), 0
    run, a, anything = Execution(target), states(lanes), [T.fresh(64)] * MOST_WORDS
    place = run.input(a, CACHE_LINE)
    arrays = Arrays(run, [[run.output(n, 64) if n else None for n in range(MOST_WORDS + 1)] for _ in range(lanes)])
    for chosen in choices(lanes):
        blocks = arrays.tell(chosen)
        for block in filter(None, blocks):
            run.memory.put(block.address, anything[: block.words])
        _require(run.call(kernel.address, arrays.addresses, place, arrays.counts), sum(chosen.words))
        for lane, squeezed in enumerate(blocks):
            if squeezed and run.read(squeezed) != a[lane::lanes][: squeezed.words]:
                raise NotProved(f"with {chosen}, the block of lane {lane} is wrong")
        tried += 1
    return f"{tried} combinations in {lanes} lanes"


def squeeze_at_one_place(choices: Choices, target: Target, kernel: Kernel) -> str:
    """Compilers compare the distances of blocks: with addresses that are variables most choices take too long."""
    return prove_squeeze(choices, target.at_one_place(), kernel)


def theorems() -> Iterator[Theorem]:
    make = partial(Theorem, FAMILY)
    yield theorem(PERMUTE, prove_permute)
    yield make("absorb_seed", "absorbs a seed, a nonce and the padding", "terms", prove_absorb_seed)
    for name, of_one, of_some in (
        ("absorb", prove_absorb, prove_absorb),
        ("squeeze", prove_squeeze, squeeze_at_one_place),
    ):
        yield make(name, f"{DOES[name]}, the same in all lanes, in one alone", "terms", partial(of_one, alike))
        yield make(name, f"{DOES[name]}, any in any two lanes", "terms", partial(of_some, in_two))
        proof = partial(of_some, in_three)
        yield make(name, f"{DOES[name]}, any in any three lanes", "terms", proof, Rung.ALL, ("portable", *NEON))
