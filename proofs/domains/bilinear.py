"""Products modulo a power of 2 by Toom-Cook and Karatsuba, with a count of right bits.

Every word is a linear form in f, or in g, or a bilinear form in both, with coefficients modulo 2^16; the lowest bits of
the word are the form's, and how many of them is known. A shift to the right by k needs every coefficient to be
divisible by 2^k and costs k bits; inverses of odd numbers cost nothing. So Toom-Cook's divisions are proved exact and
their losses counted, for all words.

Linear forms are rows of coefficients. Bilinear forms are found for a few coefficients of one f at a time, and those
that are 0 for all of these take no time. Of a sum of several products the pairs of f and g never meet in a product, so
that it takes no longer than the products one after the other.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node

Coefficients = npt.NDArray[np.uint16]
Wanted = Callable[[Sequence[int]], npt.NDArray[np.int64]]
MOST_BITS = 16
ROWS = 64  # of f's coefficients at a time


class Form(NamedTuple):
    """The kind of a word: linear in "f" or "g" of a pair, or bilinear in "fg", the sum over all pairs; and how many low
    bits of it are the form's."""

    kind: str
    bits: int
    pair: int = 0


class Step(NamedTuple):
    """How a bilinear form comes from those of its operands, or from two linear ones."""

    node: Node
    apply: Callable[..., Coefficients | None]
    operands: tuple[Node, ...]
    constants: tuple[int, ...]


class Bilinear:
    """The forms of all words that some outputs need."""

    def __init__(self, outputs: Sequence[Node], f: Sequence[Sequence[Node]], g: Sequence[Sequence[Node]]) -> None:
        self.outputs, self.pairs, self.size = outputs, len(f), len(f[0])
        self.forms: dict[Node, Form] = {}
        self._rows: dict[Node, Coefficients | None] = {}  # of linear forms
        self._steps: list[Step] = []  # to bilinear ones
        for kind, pair, inputs in (*(("f", i, x) for i, x in enumerate(f)), *(("g", i, x) for i, x in enumerate(g))):
            for row, n in zip(np.eye(len(inputs), dtype=np.uint16), inputs, strict=True):
                self.forms[n], self._rows[n] = Form(kind, min(T.W[n], MOST_BITS), pair), row
        for n in T.cone(outputs, self.forms):
            if n not in self.forms and not T.is_const(n):
                self._visit(n)
        self._uses = Counter(m for step in self._steps for m in step.operands)
        self._uses.update(outputs)
        for i, n in enumerate(outputs):
            if self._form(n).kind != "fg":
                raise NotProved(f"word {i} is no sum of products")

    # ---- terms ----

    def _form(self, n: Node) -> Form:
        if n not in self.forms:
            raise NotProved("a sum has a constant")
        return self.forms[n]

    def _visit(self, n: Node) -> None:
        op, args = T.OP[n], T.ARGS[n]
        if op == "var":
            raise NotProved(f"the result depends on {args[0]}, which is no input")
        if op in ("add", "sub"):
            self._visit_sum(n, op, *args)
        elif op == "mul" and T.is_const(args[1]):
            form, factor = self._form(args[0]), T.val(args[1]) % (1 << MOST_BITS)
            twos = (factor & -factor).bit_length() - 1
            self._apply(n, form._replace(bits=form.bits + twos), _scaled, args[:1], factor)
        elif op == "mul":
            self._visit_product(n, *args)
        elif op == "cat":
            self._visit_slice(n, args)
        elif op == "sext":
            self._apply(n, self._form(args[0]), _shifted, args, 0, 0)
        else:
            raise NotProved(f"{op} of {T.W[n]} bits is neither a sum, a product nor a shift")

    def _apply(
        self, n: Node, form: Form, apply: Callable[..., Coefficients | None], operands: Sequence[Node], *constants: int
    ) -> None:
        """Linear forms are found at once, bilinear ones are put off."""
        self.forms[n] = form._replace(bits=min(form.bits, T.W[n], MOST_BITS))
        if form.kind == "fg":
            self._steps.append(Step(n, apply, tuple(operands), constants))
        else:
            self._rows[n] = apply(*(self._rows[m] for m in operands), *constants)

    def _visit_sum(self, n: Node, op: str, x: Node, y: Node) -> None:
        if T.is_const(x) and not T.val(x) and op == "sub":
            self._apply(n, self._form(y), _scaled, (y,), (1 << MOST_BITS) - 1)
            return
        a, b = self._form(x), self._form(y)
        if a.kind != b.kind:
            raise NotProved(f"a sum of forms in {a.kind} and {b.kind}")
        if a.pair != b.pair:
            raise NotProved(f"a sum of forms in {a.kind} of products {a.pair} and {b.pair}")
        self._apply(n, a._replace(bits=min(a.bits, b.bits)), _sum if op == "add" else _difference, (x, y))

    def _visit_product(self, n: Node, x: Node, y: Node) -> None:
        a, b = self._form(x), self._form(y)
        if {a.kind, b.kind} != {"f", "g"}:
            raise NotProved(f"a product of forms in {a.kind} and {b.kind}")
        if a.pair != b.pair:
            raise NotProved(f"a product of forms of products {a.pair} and {b.pair}")
        self._apply(n, Form("fg", min(a.bits, b.bits)), _outer, (x, y) if a.kind == "f" else (y, x))

    def _visit_slice(self, n: Node, parts: tuple[T.Piece, ...]) -> None:
        """The lowest slice of a word, above zeros: ((x >> low) mod 2^w) << up. The bits above are not right."""
        up = parts[0][2] if T.is_const(parts[0][0]) and not T.val(parts[0][0]) else 0
        m, low, w = parts[1 if up else 0]
        form = self._form(m)
        if form.bits <= low:
            raise NotProved(f"a shift to the right by {low} of a value with {form.bits} right bits")
        self._apply(n, form._replace(bits=min(form.bits - low, w) + up), _shifted, (m,), low, up)

    # ---- coefficients ----

    def products(self) -> Iterator[tuple[int, list[int], list[Coefficients]]]:
        """For some of an f's coefficients at a time the pair, their numbers and, of each output, a row of its g's for
        each of them."""
        for pair in range(self.pairs):
            for chosen in self._chunks(pair):
                yield pair, chosen, self._outputs(pair, chosen)

    def _chunks(self, pair: int) -> Iterator[list[int]]:
        """Coefficients that occur in the same linear forms are together, because then most products are 0."""
        left = set(range(self.size))
        factors = {step.operands[0] for step in self._steps if self._is_product(step, pair)}
        supports = {tuple(np.flatnonzero(row)) for n in factors if (row := self._rows[n]) is not None}
        for support in [*sorted(supports, key=len, reverse=True), range(self.size)]:
            chosen = sorted(left.intersection(support))
            left.difference_update(chosen)
            yield from (chosen[i : i + ROWS] for i in range(0, len(chosen), ROWS))

    def _is_product(self, step: Step, pair: int) -> bool:
        return step.apply is _outer and self.forms[step.operands[0]].pair == pair

    def _outputs(self, pair: int, chosen: Sequence[int]) -> list[Coefficients]:
        """Values that nothing needs any more are dropped."""
        uses = self._uses.copy()
        values: dict[Node, Coefficients | None] = {}
        for step in self._steps:
            node, apply, operands, constants = step
            if apply is _outer:
                f, g = (self._rows[m] for m in operands)
                values[node] = _outer(f[chosen], g) if self._is_product(step, pair) and f is not None else None
                continue
            values[node] = apply(*(values[m] for m in operands), *constants)
            for m in operands:
                uses[m] -= 1
                if not uses[m]:
                    del values[m]
        zero = np.zeros((len(chosen), self.size), dtype=np.uint16)
        return [zero if (value := values[n]) is None else value for n in self.outputs]


