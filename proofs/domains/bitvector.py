"""Bit-vectors: a claim about words, decided by Bitwuzla for all inputs.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import bitwuzla

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node

K = bitwuzla.Kind
_KINDS = {
    "add": K.BV_ADD,
    "sub": K.BV_SUB,
    "mul": K.BV_MUL,
    "and": K.BV_AND,
    "or": K.BV_OR,
    "xor": K.BV_XOR,
    "not": K.BV_NOT,
    "udiv": K.BV_UDIV,
    "urem": K.BV_UREM,
    "shlv": K.BV_SHL,
    "lshrv": K.BV_SHR,
    "ashrv": K.BV_ASHR,
}
_COMPARISONS = {"eq": K.EQUAL, "ult": K.BV_ULT, "slt": K.BV_SLT}
_EXTENSIONS = {"smulh": K.BV_SIGN_EXTEND, "umulh": K.BV_ZERO_EXTEND}


class Translation:
    """Terms as terms of the solver."""

    def __init__(self) -> None:
        self.manager = bitwuzla.TermManager()
        self._known: dict[Node, bitwuzla.Term] = {}

    def bits(self, value: int, w: int) -> bitwuzla.Term:
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(w), value)

    def is_one(self, n: Node) -> bitwuzla.Term:
        return self.manager.mk_term(K.EQUAL, [self.term(n), self.bits(1, 1)])

    def term(self, root: Node) -> bitwuzla.Term:
        for n in T.cone([root], self._known):
            if n not in self._known:
                self._known[n] = self._translate(n)
        return self._known[root]

    def _translate(self, n: Node) -> bitwuzla.Term:
        make, op, w, args = self.manager.mk_term, T.OP[n], T.W[n], T.ARGS[n]
        if op == "const":
            return self.bits(args[0], w)
        if op == "var":
            return self.manager.mk_const(self.manager.mk_bv_sort(w), str(args[0]))
        if op == "cat":
            parts = [make(K.BV_EXTRACT, [self._known[m]], [low + v - 1, low]) for m, low, v in args]
            return parts[0] if len(parts) == 1 else make(K.BV_CONCAT, parts[::-1])
        x = [self._known[c] for c in T.children(n)]
        if op in _KINDS:
            return make(_KINDS[op], x)
        if op in _COMPARISONS:
            return self._as_bit(make(_COMPARISONS[op], x))
        if op == "sext":
            return make(K.BV_SIGN_EXTEND, x, [w - T.W[args[0]]])
        if op in _EXTENSIONS:
            product = make(K.BV_MUL, [make(_EXTENSIONS[op], [y], [w]) for y in x])
            return make(K.BV_EXTRACT, [product], [2 * w - 1, w])
        if op == "ite":
            return make(K.ITE, [make(K.EQUAL, [x[0], self.bits(1, 1)]), *x[1:]])
        if op == "popcnt":
            ones = [make(K.BV_ZERO_EXTEND, [make(K.BV_EXTRACT, x, [i, i])], [w - 1]) for i in range(w)]
            return make(K.BV_ADD, ones)
        raise NotProved(f"{op} is not translated for the solver")

    def _as_bit(self, condition: bitwuzla.Term) -> bitwuzla.Term:
        return self.manager.mk_term(K.ITE, [condition, self.bits(1, 1), self.bits(0, 1)])


def check(claim: Node, what: str, assumptions: Sequence[Node] = ()) -> None:
    """The bit `claim` is 1 for all inputs for which the assumptions are."""
    if T.is_const(claim) and T.val(claim):
        return
    translation, options = Translation(), bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    solver = bitwuzla.Bitwuzla(translation.manager, options)
    for assumption in assumptions:
        solver.assert_formula(translation.is_one(assumption))
    solver.assert_formula(translation.manager.mk_term(K.NOT, [translation.is_one(claim)]))
    result = solver.check_sat()
    if result == bitwuzla.Result.UNSAT:
        return
    if result != bitwuzla.Result.SAT:
        raise NotProved(f"{what}: the solver does not decide it")
    inputs = [n for n in T.cone([claim]) if T.OP[n] == "var"]
    values = {str(T.ARGS[n][0]): int(solver.get_value(translation.term(n)).value(16), 16) for n in inputs}
    shown = ", ".join(f"{name} = {value}" for name, value in values.items() if value)
    raise NotProved(f"{what} is false at {shown or 'all zero'}"[:400])
