"""Names of whole values: strings of bytes, polynomials modulo q, Keccak's states.

A name is a small int for a value that is a function of the inputs: equal names are equal values. A residue is a
polynomial modulo q, as a sum of multiples of atoms: NTT, its inverse and multiples go through the sum, products through
both of theirs, so that equal residues have equal sums. Nothing is known of an atom but its name.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems.contracts import Map, Q

Name = int
Residue = tuple[tuple[Name, int], ...]  # atoms in order, each with its factor, 1 to q - 1
Bytes = list[Node]
Slice = tuple[object, ...]  # what is added up: bits of a node, or of an AND, and where they begin
Sum = tuple[int, frozenset[Slice]]  # over GF(2): a constant and slices

_names: dict[Hashable, Name] = {}
_values: list[Any] = []


def name_of(value: Hashable) -> Name:
    found = _names.get(value)
    if found is None:
        found = _names[value] = len(_values)
        _values.append(value)
    return found


def value_of(name: Name) -> Any:
    """The value with this name."""
    return _values[name]


def name_in(n: Node, kind: str) -> Name | None:
    """The name that a variable of that kind has; None of any other term."""
    name: T.Args = T.ARGS[n][0] if T.OP[n] == "var" else ()
    return int(name[1]) if name[:1] == (kind,) else None


def string(content: Iterable[Node]) -> Node:
    """A string of bytes as one term, by which it is known."""
    return T.concat(content)


# ---- residues ----


def atom(*what: Hashable) -> Residue:
    return ((name_of(what), 1),)


def total(parts: Iterable[tuple[Residue, int]], modulus: int = Q) -> Residue:
    """The sum of residues with these factors."""
    found: dict[Name, int] = {}
    for residue, factor in parts:
        for a, c in residue:
            found[a] = (found.get(a, 0) + c * factor) % modulus
    return tuple(sorted((a, c) for a, c in found.items() if c))


def mapped(map_: Map, f: Residue, factor: int = 1) -> Residue:
    """A linear map and a factor."""
    if map_ is Map.SAME:
        return total([(f, factor)])
    return total([(atom(map_.name, a), c * factor) for a, c in f])


def product(f: Residue, g: Residue, modulus: int = Q) -> Residue:
    """Bilinear and commutative, as algorithm 11."""
    return total([(atom("product", *sorted((a, b))), c * d) for a, c in f for b, d in g], modulus)


def coded(d: int, compresses: bool, f: Residue, size: int) -> Bytes:
    """ByteEncode_d of a residue, or of its compression."""
    return named_bytes("Compress" if compresses else "ByteEncode", d, f, size)


def named_bytes(kind: str, d: int, f: Residue, size: int) -> Bytes:
    """A function of a residue, with d bits for each coefficient."""
    name = name_of((kind, d, f))
    return [T.var(("coded", name, i), 8) for i in range(size)]


# ---- Keccak-f ----

_states: dict[Name, list[Node]] = {}


def permuted(state: Sequence[Node]) -> list[Node]:
    """Keccak-f[1600]. A state is known by sums of bits: compilers add the same blocks up in other ways."""
    name = name_of(("keccak-f", *map(added_up, state)))
    _states.setdefault(name, list(state))
    return [T.var(("keccak-f", name, w), 64) for w in range(25)]


def before_permutation(name: Name) -> list[Node]:
    """The state of that name before Keccak-f, as it was first met."""
    return _states[name]


# ---- SHA-2 ----


def compressed(width: int, state: Sequence[Node], block: Bytes) -> list[Node]:
    """SHA-256 or SHA-512, by the width of their words."""
    name = name_of(("SHA-2", tuple(state), tuple(block)))
    return [T.var(("SHA-2", name, i), width) for i in range(8)]


def before_compression(name: Name) -> tuple[tuple[Node, ...], Bytes]:
    """The state and the block."""
    _, state, block = value_of(name)
    return state, list(block)


# ---- sums over GF(2) ----

_sums: dict[Node, tuple[Sum, ...]] = {}


def added_up(n: Node) -> tuple[Sum, ...]:
    """The bytes of a word, each a sum of slices."""
    found = _sums.get(n)
    if found is None:
        found = _sums[n] = tuple(_sum(n, low, min(8, T.W[n] - low), 0) for low in range(0, T.W[n], 8))
    return found


def is_same(x: Node, y: Node) -> bool:
    return x == y or added_up(x) == added_up(y)


def _sum(n: Node, low: int, w: int, at: int) -> Sum:
    """Bits [low, low + w) of a node, moved up to `at`."""
    op, args = T.OP[n], T.ARGS[n]
    if op == "const":
        return (args[0] >> low & (1 << w) - 1) << at, frozenset()
    if op == "xor":
        (c, x), (d, y) = (_sum(m, low, w, at) for m in args)
        return c ^ d, x ^ y
    if op == "not":
        c, x = _sum(args[0], low, w, at)
        return c ^ ((1 << w) - 1) << at, x
    if op in ("and", "or"):
        return 0, frozenset({(op, frozenset(_sum(m, low, w, 0) for m in args), w, at)})
    if op != "cat":
        return 0, frozenset({(n, low, w, at)})
    constant, slices, start = 0, frozenset[Slice](), 0
    for m, m_low, m_width in args:
        first, end = max(low, start), min(low + w, start + m_width)
        if first < end:
            c, x = _sum(m, m_low + first - start, end - first, at + first - low)
            constant, slices = constant ^ c, slices ^ x
        start += m_width
    return constant, slices


# ---- the polynomials of FIPS 203 ----


class Named:
    """Names that the specification (fips203.py) and the models of kernels both give to the same strings. A stream is
    named by its first block: that names the state from which all others come."""

    permuted = staticmethod(permuted)
    product = staticmethod(product)
    total = staticmethod(total)

    @staticmethod
    def ntt(f: Residue) -> Residue:
        return mapped(Map.NTT, f)

    @staticmethod
    def inverse(f: Residue) -> Residue:
        return mapped(Map.INVERSE, f)

    @staticmethod
    def sample_ntt(stream: list[Bytes]) -> Residue:
        return atom("SampleNTT", string(stream[0]))

    @staticmethod
    def sample_cbd(eta: int, s: Bytes) -> Residue:
        return atom("SamplePolyCBD", eta, string(s))

    @staticmethod
    def decode(s: Bytes) -> Residue:
        return atom("ByteDecode", 12, string(s))

    @staticmethod
    def encode(f: Residue) -> Bytes:
        return coded(12, False, f, 384)

    @staticmethod
    def decompress(d: int, s: Bytes) -> Residue:
        return atom("Decompress", d, string(s))

    @staticmethod
    def compress(d: int, f: Residue) -> Bytes:
        return coded(d, True, f, 32 * d)


# ---- for people ----


def told(n: Node, depth: int = 3) -> str:
    """A term in a few words."""
    op = T.OP[n]
    if op == "const":
        return hex(T.val(n))
    if op == "var":
        return _told_variable(T.ARGS[n][0])
    if not depth:
        return op
    if op == "cat":
        return "+".join(f"{told(m, depth - 1)}[{low}:{low + w}]" for m, low, w in T.ARGS[n])
    return f"{op}({', '.join(told(c, depth - 1) for c in T.children(n))})"


def _told_variable(name: Any) -> str:
    if not isinstance(name, tuple):
        return str(name)
    if name[0] == "coded":
        kind, d, residue = value_of(name[1])
        return f"{kind}_{d}({_told_residue(residue)})[{name[2]}]"
    return f"{name[0]} {', '.join(map(str, name[1:]))}"


def _told_residue(f: Residue) -> str:
    return " + ".join(f"{c} {_told_atom(a)}" if c != 1 else _told_atom(a) for a, c in f) or "0"


def _told_atom(a: Name) -> str:
    kind, *rest = value_of(a)
    if kind in ("NTT", "INVERSE", "product"):
        return f"{kind}({', '.join(map(_told_atom, rest))})"
    return f"{kind}#{a}"
