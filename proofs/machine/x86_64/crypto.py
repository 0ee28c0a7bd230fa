"""Instructions for AES (FIPS 197), SHA-256 (FIPS 180-4) and products without carries.

SPDX-License-Identifier: Apache-2.0
"""

from functools import partial

from proofs.machine import terms as T
from proofs.machine.meanings import Meanings
from proofs.machine.processor import Lanes, Step
from proofs.machine.terms import Node
from proofs.machine.x86_64 import vector as vectors
from proofs.machine.x86_64.operands import Operands, Rule
from proofs.machine.x86_64.vector import HALF, in_halves

MEANINGS: Meanings[Rule] = Meanings()
vector = partial(vectors.vector, meanings=MEANINGS)

# ---- AES: the state is 16 bytes, column by column ----


def _shift_rows(s: Lanes) -> Lanes:
    """Row r of column c comes from column c + r."""
    return [s[(4 * (i // 4 + i % 4) + i % 4) % 16] for i in range(16)]


def _double(x: Node) -> Node:
    """x times the polynomial X in GF(2^8)."""
    top = T.extract(x, 7, 1)
    return T.xor(T.shl(x, 1), T.and_(T.sext(top, 8), T.const(0x1B, 8)))


def _mix_column(a: Lanes) -> Lanes:
    """Row r: 2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3) = a_r + (sum of all) + 2 (a_r + a_(r+1))."""
    total = T.xor(T.xor(a[0], a[1]), T.xor(a[2], a[3]))
    return [T.xor(T.xor(a[r], total), _double(T.xor(a[r], a[(r + 1) % 4]))) for r in range(4)]


def _last_round(s: Lanes, key: Lanes) -> Lanes:
    return [T.xor(x, k) for x, k in zip([T.sbox(x) for x in _shift_rows(s)], key, strict=True)]


def _round(s: Lanes, key: Lanes) -> Lanes:
    s = [T.sbox(x) for x in _shift_rows(s)]
    mixed = [x for c in range(0, 16, 4) for x in _mix_column(s[c : c + 4])]
    return [T.xor(x, k) for x, k in zip(mixed, key, strict=True)]


vector("aesenc", 8, in_halves(_round))
vector("aesenclast", 8, in_halves(_last_round))


# ---- products without carries ----


def _carryless(a: Lanes, b: Lanes, k: int) -> Lanes:
    """Bit 0 chooses the quadword of a, bit 4 that of b."""
    x, y = a[k & 1], b[k >> 4 & 1]
    return [T.clmul(x, y), T.clmulh(x, y)]


vector("pclmulqdq", 64, in_halves(_carryless))


# ---- SHA-256: words a to h in two registers, as Intel's manual has them ----


def _sum(*words: Node) -> Node:
    total = words[0]
    for w in words[1:]:
        total = T.add(total, w)
    return total


def _xor(*words: Node) -> Node:
    total = words[0]
    for w in words[1:]:
        total = T.xor(total, w)
    return total


def _big_sigma(x: Node, *rotations: int) -> Node:
    """FIPS 180-4, 4.1.2."""
    return _xor(*(T.rol(x, -r) for r in rotations))


def _small_sigma(x: Node, first: int, second: int, shift: int) -> Node:
    return _xor(T.rol(x, -first), T.rol(x, -second), T.lshr(x, shift))


def _two_rounds(cdgh: Lanes, abef: Lanes, wk: Lanes) -> Lanes:
    """FIPS 180-4, 6.2.2, step 3, for two words that have their constants added."""
    f, e, b, a = abef
    h, g, d, c = cdgh
    for w in wk[:2]:
        choice = T.xor(T.and_(e, f), T.and_(T.not_(e), g))
        majority = _xor(T.and_(a, b), T.and_(a, c), T.and_(b, c))
        t1 = _sum(h, _big_sigma(e, 6, 11, 25), choice, w)
        t2 = _sum(_big_sigma(a, 2, 13, 22), majority)
        a, b, c, d, e, f, g, h = T.add(t1, t2), a, b, c, T.add(d, t1), e, f, g
    return [f, e, b, a]


@MEANINGS.form("sha256rnds2")
def sha256rnds2(o: Operands) -> Step:
    """The words with their constants are in xmm0, which is named as the third operand or not at all."""
    cdgh, abef, write = o.lanes(0, 32, HALF), o.lanes(1, 32, HALF), o.write_lanes()
    machine = o.machine
    return lambda: write(_two_rounds(cdgh(), abef(), machine.lanes(0, HALF, 32)))


def _schedule_first(a: Lanes, b: Lanes) -> Lanes:
    """w_t + sigma0(w_(t+1)) for four t."""
    return [T.add(x, _small_sigma(y, 7, 18, 3)) for x, y in zip(a, [*a[1:], b[0]], strict=True)]


def _schedule_second(a: Lanes, b: Lanes) -> Lanes:
    """Adds sigma1 of the words two before: of b, then of the first results."""
    out = [T.add(x, _small_sigma(y, 17, 19, 10)) for x, y in zip(a[:2], b[2:], strict=True)]
    return out + [T.add(x, _small_sigma(y, 17, 19, 10)) for x, y in zip(a[2:], out, strict=True)]


vector("sha256msg1", 32, _schedule_first)
vector("sha256msg2", 32, _schedule_second)
