"""Terms: what a machine word is as a function of the inputs.

A term is a node of one graph, and a node is an int: OP, ARGS and W give its operation, arguments and width in bits.
Equal terms are the same node. Constructors fold constants, and turn shifts by constants, masks and disjoint ORs into
`cat` of slices, so that packing code becomes structure instead of arithmetic. A condition is a term of one bit.

    const  value                       cat    (node, low bit, width) ..., lowest first
    var    name                        sext   x                  ite  condition, x, y
    and or xor add sub mul  x, y       not    x                  eq ult slt  x, y: one bit
    umulh smulh  x, y: the upper half of the product              clmul clmulh  x, y: the product without carries
    shlv lshrv ashrv  x, count (no less than the width: nothing or the sign is left)
    udiv urem  x, y                    popcnt  x      sbox  x: the S-box of AES (FIPS 197, 5.1.1)

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

Node = int
Piece = tuple[Node, int, int]  # bits [low, low + width) of a node
Words = npt.NDArray[np.uint64]

OP: list[str] = []
Args = tuple[Any, ...]  # nodes, and what an operation has beside them
ARGS: list[Args] = []
W: list[int] = []

_node_of: dict[tuple[object, ...], Node] = {}
_unknowns = 0
_results_unknown = False
_settle: Callable[[Node], Node] | None = None
_STRUCTURE = frozenset({"const", "var", "cat"})  # what moves bits and computes nothing


# ---- nodes ----


def mk(op: str, w: int, *args: Hashable) -> Node:
    """The node of an operation, as it is: use the constructors below, which simplify."""
    if _results_unknown and op not in _STRUCTURE:
        return fresh(w)
    key = (op, w, args)
    node = _node_of.get(key)
    if node is None:
        node = _node_of[key] = _append(op, w, args)
    return node


def _append(op: str, w: int, args: Args) -> Node:
    if w <= 0:
        raise ValueError(f"{op} of {w} bits")
    OP.append(op)
    ARGS.append(args)
    W.append(w)
    return len(OP) - 1


def const(value: int, w: int) -> Node:
    return mk("const", w, value & ((1 << w) - 1))


def var(name: Hashable, w: int) -> Node:
    return mk("var", w, name)


def fresh(w: int) -> Node:
    """A value about which nothing is known, not even that it equals another unknown."""
    global _unknowns
    _unknowns += 1
    return _append("var", w, (("unknown", _unknowns),))


def is_unknown(n: Node) -> bool:
    name = ARGS[n][0]
    return OP[n] == "var" and isinstance(name, tuple) and name[0] == "unknown"


@contextmanager
def results_unknown() -> Iterator[None]:
    """Within it, every result that is no constant is a fresh unknown: quick, and enough to see what is constant."""
    global _results_unknown
    before, _results_unknown = _results_unknown, True
    try:
        yield
    finally:
        _results_unknown = before


@contextmanager
def settling(settle: Callable[[Node], Node]) -> Iterator[None]:
    """Within it, an address or a condition that is no constant is first given to `settle`: for code that branches on
    public data, which is proved case by case."""
    global _settle
    before, _settle = _settle, settle
    try:
        yield
    finally:
        _settle = before


def settled(n: Node) -> Node:
    """The constant that a machine needs in the place of n, if there is one."""
    return n if OP[n] == "const" or _settle is None else _settle(n)


def is_const(n: Node) -> bool:
    return OP[n] == "const"


def val(n: Node) -> int:
    """The value of a constant."""
    if OP[n] != "const":
        raise ValueError(f"a term ({OP[n]}) is no constant")
    value: int = ARGS[n][0]
    return value


def signed(value: int, w: int) -> int:
    """Two's complement."""
    return value - (1 << w) if value >> (w - 1) else value


def _require_same_width(x: Node, y: Node) -> int:
    if W[x] != W[y]:
        raise ValueError(f"operands of {W[x]} and {W[y]} bits")
    return W[x]


# ---- slices and concatenation ----


def pieces(n: Node) -> tuple[Piece, ...]:
    return ARGS[n] if OP[n] == "cat" else ((n, 0, W[n]),)


