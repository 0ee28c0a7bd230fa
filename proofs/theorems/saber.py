"""Theorems of the kernels of Z_8192[X]/(X^256 + 1): Saber. The formulas are those of the Saber document, round 3.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from proofs.domains import NotProved, bilinear
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import saber_contracts as contracts
from proofs.theorems import saber_prime, saber_primes, saber_transforms
from proofs.theorems.fips203 import bits
from proofs.theorems.saber_contracts import Q_BITS, SIZES, N, Product, Rounding, Sampling, Unpacking
from proofs.theorems.target import Buffer, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import NEON, Theorem, theorem

ForPlaces = Callable[[Product, Target, Kernel, list[int]], str]


def words(name: str) -> list[Node]:
    """Residues in words with any upper bits."""
    return [T.var(f"{name}[{i}]", 16) for i in range(N)]


def order(target: Target, kernel: Kernel, c: Unpacking = contracts.UNPACK_D13) -> list[int]:
    """Place p has coefficient order[p]: it is what the kernel unpack_d13 does to the bits of a string."""
    unpack = target.sibling(kernel, c.kernel)
    if unpack is None:
        raise NotProved(f"there is no {c.kernel} beside it")
    data = byte_string(c.size)
    run, fields = Execution(target), Fields()
    f = run.output(N, 16, c.align)
    run.call(unpack, f, run.input(data))
    coefficient = {bits(data, c.d * i, c.d): i for i in range(N)}
    found = [coefficient.get(fields.slice(n, 0, c.width), -1) for n in run.read(f)]
    if sorted(found) != list(range(N)):
        raise NotProved(f"{c.kernel} does not place coefficient {min(set(range(N)) - set(found))}")
    return found


def prove_order(c: Unpacking, target: Target, kernel: Kernel) -> str:
    order(target, kernel, c)
    return "some order of the coefficients"


def from_bytes(c: Unpacking | Sampling, target: Target, kernel: Kernel, formula: Callable[[Node], Node]) -> str:
    """The low bits of each coefficient: a function of its d bits."""
    data, places = byte_string(c.size), order(target, kernel)
    run, fields = Execution(target), Fields()
    f, d = run.output(N, 16, c.align), 8 * c.size // N
    run.call(kernel.address, f, run.input(data))
    for n, i in zip(run.read(f), places, strict=True):
        check_equal(T.extract(n, 0, c.width), formula(bits(data, d * i, d)), f"coefficient {i}", fields)
    return ""


def prove_unpacking(c: Unpacking, target: Target, kernel: Kernel) -> str:
    return from_bytes(c, target, kernel, lambda x: T.zext(x, c.width))


def prove_sampling(c: Sampling, target: Target, kernel: Kernel) -> str:
    def sample(string: Node) -> Node:
        ones = [T.zext(T.extract(string, j, 1), c.width) for j in range(c.mu)]
        total = T.const(0, c.width)
        for j, bit in enumerate(ones):
            total = T.add(total, bit) if j < c.mu // 2 else T.sub(total, bit)
        return total

    return from_bytes(c, target, kernel, sample)


def prove_rounding(c: Rounding, target: Target, kernel: Kernel) -> str:
    run, f, places = Execution(target), words("f"), order(target, kernel)
    out, other, fields = run.output(c.size, 8), byte_string(c.other_size, "another byte"), Fields()
    run.call(kernel.address, out, run.input(f, c.align), *([run.input(other)] if c.d else []))
    result = run.read(out)
    for place, i in enumerate(places):
        total = T.add(T.extract(f[place], 0, c.of), T.const(c.constant, c.of))
        if c.d:
            total = T.sub(total, T.shl(T.zext(bits(other, c.d * i, c.d), c.of), c.of - c.d))
        rounded = T.extract(total, c.of - c.to, c.to)
        check_equal(bits(result, c.to * i, c.to), rounded, f"coefficient {i}", fields)
    return ""


def negacyclic() -> np.ndarray:
    return np.array([saber_transforms.coefficient(i) for i in range(N)])


def prove_transforms(prove: ForPlaces, c: Product, target: Target, kernel: Kernel) -> str:
    return prove(c, target, kernel, np.argsort(order(target, kernel)).tolist())


def prove_toom_cook(c: Product, target: Target, kernel: Kernel) -> str:
    """evaluate and evaluate_small, then inner_product of as many factors as the sets have, the most first."""
    places = np.argsort(order(target, kernel))  # of the coefficients
    wanted = np.zeros((N, N, N), dtype=np.int64)
    wanted[np.ix_(places, places, places)] = negacyclic()
    right = min(_right_bits(c, target, kernel, rank, wanted) for rank in c.ranks)
    return f"summed over l = {', '.join(map(str, c.ranks))}, for all words; {right} bits are right"


def _right_bits(c: Product, target: Target, kernel: Kernel, rank: int, wanted: np.ndarray) -> int:
    f, g = ([words(f"{name}[{j}]") for j in range(rank)] for name in "fg")
    factors = [_evaluated(c, target, kernel, *side) for side in (("evaluate", f), ("evaluate_small", g))]
    run = Execution(target)
    h, scratch = run.output(N, 16, c.align), _scratch(c, run, target, kernel)
    left, right = (run.input(content, c.align) for content in factors)
    run.call(target.sibling(kernel, "inner_product") or 0, h, left, right, rank, scratch)
    return bilinear.check_product(run.read(h), f, g, lambda chosen: wanted[:, chosen], Q_BITS)


def _scratch(c: Product, run: Execution, target: Target, kernel: Kernel) -> Buffer:
    return run.output(target.sibling(kernel, "scratch_bytes") or 8, 8, c.align)


def _evaluated(c: Product, target: Target, kernel: Kernel, name: str, polynomials: list[list[Node]]) -> list[Node]:
    """The polynomials' words after evaluation, one behind the other."""
    found: list[Node] = []
    for content in polynomials:
        run = Execution(target)
        e = run.output((target.sibling(kernel, SIZES[name]) or 0) // 2, 16, c.align)
        run.call(target.sibling(kernel, name) or 0, e, run.input(content, c.align), _scratch(c, run, target, kernel))
        found += run.read(e)
    return found


def theorems() -> Iterator[Theorem]:
    for c in (contracts.EVALUATE, contracts.EVALUATE_SMALL, contracts.INNER_PRODUCT):
        yield replace(theorem(c, prove_toom_cook, ("portable",)), domain="bilinear", together=True)
        for prove, backends in ((saber_primes.prove, ("avx2", "avx512")), (saber_prime.prove, NEON)):
            yield replace(theorem(c, partial(prove_transforms, prove), backends), together=True)
    yield theorem(contracts.UNPACK_D13, prove_order)
    yield theorem(contracts.UNPACK_D10, prove_unpacking)
    for rounding in contracts.ROUNDINGS:
        yield theorem(rounding, prove_rounding)
    for sampling in contracts.SAMPLINGS:
        yield theorem(sampling, prove_sampling)
