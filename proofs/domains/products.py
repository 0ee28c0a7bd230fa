"""Sums of products modulo q, with Montgomery's reduction, for base multiplication.

Every word is a polynomial in *atoms* with coefficients in Z / 2^s, congruent to the word's value modulo 2^w and equal
to it where the polynomial's interval fits the word. Atoms are the inputs, and remainders modulo a power of 2 of other
polynomials, signed or not. The upper half of a word is (P - (P mod 2^k)) / 2^k. So Montgomery's m is the atom of S
q^-1 mod R, the lower half of S - q m is the remainder of a polynomial that is 0 modulo R, and the upper half is (S - q
m) / R, exactly.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

from proofs.domains import NotProved
from proofs.domains.intervals import compared
from proofs.machine import terms as T
from proofs.machine.terms import Node

Monomial = tuple[int, ...]  # indices of atoms, in order; () is 1


class Atom(NamedTuple):
    """An input and its interval."""

    node: Node
    low: int
    high: int


class Value(NamedTuple):
    """A polynomial over 2^shift, and the interval of its values, which are integers."""

    terms: dict[Monomial, int]
    shift: int
    low: int
    high: int


class Remainder(NamedTuple):
    """The value of an atom modulo 2^w."""

    value: Value
    w: int


def _twos(x: Value) -> int:
    """How often 2 divides every coefficient."""
    common = gcd(*x.terms.values())
    return (common & -common).bit_length() - 1


class Products:
    def __init__(self, q: int, inputs: Sequence[Atom]) -> None:
        self.q = q
        self._intervals = [(a.low, a.high) for a in inputs]
        self._inputs = [a.node for a in inputs]
        self._remainders: dict[int, Remainder] = {}
        self._atom_of: dict[tuple[object, ...], int] = {}
        self._values = {a.node: self._make({(i,): 1}, 0) for i, a in enumerate(inputs)}

    def value(self, root: Node) -> Value:
        """The value of a word as a signed integer."""
        for n in T.cone([root], self._values):
            if n not in self._values:
                self._values[n] = self._visit(n)
        return self._signed(self._values[root], T.W[root])

    def modulo_q(self, value: Value) -> dict[tuple[Node, Node], int]:
        """The coefficients modulo q of products of two inputs; there must be no others."""
        scale = pow(2, -value.shift, self.q)
        result = {}
        for monomial, factor in value.terms.items():
            if not factor * scale % self.q:
                continue
            if len(monomial) != 2 or max(monomial) >= len(self._inputs):
                raise NotProved(f"the result modulo {self.q} has a term that is no product of two inputs")
            x, y = monomial
            result[self._inputs[x], self._inputs[y]] = factor * scale % self.q
        return result

    # ---- polynomials ----

    def _make(self, terms: dict[Monomial, int], shift: int) -> Value:
        terms = {monomial: factor for monomial, factor in terms.items() if factor}
        while shift and all(factor % 2 == 0 for factor in terms.values()):
            terms, shift = {monomial: factor // 2 for monomial, factor in terms.items()}, shift - 1
        low = high = 0
        for monomial, factor in terms.items():
            a, b = self._interval(monomial)
            low, high = low + min(factor * a, factor * b), high + max(factor * a, factor * b)
        return Value(terms, shift, -(-low >> shift), high >> shift)

    def _interval(self, monomial: Monomial) -> tuple[int, int]:
        low = high = 1
        for atom in monomial:
            ends = [x * y for x in (low, high) for y in self._intervals[atom]]
            low, high = min(ends), max(ends)
        return low, high

    def _sum(self, x: Value, y: Value, factor: int = 1) -> Value:
        shift = max(x.shift, y.shift)
        terms = {monomial: f << (shift - x.shift) for monomial, f in x.terms.items()}
        for monomial, f in y.terms.items():
            terms[monomial] = terms.get(monomial, 0) + (factor * f << (shift - y.shift))
        return self._make(terms, shift)

    def _product(self, x: Value, y: Value) -> Value:
        terms: dict[Monomial, int] = {}
        for m, a in x.terms.items():
            for n, b in y.terms.items():
                monomial = tuple(sorted(m + n))
                terms[monomial] = terms.get(monomial, 0) + a * b
        return self._make(terms, x.shift + y.shift)

    def _constant(self, value: int) -> Value:
        return self._make({(): value}, 0)

    # ---- remainders ----

    def _canonical(self, x: Value, w: int) -> Value:
        """A term congruent to x modulo 2^w without remainders modulo 2^w or more."""
        result = Value({}, 0, 0, 0)
        for monomial, factor in x.terms.items():
            term = self._make({(): factor}, x.shift)
            for atom in monomial:
                inner = self._remainders.get(atom)
                deeper = inner is not None and inner.w >= w and x.shift == 0
                known = self._canonical(inner.value, w) if inner and deeper else self._make({(atom,): 1}, 0)
                term = self._product(term, known)
            result = self._sum(result, term)
        if result.shift:
            return result
        return self._make({monomial: factor % (1 << w) for monomial, factor in result.terms.items()}, 0)

    def _remainder(self, x: Value, w: int, low: int) -> Value:
        """x modulo 2^w, at least `low`, which is 0 or -2^(w - 1): 2^k y modulo 2^w is 2^k times y modulo 2^(w - k)."""
        canonical = self._canonical(x, w)
        if canonical.terms.keys() <= {()}:
            return self._constant((canonical.terms.get((), 0) - low) % (1 << w) + low)
        if not canonical.shift and (k := _twos(canonical)):
            odd = self._make(canonical.terms, k)
            return self._product(self._constant(1 << k), self._remainder(odd, w - k, low >> k))
        key = low, w, canonical.shift, tuple(sorted(canonical.terms.items()))
        if key not in self._atom_of:
            atom = self._atom_of[key] = len(self._intervals)
            self._intervals.append((low, low + (1 << w) - 1))
            self._remainders[atom] = Remainder(canonical, w)
        return self._make({(self._atom_of[key],): 1}, 0)

    def _signed(self, x: Value, w: int) -> Value:
        half = 1 << (w - 1)
        return x if -half <= x.low and x.high < half else self._remainder(x, w, -half)

    def _unsigned(self, x: Value, w: int) -> Value:
        return x if x.low >= 0 and x.high < 1 << w else self._remainder(x, w, 0)

    def _shifted_down(self, x: Value, k: int) -> Value:
        """floor(x / 2^k) of an integer."""
        rest = self._sum(x, self._unsigned(x, k), -1)
        return self._make(rest.terms, rest.shift + k)

    # ---- terms ----

    def _visit(self, n: Node) -> Value:
        op, w, args = T.OP[n], T.W[n], T.ARGS[n]
        if op == "const":
            return self._constant(T.signed(args[0], w))
        if op == "var":
            raise NotProved(f"the result depends on {args[0]}, which is no input")
        if op == "cat":
            return self._visit_cat(args)
        x = [self._values[c] for c in args]
        if op in ("eq", "ult", "slt"):
            return self._compare(op, x[0], x[1], T.W[args[0]])
        if op == "ite":
            return self._choice(*x)
        if op in ("add", "sub"):
            return self._sum(x[0], x[1], 1 if op == "add" else -1)
        if op == "mul":
            return self._product(*x)
        if op == "sext":
            return self._signed(x[0], T.W[args[0]])
        if op == "not":
            return self._sum(self._constant(-1), x[0], -1)
        if op in ("smulh", "umulh"):
            extended = self._signed if op == "smulh" else self._unsigned
            return self._shifted_down(self._product(*(extended(y, w) for y in x)), w)
        raise NotProved(f"{op} of {w} bits is neither a sum, a product nor a slice")

    def _compare(self, op: str, x: Value, y: Value, w: int) -> Value:
        extended = self._signed if op == "slt" else self._unsigned
        a, b = (extended(v, w) for v in (x, y))
        outcome = compared(op, (a.low, a.high), (b.low, b.high))
        if outcome is None:
            raise NotProved(f"a comparison of values in [{a.low}, {a.high}] and [{b.low}, {b.high}] is not decided")
        return self._constant(outcome)

    def _choice(self, condition: Value, x: Value, y: Value) -> Value:
        bit = self._unsigned(condition, 1)
        if bit.low != bit.high:
            raise NotProved("a choice is not decided")
        return x if bit.low else y

    def _visit_cat(self, parts: tuple[T.Piece, ...]) -> Value:
        total, at = self._constant(0), 0
        for i, (n, low, w) in enumerate(parts):
            part = self._values[n] if low == 0 else self._shifted_down(self._signed(self._values[n], T.W[n]), low)
            if i < len(parts) - 1:
                part = self._unsigned(part, w)
            total = self._sum(total, part, 1 << at)
            at += w
        return total
