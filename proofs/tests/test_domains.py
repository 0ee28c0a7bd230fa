"""The domains on small graphs of terms: what they prove, and what they refuse.

SPDX-License-Identifier: Apache-2.0
"""

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import prod
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from proofs.domains import NotProved, bilinear, bitvector, cases, comparators, residues
from proofs.domains.affine import Affine
from proofs.domains.cases import Candidates, members
from proofs.domains.every import check_zero_where_every
from proofs.domains.exhaustive import bits_of, check_by_classes, check_equal, check_values, difference_of
from proofs.domains.fields import Fields
from proofs.domains.forms import Forms
from proofs.domains.gf2 import Bits
from proofs.domains.keccak import Algebra, rotate
from proofs.domains.linear import Input, Linear
from proofs.domains.naming import Naming, without_names
from proofs.domains.paths import FAR, Exploring, Outcome, Remembering
from proofs.domains.products import Atom, Products, Value
from proofs.domains.rebuilding import rebuilt
from proofs.domains.sums import Sums
from proofs.domains.tallies import Tallies
from proofs.domains.unknowns import DeclassifyingMemory, constant_bytes, unknown_bytes
from proofs.machine import terms as T
from proofs.machine.frames import StackMemory
from proofs.machine.image import Image
from proofs.machine.memory import Violation
from proofs.machine.processor import Decoded, Processor, joined
from proofs.machine.terms import Node
from proofs.theorems import rejection

Q = 3329
QINV = pow(Q, -1, 1 << 16)


def montgomery(x: Node, w: int) -> Node:
    """x w R^-1 mod q in 16-bit words."""
    low = T.mul(x, T.const(w * QINV, 16))
    return T.sub(T.smulh(x, T.const(w, 16)), T.smulh(low, T.const(Q, 16)))


def words(*names: str) -> list[Node]:
    return [T.var(name, 16) for name in names]


# ---- linear ----


def test_a_butterfly_is_linear() -> None:
    x, y = words("x", "y")
    t = montgomery(y, -1044)
    result = Linear(Q, [Input(x, -Q, Q), Input(y, -Q, Q)]).run([T.add(x, t), T.sub(x, t)])
    factor = -1044 * pow(1 << 16, -1, Q) % Q
    assert result.matrix.tolist() == [[1, factor], [1, Q - factor]]
    assert -2 * Q < result.low < result.high < 2 * Q


def test_a_sum_that_may_overflow_is_refused() -> None:
    x, y = words("x", "y")
    inputs = [Input(x, -20000, 20000), Input(y, -20000, 20000)]
    with pytest.raises(NotProved, match=r"\[-40000, 40000\] overflows 16 bits"):
        Linear(Q, inputs).run([T.add(x, y)])
    cancelled = T.sub(T.add(x, y), y)
    assert Linear(Q, inputs).run([cancelled]).matrix.tolist() == [[1, 0]]


def multiple(x: Node) -> Node:
    """The multiple of q beside x; at most 820 more, as 20 / 2^16 is not quite 1 / q."""
    return T.mul(T.smulh(x, T.const(20, 16)), T.const(Q, 16))


def test_a_sum_less_its_multiple_of_q_is_small_in_any_order() -> None:
    """Compilers add up x + y - m(x + y), what comes before it and what comes after it in any order."""
    x, y, z = words("x", "y", "z")
    inputs = [Input(x, -8000, 8000), Input(y, -8000, 8000), Input(z, -28000, 28000)]
    m = multiple(T.add(x, y))
    small = [T.sub(T.add(x, y), m), T.add(T.sub(x, m), y), T.sub(y, T.sub(m, x))]
    for n in (*small, *(T.sub(T.add(T.add(z, x), y), T.add(z, m)) for _ in "x")):
        result = Linear(Q, inputs).run([n])
        assert result.matrix.tolist() == [[1, 1, 0]]
        assert -820 <= result.low < result.high <= Q + 820
    late = T.add(T.sub(T.add(T.add(z, x), m), T.add(m, m)), y)
    assert Linear(Q, inputs).run([late]).high <= 28000 + Q + 820


def test_a_form_is_taken_apart_where_its_parts_meet_others() -> None:
    """x - m(x) + y is a form before m(x) + z is added to it."""
    x, y, z = words("x", "y", "z")
    inputs = [Input(x, -12000, 12000), Input(y, -12000, 12000), Input(z, -700, 700)]
    form = T.add(T.sub(x, multiple(x)), y)
    for whole, wanted in ((T.add(form, T.add(multiple(x), z)), [1, 1, 1]), (T.sub(form, T.sub(x, z)), [0, 1, 1])):
        domain = Linear(Q, inputs)
        domain.forms([form])
        assert domain.run([whole]).matrix.tolist() == [wanted]


def test_a_product_that_is_wrong_at_one_input_is_refused() -> None:
    x, y = words("x", "y")
    wrong = T.ite(T.eq(x, T.const(1234, 16)), T.const(0, 16), montgomery(x, 17))
    with pytest.raises(NotProved, match="argument is 1234"):
        Linear(Q, [Input(x, -Q, Q), Input(y, -Q, Q)]).run([T.add(y, wrong)])


def test_what_is_no_input_is_refused() -> None:
    x, secret = words("x", "another")
    with pytest.raises(NotProved, match="another, which is no input"):
        Linear(Q, [Input(x, -Q, Q)]).run([T.add(x, secret)])


# ---- all inputs ----


def test_all_inputs_find_the_one_that_is_wrong() -> None:
    x = T.var("x", 12)
    good, bad = T.zext(x, 16), T.ite(T.eq(x, T.const(77, 12)), T.const(0, 16), T.zext(x, 16))
    check_equal(good, T.zext(x, 16), "x", Fields())
    with pytest.raises(NotProved, match="x is 0 instead of 77 at x = 77"):
        check_equal(bad, good, "x", Fields())
    check_equal(bad, good, "x below 77", Fields(), {x: 77})


def test_a_constant_is_refused_where_a_function_is_wanted() -> None:
    x = T.var("x", 4)
    with pytest.raises(NotProved):
        check_equal(T.const(0, 4), x, "x", Fields())


def test_too_many_bits_are_refused() -> None:
    x, y = words("x", "y")
    with pytest.raises(NotProved, match="depends on 32 bits"):
        check_equal(T.mul(x, y), T.mul(x, T.add(y, T.const(1, 16))), "product", Fields())


