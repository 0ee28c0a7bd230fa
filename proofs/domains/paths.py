"""Paths: executes code that branches on candidates (cases.py) along all its paths, and joins them again.

The number of values that there are before a step is a variable as long as there is room for more than a step makes: one
execution represents all numbers. The code's addresses are then that variable, once or twice, and a constant. They are
executed with a number that represents all, FAR, which leads to a window of places that are counted from the next value.
Near the end of the polynomial each number is executed by itself.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from proofs.domains import NotProved
from proofs.domains.cases import MOST, Candidates, Path, Undecided, members
from proofs.domains.rebuilding import made_of, rebuilt
from proofs.machine import terms as T
from proofs.machine.frames import Frames, StackMemory
from proofs.machine.image import Image
from proofs.machine.memory import PAGE, Memory, Region, Violation
from proofs.machine.processor import RETURN, Flags, Registers
from proofs.machine.terms import Node

Page = list[int | None]
Pages = dict[int, Page]
NOTHING: Page = [None] * PAGE
FACTORS = (1, 2, -1, -2)  # of numbers of values in counters and addresses
CHUNK = 64  # bytes that are compared at once
FAR = 1 << 40  # values: it leads to where nothing else is


class StoreMet(Exception):
    """An instruction that was taken for a load stores."""


class Remembering(StackMemory):
    """Memory that can be put back to what it was."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[tuple[int, int]] = []  # the addresses and sizes of stores since it was put back
        self.loaded: list[tuple[int, Node]] | None = None  # of loads, while there is a list; then a store is refused
        self.instead: list[Node] = []  # what the next loads give
        self.polynomial = 0  # its address
        self.most = 0  # the number of its places
        self.before: tuple[int, int] | None = None  # the least and the largest number of values, if it is a variable
        self.in_window = False  # whether there was an access to the window

    def window(self, address: int, most: int) -> None:
        """The place of the polynomial with FAR as the number of its values: as many places before it as behind."""
        self.polynomial, self.most = address, most
        super().region(address + 2 * (FAR - most), 4 * most, True, "the polynomial")

    def check(self, at: int, size: int, write: bool) -> Region:
        """While the number of values is a variable, the polynomial is accessed by it alone, and only where there are
        places whatever it is; else only by constants."""
        offset = at - self.polynomial - 2 * FAR
        if self.most and abs(offset) <= 2 * self.most:
            self.in_window = True
            least, largest = self.before or (0, -1)
            if offset < -2 * least or offset + size > 2 * (self.most - largest) or self.before is None:
                raise Violation(f"access of {size} bytes {offset:+} from the next value, behind {least} to {largest}")
        elif self.before and at < self.polynomial + 2 * self.most and self.polynomial < at + size:
            raise Violation(f"access at {at:#x}, in the polynomial, whatever the number of values")
        return super().check(at, size, write)

    def region(self, start: int, size: int, writable: bool, name: str, own: bool = False) -> int:
        """When states are joined, terms made of bytes that were never written are forgotten: reading one on the
        code's own stack is refused too."""
        return super().region(start, size, writable, name)

    def load(self, at: int, size: int) -> Node:
        n = self.instead.pop(0) if self.instead else super().load(at, size)
        if self.loaded is not None:
            self.loaded.append((at, n))
        return n

    def store(self, at: int, n: Node) -> None:
        if self.loaded is not None:
            raise StoreMet
        super().store(at, n)
        self.written.append((at, T.W[n] // 8))

    def forget_below(self, sp: int) -> None:
        super().forget_below(sp)
        stack = self._region_before(sp - 1)
        self.written = [(at, size) for at, size in self.written if stack is None or not stack.start <= at < sp]

    def save(self) -> Pages:
        """The pages that may be written."""
        return {k: list(page) for k, page in self._pages.items() if self._writable(k)}

    def is_writable(self, at: int) -> bool:
        return any(r.writable and r.start <= at < r.end for r in self.regions)

    def is_only_read(self, at: int) -> bool:
        region = self._region_before(at)
        return region is not None and at < region.end and not region.writable

    def put_back(self, pages: Pages, written: Sequence[tuple[int, int]] = ()) -> None:
        for k in [k for k in self._pages if self._writable(k) and k not in pages]:
            del self._pages[k]
        self._pages.update({k: list(page) for k, page in pages.items()})
        self.written = list(written)

    def put_words(self, at: int, words: Sequence[Node]) -> None:
        """Words of 16 bits from an even address on: quicker than by `put`."""
        codes = [code for n in words for code in (n << 7, n << 7 | 1)]
        while codes:
            page, offset = self._page(at // PAGE), at % PAGE
            some = codes[: PAGE - offset]
            page[offset : offset + len(some)] = some
            at, codes = at + len(some), codes[len(some) :]

    def nodes(self) -> set[Node]:
        """The content of the pages that may be written."""
        codes = set().union(*(page for k, page in self._pages.items() if self._writable(k)))
        return {code >> 7 for code in codes if code is not None}

    def replace(self, new: dict[Node, Node]) -> None:
        """Others of the same width, at every place."""
        for k in filter(self._writable, self._pages):
            page = self._pages[k]
            if any(c is not None and c >> 7 in new for c in set(page)):
                page[:] = [c if c is None or c >> 7 not in new else new[c >> 7] << 7 | c & 127 for c in page]

    def _writable(self, page: int) -> bool:
        return any(r.writable and r.start < (page + 1) * PAGE and page * PAGE < r.end for r in self.regions)


@dataclass
class State:
    """Between two steps: so many candidates are decided, and so many values may be there: one number, or, as the
    variable, any of several."""

    decided: int
    numbers: tuple[int, ...]
    is_variable: bool
    registers: Registers
    pages: Pages


class Fork(NamedTuple):
    """The place where a path goes on."""

    path: Path
    registers: Registers
    pages: Pages
    written: list[tuple[int, int]]


class Stream:
    """The code's output for the candidates: a buffer with at most `most` values of 16 bits, in which the first `have`
    are those accepted, in order. `number` is the variable of how many there are, up to `room` before the end: so many
    places the code may write in a step and not ask. Behind it each number is executed by itself."""

    def __init__(self, candidates: Candidates, address: int, most: int, room: int) -> None:
        self.candidates, self.address, self.most, self.room = candidates, address, most, room
        self.number = T.var("number of values", 64)
        self.values = [T.var(f"value {i}", 16) for i in range(most)]
        self.earlier = [T.var(f"earlier value {i}", 16) for i in range(most)]  # seen from the next one
        self.others = [T.var(f"other {i}", 16) for i in range(most)]
        candidates.set_apart([*self.earlier, *self.others])
        candidates.count_before(self.number)

    def starts(self) -> Iterator[tuple[int, ...]]:
        """The numbers that there may be before: those that are a variable, then those near the end."""
        yield tuple(range(self.most - self.room + 1))
        yield from ((have,) for have in range(self.most - self.room + 1, self.most))

    def start(self, memory: Remembering, have: int | None) -> None:
        """So many values are there, or any number; of the other places nothing is known."""
        memory.put_words(self.place(None, -self.most), [*self.earlier, *self.others])
        memory.put_words(self.address, [*self.values[: have or 0], *self.others[have or 0 :]])

    def place(self, have: int | None, i: int) -> int:
        """The address of value i after the first `have`, or any number."""
        return self.address + 2 * ((FAR if have is None else have) + i)

    def check(self, memory: Remembering, have: int | None, more: int, decided: int, path: Path) -> None:
        """The values that were there are still there, and those accepted since are behind them."""
        before = self.earlier if have is None else self.values[:have]
        for i in self.written(memory, have):
            if i < 0 and memory.lanes(self.place(have, i), 1, 16) != [before[i]]:
                raise NotProved(f"value {len(before) + i} of the first {len(before)} is overwritten")
        whose = "the values before" if have is None else f"the first {have}"
        for i, n in enumerate(memory.lanes(self.place(have, 0), more, 16)):
            self.candidates.check_nth(n, i, decided, path, f"value {i} after {whose}")

    def is_filled(self, memory: Memory, have: int | None, more: int) -> bool:
        """Whether something was written to the places of so many more values, as far as there are any."""
        lanes = memory.lanes(self.place(have, 0), min(more, self.most - (have or 0)), 16)
        return not any(self.candidates.is_set_apart(n) for n in lanes)

    def names(self, memory: Memory, have: int | None, more: int) -> dict[Node, Node]:
        """Of the values that were accepted since."""
        if have is None:
            return {}
        return dict(zip(memory.lanes(self.place(have, 0), more, 16), self.values[have : have + more], strict=True))

    def go_on(self, memory: Remembering, have: int | None, more: int, decided: int) -> dict[int, Node]:
        """The values that are there now have names. Of the other places nothing is known, but what was written of
        candidates that are not decided: this is returned, by its place behind the values."""
        kept = {}
        for i in self.written(memory, have):
            (n,) = memory.lanes(self.place(have, i), 1, 16)
            if i >= more and self.candidates.support(n) & self.candidates.all >> decided << decided:
                kept[i - more] = n
        return kept

    def put(self, memory: Remembering, have: int | None, kept: dict[int, Node]) -> None:
        """The present content."""
        self.start(memory, have)
        for i, n in kept.items():
            memory.put(self.place(have, i), [n])

    def written(self, memory: Remembering, have: int | None) -> set[int]:
        """The places that were written, counted from the next value; before and behind the polynomial left out."""
        low, high = (-self.most, self.most) if have is None else (-have, self.most - have)
        base = self.place(have, 0)
        ends = ((at - base, at + size - base) for at, size in memory.written)
        return {i for first, end in ends for i in range(max(first // 2, low), min((end + 1) // 2, high))}


class Meeting(NamedTuple):
    """States are joined if all of it is the same; `read_at` has the places in buffers that are only read."""

    pc: int
    decided: int
    have: int | None
    read_at: tuple[tuple[int, int], ...]


class Outcome(NamedTuple):
    """How a call can end: the candidates that were decided, the values there are, a constant or the stream's variable
    for fewer than there can be, and what the code says of them."""

    decided: int
    have: Node
    number: Node
    result: Node


class Exploring(Frames):
    """A machine that goes along all paths. `outcomes` has how the call can end."""

    stream: Stream
    memory: Remembering
    number: Callable[["Exploring"], Node]  # the number of values at the end
    begin: Callable[["Exploring"], Iterator[tuple[int, ...]]]  # sets it up for numbers of values before; gives these

    def __init__(self, image: Image, memory: Remembering) -> None:
        super().__init__(image, memory)

    def _run(self, limit: int | None) -> None:
        self.path: Path = ()
        self._known_flags: Flags | None = None
        self._waiting: dict[Meeting, Join] = {}
        self._goes_on: Path | None = None  # a path on which a step has not ended where it might have
        self._far: set[Node] = set()  # the addresses that an instruction has with the number that represents all
        self._asked: set[int] = set()
        self._without_number: set[Node] = set()  # nodes that do not depend on the number of values before
        self._tables: dict[tuple[int, Node, tuple[int, ...], int], list[Node]] = {}
        self.outcomes: list[Outcome] = []
        self._returned: Join | None = None
        self.memory.window(self.stream.address, self.stream.most)
        start = State(0, (0,), False, self.save(), self.memory.save())
        for numbers in self.begin(self):
            self._leave(0, numbers, len(numbers) > 1)
            self._restore(start)
        with T.settling(self._settle):
            while self._waiting:
                key = min(self._waiting, key=lambda k: k.decided)
                self._follow(self._waiting.pop(key).state)
        if self._returned is None:
            raise NotProved("no path returns")
        self._restore(self._returned.state)

    def step(self) -> None:
        """An address that was executed with the number that represents all must be one, and lead to the window."""
        self._far.clear()
        self.memory.in_window = False
        super().step()
        if len(self._far) > 1 or (self._far and not self.memory.in_window):
            raise Violation("the number of values decides more than an address")

    def _settle(self, n: Node) -> Node:
        if T.W[n] == 64 and self.stream.candidates.depends_on_before(n):
            return self._settle_far(n)
        values = self.stream.candidates.possible(n, self.path)
        if len(values) > 1:
            raise Undecided(n, values)
        return self._on_this_path(n)

    def _settle_far(self, n: Node) -> Node:
        """An address: the number of values, once or twice, and what does not depend on it."""
        factor, rest = self._multiple(n, (1, 2)) or (0, n)
        values = self.stream.candidates.possible(rest, self.path)
        if len(values) > 1:
            raise Undecided(rest, values)
        if not values:
            return n
        if factor:
            if self._goes_on is not self.path and self._is_next(factor, values[0]):
                raise Undecided(n, [])  # a step may end before it is executed
            self._far.add(n)
        return T.const(values[0] + factor * FAR, 64)

    def _is_next(self, factor: int, rest: int) -> bool:
        """Whether an address leads behind the values that have been accepted in this step."""
        decided = self._decided()
        if not decided:
            return False
        more = self.stream.candidates.possible(self.stream.candidates.count(decided), self.path)
        return len(more) == 1 and rest in (factor * more[0], self.stream.address + factor * more[0])

    def _multiple(self, n: Node, factors: Sequence[int]) -> tuple[int, Node] | None:
        """A term of 64 bits as a multiple of the number of values and a rest."""
        candidates = self.stream.candidates
        depend = [m for m in addends(n) if candidates.depends_on_before(m)]
        others = [m for m in addends(n) if not candidates.depends_on_before(m)]
        for factor in factors if T.W[n] == 64 else ():
            more = T.sub(total(depend), T.mul(self.stream.number, T.const(factor, 64)))
            rest = candidates.without_before(more, self.path)
            if not candidates.depends_on_before(rest):
                return factor, total([*others, *addends(rest)])
        return None

    def _on_this_path(self, n: Node) -> Node:
        values = self.stream.candidates.possible(n, self.path)
        return T.const(values[0], T.W[n]) if len(values) == 1 else n

    # ---- states ----

    def _restore(self, state: State) -> None:
        self.restore(state.registers)
        self.memory.put_back(state.pages)

    def _leave(self, decided: int, numbers: tuple[int, ...], is_variable: bool) -> None:
        """The machine's state waits, joined with others of its kind."""
        state = State(decided, numbers, is_variable, self.save(), self.memory.save())
        have = None if is_variable else numbers[0]
        key = Meeting(state.registers.pc, decided, have, tuple(self._read_at(state.registers)))
        if key in self._waiting:
            self._waiting[key].add(state)
        else:
            self._waiting[key] = Join(state)

    def _read_at(self, r: Registers) -> Iterator[tuple[int, int]]:
        """The general registers that point into buffers that are only read: code that has come as far by other loops
        may be elsewhere in them."""
        for i, n in enumerate(r.general):
            if T.is_const(n) and self.memory.is_only_read(T.val(n)) and not self._is_of_image(T.val(n)):
                yield i, T.val(n)

    def _is_of_image(self, at: int) -> bool:
        return any(s.start <= at < s.start + len(s.data) for s in self.image.segments)

    # ---- one step: until new candidates are asked about, along all paths ----

    def _follow(self, state: State) -> None:
        self._forks = [Fork((), state.registers, state.pages, [])]
        self._have = None if state.is_variable else state.numbers[0]
        self.stream.candidates.domain = state.numbers
        while self._forks:
            fork = self._forks.pop()
            self.path = fork.path
            numbers = self._numbers()
            self.memory.before = (numbers[0], numbers[-1]) if state.is_variable else None
            self.restore(fork.registers)
            self.memory.put_back(fork.pages, fork.written)
            self._execute(state, fork)

    def _numbers(self) -> list[int]:
        """Of values that there may be before on this path, in order."""
        return self.stream.candidates.possible(self.stream.number, self.path)

    def _execute(self, state: State, fork: Fork) -> None:
        """Follows a path to where it forks or to the step's end, which may be where it begins."""
        if fork.path and self._is_at_next(state) and self._has_ended(state, self._decided(), early=True):
            return
        while self.pc != RETURN:
            if self.pc not in self._asked:
                at = self.pc
                try:
                    self.step()
                    continue
                except (Undecided, Violation):  # it may do when what is constant on the path is written as a constant
                    self._asked.add(at)
                    self._forks.append(fork)
                    return
            self._make_constant()
            before = self.save()
            try:
                self.step()
            except Undecided as asked:
                self.restore(before)
                if self._asks_for_new(state, asked.node):
                    return
                if not asked.values:
                    self._goes_on = self.path
                    continue
                if not self._look_up(asked, before):
                    self._fork(asked.node, asked.values)
                    return
        self._make_constant()
        number = self._more()
        many = (self._decided() | self._candidates(number)).bit_count() > MOST
        if not (many and self._asks_for_new(state, number)) and not self._fork_on(number):
            self._has_ended(state, self._decided())

    def _is_at_next(self, state: State) -> bool:
        """Whether the path begins with an address, of a known number of values, that leads behind all that have been
        accepted in this step."""
        if self._have is None:
            return False
        ((n, value), decided) = self.path[-1], self._decided()
        if T.W[n] != 64 or decided.bit_length() - state.decided != decided.bit_count():
            return False
        more = self.stream.candidates.possible(self._number_of(state, decided), self.path)
        return len(more) == 1 and value in (self._have + more[0], self.stream.place(self._have, more[0]))

    def _asks_for_new(self, state: State, n: Node) -> bool:
        """Whether a term that the code asks for depends on none but new candidates, or on the number of values before
        when candidates have been decided since, so that a step has ended."""
        if self._have is None and self._decided() and self.stream.candidates.depends_on_before(n):
            return self._has_ended(state, self._decided(), early=True)
        asked = self._candidates(n)
        before = (asked & -asked) - (1 << state.decided)
        new = asked and before > 0 and not self._decided() & ~before
        begun = self._decided() or self.stream.is_filled(self.memory, self._have, 1)
        return bool(new and begun) and self._has_ended(state, before, early=True)

    def _more(self) -> Node:
        """The number of values at the end, less the variable number before."""
        number = self.number(self)
        if self._have is None:
            return self.stream.candidates.without_before(T.sub(number, self.stream.number), self.path)
        return number

    def _fork(self, n: Node, values: Sequence[int]) -> None:
        r, pages, written = self.save(), self.memory.save(), list(self.memory.written)
        self._forks += [Fork((*self.path, (n, value)), r, pages, written) for value in values]

    def _candidates(self, n: Node) -> int:
        return self.stream.candidates.support(n) & self.stream.candidates.all

    def _decided(self) -> int:
        """The candidates that the path has asked about."""
        found = 0
        for n, _ in self.path:
            found |= self._candidates(n)
        return found

    def _make_constant(self) -> None:
        """Writes what is constant on this path as a constant, in general registers and in what was stored."""
        if not self.path:
            return
        r = self.save()
        status = r.flags
        if status is not self._known_flags:
            status = self._known_flags = r.flags.like([self._known(n) for n in r.flags.terms()])
        self.restore(r._replace(general=[self._known(n) for n in r.general], flags=status))
        for at, size in self.memory.written:
            (n,) = self.memory.lanes(at, 1, 8 * size)
            if (known := self._known(n)) != n:
                self.memory.put(at, [known])

    def _forget(self, state: State) -> None:
        """Places beyond the values, and values before the variable, get the same names again: what was made of them
        before is unknown now."""
        r, depends = self.save(), self.stream.candidates.is_set_apart

        def forget(n: Node) -> Node:
            if not depends(n):
                return n
            return T.concat([T.fresh(w) if depends(m) else T.extract(m, low, w) for m, low, w in T.pieces(n)])

        before = {id(lanes) for lanes in state.registers.vector}
        vector = [lanes if id(lanes) in before else [forget(n) for n in lanes] for lanes in r.vector]
        status = r.flags.like([forget(n) for n in r.flags.terms()])
        self.restore(Registers([forget(n) for n in r.general], status, vector, r.pc))
        for at, size in self.memory.written:
            self.memory.put(at, [forget(*self.memory.lanes(at, 1, 8 * size))])

    def _count_from(self, more: int, numbers: tuple[int, ...], is_variable: bool) -> None:
        """The number of values, more by so many, is one of these from now on. A value that is no multiple of the
        variable and a rest, nor another function of it alone, is unknown now."""
        candidates, number = self.stream.candidates, self.stream.number
        before, candidates.domain = candidates.domain, tuple(n - more for n in numbers)

        def counted(n: Node) -> Node:
            if not candidates.depends_on_before(n):
                return n
            if not is_variable:
                return self._as_counts(rebuilt(n, {number: T.const(numbers[0] - more, 64)}))
            same = candidates.without_before(n, self.path)
            if not candidates.depends_on_before(same):
                return self._as_counts(same)
            found = self._multiple(n, FACTORS)
            if found is None:
                inner = {m: self._known(m) for m in candidates.without_number([n])}
                function = rebuilt(n, inner | {number: T.sub(number, T.const(more, 64))})
                return T.fresh(T.W[n]) if candidates.support(function) & candidates.all else function
            factor, rest = found[0], T.sub(self._as_counts(found[1]), T.const(found[0] * more, 64))
            return T.add(T.mul(number, T.const(factor, 64)), rest)

        r = self.save()
        vector = [list(map(counted, lanes)) for lanes in r.vector]
        status = r.flags.like([counted(n) for n in r.flags.terms()])
        general = [counted(n) if candidates.depends_on_before(n) else self._as_counts(n) for n in r.general]
        self.restore(Registers(general, status, vector, r.pc))
        nodes = self.memory.nodes() - self._without_number
        depend = set(filter(candidates.depends_on_before, nodes))
        self._without_number |= nodes - depend
        self.memory.replace({n: counted(n) for n in depend})
        candidates.domain = before

    def _as_counts(self, n: Node) -> Node:
        """Of a sum, each term that is a constant and a multiple of how many of its candidates are accepted: paths that
        meet have it alike."""
        if T.W[n] != 64:
            return self._known(n)
        return total([x for m in addends(self._known(n)) for x in addends(self._as_count(m))])

    def _as_count(self, n: Node) -> Node:
        candidates = self._candidates(n)
        if not 0 < candidates.bit_count() <= T.W[n]:
            return n
        if len(values := self.stream.candidates.possible(n, self.path)) == 1:
            return T.const(values[0], T.W[n])
        number = self.stream.candidates.count(candidates)
        for factor in FACTORS if 0 < len(values) <= candidates.bit_count() + 1 else ():
            multiple = T.mul(number, T.const(factor, 64))
            rest = self.stream.candidates.possible(T.sub(n, multiple), self.path)
            if len(rest) == 1:
                return T.add(multiple, T.const(rest[0], 64))
        return n

    def _rename(self, names: dict[Node, Node]) -> None:
        """Values that code has loaded have the names of those in memory."""

        def renamed(n: Node) -> Node:
            if not self._candidates(n):
                return n
            lanes = T.split(n, 16)
            return T.concat([names.get(x, x) for x in lanes]) if names.keys() & lanes else n

        r = self.save()
        self.restore(r._replace(vector=[[renamed(n) for n in lanes] for lanes in r.vector]))
        for at, size in self.memory.written:
            if size % 2 == 0:
                self.memory.put(at, [renamed(*self.memory.lanes(at, 1, 8 * size))])

    def _known(self, n: Node) -> Node:
        """The term with constants for what is constant on this path."""
        candidates, decided = self.stream.candidates, self._decided()
        if T.is_const(n) or not candidates.support(n) & decided:
            return n
        values = [] if candidates.depends_on_before(n) else candidates.possible(n, self.path)
        if len(values) == 1:
            return T.const(values[0], T.W[n])
        if not candidates.support(n) & ~decided:
            return n
        return made_of(n, [self._known(c) for c in T.children(n)])

    def _look_up(self, asked: Undecided, before: Registers) -> bool:
        """Executes a load of constants for all addresses at once: what it loads is a choice among the entries."""
        is_load = self.decoded(before.pc) is not None  # and no function of the C library
        first = self._loads(asked.node, asked.values[0], before) if is_load else []
        if not first or any(self.memory.is_writable(at) for at, _ in first):
            return False
        key = before.pc, asked.node, tuple(asked.values), first[0][0]
        if key not in self._tables:
            loads = [self._loads(asked.node, value, before) for value in asked.values]
            self._tables[key] = [choice(asked, [n for _, n in entries]) for entries in zip(*loads, strict=True)]
        self.memory.instead = list(self._tables[key])
        self._step_as(asked.node, asked.values[0])
        return True

    def _step_as(self, n: Node, value: int) -> None:
        path, self.path = self.path, (*self.path, (n, value))
        self._goes_on = self.path
        try:
            self.step()
        finally:
            self.path = path

    def _loads(self, n: Node, value: int, before: Registers) -> list[tuple[int, Node]]:
        """The value that the instruction loads if n has this value; nothing if it stores. Undone again."""
        loaded: list[tuple[int, Node]] = []
        self.memory.loaded = loaded
        try:
            self._step_as(n, value)
        except StoreMet:
            return []
        finally:
            self.memory.loaded = None
            self.restore(before)
        return loaded

    def _has_ended(self, state: State, decided: int, early: bool = False) -> bool:
        """The values so far are checked; then new candidates may be decided. It is too early where a value that was
        accepted has not been written to its place, or is counted together with candidates that are not decided."""
        number = self._number_of(state, decided)
        if self._fork_on(number):
            return True
        self._make_constant()
        more = next(iter(self.stream.candidates.possible(number, self.path)), None)
        if more is None:
            raise NotProved("how many values there are depends on too many candidates at once")
        if early and (self._counts_ahead(decided) or not self.stream.is_filled(self.memory, self._have, more)):
            return False
        self.stream.check(self.memory, self._have, more, decided, (*self.path, (number, more)))
        self._rename(self.stream.names(self.memory, self._have, more))
        self._forget(state)
        self._go_on(state, more, decided)
        return True

    def _counts_ahead(self, decided: int) -> bool:
        """Whether a register counts candidates that are decided, or constants by now, together with others: code that
        counts them all before it has written any goes on by that sum, which paths that meet would not have alike."""

        def is_split(bits: Node) -> bool:
            known = self._candidates(bits) & decided or any(T.is_const(m) and T.val(m) for m, _, _ in T.pieces(bits))
            return bool(known and self._candidates(bits) & ~decided)

        pieces = (m for n in self.save().general for m, _, _ in T.pieces(n))
        return any(T.OP[m] == "popcnt" and is_split(T.ARGS[m][0]) for m in pieces)

    def _go_on(self, state: State, more: int, decided: int) -> None:
        """With so many values more: as a variable again, and near the end each number by itself."""
        now, stream = state.decided + decided.bit_count(), self.stream
        kept = stream.go_on(self.memory, self._have, more, now)
        if not state.is_variable:
            r = self.save()
            self.restore(r._replace(general=[self._as_counts(n) for n in r.general]))
            stream.put(self.memory, state.numbers[0] + more, kept)
            return self._leave_or_return(now, (state.numbers[0] + more,), False, decided)
        numbers = [n + more for n in self._numbers()]
        here, written = State(now, (0,), True, self.save(), self.memory.save()), list(self.memory.written)
        far = tuple(n for n in numbers if n <= stream.most - stream.room)
        for some in ([far] if far else []) + [(n,) for n in numbers[len(far) :]]:
            self.restore(here.registers)
            self.memory.put_back(here.pages, written)
            self._count_from(more, some, some is far)
            stream.put(self.memory, None if some is far else some[0], kept)
            self._leave_or_return(now, some, some is far, decided)
        return None

    def _number_of(self, state: State, decided: int) -> Node:
        """How many of the candidates that were decided are accepted and have room; these must be the next ones."""
        if members(decided) != list(range(state.decided, state.decided + decided.bit_count())):
            raise NotProved(f"after {state.decided} candidates those decided are {members(decided)}")
        number = self.stream.candidates.count(decided) if decided else T.const(0, 64)
        room = T.const(self.stream.most - (self._have or 0), 64)
        return number if state.is_variable else T.ite(T.ult(room, number), room, number)

    def _leave_or_return(self, now: int, numbers: tuple[int, ...], is_variable: bool, decided: int) -> None:
        number = self.number(self)
        known = number == self.stream.number if is_variable else T.is_const(self._on_this_path(number))
        if self.pc != RETURN or (decided and not known):
            self._leave(now, numbers, is_variable)
        elif known:
            self._return(now, numbers, is_variable)
        else:
            raise NotProved(f"it ends after {now} candidates, and it is not known with how many values")

    def _fork_on(self, n: Node) -> bool:
        values = self.stream.candidates.possible(n, self.path)
        if len(values) > 1:
            self._fork(n, values)
        return len(values) > 1

    def _return(self, decided: int, numbers: tuple[int, ...], is_variable: bool) -> None:
        """From now on the numbers alone decide the counts."""
        candidates, before, path = self.stream.candidates, self.stream.candidates.domain, self.path
        if is_variable:
            candidates.domain, self.path = numbers, ()
        have = self.stream.number if is_variable else T.const(numbers[0], 64)
        ends = (self._on_this_path(n) for n in (self.number(self), self.save().general[0]))
        self.outcomes.append(Outcome(decided, have, *ends))
        candidates.domain, self.path = before, path
        state = State(0, (0,), False, self.save(), self.memory.save())
        if self._returned:
            self._returned.add(state)
        else:
            self._returned = Join(state)


def addends(n: Node) -> list[Node]:
    """The summands of a term."""
    return [x for m in T.children(n) for x in addends(m)] if T.OP[n] == "add" else [n]


def total(terms: Sequence[Node]) -> Node:
    """The sum of terms of 64 bits, in an order that does not depend on theirs, the constants last."""
    constant = T.const(sum(T.val(n) for n in terms if T.is_const(n)), 64)
    others = sorted(n for n in terms if not T.is_const(n))
    return T.add(reduce(T.add, others), constant) if others else constant


def choice(asked: Undecided, entries: Sequence[Node]) -> Node:
    """The entry of the value that was asked for: a tree, as the values are in order."""
    if T.W[entries[0]] > 64:
        return T.concat([choice(asked, parts) for parts in zip(*(T.split(n, 64) for n in entries), strict=True)])

    def among(first: int, end: int) -> Node:
        middle = (first + end) // 2
        if first == middle:
            return entries[first]
        lower = T.ult(asked.node, T.const(asked.values[middle], T.W[asked.node]))
        return T.ite(lower, among(first, middle), among(middle, end))

    return among(0, len(entries))


class Join:
    """The common part of two states: where they differ, there is an unknown, one for each place."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._made: set[Node] = set()

    def add(self, other: State) -> None:
        x, y = self.state, other
        general = [self._word(a, b) for a, b in zip(x.registers.general, y.registers.general, strict=True)]
        pairs = zip(x.registers.flags.terms(), y.registers.flags.terms(), strict=True)
        status = x.registers.flags.like([self._word(a, b) for a, b in pairs])
        vectors = zip(x.registers.vector, y.registers.vector, strict=True)
        vector = [a if a is b else [self._word(*lanes) for lanes in zip(a, b, strict=True)] for a, b in vectors]
        pages = {k: self._page(x.pages.get(k, NOTHING), y.pages.get(k, NOTHING)) for k in x.pages.keys() | y.pages}
        numbers = tuple(sorted({*x.numbers, *y.numbers}))
        found = Registers(general, status, vector, x.registers.pc)
        self.state = State(x.decided, numbers, x.is_variable, found, pages)

    def _word(self, a: Node, b: Node) -> Node:
        return a if a == b or a in self._made else self._unknown(T.W[a])

    def _page(self, x: Page, y: Page) -> Page:
        if x == y:
            return x
        return [c for i in range(0, PAGE, CHUNK) for c in self._chunk(x[i : i + CHUNK], y[i : i + CHUNK])]

    def _chunk(self, x: Page, y: Page) -> Page:
        return x if x == y else [self._byte(a, b) for a, b in zip(x, y, strict=True)]

    def _byte(self, a: int | None, b: int | None) -> int | None:
        """A byte that either state has not written is not written."""
        if a == b or a is None or b is None or (a >> 7) in self._made or _byte_of(a) == _byte_of(b):
            return a if b is not None else None
        return self._unknown(8) << 7

    def _unknown(self, w: int) -> Node:
        n = T.fresh(w)
        self._made.add(n)
        return n


def _byte_of(place: int) -> Node:
    """A byte as memory keeps it: a node, and which of its bytes."""
    return T.extract(place >> 7, 8 * (place & 127), 8)
