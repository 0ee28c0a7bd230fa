"""Theorems of NTRU's products: Z_q[X]/(X^n - 1), modulo 2^13, squares modulo 4, and products modulo 3.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce

import numpy as np

from proofs.domains import NotProved, bilinear, residues
from proofs.domains.sums import Sums
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import ntru_contracts as contracts
from proofs.theorems.ntru import output, padded, read, stated, words
from proofs.theorems.ntru_contracts import Q_BITS, UNIT, Product, Square, TernaryProduct
from proofs.theorems.target import MAX_ALIGN, Buffer, Execution, Kernel, Target
from proofs.theorems.theorem import Theorem, theorem


def prove_product(contract: Product, target: Target, kernel: Kernel) -> str:
    """evaluate of both factors, then product."""
    right = min(_right_bits(contract, target, kernel, n) for n in contract.sizes)
    return f"n = {', '.join(map(str, contract.sizes))}, for all words; {right} bits are right"


def _right_bits(contract: Product, target: Target, kernel: Kernel, n: int) -> int:
    run, f, g = Execution(target), words(n), words(n, "g")
    scratch = _units(run, target, kernel, n, "scratch_unit")
    factors = []
    for content in (f, g):
        factors.append(_units(run, target, kernel, n, "evaluated_unit"))
        at = run.input(padded(content), contract.align)
        run.call(_address(target, kernel, "evaluate"), factors[-1], at, n, scratch)
    h = output(run, contract, n, 16)
    run.call(_address(target, kernel, "product"), h, *factors, n, scratch)
    return bilinear.check_product(read(run, h, n), [f], [g], partial(_cyclic, n), Q_BITS)


def _address(target: Target, kernel: Kernel, name: str) -> int:
    address = target.sibling(kernel, name)
    if address is None:
        raise NotProved(f"there is no {name} beside it")
    return address


def _units(run: Execution, target: Target, kernel: Kernel, n: int, size: str) -> Buffer:
    """Memory of so many bytes for each unit of the polynomial."""
    return run.output(_address(target, kernel, size) * (-(-n // UNIT)) // 8, 64, MAX_ALIGN)


def _cyclic(n: int, chosen: Sequence[int]) -> np.ndarray:
    """Coefficient i of the product is the sum of f_j g_k with j + k = i modulo n."""
    i, j, k = np.ix_(range(n), chosen, range(n))
    found: np.ndarray = ((j + k - i) % n == 0).astype(np.int64)
    return found


# ---- products modulo 3 ----


def prove_multiply(contract: TernaryProduct, target: Target, kernel: Kernel, n: int) -> None:
    run = Execution(target)
    f, g = ([T.var(f"{name}[{i}]", 8) for i in range(n)] for name in "fg")
    h, scratch = output(run, contract, n, 8), _units(run, target, kernel, n, "scratch_unit")
    run.call(kernel.address, h, *(run.input(padded(x), contract.align) for x in (f, g)), n, scratch)
    residues.check_product(read(run, h, n), f, g, partial(_modulo_phi, n))


def _modulo_phi(n: int, chosen: Sequence[int]) -> np.ndarray:
    """The coefficients less the last one."""
    product = _cyclic(n, chosen)
    reduced: np.ndarray = product - product[-1]
    return reduced


# ---- squares modulo 4 ----


def prove_square(contract: Square, target: Target, kernel: Kernel, n: int) -> None:
    run, f = Execution(target), words(n)
    h, scratch = output(run, contract, n, 16), _units(run, target, kernel, n, "scratch_unit")
    run.call(kernel.address, h, run.input(padded(f), contract.align), n, contract.bit, scratch)
    domain, bits = Sums(f), [T.extract(x, contract.bit, 1) for x in f]
    for k, got in enumerate(read(run, h, n)):
        domain.check(got, _square_coefficient(bits, k), f"coefficient {k}")


def _square_coefficient(f: Sequence[Node], k: int) -> Node:
    """Of i + j = k modulo n: the one with i = j, and twice those with i < j, which come twice."""
    n = len(f)
    pairs = [(i, (k - i) % n) for i in range(n)]
    once = next(f[i] for i, j in pairs if i == j)
    twice = [T.and_(f[i], f[j]) for i, j in pairs if i < j]
    while len(twice) > 1:  # by halves: sums of few terms are quicker than those of many
        twice = [reduce(T.xor, twice[i : i + 2]) for i in range(0, len(twice), 2)]
    return T.zext(T.concat([once, *twice]), 16)


def theorems() -> Iterator[Theorem]:
    for contract in (contracts.EVALUATE, contracts.PRODUCT):
        yield replace(theorem(contract, prove_product), together=True)
    yield stated(contracts.MULTIPLY, prove_multiply)
    yield stated(contracts.SQUARE, prove_square)
