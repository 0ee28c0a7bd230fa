"""Instructions on vectors.

A meaning is a function on lanes, the lowest first: from the lanes of the sources, of one width, to the lanes of
the destination. It serves all widths of vectors and the three encodings: before AVX (`paddw`: the destination is the
first source too, and what is above 128 bits stays), VEX and EVEX (`vpaddw`: the sources are apart, what is above is
cleared, and lanes may be masked).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from functools import reduce

from proofs.machine import terms as T
from proofs.machine.meanings import Meanings
from proofs.machine.memory import Violation
from proofs.machine.processor import Lanes, Step, constant
from proofs.machine.terms import Node
from proofs.machine.x86_64 import flags
from proofs.machine.x86_64.operands import Operands, Rule
from proofs.machine.x86_64.registers import PLACES

MEANINGS: Meanings[Rule] = Meanings()
define, form = MEANINGS.define, MEANINGS.form

Meaning = Callable[..., Lanes]  # of lists of lanes, and ints for immediates
WIDTHS = {"b": 8, "w": 16, "d": 32, "q": 64}
HALF = 128  # most instructions stay within 128 bits


def _sources(o: Operands, first: int, w: int) -> list[Callable[[], Lanes | int]]:
    """Readers of the operands from `first` on; an immediate is an int."""
    bits = o.vector_bits()
    return [_source(o, i, w, bits) for i in range(first, o.count)]


def _source(o: Operands, i: int, w: int, bits: int) -> Callable[[], Lanes | int]:
    if o.is_immediate(i):
        value = o.immediate(i)
        return lambda: value
    return _lanes(o, i, w, bits)


def _lanes(o: Operands, i: int, w: int, bits: int) -> Callable[[], Lanes]:
    return o.lanes(i, w, None if o.is_file(i, "vector") else bits)


def vector(
    name: str,
    w: int,
    meaning: Meaning,
    *,
    destructive: bool = True,
    accumulates: bool = False,
    meanings: Meanings[Rule] = MEANINGS,
) -> None:
    """`destructive`: before AVX the destination is the first source. `accumulates`: it is one in every encoding."""

    def build(o: Operands) -> Step:
        reads_destination = accumulates or (o.legacy and destructive)
        sources, write = _sources(o, 0 if reads_destination else 1, w), o.write_lanes()
        return lambda: write(meaning(*[read() for read in sources]))

    define_encodings(name, build, meanings)


def define_encodings(name: str, meaning: Rule, meanings: Meanings[Rule] = MEANINGS) -> None:
    """A name without v is of an instruction that is older than AVX, and of its successor too."""
    meanings.define(name, meaning=meaning)
    if name[0] != "v":
        meanings.define("v" + name, meaning=meaning)


def lanewise(name: str, w: int, f: Callable[..., Node], *, destructive: bool = True) -> None:
    """Each lane of the destination is f of the same lanes of the sources."""
    vector(name, w, lambda *x: [f(*lanes) for lanes in zip(*x, strict=True)], destructive=destructive)


# ---- moves ----


def _move(w: int) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        masked = o.mask() is not None and o.is_memory(1)
        read = o.masked_lanes(1, w) if masked else o.lanes(1, w)
        write = o.write_lanes()
        return lambda: write(read())

    return build


for _name in ("movdqa", "movdqu", "movaps", "movups", "movapd", "movupd"):
    define_encodings(_name, _move(64))
for _name, _w in (("dqu8", 8), ("dqu16", 16), ("dqu32", 32), ("dqu64", 64), ("dqa32", 32), ("dqa64", 64)):
    define("vmov" + _name, meaning=_move(_w))


def _lowest(lanes: Callable[[], Lanes]) -> Callable[[], Node]:
    return lambda: lanes()[0]


def _scalar_move(w: int) -> Callable[[Operands], Step]:
    """One lane of w bits between a vector register and another place; a vector register is cleared above."""

    def build(o: Operands) -> Step:
        to_vector, from_vector = o.is_file(0, "vector"), o.is_file(1, "vector")
        read = _lowest(o.lanes(1, w, HALF)) if from_vector else o.read(1)
        if not to_vector:
            write = o.write(0)
            return lambda: write(read())
        write_lanes = o.write_lanes()
        zero = T.const(0, w)
        return lambda: write_lanes([T.extract(read(), 0, w), *[zero] * (HALF // w - 1)])

    return build


for _name, _w in (("movd", 32), ("movq", 64)):
    define_encodings(_name, _scalar_move(_w))


def _low_move(w: int) -> Callable[[Operands], Step]:
    """movss, movsd: as above to and from memory; between registers only the lowest lane changes."""

    def build(o: Operands) -> Step:
        if o.is_memory(0) or o.is_memory(1):
            return _scalar_move(w)(o)
        first, second = (0, 1) if o.count == 2 else (1, 2)
        a, b, write = o.lanes(first, w, HALF), o.lanes(second, w, HALF), o.write_lanes()
        return lambda: write([b()[0], *a()[1:]])

    return build


for _name, _w in (("movss", 32), ("movsd", 64)):
    define_encodings(_name, _low_move(_w))


def _half_move(o: Operands) -> Step:
    """The upper 64 of 128 bits from memory or to it."""
    if o.is_memory(0):
        read, store = o.lanes(1, 64, HALF), o.write(0)
        return lambda: store(read()[1])
    old, new, write = o.lanes(o.count - 2, 64, HALF), o.read(o.count - 1), o.write_lanes()
    return lambda: write([old()[0], new()])


define_encodings("movhps", _half_move)

vector("movhlps", 64, lambda a, b: [b[1], a[1]])
vector("movlhps", 64, lambda a, b: [a[0], b[0]])


# ---- lane by lane ----


def _andn(a: Node, b: Node) -> Node:
    return T.and_(T.not_(a), b)


def _choice(less: str, smaller: bool) -> Callable[[Node, Node], Node]:
    """The smaller or the larger of two."""
    return lambda a, b: T.ite(T.cmp(less, a, b), a, b) if smaller else T.ite(T.cmp(less, a, b), b, a)


def _abs(a: Node) -> Node:
    return T.ite(flags.top(a), T.neg(a), a)


def _mulhrs(a: Node, b: Node) -> Node:
    """The product's bits above 15, rounded."""
    p = T.mul(T.sext(a, 32), T.sext(b, 32))
    return T.extract(T.add(T.ashr(p, 14), T.const(1, 32)), 1, 16)


