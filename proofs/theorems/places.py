"""The places of buffers: their addresses are variables, and what a kernel does may not depend on them.

A kernel is executed with its buffers apart, each aligned to what the contract demands and no more. Every address that
it uses has to be that of a buffer and a constant. If a branch depends on addresses, the solver finds from the contract
which arms can be taken; code is executed once for each way through, and all ways have to write the same. Code that
rounds an address down has a way for each value of the bits that are lost. A buffer that a kernel writes overlaps
nothing else; buffers may be adjacent, in any order, and those that are only read may overlap. None overlaps the stack
below the call. One that is written does not overlap the library's constants either: they are read-only memory.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from proofs.domains import NotProved, bitvector
from proofs.domains.naming import sum_of, without_names
from proofs.machine import terms as T
from proofs.machine.frames import StackMemory
from proofs.machine.memory import PAGE, Region, Violation
from proofs.machine.processor import STACK_TOP
from proofs.machine.terms import Node

LOWEST, END = 1 << 12, 1 << 63  # of all memory: a null pointer is no buffer, and no buffer wraps around
MOST_WAYS = 16
MOST_ROUNDED = 3  # lowest bits of an address that are tried


class Place(NamedTuple):
    """A buffer: its address as a variable, and where it lies in this execution."""

    symbol: Node
    address: int
    size: int
    align: int
    writable: bool
    name: str


class Form(NamedTuple):
    """A number that is a constant and multiples of addresses, modulo 2^64."""

    constant: int
    factors: tuple[tuple[Node, int], ...] = ()

    def plus(self, other: "Form", factor: int = 1) -> "Form":
        total = dict(self.factors)
        for symbol, number in other.factors:
            total[symbol] = (total.get(symbol, 0) + factor * number) % (1 << 64)
        factors = tuple(sorted((s, n) for s, n in total.items() if n))
        return Form((self.constant + factor * other.constant) % (1 << 64), factors)

    def modulo(self, width: int) -> "Form":
        """The same in a word of fewer bits."""
        factors = ((symbol, number % (1 << width)) for symbol, number in self.factors)
        return Form(self.constant % (1 << width), tuple((s, n) for s, n in factors if n))


NOTHING = Form(0)
DATA, CROOKED = None, "crooked"  # depends on more than addresses; depends on them alone, but not linearly
Shape = Form | str | None


class Places:
    """The buffers of a call. `settle` is what the machine asks for addresses and branches, `check` what memory asks."""

    def __init__(self, stack: int, constants: Sequence[range]) -> None:
        """The code's own stack has so many bytes; the library's constants have these addresses."""
        self._stack, self._constants = stack, constants
        self._places: dict[Node, Place] = {}
        self._shapes: dict[Node, Shape] = {}
        self._decided: dict[Node, bool] = {}  # on this way
        self._assumed: list[Node] = []
        self._way: tuple[bool, ...] = ()  # the arms to take where both can be taken, then the first
        self._taken: list[bool] = []
        self._asked: list[Form] = []  # parts of the address of an access that is to come, or of the last one
        self._used = False
        self._symbols: dict[int, Node] = {}

    def ways(self) -> Iterator[int]:
        """Goes through all arms of branches that depend on places: execute the code each time."""
        waiting: list[tuple[bool, ...]] = [()]
        number = 0
        while waiting:
            begun = self._way = waiting.pop()
            if self._assumed:
                self._decided, self._shapes = {}, {}
            self._assumed, self._taken = [], []
            if number == MOST_WAYS:
                raise Violation(f"there are more than {MOST_WAYS} ways, by where buffers lie")
            yield number
            number += 1
            taken = tuple(self._taken)
            waiting += [(*taken[:i], not taken[i]) for i in range(len(begun), len(taken))]

    def add(self, address: int, size: int, align: int, writable: bool, name: str) -> None:
        self._decided = {}
        symbol = T.var(("address", len(self._places)), 64)
        self._places[symbol] = Place(symbol, address, size, align, writable, name)
        self._symbols[address] = symbol

    @property
    def writable(self) -> list[Place]:
        return [place for place in self._places.values() if place.writable]

    @property
    def symbols(self) -> dict[int, Node]:
        """The variables by the addresses of this execution."""
        return self._symbols

    # ---- what an access may be ----

    def settle(self, n: Node) -> Node:
        shape = self._shape(n)
        if shape is DATA:
            return n
        if isinstance(shape, Form) and (T.W[n] == 64 or not shape.factors):
            return T.const(self._ask(shape) if shape.factors else shape.constant, T.W[n])
        if T.W[n] == 1:
            return T.const(self._decide(n), 1)
        raise Violation(f"a number depends on where {self._told(n)} lies")

    def _ask(self, form: Form) -> int:
        if self._used:
            self._asked, self._used = [], False
        self._asked.append(form)
        return form.constant + sum(n * self._places[symbol].address for symbol, n in form.factors)

    def check(self, region: Region) -> None:
        """The parts that were asked for must be the region's address, or none of them where it has no variable."""
        symbol = self._symbols.get(region.start)
        if self._used:
            if symbol is None or any(s == symbol for form in self._asked for s, _ in form.factors):
                return
        elif _adds_up(self._asked, ((symbol, 1),) if symbol else ()):
            self._used = True
            return
        raise Violation(f"an address in {region.name} is none of its own and a constant")

    # ---- numbers ----

    def _shape(self, n: Node) -> Shape:
        stack = [n]
        while stack:
            m = stack[-1]
            todo = [] if m in self._shapes else [c for c in _parts(m) if c not in self._shapes]
            if todo:
                stack += todo
                continue
            stack.pop()
            if m not in self._shapes:
                shape = self._shape_of(m)
                self._shapes[m] = shape.modulo(T.W[m]) if isinstance(shape, Form) else shape
        return self._shapes[n]

    def _shape_of(self, n: Node) -> Shape:
        op, parts = T.OP[n], _parts(n)
        if n in self._places:
            return Form(0, ((n, 1),))
        if op == "const":
            return Form(T.val(n))
        shapes = [self._shapes[c] for c in parts]
        if not parts or DATA in shapes or T.W[n] > 64:
            return DATA
        if op == "var":
            return shapes[0]
        forms = [shape for shape in shapes if isinstance(shape, Form)]
        if len(forms) < len(shapes):
            return CROOKED
        if not any(form.factors for form in forms):
            values = {c: T.evaluate([T.const(f.constant, T.W[c])], {})[0] for c, f in zip(parts, forms, strict=True)}
            return Form(int(T.evaluate_node(n, values)))
        if op in ("add", "sub"):
            return forms[0].plus(forms[1], 1 if op == "add" else -1)
        if op == "mul" and not forms[1].factors:
            return NOTHING.plus(forms[0], forms[1].constant)
        return self._slice(n) if op == "cat" else CROOKED

    def _slice(self, n: Node) -> Shape:
        """The low bits of a number; or a number rounded down."""
        *below, (m, low, _) = T.ARGS[n]
        form = self._shapes[m]
        if not isinstance(form, Form) or [p[2] for p in below] != [low] * (low > 0):
            return CROOKED
        lowest = self._shapes[below[0][0]] if below else NOTHING
        if not isinstance(lowest, Form) or lowest.factors:
            return CROOKED
        rest = form.constant
        for symbol, number in form.factors:
            if number * self._places[symbol].align % (1 << low):
                if low > MOST_ROUNDED:
                    return CROOKED
                rest += number * self._lowest_bits(symbol, low)
        return form.plus(Form(lowest.constant - rest % (1 << low)))

    def _lowest_bits(self, symbol: Node, count: int) -> int:
        """Of an address on this way: each value has one."""
        bits = T.extract(symbol, 0, count)
        for value in range(1 << count):
            n = T.eq(bits, T.const(value, count))
            if n not in self._decided:
                self._decided[n] = self._solve(n)
            if self._decided[n]:
                return value
        raise Violation(f"no value is left for the lowest bits of where {self._told(bits)} lies")

    # ---- branches ----

    def _decide(self, n: Node) -> bool:
        """The value of a condition at all places of this way."""
        if n not in self._decided:
            found = self._plain(n)
            self._decided[n] = self._solve(n) if found is None else found
        return self._decided[n]

    def _plain(self, n: Node) -> bool | None:
        """Cases without a solver: addresses in the same buffer."""
        op, args = T.OP[n], T.ARGS[n]
        if op == "not":
            inner = self._plain(args[0])
            return None if inner is None else not inner
        if op not in ("eq", "ult"):
            return None
        x, y = (self._shapes[a] for a in args)
        if not isinstance(x, Form) or not isinstance(y, Form):
            return None
        if op == "eq":
            difference = x.plus(y, -1).modulo(T.W[args[0]])
            return None if difference.factors else difference.constant == 0
        if T.W[args[0]] != 64 or x.factors != y.factors or len(x.factors) != 1 or x.factors[0][1] != 1:
            return None
        size = self._places[x.factors[0][0]].size
        return x.constant < y.constant if max(x.constant, y.constant) <= size else None

    def _solve(self, n: Node) -> bool:
        (plain,) = without_names([n])
        places = [place for symbol, place in self._places.items() if symbol in T.cone([plain, *self._assumed])]
        contract = [*_contract(places, self._stack, self._constants), *self._assumed]
        for value, claim in ((True, plain), (False, T.not_(plain))):
            if _follows(claim, contract):
                return value
        value = self._way[len(self._taken)] if len(self._taken) < len(self._way) else True
        self._taken.append(value)
        self._assumed.append(plain if value else T.not_(plain))
        return value

    def _told(self, n: Node) -> str:
        return " and ".join(self._places[m].name for m in T.cone([n]) if m in self._places)


