"""Models of the kernels, which take their places where an operation calls them: each is its contract, and no more.

A model checks what the contract demands (buffers, alignment, separation, domain and order of a polynomial, its bounds)
and writes names of results. It says which rows of the table it rests on. Nothing is left below the stack pointer, and
all registers that a function may change are unknown.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from proofs.machine import terms as T
from proofs.machine.frames import Frames
from proofs.machine.imports import Caller
from proofs.machine.memory import Memory, Violation
from proofs.machine.processor import constant
from proofs.machine.terms import Node
from proofs.theorems import contracts, rejection
from proofs.theorems.contracts import (
    ANY,
    KECCAK,
    POLY_BYTES,
    RING,
    XOF_BLOCK,
    Binomial,
    Cache,
    Coding,
    Contract,
    Domain,
    Interval,
    LinearMap,
    N,
    Order,
    Permutation,
    Product,
    Reduction,
    Rejection,
    Sum,
)
from proofs.theorems.fips202 import WORDS
from proofs.theorems.target import WORD, Kernel, Target
from proofs.theorems.theorem import Need, need
from proofs.whole import values
from proofs.whole.values import Bytes, Name, Named, Residue

STATE_OUT, STATE_HAVE = WORD, rejection.HAVE_AT  # in lk_sink_state
STATE_BYTES = STATE_HAVE + WORD


@dataclass(frozen=True)
class Poly:
    """Words in memory: congruent to `residue`, and within bounds. Equal `made` is equal words."""

    made: tuple[object, ...]
    residue: Residue
    bounds: Interval
    domain: Domain


class Streams(Protocol):
    """The streams that an operation samples, and the hypothesis of how many blocks each takes."""

    def is_last(self, blocks: Sequence[Bytes]) -> bool:
        """Whether there are 256 values in these blocks, which must be the first of a stream of the operation."""


Model = Callable[..., Node | None]


class Models:
    """Of one execution. `reached` has the bounds of the polynomials at calls of kernels, `pieces` the bytes of a stream
    that are sampled together."""

    pieces: tuple[int, ...] = (XOF_BLOCK,)

    def __init__(self, machine: Frames, target: Target, tables: dict[str, int], streams: Streams) -> None:
        self._machine, self._streams = machine, streams
        self._target, self._tables = target, tables
        self._needs: dict[Contract, Need] = {}
        self.reached: dict[str, Interval] = {}
        self._kernel = ""
        self._words: dict[Name, list[Node]] = {}
        self._first: dict[Node, Name] = {}
        kernel = Kernel("", KECCAK, "", 0, tables[KECCAK])
        self._lanes = target.sibling(kernel, "lanes") or 0
        self._sorts = target.sibling(Kernel("", RING, "", 0, tables[RING]), contracts.ORDER.kernel) is not None
        self._replace_kernels()

    @property
    def needs(self) -> set[Need]:
        """The rows that the execution rests on."""
        return set(self._needs.values())

    @property
    def _memory(self) -> Memory:
        return self._machine.memory

    # ---- models in the places of kernels ----

    def _replace_kernels(self) -> None:
        for linear in contracts.LINEAR:
            self._replace(linear, self._linear)
        for added in contracts.SUMS:
            self._replace(added, self._sum)
        for coding in (contracts.ENCODE, contracts.DECODE, *contracts.COMPRESSIONS):
            self._replace(coding, self._encoding if coding.encodes else self._decoding)
        for binomial in contracts.BINOMIALS:
            self._replace(binomial, self._binomial)
        self._replace(contracts.MULCACHE, self._cache)
        self._replace(contracts.REDUCE, self._reduce)
        self._replace(contracts.ORDER, self._order)
        self._replace(contracts.PERMUTE, self._permute)
        self._replace_at(RING, "inner_product", self._product)
        self._replace_at(RING, "rej_uniform_vartime", self._reject)
        self._replace_at(RING, "rej_uniform_lanes_vartime", self._reject_in_lanes)

    def _replace(self, contract: Contract, model: Model) -> None:
        def with_contract() -> Node | None:
            self._rest_on(contract)
            return model(contract)

        self._replace_at(contract.family, contract.kernel, with_contract)

    def _replace_at(self, family: str, kernel: str, model: Callable[[], Node | None]) -> None:
        at = self._address(family, kernel)
        if at is None:
            return
        if at in self._machine.hooks:
            raise Violation(f"{kernel} is at the address of another function")

        def replacement(_: Caller) -> Node | None:
            self._kernel = kernel
            return model()

        self._machine.hooks[at] = replacement

    def _address(self, family: str, kernel: str) -> int | None:
        return self._target.sibling(Kernel("", family, "", 0, self._tables[family]), kernel)

    def _rest_on(self, contract: Contract) -> None:
        if contract not in self._needs:
            kernel = self._target.kernel_of(self._tables[contract.family], contract.family, contract.kernel)
            self._needs[contract] = need(self._target, kernel, contract.claim, contract)

    # ---- arguments ----

    def _refuse(self, what: str) -> Violation:
        return Violation(f"{self._kernel}: {what}")

    def _number(self, index: int) -> int:
        return constant(self._machine.argument(index), f"argument {index} of {self._kernel}")

    def _apart(self, written: tuple[int, int], *others: tuple[int, int]) -> None:
        at, size = written
        if any(at < other + length and other < at + size for other, length in others):
            raise self._refuse("its buffers overlap")

    def _bytes(self, at: int, size: int) -> Bytes:
        self._memory.check(at, size, False)
        return self._memory.lanes(at, size, 8)

    def _put(self, at: int, content: Sequence[Node], size: int) -> None:
        self._memory.check(at, size, True)
        self._memory.put(at, content)

    def _poly(self, c: Contract, at: int, domain: Domain | None = None, bounds: Interval = ANY) -> Poly:
        """The polynomial at an address: just the words that a kernel wrote, all of them, in their places."""
        self._memory.check(at, POLY_BYTES, False)
        self._check_alignment(at, c.align)
        words = self._memory.lanes(at, N, 16)
        name = self._first.get(words[0])
        if name is None or self._words[name] != words:
            raise self._refuse(f"what lies at {at:#x} is no polynomial that a kernel wrote")
        f: Poly = values.value_of(name)
        if domain and f.domain != domain:
            raise self._refuse(f"the polynomial is in the {f.domain.value}")
        if not bounds.holds(f.bounds):
            raise self._refuse(f"the polynomial is in {list(f.bounds)}, beyond {list(bounds)}")
        self.reached[self._kernel] = f.bounds.joined(self.reached.get(self._kernel, f.bounds))
        return f

    def _put_poly(self, c: Contract, at: int, f: Poly) -> None:
        name = values.name_of(f)
        if name not in self._words:
            self._words[name] = [T.var(("polynomial", name, i), 16) for i in range(N)]
            self._first[self._words[name][0]] = name
        self._check_alignment(at, c.align)
        self._put(at, self._words[name], POLY_BYTES)

    def _check_alignment(self, at: int, align: int) -> None:
        if at % align:
            raise self._refuse(f"{at:#x} is not aligned to {align} bytes")

    def _made(self, *of: object) -> tuple[object, ...]:
        """The words that the kernel makes of others: the same, wherever it does so."""
        return (self._kernel, *of)

    # ---- linear maps and sums ----

    def _linear(self, c: LinearMap) -> None:
        at = self._number(0)
        before, after = c.map.value
        f = self._poly(c, at, before, c.takes)
        residue = values.mapped(c.map, f.residue, c.factor)
        self._put_poly(c, at, Poly(self._made(values.name_of(f)), residue, c.gives, after or f.domain))

    def _sum(self, c: Sum) -> None:
        to, at = self._number(0), self._number(1)
        self._apart((to, POLY_BYTES), (at, POLY_BYTES))
        f, g = self._poly(c, to), self._poly(c, at)
        if f.domain != g.domain:
            raise self._refuse(f"of the {f.domain.value} and of the {g.domain.value}")
        bounds = f.bounds.times(c.own).plus(g.bounds.times(c.other))
        if not c.fits.holds(bounds):
            raise self._refuse(f"the result is in {list(bounds)} and does not fit")
        residue = values.total([(f.residue, c.own), (g.residue, c.other)])
        self._put_poly(c, to, Poly(self._made(values.name_of(f), values.name_of(g)), residue, bounds, f.domain))

    def _reduce(self, c: Reduction) -> None:
        """A canonical polynomial is known by its residue."""
        at = self._number(0)
        f = self._poly(c, at, bounds=c.takes)
        self._put_poly(c, at, replace(f, made=("canonical", f.residue), bounds=c.gives))

    def _order(self, c: Order) -> None:
        at = self._number(0)
        f = self._poly(c, at, Domain.STANDARD)
        self._put_poly(c, at, replace(f, made=self._made(values.name_of(f)), domain=Domain.NTT))

    # ---- products ----

    def _cache_words(self, c: Cache, name: Name) -> list[Node]:
        return [T.var(("cache", name, i), 16) for i in range(c.words)]

    def _cache(self, c: Cache) -> None:
        cache, at = self._number(0), self._number(1)
        self._apart((cache, 2 * c.words), (at, POLY_BYTES))
        g = self._poly(c, at, Domain.NTT, c.takes)
        self._check_alignment(cache, c.align)
        self._put(cache, self._cache_words(c, values.name_of(g)), 2 * c.words)

    def _product(self) -> None:
        h, f, g, cache, k = (self._number(i) for i in range(5))
        if k not in (1, *contracts.RANKS):
            raise self._refuse(f"of {k} products")
        c = contracts.product(k)
        self._rest_on(c if k > 1 else contracts.MULCACHE)
        size = 2 * c.cache.words
        sizes = ((f, k * POLY_BYTES), (g, k * POLY_BYTES), (cache, k * size))
        self._apart((h, POLY_BYTES), *sizes)
        names: list[Name] = []
        products = []
        for i in range(k):
            left = self._poly(c, f + i * POLY_BYTES, Domain.NTT, c.left)
            right = self._poly(c, g + i * POLY_BYTES, Domain.NTT, c.right)
            cached = self._cached(c, cache + i * size)
            if cached is None or values.value_of(cached).residue != right.residue:
                raise self._refuse("a cache is not that of its factor")
            names += [values.name_of(left), values.name_of(right), cached]
            products.append((values.product(left.residue, right.residue), c.factor))
        self._put_poly(c, h, Poly(self._made(*names), values.total(products), c.gives, Domain.NTT))

    def _cached(self, c: Product, at: int) -> Name | None:
        """The polynomial of a cache at an address."""
        self._memory.check(at, 2 * c.cache.words, False)
        self._check_alignment(at, c.align)
        words = self._memory.lanes(at, c.cache.words, 16)
        name = values.name_in(words[0], "cache")
        return name if name is not None and words == self._cache_words(c.cache, name) else None

    # ---- coding and sampling ----

    def _encoding(self, c: Coding) -> None:
        out, at = self._number(0), self._number(1)
        self._apart((out, c.size), (at, POLY_BYTES))
        f = self._poly(c, at, c.of, c.words)
        self._put(out, values.coded(c.d, c.compresses, f.residue, c.size), c.size)

    def _decoding(self, c: Coding) -> Node | None:
        to, at = self._number(0), self._number(1)
        self._apart((to, POLY_BYTES), (at, c.size))
        content = self._bytes(at, c.size)
        residue = Named.decompress(c.d, content) if c.compresses else Named.decode(content)
        self._put_poly(c, to, Poly(self._made(values.string(content)), residue, c.words, c.of))
        return None if c.compresses else T.concat([above_q(content), T.fresh(32)])

    def _binomial(self, c: Binomial) -> None:
        to, at = self._number(0), self._number(1)
        self._apart((to, POLY_BYTES), (at, c.size))
        content = self._bytes(at, c.size)
        residue = Named.sample_cbd(c.eta, content)
        self._put_poly(c, to, Poly(self._made(values.string(content)), residue, c.gives, Domain.NORMAL))

    # ---- rejection ----

    def _reject(self) -> Node:
        to, have, at, size = self._number(0), self._machine.argument(1), self._number(2), self._number(3)
        self._apart((to, POLY_BYTES), (at, size))
        if size not in self.pieces:
            raise self._refuse(f"of {size} bytes")
        c = contracts.rejection(size)
        self._rest_on(c)
        return self._sampled(c, to, have, self._bytes(at, size))

    def _reject_in_lanes(self) -> Node:
        streams, words = self._number(0), self._number(2)
        mask, lanes, rate = self._number(1) & 0xFFFFFFFF, self._number(3), self._number(4)
        if (lanes, rate) != (self._lanes, XOF_BLOCK) or mask >> lanes:
            raise self._refuse(f"of {rate} bytes in {lanes} lanes, {mask:#x}")
        self._check_alignment(streams, WORD)
        self._memory.check(streams, WORD * lanes, False)
        self._memory.check(words, WORD * WORDS * lanes, False)
        read = [(streams, WORD * lanes), (words, WORD * WORDS * lanes)]
        complete = 0
        self._rest_on(contracts.lanes_apart(rejection.NUMBERS))
        for lane in (lane for lane in range(lanes) if mask >> lane & 1):
            c = contracts.rejection_in_lane(lane, rejection.NUMBERS)
            self._rest_on(c)
            self._check_alignment(words, c.states)
            state = constant(self._memory.load(streams + WORD * lane, WORD), "the address of a stream")
            to = constant(self._memory.load(state + STATE_OUT, WORD), "the address of a stream's polynomial")
            self._check_alignment(state, WORD)
            for written in ((state, STATE_BYTES), (to, POLY_BYTES)):
                self._apart(written, *read)
                read.append(written)
            have = self._memory.load(state + STATE_HAVE, WORD)
            block = [self._memory.load(words + WORD * (w * lanes + lane), WORD) for w in range(rate // WORD)]
            number = self._sampled(c, to, have, [byte for word in block for byte in T.split(word, 8)])
            self._memory.store(state + STATE_HAVE, number)
            complete |= T.is_const(number) << lane
        return T.concat([T.const(complete, 32), T.fresh(32)])

    def _sampled(self, c: Rejection, at: int, have: Node, block: Bytes) -> Node:
        """Takes one more block of a stream; returns the number of values, unknown below N."""
        blocks: list[Bytes] = []
        if have != T.const(0, 64):
            name = number_of(have)
            if name is None or self._memory.lanes(at, N, 16) != self._some(name):
                raise self._refuse("the values that are there are not those of the stream so far")
            blocks = [list(content) for content in values.value_of(name)]
        blocks.append(block)
        if self._streams.is_last(blocks):
            domain = Domain.STANDARD if self._sorts else Domain.NTT
            made = ("SampleNTT", values.string(blocks[0]))
            self._put_poly(c, at, Poly(made, Named.sample_ntt(blocks), c.gives, domain))
            return T.const(N, 64)
        name = values.name_of(tuple(map(tuple, blocks)))
        self._check_alignment(at, c.align)
        self._put(at, self._some(name), POLY_BYTES)
        return T.var(("number of values", name), 64)

    def _some(self, name: Name) -> list[Node]:
        """The words while there are too few values."""
        return [T.var(("some values", name, i), 16) for i in range(N)]

    # ---- Keccak ----

    def _permute(self, c: Permutation) -> Node:
        states, used, lanes = self._number(0), self._number(1), self._lanes
        if not c.fewest <= used <= lanes:
            raise self._refuse(f"of {used} lanes")
        self._check_alignment(states, c.align)
        self._memory.check(states, 8 * WORDS * lanes, True)
        for lane in range(lanes):
            places = [states + 8 * (w * lanes + lane) for w in range(WORDS)]
            if lane < used:
                after = values.permuted([self._memory.lanes(at, 1, 64)[0] for at in places])
            else:
                after = [T.fresh(64) for _ in places]
            for at, word in zip(places, after, strict=True):
                self._memory.put(at, [word])
        return T.const(used, 64)


def above_q(content: Bytes) -> Node:
    """The result of decode_d12: 0 just if all values are below q."""
    return T.var(("above q", values.string(content)), 32)


def number_of(n: Node) -> Name | None:
    """Of the values that a stream has given so far: the blocks."""
    return values.name_in(n, "number of values")
