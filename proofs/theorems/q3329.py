"""Theorems of the kernels of Z_q[X]/(X^256 + 1): ML-KEM and Kyber.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from proofs.domains import NotProved, bitvector
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.domains.linear import Input, Linear, Result
from proofs.domains.products import Atom, Products
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems import contracts, rejection, rejection_lanes
from proofs.theorems import fips203 as spec
from proofs.theorems.contracts import (
    Binomial,
    Cache,
    Coding,
    Domain,
    Interval,
    LinearMap,
    Map,
    Order,
    Product,
    Reduction,
    Sum,
)
from proofs.theorems.target import Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem, theorem

FAMILY = contracts.RING
Q, N = spec.Q, spec.N
R = contracts.R


def words(name: str, count: int = N) -> list[Node]:
    """Unknown coefficients."""
    return [T.var(f"{name}[{i}]", 16) for i in range(count)]


def small_words(name: str, bits: int) -> list[Node]:
    """Coefficients of so many bits, not negative."""
    return [T.zext(T.var(f"{name}[{i}]", bits), 16) for i in range(N)]


def order(target: Target, kernel: Kernel, contract: Order = contracts.ORDER) -> list[int]:
    """The places of the standard's values in the backend's order: place j has value order[j]. The kernel ntt_order
    does the same."""
    permute = target.sibling(kernel, contract.kernel)
    if permute is None:
        return list(range(N))
    run, f = Execution(target), words("f")
    place = run.in_place(f, contract.align)
    run.call(permute, place)
    index = {n: i for i, n in enumerate(f)}
    found = [index.get(n, -1) for n in run.read(place)]
    if sorted(found) != list(range(N)):
        raise NotProved("ntt_order is no permutation")
    return found


# ---- linear maps ----


def check_bounds(low: int, high: int, limit: Interval) -> str:
    """Of a result, which the contract gives."""
    if not limit.holds(Interval(low, high)):
        raise NotProved(f"the result is in {[low, high]}, beyond {list(limit)}")
    return f"<= {max(-low, high)}"


def check_matrix(result: Result, wanted: spec.Matrix) -> None:
    wrong = np.argwhere(result.matrix != wanted % Q)
    if wrong.size:
        i, j = (int(x) for x in wrong[0])
        raise NotProved(
            f"output {i} has {int(result.matrix[i, j])} times input {j} instead of {int(wanted[i, j] % Q)}: "
            f"it is wrong where input {j} is 1 and all others are 0"
        )


def matrix_of(map_: Map, places: list[int]) -> spec.Matrix:
    """With values in the backend's order."""
    if map_ == Map.NTT:
        return spec.ntt_matrix()[places]
    if map_ == Map.INVERSE:
        return spec.inverse_ntt_matrix()[:, places]
    return np.eye(N, dtype=np.int64)


def prove_linear(contract: LinearMap, target: Target, kernel: Kernel) -> str:
    run, f = Execution(target), words("f")
    place = run.in_place(f, contract.align)
    run.call(kernel.address, place)
    result = Linear(Q, [Input(n, *contract.takes) for n in f]).run(run.read(place))
    check_matrix(result, matrix_of(contract.map, order(target, kernel)) * contract.factor)
    return f"|f| {check_bounds(result.low, result.high, contract.gives)}"


def prove_order(contract: Order, target: Target, kernel: Kernel) -> str:
    order(target, kernel, contract)
    return ""


# ---- products ----


def prove_product(contract: Product, target: Target, kernel: Kernel) -> str:
    """mulcache, then inner_product of k factors: algorithm 11, times R^-1. Of a cache no more is used than what its
    words are modulo q and how large they may be: those of all congruent polynomials within mulcache's bounds."""
    cache_of = target.sibling(kernel, "mulcache")
    if cache_of is None:
        raise NotProved("there is no mulcache beside it")
    k, align = contract.k, contract.align
    f, g = words("f", k * N), words("g", k * N)
    run = Execution(target)
    places = [run.input(g[j * N : (j + 1) * N], contract.cache.align) for j in range(k)]
    caches: list[Node] = []
    for place in places:
        cache = run.output(contract.cache.words, 16, contract.cache.align)
        run.call(cache_of, cache, place)
        caches += run.read(cache)
    forms = Linear(Q, [Input(n, *contract.cache.takes) for n in g]).forms(caches)
    atoms = [Atom(n, *contract.left) for n in f] + [Atom(n, *contract.right) for n in g]
    fresh = words("cache", k * contract.cache.words)
    atoms += [Atom(n, form.low, form.high) for n, form in zip(fresh, forms, strict=True)]
    product = Execution(target)
    h = product.output(N, 16, align)
    factors = [product.input(x, align) for x in (f, g, fresh)]
    product.call(kernel.address, h, *factors, k)
    domain = Products(Q, atoms)
    rows = {n: form.row for n, form in zip(fresh, forms, strict=True)}
    results = [domain.value(n) for n in product.read(h)]
    for i, (value, wanted) in enumerate(zip(results, _products(contract, f, g, order(target, kernel)), strict=True)):
        _check_product(i, domain.modulo_q(value), rows, g, wanted)
    return f"|h| {check_bounds(min(r.low for r in results), max(r.high for r in results), contract.gives)}"