def test_fields_of_a_sum_depend_on_their_own_bits() -> None:
    x = T.var("x", 32)
    mask = T.const(0x55555555, 32)
    sums = T.add(T.and_(x, mask), T.and_(T.lshr(x, 1), mask))
    assert bits_of(Fields().slice(sums, 8, 2)) == [(x, 8), (x, 9)]
    assert len(bits_of(Fields().slice(T.add(x, T.lshr(x, 1)), 8, 2))) > 2


def test_fields_of_a_difference_that_an_offset_keeps_from_borrowing() -> None:
    x = T.var("x", 16)
    less = T.sub(T.and_(x, T.const(0x3333, 16)), T.and_(T.lshr(x, 2), T.const(0x3333, 16)))
    offset = T.add(less, T.const(0x4444, 16))
    assert bits_of(Fields().slice(offset, 8, 4)) == [(x, b) for b in range(8, 12)]
    assert len(bits_of(Fields().slice(less, 8, 4))) == 12
    too_small = T.add(less, T.const(0x2222, 16))
    assert len(bits_of(Fields().slice(too_small, 8, 4))) == 12


def test_words_with_the_same_low_bits_carry_both() -> None:
    x, y = T.var("x", 8), T.var("y", 8)
    total = T.add(T.concat([x, T.const(0, 8)]), T.concat([x, y]))
    assert {v for v, _ in bits_of(Fields().slice(total, 8, 8))} == {x, y}


def test_saturation_that_never_sets_in() -> None:
    x = T.zext(T.var("x", 8), 16)
    for most, kept in ((255, True), (254, False)):
        limit = T.const(most, 16)
        saturated = T.ite(T.slt(limit, x), limit, x)
        assert (Fields().narrow(saturated) == x) == kept


def random_term(rng: random.Random, leaves: list[Node], depth: int) -> Node:
    if depth == 0:
        return rng.choice([*leaves, T.const(rng.getrandbits(32), 32)])
    x, y = (random_term(rng, leaves, depth - 1) for _ in range(2))
    k = rng.randrange(32)
    mask = rng.choice([0x33333333, 0x0F0F0F0F, 0x249249])
    masked, other = (T.and_(z, T.const(mask, 32)) for z in (x, y))
    compared = rng.choice([other, T.lshr(y, k), T.or_(other, T.const(1 << 31, 32))])
    low_of_x = T.concat([T.extract(x, 0, k + 1), T.extract(y, k + 1, 31 - k)]) if k < 31 else x
    return rng.choice(
        [
            *(T.add(masked, T.lshr(y, k)), T.sub(x, y), T.xor(x, y), T.shl(x, k), T.add(masked, y), T.not_(x)),
            *(T.add(T.sub(masked, other), T.const(mask, 32)), T.add(masked, T.and_(low_of_x, T.const(mask, 32)))),
            T.ite(T.cmp(rng.choice(["eq", "ult", "slt"]), masked, compared), x, y),
        ]
    )


def test_fields_keep_the_value() -> None:
    rng, leaves = random.Random(1), [T.var("a", 32), T.var("b", 32)]
    values = {leaf: np.array([rng.getrandbits(32) for _ in range(64)], dtype=np.uint64) for leaf in leaves}
    for _ in range(200):
        term = random_term(rng, leaves, 4)
        low = rng.randrange(31)
        w = rng.randrange(1, 33 - low)
        before, after = T.evaluate([T.extract(term, low, w), Fields().slice(term, low, w)], values)
        assert (before == after).all()


# ---- products modulo a power of 2 ----


def karatsuba(f: list[Node], g: list[Node], halve: Callable[[Node], Node]) -> list[Node]:
    """The three coefficients of a product of two by two; the middle one is computed doubled."""
    low, high = T.mul(f[0], g[0]), T.mul(f[1], g[1])
    both = T.mul(T.add(f[0], f[1]), T.add(g[0], g[1]))
    return [low, halve(T.add(T.sub(both, T.add(low, high)), T.sub(T.sub(both, low), high))), high]


def halved_as_16_bits(x: Node) -> Node:
    return T.lshr(x, 1)


def halved_as_32_bits(x: Node) -> Node:
    return T.extract(T.ashr(T.sext(x, 32), 1), 0, 16)


def of_two(chosen: Sequence[int]) -> np.ndarray:
    i, j, k = np.ix_(range(3), chosen, range(2))
    return (i == j + k).astype(np.int64)


@pytest.mark.parametrize("halve", [halved_as_16_bits, halved_as_32_bits])
def test_a_shift_of_products_costs_a_bit(halve: Callable[[Node], Node]) -> None:
    f, g = words("f0", "f1"), words("g0", "g1")
    assert bilinear.check_product(karatsuba(f, g, halve), [f], [g], of_two, 15) == 15
    with pytest.raises(NotProved, match="word 1 has 15 right bits"):
        bilinear.check_product(karatsuba(f, g, halve), [f], [g], of_two, 16)


def test_wrong_products_are_refused() -> None:
    f, g = words("f0", "f1"), words("g0", "g1")
    right = karatsuba(f, g, halved_as_16_bits)
    for wrong, witness in (
        ([right[0], T.add(right[1], T.mul(f[0], g[0])), right[2]], r"word 1 has 1 f\[0\] g\[0\] instead of 0"),
        ([right[0], T.lshr(right[0], 1), right[2]], "need not be divisible"),
        ([right[0], T.add(right[0], T.const(1, 16)), right[2]], "a sum has a constant"),
        ([right[0], f[0], right[2]], "word 1 is no sum of products"),
        ([right[0], T.mul(f[0], f[1]), right[2]], "a product of forms in f and f"),
        ([right[0], T.xor(f[0], g[1]), right[2]], "neither a sum, a product nor a shift"),
        ([right[0], T.mul(f[0], *words("h")), right[2]], "h, which is no input"),
    ):
        with pytest.raises(NotProved, match=witness):
            bilinear.check_product(wrong, [f], [g], of_two, 15)


