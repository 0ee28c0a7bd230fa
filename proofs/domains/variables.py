"""Which variables a term depends on.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable

from proofs.machine import terms as T
from proofs.machine.terms import Node


def variables_of(root: Node, known: dict[Node, frozenset[Node]]) -> frozenset[Node]:
    """Findings about the root's subterms are added to `known`."""
    for n in T.cone([root], known):
        if n not in known:
            own = [n] if T.OP[n] == "var" else []
            known[n] = frozenset(own).union(*(known[c] for c in T.children(n)))
    return known[root]


def few_together(parts: Iterable[tuple[int, ...] | None], most: int) -> tuple[int, ...] | None:
    """The union in order; None where it has more than so many, or a part is None."""
    union: set[int] = set()
    for part in parts:
        if part is None:
            return None
        union.update(part)
    return tuple(sorted(union)) if len(union) <= most else None
