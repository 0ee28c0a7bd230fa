"""Names: code is executed with a variable in place of each sum.

The lower bits of a sum are the sum of lower bits, and so `terms` cuts it. The words of a hash are sums of sums that are
rotated. For these this makes a term of its own for every width that is cut, and takes more steps with every round. A
sum that has a name stays whole.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from functools import cache

from proofs.machine import terms as T
from proofs.machine.frames import Frames
from proofs.machine.terms import Node


class Naming(Frames):
    """A machine that keeps no sum by itself in a register. A result needs `without_names`: a name is no input.

    Memory does not see what is behind a name. If that is a byte that was never written, the domain refuses it."""

    def step(self) -> None:
        super().step()
        for words in (self.general, *self.vector):
            words[:] = map(_named, words)


@cache
def _named(n: Node) -> Node:
    """The same bits, of each sum its name."""
    return T.cat((_name(m), low, w) for m, low, w in T.pieces(n))


def _name(n: Node) -> Node:
    return T.var(("sum", n), T.W[n]) if T.OP[n] in ("add", "sub") else n


def sum_of(n: Node) -> Node | None:
    """The meaning of a name: its own text says it."""
    name = T.ARGS[n][0] if T.OP[n] == "var" else None
    return name[1] if isinstance(name, tuple) and name[0] == "sum" else None


def without_names(roots: Iterable[Node]) -> list[Node]:
    """With the sums themselves again. The constructors of `terms` would cut them: nothing is simplified here."""
    roots, found = list(roots), dict[Node, Node]()
    for n in _in_order(roots):
        op, args, named = T.OP[n], T.ARGS[n], sum_of(n)
        if named is not None:
            found[n] = found[named]
        elif op == "cat":
            found[n] = T.mk(op, T.W[n], *((found[m], low, w) for m, low, w in args))
        else:
            children = T.children(n)
            found[n] = T.mk(op, T.W[n], *(found[c] for c in children)) if children else n
    return [found[n] for n in roots]


def _in_order(roots: Iterable[Node]) -> list[Node]:
    """The nodes that the roots are made of, through names too: a node has a higher number than what it is made of."""
    seen: set[Node] = set()
    stack = list(roots)
    while stack:
        n = stack.pop()
        if n not in seen:
            seen.add(n)
            named = sum_of(n)
            stack += T.children(n) if named is None else [named]
    return sorted(seen)
