"""Linear forms modulo q of words that have too many values to try them all.

As in products.py every word is a polynomial in atoms. A word that is reduced, low(b w) - round(b w' / 2^k) q, has the
remainder of the rounding in it, times q: modulo q it is a linear form of the inputs, and its polynomial gives its
interval. Such a word becomes an atom of its own, with this form and this interval.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np

from proofs.domains import NotProved
from proofs.domains.linear import Form, Integers
from proofs.domains.products import Atom, Products, Value
from proofs.machine import terms as T
from proofs.machine.terms import Node


class Forms(Products):
    def __init__(self, q: int, inputs: Sequence[Atom]) -> None:
        super().__init__(q, inputs)
        self._rows: dict[int, Integers] = dict(enumerate(np.eye(len(inputs), dtype=np.int64)))

    def form(self, n: Node) -> Form:
        """A word as a signed integer."""
        x = self.value(n)
        row = self._row(x)
        if row is None:
            raise NotProved(f"a word modulo {self.q} is no linear form")
        return Form(row, x.low, x.high)

    def _row(self, x: Value) -> Integers | None:
        """The linear form modulo q, if it is one."""
        scale, row = pow(2, -x.shift, self.q), np.zeros(len(self._inputs), dtype=np.int64)
        for monomial, factor in x.terms.items():
            if factor := factor * scale % self.q:
                if len(monomial) != 1 or monomial[0] not in self._rows:
                    return None
                row = (row + factor * self._rows[monomial[0]]) % self.q
        return row

    def _visit(self, n: Node) -> Value:
        x = super()._visit(n)
        half = 1 << (T.W[n] - 1)
        reduced = T.OP[n] in ("add", "sub") and any(a in self._remainders for monomial in x.terms for a in monomial)
        if not reduced or x.low < -half or x.high >= half or (row := self._row(x)) is None:
            return x
        atom = len(self._intervals)
        self._intervals.append((x.low, x.high))
        self._rows[atom] = row
        return self._make({(atom,): 1}, 0)
