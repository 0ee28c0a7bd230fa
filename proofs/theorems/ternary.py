"""Theorems of the kernels of polynomials modulo 3: NTRU, round 3.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np

from proofs.domains import NotProved, bitvector, comparators
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.domains.linear import Input, Linear
from proofs.domains.tallies import Tallies
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import ntru_contracts as contracts
from proofs.theorems.fips203 import bits
from proofs.theorems.ntru import (
    TRIT_BITS,
    modulo_3,
    output,
    padded,
    read,
    read_trits,
    stated,
    trit_bounds,
    trits,
)
from proofs.theorems.ntru_contracts import (
    N_MAX,
    TRITS,
    UNIT,
    FixedType,
    OfTrits,
    PackedTrits,
    Quotient,
    Sampling,
    Sorting,
)
from proofs.theorems.target import Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem, theorem

# ---- sampling ----


def centred(trit: Node) -> Node:
    """0, 1 or -1."""
    return T.ite(T.eq(trit, T.const(2, 8)), T.const(-1, 16), T.zext(trit, 16))


def prove_sample_iid(contract: Sampling, target: Target, kernel: Kernel, n: int) -> None:
    data = byte_string(n - 1)
    run, fields = Execution(target), Fields()
    t = output(run, contract, n, 8)
    run.call(kernel.address, t, run.input(data), n)
    for i, got in enumerate(read_trits(run, t, n)):
        check_equal(got, modulo_3(data[i]), f"coefficient {i}", fields)


def prove_fixed_type_words(contract: FixedType, target: Target, kernel: Kernel, n: int) -> None:
    width = contracts.WORD_BITS
    data = byte_string((width * (n - 1) + 7) // 8)
    w, run = contract.weight(n), Execution(target)
    a = output(run, contract, n, 32)
    run.call(kernel.address, a, run.input(data), n, w)
    for i, got in enumerate(run.memory.lanes(a.address, n - 1, 32)):
        low = T.const((i < w // 2) + 2 * (w // 2 <= i < w), 2)
        wanted = T.concat([low, bits(data, width * i, width)])
        bitvector.check(T.eq(got, wanted), f"word {i}")


def prove_sort(contract: Sorting, target: Target, kernel: Kernel) -> str:
    """Words that fill the last unit up are unwritten."""
    for count in contract.counts:
        units = -(-count // UNIT)
        run, a = Execution(target), [T.var(f"a[{i}]", 32) for i in range(count)]
        place = run.output(UNIT * units, 32, contract.align)
        run.memory.put(place.address, a)
        scratch = run.output((target.sibling(kernel, "scratch_unit") or 0) * units, 8, contract.align)
        run.call(kernel.address, place, count, scratch)
        comparators.check_sorts(a, run.memory.lanes(place.address, count, 32))
    return f"{', '.join(map(str, contract.counts))} words"


def prove_make_nonnegative(contract: OfTrits, target: Target, kernel: Kernel, n: int) -> None:
    run, t, tallies = Execution(target), trits(n, last=False), Tallies(TRITS)
    place = run.in_place(padded(t), contract.align)
    run.call(kernel.address, place, n)
    total = tallies.name(T.var("the sum", 16), (T.mul(centred(x), centred(y)) for x, y in pairwise(t)))
    for i, got in enumerate(read(run, place, n)):
        negated = T.ite(T.slt(total, T.const(0, 16)), modulo_3(T.sub(T.const(3, 8), t[i])), t[i])
        tallies.check(got, t[i] if i % 2 else negated, f"coefficient {i}")


def prove_weight_differs(contract: FixedType, target: Target, kernel: Kernel, n: int) -> None:
    run, t, tallies, w = Execution(target), trits(n), Tallies(TRITS), contract.weight(n)
    got = T.extract(run.call(kernel.address, run.input(padded(t), contract.align), n, w), 0, 32)
    right = T.const(1, 1)
    for trit in (1, 2):
        equal = (T.zext(T.eq(x, T.const(trit, 8)), 16) for x in t)
        number = tallies.name(T.var(f"the number of {trit}", 16), equal)
        right = T.and_(right, T.eq(number, T.const(w // 2, 16)))
    tallies.check(got, T.sext(T.not_(right), 32), "the result")


def prove_words_to_trits(contract: OfTrits, target: Target, kernel: Kernel, n: int) -> None:
    """Behind the n - 1 words lie others of any value."""
    run, fields = Execution(target), Fields()
    t = output(run, contract, n, 8)
    a = [T.var(f"a[{i}]", 32) for i in range(t.words)]
    run.call(kernel.address, t, run.input(a, contract.align), n)
    for i, got in enumerate(read_trits(run, t, n)):
        check_equal(got, T.zext(T.extract(a[i], 0, 2), 8), f"coefficient {i}", fields)


def prove_pack(contract: PackedTrits, target: Target, kernel: Kernel, n: int) -> None:
    run, t, fields = Execution(target), trits(n, last=False), Fields()
    out = run.output(contract.bytes(n), 8)
    run.call(kernel.address, out, run.input(padded(t), contract.align), n)
    for i, got in enumerate(run.read(out)):
        wanted = T.const(0, 8)
        for j, x in enumerate(t[5 * i : min(5 * i + 5, n - 1)]):
            wanted = T.add(wanted, T.mul(x, T.const(3**j, 8)))
        check_equal(got, wanted, f"byte {i}", fields, trit_bounds(n))


def prove_unpack(contract: PackedTrits, target: Target, kernel: Kernel, n: int) -> None:
    data = byte_string(contract.bytes(n))
    run, fields = Execution(target), Fields()
    t = output(run, contract, n, 8)
    run.call(kernel.address, t, run.input(data), n)
    for i, got in enumerate(read_trits(run, t, n)):
        quotient = T.udiv(data[i // 5], T.const(3 ** (i % 5), 8))
        check_equal(got, modulo_3(quotient), f"coefficient {i}", fields)


# ---- Lift ----


@contextmanager
def deep_recursion() -> Iterator[None]:
    """For sums of hundreds of words, which are cut to fewer bits term by term."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20 * N_MAX)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def prove_lift_quotient(contract: Quotient, target: Target, kernel: Kernel, n: int) -> None:
    """Coefficient i of (X - 1) b modulo X^n - 1 is b_(i-1) - b_i. Modulo Phi the last one, b_(n-2), is taken off."""
    run, t = Execution(target), trits(n, last=False)
    b = output(run, contract, n, 8)
    with deep_recursion():
        run.call(kernel.address, b, run.input(padded(t), contract.align), n)
    quotient = read_trits(run, b, n)
    found = Linear(TRITS, [Input(T.extract(x, 0, TRIT_BITS), 0, TRITS - 1) for x in t[:-1]]).run(quotient)
    if found.low < 0 or found.high >= TRITS:
        raise NotProved(f"a coefficient is from {found.low} to {found.high}")
    before = np.vstack([np.zeros(n - 1, dtype=np.int64), found.matrix[:-1]])
    wrong = (before - found.matrix - found.matrix[-1] - np.eye(n - 1, dtype=np.int64)) % TRITS
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise NotProved(f"coefficient {i} of (X - 1) b has {wrong[i, j]} times t[{j}] too much")


def theorems() -> Iterator[Theorem]:
    yield stated(contracts.SAMPLE_IID, prove_sample_iid)
    yield stated(contracts.MAKE_NONNEGATIVE, prove_make_nonnegative)
    yield stated(contracts.FIXED_TYPE_WORDS, prove_fixed_type_words)
    yield theorem(contracts.SORT, prove_sort)
    yield stated(contracts.WORDS_TO_TRITS, prove_words_to_trits)
    yield stated(contracts.WEIGHT_DIFFERS, prove_weight_differs)
    yield stated(contracts.PACK_S3, prove_pack)
    yield stated(contracts.UNPACK_S3, prove_unpack)
    yield stated(contracts.LIFT_QUOTIENT, prove_lift_quotient)
