"""Saber's products by transforms modulo two primes of 13 bits; the Chinese remainder theorem combines their results.
saber_transforms.py describes the method.

The combination must be the only integer within the product's bound that has both residues.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from functools import partial, reduce
from operator import or_

import numpy as np

from proofs.domains import NotProved
from proofs.domains.linear import Form, Input, Integers, Linear, Table, signed
from proofs.domains.products import Products
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import saber_transforms as transforms
from proofs.theorems.saber_contracts import N, Product
from proofs.theorems.saber_transforms import Factor, Method
from proofs.theorems.target import Kernel, Target

PRIMES = (7681, 7937)  # words of N by N are of one and of the other
WORDS = {"evaluate": 2 * N, "evaluate_small": 4 * N}  # of each prime two words of g for a word of f


def prove(contract: Product, target: Target, kernel: Kernel, place: Sequence[int]) -> str:
    """Coefficient i of a polynomial is at place[i]."""
    return transforms.prove(Method(contract, target, kernel, 16), _evaluated, partial(_prove_rank, place))


def _prove_rank(place: Sequence[int], method: Method, f: Factor, g: Factor) -> None:
    h, every = transforms.inner_product(method, f, g, len(PRIMES) * N)
    sums = [every[p * N : (p + 1) * N] for p in range(len(PRIMES))]
    products = [Products(prime, [*f.atoms(), *g.atoms()]) for prime in PRIMES]
    values = [[domain.value(n) for n in sums[p]] for p, domain in enumerate(products)]
    inverses = [
        Linear(prime, [Input(n, v.low, v.high) for n, v in zip(sums[p], values[p], strict=True)])
        for p, prime in enumerate(PRIMES)
    ]
    found = [Combination(inverses, _leaves(n, sums)).residues(n, method.most) for n in h]
    for p, prime in enumerate(PRIMES):
        pairs = [transforms.same_in_all(products[p].modulo_q(v), f, g) for v in values[p]]
        transforms.check_product(prime, np.array([rows[p] for rows in found]), pairs, f, g, place)


def _evaluated(method: Method, name: str, interval: tuple[int, int]) -> list[Form]:
    words, residues = transforms.evaluated(method, name, WORDS[name])
    domains = [Linear(prime, [Input(T.sext(x, 16), *interval) for x in residues]) for prime in PRIMES]
    forms: list[Form] = []
    for i in range(0, len(words), N):
        forms += domains[i // N % len(PRIMES)].forms(words[i : i + N])
    return forms


# ---- both primes ----


def _leaves(h: Node, sums: Sequence[Sequence[Node]]) -> list[list[Node]]:
    """For each prime the largest terms of h that depend on its sums alone."""
    support = {n: 1 << p for p, nodes in enumerate(sums) for n in nodes}
    for n in T.cone([h], support):
        if n not in support:
            support[n] = reduce(or_, (support[c] for c in T.children(n)), 0)
    found: dict[int, list[Node]] = {1 << p: [] for p in range(len(sums))}
    stack, seen = [h], set()
    while stack:
        n = stack.pop()
        if n in seen or not support[n]:
            continue
        seen.add(n)
        if support[n] in found:
            found[support[n]].append(n)
        else:
            stack += T.children(n)
    return list(found.values())


class Combination(Linear):
    """Sums of functions of one form modulo each prime. A sum with a linear function of both is a form of its own: the
    difference of the residues."""

    def __init__(self, inverses: Sequence[Linear], leaves: Sequence[Sequence[Node]]) -> None:
        super().__init__(PRIMES[1], [])
        self._bases = [self._add_leaves(*pair) for pair in zip(inverses, leaves, strict=True)]
        self._differences: dict[Node, list[Integers]] = {}

    def _add_leaves(self, inverse: Linear, leaves: Sequence[Node]) -> Node:
        """The one form that the leaves are functions of."""
        parts = [inverse.parts(n) for n in leaves]
        bases = {base for part in parts for base in part}
        if len(bases) != 1:
            raise NotProved("the residues of a coefficient are not seen apart")
        base = bases.pop()
        for n, part in zip(leaves, parts, strict=True):
            self._state[n] = Table(base, part[base])
        (self._state[base],) = inverse.forms([base])
        return base

    def _form(self, n: Node) -> Form:
        state = self._state[n]
        if isinstance(state, Form) or set(self._parts(n)) != set(self._bases):
            return super()._form(n)
        parts = [signed(self._parts(n)[base], T.W[n]) for base in self._bases]
        for prime, base, values in zip(PRIMES, self._bases, parts, strict=True):
            _factor(prime, self._base(base), values)
        low, high = (sum(int(end(values)) for values in parts) for end in (np.min, np.max))
        if low < -(1 << (T.W[n] - 1)) or high >= 1 << (T.W[n] - 1):
            raise NotProved(f"a difference of residues in [{low}, {high}] overflows")
        self._differences[n] = parts
        self._state[n] = form = Form(np.zeros(0, dtype=np.int64), low, high)
        return form

    def residues(self, h: Node, bound: int) -> list[Integers]:
        """x, with the residues r0 and r1, is r0 + k q0 with k = (r1 - r0) / q0 modulo q1; h must be that modulo 2^16,
        where the code's k is so small that it can be no other number of this residue, as x is within the bound. Returns
        the residues' rows."""
        parts, q0, q1 = self.parts(h), *PRIMES
        difference = next(iter(parts.keys() & self._differences.keys()), None)
        if difference is None or parts.keys() != {self._bases[0], difference}:
            raise NotProved("a coefficient is not put together of a residue and a difference of residues")
        r0, r1 = -self._differences[difference][0], self._differences[difference][1]
        if (signed(parts[self._bases[0]], 16) != r0).any():
            raise NotProved("a coefficient does not have its first residue")
        form = self._base(difference)
        d = np.arange(form.low, form.high + 1)
        k = signed(parts[difference] * np.uint64(pow(q0, -1, 1 << 16)) & np.uint64(0xFFFF), 16)
        if ((k * q0 - d) % q1).any():
            raise NotProved("the multiple of the first prime is not (r1 - r0) / q0 modulo the second")
        most, largest = (bound + int(np.abs(r0).max())) // q0, int(np.abs(k).max())
        if most + largest >= q1:
            raise NotProved(f"a multiple of {largest} need not be the right one")
        forms = [self._base(base) for base in self._bases]
        return [_factor(*x) * x[1].row % x[0] for x in zip(PRIMES, forms, (r0, r1), strict=True)]


def _factor(prime: int, form: Form, values: Integers) -> int:
    """c such that the values are c x modulo the prime at every x of the form's interval."""
    x = np.arange(form.low, form.high + 1)
    factor = int(values[1 - form.low]) % prime
    if ((values - factor * x) % prime).any():
        raise NotProved("a residue is no linear function")
    return factor