def cat(parts: Iterable[Piece]) -> Node:
    """Concatenates slices of nodes that are no `cat` themselves; the first is the lowest."""
    out: list[Piece] = []
    for n, low, w in parts:
        if w == 0:
            continue
        if OP[n] == "const":
            n, low = const(ARGS[n][0] >> low, w), 0
        if out:
            m, mlow, mw = out[-1]
            if OP[m] == "const" and OP[n] == "const":
                out[-1] = (const(ARGS[m][0] | ARGS[n][0] << mw, mw + w), 0, mw + w)
                continue
            if m == n and OP[n] != "const" and mlow + mw == low:
                out[-1] = (m, mlow, mw + w)
                continue
        out.append((n, low, w))
    if len(out) == 1:
        n, low, w = out[0]
        if low == 0 and w == W[n]:
            return n
    return mk("cat", sum(p[2] for p in out), *out)


def extract(n: Node, low: int, w: int) -> Node:
    """Bits [low, low + w) of n."""
    op = OP[n]
    if low == 0 and w == W[n]:
        return n
    if low < 0 or low + w > W[n]:
        raise ValueError(f"bits {low} to {low + w} of a term of {W[n]}")
    if op == "const":
        return const(ARGS[n][0] >> low, w)
    if op == "cat":
        return _extract_cat(ARGS[n], low, w)
    if op == "sext" and low + w <= W[ARGS[n][0]]:
        return extract(ARGS[n][0], low, w)
    if op == "ite":
        c, a, b = ARGS[n]
        if is_const(a) or is_const(b):
            return ite(c, extract(a, low, w), extract(b, low, w))
    if op in _BITWISE and W[n] != 64 and any(OP[a] in ("const", "cat", "ite") for a in ARGS[n]):
        return _BITWISE[op](*(extract(a, low, w) for a in ARGS[n]))
    if op in _MODULAR and low == 0 and 16 <= w <= 32:
        return _MODULAR[op](*(extract(a, 0, w) for a in ARGS[n]))
    return cat([(n, low, w)])


def _extract_cat(parts: tuple[Piece, ...], low: int, w: int) -> Node:
    out: list[Piece] = []
    at = 0
    for n, nlow, nw in parts:
        start, end = max(low, at), min(low + w, at + nw)
        if start < end:
            out += pieces(extract(n, nlow + start - at, end - start))
        at += nw
    return cat(out)


def concat(parts: Iterable[Node]) -> Node:
    """The first is the lowest."""
    return cat([p for n in parts for p in pieces(n)])


def split(n: Node, w: int) -> list[Node]:
    """Lanes of w bits, the lowest first."""
    return [extract(n, i, w) for i in range(0, W[n], w)]


def zext(n: Node, w: int) -> Node:
    if is_const(n):
        return const(val(n), w)
    return concat([n, const(0, w - W[n])]) if w > W[n] else n


def sext(n: Node, w: int) -> Node:
    if w == W[n]:
        return n
    if is_const(n):
        return const(signed(val(n), W[n]), w)
    top, _, top_width = pieces(n)[-1]
    if OP[top] == "const" and not val(top) >> (top_width - 1):
        return zext(n, w)
    return mk("sext", w, n)


def shl(n: Node, k: int) -> Node:
    w = W[n]
    if k == 0:
        return n
    return const(0, w) if k >= w else concat([const(0, k), extract(n, 0, w - k)])


def lshr(n: Node, k: int) -> Node:
    w = W[n]
    if k == 0:
        return n
    return const(0, w) if k >= w else zext(extract(n, k, w - k), w)


def ashr(n: Node, k: int) -> Node:
    w = W[n]
    k = min(k, w - 1)
    return sext(extract(n, k, w - k), w) if k else n


def rol(n: Node, k: int) -> Node:
    w = W[n]
    k %= w
    if k == 0:
        return n
    if OP[n] not in ("const", "cat"):
        return cat([(n, w - k, k), (n, 0, w - k)])
    return concat([extract(n, w - k, k), extract(n, 0, w - k)])


# ---- bitwise ----


def _runs(value: int, w: int) -> Iterator[tuple[int, int, int]]:
    """A constant as runs of equal bits: (bit, low, width)."""
    at = 0
    while at < w:
        bit, end = value >> at & 1, at
        while end < w and (value >> end & 1) == bit:
            end += 1
        yield bit, at, end - at
        at = end


