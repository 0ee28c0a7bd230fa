"""Terms: folding of constants, structure and evaluation agree. SPDX-License-Identifier: Apache-2.0"""

import random
from collections.abc import Callable

import numpy as np
import pytest

from proofs.machine import terms as T

BINARY = ["and_", "or_", "xor", "add", "sub", "mul", "umulh", "smulh", "shlv", "lshrv", "ashrv", "eq", "ult", "slt"]
UNARY = ["not_", "neg", "popcnt", "is_zero"]
EXTREMES = [0, 1, 2, 7, 8, -1, -2]


def values(w: int) -> list[int]:
    rng = random.Random(w)
    return [
        v % (1 << w) for v in [*EXTREMES, 1 << (w - 1), (1 << (w - 1)) - 1, *(rng.getrandbits(w) for _ in range(9))]
    ]


@pytest.mark.parametrize("w", [8, 16, 32, 64])
@pytest.mark.parametrize("name", [*BINARY, "clmul", "clmulh"])
def test_two_constants_fold_to_what_numpy_says(name: str, w: int) -> None:
    f: Callable[[int, int], int] = getattr(T, name)
    x, y = T.var("x", w), T.var("y", w)
    pairs = [(a, b) for a in values(w) for b in values(w)]
    (evaluated,) = T.evaluate([f(x, y)], {x: [a for a, _ in pairs], y: [b for _, b in pairs]})
    assert [T.val(f(T.const(a, w), T.const(b, w))) for a, b in pairs] == evaluated.tolist()


@pytest.mark.parametrize("w", [8, 16, 32, 64])
@pytest.mark.parametrize("name", UNARY)
def test_one_constant_folds_to_what_numpy_says(name: str, w: int) -> None:
    f: Callable[[int], int] = getattr(T, name)
    x = T.var("x", w)
    (evaluated,) = T.evaluate([f(x)], {x: values(w)})
    assert [T.val(f(T.const(a, w))) for a in values(w)] == evaluated.tolist()


def random_term(rng: random.Random, leaves: list[int], depth: int) -> int:
    """A term of 16 bits, by constructors that rewrite."""
    if depth == 0:
        return rng.choice([*leaves, T.const(rng.choice([0, 1, 0xFF, 0xFF00, 0xFFFF, 0x0FF0]), 16)])
    x, y = (random_term(rng, leaves, depth - 1) for _ in range(2))
    k = rng.randrange(17)
    made = [
        lambda: getattr(T, rng.choice(BINARY[:6]))(x, y),
        lambda: rng.choice([T.shl, T.lshr, T.ashr, T.rol])(x, k),
        lambda: T.concat([T.extract(x, 5, 11), T.extract(y, k % 12, 5)]),
        lambda: T.sext(T.extract(x, k % 12, 5), 16),
        lambda: T.extract(T.mul(T.sext(x, 32), T.sext(y, 32)), k, 16),
        lambda: T.not_(x),
        lambda: T.ite(T.slt(x, y), x, y),
    ]
    return rng.choice(made)()


def test_rewriting_keeps_the_value() -> None:
    """A term of variables, evaluated, is what the same constructors make of constants."""
    for seed in range(400):
        variables = [T.var(f"v{i}", 16) for i in range(3)]
        numbers = [random.Random(~seed + i).choice(values(16)) for i in range(3)]
        term = random_term(random.Random(seed), variables, 4)
        constant = random_term(random.Random(seed), [T.const(n, 16) for n in numbers], 4)
        (evaluated,) = T.evaluate([term], dict(zip(variables, numbers, strict=True)))
        assert int(evaluated) == T.val(constant), seed


def test_packing_becomes_structure() -> None:
    x, y = T.var("x", 16), T.var("y", 16)
    packed = T.or_(T.and_(x, T.const(0xFFF, 16)), T.shl(y, 12))
    assert packed == T.concat([T.extract(x, 0, 12), T.extract(y, 0, 4)])


def test_unknowns_differ() -> None:
    assert T.fresh(8) != T.fresh(8)
    x = T.var("x", 8)
    with T.results_unknown():
        assert T.is_unknown(T.add(x, T.const(1, 8)))
        assert T.val(T.add(T.const(1, 8), T.const(1, 8))) == 2
    assert not T.is_unknown(T.add(x, T.const(1, 8)))


def test_the_sbox_is_that_of_fips_197() -> None:
    """FIPS 197, figure 7: the first row, and {53}."""
    assert bytes(T.SBOX[:16]).hex() == "637c777bf26b6fc53001672bfed7ab76"
    assert T.SBOX[0x53] == 0xED
    assert len(set(T.SBOX)) == 256


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: T.add(T.const(1, 8), T.const(1, 16)), "operands of 8 and 16 bits"),
        (lambda: T.extract(T.var("x", 8), 4, 8), "bits 4 to 12 of a term of 8"),
        (lambda: T.cat([]), "cat of 0 bits"),
        (lambda: T.val(T.var("x", 8)), "no constant"),
    ],
)
def test_nonsense_is_refused(make: Callable[[], int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_wide_words_are_not_evaluated() -> None:
    x = T.var("x", 65)
    with pytest.raises(ValueError, match="wider"):
        T.evaluate([T.not_(x)], {x: np.zeros(1)})
