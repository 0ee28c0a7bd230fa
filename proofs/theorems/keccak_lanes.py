"""Theorems of Keccak's absorption and squeezing of all numbers of words in all lanes at once.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import NamedTuple

from proofs.domains import NotProved
from proofs.domains.counts import Counting, CountingMemory, Counts
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems import fips202 as spec
from proofs.theorems.keccak import DOES, FAMILY, MOST_WORDS, lanes_of, states
from proofs.theorems.target import CACHE_LINE, Buffer, Execution, Kernel, Target
from proofs.theorems.theorem import Theorem

TOGETHER = 4  # lanes that code goes through together up to the least of their counts
FRESH = 0x5EED0000F0000  # what is passed in the place of the lanes that are fresh

Words = Sequence[Sequence[Node]]


class Class(NamedTuple):
    """Counts of lanes, each a constant or a variable, and which are fresh. In a class the least count but 0 is one
    number, and one lane is the first to have it: so what becomes of a lane can depend on its own count alone."""

    counts: list[Node]
    fresh: list[Node]
    numbers: Counts


def classes(lanes: int) -> Iterator[Class]:
    """Each choice of counts is in one. If lanes beyond the first few are busy too, one has all choices."""
    few, all_counts = min(lanes, TOGETHER), tuple(range(MOST_WORDS + 1))
    if lanes > few:
        yield _class([all_counts] * lanes, busy=2, beyond=few)
    yield _class([(0,)] * lanes)
    for alone in range(lanes):
        yield _class([all_counts[1:] if lane == alone else (0,) for lane in range(lanes)])
    for first, least in product(range(few), all_counts[1:]):
        above = [(0, *all_counts[least + (lane < first) :]) for lane in range(few)]
        above[first] = (least,)
        yield _class([*above, *[(0,)] * (lanes - few)], busy=2)


def _class(values: Sequence[Sequence[int]], busy: int = 0, beyond: int = 0) -> Class:
    """So many lanes have words at least, and so has one of those beyond, if that is a number."""
    counts = [T.const(v[0], 8) if len(v) == 1 else T.var(f"words of lane {i}", 8) for i, v in enumerate(values)]
    flags = [T.var(f"lane {i} is fresh", 1) for i in range(len(values))]
    busy_lanes = [T.not_(T.is_zero(n)) for n in counts]
    conditions = [T.not_(T.ult(reduce(T.add, [T.zext(n, 8) for n in busy_lanes]), T.const(busy, 8)))]
    if beyond:
        conditions.append(reduce(T.or_, busy_lanes[beyond:]))
    domains = {n: v for n, v in zip(counts, values, strict=True) if not T.is_const(n)}
    domains.update((flag, (0, 1)) for flag, n in zip(flags, busy_lanes, strict=True) if n != T.const(0, 1))
    return Class(counts, list(map(T.and_, flags, busy_lanes)), Counts(domains, conditions))


def executed(target: Target, counts: Counts, instead: Mapping[int, Node]) -> Execution:
    """With variables for constants that are passed."""
    run = Execution(target.at_one_place().on(Counting).in_memory(CountingMemory))
    assert isinstance(run.machine, Counting)
    run.machine.counts, run.machine.instead = counts, instead
    return run


class CountedArrays:
    """The kernels' arrays of addresses and of counts. A lane's buffer has as many words as its count says."""

    def __init__(self, run: Execution, chosen: Class, make: Callable[[Sequence[Node]], Buffer], words: Words) -> None:
        memory = run.memory
        assert isinstance(memory, CountingMemory)
        self.buffers: list[Buffer | None] = []
        for count, block in zip(chosen.counts, words, strict=True):
            used = block[: T.val(count)] if T.is_const(count) else block
            buffer = make(used) if used else None
            self.buffers.append(buffer)
            if buffer and not T.is_const(count):
                memory.counts[buffer.address] = count
        pairs = zip(self.buffers, chosen.counts, strict=True)
        addresses = [T.ite(T.is_zero(n), T.const(0, 64), run.address(buffer)) for buffer, n in pairs]
        self.addresses, self.counts = run.input(addresses, 8), run.input(chosen.counts)


def prove_absorb(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    a = states(lanes)
    data = [[T.var(f"word {w} of block {lane}", 64) for w in range(MOST_WORDS)] for lane in range(lanes)]
    for chosen in classes(lanes):
        fresh = T.concat([*chosen.fresh, T.const(0, 32 - lanes), T.fresh(32)])
        run = executed(target, chosen.numbers, {FRESH: fresh})
        place = run.in_place(a, CACHE_LINE)
        arrays = CountedArrays(run, chosen, run.input, data)
        run.call(kernel.address, place, arrays.addresses, arrays.counts, FRESH)
        out = run.read(place)
        for lane in range(lanes):
            _check_absorbed(chosen, lane, out[lane::lanes], a[lane::lanes], data[lane])
    return f"all combinations in {lanes} lanes"


def _check_absorbed(chosen: Class, lane: int, got: Sequence[Node], a: Sequence[Node], data: Sequence[Node]) -> None:
    for n, fresh, given in _cases(chosen, lane):
        before = [T.const(0, 64)] * spec.WORDS if fresh else a
        wanted = [*map(T.xor, before[:n], data), *before[n:]]
        _check_case(chosen, got, wanted, given, f"word {{}} of lane {lane} with {n} words")


def _cases(chosen: Class, lane: int) -> Iterator[tuple[int, int, dict[Node, int]]]:
    """The counts of a lane, whether it is fresh, and what this makes of the variables."""
    count, fresh = chosen.counts[lane], chosen.fresh[lane]
    for n in [T.val(count)] if T.is_const(count) else chosen.numbers.values_left(count, ()):
        given = {} if T.is_const(count) else {count: n}
        if n == 0:
            yield 0, 0, given
            continue
        (flag,) = (m for m in T.cone([fresh]) if chosen.numbers.values.get(m) == (0, 1))
        yield from ((n, value, {**given, flag: value}) for value in (0, 1))


def _check_case(chosen: Class, got: Sequence[Node], wanted: Sequence[Node], given: dict[Node, int], what: str) -> None:
    path = tuple((T.eq(n, T.const(value, T.W[n])), True) for n, value in given.items())
    new = {n: T.const(value, T.W[n]) for n, value in given.items()}
    for w, (x, y) in enumerate(zip(got, wanted, strict=True)):
        if not chosen.numbers.is_equal(x, y, path, new):
            raise NotProved(f"{what.format(w)} is wrong, or not decided by the lane's own number of words")


def prove_squeeze(target: Target, kernel: Kernel) -> str:
    lanes = lanes_of(target, kernel)
    a, anything = states(lanes), [[T.fresh(64) for _ in range(MOST_WORDS)] for _ in range(lanes)]
    for chosen in classes(lanes):
        run = executed(target, chosen.numbers, {})
        place = run.input(a, CACHE_LINE)
        arrays = CountedArrays(run, chosen, run.in_place, anything)
        returned = run.call(kernel.address, arrays.addresses, place, arrays.counts)
        total = reduce(T.add, [T.zext(n, 64) for n in chosen.counts])
        if chosen.numbers.decide(T.eq(returned, total), ()) is not True:
            raise NotProved("it does not return the sum of the words")
        for lane, buffer in enumerate(arrays.buffers):
            if buffer is None:
                continue
            for n, _, given in _cases(chosen, lane):
                got, wanted = run.read(buffer)[:n], a[lane::lanes][:n]
                _check_case(chosen, got, wanted, given, f"word {{}} of the block of lane {lane} with {n} words")
    return f"all combinations in {lanes} lanes"


def theorems() -> Iterator[Theorem]:
    for name, proof in (("absorb", prove_absorb), ("squeeze", prove_squeeze)):
        yield Theorem(FAMILY, name, f"{DOES[name]}, any in all lanes", "counts", proof, Rung.ALL, ("avx2", "avx512"))