for _l, _w in WIDTHS.items():
    lanewise("padd" + _l, _w, T.add)
    lanewise("psub" + _l, _w, T.sub)
    lanewise("pmins" + _l, _w, _choice("slt", True))
    lanewise("pmaxs" + _l, _w, _choice("slt", False))
    lanewise("pminu" + _l, _w, _choice("ult", True))
    lanewise("pmaxu" + _l, _w, _choice("ult", False))
    lanewise("pabs" + _l, _w, _abs, destructive=False)
lanewise("pmullw", 16, T.mul)
lanewise("pmulld", 32, T.mul)
lanewise("pmulhw", 16, T.smulh)
lanewise("pmulhuw", 16, T.umulh)
lanewise("pmulhrsw", 16, _mulhrs)
lanewise("pmuludq", 64, lambda a, b: T.mul(*(T.zext(T.extract(x, 0, 32), 64) for x in (a, b))))


def _bitwise(name: str, f: Callable[[Node, Node], Node], element: int | None) -> None:
    """On lanes as the sources were last written, where no mask needs the width of the instruction's elements."""

    def build(o: Operands) -> Step:
        first = 0 if o.legacy else 1
        machine, write = o.machine, o.write_lanes()
        registers = [o.place(i).number for i in range(first, o.count) if o.is_file(i, "vector")]
        bits = o.vector_bits()
        readers = {w: [_lanes(o, i, w, bits) for i in range(first, o.count)] for w in (8, 16, 32, 64)}
        masked = element if o.mask() is not None else None

        def step() -> None:
            w = masked or min(64, *(T.W[machine.vector[r][0]] for r in registers))
            a, b = (read() for read in readers[w])
            write([f(x, y) for x, y in zip(a, b, strict=True)])

        return step

    define(name, meaning=build)


