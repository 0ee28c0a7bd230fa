"""All inputs: a term of few bits of the inputs, compared with its formula at every value of these bits.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.domains.fields import Fields
from proofs.domains.variables import variables_of
from proofs.machine import terms as T
from proofs.machine.terms import Node, Words

LIMIT = 20  # bits: a million cases
Bit = tuple[Node, int]


def bits_of(root: Node) -> list[Bit]:
    """The bits of variables that a term depends on."""
    used: dict[Node, set[int]] = {}
    for n in T.cone([root]):
        for i, child in enumerate(T.children(n)):
            if T.OP[child] == "var":
                low, w = T.ARGS[n][i][1:] if T.OP[n] == "cat" else (0, T.W[child])
                used.setdefault(child, set()).update(range(low, low + w))
    if T.OP[root] == "var":
        used[root] = set(range(T.W[root]))
    return [(v, b) for v in sorted(used) for b in sorted(used[v])]


def valuations(bits: list[Bit], below: Mapping[Node, int]) -> dict[Node, Words]:
    """Every value of these bits, the others being 0; of variables in `below` only the values below that bound."""
    x = np.arange(1 << len(bits), dtype=np.uint64)
    values: dict[Node, Words] = {}
    for i, (v, b) in enumerate(bits):
        bit = (x >> np.uint64(i) & np.uint64(1)) << np.uint64(b)
        values[v] = values[v] | bit if v in values else bit
    allowed: npt.NDArray[np.bool_] = np.ones(len(x), dtype=bool)
    for v, column in values.items():
        if v in below:
            allowed &= column < below[v]
    return {v: column[allowed] for v, column in values.items()}


def check_equal(got: Node, wanted: Node, what: str, fields: Fields, below: Mapping[Node, int] | None = None) -> None:
    """`got` is `wanted` for all inputs in which the variables of `below` are below their bounds."""
    if got == wanted:
        return
    got = fields.narrow(got)
    bits = sorted({*bits_of(got), *bits_of(wanted)})
    if len(bits) > LIMIT:
        raise NotProved(f"{what} depends on {len(bits)} bits of the input, more than are tried")
    values = valuations(bits, below or {})
    results = T.evaluate([got, wanted], values)
    wrong = np.broadcast_to(results[0] != results[1], next(iter(values.values())).shape if values else (1,))
    if wrong.any():
        at = int(np.argmax(wrong))
        inputs = ", ".join(f"{T.ARGS[v][0]} = {int(column[at])}" for v, column in values.items())
        have, want = (int(np.broadcast_to(r, wrong.shape)[at]) for r in results)
        raise NotProved(f"{what} is {have} instead of {want} at {inputs}")


# ---- several variables, with few things that matter ----


def check_by_classes(got: Node, wanted: Node, what: str, below: Mapping[Node, int] | None = None) -> None:
    """The same where too many bits matter: values of a variable count as one where all terms of it alone are equal."""
    parts = _parts([got, wanted])
    columns = {v: _classes(v, tuple(cuts), (below or {}).get(v, 1 << T.W[v])) for v, cuts in parts.items()}
    if np.prod([len(next(iter(c.values()))) for c in columns.values()]) > 1 << LIMIT:
        raise NotProved(f"{what} depends on too many values of {len(columns)} variables")
    values: dict[Node, Words] = {}
    for axis, column in enumerate(columns.values()):
        shape = [-1 if i == axis else 1 for i in range(len(columns))]
        values |= {n: c.reshape(shape) for n, c in column.items()}
    results = T.evaluate([got, wanted], values)
    wrong = np.asarray(results[0] != results[1])
    if wrong.any():
        at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        have, want = (int(np.broadcast_to(r, wrong.shape)[at]) for r in results)
        raise NotProved(f"{what} is {have} instead of {want}")


def _parts(roots: list[Node]) -> dict[Node, list[Node]]:
    """By variable, the largest terms that depend on it alone."""
    support: dict[Node, frozenset[Node]] = {}
    for root in roots:
        variables_of(root, support)
    parts: dict[Node, list[Node]] = {}
    stack, seen = list(roots), set()
    while stack:
        n = stack.pop()
        if n in seen or not support[n]:
            continue
        seen.add(n)
        if len(support[n]) == 1:
            parts.setdefault(next(iter(support[n])), []).append(n)
        else:
            stack += T.children(n)
    return parts


@cache
def _classes(v: Node, terms: tuple[Node, ...], bound: int) -> dict[Node, Words]:
    """The different values that the terms take together."""
    bits = sorted({bit for n in terms for bit in bits_of(n)})
    values = valuations(bits, {v: bound})
    results = T.evaluate(terms, values)
    rows = [np.broadcast_to(r, values[v].shape) for r in results]
    number = np.zeros(values[v].shape, dtype=np.int64)
    for row in rows:
        number = np.unique(number << 32 | np.unique(row, return_inverse=True)[1], return_inverse=True)[1]
    first = np.unique(number, return_index=True)[1]
    return {n: row[first] for n, row in zip(terms, rows, strict=True)}


# ---- functions of a difference ----


def difference_of(root: Node, x: Node, y: Node) -> Node | None:
    """The difference of x and y as signed numbers, in a word that it fits, if the term depends on nothing else."""
    for n in T.cone([root]):
        if T.OP[n] == "sub" and T.W[n] > max(T.W[x], T.W[y]) and _leaves(root, n) == {n}:
            return (
                n if all(_always_equal(a, T.sext(b, T.W[n])) for a, b in zip(T.ARGS[n], (x, y), strict=True)) else None
            )
    return None


def _leaves(root: Node, stop: Node) -> set[Node]:
    return {n for n in T.cone([root], [stop]) if n == stop or T.OP[n] == "var"}


@cache
def _always_equal(a: Node, b: Node) -> bool:
    bits = sorted({*bits_of(a), *bits_of(b)})
    if len(bits) > LIMIT:
        return False
    got, wanted = T.evaluate([a, b], valuations(bits, {}))
    return bool((got == wanted).all())


def check_values(got: Node, wanted: Node, n: Node, values: range, what: str) -> None:
    """The same for so many values of a term that both depend on alone, as a signed number."""
    column = np.array(values, dtype=np.int64).astype(np.uint64) & np.uint64((1 << T.W[n]) - 1)
    results = [np.broadcast_to(r, column.shape) for r in T.evaluate([got, wanted], {n: column})]
    wrong = np.flatnonzero(results[0] != results[1])
    if wrong.size:
        have, want = (int(r[wrong[0]]) for r in results)
        raise NotProved(f"{what} is {have} instead of {want} where the difference is {values[wrong[0]]}")