def _parts(n: Node) -> tuple[Node, ...]:
    """The parts of a node; of a name its meaning."""
    named = sum_of(n)
    return T.children(n) if named is None else (named,)


def _adds_up(forms: Sequence[Form], factors: tuple[tuple[Node, int], ...]) -> bool:
    """Whether some of the forms add up to these multiples of addresses: an instruction may have two addresses."""
    for count in range(len(forms), -1, -1):
        for some in combinations(forms, count):
            total = NOTHING
            for form in some:
                total = total.plus(form)
            if total.factors == factors:
                return True
    return False


def _follows(claim: Node, contract: Sequence[Node]) -> bool:
    try:
        bitvector.check(claim, "", contract)
    except NotProved:
        return False
    return True


def _contract(places: Sequence[Place], stack: int, constants: Sequence[range]) -> list[Node]:
    """The promises about the buffers' addresses, as conditions."""
    found = []
    for place in places:
        if place.align > 1:
            found.append(T.is_zero(T.extract(place.symbol, 0, place.align.bit_length() - 1)))
        found.append(T.ult(place.symbol, T.const(END - place.size, 64)))
        found.append(T.ult(T.const(LOWEST, 64), place.symbol))
        taken = [range(STACK_TOP - stack, STACK_TOP), *(constants if place.writable else ())]
        found += [_is_apart(place, addresses) for addresses in taken]
    for a, b in combinations(places, 2):
        if a.writable or b.writable:
            found.append(T.or_(_is_before(a, b), _is_before(b, a)))
    return found