def _aligned(x: Node, y: Node) -> Iterator[tuple[Piece, Piece]]:
    """The pieces of x and y, cut so that they lie over each other."""
    rest_x, rest_y = list(pieces(x))[::-1], list(pieces(y))[::-1]
    while rest_x:
        (n, nlow, nw), (m, mlow, mw) = rest_x.pop(), rest_y.pop()
        w = min(nw, mw)
        yield (n, nlow, w), (m, mlow, w)
        if nw > w:
            rest_x.append((n, nlow + w, nw - w))
        if mw > w:
            rest_y.append((m, mlow + w, mw - w))


def _is_zero(p: Piece) -> bool:
    n, low, w = p
    return OP[n] == "const" and not (ARGS[n][0] >> low) & ((1 << w) - 1)


def _under_mask(op: str, x: Node, mask: int) -> Node:
    """AND or OR with a constant: slices of x between zeros or ones."""
    out: list[Piece] = []
    for bit, low, w in _runs(mask, W[x]):
        if bit == (op == "and"):
            out += pieces(extract(x, low, w))
        else:
            out.append((const(-bit, w), 0, w))
    return cat(out)


def _bitwise(op: str, x: Node, y: Node) -> Node:
    w = _require_same_width(x, y)
    if is_const(x) and is_const(y):
        return const(_FOLD[op](val(x), val(y), w), w)
    if x == y:
        return const(0, w) if op == "xor" else x
    if is_const(x) or (not is_const(y) and x > y):
        x, y = y, x
    if is_const(y) and op != "xor":
        return _under_mask(op, x, val(y))
    if not is_const(y) and (OP[x] == "cat" or OP[y] == "cat"):
        aligned = list(_aligned(x, y))
        if any(_is_zero(a) or _is_zero(b) for a, b in aligned):
            return cat([p for a, b in aligned for p in _bitwise_pieces(op, a, b)])
    if is_const(y) and val(y) == 0:
        return x
    if is_const(y) and val(y) == (1 << w) - 1:
        return not_(x)
    return mk(op, w, x, y)


def _bitwise_pieces(op: str, a: Piece, b: Piece) -> tuple[Piece, ...]:
    if _is_zero(a) or _is_zero(b):
        if op == "and":
            return ((const(0, a[2]), 0, a[2]),)
        return (b,) if _is_zero(a) else (a,)
    return pieces(_bitwise(op, extract(*a), extract(*b)))


def and_(x: Node, y: Node) -> Node:
    return _bitwise("and", x, y)


def or_(x: Node, y: Node) -> Node:
    return _bitwise("or", x, y)


def xor(x: Node, y: Node) -> Node:
    """Complements move outwards."""
    if OP[x] == "not" and OP[y] == "not":
        return xor(ARGS[x][0], ARGS[y][0])
    if OP[x] == "not" and not is_const(y):
        return not_(xor(ARGS[x][0], y))
    if OP[y] == "not" and not is_const(x):
        return not_(xor(x, ARGS[y][0]))
    return _bitwise("xor", x, y)


def not_(x: Node) -> Node:
    if is_const(x):
        return const(~val(x), W[x])
    if OP[x] == "not":
        inner: Node = ARGS[x][0]
        return inner
    if OP[x] == "cat" and any(OP[p[0]] == "const" for p in ARGS[x]):
        return cat([q for p in ARGS[x] for q in pieces(not_(extract(*p)))])
    return mk("not", W[x], x)


# ---- arithmetic modulo 2^w ----


def add(x: Node, y: Node) -> Node:
    w = _require_same_width(x, y)
    if is_const(x) and is_const(y):
        return const(val(x) + val(y), w)
    if is_const(x) or (not is_const(y) and x > y):
        x, y = y, x
    if is_const(y) and val(y) == 0:
        return x
    if is_const(y) and OP[x] == "add" and is_const(ARGS[x][1]):
        return add(ARGS[x][0], const(val(ARGS[x][1]) + val(y), w))
    if x == y:
        return shl(x, 1)
    if OP[x] == "cat" and OP[y] == "cat" and all(_is_zero(a) or _is_zero(b) for a, b in _aligned(x, y)):
        return or_(x, y)
    return mk("add", w, x, y)


