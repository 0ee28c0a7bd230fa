"""Models of the functions that the library takes from the C library.

A model reads its arguments from the machine and returns the result. Lengths and addresses must be constants.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from typing import Protocol

from proofs.machine import terms as T
from proofs.machine.memory import Memory, Violation
from proofs.machine.terms import Node


class Caller(Protocol):
    """The part of a machine that a model needs."""

    memory: Memory

    def argument(self, index: int) -> Node: ...


Model = Callable[[Caller], Node | None]
INT = 32  # bits of an int


def _constant(machine: Caller, index: int, what: str) -> int:
    n = T.settled(machine.argument(index))
    if not T.is_const(n):
        raise Violation(f"{what} depends on data")
    return T.val(n)


def _pieces(at: int, size: int) -> list[tuple[int, int]]:
    """A range of bytes as words of 8 and a rest."""
    return [(at + i, min(8, size - i)) for i in range(0, size, 8)]


def memmove(machine: Caller) -> Node:
    to, source, size = (_constant(machine, i, f"argument {i} of memmove") for i in range(3))
    if size:
        machine.memory.check(source, size, False)
        machine.memory.check(to, size, True)
    words = [machine.memory.load(at, n) for at, n in _pieces(source, size)]
    for (at, _), word in zip(_pieces(to, size), words, strict=True):
        machine.memory.store(at, word)
    return machine.argument(0)


def memcpy(machine: Caller) -> Node:
    to, source, size = (_constant(machine, i, f"argument {i} of memcpy") for i in range(3))
    if to < source + size and source < to + size:
        raise Violation("memcpy between ranges that overlap")
    return memmove(machine)


def memset(machine: Caller) -> Node:
    to, size = _constant(machine, 0, "the address of memset"), _constant(machine, 2, "the length of memset")
    byte = T.extract(machine.argument(1), 0, 8)
    for at, n in _pieces(to, size):
        machine.memory.store(at, T.concat([byte] * n))
    return machine.argument(0)


def strcmp(machine: Caller) -> Node:
    """Of strings of constants."""
    a, b = (_constant(machine, i, "a string's address") for i in range(2))
    while True:
        loaded = [machine.memory.load(at, 1) for at in (a, b)]
        if not all(T.is_const(n) for n in loaded):
            raise Violation("strcmp of data")
        x, y = (T.val(n) for n in loaded)
        if x != y or x == 0:
            return T.const(x - y, 64)
        a, b = a + 1, b + 1


def memcmp(machine: Caller) -> Node:
    """A variable that names both strings: it is 0 just if they are the same, and nothing else is known of it."""
    a, b, size = (_constant(machine, i, f"argument {i} of memcmp") for i in range(3))
    x, y = (T.concat([T.const(0, 8), *(machine.memory.load(at + i, 1) for i in range(size))]) for at in (a, b))
    if x == y or (T.is_const(x) and T.is_const(y)):
        return T.const(int(x != y), 64)
    return T.concat([T.var(("memcmp", x, y), INT), T.fresh(64 - INT)])


def compared(n: Node) -> tuple[Node, ...]:
    """The strings that memcmp compared, if a term is its result; else none."""
    name = T.ARGS[n][0] if T.OP[n] == "var" else None
    return name[1:] if isinstance(name, tuple) and name[0] == "memcmp" else ()


MODELS: dict[str, Model] = {"memcmp": memcmp, "memcpy": memcpy, "memmove": memmove, "memset": memset, "strcmp": strcmp}


def model(name: str) -> Model:
    """The model of a function; one that nobody wrote stops the execution when it is called."""

    def unknown(machine: Caller) -> Node:
        raise Violation(f"a call of {name}, of which no model is known")

    return MODELS.get(name, unknown)