def _is_apart(place: Place, addresses: range) -> Node:
    below = T.not_(T.ult(T.const(addresses.start, 64), T.add(place.symbol, T.const(place.size, 64))))
    return T.or_(below, T.not_(T.ult(place.symbol, T.const(addresses.stop, 64))))


def _is_before(a: Place, b: Place) -> Node:
    return T.not_(T.ult(b.symbol, T.add(a.symbol, T.const(a.size, 64))))


class PlacedMemory(StackMemory):
    """Memory that asks whether an address is a buffer's own, and can be put back to what it was before a call."""

    places: Places
    _before: dict[int, list[int | None]]  # pages that the call has written

    def begin(self) -> None:
        self._before = {}

    def put_back(self) -> None:
        self._pages.update((number, list(page)) for number, page in self._before.items())

    def store(self, at: int, n: Node) -> None:
        for number in {at // PAGE, (at + T.W[n] // 8 - 1) // PAGE}:
            if number not in self._before:
                self._before[number] = list(self._page(number))
        super().store(at, n)

    def content(self, place: Place) -> list[int | None]:
        """Its bytes, each a slice of a node; None for those that were never written."""
        return [self._byte(at) for at in range(place.address, place.address + place.size)]

    def _byte(self, at: int) -> Node | None:
        code = self._page(at // PAGE)[at % PAGE]
        return None if code is None else T.extract(code >> 7, 8 * (code & 127), 8)

    def check(self, at: int, size: int, write: bool) -> Region:
        region = super().check(at, size, write)
        self.places.check(region)
        return region
