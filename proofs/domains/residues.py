"""Products modulo 3 of polynomials that lie in words: a byte for each coefficient, several bytes in a word.

Every byte is a linear form in f, or in g, or a bilinear form in both, modulo 3, and an integer within an interval. A
product of words is a product of polynomials at 2^8, as long as no byte of it exceeds 255; so it is with sums of words.
A byte that may have taken a carry from the one below is nothing, and nothing may be made of it.

A function of one byte has a table of its values over the byte's interval. It becomes a form if it is a multiple of the
byte modulo 3 at every point: reductions need no lemma, they are tried for all their inputs.

Linear forms are rows of coefficients. Bilinear forms are found for a few coefficients of f at a time, and those that
are 0 for all of these take no time.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node, Words

Q, BYTE, HIGHEST = 3, 8, 255
Coefficients = npt.NDArray[np.uint8]
Wanted = Callable[[Sequence[int]], npt.NDArray[np.int64]]
ROWS = 64  # of f's coefficients at a time


class Form(NamedTuple):
    """A byte: its form's number, the form's kind, which is "f", "g" or "fg", and the interval of the integer."""

    number: int
    kind: str
    low: int
    high: int

    @property
    def fits(self) -> bool:
        return self.low >= 0 and self.high <= HIGHEST


class Table(NamedTuple):
    """A function of a byte: its values over the form's interval."""

    base: Form
    values: Words


class Term(NamedTuple):
    """Of a bilinear form: a multiple of another one, or the product of two linear ones."""

    factor: int
    operands: tuple[int, ...]


class Value(NamedTuple):
    """Coefficients modulo 3 of a bilinear form, in numbers that are at most `most`: bytes of one integer, which Python
    adds in less time than numpy."""

    packed: int
    most: int

    def residues(self, size: int) -> Coefficients:
        return np.frombuffer(self.packed.to_bytes(size, "little"), dtype=np.uint8) % np.uint8(Q)


def _packed(coefficients: Coefficients, most: int) -> Value:
    return Value(int.from_bytes(coefficients.tobytes(), "little"), most)


NOTHING = "nothing"  # a byte that may have taken a carry
ByteOf = Form | str | None  # None is 0


