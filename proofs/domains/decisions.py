"""Decisions: functions of conditions, each with one form, as reduced ordered binary decision diagrams.

A function is NEVER, ALWAYS, or a condition (a node of terms.py, the lowest first) with the functions for both of its
values (Bryant, 1986). SPDX-License-Identifier: Apache-2.0
"""

from functools import cache
from typing import NamedTuple

from proofs.machine import terms as T
from proofs.machine.terms import Node


class Choice(NamedTuple):
    """The function `otherwise` where the condition does not hold, else `then`."""

    condition: Node
    otherwise: "Decision"
    then: "Decision"


Decision = Choice | bool
NEVER, ALWAYS = False, True


@cache
def _choice(condition: Node, otherwise: Decision, then: Decision) -> Decision:
    return otherwise if otherwise == then else Choice(condition, otherwise, then)


def of(condition: Node, value: bool) -> Decision:
    """Whether the condition has the value."""
    return _choice(condition, not value, value)


def parts(f: Decision, condition: Node) -> tuple[Decision, Decision]:
    """For both values of a condition that is not behind its first one."""
    return (f.otherwise, f.then) if isinstance(f, Choice) and f.condition == condition else (f, f)


def _first(*functions: Decision) -> Node:
    return min(f.condition for f in functions if isinstance(f, Choice))


def both(f: Decision, g: Decision) -> Decision:
    return _combined(f, g, NEVER)


def either(f: Decision, g: Decision) -> Decision:
    return _combined(f, g, ALWAYS)


@cache
def _combined(f: Decision, g: Decision, strong: bool) -> Decision:
    """The constant function that is strong decides alone; the other one does not count."""
    if f == g or f is strong or g is (not strong):
        return f
    if g is strong or f is (not strong):
        return g
    condition = _first(f, g)
    pairs = zip(parts(f, condition), parts(g, condition), strict=True)
    return _choice(condition, *(_combined(*pair, strong) for pair in pairs))


@cache
def within(f: Decision, known: Decision) -> Decision:
    """A function that is f wherever `known` holds, and asks for less (Coudert and Madre, 1990)."""
    if known is ALWAYS or known is NEVER or isinstance(f, bool):
        return f
    condition = _first(f, known)
    (f0, f1), (k0, k1) = parts(f, condition), parts(known, condition)
    if k0 is NEVER:
        return within(f1, k1)
    if k1 is NEVER:
        return within(f0, k0)
    return _choice(condition, within(f0, k0), within(f1, k1))


@cache
def conditions(f: Decision) -> frozenset[Node]:
    """Those that a function asks for."""
    if isinstance(f, bool):
        return frozenset()
    return conditions(f.otherwise) | conditions(f.then) | {f.condition}


@cache
def term(f: Decision) -> Node:
    if isinstance(f, bool):
        return T.const(f, 1)
    return T.ite(f.condition, term(f.then), term(f.otherwise))
