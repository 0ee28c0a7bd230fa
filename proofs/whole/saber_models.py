"""Models of the kernels that Saber's operations call, each its contract (theorems/saber_contracts.py), and names of
Saber's polynomials.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from proofs.machine import terms as T
from proofs.machine.frames import Frames
from proofs.machine.terms import Node
from proofs.theorems import contracts
from proofs.theorems import saber_contracts as saber
from proofs.theorems.contracts import POLY_BYTES, Contract, Domain, Interval
from proofs.theorems.saber_contracts import FAMILY, INNER_PRODUCT, Q_BITS, SIZES, Product, Rounding, Sampling, Unpacking
from proofs.theorems.target import Kernel, Target
from proofs.whole import values
from proofs.whole.models import Models, Poly, Streams
from proofs.whole.values import Bytes, Name, Residue

Q = 1 << Q_BITS


class SaberNamed:
    """Names that the specification (saber.py) and the models both give to the same strings."""

    permuted = staticmethod(values.permuted)

    @staticmethod
    def unpacked(d: int, s: Bytes) -> Residue:
        return values.atom("Unpack", d, values.string(s))

    @staticmethod
    def sampled(mu: int, s: Bytes) -> Residue:
        return values.atom("binomial", mu, values.string(s))

    @staticmethod
    def product(f: Residue, g: Residue) -> Residue:
        return values.product(f, g, Q)

    @staticmethod
    def total(parts: Sequence[tuple[Residue, int]]) -> Residue:
        return values.total(parts, Q)

    @staticmethod
    def packed(f: Residue, h: int, of: int, to: int) -> Bytes:
        residue = values.total([(f, 1)], 1 << of)
        return values.named_bytes(f"{h} + f mod 2^{of} to", to, residue, 32 * to)


class SaberModels(Models):
    """`small` has the packed polynomials of 13 bits that are taken to be small."""

    def __init__(self, machine: Frames, target: Target, tables: dict[str, int], streams: Streams) -> None:
        self.small: set[Node] = set()
        super().__init__(machine, target, tables, streams)

    def _replace_kernels(self) -> None:
        for unpacking in (saber.UNPACK_D13, saber.UNPACK_D10):
            self._replace(unpacking, self._unpacking)
        for sampling in saber.SAMPLINGS:
            self._replace(sampling, self._sampling)
        for rounding in saber.ROUNDINGS:
            self._replace(rounding, self._rounding)
        for evaluation in (saber.EVALUATE, saber.EVALUATE_SMALL):
            if self._address(FAMILY, evaluation.kernel) not in self._machine.hooks:  # one function may be both
                self._replace(evaluation, self._evaluation)
        self._replace(INNER_PRODUCT, self._inner_product)
        self._replace(contracts.PERMUTE, self._permute)

    def _size(self, field: str) -> int:
        return self._target.sibling(Kernel("", FAMILY, "", 0, self._tables[FAMILY]), field) or 0

    # ---- strings ----

    def _unpacking(self, c: Unpacking) -> None:
        to, at = self._number(0), self._number(1)
        self._apart((to, POLY_BYTES), (at, c.size))
        content = self._bytes(at, c.size)
        gives = saber.SMALL if values.string(content) in self.small else c.gives
        self._put_normal(c, to, self._made(values.string(content)), SaberNamed.unpacked(c.d, content), gives)

    def _sampling(self, c: Sampling) -> None:
        to, at = self._number(0), self._number(1)
        self._apart((to, POLY_BYTES), (at, c.size))
        content = self._bytes(at, c.size)
        self._put_normal(c, to, self._made(values.string(content)), SaberNamed.sampled(c.mu, content), c.gives)

    def _put_normal(self, c: Contract, to: int, made: tuple[object, ...], residue: Residue, gives: Interval) -> None:
        self._put_poly(c, to, Poly(made, residue, gives, Domain.NORMAL))

    def _rounding(self, c: Rounding) -> None:
        out, at = self._number(0), self._number(1)
        residue, other = self._poly(c, at).residue, (self._number(2), c.other_size) if c.d else (at, 0)
        self._apart((out, c.size), (at, POLY_BYTES), other)
        if c.d:
            subtracted = SaberNamed.unpacked(c.d, self._bytes(*other))
            residue = SaberNamed.total([(residue, 1), (subtracted, -(1 << (c.of - c.d)))])
        self._put(out, SaberNamed.packed(residue, c.constant, c.of, c.to), c.size)

    # ---- products ----

    def _evaluation(self, c: Product) -> None:
        size, to, at, scratch = self._size(SIZES[c.kernel]), self._number(0), self._number(1), self._scratch(c, 2)
        self._apart((to, size), (at, POLY_BYTES), scratch)
        self._apart(scratch, (at, POLY_BYTES))
        f = self._poly(c, at)
        self._check_alignment(to, c.align)
        self._put(to, self._evaluated(c, values.name_of(f)), size)
        self._spoil(scratch)

    def _evaluated(self, c: Product, f: Name) -> list[Node]:
        by = self._address(FAMILY, c.kernel)
        return [T.var(("evaluated", f, by, i), 64) for i in range(self._size(SIZES[c.kernel]) // 8)]

    def _scratch(self, c: Product, index: int) -> tuple[int, int]:
        at = self._number(index)
        self._check_alignment(at, c.align)
        return at, self._size("scratch_bytes")

    def _spoil(self, scratch: tuple[int, int]) -> None:
        """It has any content afterwards."""
        at, size = scratch
        self._put(at, [T.fresh(64) for _ in range(size // 8)], size)

    def _inner_product(self, c: Product) -> None:
        h, f, g, rank, scratch = *(self._number(i) for i in range(4)), self._scratch(c, 4)
        if rank not in c.ranks:
            raise self._refuse(f"of {rank} products")
        sides = ((saber.EVALUATE, f), (saber.EVALUATE_SMALL, g))
        read = [(at, rank * self._size(SIZES[side.kernel])) for side, at in sides]
        self._apart((h, POLY_BYTES), scratch, *read)
        self._apart(scratch, *read)
        left, right = ([self._factor(side, at, i) for i in range(rank)] for side, at in sides)
        for factors, bounds in ((left, c.left), (right, c.right)):
            for i, factor in enumerate(factors):
                if not bounds.holds(factor.bounds):
                    raise self._refuse(f"factor {i} is in {list(factor.bounds)}, beyond {list(bounds)}")
        products = [(SaberNamed.product(x.residue, y.residue), 1) for x, y in zip(left, right, strict=True)]
        made = self._made(*map(values.name_of, (*left, *right)))
        self._put_normal(c, h, made, SaberNamed.total(products), saber.ANY)
        self._spoil(scratch)

    def _factor(self, side: Product, at: int, number: int) -> Poly:
        """The polynomial that was evaluated."""
        self._rest_on(side)
        size = self._size(SIZES[side.kernel])
        at += number * size
        self._memory.check(at, size, False)
        self._check_alignment(at, side.align)
        words = self._memory.lanes(at, size // 8, 64)
        name = values.name_in(words[0], "evaluated")
        if name is None or words != self._evaluated(side, name):
            raise self._refuse(f"factor {number} is none that {side.kernel} wrote")
        f: Poly = values.value_of(name)
        return f
