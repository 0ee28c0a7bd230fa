"""Terms with other operands, simplified as if the code had had them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

from proofs.machine import terms as T
from proofs.machine.terms import Node

_SIMPLIFY: dict[str, Callable[..., Node]] = {
    **{"and": T.and_, "or": T.or_, "xor": T.xor, "not": T.not_, "add": T.add, "sub": T.sub, "ite": T.ite},
    **{"mul": T.mul, "umulh": T.umulh, "smulh": T.smulh, "eq": T.eq, "ult": T.ult, "slt": T.slt, "popcnt": T.popcnt},
    **{"shlv": T.shlv, "lshrv": T.lshrv, "ashrv": T.ashrv},
}


def made_of(n: Node, operands: Sequence[Node]) -> Node:
    """The term with other operands. Paths that meet have to find it equal."""
    op, w = T.OP[n], T.W[n]
    if not operands or list(operands) == list(T.children(n)):
        return n
    if op == "cat":
        return T.concat([T.extract(m, low, v) for m, (_, low, v) in zip(operands, T.pieces(n), strict=True)])
    if op == "sext":
        return T.sext(operands[0], w)
    return _SIMPLIFY[op](*operands) if op in _SIMPLIFY else T.mk(op, w, *operands)


def rebuilt(root: Node, new: dict[Node, Node]) -> Node:
    """The term with other terms for some that it is made of."""
    for n in T.cone([root], new):
        if n not in new:
            new[n] = made_of(n, [new[c] for c in T.children(n)])
    return new[root]
