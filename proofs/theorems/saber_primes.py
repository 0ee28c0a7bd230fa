"""Saber's products by transforms modulo two primes, whose results the Chinese remainder theorem combines.

Everything is found in what the code computes, nothing is said of roots or orders. Evaluated words are linear forms,
modulo one prime each. What inner_product first writes to its scratch memory are sums of products of two such words. The
residues that are combined at last are linear forms of these. So they are bilinear forms in f and g, and must be those
of the product; and the combination must be the only integer within the product's bound that has both residues.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

import numpy as np

from proofs.domains import NotProved
from proofs.domains.linear import Form, Input, Integers, Linear, Table, signed
from proofs.domains.products import Atom, Products
from proofs.machine import terms as T
from proofs.machine.memory import Memory
from proofs.machine.terms import Node
from proofs.theorems.bounds import bound
from proofs.theorems.target import CACHE_LINE, MAX_ALIGN, Buffer, Execution, Kernel, Target

FAMILY = "negacyclic"
N = bound(FAMILY, "N")
PRIMES = (7681, 7937)  # words of N by N are of one and of the other
RANK, SMALL = bound(FAMILY, "RANK_MAX"), bound(FAMILY, "SMALL")
RANKS = (2, 3, RANK)  # l of LightSaber, Saber and FireSaber
Q_BITS = 13
HALF = 1 << (Q_BITS - 1)
MOST = RANK * N * HALF * SMALL  # of a coefficient of the sum of RANK products


class FirstStores(Memory):
    """Memory that knows what was first written to each word of 16 bits."""

    def __init__(self) -> None:
        super().__init__()
        self.first: dict[int, Node] = {}

    def store(self, at: int, n: Node) -> None:
        super().store(at, n)
        for word in range(at, at + T.W[n] // 8, 2):
            if word not in self.first:
                self.first[word] = self.lanes(word, 1, 16)[0]


class Evaluated:
    """An evaluated polynomial: its words' linear forms in the coefficients, and names for the words."""

    def __init__(self, words: Sequence[Node], coefficients: Sequence[Node], low: int, high: int) -> None:
        inputs = [Input(n, low, high) for n in coefficients]
        self.forms: list[Form] = []
        domains = [Linear(prime, inputs) for prime in PRIMES]
        for i in range(0, len(words), N):
            self.forms += domains[i // N % len(PRIMES)].forms(words[i : i + N])

    def matrix(self) -> Integers:
        return np.array([form.row for form in self.forms])

    def factors(self, name: str, count: int) -> list[list[Node]]:
        """Names for the words of so many polynomials of this kind."""
        return [[T.var(f"{name}[{j}] word {i}", 16) for i in range(len(self.forms))] for j in range(count)]

    def atoms(self, factors: Iterable[Sequence[Node]]) -> list[Atom]:
        return [Atom(n, f.low, f.high) for words in factors for n, f in zip(words, self.forms, strict=True)]


def prove(target: Target, kernel: Kernel, place: Sequence[int], ranks: Sequence[int]) -> str:
    """Coefficient i of a polynomial is at place[i]."""
    f = _evaluated(target, kernel, "evaluate", 2 * N, (-HALF, HALF - 1))
    g = _evaluated(target, kernel, "evaluate_small", 4 * N, (-SMALL, SMALL))
    for rank in ranks:
        _prove_rank(target, kernel, place, f, g, rank)
    return f"summed over l = {', '.join(map(str, ranks))}, for all words f and |g| <= {SMALL}"


def _prove_rank(target: Target, kernel: Kernel, place: Sequence[int], f: Evaluated, g: Evaluated, rank: int) -> None:
    f_words, g_words = f.factors("f", rank), g.factors("g", rank)
    h, sums = _inner_product(target, kernel, f_words, g_words)
    products = [Products(prime, f.atoms(f_words) + g.atoms(g_words)) for prime in PRIMES]
    values = [[domain.value(n) for n in sums[p]] for p, domain in enumerate(products)]
    inverses = [
        Linear(prime, [Input(n, v.low, v.high) for n, v in zip(sums[p], values[p], strict=True)])
        for p, prime in enumerate(PRIMES)
    ]
    found = [Combination(inverses, _leaves(n, sums)).residues(n) for n in h]
    for p, prime in enumerate(PRIMES):
        pairs = [_same_in_all(products[p].modulo_q(v), f_words, g_words) for v in values[p]]
        _check_product(prime, np.array([rows[p] for rows in found]), pairs, (f.matrix(), g.matrix()), place)


# ---- executions ----


def _evaluated(target: Target, kernel: Kernel, name: str, words: int, interval: tuple[int, int]) -> Evaluated:
    """Coefficients have 13 bits, with anything above them."""
    run = Execution(target)
    residues = [T.var(f"residue {i}", Q_BITS) for i in range(N)]
    e = run.output((target.sibling(kernel, "evaluated_bytes") or 0) // 2, 16, CACHE_LINE)
    content = [T.concat([x, T.var(f"above {i}", 16 - Q_BITS)]) for i, x in enumerate(residues)]
    run.call(target.sibling(kernel, name) or 0, e, run.input(content, MAX_ALIGN), _scratch(run, target, kernel))
    found = run.memory.lanes(e.address, words, 16)
    return Evaluated(found, [T.sext(x, 16) for x in residues], *interval)


def _scratch(run: Execution, target: Target, kernel: Kernel) -> Buffer:
    return run.output((target.sibling(kernel, "scratch_bytes") or 0) // 2, 16, CACHE_LINE)


def _inner_product(
    target: Target, kernel: Kernel, f: Sequence[list[Node]], g: Sequence[list[Node]]
) -> tuple[list[Node], list[list[Node]]]:
    """The result, and by prime the sums of products."""
    watched = target.with_memory(FirstStores)
    run, size = Execution(watched), (target.sibling(kernel, "evaluated_bytes") or 0) // 2
    h, scratch = run.output(N, 16, MAX_ALIGN), _scratch(run, target, kernel)
    factors = []
    for polynomials in (f, g):
        unused = [T.fresh(16) for _ in range(size - len(polynomials[0]))]
        factors.append(run.input([n for words in polynomials for n in (*words, *unused)], CACHE_LINE))
    run.call(target.sibling(kernel, "inner_product") or 0, h, *factors, len(f), scratch)
    first = [run.memory.first.get(scratch.address + 2 * i) for i in range(len(PRIMES) * N)]
    if None in first:
        raise NotProved("inner_product does not write all sums of products to its scratch memory")
    return run.read(h), [first[p * N : (p + 1) * N] for p in range(len(PRIMES))]


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


# ---- the product modulo a prime ----

Pairs = dict[tuple[int, int], int]  # factors of products of two words, by their numbers


def _same_in_all(got: dict[tuple[Node, Node], int], f: Sequence[list[Node]], g: Sequence[list[Node]]) -> Pairs:
    """A sum over the factors: of each the same products of words."""
    each: list[Pairs] = [{} for _ in f]
    numbers = [{n: (j, i) for j, words in enumerate(x) for i, n in enumerate(words)} for x in (f, g)]
    for (x, y), factor in got.items():
        if x not in numbers[0] or y not in numbers[1]:
            raise NotProved("a sum has a product of two words of the same side")
        (j, a), (k, b) = numbers[0][x], numbers[1][y]
        if j != k:
            raise NotProved(f"a sum has a product of factors {j} and {k}")
        each[j][a, b] = factor
    if any(pairs != each[0] for pairs in each):
        raise NotProved("the factors are not treated alike")
    return each[0]


def _check_product(
    prime: int, inverse: Integers, pairs: Sequence[Pairs], rows: tuple[Integers, Integers], place: Sequence[int]
) -> None:
    """Each result, as a bilinear form in the coefficients, is that of the product."""
    terms = np.array([(i, a, b, c) for i, products in enumerate(pairs) for (a, b), c in products.items()])
    left, right = (x[terms[:, 1 + side]].astype(np.float64) for side, x in enumerate(rows))  # products are below 2^53
    for i in range(N):
        weights = inverse[place[i]][terms[:, 0]] * terms[:, 3] % prime
        got = ((left * weights[:, None] % prime).T @ right).astype(np.int64) % prime
        wrong = np.argwhere(got[np.ix_(place, place)] != _wanted(i) % prime)
        if wrong.size:
            j, k = (int(x) for x in wrong[0])
            raise NotProved(f"coefficient {i} has {int(got[place[j], place[k]])} f[{j}] g[{k}] modulo {prime}")


def _wanted(i: int) -> Integers:
    """Coefficient i of the product: f_j g_k with j + k = i, less those with j + k = i + N."""
    j, k = np.meshgrid(np.arange(N), np.arange(N), indexing="ij")
    return (j + k == i).astype(np.int64) - (j + k == i + N)


# ---- both primes ----


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

    def residues(self, h: Node) -> list[Integers]:
        """x, with the residues r0 and r1, is r0 + k q0 with k = (r1 - r0) / q0 modulo q1; h must be that modulo 2^16,
        where the code's k is so small that it can be no other number of this residue. Returns the residues' rows."""
        parts, q0, q1 = self.parts(h), *PRIMES
        (difference,) = parts.keys() & self._differences or {None}
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
        most, largest = (MOST + int(np.abs(r0).max())) // q0, int(np.abs(k).max())
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
