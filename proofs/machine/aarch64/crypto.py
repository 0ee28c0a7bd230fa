"""Instructions for AES, SHA-256, SHA-512 and products without carries.

Words are numbered from the lowest lane on, as in Arm's manual. SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from proofs.machine.aarch64.integer import ror
from proofs.machine.aarch64.operands import Meaning, Scalar, Vector
from proofs.machine.meanings import Meanings
from proofs.machine.terms import (
    W,
    add,
    and_,
    clmul,
    clmulh,
    const,
    extract,
    ite,
    lshr,
    not_,
    or_,
    sbox,
    shl,
    xor,
)

if TYPE_CHECKING:
    from proofs.machine.aarch64.machine import Machine

MEANINGS: Meanings[Meaning] = Meanings()
form = MEANINGS.form

Word = Callable[[int], int]

# ---- AES (FIPS 197) ----


@form("aese", "v v")
def aese(m: Machine, d: Vector, key: Vector) -> None:
    """AddRoundKey, ShiftRows, SubBytes: byte r + 4 c of the state is row r of column c."""
    state = [xor(x, y) for x, y in zip(m.lanes(d), m.lanes(key), strict=True)]
    m.set_lanes(d, [sbox(state[(i + 4 * (i % 4)) % 16]) for i in range(16)])


def times_x(byte: int) -> int:
    """In GF(2^8)."""
    return xor(shl(byte, 1), ite(extract(byte, 7, 1), const(0x1B, 8), const(0, 8)))


@form("aesmc", "v v")
def aesmc(m: Machine, d: Vector, a: Vector) -> None:
    """MixColumns: 2 s0 + 3 s1 + s2 + s3 for each byte s0 and those below it in its column."""
    state, out = m.lanes(a), []
    for i in range(16):
        s0, s1, s2, s3 = (state[i // 4 * 4 + (i + k) % 4] for k in range(4))
        out.append(xor(xor(times_x(xor(s0, s1)), s1), xor(s2, s3)))
    m.set_lanes(d, out)


# ---- products without carries ----


def carryless(half: int) -> Meaning:
    """The 128 bits of the product of two words: the lower ones of the registers, or with a 2 the upper ones."""

    def run(m: Machine, d: Vector, a: Vector, b: Vector) -> None:
        x, y = m.lanes(a)[half], m.lanes(b)[half]
        m.set_lanes(Vector(d.number, 2, 64), [clmul(x, y), clmulh(x, y)])

    return run


MEANINGS.define("pmull", "v v v", meaning=carryless(0))
MEANINGS.define("pmull2", "v v v", meaning=carryless(1))


# ---- SHA-2 (FIPS 180-4, 4.1.2 and 4.1.3) ----


def rotations(*counts: int, shifted: int | None = None) -> Word:
    """The XOR of a word rotated to the right by each count, and shifted."""

    def f(x: int) -> int:
        total = lshr(x, shifted) if shifted else const(0, W[x])
        for k in counts:
            total = xor(total, ror(x, k))
        return total

    return f


def choose(x: int, y: int, z: int) -> int:
    return xor(and_(x, y), and_(not_(x), z))


def majority(x: int, y: int, z: int) -> int:
    return or_(and_(x, y), and_(or_(x, y), z))


def total(*words: int) -> int:
    out = words[0]
    for word in words[1:]:
        out = add(out, word)
    return out


SUM0_256, SUM1_256 = rotations(2, 13, 22), rotations(6, 11, 25)
SIGMA0_256, SIGMA1_256 = rotations(7, 18, shifted=3), rotations(17, 19, shifted=10)
SUM0_512, SUM1_512 = rotations(28, 34, 39), rotations(14, 18, 41)
SIGMA0_512, SIGMA1_512 = rotations(1, 8, shifted=7), rotations(19, 61, shifted=6)


def words_of(m: Machine, register: Scalar) -> list[int]:
    """The four words of a register that is called q."""
    return m.lanes(Vector(register.number, 4, 32))


def four_rounds(abcd: list[int], efgh: list[int], schedule: list[int]) -> tuple[list[int], list[int]]:
    """Four rounds of SHA-256 for words of the schedule to which the constants were added."""
    a, b, c, d = abcd
    e, f, g, h = efgh
    for word in schedule:
        t = total(h, SUM1_256(e), choose(e, f, g), word)
        a, b, c, d, e, f, g, h = total(t, SUM0_256(a), majority(a, b, c)), a, b, c, add(d, t), e, f, g
    return [a, b, c, d], [e, f, g, h]


@form("sha256h", "s s v")
def sha256h(m: Machine, d: Scalar, n: Scalar, schedule: Vector) -> None:
    """d = a b c d after four rounds; n = e f g h."""
    abcd, _ = four_rounds(words_of(m, d), words_of(m, n), m.lanes(schedule))
    m.set_lanes(Vector(d.number, 4, 32), abcd)


@form("sha256h2", "s s v")
def sha256h2(m: Machine, d: Scalar, n: Scalar, schedule: Vector) -> None:
    """d = e f g h after four rounds; n = a b c d."""
    _, efgh = four_rounds(words_of(m, n), words_of(m, d), m.lanes(schedule))
    m.set_lanes(Vector(d.number, 4, 32), efgh)


@form("sha256su0", "v v")
def sha256su0(m: Machine, d: Vector, n: Vector) -> None:
    """w[i] + sigma0(w[i + 1]) for the four words of d, those of n following."""
    w = m.lanes(d) + m.lanes(n)
    m.set_lanes(d, [add(w[i], SIGMA0_256(w[i + 1])) for i in range(4)])


@form("sha256su1", "v v v")
def sha256su1(m: Machine, d: Vector, n: Vector, k: Vector) -> None:
    """The result of sha256su0, with w[i + 9] and sigma1(w[i + 14]): n and k are words 8 to 15, and two are new."""
    partial, w = m.lanes(d), m.lanes(n) + m.lanes(k)
    for i in range(4):
        w.append(total(partial[i], w[i + 1], SIGMA1_256(w[i + 6])))
    m.set_lanes(d, w[8:])


@form("sha512h", "s s v")
def sha512h(m: Machine, d: Scalar, n: Scalar, k: Vector) -> None:
    """Two rounds but for the upper half of the state: x = n holds f g or so, y = k holds d e."""
    two = [m.lanes(Vector(r.number, 2, 64)) for r in (d, n, k)]
    (w0, w1), (x0, x1), (y0, y1) = two
    upper = total(w1, SUM1_512(y1), choose(y1, x0, x1))
    e = add(upper, y0)
    lower = total(w0, SUM1_512(e), choose(e, y1, x0))
    m.set_lanes(Vector(d.number, 2, 64), [lower, upper])


@form("sha512h2", "s s v")
def sha512h2(m: Machine, d: Scalar, n: Scalar, k: Vector) -> None:
    """The upper half of the state for what sha512h gave: x = n holds c, y = k holds a b."""
    two = [m.lanes(Vector(r.number, 2, 64)) for r in (d, n, k)]
    (w0, w1), (x0, _), (y0, y1) = two
    upper = total(w1, SUM0_512(y0), majority(x0, y1, y0))
    lower = total(w0, SUM0_512(upper), majority(upper, y0, y1))
    m.set_lanes(Vector(d.number, 2, 64), [lower, upper])


@form("sha512su0", "v v")
def sha512su0(m: Machine, d: Vector, n: Vector) -> None:
    """w[i] + sigma0(w[i + 1]) for the two words of d, those of n following."""
    w = m.lanes(d) + m.lanes(n)
    m.set_lanes(d, [add(w[i], SIGMA0_512(w[i + 1])) for i in range(2)])


@form("sha512su1", "v v v")
def sha512su1(m: Machine, d: Vector, n: Vector, k: Vector) -> None:
    """The result of sha512su0, with words of k and sigma1 of those of n."""
    triples = zip(m.lanes(d), m.lanes(n), m.lanes(k), strict=True)
    m.set_lanes(d, [total(partial, SIGMA1_512(x), y) for partial, x, y in triples])
