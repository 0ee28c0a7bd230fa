"""Theorems of the kernels of Z_q[X]/(X^n - 1): NTRU, round 3.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce

import numpy as np

from proofs.domains import NotProved
from proofs.domains.affine import Affine
from proofs.domains.every import check_zero_where_every
from proofs.domains.exhaustive import check_by_classes, check_equal, check_values, difference_of
from proofs.domains.fields import Fields
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems.bounds import bound, constants
from proofs.theorems.fips203 import bits
from proofs.theorems.target import MAX_ALIGN, Buffer, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem

CYCLIC, TERNARY = "cyclic", "ternary"
RIGHT_BITS = bound(CYCLIC, "BITS")
UNIT = constants(TERNARY)["LK_CYCLIC_UNIT"]
LOGARITHMS = {509: 11, 677: 11, 821: 12, 701: 13}  # of q, by n: table 1 of the document
TRIT_BITS, TRITS = 2, constants(TERNARY)["LK_TRIT_MAX"] + 1
SCALES = (1, 3)  # of from_trits, as the scheme uses it

ForOne = Callable[[Target, Kernel, int], None]


def for_each_n(sizes: Iterable[int], prove: ForOne, target: Target, kernel: Kernel) -> str:
    for n in sizes:
        prove(target, kernel, n)
    return f"n = {', '.join(map(str, sizes))}"


def padded(content: list[Node]) -> list[Node]:
    """With zeros to the end of the last unit."""
    w = T.W[content[0]]
    return content + [T.const(0, w)] * (-len(content) % UNIT)


def words(n: int, name: str = "f") -> list[Node]:
    return [T.var(f"{name}[{i}]", 16) for i in range(n)]


def trits(n: int, last: bool = True) -> list[Node]:
    """Coefficients of two bits in bytes; with `last` false the last one is 0."""
    t = [T.zext(T.var(f"t[{i}]", TRIT_BITS), 8) for i in range(n)]
    return t if last else [*t[:-1], T.const(0, 8)]


def trit_bounds(n: int) -> dict[Node, int]:
    return {T.var(f"t[{i}]", TRIT_BITS): TRITS for i in range(n)}


def output(run: Execution, n: int, width: int) -> Buffer:
    return run.output(len(padded([T.const(0, 8)] * n)), width, MAX_ALIGN)


def read(run: Execution, f: Buffer, n: int) -> list[Node]:
    """The coefficients; the other places must be 0."""
    content, fields = run.read(f), Fields()
    for x in content[n:]:
        check_equal(x, T.const(0, f.width), "a place behind the polynomial", fields)
    return content[:n]


# ---- sums of coefficients ----

Row = dict[Node | None, int]


def prove_sums(formula: Callable[[list[Node], list[Node]], list[Row]], target: Target, kernel: Kernel, n: int) -> None:
    """In place, each coefficient a sum of multiples of those of f and g, modulo 2^13."""
    run, f, g = Execution(target), words(n), words(n, "g")
    place = run.in_place(padded(f), MAX_ALIGN)
    arguments = [run.input(padded(g), MAX_ALIGN)] if kernel.name in ("add", "sub") else []
    run.call(kernel.address, place, *arguments, n)
    affine = Affine(RIGHT_BITS)
    for i, (got, wanted) in enumerate(zip(read(run, place, n), formula(f, g), strict=True)):
        affine.check(got, wanted, f"coefficient {i}")


def _row(*multiples: tuple[Node, int]) -> Row:
    return dict(multiples)


def _times_x_minus_1(f: list[Node], g: list[Node]) -> list[Row]:
    return [{f[i - 1]: 1, f[i]: -1} for i in range(len(f))]


def _two_minus(f: list[Node], g: list[Node]) -> list[Row]:
    return [{f[0]: -1, None: 2}, *(_row((x, -1)) for x in f[1:])]


def _mod_phi(f: list[Node], g: list[Node]) -> list[Row]:
    return [*(_row((x, 1), (f[-1], -1)) for x in f[:-1]), {}]


def _sum_zero(f: list[Node], g: list[Node]) -> list[Row]:
    return [*(_row((x, 1)) for x in f[:-1]), _row(*((x, -1) for x in f[:-1]))]


def _sum(sign: int, f: list[Node], g: list[Node]) -> list[Row]:
    return [{x: 1, y: sign} for x, y in zip(f, g, strict=True)]


# ---- functions of coefficients ----


def prove_from_trits(target: Target, kernel: Kernel, n: int) -> None:
    for scale in SCALES:
        run, t, fields = Execution(target), trits(n), Fields()
        f = output(run, n, 16)
        run.call(kernel.address, f, run.input(padded(t), MAX_ALIGN), n, scale)
        for i, got in enumerate(read(run, f, n)):
            minus = T.eq(t[i], T.const(2, 8))
            wanted = T.ite(minus, T.const(-scale, 16), T.mul(T.zext(t[i], 16), T.const(scale, 16)))
            low, wanted_low = (T.extract(x, 0, RIGHT_BITS) for x in (got, wanted))
            check_equal(low, wanted_low, f"coefficient {i} times {scale}", fields, trit_bounds(n))


def prove_to_trits(target: Target, kernel: Kernel, n: int) -> None:
    """f_(n-1) = 0. If a coefficient is not small, some trit is enough."""
    run, q, fields = Execution(target), LOGARITHMS[n], Fields()
    f = [*words(n)[:-1], T.const(0, 16)]
    t = output(run, n, 8)
    differs = T.extract(run.call(kernel.address, t, run.input(padded(f), MAX_ALIGN), n, q), 0, 32)
    for i, got in enumerate(read(run, t, n)):
        low = T.extract(f[i], 0, q)
        small = [T.eq(low, T.const(value, q)) for value in (0, 1, -1)]
        wanted = T.ite(small[0], T.const(0, 8), T.ite(small[1], T.const(1, 8), T.const(2, 8)))
        some = T.ite(T.ult(got, T.const(TRITS, 8)), wanted, T.not_(wanted))
        check_equal(T.ite(reduce(T.or_, small), got, some), wanted, f"coefficient {i}", fields)
    if T.OP[differs] != "sext" or T.W[T.ARGS[differs][0]] != 1:
        raise NotProved("the result may be neither 0 nor 0xFFFFFFFF")
    centred = (np.arange(1 << 16) + 1) % (1 << q)
    check_zero_where_every(differs, dict.fromkeys(f[:-1], centred <= 2), "the result")


def modulo_3(x: Node) -> Node:
    """Of a number that is not negative."""
    return T.urem(x, T.const(3, T.W[x]))


def prove_mod3(target: Target, kernel: Kernel, n: int) -> None:
    """The coefficients less the last one, modulo 3."""
    run, f, q = Execution(target), words(n), LOGARITHMS[n]
    t = output(run, n, 8)
    run.call(kernel.address, t, run.input(padded(f), MAX_ALIGN), n, q)
    low = [T.extract(x, 0, q) for x in f]
    for i, got in enumerate(read(run, t, n)):
        _check_mod3(got, low[i], low[-1], f"coefficient {i}")


def _check_mod3(got: Node, x: Node, last: Node, what: str) -> None:
    """Code reduces before it takes the difference, or after. 3 2^14 makes any number positive."""
    shift, bound = T.const(3 << 14, 32), 1 << T.W[x]
    if (difference := difference_of(got, x, last)) is not None:
        wanted = modulo_3(T.add(T.sext(difference, 32), shift))
        check_values(got, T.extract(wanted, 0, 8), difference, range(1 - bound, bound), what)
    else:
        a, b = (modulo_3(T.add(T.sext(y, 32), shift)) for y in (x, last))
        wanted = modulo_3(T.add(a, T.sub(T.const(3, 32), b)))
        check_by_classes(got, T.extract(wanted, 0, 8), what)


# ---- packing ----


def prove_pack(d: int, target: Target, kernel: Kernel, n: int) -> None:
    run, f, fields = Execution(target), words(n), Fields()
    out = run.output((d * (n - 1) + 7) // 8, 8)
    run.call(kernel.address, out, run.input(padded(f), MAX_ALIGN), n)
    result = run.read(out)
    for i in range(n - 1):
        check_equal(bits(result, d * i, d), T.extract(f[i], 0, d), f"coefficient {i}", fields)
    if unused := -d * (n - 1) % 8:
        check_equal(T.extract(result[-1], 8 - unused, unused), T.const(0, unused), "the last byte's end", fields)


def prove_unpack(d: int, target: Target, kernel: Kernel, n: int) -> None:
    data = byte_string((d * (n - 1) + 7) // 8)
    run, fields = Execution(target), Fields()
    f = output(run, n, 16)
    run.call(kernel.address, f, run.input(data), n)
    for i, got in enumerate(read(run, f, n)):
        wanted = T.zext(bits(data, d * i, d), 16) if i < n - 1 else T.const(0, 16)
        check_equal(got, wanted, f"coefficient {i}", fields)


def theorems() -> Iterator[Theorem]:
    def sums(name: str, claim: str, domain: str, prove: ForOne) -> Theorem:
        return Theorem(CYCLIC, name, claim, domain, partial(for_each_n, LOGARITHMS, prove), Rung.ALL)

    yield sums("times_x_minus_1", "(X - 1) f modulo X^n - 1", "sums", partial(prove_sums, _times_x_minus_1))
    yield sums("two_minus", "2 - f", "sums", partial(prove_sums, _two_minus))
    yield sums("add", "f + g", "sums", partial(prove_sums, partial(_sum, 1)))
    yield sums("sub", "f - g", "sums", partial(prove_sums, partial(_sum, -1)))
    yield sums("mod_phi", "f modulo Phi", "sums", partial(prove_sums, _mod_phi))
    yield sums("sum_zero", "the last coefficient makes the sum 0", "sums", partial(prove_sums, _sum_zero))
    yield sums("from_trits", "scale t, for scale = 1 and 3", "all inputs", prove_from_trits)
    yield sums("mod3", "f modulo 3 and Phi, for any words", "all inputs", prove_mod3)
    yield sums("to_trits", "the trits, and whether all coefficients are 0, 1 or -1", "every", prove_to_trits)
    for d in (11, 12, 13):
        yield sums(f"pack_d{d}", f"the low {d} bits", "all inputs", partial(prove_pack, d))
        yield sums(f"unpack_d{d}", f"{d} bits each", "all inputs", partial(prove_unpack, d))
