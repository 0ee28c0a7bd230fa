"""Theorems of the kernels of Z_q[X]/(X^256 + 1): ML-KEM and Kyber.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from proofs.domains import NotProved, bitvector
from proofs.domains.exhaustive import check_equal
from proofs.domains.fields import Fields
from proofs.domains.linear import Input, Linear, Result
from proofs.domains.products import Atom, Products
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.rung import Rung
from proofs.theorems import fips203 as spec
from proofs.theorems import rejection
from proofs.theorems.bounds import bound, stated
from proofs.theorems.target import MAX_ALIGN, Buffer, Execution, Kernel, Target, byte_string
from proofs.theorems.theorem import Theorem

FAMILY = "q3329"
SLICE = Rung.SLICE
Q, N = spec.Q, spec.N
R = 1 << 16
ANY = (-(1 << 15), (1 << 15) - 1)


def words(name: str, count: int = N) -> list[Node]:
    """Unknown coefficients."""
    return [T.var(f"{name}[{i}]", 16) for i in range(count)]


def small_words(name: str, bits: int) -> list[Node]:
    """Coefficients of so many bits, not negative."""
    return [T.zext(T.var(f"{name}[{i}]", bits), 16) for i in range(N)]


def polynomial(run: Execution, content: list[Node]) -> Buffer:
    return run.in_place(content, MAX_ALIGN)


def order(target: Target, kernel: Kernel) -> list[int]:
    """The places of the standard's values in the backend's order: place j has value order[j]. The kernel ntt_order
    does the same."""
    permute = target.sibling(kernel, "ntt_order")
    if permute is None:
        return list(range(N))
    run, f = Execution(target), words("f")
    place = polynomial(run, f)
    run.call(permute, place)
    index = {n: i for i, n in enumerate(f)}
    found = [index.get(n, -1) for n in run.read(place)]
    if sorted(found) != list(range(N)):
        raise NotProved("ntt_order is no permutation")
    return found


# ---- linear maps ----


def check_bounds(result: Result, limit: int) -> str:
    if result.low < -limit or result.high > limit:
        raise NotProved(f"the result is in [{result.low}, {result.high}], beyond {limit}")
    return f"|f| <= {max(-result.low, result.high)}"


def check_matrix(result: Result, wanted: spec.Matrix) -> None:
    wrong = np.argwhere(result.matrix != wanted % Q)
    if wrong.size:
        i, j = (int(x) for x in wrong[0])
        raise NotProved(
            f"output {i} has {int(result.matrix[i, j])} times input {j} instead of {int(wanted[i, j] % Q)}: "
            f"it is wrong where input {j} is 1 and all others are 0"
        )


def linear(target: Target, kernel: Kernel, inputs: tuple[int, int], wanted: spec.Matrix, limit: int) -> str:
    """In place, f -> wanted f modulo q, and |f| <= limit."""
    run, f = Execution(target), words("f")
    place = polynomial(run, f)
    run.call(kernel.address, place)
    result = Linear(Q, [Input(n, *inputs) for n in f]).run(run.read(place))
    check_matrix(result, wanted)
    return check_bounds(result, limit)


def prove_ntt(target: Target, kernel: Kernel) -> str:
    limit = bound(FAMILY, "NTT_IN")
    matrix = spec.ntt_matrix()[order(target, kernel)]
    return linear(target, kernel, (-limit, limit), matrix, bound(FAMILY, "NTT_OUT"))


def prove_inverse_ntt(target: Target, kernel: Kernel) -> str:
    matrix = (spec.inverse_ntt_matrix() * R)[:, order(target, kernel)]
    return linear(target, kernel, ANY, matrix, bound(FAMILY, "INVNTT_OUT"))


def prove_tomont(target: Target, kernel: Kernel) -> str:
    return linear(target, kernel, ANY, np.eye(N, dtype=np.int64) * R, bound(FAMILY, "TOMONT_OUT"))


def prove_order(target: Target, kernel: Kernel) -> str:
    order(target, kernel)
    return ""


# ---- products ----


def cached_product(target: Target, kernel: Kernel, k: int) -> str:
    """mulcache, then inner_product of k factors: algorithm 11, times R^-1. Of a cache no more is used than what its
    words are modulo q and how large they may be: those of all congruent polynomials within mulcache's bounds."""
    cache_of = target.sibling(kernel, "mulcache")
    if cache_of is None:
        raise NotProved("there is no mulcache beside it")
    f_limit, g_limit = bound(FAMILY, "DECODED_MAX"), bound(FAMILY, "NTT_OUT")
    f, g = words("f", k * N), words("g", k * N)
    run = Execution(target)
    places = [run.input(g[j * N : (j + 1) * N], MAX_ALIGN) for j in range(k)]
    caches: list[Node] = []
    for place in places:
        cache = run.output(N // 2, 16, MAX_ALIGN)
        run.call(cache_of, cache, place)
        caches += run.read(cache)
    forms = Linear(Q, [Input(n, -g_limit, g_limit) for n in g]).forms(caches)
    atoms = [Atom(n, 0, f_limit) for n in f] + [Atom(n, -g_limit, g_limit) for n in g]
    fresh = words("cache", k * N // 2)
    atoms += [Atom(n, form.low, form.high) for n, form in zip(fresh, forms, strict=True)]
    product = Execution(target)
    h = product.output(N, 16, MAX_ALIGN)
    factors = [product.input(x, MAX_ALIGN) for x in (f, g, fresh)]
    product.call(kernel.address, h, *factors, k)
    domain = Products(Q, atoms)
    rows = {n: form.row for n, form in zip(fresh, forms, strict=True)}
    results = [domain.value(n) for n in product.read(h)]
    for i, (value, wanted) in enumerate(zip(results, _products(f, g, order(target, kernel), k), strict=True)):
        _check_product(i, domain.modulo_q(value), rows, g, wanted)
    low, high = min(r.low for r in results), max(r.high for r in results)
    limit = bound(FAMILY, "PRODUCT_OUT")
    if low < -limit or high > limit:
        raise NotProved(f"the result is in [{low}, {high}], beyond {limit}")
    return f"|h| <= {max(-low, high)}"


Bilinear = dict[tuple[Node, Node], int]


def _products(f: list[Node], g: list[Node], places: list[int], k: int) -> Iterator[Bilinear]:
    """Algorithm 12 for each place of the backend's order, summed over k factors and times R^-1."""
    at = {value: place for place, value in enumerate(places)}
    scale = pow(R, -1, Q)
    for value in places:
        i, odd = divmod(value, 2)
        wanted: Bilinear = {}
        for j in range(k):
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


def prove_mulcache(target: Target, kernel: Kernel) -> str:
    """The content is the backend's own: what it is good for is the product."""
    product = target.sibling(kernel, "inner_product")
    if product is None:
        raise NotProved("there is no inner_product beside it")
    return cached_product(target, replace(kernel, name="inner_product", address=product), 1)


# ---- sums ----


def prove_add(target: Target, kernel: Kernel) -> str:
    return elementwise(target, kernel, T.add)


def prove_sub_from(target: Target, kernel: Kernel) -> str:
    return elementwise(target, kernel, lambda f, g: T.sub(g, f))


def elementwise(target: Target, kernel: Kernel, formula: Callable[[Node, Node], Node]) -> str:
    run, f, g = Execution(target), words("f"), words("g")
    place = polynomial(run, f)
    run.call(kernel.address, place, run.input(g, MAX_ALIGN))
    for i, got in enumerate(run.read(place)):
        if got != formula(f[i], g[i]):
            bitvector.check(T.eq(got, formula(f[i], g[i])), f"coefficient {i}")
    return ""


# ---- functions of one coefficient ----


def prove_reduce(target: Target, kernel: Kernel) -> str:
    """The canonical representative, by Python's own remainder of a value made non-negative by a multiple of q."""
    run, f = Execution(target), words("f")
    place = polynomial(run, f)
    run.call(kernel.address, place)
    fields = Fields()
    shift = T.const(R // Q * Q, 32)
    for i, got in enumerate(run.read(place)):
        wanted = T.extract(T.urem(T.add(T.sext(f[i], 32), shift), T.const(Q, 32)), 0, 16)
        check_equal(got, wanted, f"coefficient {i}", fields)
    return ""


def to_bytes(target: Target, kernel: Kernel, d: int, places: list[int], formula: Callable[[Node], Node]) -> None:
    """d bits of the output for each canonical coefficient."""
    run = Execution(target)
    f = small_words("f", spec.COEFFICIENT_BITS)
    out = run.output(32 * d, 8)
    run.call(kernel.address, out, run.input(f, MAX_ALIGN))
    result, fields = run.read(out), Fields()
    below = {T.var(f"f[{i}]", spec.COEFFICIENT_BITS): bound(FAMILY, "CANONICAL_MAX") + 1 for i in range(N)}
    for place, i in enumerate(places):
        check_equal(spec.bits(result, d * i, d), formula(f[place]), f"value {i}", fields, below)


def prove_compress(d: int, target: Target, kernel: Kernel) -> str:
    to_bytes(target, kernel, d, list(range(N)), lambda x: spec.compress(x, d))
    return ""


def prove_encode(target: Target, kernel: Kernel) -> str:
    to_bytes(target, kernel, 12, order(target, kernel), lambda x: T.extract(x, 0, 12))
    return ""


def from_bytes(target: Target, kernel: Kernel, size: int) -> tuple[list[Node], list[Node], Node]:
    """The bytes, the polynomial and the result."""
    run, data = Execution(target), byte_string(size)
    f = run.output(N, 16, MAX_ALIGN)
    result = run.call(kernel.address, f, run.input(data))
    return data, run.read(f), result


def prove_decompress(d: int, target: Target, kernel: Kernel) -> str:
    data, f, _ = from_bytes(target, kernel, 32 * d)
    fields = Fields()
    for i, got in enumerate(f):
        check_equal(got, spec.decompress(spec.bits(data, d * i, d), d), f"coefficient {i}", fields)
    return ""


def prove_decode(target: Target, kernel: Kernel) -> str:
    """Algorithm 6 without its reduction, and section 7.2's check: 0 just where all values are below q."""
    data, f, result = from_bytes(target, kernel, 384)
    fields = Fields()
    below = T.const(1, 1)
    for place, i in enumerate(order(target, kernel)):
        value = spec.bits(data, 12 * i, 12)
        check_equal(f[place], T.zext(value, 16), f"value {i}", fields)
        below = T.and_(below, T.ult(value, T.const(Q, 12)))
    accepted = T.is_zero(T.extract(result, 0, 32))
    bitvector.check(T.eq(accepted, below), "the modulus check")
    return ""


def prove_cbd(eta: int, target: Target, kernel: Kernel) -> str:
    data, f, _ = from_bytes(target, kernel, 64 * eta)
    fields = Fields()
    for i, got in enumerate(f):
        check_equal(got, spec.binomial(data, i, eta), f"coefficient {i}", fields)
    return ""


def theorems() -> Iterator[Theorem]:
    make = partial(Theorem, FAMILY)
    yield make("ntt", "FIPS 203 algorithm 9, bounds in and out", "linear", prove_ntt, SLICE)
    yield make("invntt_tomont", "FIPS 203 algorithm 10 times R, for any words", "linear", prove_inverse_ntt)
    yield make("tomont", "R f, for any words", "linear", prove_tomont)
    claim = "the cache with which inner_product is algorithm 11, k = 1"
    yield make("mulcache", claim, "linear, products", prove_mulcache, SLICE)
    caches = stated(FAMILY, "inner_product", "each cache of any polynomial congruent to its g")
    for k in (2, 3, 4):
        claim = f"R^-1 times algorithm 11 summed over k = {k}, {caches}"
        yield make("inner_product", claim, "products", partial(_inner_product, k))
    yield make("reduce", "f mod q in [0, q), for any words", "all inputs", prove_reduce)
    yield make("add", "f + g", "terms", prove_add)
    yield make("sub_from", "g - f", "terms", prove_sub_from)
    yield make("ntt_order", "a permutation", "terms", prove_order)
    yield make("encode_d12", "FIPS 203 algorithm 5", "all inputs", prove_encode)
    yield make(
        "decode_d12", "FIPS 203 algorithm 6 and the modulus check of 7.2", "all inputs, Bitwuzla", prove_decode, SLICE
    )
    for d in (1, 4, 5, 10, 11):
        claim = f"algorithm 5 of Compress_{d} (4.2.1)"
        yield make(f"compress_d{d}", claim, "all inputs", partial(prove_compress, d))
    for d in (1, 4, 5, 10, 11):
        claim = f"Decompress_{d} (4.2.1) of algorithm 6"
        yield make(f"decompress_d{d}", claim, "all inputs", partial(prove_decompress, d))
    for eta in (2, 3):
        yield make(f"cbd_eta{eta}", f"FIPS 203 algorithm 8, eta = {eta}", "all inputs", partial(prove_cbd, eta))
    yield from rejection_theorems()


def rejection_theorems() -> Iterator[Theorem]:
    make = partial(Theorem, FAMILY)
    few, pieces = (rejection.FEWEST, rejection.FEW), (rejection.SHAKE_BLOCK, *rejection.stream_pieces())
    for size in (*few, *pieces):
        claim = f"FIPS 203 algorithm 7 of {size} bytes, after any number of values"
        rung = Rung.QUICK if size in few else Rung.ALL
        yield make("rej_uniform_vartime", claim, "cases", partial(rejection.prove_bytes, size), rung)
    places = len(rejection.places())
    claim = (
        f"FIPS 203 algorithm 7 of {rejection.SHORT} bytes, after any number of values, at {places} pairs of addresses"
    )
    yield make("rej_uniform_vartime", claim, "cases", rejection.prove_places, Rung.ALL)
    block, (none, most) = rejection.SHAKE_BLOCK, rejection.NUMBERS
    for lane in range(max(rejection.LANES.values())):
        claim = (
            f"FIPS 203 algorithm 7 of {block} bytes in lane {lane}, after any number of values; "
            f"alone, and beside an example in all others after {none} or after {most} values"
        )
        backends = tuple(backend for backend, lanes in rejection.LANES.items() if lane < lanes)
        prove = partial(rejection.prove_lane, lane)
        yield make("rej_uniform_lanes_vartime", claim, "cases", prove, Rung.ALL, backends)


def _inner_product(k: int, target: Target, kernel: Kernel) -> str:
    return cached_product(target, kernel, k)
