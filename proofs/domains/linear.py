"""Linear maps modulo q, with bounds, for NTTs and scalings.

Every word is a linear form over Z_q in the inputs with an interval of integers (`Form`), or a function of one such form
given by its values at every point of the form's interval (`Table`), or a sum of these (`Sum`). A sum of forms must not
overflow its word. A table that enters a sum must be x -> c x modulo q at every point: Montgomery's, Barrett's and
Plantard's products need no lemma, they are tried for all their inputs. The rows of the outputs' forms are the matrix.

Sums are kept as {form: table} until one form is asked for: compilers reassociate, and what cancels must not be rounded
to bounds before it does.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node, Words

Integers = npt.NDArray[np.int64]


class Form(NamedTuple):
    """A linear form modulo q, and the interval of the integer that represents it."""

    row: Integers
    low: int
    high: int


class Table(NamedTuple):
    """A function of the form at the node `base`: its values as words over the form's interval."""

    base: Node
    values: Words


class Sum(NamedTuple):
    """A sum modulo 2^w of functions of different forms."""

    parts: dict[Node, Words]


class Input(NamedTuple):
    node: Node
    low: int
    high: int


class Result(NamedTuple):
    """Row i is output i's form; [low, high] has the values of all outputs."""

    matrix: Integers
    low: int
    high: int


def signed(values: Words, w: int) -> Integers:
    """Words of w bits as two's complement."""
    v = values.astype(np.int64)
    return np.where(v >> (w - 1) & 1, v - (1 << w), v)


