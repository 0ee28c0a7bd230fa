"""Theorems of the kernels of polynomials modulo 3: NTRU, round 3.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise

import numpy as np

from proofs.domains import NotProved, bitvector, comparators
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.domains.linear import Input, Linear
from proofs.domains.tallies import Tallies
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems.bounds import constants
from proofs.theorems.fips203 import bits
from proofs.theorems.ntru import (
    LOGARITHMS,
    TERNARY,
    TRIT_BITS,
    TRITS,
    UNIT,
    ForOne,
    for_each_n,
    modulo_3,
    output,
    padded,
    read,
    trit_bounds,
    trits,
)
from proofs.theorems.target import MAX_ALIGN, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem

WEIGHTS = {509: 254, 677: 254, 821: 510}  # by n: table 1 of the document
N_MAX = constants(TERNARY)["LK_CYCLIC_N_MAX"]
COUNTS = (1, UNIT, 100, *(n - 1 for n in WEIGHTS), N_MAX)  # of words to sort
LIFTED = (701,)  # n of HRSS


# ---- sampling ----


def centred(trit: Node) -> Node:
    """0, 1 or -1."""
    return T.ite(T.eq(trit, T.const(2, 8)), T.const(-1, 16), T.zext(trit, 16))


def prove_sample_iid(target: Target, kernel: Kernel, n: int) -> None:
    data = byte_string(n - 1)
    run, fields = Execution(target), Fields()
    t = output(run, n, 8)
    run.call(kernel.address, t, run.input(data), n)
    for i, got in enumerate(read(run, t, n)):
        check_equal(got, modulo_3(data[i]) if i < n - 1 else T.const(0, 8), f"coefficient {i}", fields)


def prove_fixed_type_words(target: Target, kernel: Kernel, n: int) -> None:
    data = byte_string((30 * (n - 1) + 7) // 8)
    w, run = WEIGHTS[n], Execution(target)
    a = output(run, n, 32)
    run.call(kernel.address, a, run.input(data), n, w)
    for i, got in enumerate(run.memory.lanes(a.address, n - 1, 32)):
        low = T.const((i < w // 2) + 2 * (w // 2 <= i < w), 2)
        wanted = T.concat([low, bits(data, 30 * i, 30)])
        bitvector.check(T.eq(got, wanted), f"word {i}")


def prove_sort(target: Target, kernel: Kernel) -> str:
    """Of words of any value: those that fill the last unit up are unwritten."""
    for count in COUNTS:
        units = -(-count // UNIT)
        run, a = Execution(target), [T.var(f"a[{i}]", 32) for i in range(count)]
        place = run.output(UNIT * units, 32, MAX_ALIGN)
        run.memory.put(place.address, a)
        scratch = run.output((target.sibling(kernel, "scratch_unit") or 0) * units, 8, MAX_ALIGN)
        run.call(kernel.address, place, count, scratch)
        comparators.check_sorts(a, run.memory.lanes(place.address, count, 32))
    return f"{', '.join(map(str, COUNTS))} words"


def prove_make_nonnegative(target: Target, kernel: Kernel, n: int) -> None:
    run, t, tallies = Execution(target), trits(n, last=False), Tallies(TRITS)
    place = run.in_place(padded(t), MAX_ALIGN)
    run.call(kernel.address, place, n)
    total = tallies.name(T.var("the sum", 16), (T.mul(centred(x), centred(y)) for x, y in pairwise(t)))
    for i, got in enumerate(read(run, place, n)):
        negated = T.ite(T.slt(total, T.const(0, 16)), modulo_3(T.sub(T.const(3, 8), t[i])), t[i])
        tallies.check(got, t[i] if i % 2 else negated, f"coefficient {i}")


def prove_weight_differs(target: Target, kernel: Kernel, n: int) -> None:
    run, t, tallies = Execution(target), trits(n), Tallies(TRITS)
    got = T.extract(run.call(kernel.address, run.input(padded(t), MAX_ALIGN), n, WEIGHTS[n]), 0, 32)
    right = T.const(1, 1)
    for trit in (1, 2):
        equal = (T.zext(T.eq(x, T.const(trit, 8)), 16) for x in t)
        number = tallies.name(T.var(f"the number of {trit}", 16), equal)
        right = T.and_(right, T.eq(number, T.const(WEIGHTS[n] // 2, 16)))
    tallies.check(got, T.sext(T.not_(right), 32), "the result")


def prove_words_to_trits(target: Target, kernel: Kernel, n: int) -> None:
    a = [T.var(f"a[{i}]", 32) for i in range(n - 1)]
    run, fields = Execution(target), Fields()
    t = output(run, n, 8)
    run.call(kernel.address, t, run.input(padded([*a, T.const(0, 32)]), MAX_ALIGN), n)
    for i, got in enumerate(read(run, t, n)):
        wanted = T.zext(T.extract(a[i], 0, 2), 8) if i < n - 1 else T.const(0, 8)
        check_equal(got, wanted, f"coefficient {i}", fields)


def prove_pack(target: Target, kernel: Kernel, n: int) -> None:
    run, t, fields = Execution(target), trits(n, last=False), Fields()
    out = run.output((n + 3) // 5, 8)
    run.call(kernel.address, out, run.input(padded(t), MAX_ALIGN), n)
    for i, got in enumerate(run.read(out)):
        wanted = T.const(0, 8)
        for j, x in enumerate(t[5 * i : min(5 * i + 5, n - 1)]):
            wanted = T.add(wanted, T.mul(x, T.const(3**j, 8)))
        check_equal(got, wanted, f"byte {i}", fields, trit_bounds(n))


def prove_unpack(target: Target, kernel: Kernel, n: int) -> None:
    data = byte_string((n + 3) // 5)
    run, fields = Execution(target), Fields()
    t = output(run, n, 8)
    run.call(kernel.address, t, run.input(data), n)
    for i, got in enumerate(read(run, t, n)):
        quotient = T.udiv(data[min(i, n - 2) // 5], T.const(3 ** (i % 5), 8))
        check_equal(got, modulo_3(quotient) if i < n - 1 else T.const(0, 8), f"coefficient {i}", fields)


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


def prove_lift_quotient(target: Target, kernel: Kernel, n: int) -> None:
    """Coefficient i of (X - 1) b modulo X^n - 1 is b_(i-1) - b_i. Modulo Phi the last one, b_(n-2), is taken off."""
    run, t = Execution(target), trits(n, last=False)
    b = output(run, n, 8)
    with deep_recursion():
        run.call(kernel.address, b, run.input(padded(t), MAX_ALIGN), n)
    *quotient, last = read(run, b, n)
    check_equal(last, T.const(0, 8), "the last coefficient", Fields())
    found = Linear(TRITS, [Input(T.extract(x, 0, TRIT_BITS), 0, TRITS - 1) for x in t[:-1]]).run(quotient)
    if found.low < 0 or found.high >= TRITS:
        raise NotProved(f"a coefficient is from {found.low} to {found.high}")
    before = np.vstack([np.zeros(n - 1, dtype=np.int64), found.matrix[:-1]])
    wrong = (before - found.matrix - found.matrix[-1] - np.eye(n - 1, dtype=np.int64)) % TRITS
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise NotProved(f"coefficient {i} of (X - 1) b has {wrong[i, j]} times t[{j}] too much")


def theorems() -> Iterator[Theorem]:
    def trit(name: str, claim: str, domain: str, prove: ForOne, sizes: Iterable[int] = LOGARITHMS) -> Theorem:
        return Theorem(TERNARY, name, claim, domain, partial(for_each_n, sizes, prove), Rung.ALL)

    yield trit("sample_iid", "Sample_iid", "all inputs", prove_sample_iid)
    yield trit("make_nonnegative", "the second half of Sample_iid_plus", "tallies", prove_make_nonnegative)
    yield trit("fixed_type_words", "the words of Sample_fixed_type", "Bitwuzla", prove_fixed_type_words, WEIGHTS)
    yield Theorem(TERNARY, "sort", "ascending, words of any value", "comparators", prove_sort, Rung.ALL)
    yield trit("words_to_trits", "the words modulo 4", "all inputs", prove_words_to_trits)
    claim = "whether w/2 coefficients are 1 and w/2 are -1"
    yield trit("weight_differs", claim, "tallies", prove_weight_differs, WEIGHTS)
    yield trit("pack", "Pack_S3", "all inputs", prove_pack)
    yield trit("unpack", "Unpack_S3, bytes from 243 on less 243", "all inputs", prove_unpack)
    yield trit("lift_quotient", "(X - 1) b = t modulo (3, Phi)", "linear", prove_lift_quotient, LIFTED)
