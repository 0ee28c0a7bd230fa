"""Theorems of the kernels of Z_q[X]/(X^n - 1): NTRU, round 3.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from typing import TypeVar

import numpy as np

from proofs.domains import NotProved
from proofs.domains.affine import Affine
from proofs.domains.every import check_zero_where_every
from proofs.domains.exhaustive import check_by_classes, check_equal, check_values, difference_of
from proofs.domains.fields import Fields
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import ntru_contracts as contracts
from proofs.theorems.fips203 import bits
from proofs.theorems.ntru_contracts import (
    LOGARITHMS,
    Q_BITS,
    TRITS,
    UNIT,
    Coding,
    FromTrits,
    InPlace,
    Map,
    Mod3,
    OfSizes,
    Sum,
    ToTrits,
)
from proofs.theorems.target import Buffer, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem, theorem

TRIT_BITS = 2

C = TypeVar("C", bound=OfSizes)
ForOne = Callable[[C, Target, Kernel, int], None]


def of_each_size(prove: ForOne[C], contract: C, target: Target, kernel: Kernel) -> str:
    for n in contract.sizes:
        prove(contract, target, kernel, n)
    return f"n = {', '.join(map(str, contract.sizes))}"


def stated(contract: C, prove: ForOne[C]) -> Theorem:
    """The theorem of a contract, one n after the other."""
    return theorem(contract, partial(of_each_size, prove))


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


def output(run: Execution, c: OfSizes, n: int, width: int) -> Buffer:
    return run.output(len(padded([T.const(0, 8)] * n)), width, c.align)


def read(run: Execution, f: Buffer, n: int) -> list[Node]:
    """The coefficients; the other places must be 0."""
    content, fields = run.read(f), Fields()
    for x in content[n:]:
        check_equal(x, T.const(0, f.width), "a place behind the polynomial", fields)
    return content[:n]


def read_trits(run: Execution, t: Buffer, n: int) -> list[Node]:
    """All but the last one, which must be 0."""
    *found, last = read(run, t, n)
    check_equal(last, T.const(0, 8), "the last coefficient", Fields())
    return found


# ---- sums of coefficients ----

Row = dict[Node | None, int]


def prove_in_place(contract: InPlace, target: Target, kernel: Kernel, n: int) -> None:
    run, f = Execution(target), words(n)
    place = run.in_place(padded(f), contract.align)
    run.call(kernel.address, place, n)
    found = read(run, place, n)
    _check_rows(found, _rows(contract.map, f))
    if contract.last_is_zero:
        check_equal(found[-1], T.const(0, 16), "the last coefficient", Fields())


def prove_sum(contract: Sum, target: Target, kernel: Kernel, n: int) -> None:
    run, f, g = Execution(target), words(n), words(n, "g")
    place = run.in_place(padded(f), contract.align)
    run.call(kernel.address, place, run.input(padded(g), contract.align), n)
    _check_rows(read(run, place, n), [{x: 1, y: contract.sign} for x, y in zip(f, g, strict=True)])


def _check_rows(found: list[Node], rows: list[Row]) -> None:
    """Each coefficient is a sum of multiples, modulo 2^13."""
    affine = Affine(Q_BITS)
    for i, (got, wanted) in enumerate(zip(found, rows, strict=True)):
        affine.check(got, wanted, f"coefficient {i}")


def _row(*multiples: tuple[Node, int]) -> Row:
    return dict(multiples)


def _rows(map_: Map, f: list[Node]) -> list[Row]:
    if map_ == Map.TIMES_X_MINUS_1:
        return [{f[i - 1]: 1, f[i]: -1} for i in range(len(f))]
    if map_ == Map.TWO_MINUS:
        return [{f[0]: -1, None: 2}, *(_row((x, -1)) for x in f[1:])]
    if map_ == Map.MOD_PHI:
        return [*(_row((x, 1), (f[-1], -1)) for x in f[:-1]), {}]
    return [*(_row((x, 1)) for x in f[:-1]), _row(*((x, -1) for x in f[:-1]))]


# ---- functions of coefficients ----


def prove_from_trits(contract: FromTrits, target: Target, kernel: Kernel, n: int) -> None:
    for scale in contract.scales:
        run, t, fields = Execution(target), trits(n), Fields()
        f = output(run, contract, n, 16)
        run.call(kernel.address, f, run.input(padded(t), contract.align), n, scale)
        for i, got in enumerate(read(run, f, n)):
            minus = T.eq(t[i], T.const(2, 8))
            wanted = T.ite(minus, T.const(-scale, 16), T.mul(T.zext(t[i], 16), T.const(scale, 16)))
            low, wanted_low = (T.extract(x, 0, Q_BITS) for x in (got, wanted))
            check_equal(low, wanted_low, f"coefficient {i} times {scale}", fields, trit_bounds(n))


def prove_to_trits(contract: ToTrits, target: Target, kernel: Kernel, n: int) -> None:
    run, q, fields = Execution(target), LOGARITHMS[n], Fields()
    f = [*words(n)[:-1], T.const(0, 16)]
    t = output(run, contract, n, 8)
    differs = T.extract(run.call(kernel.address, t, run.input(padded(f), contract.align), n, q), 0, 32)
    for i, got in enumerate(read_trits(run, t, n)):
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


def prove_mod3(contract: Mod3, target: Target, kernel: Kernel, n: int) -> None:
    """The coefficients less the last one, modulo 3."""
    run, f, q = Execution(target), words(n), LOGARITHMS[n]
    t = output(run, contract, n, 8)
    run.call(kernel.address, t, run.input(padded(f), contract.align), n, q)
    low = [T.extract(x, 0, q) for x in f]
    for i, got in enumerate(read_trits(run, t, n)):
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


def prove_pack(contract: Coding, target: Target, kernel: Kernel, n: int) -> None:
    run, f, fields, d = Execution(target), words(n), Fields(), contract.d
    out = run.output(contract.bytes(n), 8)
    run.call(kernel.address, out, run.input(padded(f), contract.align), n)
    result = run.read(out)
    for i in range(n - 1):
        check_equal(bits(result, d * i, d), T.extract(f[i], 0, d), f"coefficient {i}", fields)
    if unused := -d * (n - 1) % 8:
        check_equal(T.extract(result[-1], 8 - unused, unused), T.const(0, unused), "the last byte's end", fields)


def prove_unpack(contract: Coding, target: Target, kernel: Kernel, n: int) -> None:
    data, d = byte_string(contract.bytes(n)), contract.d
    run, fields = Execution(target), Fields()
    f = output(run, contract, n, 16)
    run.call(kernel.address, f, run.input(data), n)
    for i, got in enumerate(read(run, f, n)):
        wanted = T.zext(bits(data, d * i, d), 16) if i < n - 1 else T.const(0, 16)
        check_equal(got, wanted, f"coefficient {i}", fields)


def theorems() -> Iterator[Theorem]:
    for in_place in (*contracts.LINEAR, contracts.TWO_MINUS):
        yield stated(in_place, prove_in_place)
    for added in contracts.SUMS:
        yield stated(added, prove_sum)
    yield stated(contracts.FROM_TRITS, prove_from_trits)
    yield stated(contracts.MOD3, prove_mod3)
    yield stated(contracts.TO_TRITS, prove_to_trits)
    for pack in contracts.PACKS:
        yield stated(pack, prove_pack)
    for unpack in contracts.UNPACKS:
        yield stated(unpack, prove_unpack)