for _name, _f in (("and", T.and_), ("or", T.or_), ("xor", T.xor), ("andn", _andn)):
    for _prefix, _suffixes in (("p", ("",)), ("", ("ps", "pd"))):
        for _suffix in _suffixes:
            _bitwise(_prefix + _name + _suffix, _f, None)
            _bitwise("v" + _prefix + _name + _suffix, _f, {"": None, "ps": 32, "pd": 64}[_suffix])
    _bitwise(f"vp{_name}d", _f, 32)
    _bitwise(f"vp{_name}q", _f, 64)


def _ternary(k: int, a: Node, b: Node, c: Node) -> Node:
    """Bit abc of k, for the bits of a, b and c; what packs bits is made of OR and AND."""
    y, o, n = T.and_, T.or_, T.not_
    packing: dict[int, Callable[[], Node]] = {
        0xF8: lambda: o(a, y(b, c)),
        0xFE: lambda: o(o(a, b), c),
        0xEA: lambda: o(c, y(a, b)),
        0xCA: lambda: o(y(a, b), y(n(a), c)),
    }
    return packing[k]() if k in packing else _of_products(k, a, b, c)


def _of_products(k: int, a: Node, b: Node, c: Node) -> Node:
    """A sum over GF(2) of products: that of some operands is in it if k has an odd number of ones where
    no other operand is set."""
    r = T.const(0, T.W[a])
    for i in range(8):
        if sum(k >> j & 1 for j in range(8) if j & i == j) % 2:
            chosen = [x for x, bit in ((a, 4), (b, 2), (c, 1)) if i & bit]
            r = T.xor(r, reduce(T.and_, chosen, T.const(-1, T.W[a])))
    return r


for _name, _w in (("vpternlogd", 32), ("vpternlogq", 64)):
    vector(
        _name,
        _w,
        lambda a, b, c, k: [_ternary(k, *lanes) for lanes in zip(a, b, c, strict=True)],
        accumulates=True,
    )


# ---- shifts ----


def _shift(name: str, w: int, by: Callable[[Node, int], Node], by_term: Callable[[Node, Node], Node]) -> None:
    """All lanes by one count: an immediate, or the lowest 64 bits of a vector."""

    def build(o: Operands) -> Step:
        value, amount = (0, 1) if o.legacy else (1, 2)
        read, write = o.lanes(value, w, o.vector_bits()), o.write_lanes()
        if o.is_immediate(amount):
            k = o.immediate(amount)
            return lambda: write([by(x, k) for x in read()])
        count = o.lanes(amount, 64, HALF)
        return lambda: write([by_term(x, _saturated(count()[0], w)) for x in read()])

    define_encodings(name, build)


def _saturated(count: Node, w: int) -> Node:
    """A count of 64 bits as one of w bits, still too large if it was."""
    if T.W[count] == w:
        return count
    return T.ite(T.ult(count, T.const(w, 64)), T.extract(count, 0, w), T.const(-1, w))


for _name, _by, _by_term, _letters in (
    ("psll", T.shl, T.shlv, "wdq"),
    ("psrl", T.lshr, T.lshrv, "wdq"),
    ("psra", T.ashr, T.ashrv, "wdq"),
):
    for _l in _letters:
        _shift(_name + _l, WIDTHS[_l], _by, _by_term)
        lanewise(f"v{_name}v{_l}", WIDTHS[_l], _by_term)


def _rotated(x: Node, count: Node) -> Node:
    """To the left by the count modulo the width, a power of 2."""
    w = T.W[x]
    count = T.and_(count, T.const(w - 1, w))
    if T.is_const(count):
        return T.rol(x, T.val(count))
    return T.or_(T.shlv(x, count), T.lshrv(x, T.sub(T.const(w, w), count)))


def _joined_left(a: Node, b: Node, count: Node) -> Node:
    """a : b to the left by the count modulo the width, the upper half."""
    w = T.W[a]
    count = T.and_(count, T.const(w - 1, w))
    return T.or_(T.shlv(a, count), T.lshrv(b, T.sub(T.const(w, w), count)))


def _joined_right(a: Node, b: Node, count: Node) -> Node:
    """b : a to the right by the count modulo the width, the lower half."""
    w = T.W[a]
    count = T.and_(count, T.const(w - 1, w))
    return T.or_(T.lshrv(a, count), T.shlv(b, T.sub(T.const(w, w), count)))