def _outer(f: Coefficients, g: Coefficients | None) -> Coefficients | None:
    return None if g is None or not f.any() else np.multiply.outer(f, g)


def _sum(x: Coefficients | None, y: Coefficients | None) -> Coefficients | None:
    if x is None or y is None:
        return x if y is None else y
    return x + y


def _difference(x: Coefficients | None, y: Coefficients | None) -> Coefficients | None:
    if x is None or y is None:
        return x if y is None else -y
    return x - y


def _scaled(x: Coefficients | None, factor: int) -> Coefficients | None:
    return None if x is None else x * np.uint16(factor)


def _shifted(x: Coefficients | None, low: int, up: int) -> Coefficients | None:
    if x is None or not low | up:
        return x
    if low and (x & np.uint16((1 << low) - 1)).any():
        raise NotProved(f"a shift to the right by {low} of a value that need not be divisible")
    return x >> np.uint16(low) << np.uint16(up)


def check_product(
    outputs: Sequence[Node], f: Sequence[Sequence[Node]], g: Sequence[Sequence[Node]], wanted: Wanted, bits: int
) -> int:
    """The outputs are the sum of the products of each f and its g, in so many low bits at least; returns how many are
    right. `wanted` gives of some coefficients of an f, by their numbers, the coefficient of each (output, coefficient
    of f, coefficient of g)."""
    found = Bilinear(outputs, f, g)
    right = [found.forms[n].bits for n in outputs]
    if min(right) < bits:
        raise NotProved(f"word {right.index(min(right))} has {min(right)} right bits")
    for pair, chosen, got in found.products():
        want = wanted(chosen)
        for i, form in enumerate(got):
            have = form & np.uint16((1 << bits) - 1)
            wrong = np.argwhere(have != want[i] % (1 << bits))
            if wrong.size:
                j, k = (int(x) for x in wrong[0])
                what = f"{int(have[j, k])} f[{chosen[j]}] g[{k}] instead of {int(want[i, j, k])}"
                raise NotProved(f"word {i} has {what} in product {pair}")
    return min(right)
