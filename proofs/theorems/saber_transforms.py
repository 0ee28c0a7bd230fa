"""The common part of the proofs of Saber's products by transforms.

Everything is found in what the code computes, nothing is said of roots or orders. Evaluated words are linear forms
modulo a prime. First inner_product writes sums of products of two such words to its scratch memory. Its
results are linear forms of these. So they are bilinear forms in f and g, and must be those of the product.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from proofs.domains import NotProved
from proofs.domains.linear import Form, Integers
from proofs.domains.products import Atom
from proofs.machine import terms as T
from proofs.machine.frames import StackMemory
from proofs.machine.terms import Node
from proofs.theorems.saber_contracts import Q_BITS, SIZES, N, Product
from proofs.theorems.target import Buffer, Execution, Kernel, Target

Polynomials = Sequence[Sequence[Node]]  # of each, the evaluated words
Pairs = dict[tuple[int, int], int]  # factors of products of two words, by their numbers


class Method(NamedTuple):
    """A library's kernels, with `width` bits in their evaluated words, and their contract."""

    contract: Product
    target: Target
    kernel: Kernel
    width: int

    @property
    def most(self) -> int:
        """Of a coefficient of the sum of products."""
        return max(self.contract.ranks) * N * -self.contract.left.low * self.contract.right.high

    def address(self, name: str) -> int:
        return self.target.sibling(self.kernel, name) or 0

    def count(self, size: str) -> int:
        """Of words in a buffer."""
        return self.address(size) * 8 // self.width

    def buffer(self, run: Execution, size: str) -> Buffer:
        return run.output(self.count(size), self.width, self.contract.align)


class Factor(NamedTuple):
    """One side of the product: the forms of an evaluated polynomial's words, and these words' names in each
    polynomial."""

    forms: Sequence[Form]
    words: Polynomials

    def atoms(self) -> list[Atom]:
        """The words, each with the interval of its form."""
        return [Atom(n, x.low, x.high) for words in self.words for n, x in zip(words, self.forms, strict=True)]

    def matrix(self) -> Integers:
        return np.array([form.row for form in self.forms])


Evaluate = Callable[[Method, str, tuple[int, int]], Sequence[Form]]
ProveRank = Callable[[Method, Factor, Factor], None]


def prove(method: Method, evaluate: Evaluate, prove_rank: ProveRank) -> str:
    """`evaluate` gives the forms of the words of f and of g, `prove_rank` proves a sum of as many products as they
    have polynomials."""
    c = method.contract
    sides = (
        ("f", evaluate(method, "evaluate", c.left)),
        ("g", evaluate(method, "evaluate_small", c.right)),
    )
    for rank in c.ranks:
        prove_rank(method, *(Factor(forms, _names(name, rank, len(forms), method.width)) for name, forms in sides))
    return f"summed over l = {', '.join(map(str, c.ranks))}, for all words f and |g| <= {c.right.high}"


def _names(name: str, polynomials: int, words: int, width: int) -> list[list[Node]]:
    return [[T.var(f"{name}[{j}] word {i}", width) for i in range(words)] for j in range(polynomials)]


# ---- executions ----


def evaluated(method: Method, name: str, count: int) -> tuple[list[Node], list[Node]]:
    """The first words of an evaluated polynomial, and the residues of 13 bits that its coefficients are, with anything
    above them."""
    run = Execution(method.target)
    residues = [T.var(f"residue {i}", Q_BITS) for i in range(N)]
    content = [T.concat([x, T.var(f"above {i}", 16 - Q_BITS)]) for i, x in enumerate(residues)]
    e, f = method.buffer(run, SIZES[name]), run.input(content, method.contract.align)
    run.call(method.address(name), e, f, method.buffer(run, "scratch_bytes"))
    return run.memory.lanes(e.address, count, method.width), residues


class FirstStores(StackMemory):
    """Memory that knows what was first written to each word, once it has their width."""

    width = 16

    def __init__(self) -> None:
        super().__init__()
        self.first: dict[int, Node] = {}

    def store(self, at: int, n: Node) -> None:
        super().store(at, n)
        for word in range(at, at + T.W[n] // 8, self.width // 8):
            if word not in self.first:
                self.first[word] = self.lanes(word, 1, self.width)[0]


def inner_product(method: Method, f: Factor, g: Factor, count: int) -> tuple[list[Node], list[Node]]:
    """The result, and the sums of products: the first `count` words of scratch memory as they were first written."""
    run = Execution(method.target.in_memory(FirstStores))
    memory = run.memory
    assert isinstance(memory, FirstStores)
    memory.width = method.width
    h, scratch = run.output(N, 16, method.contract.align), method.buffer(run, "scratch_bytes")
    factors = []
    for polynomials, size in zip((f.words, g.words), SIZES.values(), strict=True):
        unused = [T.fresh(method.width) for _ in range(method.count(size) - len(polynomials[0]))]
        factors.append(run.input([n for words in polynomials for n in (*words, *unused)], method.contract.align))
    run.call(method.address("inner_product"), h, *factors, len(f.words), scratch)
    places = [scratch.address + i * method.width // 8 for i in range(count)]
    if not memory.first.keys() >= set(places):
        raise NotProved("inner_product does not write all sums of products to its scratch memory")
    return run.read(h), [memory.first[at] for at in places]


# ---- the product modulo a prime ----


def same_in_all(got: dict[tuple[Node, Node], int], f: Factor, g: Factor) -> Pairs:
    """A sum over the factors: of each the same products of words."""
    each: list[Pairs] = [{} for _ in f.words]
    numbers = [{n: (j, i) for j, words in enumerate(x) for i, n in enumerate(words)} for x in (f.words, g.words)]
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


def check_product(
    prime: int, inverse: Integers, pairs: Sequence[Pairs], f: Factor, g: Factor, place: Sequence[int]
) -> None:
    """Each result, as a bilinear form in the coefficients, is that of the product. `inverse` has the results' rows in
    the sums, `pairs` the sums in evaluated words. Coefficient i of a polynomial is at place[i]."""
    terms = np.array([(i, a, b, c) for i, products in enumerate(pairs) for (a, b), c in products.items()])
    left, right = (x[terms[:, 1 + side]] for side, x in enumerate((f.matrix(), g.matrix())))
    for i in range(N):
        weights = inverse[place[i]][terms[:, 0]] * terms[:, 3] % prime
        got = _modular_product((left * weights[:, None] % prime).T, right, prime)
        wrong = np.argwhere(got[np.ix_(place, place)] != coefficient(i) % prime)
        if wrong.size:
            j, k = (int(x) for x in wrong[0])
            raise NotProved(f"coefficient {i} has {int(got[place[j], place[k]])} f[{j}] g[{k}] modulo {prime}")


def _modular_product(left: Integers, right: Integers, prime: int) -> Integers:
    """Of matrices; 13 bits of the left one at a time, so that sums stay below 2^53, where floating point is exact."""
    low, high = ((part.astype(np.float64) @ right.astype(np.float64)) for part in (left % 8192, left // 8192))
    return (high.astype(np.int64) % prime * 8192 + low.astype(np.int64)) % prime


def coefficient(i: int) -> Integers:
    """Coefficient i of the product: f_j g_k with j + k = i, less those with j + k = i + N."""
    j, k = np.meshgrid(np.arange(N), np.arange(N), indexing="ij")
    found: Integers = (j + k == i).astype(np.int64) - (j + k == i + N)
    return found