def test_a_sum_of_products() -> None:
    f, g, p, q = words("f0", "f1"), words("g0", "g1"), words("p0", "p1"), words("q0", "q1")
    sums = [
        T.add(x, y) for x, y in zip(*(karatsuba(*pair, halved_as_16_bits) for pair in ((f, g), (p, q))), strict=True)
    ]
    assert bilinear.check_product(sums, [f, p], [g, q], of_two, 15) == 15
    for wrong, witness in (
        (T.add(sums[0], T.mul(p[0], q[0])), r"word 0 has 2 f\[0\] g\[0\] instead of 1 in product 1"),
        (T.add(sums[0], T.mul(f[0], q[0])), "a product of forms of products 0 and 1"),
        (T.add(sums[0], T.mul(T.add(f[0], p[0]), g[0])), "a sum of forms in f of products 0 and 1"),
    ):
        with pytest.raises(NotProved, match=witness):
            bilinear.check_product([wrong, *sums[1:]], [f, p], [g, q], of_two, 15)


# ---- residues ----


def bytes_of(name: str) -> list[Node]:
    return [T.var(f"{name}{i}", 8) for i in range(4)]


def product_of_words(f: Sequence[Node], g: Sequence[Node]) -> Node:
    return T.mul(T.zext(T.concat(f), 64), T.zext(T.concat(g), 64))


def residues_of(product: Node, modulus: int = 3) -> list[Node]:
    return [T.urem(T.extract(product, 8 * k, 8), T.const(modulus, 8)) for k in range(7)]


def of_four(chosen: Sequence[int]) -> np.ndarray:
    i, j, k = np.ix_(range(7), chosen, range(4))
    return (i == j + k).astype(np.int64)


def test_a_product_of_words_is_one_of_residues() -> None:
    f, g = bytes_of("f"), bytes_of("g")
    residues.check_product(residues_of(product_of_words(f, g)), f, g, of_four)
    doubled = [T.urem(T.add(x, x), T.const(3, 8)) for x in f]
    twice = residues_of(T.add(product_of_words(doubled, g), product_of_words(f, g)))
    with pytest.raises(NotProved, match=r"byte 0 has 0 f\[0\] g\[0\] instead of 1"):
        residues.check_product(twice, f, g, of_four)


def test_wrong_products_of_residues_are_refused() -> None:
    f, g = bytes_of("f"), bytes_of("g")
    product = product_of_words(f, g)
    right = residues_of(product)
    sixteen = product
    for _ in range(4):
        sixteen = T.add(sixteen, sixteen)
    for wrong, witness in (
        ([right[1], *right[1:]], r"byte 0 has 0 f\[0\] g\[0\] instead of 1"),
        ([T.extract(product, 0, 8), *right[1:]], "byte 0 is from 0 to 4"),
        (residues_of(product, 4), "byte 0 is no sum of products"),
        (residues_of(sixteen), "neither a sum, a product nor a function of one byte"),
        ([T.add(right[0], T.const(1, 8)), *right[1:]], "byte 0 is no sum of products"),
        ([T.const(1, 8), *right[1:]], "byte 0 is 1"),
        ([f[0], *right[1:]], "byte 0 is no sum of products"),
        ([T.add(f[0], right[0]), *right[1:]], "a sum of forms in f and fg"),
        (residues_of(product_of_words(f, f)), "a product that is not of a form in f and one in g"),
        (residues_of(product_of_words(f, bytes_of("h"))), "which is no input"),
    ):
        with pytest.raises(NotProved, match=witness):
            residues.check_product(wrong, f, g, of_four)


# ---- products ----


def reduce(s: Node) -> Node:
    """Montgomery's reduction of 32 bits."""
    m = T.mul(T.extract(s, 0, 16), T.const(QINV, 16))
    return T.extract(T.sub(s, T.mul(T.sext(m, 32), T.const(Q, 32))), 16, 16)


def product(x: Node, y: Node) -> Node:
    return T.mul(T.sext(x, 32), T.sext(y, 32))


def test_a_reduced_sum_of_products() -> None:
    a, b, c, d = words("a", "b", "c", "d")
    domain = Products(Q, [Atom(n, -Q, Q) for n in (a, b, c, d)])
    value = domain.value(reduce(T.add(product(a, b), product(c, d))))
    scale = pow(1 << 16, -1, Q)
    assert domain.modulo_q(value) == {(a, b): scale, (c, d): scale}
    assert -2 * Q < value.low <= value.high < 2 * Q


def test_products_in_halves_of_16_bits() -> None:
    a, b = words("a", "b")
    domain = Products(Q, [Atom(a, -Q, Q), Atom(b, -Q, Q)])
    m = T.mul(T.mul(a, b), T.const(QINV, 16))
    value = domain.value(T.sub(T.smulh(a, b), T.smulh(m, T.const(Q, 16))))
    assert domain.modulo_q(value) == {(a, b): pow(1 << 16, -1, Q)}


def test_a_wrong_constant_of_the_reduction_is_refused() -> None:
    a, b = words("a", "b")
    domain = Products(Q, [Atom(a, -Q, Q), Atom(b, -Q, Q)])
    s = product(a, b)
    m = T.mul(T.extract(s, 0, 16), T.const(QINV + 2, 16))
    wrong = T.extract(T.sub(s, T.mul(T.sext(m, 32), T.const(Q, 32))), 16, 16)
    with pytest.raises(NotProved, match="no product of two inputs"):
        domain.modulo_q(domain.value(wrong))


def test_a_sum_of_products_that_overflows_is_no_product() -> None:
    a, b = words("a", "b")
    domain = Products(Q, [Atom(a, -(1 << 15), (1 << 15) - 1), Atom(b, -(1 << 15), (1 << 15) - 1)])
    s = product(a, b)
    with pytest.raises(NotProved):
        domain.modulo_q(domain.value(reduce(T.add(T.add(s, s), T.shl(s, 1)))))


def test_a_reduction_in_the_upper_half_of_a_word() -> None:
    a, b = words("a", "b")
    domain = Products(Q, [Atom(a, -Q, Q), Atom(b, -Q, Q)])
    s = product(a, b)
    m = T.extract(T.mul(s, T.const(QINV << 16, 32)), 16, 16)
    value = domain.value(T.extract(T.sub(s, T.mul(T.sext(m, 32), T.const(Q, 32))), 16, 16))
    assert domain.modulo_q(value) == {(a, b): pow(1 << 16, -1, Q)}
    assert -Q < value.low <= value.high < Q


def saturated(x: Node) -> Node:
    low, high = T.const(-(1 << 15), 32), T.const((1 << 15) - 1, 32)
    return T.ite(T.slt(x, low), low, T.ite(T.slt(high, x), high, x))


