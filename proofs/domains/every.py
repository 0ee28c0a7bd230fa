"""Every: a word that is 0 where all variables have a property, and nowhere else.

Such a word is put together of what it is 0 with: an OR, a maximum and a concatenation are 0 where all their parts are,
and so is the sign of a difference 0 - x for x without one. The rest is a set of slices that depend on one variable
each: of these all values are tried.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.domains.variables import variables_of
from proofs.machine import terms as T
from proofs.machine.terms import Node, Piece

Property = npt.NDArray[np.bool_]  # of each value of a variable


def check_zero_where_every(got: Node, allowed: Mapping[Node, Property], what: str) -> None:
    """`got` is 0 where every variable has an allowed value, and only there."""
    zero = {v: np.ones(len(values), dtype=bool) for v, values in allowed.items()}
    for part, v in _parts(got).items():
        if v is not None and v not in zero:
            raise NotProved(f"{what} depends on {T.ARGS[v][0]}, which is no input")
        (values,) = T.evaluate([T.cat([part])], {} if v is None else {v: np.arange(1 << T.W[v])})
        if v is not None:
            zero[v] &= values == 0
        elif values:
            raise NotProved(f"{what} is never 0")
    for v, expected in allowed.items():
        wrong = zero[v] != expected
        if wrong.any():
            value = int(np.argmax(wrong))
            raise NotProved(f"{what} is {'' if zero[v][value] else 'not '}0 with {T.ARGS[v][0]} = {value}")


def _parts(root: Node) -> dict[Piece, Node | None]:
    """Slices of one variable or of none, with it: the root is 0 where all of them are."""
    known: dict[Node, frozenset[Node]] = {}
    found: dict[Piece, Node | None] = {}
    stack, seen = list(T.pieces(root)), set()
    while stack:
        part = stack.pop()
        if part not in seen:
            seen.add(part)
            used = variables_of(part[0], known)
            if len(used) <= 1:
                found[part] = next(iter(used), None)
            else:
                stack += _taken_apart(*part)
    return found


def _taken_apart(n: Node, low: int, w: int) -> list[Piece]:
    """The values with which a slice is 0."""
    op, args, width = T.OP[n], T.ARGS[n], T.W[n]
    if op == "cat":
        return list(T.pieces(T.extract(n, low, w)))
    if op == "or":
        return [(a, low, w) for a in args]
    if op == "sub" and (low, w) == (width - 1, 1) and args[0] == T.const(0, width) and _is_not_negative(args[1]):
        return [(args[1], 0, width)]
    if w == width:
        parts = [args[0]] if op == "sext" else _maximum_of(n) or _above(n)
        if parts:
            return [(m, 0, T.W[m]) for m in parts]
    raise NotProved(f"{op} of {width} bits is not seen to be 0 where its parts are")


def _is_not_negative(n: Node) -> bool:
    top, low, w = T.pieces(n)[-1]
    return T.is_const(top) and not T.val(top) >> (low + w - 1) & 1


def _maximum_of(n: Node) -> list[Node]:
    """The operands of an unsigned maximum."""
    if T.OP[n] == "ite":
        condition, x, y = T.ARGS[n]
        if condition == T.ult(y, x):
            return [x, y]
    return []


def _above(n: Node) -> list[Node]:
    """A maximum is above a number where one of its operands is."""
    if T.OP[n] == "ult" and T.is_const(T.ARGS[n][0]):
        return [T.ult(T.ARGS[n][0], x) for x in _maximum_of(T.ARGS[n][1])]
    return []