for _l in "dq":
    _w = WIDTHS[_l]
    vector("vprol" + _l, _w, lambda x, k: [T.rol(n, k) for n in x])
    vector("vpror" + _l, _w, lambda x, k: [T.rol(n, -k) for n in x])
    lanewise("vprolv" + _l, _w, _rotated)
    lanewise("vprorv" + _l, _w, lambda x, count: _rotated(x, T.neg(count)))
for _l in "wdq":
    _w = WIDTHS[_l]
    for _name, _joined in (("vpshld", _joined_left), ("vpshrd", _joined_right)):
        vector(
            _name + _l,
            _w,
            lambda a, b, k, f=_joined: [f(x, y, T.const(k, T.W[x])) for x, y in zip(a, b, strict=True)],
        )
        vector(
            f"{_name}v{_l}",
            _w,
            lambda a, b, c, f=_joined: [f(*lanes) for lanes in zip(a, b, c, strict=True)],
            accumulates=True,
        )


def in_halves(f: Callable[..., Lanes]) -> Meaning:
    """A meaning that holds for each 128 bits of the sources by themselves; immediates are the same for all."""

    def whole(*sources: Lanes | int) -> Lanes:
        lanes = next(s for s in sources if isinstance(s, list))
        n = HALF // T.W[lanes[0]]
        return [
            out
            for i in range(0, len(lanes), n)
            for out in f(*(s[i : i + n] if isinstance(s, list) else s for s in sources))
        ]

    return whole


_ZERO_BYTES = [T.const(0, 8)] * 16
vector("pslldq", 8, in_halves(lambda x, k: (_ZERO_BYTES[:k] + x)[:16]))
vector("psrldq", 8, in_halves(lambda x, k: (x + _ZERO_BYTES)[min(k, 16) :][:16]))
vector("palignr", 8, in_halves(lambda a, b, k: (b + a + _ZERO_BYTES)[min(k, 32) :][:16]))