def test_products_that_are_never_saturated() -> None:
    a, b = words("a", "b")
    domain = Products(Q, [Atom(a, -181, 181), Atom(b, -181, 181)])
    assert domain.modulo_q(domain.value(saturated(product(a, b)))) == {(a, b): 1}
    with pytest.raises(NotProved, match=r"in \[32767, 32767\] and \[-32942, 32942\] is not decided"):
        Products(Q, [Atom(a, -181, 181), Atom(b, -182, 182)]).value(saturated(product(a, b)))


def test_a_choice_by_an_input_is_refused() -> None:
    a, b = words("a", "b")
    bit = T.var("bit", 1)
    with pytest.raises(NotProved, match="a choice is not decided"):
        Products(Q, [Atom(a, 0, Q), Atom(b, 0, Q), Atom(bit, 0, 1)]).value(T.ite(bit, a, b))


def random_product(rng: random.Random, leaves: list[Node], depth: int) -> Node:
    if depth == 0:
        return rng.choice([*leaves, T.const(rng.choice([QINV, QINV << 4 & 0xFFFF, 1 << 15, 12]), 16)])
    x, y = (random_product(rng, leaves, depth - 1) for _ in range(2))
    k = rng.randrange(1, 16)
    wide = rng.choice([T.add, T.sub, T.mul])(T.sext(x, 32), T.zext(y, 32))
    decided = T.not_(T.cmp(rng.choice(["eq", "ult", "slt"]), T.zext(x, 20), T.const(1 << 17, 20)))
    return rng.choice(
        [
            *(T.add(x, y), T.sub(x, y), T.mul(x, y), T.smulh(x, y), T.umulh(x, y), T.not_(x), T.shl(x, k)),
            *(T.ashr(x, k), T.lshr(x, k), T.extract(wide, k, 16), T.extract(T.shl(wide, k), 16, 16)),
            *(T.mk("ite", 16, decided, x, y), T.concat([T.extract(x, 0, k), T.extract(y, k, 16 - k)])),
        ]
    )


def value_at(domain: Products, value: Value, inputs: list[int]) -> int:
    """A polynomial in inputs and remainders."""

    def atom(i: int) -> int:
        if i < len(inputs):
            return inputs[i]
        inner, low = domain._remainders[i], domain._intervals[i][0]
        return (value_at(domain, inner.value, inputs) - low) % (1 << inner.w) + low

    total = sum(factor * prod(map(atom, monomial)) for monomial, factor in value.terms.items())
    assert total % (1 << value.shift) == 0
    return total >> value.shift


def test_polynomials_keep_the_value() -> None:
    rng, leaves = random.Random(1), words("a", "b")
    for _ in range(200):
        term = random_product(rng, leaves, 3)
        domain = Products(Q, [Atom(n, -Q, Q) for n in leaves])
        value = domain.value(term)
        for _ in range(8):
            inputs = [rng.choice([-Q, Q, 0, rng.randint(-Q, Q)]) for _ in leaves]
            env = {n: np.array([x & 0xFFFF], dtype=np.uint64) for n, x in zip(leaves, inputs, strict=True)}
            word = T.signed(int(np.ravel(T.evaluate([term], env)[0])[0]), 16)
            assert value.low <= value_at(domain, value, inputs) == word <= value.high


# ---- forms of wide words ----

WIDE = 46240001


def barrett(x: Node, w: int, quotient: int) -> Node:
    """low(x w) - round(x w' / 2^31) q in 32-bit words."""
    doubled = T.mul(T.sext(x, 64), T.const(quotient, 64))
    rounded = T.extract(T.add(doubled, T.const(1 << 30, 64)), 31, 32)
    return T.sub(T.mul(x, T.const(w, 32)), T.mul(rounded, T.const(WIDE, 32)))


def test_words_of_32_bits_are_forms() -> None:
    x, y = (T.var(name, 32) for name in "xy")
    forms = Forms(WIDE, [Atom(x, -(10**9), 10**9), Atom(y, -(10**8), 10**8)])
    quotient = round(6800 * 2**31 / WIDE)
    t = barrett(x, 6800, quotient)
    found = forms.form(T.sub(y, barrett(T.add(t, y), 6800, quotient)))
    assert found.row.tolist() == [-(6800**2) % WIDE, (1 - 6800) % WIDE]
    assert -(10**8) - 0.6 * WIDE < found.low < found.high < 10**8 + 0.6 * WIDE
    with pytest.raises(NotProved, match="no linear form"):
        forms.form(barrett(x, 6800, 2 * quotient))
    with pytest.raises(NotProved, match="no linear form"):
        forms.form(T.mul(t, t))


# ---- Keccak, bit-vectors, unknowns ----


def test_equal_words_have_equal_normal_forms() -> None:
    a, b, c = (T.var(name, 64) for name in "abc")
    algebra = Algebra()
    chi = T.xor(a, T.and_(T.not_(b), c))
    bcax = T.xor(T.xor(T.and_(b, c), c), a)
    lazy = T.rol(T.xor(T.rol(a, 7), T.and_(T.not_(T.rol(b, 7)), T.rol(c, 7))), 57)
    one, two, three, other = algebra.normal([chi, bcax, lazy, T.xor(a, T.and_(b, c))], [a, b, c])
    assert one == two == three != other


@pytest.mark.parametrize("turn", [0, 5])
def test_an_operand_loses_its_ands_with_the_other(turn: int) -> None:
    """Of chi's row, word x + 1 does instead of what it is made of."""
    a, b, c, d = (T.var(name, 64) for name in "abcd")
    x, y = T.rol(T.xor(a, d), turn), T.xor(b, T.const(0xB4C3B8399860BF1D, 64))
    next_word, other_word = T.xor(x, T.and_(T.not_(y), c)), T.xor(x, T.and_(y, c))
    chi = [T.and_(T.not_(word), y) for word in (x, next_word, other_word)]
    one, two, other = Algebra().normal(chi, [a, b, c, d])
    assert one == two != other
    with_c = [T.and_(word, y) for word in (T.xor(x, c), other_word)]
    one, two = Algebra().normal([*with_c], [a, b, c, d])
    assert one == two