def sub(x: Node, y: Node) -> Node:
    w = _require_same_width(x, y)
    if is_const(y):
        return add(x, const(-val(y), w))
    if x == y:
        return const(0, w)
    return mk("sub", w, x, y)


def neg(x: Node) -> Node:
    return sub(const(0, W[x]), x)


def mul(x: Node, y: Node) -> Node:
    w = _require_same_width(x, y)
    if is_const(x) and is_const(y):
        return const(val(x) * val(y), w)
    if is_const(x) or (not is_const(y) and x > y):
        x, y = y, x
    if is_const(y):
        factor = val(y)
        if factor == 0:
            return y
        if factor & (factor - 1) == 0:
            return shl(x, factor.bit_length() - 1)
    return mk("mul", w, x, y)


def high(op: str, x: Node, y: Node) -> Node:
    """`umulh` or `smulh`."""
    w = _require_same_width(x, y)
    if is_const(x) or (not is_const(y) and x > y):
        x, y = y, x
    if is_const(y) and val(y) == 0:
        return y
    return _folded(op, w, x, y)


def umulh(x: Node, y: Node) -> Node:
    return high("umulh", x, y)


def smulh(x: Node, y: Node) -> Node:
    return high("smulh", x, y)


def udiv(x: Node, y: Node) -> Node:
    return _division("udiv", x, y)


def urem(x: Node, y: Node) -> Node:
    return _division("urem", x, y)


def _division(op: str, x: Node, y: Node) -> Node:
    w = _require_same_width(x, y)
    if is_const(y) and val(y) == 0:
        raise ZeroDivisionError(op)
    return _folded(op, w, x, y)


# ---- choices and comparisons ----


def ite(c: Node, a: Node, b: Node) -> Node:
    """a if the bit c is 1, else b."""
    _require_same_width(a, b)
    if is_const(c):
        return a if val(c) else b
    if a == b:
        return a
    if W[a] == 1 and is_const(a) and is_const(b):
        return c if val(a) else not_(c)
    return mk("ite", W[a], c, a, b)


def cmp(op: str, x: Node, y: Node) -> Node:
    """`eq`, `ult` or `slt`: one bit."""
    w = _require_same_width(x, y)
    if is_const(x) and is_const(y):
        return const(_FOLD[op](val(x), val(y), w), 1)
    if x == y:
        return const(int(op == "eq"), 1)
    if op == "ult" and is_const(y) and val(y) == 0:
        return const(0, 1)
    return mk(op, 1, x, y)


def eq(x: Node, y: Node) -> Node:
    return cmp("eq", x, y)


def ult(x: Node, y: Node) -> Node:
    return cmp("ult", x, y)


def slt(x: Node, y: Node) -> Node:
    return cmp("slt", x, y)


def is_zero(x: Node) -> Node:
    return eq(x, const(0, W[x]))


# ---- the rest: no simplification but of constants ----


def _folded(op: str, w: int, *args: Node) -> Node:
    if all(is_const(a) for a in args):
        return const(_FOLD[op](*(val(a) for a in args), W[args[0]]), w)
    return mk(op, w, *args)


def shlv(x: Node, count: Node) -> Node:
    return shl(x, val(count)) if is_const(count) else mk("shlv", _require_same_width(x, count), x, count)


def lshrv(x: Node, count: Node) -> Node:
    return lshr(x, val(count)) if is_const(count) else mk("lshrv", _require_same_width(x, count), x, count)


def ashrv(x: Node, count: Node) -> Node:
    return ashr(x, val(count)) if is_const(count) else mk("ashrv", _require_same_width(x, count), x, count)


def popcnt(x: Node) -> Node:
    """The number of ones."""
    return _folded("popcnt", W[x], x)


def clmul(x: Node, y: Node) -> Node:
    """The lower half of the product without carries."""
    return _folded("clmul", _require_same_width(x, y), x, y)


def clmulh(x: Node, y: Node) -> Node:
    """The upper half of the product without carries."""
    return _folded("clmulh", _require_same_width(x, y), x, y)


def sbox(x: Node) -> Node:
    return _folded("sbox", 8, x)


