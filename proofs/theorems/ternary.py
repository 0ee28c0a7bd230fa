"""Theorems of the kernels of polynomials modulo 3: NTRU, round 3.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from functools import partial

from proofs.domains import bitvector, comparators
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.machine import terms as T
from proofs.theorems.bounds import constants
from proofs.theorems.fips203 import bits
from proofs.theorems.ntru import TERNARY, UNIT, ForOne, for_each_n, modulo_3, output, padded, read, trit_bounds, trits
from proofs.theorems.target import MAX_ALIGN, Execution, Kernel, Target
from proofs.theorems.theorem import Rung, Theorem

WEIGHTS = {509: 254, 677: 254, 821: 510}  # by n: table 1 of the document
COUNTS = (1, UNIT, 100, *(n - 1 for n in WEIGHTS), constants(TERNARY)["LK_CYCLIC_N_MAX"])  # of words to sort


# ---- sampling ----


def prove_sample_iid(target: Target, kernel: Kernel, n: int) -> None:
    data = [T.var(f"byte {i}", 8) for i in range(n - 1)]
    run, fields = Execution(target), Fields()
    t = output(run, n, 8)
    run.call(kernel.address, t, run.input(data), n)
    for i, got in enumerate(read(run, t, n)):
        check_equal(got, modulo_3(data[i]) if i < n - 1 else T.const(0, 8), f"coefficient {i}", fields)


def prove_fixed_type_words(target: Target, kernel: Kernel, n: int) -> None:
    if n not in WEIGHTS:
        return
    data = [T.var(f"byte {i}", 8) for i in range((30 * (n - 1) + 7) // 8)]
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
    data = [T.var(f"byte {i}", 8) for i in range((n + 3) // 5)]
    run, fields = Execution(target), Fields()
    t = output(run, n, 8)
    run.call(kernel.address, t, run.input(data), n)
    for i, got in enumerate(read(run, t, n)):
        quotient = T.udiv(data[min(i, n - 2) // 5], T.const(3 ** (i % 5), 8))
        check_equal(got, modulo_3(quotient) if i < n - 1 else T.const(0, 8), f"coefficient {i}", fields)


def theorems() -> Iterator[Theorem]:
    def trit(name: str, claim: str, domain: str, prove: ForOne) -> Theorem:
        return Theorem(TERNARY, name, claim, domain, partial(for_each_n, prove), Rung.ALL)

    yield trit("sample_iid", "Sample_iid", "all inputs", prove_sample_iid)
    yield trit("fixed_type_words", "the words of Sample_fixed_type", "Bitwuzla", prove_fixed_type_words)
    yield Theorem(TERNARY, "sort", "ascending, words of any value", "comparators", prove_sort, Rung.ALL)
    yield trit("words_to_trits", "the words modulo 4", "all inputs", prove_words_to_trits)
    yield trit("pack", "Pack_S3", "all inputs", prove_pack)
    yield trit("unpack", "Unpack_S3, bytes from 243 on less 243", "all inputs", prove_unpack)