@pytest.mark.parametrize("constant", [0xB4C3B8399860BF1D, 0xAAAAAAAAAAAAAAAA, 1, 0])
def test_a_constant_is_no_hint_of_a_complement(constant: int) -> None:
    """Half of the first one's bits are set, and half of its complement's."""
    a, b = (T.var(name, 64) for name in "ab")
    x, c = T.xor(a, T.const(constant, 64)), T.const(-1, 64)
    turned = T.rol(T.and_(T.rol(T.not_(x), 3), T.rol(b, 3)), 61)
    one, two = Algebra().normal([T.xor(turned, b), T.and_(T.xor(T.not_(x), c), b)], [a, b])
    assert one == two


def test_rotation_of_a_word() -> None:
    assert rotate(1 << 63, 1) == 1
    x = T.var("x", 64)
    with pytest.raises(NotProved, match="neither"):
        Algebra().normal([T.add(x, T.shl(x, 3))], [x])


def circuit(x: Node, constant: int) -> Node:
    """The S-box of x + constant as a sum of products of eight bits, in an order that no S-box has."""
    bits = T.split(x, 1)
    result = [T.const(0, 1)] * 8
    for value in range(256):
        chosen = [bit if value >> k & 1 else T.not_(bit) for k, bit in enumerate(bits)]
        product = functools.reduce(T.and_, chosen)
        result = [T.xor(r, product) if T.SBOX[value ^ constant] >> k & 1 else r for k, r in enumerate(result)]
    return T.concat(result)


def test_a_circuit_of_the_s_box_is_one() -> None:
    x, key = T.var("x", 8), T.var("key", 8)
    state = T.xor(x, key)
    domain = Bits([x, key])
    wanted = domain.sets([T.sbox(state), T.sbox(T.xor(state, T.const(7, 8))), T.sbox(x)])
    assert domain.sets([circuit(state, 0), circuit(state, 7), circuit(x, 0)]) == wanted
    (wrong,) = domain.bits([circuit(state, 1)])
    assert any(bit.tables for bit in wrong)
    with pytest.raises(NotProved, match="no sum of bits"):
        domain.sets([circuit(state, 1)])
    with pytest.raises(NotProved, match="neither XOR"):
        domain.sets([T.add(x, key)])


def test_an_and_of_other_bits_is_unlike_all() -> None:
    x, y = T.var("x", 8), T.var("y", 8)
    domain = Bits([x, y])
    (product,), (again,) = domain.sets([T.and_(x, y)]), domain.sets([T.and_(x, y)])
    assert product == again != domain.sets([T.and_(x, T.const(255, 8))])[0]


def test_the_solver_finds_the_counterexample() -> None:
    x = T.var("x", 16)
    limit = T.const(Q, 16)
    bitvector.check(T.eq(T.ult(x, limit), T.not_(T.ult(T.const(Q - 1, 16), x))), "two comparisons")
    with pytest.raises(NotProved, match="x = 3329"):
        bitvector.check(T.eq(T.ult(x, limit), T.not_(T.ult(limit, x))), "an off by one")


def test_declassified_bytes_become_public_in_all_copies() -> None:
    memory = DeclassifyingMemory({0x2000: b"\x05\x06"})
    memory.region(0x1000, 8, True, "workspace")
    memory.region(0x2000, 2, True, "output")
    secret = unknown_bytes(8)
    memory.put(0x1000, secret)
    memory.store(0x2000, memory.load(0x1003, 2))
    assert memory.lanes(0x1000, 8, 8) == [*secret[:3], *constant_bytes(b"\x05\x06"), *secret[5:]]
    assert memory.lanes(0x2000, 2, 8) == constant_bytes(b"\x05\x06")
    assert memory.declassified == {0x2000, 0x2001}


def test_declassified_bytes_become_public_where_they_were_shifted() -> None:
    memory = DeclassifyingMemory({0x2000: b"\x05\x06"})
    memory.region(0x1000, 4, True, "workspace")
    memory.region(0x2000, 2, True, "output")
    secret = T.var("secret", 16)
    memory.store(0x1000, T.shl(T.zext(secret, 32), 4))
    memory.store(0x2000, T.rol(secret, 4))
    assert memory.lanes(0x1000, 4, 8) == constant_bytes(b"\x00\x06\x05\x00")


# ---- functions of a difference ----


def test_a_function_of_a_difference() -> None:
    x, y = T.var("x", 11), T.var("y", 11)
    difference = T.sub(T.sext(x, 16), T.sext(y, 16))
    term = T.and_(T.add(difference, T.const(5, 16)), T.const(7, 16))
    assert difference_of(term, x, y) == difference
    assert difference_of(term, y, x) is None, "the other way round"
    assert difference_of(T.xor(term, T.sext(x, 16)), x, y) is None, "of x as well"
    assert difference_of(T.sub(T.zext(x, 16), T.zext(y, 16)), x, y) is None, "of other numbers"
    bound = 1 << 11
    check_values(
        term,
        T.urem(T.add(difference, T.const(5 + 8 * bound, 16)), T.const(8, 16)),
        difference,
        range(1 - bound, bound),
        "it",
    )
    with pytest.raises(NotProved, match="it is 5 instead of 4 where the difference is 0"):
        check_values(term, T.const(4, 16), difference, range(2), "it")


# ---- sums modulo a power of 2 ----


def test_a_sum_is_its_multiples_whatever_its_order() -> None:
    x, y = words("x", "y")
    term = T.sub(T.add(T.mul(x, T.const(3, 16)), T.shl(y, 1)), T.add(x, T.const(5, 16)))
    Affine(13).check(term, {x: 2, y: 2, None: -5}, "the sum")
    with pytest.raises(NotProved, match="the sum has 2 y instead of 1"):
        Affine(13).check(term, {x: 2, y: 1, None: -5}, "the sum")


def test_what_is_cut_off_is_no_sum() -> None:
    (x,) = words("x")
    with pytest.raises(NotProved, match="is no sum"):
        Affine(13).check(T.zext(T.extract(T.add(x, T.const(1, 16)), 0, 12), 16), {x: 1, None: 1}, "the sum")


# ---- sums of words with polynomials as bits ----


def parts_of_choice(x: Node, y: Node, z: Node) -> tuple[Node, Node]:
    return T.and_(x, y), T.and_(T.not_(x), z)