def _carryless(x: int, y: int) -> int:
    product = 0
    while y:
        product ^= x * (y & -y)
        y &= y - 1
    return product


def _aes_sbox() -> list[int]:
    """FIPS 197, 5.1.1: the inverse in GF(2^8), 3 being a generator, then an affine map."""
    power, powers = 1, []
    for _ in range(255):
        powers.append(power)
        power ^= power << 1
        power ^= 0x11B if power >> 8 else 0
    table = [0x63] * 256
    for i, x in enumerate(powers):
        inverse = powers[-i % 255]
        repeated = inverse * 0x101
        rotated = inverse
        for k in range(1, 5):
            rotated ^= repeated >> (8 - k) & 0xFF
        table[x] = rotated ^ 0x63
    return table


SBOX = _aes_sbox()

# The value of an operation on constants of w bits.
_FOLD: dict[str, Callable[..., int]] = {
    "and": lambda a, b, w: a & b,
    "or": lambda a, b, w: a | b,
    "xor": lambda a, b, w: a ^ b,
    "eq": lambda a, b, w: a == b,
    "ult": lambda a, b, w: a < b,
    "slt": lambda a, b, w: signed(a, w) < signed(b, w),
    "umulh": lambda a, b, w: a * b >> w,
    "smulh": lambda a, b, w: signed(a, w) * signed(b, w) >> w,
    "udiv": lambda a, b, w: a // b,
    "urem": lambda a, b, w: a % b,
    "popcnt": lambda a, w: a.bit_count(),
    "clmul": lambda a, b, w: _carryless(a, b),
    "clmulh": lambda a, b, w: _carryless(a, b) >> w,
    "sbox": lambda a, w: SBOX[a],
}

_BITWISE = {"and": and_, "or": or_, "xor": xor}
_MODULAR = {"add": add, "sub": sub, "mul": mul}


# ---- walking the graph ----


def children(n: Node) -> tuple[Node, ...]:
    op = OP[n]
    if op in ("const", "var"):
        return ()
    if op == "cat":
        return tuple(p[0] for p in ARGS[n])
    return ARGS[n]


def cone(roots: Iterable[Node], stop: Iterable[Node] = ()) -> list[Node]:
    """The nodes that the roots are made of, each after its children; nodes in `stop` count as leaves."""
    stop = set(stop)
    seen: set[Node] = set()
    order: list[Node] = []
    stack = list(roots)
    while stack:
        n = stack[-1]
        if n in seen:
            stack.pop()
            continue
        todo = [] if n in stop else [c for c in children(n) if c not in seen]
        if todo:
            stack += todo
        else:
            seen.add(n)
            order.append(n)
            stack.pop()
    return order


# ---- evaluation at many points at once ----


def evaluate(roots: Iterable[Node], env: Mapping[Node, npt.ArrayLike]) -> list[Words]:
    """The values of the roots where the nodes in env have the values given there. No node may be wider than 64 bits."""
    roots = list(roots)
    values: dict[Node, Words] = {}
    for n in cone(roots, env.keys()):
        values[n] = np.asarray(env[n], dtype=np.uint64) if n in env else evaluate_node(n, values)
    return [values[r] for r in roots]


def evaluate_node(n: Node, values: Mapping[Node, Words]) -> Words:
    """The values of a node, given those of its children."""
    op, w, args = OP[n], W[n], ARGS[n]
    if w > 64:
        raise ValueError(f"{op} of {w} bits is wider than a numpy word")
    if op == "const":
        return np.asarray(args[0], dtype=np.uint64)
    if op == "var":
        raise KeyError(f"no value for the variable {args[0]}")
    if op == "cat":
        return _evaluate_cat(args, values)
    with np.errstate(over="ignore"):
        return _EVALUATE[op](w, W[args[0]], *(values[c] for c in args))


def _evaluate_cat(parts: tuple[Piece, ...], values: Mapping[Node, Words]) -> Words:
    result, at = np.asarray(0, dtype=np.uint64), 0
    for n, low, w in parts:
        result = result | ((values[n] >> np.uint64(low)) & _mask(w)) << np.uint64(at)
        at += w
    return result


def _mask(w: int) -> np.uint64:
    return np.uint64((1 << w) - 1)