Bilinear = dict[tuple[Node, Node], int]


def _products(contract: Product, f: list[Node], g: list[Node], places: list[int]) -> Iterator[Bilinear]:
    """Algorithm 12 for each place of the backend's order, summed over the factors and scaled."""
    at = {value: place for place, value in enumerate(places)}
    scale = contract.factor
    for value in places:
        i, odd = divmod(value, 2)
        wanted: Bilinear = {}
        for j in range(contract.k):
            f0, f1, g0, g1 = (x[j * N + at[2 * i + o]] for x in (f, g) for o in (0, 1))
            if odd:
                wanted |= {(f0, g1): scale, (f1, g0): scale}
            else:
                wanted |= {(f0, g0): scale, (f1, g1): scale * spec.gamma(i) % Q}
        yield wanted


def _check_product(place: int, got: Bilinear, rows: dict[Node, spec.Matrix], g: list[Node], wanted: Bilinear) -> None:
    """`got` has products with caches, which are linear forms in g."""
    total: Bilinear = {}
    for (x, y), factor in got.items():
        row = rows.get(y)
        terms = [(y, 1)] if row is None else [(g[int(i)], int(row[i])) for i in np.flatnonzero(row)]
        for node, share in terms:
            total[x, node] = (total.get((x, node), 0) + factor * share) % Q
    total = {pair: factor for pair, factor in total.items() if factor}
    for pair in sorted(total.keys() | wanted.keys()):
        if total.get(pair, 0) != wanted.get(pair, 0):
            names = " ".join(str(T.ARGS[n][0]) for n in pair)
            raise NotProved(f"h[{place}] has {total.get(pair, 0)} {names} instead of {wanted.get(pair, 0)}")


def prove_mulcache(contract: Cache, target: Target, kernel: Kernel) -> str:
    """The content is the backend's own: what it is good for is the product."""
    product = target.sibling(kernel, "inner_product")
    if product is None:
        raise NotProved("there is no inner_product beside it")
    of_one = replace(contracts.product(1), cache=contract)
    return prove_product(of_one, target, replace(kernel, name="inner_product", address=product))


# ---- sums ----


def prove_sum(contract: Sum, target: Target, kernel: Kernel) -> str:
    """Modulo 2^16; a sum that fits its word is the integer."""
    check_bounds(*contract.fits, contracts.ANY)
    run, f, g = Execution(target), words("f"), words("g")
    place = run.in_place(f, contract.align)
    run.call(kernel.address, place, run.input(g, contract.align))
    for i, got in enumerate(run.read(place)):
        shares = [T.mul(n, T.const(factor, 16)) for n, factor in ((f[i], contract.own), (g[i], contract.other))]
        wanted = T.add(*shares)
        if got != wanted:
            bitvector.check(T.eq(got, wanted), f"coefficient {i}")
    return ""


# ---- functions of one coefficient ----