def test_sums_of_choices_in_any_order() -> None:
    x, y, z = words("x", "y", "z")
    one, other = parts_of_choice(x, y, z)
    turned, three = T.rol(T.add(x, z), 5), T.const(3, 16)
    wanted = T.add(T.add(T.xor(one, other), turned), three)
    for got in (
        T.add(T.add(T.add(three, one), turned), other),
        T.add(T.sub(T.add(turned, y), T.sub(y, three)), T.xor(z, T.and_(x, T.xor(y, z)))),
        T.add(T.add(T.or_(one, other), T.const(5, 16)), T.add(turned, T.const(-2, 16))),
    ):
        Sums([x, y, z]).check(got, wanted, "the sum")


def test_sums_that_are_wrong() -> None:
    """Words that share bits do not add up as XOR does; a word that is added twice is not one that is added once."""
    x, y, z = words("x", "y", "z")
    one, other = parts_of_choice(x, y, z)
    wanted = T.add(T.add(one, other), z)
    for got, told in (
        (T.add(T.add(one, T.and_(x, z)), z), "is 0x404 instead of 0x505 where every byte of the k-th input is 1 k"),
        (T.add(T.add(T.add(T.xor(one, other), one), other), z), "is 0x707 instead of 0x505 where"),
        (T.xor(T.add(one, other), z), "is 0x101 instead of 0x505 where"),
        (T.add(T.rol(T.add(one, other), 8), z), "is not seen to be the formula's"),
        (T.add(T.add(one, other), T.var("secret", 16)), "secret, which is no input"),
        (T.mul(x, y), "mul of 16 bits"),
    ):
        with pytest.raises(NotProved, match=told):
            Sums([x, y, z]).check(got, wanted, "the sum")


def test_products_of_bits_cancel_in_pairs() -> None:
    x, y = words("x", "y")
    either = T.xor(T.xor(x, y), T.and_(x, y))
    domain = Sums([x, y])
    domain.check(T.and_(x, either), x, "x where x or y is")
    domain.check(T.mk("and", 16, x, T.not_(x)), T.const(0, 16), "nothing")
    with pytest.raises(NotProved, match="x is 0x0 instead of 0x101"):
        domain.check(T.and_(x, T.not_(either)), x, "x")


@pytest.mark.parametrize("seed", range(8))
def test_words_that_are_one_have_one_value(seed: int) -> None:
    """Terms of random shape over few leaves: where the domain says that two are equal, they are."""
    rng, leaves = random.Random(seed), [T.var(f"leaf {i}", 8) for i in range(3)]
    terms = [*leaves, *(T.const(v, 8) for v in (0, 1, 0x0F, 0xFF))]
    for _ in range(400):
        x, y = rng.choices(terms[:30], k=2)
        terms.append(rng.choice([T.add, T.sub, T.xor, T.and_, T.or_])(x, rng.choice([y, T.not_(y), T.rol(y, 3)])))
    values = {v: np.frombuffer(rng.randbytes(512), dtype=np.uint8).astype(np.uint64) for v in leaves}
    columns = [np.broadcast_to(c, 512).tobytes() for c in T.evaluate(terms, values)]
    by_word: dict[int, set[bytes]] = {}
    for word, column in zip(Sums(leaves).words(terms), columns, strict=True):
        by_word.setdefault(word, set()).add(column)
    assert all(len(found) == 1 for found in by_word.values())
    assert len(by_word) < len(set(terms))


# ---- names ----


class Still(Processor):
    """A machine with instructions that do nothing."""

    def step(self) -> None:
        pass

    def decode(self, at: int) -> Decoded:
        raise NotImplementedError

    @classmethod
    def addresses(cls, code: bytes, at: int) -> Iterator[int]:
        raise NotImplementedError

    def begin_call(self, arguments: Sequence[int]) -> None:
        raise NotImplementedError

    def kept(self) -> dict[str, Node]:
        raise NotImplementedError

    def end_model(self) -> None:
        raise NotImplementedError


def test_a_sum_that_has_a_name_is_not_cut() -> None:
    x, y = T.var("x", 32), T.var("y", 32)
    total = T.add(x, y)
    named = joined(Naming, Still)(cast(Image, SimpleNamespace(imports={})), StackMemory())
    named.general, named.vector = [T.concat([total, y]), x], [[T.sub(x, y)]]
    named.step()
    low = T.extract(named.general[0], 0, 20)
    assert T.OP[T.extract(total, 0, 20)] == "add"
    assert T.OP[low] == "cat"
    again = T.xor(T.zext(T.rol(low, 3), 32), named.vector[0][0])
    assert T.evaluate(without_names([again]), {x: 7, y: 9}) == [((7 + 9) << 3) ^ (7 - 9) % 2**32]
    assert named.general[1] == x


# ---- few classes of many inputs ----


def remainder(x: Node) -> Node:
    return T.urem(x, T.const(3, 16))


def test_two_words_of_which_remainders_matter() -> None:
    x, y = words("x", "y")
    wanted = remainder(T.add(remainder(x), remainder(y)))
    found = T.sub(T.add(remainder(x), remainder(y)), T.const(0, 16))
    check_by_classes(remainder(found), wanted, "the sum")
    with pytest.raises(NotProved, match="the sum is 3 instead of 0"):
        check_by_classes(found, wanted, "the sum")


# ---- cases ----


def candidates(count: int) -> Candidates:
    return Candidates([T.var(f"candidate {i}", 12) for i in range(count)], Q)


def test_values_on_a_path() -> None:
    c = candidates(4)
    both, all_four = c.count(0b11), c.count(0b1111)
    assert c.possible(all_four, ()) == [0, 1, 2, 3, 4]
    assert c.possible(all_four, ((both, 2),)) == [2, 3, 4]
    assert c.possible(both, ((all_four, 4),)) == [2]
    assert c.possible(c.words[0], ()) == []


def test_a_path_links_candidates() -> None:
    c = candidates(4)
    assert c.possible(c.count(0b1100), ((c.count(0b0011), 1), (c.count(0b1111), 3))) == [2]


def test_a_bound_that_is_wrong_is_no_case() -> None:
    c = candidates(1)
    assert c.possible(T.ult(c.words[0], T.const(Q + 1, 16)), ()) == []


def test_bits_beside_a_candidate_may_say_nothing() -> None:
    c = candidates(2)
    first, second = (T.extract(word, 0, 12) for word in c.words)
    word = T.concat([T.extract(first, 8, 4), second])
    assert c.possible(T.ult(word, T.const(16 * Q, 16)), ()) == [0, 1]
    assert c.support(T.ult(word, T.const(16 * Q, 16))) == 0b10
    assert c.support(T.ult(word, T.const(16 * Q + 1, 16))) == 0b11
    assert c.support(T.ult(T.concat([T.extract(first, 0, 4), second]), T.const(16 * Q, 16))) == 0b10
    assert c.possible(T.ult(T.concat([second, T.extract(first, 8, 4)]), T.const(Q, 16)), ()) == []


