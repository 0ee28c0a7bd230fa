"""Saber's products by transforms modulo one prime of 26 bits: saber_transforms.py describes the method.

A coefficient of the product, summed over l factors, is less than half the prime in absolute value; the code's result is
the lower half of a word that has the same residue and is as small, so that it is the product.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from proofs.domains import NotProved
from proofs.domains.forms import Forms
from proofs.domains.linear import Form
from proofs.domains.products import Atom, Products
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import saber_transforms as transforms
from proofs.theorems.saber_contracts import N, Product
from proofs.theorems.saber_transforms import Factor, Method
from proofs.theorems.target import Kernel, Target

PRIME = 6800**2 + 1
WORDS = {"evaluate": N, "evaluate_small": 7 * N // 4}  # three of four times another factor too


def prove(contract: Product, target: Target, kernel: Kernel, place: Sequence[int]) -> str:
    """Coefficient i of a polynomial is at place[i]."""
    return transforms.prove(Method(contract, target, kernel, 32), _evaluated, partial(_prove_rank, place))


def _prove_rank(place: Sequence[int], method: Method, f: Factor, g: Factor) -> None:
    h, sums = transforms.inner_product(method, f, g, N)
    domain = Products(PRIME, [*f.atoms(), *g.atoms()])
    values = [domain.value(n) for n in sums]
    inverse = Forms(PRIME, [Atom(n, v.low, v.high) for n, v in zip(sums, values, strict=True)])
    results = [inverse.form(n) for n in _wide(h)]
    for i, result in enumerate(results):
        if method.most + max(-result.low, result.high) >= PRIME:
            raise NotProved(f"word {i} in [{result.low}, {result.high}] need not be the product")
    pairs = [transforms.same_in_all(domain.modulo_q(v), f, g) for v in values]
    transforms.check_product(PRIME, np.array([result.row for result in results]), pairs, f, g, place)


def _evaluated(method: Method, name: str, interval: tuple[int, int]) -> list[Form]:
    words, residues = transforms.evaluated(method, name, WORDS[name])
    domain = Forms(PRIME, [Atom(n, *interval) for n in residues])
    return [domain.form(n) for n in words]


def _wide(h: Sequence[Node]) -> list[Node]:
    """The words of 32 bits with these lower halves, among all that were computed."""
    wide = {T.extract(n, 0, 16): n for n in range(len(T.OP)) if T.W[n] == 32 and T.OP[n] in ("add", "sub")}
    if missing := [i for i, n in enumerate(h) if n not in wide]:
        raise NotProved(f"coefficient {missing[0]} is not the lower half of a sum of 32 bits")
    return [wide[n] for n in h]
