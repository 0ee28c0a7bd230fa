"""Instructions on mask registers, and comparisons into them. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Callable

from proofs.machine import terms as T
from proofs.machine.meanings import Meanings
from proofs.machine.processor import Step
from proofs.machine.terms import Node
from proofs.machine.x86_64 import flags, vector
from proofs.machine.x86_64.operands import Operands, Rule
from proofs.machine.x86_64.vector import COMPARISONS, WIDTHS

MEANINGS: Meanings[Rule] = Meanings()
define = MEANINGS.define

MASK_WIDTHS = {"b": 8, "w": 16, "d": 32, "q": 64}


# ---- between masks ----


def _move(w: int) -> Callable[[Operands], Step]:
    """The lowest w bits; the destination is cleared above them."""

    def build(o: Operands) -> Step:
        read, write = o.read(1), o.write(0)
        width = o.width(0) if not o.is_memory(0) else w
        return lambda: write(T.zext(T.extract(read(), 0, w), width))

    return build


def _logic(w: int, f: Callable[[Node, Node], Node]) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        a, b, write = o.read(1), o.read(2), o.write(0)
        return lambda: write(f(T.extract(a(), 0, w), T.extract(b(), 0, w)))

    return build


def _not(w: int) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        read, write = o.read(1), o.write(0)
        return lambda: write(T.not_(T.extract(read(), 0, w)))

    return build


def _shift(w: int, f: Callable[[Node, int], Node]) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        a, k, write = o.read(1), o.immediate(2), o.write(0)
        return lambda: write(f(T.extract(a(), 0, w), k))

    return build


for _l, _w in MASK_WIDTHS.items():
    define("kmov" + _l, meaning=_move(_w))
    define("knot" + _l, meaning=_not(_w))
    define("kshiftl" + _l, meaning=_shift(_w, T.shl))
    define("kshiftr" + _l, meaning=_shift(_w, T.lshr))
    for _name, _f in (
        ("and", T.and_),
        ("or", T.or_),
        ("xor", T.xor),
        ("xnor", lambda a, b: T.not_(T.xor(a, b))),
    ):
        define(f"k{_name}{_l}", meaning=_logic(_w, _f))


# ---- between vectors and masks ----


def _to_mask(o: Operands, w: int, f: Callable[[Node, Node], Node]) -> Step:
    """A bit for each pair of lanes; 0 where the governing mask has 0."""
    bits = o.vector_bits()
    a, b, write, mask = o.lanes(1, w, bits), o.lanes(2, w, bits), o.write(0), o.mask()

    def step() -> None:
        out = [f(x, y) for x, y in zip(a(), b(), strict=True)]
        if mask is not None:
            k = mask()
            out = [T.and_(n, T.extract(k, i, 1)) for i, n in enumerate(out)]
        write(T.concat(out))

    return step


def _predicate(number: int, less: str) -> Callable[[Node, Node], Node]:
    """Intel SDM, VPCMPD: equal, less, less or equal, false and their opposites."""
    return [
        T.eq,
        lambda a, b: T.cmp(less, a, b),
        lambda a, b: T.not_(T.cmp(less, b, a)),
        lambda a, b: T.const(0, 1),
        lambda a, b: T.not_(T.eq(a, b)),
        lambda a, b: T.not_(T.cmp(less, a, b)),
        lambda a, b: T.cmp(less, b, a),
        lambda a, b: T.const(1, 1),
    ][number & 7]


def _compare(name: str, w: int, less: str) -> None:
    define(name, meaning=lambda o: _to_mask(o, w, _predicate(o.immediate(3), less)))


def _test(name: str, w: int, zero: bool) -> None:
    """Whether two lanes have a one in common, or none."""

    def none(a: Node, b: Node) -> Node:
        return T.is_zero(T.and_(a, b))

    define(name, meaning=lambda o: _to_mask(o, w, none if zero else lambda a, b: T.not_(none(a, b))))


def _vector_or_mask(name: str, w: int, f: Callable[[Node, Node], Node]) -> None:
    """vpcmpeq and vpcmpgt have a vector or a mask as destination."""
    to_vector = vector.MEANINGS.withdraw(name)
    define(name, meaning=lambda o: _to_mask(o, w, f) if o.is_file(0, "mask") else to_vector(o))


def _bits_to_lanes(w: int) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        k, write, count = o.read(1), o.write_lanes(), o.vector_bits() // w
        return lambda: write([T.sext(T.extract(k(), i, 1), w) for i in range(count)])

    return build


def _top_bits(w: int) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        lanes, write = o.lanes(1, w), o.write(0)
        return lambda: write(T.concat([flags.top(n) for n in lanes()]))

    return build


for _l, _w in WIDTHS.items():
    _compare("vpcmp" + _l, _w, "slt")
    _compare("vpcmpu" + _l, _w, "ult")
    _test("vptestm" + _l, _w, False)
    _test("vptestnm" + _l, _w, True)
    define("vpmovm2" + _l, meaning=_bits_to_lanes(_w))
    define(f"vpmov{_l}2m", meaning=_top_bits(_w))
    for _c, _f in COMPARISONS.items():
        _vector_or_mask(f"vpcmp{_c}{_l}", _w, _f)