def test_the_next_accepted_value() -> None:
    c = candidates(3)
    second = T.ite(c.accepted[0], c.words[1], c.words[2])
    path = ((c.count(0b111), 2),)
    with pytest.raises(NotProved, match="is candidate 1 instead of 2"):
        c.check_nth(second, 1, 0b111, path, "value 1")
    right = T.ite(T.and_(c.accepted[0], c.accepted[1]), c.words[1], c.words[2])
    c.check_nth(right, 1, 0b111, path, "value 1")
    with pytest.raises(NotProved, match="a value is made of add"):
        c.check_nth(T.add(right, T.const(1, 16)), 1, 0b111, path, "value 1")


def test_paths_read_nothing_that_was_not_written() -> None:
    memory = Remembering()
    memory.region(0x1000, 64, True, "stack", own=True)
    with pytest.raises(Violation, match="uninitialised"):
        memory.load(0x1000, 8)


def test_a_polynomial_is_written_where_there_are_places_whatever_the_number() -> None:
    memory, at = Remembering(), 0x10000
    memory.region(at, 512, True, "the polynomial by its address")
    memory.window(at, 256)
    memory.check(at + 510, 2, True)
    with pytest.raises(Violation, match="from the next value"):
        memory.check(at + 2 * FAR, 2, True)  # the number is no variable
    memory.before = (3, 240)
    memory.check(at + 2 * FAR - 6, 6 + 32, True)
    for low, size in ((-8, 2), (0, 34)):
        with pytest.raises(Violation, match="from the next value, behind 3 to 240"):
            memory.check(at + 2 * FAR + low, size, True)
    with pytest.raises(Violation, match="whatever the number"):
        memory.check(at + 510, 2, True)


def test_what_does_not_depend_on_the_number_of_values_before() -> None:
    c, number = candidates(2), T.var("number", 64)
    c.count_before(number)
    c.domain = (0, 1, 254)
    accepted = c.count(0b11)
    assert c.without_before(T.sub(T.add(number, accepted), number), ()) == accepted
    room = T.sub(T.const(256, 64), number)
    fits = T.ite(T.ult(accepted, room), accepted, T.const(7, 64))
    assert c.depends_on_before(c.without_before(fits, ()))
    assert not c.depends_on_before(c.without_before(fits, ((accepted, 1),)))
    assert c.possible(fits, ()) == [0, 1, 2, 7]


def test_what_does_not_depend_on_the_number_is_tried_once() -> None:
    """Of 16 candidates with 255 numbers before: too many points, but for how few values the count has."""
    c, number = candidates(16), T.var("number", 64)
    c.count_before(number)
    c.domain = tuple(range(255))
    chosen = T.zext(T.concat(c.accepted), 64)
    assert c.possible(T.ult(T.add(number, T.popcnt(chosen)), T.const(270, 64)), ()) == [0, 1]
    assert c.possible(T.ult(number, T.and_(chosen, T.const(0xFF00, 64))), ()) == [0, 1]


def test_many_points_are_looked_through_for_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = candidates(4), candidates(4)
    both, all_four = few.count(0b11), few.count(0b1111)
    for path in ((), ((both, 2),), ((both, 2), (all_four, 2)), ((both, 3),)):
        with monkeypatch.context() as patch:
            patch.setattr(cases, "FEW", 0)
            found = many.possible(all_four, path)
        assert found == few.possible(all_four, path)


def test_constants_are_folded_where_a_term_is_made_again() -> None:
    x = T.var("x", 16)
    shifted = T.shlv(T.sext(x, 32), T.zext(x, 32))
    assert rebuilt(shifted, {x: T.const(3, 16)}) == T.const(24, 32)


def test_an_end_with_another_number_than_is_told() -> None:
    two, three = T.const(2, 64), T.const(3, 64)
    rejection._check_end(Outcome(4, two, two, two), 4)
    with pytest.raises(NotProved, match="the number told is another"):
        rejection._check_end(Outcome(4, two, three, two), 4)
    with pytest.raises(NotProved, match="it ends after 4 of 6 candidates with 2 values"):
        rejection._check_end(Outcome(4, two, two, two), 6)


def test_a_count_of_decided_and_other_candidates() -> None:
    """As long as a register has one, the step goes on; with one of either kind it may end."""
    c = candidates(4)
    one, zero, first, *others = T.const(1, 1), T.const(0, 1), *c.accepted
    for bits, ahead in (([first, *others], True), ([one, *others], True), ([zero, *others], False), (others, False)):
        register = T.zext(T.popcnt(T.zext(T.concat(bits), 32)), 64)
        machine = SimpleNamespace(
            _candidates=lambda n: c.support(n) & c.all, save=lambda n=register: SimpleNamespace(general=[n])
        )
        assert Exploring._counts_ahead(cast(Exploring, machine), 0b0001) is ahead
        assert not Exploring._counts_ahead(cast(Exploring, machine), 0b1111)


def test_members_of_a_set() -> None:
    assert members(0b10110) == [1, 2, 4]


# ---- comparators ----


def exchanged(x: Node, y: Node) -> tuple[Node, Node]:
    """As the portable kernel does."""
    difference = T.and_(T.sext(T.slt(y, x), 32), T.sub(y, x))
    return T.add(x, difference), T.sub(y, difference)


def sorted_by(network: list[tuple[int, int]], a: list[Node]) -> list[Node]:
    a = list(a)
    for i, j in network:
        a[i], a[j] = exchanged(a[i], a[j])
    return a


def test_a_network_that_sorts() -> None:
    a = [T.var(f"a[{i}]", 32) for i in range(4)]
    network = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)]
    assert comparators.check_sorts(a, sorted_by(network, a)) == 5
    with pytest.raises(NotProved, match="place 1 is 1 where 2 of 4 words are 1"):
        comparators.check_sorts(a, sorted_by(network[:-1], a))
    with pytest.raises(NotProved, match="place 0 is 1 where 1 of 4 words are 1"):
        comparators.check_sorts(a, sorted_by(network, a)[::-1])