def _signed(x: Words, w: int) -> npt.NDArray[np.int64]:
    unused = 64 - w
    return (x << np.uint64(unused)).view(np.int64) >> np.int64(unused)


def _unsigned(x: npt.NDArray[np.int64], w: int) -> Words:
    return x.astype(np.uint64) & _mask(w)


def _where(c: Words, x: Words, y: Words) -> Words:
    return np.where(c.astype(bool), x, y)


def _umulh(w: int, x: Words, y: Words) -> Words:
    if w <= 32:
        return (x * y) >> np.uint64(w)
    if w != 64:
        raise ValueError(f"umulh of {w} bits")
    half, low = np.uint64(32), _mask(32)
    x0, x1, y0, y1 = x & low, x >> half, y & low, y >> half
    middle = (x0 * y0 >> half) + (x1 * y0 & low) + x0 * y1  # below 2^64
    upper: Words = x1 * y1 + (x1 * y0 >> half) + (middle >> half)
    return upper


def _smulh(w: int, x: Words, y: Words) -> Words:
    """The unsigned upper half less x where y is negative and y where x is."""
    sign = np.uint64(w - 1)
    return (_umulh(w, x, y) - x * (y >> sign) - y * (x >> sign)) & _mask(w)


def _shift(w: int, x: Words, count: Words, shifted: Callable[[Words, Words], Words], beyond: Words) -> Words:
    return np.where(count >= np.uint64(w), beyond, shifted(x, np.minimum(count, np.uint64(63)))) & _mask(w)


def _ashrv(w: int, x: Words, count: Words) -> Words:
    count = np.minimum(count, np.uint64(w - 1)).astype(np.int64)
    return _unsigned(_signed(x, w) >> count, w)


def _clmul(w: int, x: Words, y: Words) -> Words:
    result = np.zeros(np.broadcast(x, y).shape, dtype=np.uint64)
    for i in range(w):
        result ^= (x << np.uint64(i)) * (y >> np.uint64(i) & np.uint64(1))
    return result & _mask(w)


def _clmulh(w: int, x: Words, y: Words) -> Words:
    result = np.zeros(np.broadcast(x, y).shape, dtype=np.uint64)
    for i in range(1, w):
        result ^= (x >> np.uint64(w - i)) * (y >> np.uint64(i) & np.uint64(1))
    return result


_ZERO: Words = np.zeros((), dtype=np.uint64)
_EVALUATE: dict[str, Callable[..., Words]] = {  # of the width of the result, that of the first argument, the arguments
    "and": lambda w, v, x, y: x & y,
    "or": lambda w, v, x, y: x | y,
    "xor": lambda w, v, x, y: x ^ y,
    "not": lambda w, v, x: ~x & _mask(w),
    "add": lambda w, v, x, y: (x + y) & _mask(w),
    "sub": lambda w, v, x, y: (x - y) & _mask(w),
    "mul": lambda w, v, x, y: (x * y) & _mask(w),
    "sext": lambda w, v, x: _unsigned(_signed(x, v), w),
    "ite": lambda w, v, c, x, y: _where(c, x, y),
    "eq": lambda w, v, x, y: (x == y).astype(np.uint64),
    "ult": lambda w, v, x, y: (x < y).astype(np.uint64),
    "slt": lambda w, v, x, y: (_signed(x, v) < _signed(y, v)).astype(np.uint64),
    "umulh": lambda w, v, x, y: _umulh(w, x, y),
    "smulh": lambda w, v, x, y: _smulh(w, x, y),
    "udiv": lambda w, v, x, y: x // y,
    "urem": lambda w, v, x, y: x % y,
    "shlv": lambda w, v, x, k: _shift(w, x, k, np.left_shift, _ZERO),
    "lshrv": lambda w, v, x, k: _shift(w, x, k, np.right_shift, _ZERO),
    "ashrv": lambda w, v, x, k: _ashrv(w, x, k),
    "popcnt": lambda w, v, x: np.bitwise_count(x).astype(np.uint64),
    "clmul": lambda w, v, x, y: _clmul(w, x, y),
    "clmulh": lambda w, v, x, y: _clmulh(w, x, y),
    "sbox": lambda w, v, x: np.array(SBOX, dtype=np.uint64)[x.astype(np.int64)],
}