def _multishift(control: Lanes, x: Lanes) -> Lanes:
    """Each byte is 8 bits of its quadword, rotated, from the place that the control byte names modulo 64."""
    return [T.extract(_rotated(x[i // 8], T.zext(T.neg(c), 64)), 0, 8) for i, c in enumerate(control)]


@form("vpmultishiftqb")
def vpmultishiftqb(o: Operands) -> Step:
    bits = o.vector_bits()
    control, x, write = o.lanes(1, 8, bits), o.lanes(2, 64, bits), o.write_lanes()
    return lambda: write(_multishift(control(), x()))


# ---- comparisons within vectors; those into masks are in mask.py ----

COMPARISONS: dict[str, Callable[[Node, Node], Node]] = {"eq": T.eq, "gt": lambda a, b: T.slt(b, a)}


def _all_ones_if(f: Callable[[Node, Node], Node]) -> Callable[[Node, Node], Node]:
    return lambda a, b: T.sext(f(a, b), T.W[a])


for _c, _compares in COMPARISONS.items():
    for _l, _w in WIDTHS.items():
        lanewise(f"pcmp{_c}{_l}", _w, _all_ones_if(_compares))


def _sign_mask(w: int) -> Callable[[Operands], Step]:
    """The top bits of all lanes, side by side."""

    def build(o: Operands) -> Step:
        read, write, width = o.lanes(1, w), o.write(0), o.width(0)
        return lambda: write(T.zext(T.concat([flags.top(n) for n in read()]), width))

    return build


for _name, _w in (("pmovmskb", 8), ("movmskps", 32)):
    define_encodings(_name, _sign_mask(_w))


# ---- permutations ----


def _pick(table: Lanes, index: Node) -> Node:
    """table[index], the table's length being a power of 2 and the index taken modulo it."""
    bits = len(table).bit_length() - 1
    if T.is_const(index):
        return table[T.val(index) % len(table)]
    for i in range(bits):
        bit = T.extract(index, i, 1)
        table = [T.ite(bit, table[j + 1], table[j]) for j in range(0, len(table), 2)]
    return table[0]


def _shuffle_bytes(a: Lanes, control: Lanes) -> Lanes:
    """The byte that the lowest 4 bits name; 0 where bit 7 is set."""
    return [T.ite(flags.top(c), T.const(0, 8), _pick(a, T.extract(c, 0, 4))) for c in control]


vector("pshufb", 8, in_halves(_shuffle_bytes))


def _two_bits(k: int, i: int) -> int:
    return k >> 2 * i & 3


vector("pshufd", 32, in_halves(lambda x, k: [x[_two_bits(k, i)] for i in range(4)]), destructive=False)
vector("pshuflw", 16, in_halves(lambda x, k: [x[_two_bits(k, i)] for i in range(4)] + x[4:]), destructive=False)
vector("pshufhw", 16, in_halves(lambda x, k: x[:4] + [x[4 + _two_bits(k, i)] for i in range(4)]), destructive=False)
vector(
    "shufps",
    32,
    in_halves(lambda a, b, k: [x[_two_bits(k, i)] for i, x in enumerate((a, a, b, b))]),
)


def _permute(index: Lanes, table: Lanes) -> Lanes:
    return [_pick(table, i) for i in index]


for _name, _w in (("vpermb", 8), ("vpermw", 16), ("vpermd", 32)):
    vector(_name, _w, _permute)


def _permute_quadwords(a: Lanes, b: Lanes | int) -> Lanes:
    """By an immediate within 256 bits, or by a vector of indices."""
    if isinstance(b, list):
        return _permute(a, b)
    return [a[(i & ~3) + _two_bits(b, i % 4)] for i in range(len(a))]


vector("vpermq", 64, _permute_quadwords)
vector("vpermpd", 64, _permute_quadwords)


def _permute_singles(a: Lanes, b: Lanes | int) -> Lanes:
    """By an immediate, or by the lowest two bits of each lane of a vector."""
    if isinstance(b, list):
        return _permute(b, a)
    return [a[_two_bits(b, i)] for i in range(len(a))]


vector("vpermilps", 32, in_halves(_permute_singles))
for _l, _w in WIDTHS.items():
    vector("vpermi2" + _l, _w, lambda index, a, b: _permute(index, a + b), accumulates=True)
    vector("vpermt2" + _l, _w, lambda a, index, b: _permute(index, a + b), accumulates=True)


def _select_halves(a: Lanes, b: Lanes, k: int) -> Lanes:
    """Two of the four halves, each 0 where bit 3 of its four bits is set."""
    halves = [a[:2], a[2:], b[:2], b[2:]]
    zero = [T.const(0, 64)] * 2
    return [n for s in (k & 15, k >> 4 & 15) for n in (zero if s & 8 else halves[s & 3])]


vector("vperm2i128", 64, _select_halves)
vector("vperm2f128", 64, _select_halves)


def _shuffle_quarters(a: Lanes, b: Lanes, k: int) -> Lanes:
    """128-bit parts: the lower half of the destination from a, the upper from b."""
    n = HALF // T.W[a[0]]
    parts = len(a) // n
    bits = parts.bit_length() - 1
    chosen = [k >> bits * i & (parts - 1) for i in range(parts)]
    return [x for i, c in enumerate(chosen) for x in (a if i < parts // 2 else b)[c * n : (c + 1) * n]]


for _name, _w in (("vshufi32x4", 32), ("vshufi64x2", 64)):
    vector(_name, _w, _shuffle_quarters)


def _interleave(a: Lanes, b: Lanes) -> Lanes:
    return [n for pair in zip(a, b, strict=True) for n in pair]


for _name, _w in (("bw", 8), ("wd", 16), ("dq", 32), ("qdq", 64)):
    _n = HALF // _w // 2
    vector("punpckl" + _name, _w, in_halves(lambda a, b, n=_n: _interleave(a[:n], b[:n])))
    vector("punpckh" + _name, _w, in_halves(lambda a, b, n=_n: _interleave(a[n:], b[n:])))
for _name, _w in (("ps", 32), ("pd", 64)):
    _n = HALF // _w // 2
    vector("unpckl" + _name, _w, in_halves(lambda a, b, n=_n: _interleave(a[:n], b[:n])))
    vector("unpckh" + _name, _w, in_halves(lambda a, b, n=_n: _interleave(a[n:], b[n:])))


def saturate(x: Node, w: int, signed: bool) -> Node:
    """The nearest value of w bits to the signed x."""
    v = T.W[x]
    low, high = (-(1 << (w - 1)), (1 << (w - 1)) - 1) if signed else (0, (1 << w) - 1)
    below, above = T.slt(x, T.const(low, v)), T.slt(T.const(high, v), x)
    return T.ite(below, T.const(low, w), T.ite(above, T.const(high, w), T.extract(x, 0, w)))


for _name, _w, _signed in (
    ("packsswb", 16, True),
    ("packuswb", 16, False),
    ("packssdw", 32, True),
    ("packusdw", 32, False),
):
    vector(
        _name,
        _w,
        in_halves(lambda a, b, w=_w // 2, s=_signed: [saturate(x, w, s) for x in a + b]),
    )


def _align(a: Lanes, b: Lanes, k: int) -> Lanes:
    """b : a to the right by whole lanes."""
    k %= len(a)
    return (b + a)[k : k + len(a)]


vector("valignd", 32, _align)
vector("valignq", 64, _align)


def _blend(a: Lanes, b: Lanes, k: int) -> Lanes:
    """b where the immediate's bit is set; its 8 bits are used again and again."""
    return [y if k >> i % 8 & 1 else x for i, (x, y) in enumerate(zip(a, b, strict=True))]


vector("pblendw", 16, _blend)
vector("vpblendd", 32, _blend)


def _blend_by_sign(a: Lanes, b: Lanes, m: Lanes) -> Lanes:
    return [T.ite(flags.top(k), y, x) for x, y, k in zip(a, b, m, strict=True)]


vector("vpblendvb", 8, _blend_by_sign)
vector("vblendvpd", 64, _blend_by_sign)


def _blend_by_mask(w: int) -> Callable[[Operands], Step]:
    """b where the mask has ones, else a, or 0 if zeroing."""

    def build(o: Operands) -> Step:
        bits, mask = o.vector_bits(), o.mask()
        a, b, index, machine = o.lanes(1, w, bits), o.lanes(2, w, bits), o.place(0).number, o.machine
        zeroing = o.ins.zeroing_masking

        def step() -> None:
            k = mask() if mask else T.const(-1, 64)
            x = [T.const(0, w)] * (bits // w) if zeroing else a()
            machine.set_lanes(index, [T.ite(T.extract(k, i, 1), y, x[i]) for i, y in enumerate(b())])

        return step

    return build


for _l, _w in WIDTHS.items():
    define("vpblendm" + _l, meaning=_blend_by_mask(_w))


def _compress(w: int) -> Callable[[Operands], Step]:
    """The lanes with the bit 1 in the mask, side by side; those above become 0 or stay."""

    def build(o: Operands) -> Step:
        bits, mask, machine = o.vector_bits(), o.mask(), o.machine
        read, zeroing = o.lanes(1, w, bits), o.ins.zeroing_masking
        address = o.address() if o.is_memory(0) else None
        index = 0 if address else o.place(0).number

        def step() -> None:
            k, lanes = mask() if mask else T.const(-1, 64), read()
            chosen = [T.extract(k, i, 1) for i in range(len(lanes))]
            if address:
                at = address()
                kept = [n for n, c in zip(lanes, chosen, strict=True) if constant(c, "the mask of a compression")]
                for i, n in enumerate(kept):
                    machine.memory.store(at + i * w // 8, n)
                return
            old = [T.const(0, w)] * len(lanes) if zeroing else machine.lanes(index, bits, w)
            machine.set_lanes(index, compressed(lanes, chosen, old))

        return step

    return build


def compressed(lanes: Lanes, chosen: Lanes, old: Lanes) -> Lanes:
    """Of bits that may be data: from the top down, each chosen lane is put before those above it."""
    if all(T.is_const(c) for c in chosen):
        kept = [n for n, c in zip(lanes, chosen, strict=True) if T.val(c)]
        return kept + old[len(kept) :]
    # With j lanes kept of those seen so far, place j has the next: out[i] is decided by how many are kept below.
    counts = [T.const(0, 8)]
    for c in chosen:
        counts.append(T.add(counts[-1], T.zext(c, 8)))
    out = list(old)
    for i, place in enumerate(out):
        for n, c, count in zip(lanes, chosen, counts, strict=False):
            place = T.ite(T.and_(c, T.eq(count, T.const(i, 8))), n, place)
        out[i] = place
    return out


for _l, _w in WIDTHS.items():
    define("vpcompress" + _l, meaning=_compress(_w))


# ---- between widths ----


def _broadcast(name: str, part: int, element: int) -> None:
    """A part of the source, or a general register, repeated; a mask has a bit for each element."""

    def build(o: Operands) -> Step:
        bits, write = o.vector_bits(), o.write_lanes()
        w = min(element, 64)
        if o.is_file(1, "general"):
            read_integer = o.read(1)
            return lambda: write([T.extract(read_integer(), 0, w)] * (bits // w))
        read = o.lanes(1, w, max(part, HALF) if o.is_file(1, "vector") else part)
        return lambda: write(read()[: part // w] * (bits // part))

    define(name, meaning=build)


for _l, _w in WIDTHS.items():
    _broadcast("vpbroadcast" + _l, _w, _w)
for _name, _part, _w in (
    ("ss", 32, 32),
    ("sd", 64, 64),
    ("i128", 128, 64),
    ("i32x4", 128, 32),
):
    _broadcast("vbroadcast" + _name, _part, _w)


def _insert(name: str, part: int, w: int) -> None:
    """A part of the vector replaced by the second source."""

    def build(o: Operands) -> Step:
        a, b, write = o.lanes(1, w, o.vector_bits()), o.lanes(2, w, part), o.write_lanes()
        n = part // w
        at = o.immediate(3) % (o.vector_bits() // part) * n

        def step() -> None:
            lanes = a()
            write(lanes[:at] + b() + lanes[at + n :])

        return step

    define("vinsert" + name, meaning=build)


def _extract(name: str, part: int, w: int) -> None:
    """A part of the vector; masked by elements of w bits."""

    def build(o: Operands) -> Step:
        a, write = o.lanes(1, w, o.width(1)), o.write_lanes()
        n = part // w
        at = o.immediate(2) % (o.width(1) // part) * n
        return lambda: write(a()[at : at + n])

    define("vextract" + name, meaning=build)


for _name, _part, _w in (("128", 128, 64), ("32x4", 128, 32), ("64x2", 128, 64), ("64x4", 256, 64)):
    for _kind in "if":
        _insert(_kind + _name, _part, _w)
        _extract(_kind + _name, _part, _w)


def _insert_element(w: int) -> Callable[[Operands], Step]:
    def build(o: Operands) -> Step:
        first = 0 if o.legacy else 1
        a, x, write = o.lanes(first, w, HALF), o.read(first + 1), o.write_lanes()
        at = o.immediate(first + 2) % (HALF // w)

        def step() -> None:
            lanes = a()
            write([*lanes[:at], T.extract(x(), 0, w), *lanes[at + 1 :]])

        return step

    return build


def _extract_element(w: int) -> Callable[[Operands], Step]:
    """A general register is cleared above it."""

    def build(o: Operands) -> Step:
        a, write, width = o.lanes(1, w, HALF), o.write(0), o.width(0)
        at = o.immediate(2) % (HALF // w)
        return lambda: write(T.zext(a()[at], width))

    return build


for _l, _w in WIDTHS.items():
    for _v in ("", "v"):
        define(f"{_v}pinsr{_l}", meaning=_insert_element(_w))
        define(f"{_v}pextr{_l}", meaning=_extract_element(_w))


def _widen(name: str, narrow: int, wide: int, extend: Callable[[Node, int], Node]) -> None:
    def build(o: Operands) -> Step:
        count, write = o.vector_bits() // wide, o.write_lanes()
        read = o.lanes(1, narrow)
        return lambda: write([extend(n, wide) for n in read()[:count]])

    define_encodings(name, build)


def _narrow(name: str, wide: int, narrow: int) -> None:
    """The lower bits of each lane; a register is cleared above them."""

    def build(o: Operands) -> Step:
        read, write = o.lanes(1, wide, o.width(1)), o.write_lanes()
        if o.is_memory(0) or o.width(0) == o.width(1) // wide * narrow:
            return lambda: write([T.extract(n, 0, narrow) for n in read()])
        if o.mask() is not None:
            raise Violation("a masked narrowing to less than 128 bits")
        unused = [T.const(0, narrow)] * (o.width(0) // narrow - o.width(1) // wide)
        return lambda: write([T.extract(n, 0, narrow) for n in read()] + unused)

    define(name, meaning=build)


for _a in "bwd":
    for _b in "wdq"["bwd".index(_a) :]:
        _widen(f"pmovzx{_a}{_b}", WIDTHS[_a], WIDTHS[_b], T.zext)
        _widen(f"pmovsx{_a}{_b}", WIDTHS[_a], WIDTHS[_b], T.sext)
        _narrow(f"vpmov{_b}{_a}", WIDTHS[_b], WIDTHS[_a])


# ---- sums of products ----


def _products(a: Lanes, b: Lanes) -> Lanes:
    """Signed words: the sum of each two products."""
    p = [T.mul(T.sext(x, 32), T.sext(y, 32)) for x, y in zip(a, b, strict=True)]
    return [T.add(*p[i : i + 2]) for i in range(0, len(p), 2)]


def _byte_products(a: Lanes, b: Lanes) -> Lanes:
    """Unsigned times signed bytes: the sum of each two products, saturated to 16 bits."""
    p = [T.mul(T.zext(x, 32), T.sext(y, 32)) for x, y in zip(a, b, strict=True)]
    return [saturate(T.add(*p[i : i + 2]), 16, True) for i in range(0, len(p), 2)]


def _distances(a: Lanes, b: Lanes) -> Lanes:
    """The sum of the distances of eight unsigned bytes, in 64 bits."""
    d = [T.zext(T.ite(T.cmp("ult", x, y), T.sub(y, x), T.sub(x, y)), 64) for x, y in zip(a, b, strict=True)]
    return [reduce(T.add, d[i : i + 8]) for i in range(0, len(d), 8)]


vector("pmaddwd", 16, _products)
vector("pmaddubsw", 8, _byte_products)
vector("psadbw", 8, _distances)


# ---- memory lane by lane ----


def _masked_move(w: int) -> Callable[[Operands], Step]:
    """vpmaskmov: lanes with the top bit of their control set; the others are not touched, and 0 when loaded."""

    def build(o: Operands) -> Step:
        memory, control, address = o.machine.memory, o.lanes(1, w), o.address()

        def chosen() -> list[bool]:
            return [bool(constant(flags.top(n), "the mask of an access")) for n in control()]

        if o.is_memory(0):
            value = o.lanes(2, w)

            def store() -> None:
                at = address()
                for i, (n, c) in enumerate(zip(value(), chosen(), strict=True)):
                    if c:
                        memory.store(at + i * w // 8, n)

            return store
        write = o.write_lanes()

        def load() -> None:
            at = address()
            write([memory.load(at + i * w // 8, w // 8) if c else T.const(0, w) for i, c in enumerate(chosen())])

        return load

    return build


define("vpmaskmovq", meaning=_masked_move(64))


@form("vpgatherqq")
def vpgatherqq(o: Operands) -> Step:
    """Quadwords at a base plus indices times a scale, where the mask register has ones; it is cleared."""
    machine, mask, bits = o.machine, o.mask(), o.vector_bits()
    if mask is None:
        raise Violation("a gather under a vector's signs")
    index, base = PLACES[o.ins.memory_index].number, o.base_address()
    scale, k, destination = o.ins.memory_index_scale, PLACES[o.ins.op_mask].number, o.place(0).number

    def step() -> None:
        lanes = machine.lanes(destination, bits, 64)
        for i, offset in enumerate(machine.lanes(index, bits, 64)):
            if constant(T.extract(mask(), i, 1), "the mask of a gather"):
                at = base() + scale * constant(offset, "the address")
                lanes[i] = machine.memory.load(at & 0xFFFFFFFFFFFFFFFF, 8)
        machine.set_lanes(destination, lanes)
        machine.k[k] = T.const(0, 64)

    return step


@form("vzeroupper")
def vzeroupper(o: Operands) -> Step:
    """Clears what is above 128 bits in the registers 0 to 15."""
    machine = o.machine

    def step() -> None:
        for i in range(16):
            machine.set_lanes(i, machine.lanes(i, HALF, 64))

    return step