def test_a_word_twice_or_not_at_all_is_not_sorted() -> None:
    a = [T.var(f"a[{i}]", 32) for i in range(2)]
    low, high = exchanged(*a)
    for wrong in ([low, low], [high, high], [a[0], high], [low, a[1]], a):
        with pytest.raises(NotProved, match="of 2 words are 1"):
            comparators.check_sorts(a, wrong)


def test_the_top_falls_away() -> None:
    a = [T.var(f"a[{i}]", 32) for i in range(3)]
    network = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)]
    words = sorted_by(network, [a[0], comparators.TOP, a[1], a[2]])
    assert comparators.check_sorts(a, words[:3]) == 3
    with pytest.raises(NotProved, match="place 2 has no input"):
        comparators.check_sorts(a, words[1:])


def test_a_minimum_by_a_difference_that_overflows_is_refused() -> None:
    x, y = (T.var(name, 32) for name in "xy")
    less = T.slt(T.sub(y, x), T.const(0, 32))
    with pytest.raises(NotProved, match="that a word is the maximum is false at x = 2147483648"):
        comparators.check_sorts([x, y], [T.ite(less, y, x), T.ite(less, x, y)])


def test_comparators_of_two_words_in_one() -> None:
    a = [T.var(f"a[{i}]", 32) for i in range(4)]
    x, y = T.concat(a[:2]), T.concat(a[2:])
    less = T.concat(T.sext(T.slt(q, p), 32) for p, q in zip(a[:2], a[2:], strict=True))
    low = T.or_(T.and_(y, less), T.and_(x, T.not_(less)))
    high = T.or_(T.and_(x, less), T.and_(y, T.not_(less)))
    words = [*T.split(low, 32), *T.split(high, 32)]
    rest = [(0, 1), (2, 3), (1, 2)]
    assert comparators.check_sorts(a, sorted_by(rest, words)) == 5


def test_too_many_vectors_are_refused() -> None:
    a = [T.var(f"a[{i}]", 32) for i in range(20)]
    with pytest.raises(NotProved, match="too many to try them"):
        comparators.check_sorts(a, a)


# ---- tallies ----


def some_trits(count: int) -> list[Node]:
    return [T.zext(T.var(f"t[{i}]", 2), 8) for i in range(count)]


def total_of(words: list[Node], w: int) -> Node:
    total = T.const(0, w)
    for x in words:
        total = T.add(total, T.zext(x, w))
    return total


def test_a_tally_of_ones() -> None:
    t, tallies = some_trits(60), Tallies(3)
    ones = [T.and_(x, T.const(1, 8)) for x in t]
    number = tallies.name(T.var("the number", 16), (T.zext(T.eq(x, T.const(1, 8)), 16) for x in t))
    wanted = T.ult(T.const(7, 16), number)
    lanes = T.add(T.zext(total_of(ones[::2], 8), 16), T.zext(total_of(ones[1::2], 8), 16))
    for got in (total_of(ones, 16), lanes):
        tallies.check(T.ult(T.const(7, 16), got), wanted, "more than seven")
        tallies.check(T.ult(T.const(9, 16), T.add(got, T.const(2, 16))), wanted, "more than seven")
    with pytest.raises(NotProved, match="more than seven is 1 instead of 0 at the number = 7"):
        tallies.check(T.ult(T.const(6, 16), lanes), wanted, "more than seven")
    with pytest.raises(NotProved, match="depends on a sum from 0 to 120 that is not the formula's"):
        tallies.check(T.ult(T.const(7, 16), total_of(t, 16)), wanted, "more than seven")


def test_a_tally_that_may_overflow_is_refused() -> None:
    t, tallies = some_trits(130), Tallies(3)
    number = tallies.name(T.var("the sum", 16), (T.zext(x, 16) for x in t))
    with pytest.raises(NotProved, match="the sum is 0 instead of 256 at the sum = 256"):
        tallies.check(T.zext(total_of(t, 8), 16), number, "the sum")
    tallies.check(total_of(t, 16), number, "the sum")


def test_a_tally_of_products_of_neighbours() -> None:
    t, tallies = some_trits(20), Tallies(3)
    products = [T.and_(x, y) for x, y in pairwise(t)]
    total = tallies.name(T.var("the sum", 16), (T.zext(p, 16) for p in products))
    odd = T.zext(T.extract(total_of(products, 8), 0, 1), 8)
    wanted = T.xor(t[3], T.zext(T.extract(total, 0, 1), 8))
    tallies.check(T.xor(t[3], odd), wanted, "a bit")
    with pytest.raises(NotProved, match="a bit is"):
        tallies.check(T.xor(t[4], odd), wanted, "a bit")


# ---- every ----


def test_a_word_that_is_0_where_every_variable_is_small() -> None:
    x = [T.var(f"x[{i}]", 8) for i in range(5)]
    small = np.arange(256) < 4
    good = T.zext(T.extract(x[0], 2, 6), 8)
    for v in x[1:]:
        good = T.or_(T.and_(v, T.const(0xFC, 8)), good)
    check_zero_where_every(good, dict.fromkeys(x, small), "a word")
    most = x[0]
    for v in x[1:]:
        most = T.ite(T.ult(most, v), v, most)
    above = T.sext(T.ult(T.const(3, 8), most), 16)
    sign = T.extract(T.sub(T.const(0, 32), T.zext(above, 32)), 31, 1)
    check_zero_where_every(sign, dict.fromkeys(x, small), "a word")
    with pytest.raises(NotProved, match=r"a word is not 0 with x\[0\] = 4"):
        check_zero_where_every(sign, dict.fromkeys(x, np.arange(256) < 5), "a word")
    with pytest.raises(NotProved, match=r"a word is 0 with x\[4\] = 4"):
        check_zero_where_every(T.extract(x[0], 2, 6), {x[0]: small, x[4]: small}, "a word")


def test_what_is_not_an_or_is_refused() -> None:
    x, y = (T.var(name, 8) for name in "xy")
    none = dict.fromkeys((x, y), np.arange(256) == 0)
    for wrong in (
        T.add(x, y),
        T.and_(x, y),
        T.ite(T.ult(x, y), x, y),
        T.extract(T.sub(T.const(0, 8), T.or_(x, y)), 7, 1),
    ):
        with pytest.raises(NotProved, match="is not seen to be 0"):
            check_zero_where_every(wrong, none, "a word")