class Residues:
    """The forms of all bytes that some outputs need."""

    def __init__(self, outputs: Sequence[Node], f: Sequence[Node], g: Sequence[Node], most: int) -> None:
        self.size = len(f)
        self._rows: dict[int, Coefficients] = {}  # of linear forms
        self._sums: dict[int, list[Term]] = {}  # bilinear ones, in the order in which they are made
        self._first: dict[int, list[int]] = {}  # of each bilinear form the first operands
        self._forms = 0
        self._bytes: dict[Node, tuple[ByteOf, ...]] = {}
        self._tables: dict[Node, Table] = {}
        self._constants: dict[Node, int] = {}
        for kind, inputs in (("f", f), ("g", g)):
            for row, n in zip(np.eye(len(inputs), dtype=np.uint8), inputs, strict=True):
                form = self._form(kind, 0, most)
                self._rows[form.number] = row
                self._bytes[n] = (form,)
        for n in T.cone(outputs, list(self._bytes)):
            if n not in self._bytes and not T.is_const(n):
                self._visit(n)
        self.outputs = [self._output(n, i) for i, n in enumerate(outputs)]

    def _form(self, kind: str, low: int, high: int) -> Form:
        self._forms += 1
        return Form(self._forms, kind, low, high)

    def _output(self, n: Node, i: int) -> Form | None:
        if (value := self._constant(n)) is not None:
            if value:
                raise NotProved(f"byte {i} is {value}")
            return None
        form = self._bytes.get(n, (NOTHING,))[0]
        if not isinstance(form, Form) or form.kind != "fg" or T.W[n] != BYTE:
            raise NotProved(f"byte {i} is no sum of products")
        if form.low < 0 or form.high >= Q:
            raise NotProved(f"byte {i} is from {form.low} to {form.high}")
        return form

    # ---- terms ----

    def _visit(self, n: Node) -> None:
        op, args = T.OP[n], T.ARGS[n]
        if op == "var":
            raise NotProved(f"the result depends on {args[0]}, which is no input")
        if op == "cat" and all(self._is_of_bytes(*piece) for piece in args):
            self._bytes[n] = tuple(x for piece in args for x in self._piece(*piece))
        elif (value := self._find_constant(n)) is not None:
            self._constants[n] = value
        elif (table := None if self._is_sum(n) else self._function_of_one(n)) is not None:
            self._tables[n] = table
            self._settle(n, table)
        elif op in ("add", "sub"):
            self._bytes[n] = self._sum(n, 1 if op == "add" else -1, *args)
        elif op == "mul":
            self._bytes[n] = self._product(n, *args)
        else:
            raise NotProved(f"{op} of {T.W[n]} bits is neither a sum, a product nor a function of one byte")

    def _is_sum(self, n: Node) -> bool:
        return T.OP[n] in ("add", "sub") and all(m in self._bytes or self._constant(m) == 0 for m in T.ARGS[n])

    def _is_of_bytes(self, n: Node, low: int, w: int) -> bool:
        return low % BYTE == 0 and w % BYTE == 0 and (n in self._bytes or self._constant(n) == 0)

    def _piece(self, n: Node, low: int, w: int) -> tuple[ByteOf, ...]:
        return self._bytes_of(n)[low // BYTE : (low + w) // BYTE]

    def _bytes_of(self, n: Node) -> tuple[ByteOf, ...]:
        if (value := self._constant(n)) is not None:
            if value:
                raise NotProved(f"a sum or product has the constant {value}")
            return (None,) * (T.W[n] // BYTE)
        if n not in self._bytes:
            raise NotProved(f"{T.OP[n]} of {T.W[n]} bits is no multiple of a byte modulo {Q}")
        return self._bytes[n]

    # ---- constants, and bytes that are always 0 ----

    def _constant(self, n: Node) -> int | None:
        """The value of a node that depends on no input."""
        if T.is_const(n):
            return T.val(n)
        return self._constants.get(n, None if any(self._bytes.get(n, (NOTHING,))) else 0)

    def _constant_piece(self, n: Node, low: int, w: int) -> int | None:
        if (value := self._constant(n)) is not None:
            return value >> low & ((1 << w) - 1)
        return None if any(self._bytes.get(n, (NOTHING,))[low // BYTE : -(-(low + w) // BYTE)] or (NOTHING,)) else 0

    def _find_constant(self, n: Node) -> int | None:
        if T.OP[n] == "cat":
            found = [self._constant_piece(*piece) for piece in T.ARGS[n]]
            places = np.cumsum([0, *(w for _, _, w in T.ARGS[n])])
            return None if None in found else sum(x << int(at) for x, at in zip(found, places[:-1], strict=True) if x)
        values = {m: self._constant(m) for m in T.children(n)}
        known = {m: np.asarray(x, dtype=np.uint64) for m, x in values.items() if x is not None}
        return int(T.evaluate_node(n, known)) if len(known) == len(values) else None

    # ---- functions of one byte ----

    def _function_of_one(self, n: Node) -> Table | None:
        """None if the node depends on several bytes."""
        if T.OP[n] == "cat":
            return self._cut(n)
        values, bases = {}, set()
        for c in T.children(n):
            if (value := self._constant(c)) is not None:
                values[c] = np.asarray(value, dtype=np.uint64)
            elif (table := self._table(c)) is not None:
                values[c] = table.values
                bases.add(table.base)
            else:
                return None
        if len(bases) != 1:
            return None
        base = bases.pop()
        return Table(base, np.broadcast_to(T.evaluate_node(n, values), base.high - base.low + 1))

    def _table(self, n: Node) -> Table | None:
        if n in self._tables:
            return self._tables[n]
        some = self._bytes.get(n, ())
        return _identity(some[0]) if len(some) == 1 and isinstance(some[0], Form) else None

    def _cut(self, n: Node) -> Table | None:
        """Pieces of one byte, beside constants."""
        base, result, at = None, np.asarray(0, dtype=np.uint64), 0
        for m, low, w in T.ARGS[n]:
            if (value := self._constant_piece(m, low, w)) is not None:
                result = result | np.uint64(value << at)
            else:
                table = self._piece_of_byte(m, low, w)
                if table is None or (base is not None and table.base != base):
                    return None
                base, result = table.base, result | table.values << np.uint64(at)
            at += w
        return None if base is None else Table(base, np.asarray(result))

    def _piece_of_byte(self, n: Node, low: int, w: int) -> Table | None:
        table = self._tables.get(n)
        if table is None:
            byte = self._bytes.get(n, ())[low // BYTE : low // BYTE + 1]
            low %= BYTE
            if not byte or not isinstance(byte[0], Form) or low + w > BYTE:
                return None
            table = _identity(byte[0])
        return Table(table.base, table.values >> np.uint64(low) & np.uint64((1 << w) - 1))

    def _settle(self, n: Node, table: Table) -> None:
        """The node as bytes, if it is a multiple of the byte at every point."""
        values, w = table.values.astype(np.int64), T.W[n]
        if w % BYTE or values.max() > HIGHEST:
            return
        points = np.arange(table.base.low, table.base.high + 1)
        for factor in range(Q):
            if not ((values - factor * points) % Q).any():
                form = self._scaled(table.base, factor, int(values.min()), int(values.max()))
                self._bytes[n] = (form, *(None,) * (w // BYTE - 1))
                return

    def _scaled(self, base: Form, factor: int, low: int, high: int) -> Form:
        form = self._form(base.kind, low, high)
        if base.kind == "fg":
            self._sums[form.number] = [Term(factor, (base.number,))]
        else:
            self._rows[form.number] = self._rows[base.number] * np.uint8(factor % Q) % np.uint8(Q)
        return form

    # ---- sums and products ----

    def _sum(self, n: Node, sign: int, x: Node, y: Node) -> tuple[ByteOf, ...]:
        some: list[ByteOf] = []
        for a, b in zip(self._bytes_of(x), self._bytes_of(y), strict=True):
            some.append(NOTHING if NOTHING in (a, b) or _may_carry(some) else self._sum_of_bytes(sign, a, b))
        return tuple(some)

    def _sum_of_bytes(self, sign: int, a: ByteOf, b: ByteOf) -> ByteOf:
        if not isinstance(b, Form):
            return a
        low, high = (b.low, b.high) if sign > 0 else (-b.high, -b.low)
        if not isinstance(a, Form):
            return b if sign > 0 else self._scaled(b, -1, low, high)
        if a.kind != b.kind:
            raise NotProved(f"a sum of forms in {a.kind} and {b.kind}")
        form = self._form(a.kind, a.low + low, a.high + high)
        if form.high - form.low > HIGHEST:
            raise NotProved(f"a sum from {form.low} to {form.high} overflows a byte")
        if a.kind == "fg":
            self._sums[form.number] = [Term(1, (a.number,)), Term(sign, (b.number,))]
        else:
            self._rows[form.number] = (self._rows[a.number] + np.uint8(sign % Q) * self._rows[b.number]) % np.uint8(Q)
        return form

    def _product(self, n: Node, x: Node, y: Node) -> tuple[ByteOf, ...]:
        """Of polynomials at 2^8."""
        a, b = self._bytes_of(x), self._bytes_of(y)
        some: list[ByteOf] = []
        for k in range(T.W[n] // BYTE):
            pairs = [(a[i], b[k - i]) for i in range(k + 1) if a[i] is not None and b[k - i] is not None]
            some.append(NOTHING if _may_carry(some) else self._sum_of_products(pairs))
        return tuple(some)

    def _sum_of_products(self, pairs: Sequence[tuple[ByteOf, ByteOf]]) -> ByteOf:
        terms, high = [], 0
        for a, b in pairs:
            if not isinstance(a, Form) or not isinstance(b, Form) or {a.kind, b.kind} != {"f", "g"}:
                raise NotProved("a product that is not of a form in f and one in g")
            if not a.fits or not b.fits:
                raise NotProved(f"a product of bytes from {a.low} to {a.high} and from {b.low} to {b.high}")
            terms.append(Term(1, (a.number, b.number) if a.kind == "f" else (b.number, a.number)))
            high += a.high * b.high
        if not terms:
            return None
        form = self._form("fg", 0, high)
        self._sums[form.number] = terms
        return form

    # ---- coefficients ----

    def products(self) -> Iterator[tuple[list[int], list[Coefficients]]]:
        """For some of f's coefficients at a time their numbers and, of each output, a row of g's for each of them."""
        every = (term.operands for terms in self._sums.values() for term in terms)
        uses = Counter(operands[0] for operands in every if len(operands) == 1)
        uses.update(form.number for form in self.outputs if form)
        self._first = {number: [term.operands[0] for term in terms] for number, terms in self._sums.items()}
        for chosen in self._chunks():
            yield chosen, self._outputs(chosen, uses.copy())

    def _chunks(self) -> Iterator[list[int]]:
        """Coefficients that occur in the same linear forms are together, because then most products are 0."""
        left = set(range(self.size))
        factors = {term.operands[0] for terms in self._sums.values() for term in terms if len(term.operands) == 2}
        supports = {tuple(np.flatnonzero(self._rows[m])) for m in factors}
        for support in [*sorted(supports, key=len, reverse=True), range(self.size)]:
            chosen = sorted(left.intersection(support))
            left.difference_update(chosen)
            yield from (chosen[i : i + ROWS] for i in range(0, len(chosen), ROWS))

    def _outputs(self, chosen: Sequence[int], uses: Counter[int]) -> list[Coefficients]:
        """Forms that nothing needs any more are dropped."""
        values: dict[int, Value] = {}
        linear = {m: row[chosen] for m, row in self._rows.items() if row[chosen].any()}
        present = set(linear)
        for number, terms in self._sums.items():
            if present.isdisjoint(self._first[number]):
                continue
            some = [(factor % Q, self._value(operands, values, linear)) for factor, operands in terms]
            for m in (operands[0] for _, operands in terms if len(operands) == 1):
                uses[m] -= 1
                if not uses[m] and m in values:
                    del values[m]
                    present.remove(m)
            if uses[number] and (summands := [(factor, value) for factor, value in some if value and factor]):
                values[number] = _added(summands, len(chosen) * self.size)
                present.add(number)
        shape = len(chosen), self.size
        found = [values.get(form.number, Value(0, 0)) if form else Value(0, 0) for form in self.outputs]
        return [value.residues(shape[0] * shape[1]).reshape(shape) for value in found]

    def _value(
        self, operands: tuple[int, ...], values: dict[int, Value], linear: dict[int, Coefficients]
    ) -> Value | None:
        if len(operands) == 1:
            return values.get(operands[0])
        row = linear.get(operands[0])
        return None if row is None else _packed(np.multiply.outer(row, self._rows[operands[1]]), (Q - 1) ** 2)


def _added(terms: Sequence[tuple[int, Value]], size: int) -> Value:
    if sum(factor * value.most for factor, value in terms) > HIGHEST:
        terms = [(factor, _packed(value.residues(size), Q - 1)) for factor, value in terms]
    total = sum(factor * value.packed for factor, value in terms)
    return Value(total, sum(factor * value.most for factor, value in terms))


def _identity(form: Form) -> Table:
    return Table(form, np.arange(form.low, form.high + 1).astype(np.uint64) & np.uint64(HIGHEST))


def _may_carry(below: Sequence[ByteOf]) -> bool:
    return bool(below) and (below[-1] == NOTHING or (isinstance(below[-1], Form) and not below[-1].fits))


def check_product(outputs: Sequence[Node], f: Sequence[Node], g: Sequence[Node], wanted: Wanted) -> None:
    """The outputs are bytes 0, 1, 2, the product of f and g, which have such bytes. `wanted` gives of some coefficients
    of f, by their numbers, the coefficient of each (output, coefficient of f, coefficient of g)."""
    for chosen, got in Residues(outputs, f, g, Q - 1).products():
        want = wanted(chosen) % Q
        for i, form in enumerate(got):
            wrong = np.argwhere(form != want[i])
            if wrong.size:
                j, k = (int(x) for x in wrong[0])
                what = f"{int(form[j, k])} f[{chosen[j]}] g[{k}] instead of {int(want[i, j, k])}"
                raise NotProved(f"byte {i} has {what}")
