"""Theorems of the kernels of Z_8192[X]/(X^256 + 1): Saber. The formulas are those of the Saber document, round 3.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from proofs.domains import NotProved, bilinear
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems import saber_prime, saber_primes, saber_transforms
from proofs.theorems.fips203 import bits
from proofs.theorems.saber_transforms import FAMILY, Q_BITS, RANKS, N
from proofs.theorems.target import CACHE_LINE, MAX_ALIGN, Buffer, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import NEON, Theorem

P_BITS = 10

ForPlaces = Callable[[Target, Kernel, list[int]], str]


def words(name: str) -> list[Node]:
    """Residues in words with any upper bits."""
    return [T.var(f"{name}[{i}]", 16) for i in range(N)]


def order(target: Target, kernel: Kernel) -> list[int]:
    """Place p has coefficient order[p]: it is what the kernel unpack_d13 does to the bits of a string."""
    unpack = target.sibling(kernel, "unpack_d13")
    if unpack is None:
        raise NotProved("there is no unpack_d13 beside it")
    data = byte_string(N * Q_BITS // 8)
    run, fields = Execution(target), Fields()
    f = run.output(N, 16, MAX_ALIGN)
    run.call(unpack, f, run.input(data))
    coefficient = {bits(data, Q_BITS * i, Q_BITS): i for i in range(N)}
    found = [coefficient.get(fields.slice(n, 0, Q_BITS), -1) for n in run.read(f)]
    if sorted(found) != list(range(N)):
        raise NotProved(f"unpack_d13 does not place coefficient {min(set(range(N)) - set(found))}")
    return found


def prove_unpack_d13(target: Target, kernel: Kernel) -> str:
    order(target, kernel)
    return "some order of the coefficients"


def to_bytes(target: Target, kernel: Kernel, d: int, formula: Callable[[Node, int], Node], *more: list[Node]) -> None:
    """d bits of the output for each coefficient: a function of its word and of its number."""
    run, f, places = Execution(target), words("f"), order(target, kernel)
    out = run.output(N * d // 8, 8)
    run.call(kernel.address, out, run.input(f, MAX_ALIGN), *(run.input(content) for content in more))
    result, fields = run.read(out), Fields()
    for place, i in enumerate(places):
        check_equal(bits(result, d * i, d), formula(f[place], i), f"coefficient {i}", fields)


def from_bytes(target: Target, kernel: Kernel, d: int, width: int, formula: Callable[[Node], Node]) -> None:
    """The low bits of each coefficient: a function of its d bits."""
    data, places = byte_string(N * d // 8), order(target, kernel)
    run, fields = Execution(target), Fields()
    f = run.output(N, 16, MAX_ALIGN)
    run.call(kernel.address, f, run.input(data))
    for n, i in zip(run.read(f), places, strict=True):
        check_equal(T.extract(n, 0, width), formula(bits(data, d * i, d)), f"coefficient {i}", fields)


def prove_pack_d13(target: Target, kernel: Kernel) -> str:
    to_bytes(target, kernel, Q_BITS, lambda x, i: T.extract(x, 0, Q_BITS))
    return ""


def prove_unpack_d10(target: Target, kernel: Kernel) -> str:
    from_bytes(target, kernel, P_BITS, 16, lambda x: T.zext(x, 16))
    return ""


def prove_round(target: Target, kernel: Kernel) -> str:
    def rounded(x: Node, i: int) -> Node:
        return T.extract(T.add(T.extract(x, 0, Q_BITS), T.const(4, Q_BITS)), Q_BITS - P_BITS, P_BITS)

    to_bytes(target, kernel, P_BITS, rounded)
    return ""


def prove_encrypt(d: int, target: Target, kernel: Kernel) -> str:
    message = byte_string(N // 8, "message byte")

    def encrypted(v: Node, i: int) -> Node:
        m = T.shl(T.zext(bits(message, i, 1), P_BITS), P_BITS - 1)
        total = T.add(T.sub(T.extract(v, 0, P_BITS), m), T.const(4, P_BITS))
        return T.extract(total, P_BITS - d, d)

    to_bytes(target, kernel, d, encrypted, message)
    return ""


def prove_decrypt(d: int, target: Target, kernel: Kernel) -> str:
    ciphertext = byte_string(N * d // 8, "ciphertext byte")
    h2 = T.const((1 << 8) - (1 << (9 - d)) + 4, P_BITS)

    def decrypted(v: Node, i: int) -> Node:
        c = T.shl(T.zext(bits(ciphertext, d * i, d), P_BITS), P_BITS - d)
        return T.extract(T.sub(T.add(T.extract(v, 0, P_BITS), h2), c), P_BITS - 1, 1)

    to_bytes(target, kernel, 1, decrypted, ciphertext)
    return ""


def prove_cbd(mu: int, target: Target, kernel: Kernel) -> str:
    def sample(string: Node) -> Node:
        ones = [T.zext(T.extract(string, j, 1), Q_BITS) for j in range(mu)]
        total = T.const(0, Q_BITS)
        for j, bit in enumerate(ones):
            total = T.add(total, bit) if j < mu // 2 else T.sub(total, bit)
        return total

    from_bytes(target, kernel, mu, Q_BITS, sample)
    return ""


def negacyclic() -> np.ndarray:
    return np.array([saber_transforms.coefficient(i) for i in range(N)])


def prove_transforms(prove: ForPlaces, target: Target, kernel: Kernel) -> str:
    return prove(target, kernel, np.argsort(order(target, kernel)).tolist())


def prove_toom_cook(target: Target, kernel: Kernel) -> str:
    """evaluate and evaluate_small, then inner_product of as many factors as the sets have, the most first."""
    places = np.argsort(order(target, kernel))  # of the coefficients
    wanted = np.zeros((N, N, N), dtype=np.int64)
    wanted[np.ix_(places, places, places)] = negacyclic()
    right = min(_right_bits(target, kernel, rank, wanted) for rank in RANKS)
    return f"summed over l = {', '.join(map(str, RANKS))}, for all words; {right} bits are right"


def _right_bits(target: Target, kernel: Kernel, rank: int, wanted: np.ndarray) -> int:
    f, g = ([words(f"{name}[{j}]") for j in range(rank)] for name in "fg")
    factors = [_evaluated(target, kernel, *side) for side in (("evaluate", f), ("evaluate_small", g))]
    run = Execution(target)
    h, scratch = run.output(N, 16, MAX_ALIGN), _scratch(run, target, kernel)
    left, right = (run.input(content, CACHE_LINE) for content in factors)
    run.call(target.sibling(kernel, "inner_product") or 0, h, left, right, rank, scratch)
    return bilinear.check_product(run.read(h), f, g, lambda chosen: wanted[:, chosen], Q_BITS)


def _scratch(run: Execution, target: Target, kernel: Kernel) -> Buffer:
    return run.output(target.sibling(kernel, "scratch_bytes") or 8, 8, CACHE_LINE)


def _evaluated(target: Target, kernel: Kernel, name: str, polynomials: list[list[Node]]) -> list[Node]:
    """The polynomials' words after evaluation, one behind the other."""
    found: list[Node] = []
    for content in polynomials:
        run = Execution(target)
        e = run.output((target.sibling(kernel, "evaluated_bytes") or 0) // 2, 16, CACHE_LINE)
        run.call(target.sibling(kernel, name) or 0, e, run.input(content, MAX_ALIGN), _scratch(run, target, kernel))
        found += run.read(e)
    return found


def theorems() -> Iterator[Theorem]:
    make = partial(Theorem, FAMILY)
    claim = f"together the sum of l products f g modulo X^256 + 1 and 2^13, l = {', '.join(map(str, RANKS))}"
    for name in ("evaluate", "evaluate_small", "inner_product"):
        yield make(name, claim, "bilinear", prove_toom_cook, Rung.ALL, ("portable",), together=True)
        for prove, backends in ((saber_primes.prove, ("avx2", "avx512")), (saber_prime.prove, NEON)):
            by_transforms = partial(prove_transforms, prove)
            yield make(name, claim, "linear, products", by_transforms, Rung.ALL, backends, together=True)
    yield make("pack_d13", "Pack_13, for any words", "all inputs", prove_pack_d13)
    yield make("unpack_d13", "Unpack_13 in the backend's order", "terms", prove_unpack_d13)
    yield make("unpack_d10", "Unpack_10", "all inputs", prove_unpack_d10)
    yield make("round_d10", "Pack_10 of (f + 4 mod 8192) >> 3, for any words", "all inputs", prove_round)
    for d in (3, 4, 6):
        claim = f"Pack_{d} of (v - 512 m + 4 mod 1024) >> {10 - d}"
        rung = Rung.SLICE if d == 3 else Rung.QUICK
        yield make(f"encrypt_d{d}", claim, "all inputs", partial(prove_encrypt, d), rung)
    for d in (3, 4, 6):
        claim = f"Pack_1 of (v + h2 - 2^{10 - d} c mod 1024) >> 9"
        yield make(f"decrypt_d{d}", claim, "all inputs", partial(prove_decrypt, d))
    for mu in (6, 8, 10):
        yield make(f"cbd_mu{mu}", f"centred binomial samples, mu = {mu}", "all inputs", partial(prove_cbd, mu))