class Linear:
    def __init__(self, q: int, inputs: Sequence[Input]) -> None:
        """Column i of the matrix belongs to inputs[i]."""
        self.q = q
        self._state: dict[Node, Form | Table | Sum] = {}
        self._identity: dict[Node, Words] = {}
        self._made_of: dict[Node, dict[Node, Words]] = {}  # of sums that became forms
        for row, (node, low, high) in zip(np.eye(len(inputs), dtype=np.int64), inputs, strict=True):
            self._state[node] = Form(row, low, high)

    def forms(self, outputs: Sequence[Node]) -> list[Form]:
        for n in T.cone(outputs, self._state):
            self._visit(n)
        return [self._form(n) for n in outputs]

    def run(self, outputs: Sequence[Node]) -> Result:
        forms = self.forms(outputs)
        return Result(np.array([f.row for f in forms]), min(f.low for f in forms), max(f.high for f in forms))

    def parts(self, n: Node) -> dict[Node, Words]:
        """A node as a sum modulo 2^w of functions of forms: by a form's node, the values over its interval."""
        for m in T.cone([n], self._state):
            self._visit(m)
        return self._parts(n)

    def _parts(self, n: Node) -> dict[Node, Words]:
        """A node as a sum modulo 2^w of functions of forms."""
        state = self._state[n]
        if isinstance(state, Form):
            if n not in self._identity:
                self._identity[n] = np.arange(state.low, state.high + 1).astype(np.uint64) & _mask(T.W[n])
            return {n: self._identity[n]}
        return state.parts if isinstance(state, Sum) else {state.base: state.values}

    def _form(self, n: Node) -> Form:
        """The node as one form: each of its tables must be linear at every point, and the sum must fit the word."""
        state, w = self._state[n], T.W[n]
        if isinstance(state, Form):
            return state
        row, low, high = np.zeros(0, dtype=np.int64), 0, 0
        for base, values in self._parts(n).items():
            factor, least, most = self._linear_factor(base, values, w)
            term = factor * self._base(base).row
            row, low, high = term if row.size == 0 else row + term, low + least, high + most
        if low < -(1 << (w - 1)) or high >= 1 << (w - 1):
            raise NotProved(f"a sum in [{low}, {high}] overflows {w} bits")
        if isinstance(state, Sum):
            self._made_of[n] = state.parts
        self._state[n] = form = Form(row % self.q, low, high)
        return form

    def _base(self, n: Node) -> Form:
        state = self._state[n]
        if not isinstance(state, Form):
            raise TypeError(f"node {n} is no form")
        return state

    def _linear_factor(self, base: Node, values: Words, w: int) -> tuple[int, int, int]:
        """c such that the table is x -> c x modulo q, its least and its greatest value."""
        form = self._base(base)
        if form.low == form.high != 1:
            raise NotProved(f"an interval of {form.low} alone")
        x = np.arange(form.low, form.high + 1)
        y = np.broadcast_to(signed(np.asarray(values), w), x.shape)
        factor = int(y[1 - form.low] if form.low <= 1 <= form.high else y[1] - y[0]) % self.q
        wrong = (y - factor * x) % self.q != 0
        if wrong.any():
            raise NotProved(
                f"a value of {w} bits is {int(y[wrong][0])} where its argument is {int(x[wrong][0])}, "
                f"which is not {factor} times it modulo {self.q}"
            )
        return factor, int(y.min()), int(y.max())

    def _visit(self, n: Node) -> None:
        if n in self._state or T.is_const(n):
            return
        variable = [c for c in T.children(n) if not T.is_const(c)]
        if not variable:
            raise NotProved(f"the result depends on {T.ARGS[n][0]}, which is no input")
        if T.OP[n] in ("add", "sub") and len(variable) == 2:
            self._add(n, *variable)
        else:
            self._function_of_one(n, variable)

    def _add(self, n: Node, x: Node, y: Node) -> None:
        parts = dict(self._parts(x))
        _accumulate(parts, self._parts(y), 1 if T.OP[n] == "add" else -1, T.W[n])
        self._cancel(parts, T.W[n])
        if len(parts) == 1:
            self._state[n] = Table(*parts.popitem())
            return
        self._state[n] = Sum(parts)
        try:
            self._form(n)
        except NotProved:
            return  # not linear or too large by itself: what it is added to may mend that, or else reports it

    def _cancel(self, parts: dict[Node, Words], w: int) -> None:
        """Forms that were sums are taken apart where their parts meet others, or put together if all of them are beside
        a function of the form: a sum less its multiple of q is small, in whatever order it is added up."""
        reached = {base: self._reached(base) for base in parts}
        met = Counter(base for some in reached.values() for base in some)
        for form, made_of in self._sums_among(parts, w).items():
            meets = any(met[base] > 1 for base in reached[form])
            for sign in (1, -1):
                if meets and form in parts and np.array_equal(parts[form], _times(sign, self._identity[form], w)):
                    del parts[form]
                    _accumulate(parts, made_of, sign, w)
        for form, made_of in self._sums_among(parts, w).items():
            if all(base in parts and np.array_equal(parts[base], values) for base, values in made_of.items()):
                for base in made_of:
                    del parts[base]
                _accumulate(parts, {form: self._identity[form]}, 1, w)
        for base in [base for base, values in parts.items() if not values.any()][: len(parts) - 1]:
            del parts[base]

    def _reached(self, form: Node) -> set[Node]:
        """The form, what it was made of, and what that was made of."""
        made_of = self._made_of.get(form, {})
        return {form, *made_of}.union(*(self._made_of.get(base, {}) for base in made_of))

    def _sums_among(self, parts: dict[Node, Words], w: int) -> dict[Node, dict[Node, Words]]:
        """The parts of forms that were sums of this width."""
        return {form: self._made_of[form] for form in parts if form in self._made_of and T.W[form] == w}

    def _function_of_one(self, n: Node, variable: Iterable[Node]) -> None:
        bases: set[Node] = set()
        for c in variable:
            if isinstance(self._state[c], Sum):
                self._form(c)
            bases |= self._parts(c).keys()
        if len(bases) != 1:
            raise NotProved(f"{T.OP[n]} of {T.W[n]} bits combines {len(bases)} values, and is no sum")
        base = bases.pop()
        values = {c: T.evaluate_node(c, {}) if T.is_const(c) else self._parts(c)[base] for c in T.children(n)}
        self._state[n] = Table(base, np.asarray(T.evaluate_node(n, values)))


def _times(sign: int, values: Words, w: int) -> Words:
    return values if sign > 0 else -values & _mask(w)


def _accumulate(parts: dict[Node, Words], more: dict[Node, Words], sign: int, w: int) -> None:
    for base, values in more.items():
        parts[base] = (parts.get(base, np.uint64(0)) + _times(sign, values, w)) & _mask(w)


def _mask(w: int) -> np.uint64:
    return np.uint64((1 << w) - 1)