def prove_reduce(contract: Reduction, target: Target, kernel: Kernel) -> str:
    """The canonical representative, by Python's own remainder of a value made non-negative by a multiple of q."""
    check_bounds(0, Q - 1, contract.gives)
    run, f = Execution(target), words("f")
    place = run.in_place(f, contract.align)
    run.call(kernel.address, place)
    fields = Fields()
    shift = T.const(R // Q * Q, 32)
    for i, got in enumerate(run.read(place)):
        wanted = T.extract(T.urem(T.add(T.sext(f[i], 32), shift), T.const(Q, 32)), 0, 16)
        check_equal(got, wanted, f"coefficient {i}", fields)
    return ""


def prove_encoding(contract: Coding, target: Target, kernel: Kernel) -> str:
    """d bits of the output for each canonical coefficient."""
    check_bounds(*contract.words, Interval(0, (1 << spec.COEFFICIENT_BITS) - 1))
    run, d = Execution(target), contract.d
    f = small_words("f", spec.COEFFICIENT_BITS)
    out = run.output(contract.size, 8)
    run.call(kernel.address, out, run.input(f, contract.align))
    result, fields = run.read(out), Fields()
    below = {T.var(f"f[{i}]", spec.COEFFICIENT_BITS): contract.words.high + 1 for i in range(N)}
    for place, i in enumerate(_places(contract, target, kernel)):
        wanted = spec.compress(f[place], d) if contract.compresses else T.extract(f[place], 0, d)
        check_equal(spec.bits(result, d * i, d), wanted, f"value {i}", fields, below)
    return ""


def _places(contract: Coding, target: Target, kernel: Kernel) -> list[int]:
    return order(target, kernel) if contract.of == Domain.NTT else list(range(N))


def from_bytes(contract: Coding | Binomial, target: Target, kernel: Kernel) -> tuple[list[Node], list[Node], Node]:
    """The bytes, the polynomial and the result."""
    run, data = Execution(target), byte_string(contract.size)
    f = run.output(N, 16, contract.align)
    result = run.call(kernel.address, f, run.input(data))
    return data, run.read(f), result


def prove_decoding(contract: Coding, target: Target, kernel: Kernel) -> str:
    """Algorithm 6 without its reduction; without compression, section 7.2's check too: 0 just where all values are
    below q."""
    data, f, result = from_bytes(contract, target, kernel)
    fields, d, below = Fields(), contract.d, T.const(1, 1)
    check_words(contract)
    for place, i in enumerate(_places(contract, target, kernel)):
        value = spec.bits(data, d * i, d)
        check_equal(f[place], decoded(contract, value), f"value {i}", fields)
        below = T.and_(below, T.ult(T.zext(value, 16), T.const(Q, 16)))
    if not contract.compresses:
        accepted = T.is_zero(T.extract(result, 0, 32))
        bitvector.check(T.eq(accepted, below), "the modulus check")
    return ""


def decoded(contract: Coding, value: Node) -> Node:
    return spec.decompress(value, contract.d) if contract.compresses else T.zext(value, 16)


def check_words(contract: Coding) -> None:
    """The formula gives no other words than the contract says."""
    values = [T.val(decoded(contract, T.const(y, contract.d))) for y in range(1 << contract.d)]
    check_bounds(min(values), max(values), contract.words)


def prove_binomial(contract: Binomial, target: Target, kernel: Kernel) -> str:
    data, f, _ = from_bytes(contract, target, kernel)
    fields = Fields()
    for i, got in enumerate(f):
        check_equal(got, spec.binomial(data, i, contract.eta), f"coefficient {i}", fields)
    return ""


def theorems() -> Iterator[Theorem]:
    for linear in contracts.LINEAR:
        yield theorem(linear, prove_linear)
    yield theorem(contracts.MULCACHE, prove_mulcache)
    for k in contracts.RANKS:
        yield theorem(contracts.product(k), prove_product)
    yield theorem(contracts.REDUCE, prove_reduce)
    for added in contracts.SUMS:
        yield theorem(added, prove_sum)
    yield theorem(contracts.ORDER, prove_order)
    for coding in (contracts.ENCODE, contracts.DECODE, *contracts.COMPRESSIONS):
        yield theorem(coding, prove_encoding if coding.encodes else prove_decoding)
    for binomial in contracts.BINOMIALS:
        yield theorem(binomial, prove_binomial)
    yield from rejection_theorems()


def rejection_theorems() -> Iterator[Theorem]:
    quick, pieces = (rejection.FEWEST, rejection.FEW, contracts.XOF_BLOCK), rejection.stream_pieces()
    for size in (*quick, *pieces):
        rung = Rung.QUICK if size in quick else Rung.ALL
        yield theorem(contracts.rejection(size, rung), rejection.prove_bytes)
    places = len(rejection.places())
    claim = (
        f"FIPS 203 algorithm 7 of {rejection.SHORT} bytes, after any number of values, at {places} pairs of addresses"
    )
    yield Theorem(FAMILY, "rej_uniform_vartime", claim, "cases", rejection.prove_places, Rung.ALL)
    for lane in range(max(rejection.LANES.values())):
        backends = tuple(backend for backend, lanes in rejection.LANES.items() if lane < lanes)
        yield theorem(contracts.rejection_in_lane(lane, rejection.NUMBERS), rejection.prove_lane, backends)
    yield theorem(contracts.lanes_apart(rejection.NUMBERS), rejection_lanes.prove_apart, tuple(rejection.LANES))
