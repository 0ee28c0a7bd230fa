"""Saber's products by transforms modulo one prime of 26 bits: saber_transforms.py tells the method.

A coefficient of the product, summed over l factors, is less than half the prime in absolute value; the code's result is
the lower half of a word that has the same residue and is as small, so that it is the product.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np

from proofs.domains import NotProved
from proofs.domains.forms import Forms
from proofs.domains.linear import Form
from proofs.domains.products import Atom, Products
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import saber_transforms as transforms
from proofs.theorems.saber_transforms import LARGE_INTERVAL, MOST, RANKS, SMALL, SMALL_INTERVAL, Method, N
from proofs.theorems.target import Kernel, Target

PRIME = 6800**2 + 1
WORDS_OF_G = 7 * N // 4  # of four coefficients, three times another factor too


def prove(target: Target, kernel: Kernel, place: Sequence[int], ranks: Sequence[int] = RANKS) -> str:
    """Coefficient i of a polynomial is at place[i]."""
    method = Method(target, kernel, 32)
    f = _evaluated(method, "evaluate", N, LARGE_INTERVAL)
    g = _evaluated(method, "evaluate_small", WORDS_OF_G, SMALL_INTERVAL)
    for rank in ranks:
        _prove_rank(method, place, f, g, rank)
    return f"summed over l = {', '.join(map(str, ranks))}, for all words f and |g| <= {SMALL}"


def _prove_rank(method: Method, place: Sequence[int], f: Sequence[Form], g: Sequence[Form], rank: int) -> None:
    f_words = transforms.names("f", rank, len(f), method.width)
    g_words = transforms.names("g", rank, len(g), method.width)
    h, sums = transforms.inner_product(method, f_words, g_words, N)
    domain = Products(PRIME, [*transforms.atoms(f_words, f), *transforms.atoms(g_words, g)])
    values = [domain.value(n) for n in sums]
    inverse = Forms(PRIME, [Atom(n, v.low, v.high) for n, v in zip(sums, values, strict=True)])
    results = [inverse.form(n) for n in _wide(h)]
    for i, result in enumerate(results):
        if MOST + max(-result.low, result.high) >= PRIME:
            raise NotProved(f"word {i} in [{result.low}, {result.high}] need not be the product")
    pairs = [transforms.same_in_all(domain.modulo_q(v), f_words, g_words) for v in values]
    rows = np.array([form.row for form in f]), np.array([form.row for form in g])
    transforms.check_product(PRIME, np.array([result.row for result in results]), pairs, rows, place)


def _evaluated(method: Method, name: str, count: int, interval: tuple[int, int]) -> list[Form]:
    words, residues = transforms.evaluated(method, name, count)
    domain = Forms(PRIME, [Atom(n, *interval) for n in residues])
    return [domain.form(n) for n in words]


def _wide(h: Sequence[Node]) -> list[Node]:
    """The words of 32 bits of which these are the lower halves, among all that were computed."""
    wide = {T.extract(n, 0, 16): n for n in range(len(T.OP)) if T.W[n] == 32 and T.OP[n] in ("add", "sub")}
    if missing := [i for i, n in enumerate(h) if n not in wide]:
        raise NotProved(f"coefficient {missing[0]} is not the lower half of a sum of 32 bits")
    return [wide[n] for n in h]
