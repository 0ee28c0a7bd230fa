"""Products modulo a power of 2 by Toom-Cook and Karatsuba, with a count of right bits.

Every 16-bit word is a linear form in f, or in g, or a bilinear form in both, with coefficients modulo 2^p: the word's
lowest p bits are the form's. A shift to the right by k needs every coefficient to be divisible by 2^k and costs k
bits; inverses of odd numbers cost nothing. So Toom-Cook's divisions are proved exact and their losses counted, for all
words.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node

Coefficients = npt.NDArray[np.uint16]
WIDTH = 16


class Form(NamedTuple):
    """Linear in "f" or "g", or bilinear in "fg": the coefficients, and how many low bits of the word it gives."""

    kind: str
    coefficients: Coefficients
    bits: int


def forms(outputs: Sequence[Node], f: Sequence[Node], g: Sequence[Node]) -> list[Form]:
    """The outputs' forms. Those that nothing needs any more are dropped: each takes 128 KiB."""
    order = T.cone(outputs)
    uses = Counter(c for n in order for c in T.children(n))
    uses.update(outputs)
    known: dict[Node, Form] = {}
    for kind, inputs in (("f", f), ("g", g)):
        for row, n in zip(np.eye(len(inputs), dtype=np.uint16), inputs, strict=True):
            known[n] = Form(kind, row, WIDTH)
    for n in order:
        if n not in known and not T.is_const(n):
            known[n] = _visit(n, known)
        for c in T.children(n):
            uses[c] -= 1
            if not uses[c]:
                known.pop(c, None)
    return [known[n] for n in outputs]


def _visit(n: Node, known: dict[Node, Form]) -> Form:
    op, args = T.OP[n], T.ARGS[n]
    if T.W[n] != WIDTH or op == "var":
        raise NotProved(f"the result depends on {args[0] if op == 'var' else f'{op} of {T.W[n]} bits'}")
    if op in ("add", "sub"):
        return _sum(op, known[args[0]], known[args[1]])
    if op == "mul":
        return _scaled(known[args[0]], T.val(args[1])) if T.is_const(args[1]) else _product(*(known[a] for a in args))
    if op == "cat":
        return _shifted(args, known)
    raise NotProved(f"{op} is neither a sum, a product nor a shift")


def _sum(op: str, x: Form, y: Form) -> Form:
    if x.kind != y.kind:
        raise NotProved(f"a sum of forms in {x.kind} and {y.kind}")
    total = x.coefficients + y.coefficients if op == "add" else x.coefficients - y.coefficients
    return Form(x.kind, total, min(x.bits, y.bits))


def _scaled(x: Form, factor: int) -> Form:
    twos = (factor & -factor).bit_length() - 1
    return Form(x.kind, x.coefficients * np.uint16(factor), min(WIDTH, x.bits + twos))


def _product(x: Form, y: Form) -> Form:
    if {x.kind, y.kind} != {"f", "g"}:
        raise NotProved(f"a product of forms in {x.kind} and {y.kind}")
    x, y = (x, y) if x.kind == "f" else (y, x)
    return Form("fg", np.multiply.outer(x.coefficients, y.coefficients), min(x.bits, y.bits))


def _shifted(parts: tuple[T.Piece, ...], known: dict[Node, Form]) -> Form:
    """A slice of a word between zeros: ((x >> low) mod 2^w) << up."""
    middle = [p for p in parts if not T.is_const(p[0])]
    if len(middle) != 1 or any(T.is_const(m) and T.val(m) for m, _, _ in parts):
        raise NotProved("a word is put together of several")
    n, low, w = middle[0]
    up = parts[0][2] if T.is_const(parts[0][0]) else 0
    if n not in known:
        raise NotProved("a slice of something else")
    x = known[n]
    right = x.coefficients & np.uint16((1 << x.bits) - 1)
    if (right & np.uint16((1 << low) - 1)).any() or x.bits <= low:
        raise NotProved(f"a shift to the right by {low} of a value that need not be divisible")
    return Form(x.kind, (right >> np.uint16(low)) << np.uint16(up), min(WIDTH, w + up, x.bits - low + up))


def check_product(found: Sequence[Form], wanted: Sequence[npt.NDArray[np.int64]], bits: int) -> int:
    """The forms are the wanted bilinear forms in so many low bits at least; returns how many are right."""
    for i, (form, want) in enumerate(zip(found, wanted, strict=True)):
        if form.bits < bits:
            raise NotProved(f"word {i} has {form.bits} right bits")
        wrong = np.argwhere((form.coefficients - want.astype(np.uint16)) & np.uint16((1 << bits) - 1))
        if wrong.size:
            j, k = (int(x) for x in wrong[0])
            raise NotProved(f"word {i} has {int(form.coefficients[j, k])} f[{j}] g[{k}] instead of {int(want[j, k])}")
    return min(form.bits for form in found)
