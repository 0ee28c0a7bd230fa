"""Paths: executes code that branches on candidates (cases.py) along all its paths, and joins them again.

SPDX-License-Identifier: Apache-2.0
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from proofs.domains import NotProved
from proofs.domains.cases import MOST, Candidates, Path, Undecided, members
from proofs.machine import terms as T
from proofs.machine.aarch64.registers import Flags, with_lanes
from proofs.machine.frames import StackMemory
from proofs.machine.memory import PAGE, Memory, Violation
from proofs.machine.terms import Node
from proofs.machine.x86_64 import flags
from proofs.machine.x86_64.operands import relane

Page = list[int | None]
Pages = dict[int, Page]
NOTHING: Page = [None] * PAGE
SIMPLIFY = {"and": T.and_, "or": T.or_, "xor": T.xor, "not": T.not_, "add": T.add, "sub": T.sub, "ite": T.ite}
CHUNK = 64  # bytes that are compared at once
RETURN = 0x7FFFFFFF0000  # of both machines


class StoreMet(Exception):
    """An instruction that was taken for a load stores."""


class Remembering(StackMemory):
    """Memory that can be put back to what it was."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[tuple[int, int]] = []  # the addresses and sizes of stores since it was put back
        self.loaded: list[tuple[int, Node]] | None = None  # of loads, while there is a list; then a store is refused
        self.instead: list[Node] = []  # what the next loads give

    def region(self, start: int, size: int, writable: bool, name: str, own: bool = False) -> int:
        """Where states are joined it is forgotten what is made of bytes that were never written: reading one on the
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

    def put_back(self, pages: Pages, written: Sequence[tuple[int, int]] = ()) -> None:
        for k in [k for k in self._pages if self._writable(k) and k not in pages]:
            del self._pages[k]
        self._pages.update({k: list(page) for k, page in pages.items()})
        self.written = list(written)

    def _writable(self, page: int) -> bool:
        return any(r.writable and r.start < (page + 1) * PAGE and page * PAGE < r.end for r in self.regions)


class Registers(NamedTuple):
    """General registers and masks; flags, as the machine keeps them; vector registers as lanes of 64 bits; the program
    counter."""

    general: list[Node]
    flags: Any
    vector: list[list[Node]]
    pc: int


def registers(machine: Any) -> Registers:
    if hasattr(machine, "gpr"):
        vector = [relane(lanes, 64) for _, lanes in machine.vec]
        return Registers([*machine.gpr, *machine.k], machine.flags, vector, machine.pc)
    vector = [v if T.W[v[0]] == 64 else with_lanes(v, 64) for v in machine.vector]
    return Registers(list(machine.general), machine.flags, vector, machine.pc)


def put_back(machine: Any, r: Registers) -> None:
    if hasattr(machine, "gpr"):
        machine.gpr[:], machine.k[:] = r.general[:16], r.general[16:]
        machine.vec[:] = [(64, lanes) for lanes in r.vector]
    else:
        machine.general[:], machine.vector[:] = r.general, r.vector
    machine.flags, machine.pc = r.flags, r.pc


def flags_of(status: Any) -> list[Node]:
    """The flags that code asks for."""
    return [getattr(status, letter) for letter in "nzcv"] if isinstance(status, Flags) else [*map(status, "czso")]


def like_flags(status: Any, nodes: Sequence[Node]) -> Any:
    """Flags as this machine keeps them."""
    if isinstance(status, Flags):
        return Flags(*nodes)
    known = dict(zip("czso", nodes, strict=True))
    return lambda letter: known[letter] if letter in known else flags.unknown()


@dataclass
class State:
    """Between two steps: so many candidates are decided, and so many values are there."""

    decided: int
    have: int
    registers: Registers
    pages: Pages


class Fork(NamedTuple):
    """Where a path goes on."""

    path: Path
    registers: Registers
    pages: Pages
    written: list[tuple[int, int]]


class Stream:
    """What the code makes of the candidates: a buffer with at most `most` values of 16 bits, in which the first `have`
    are those accepted, in order."""

    def __init__(self, candidates: Candidates, address: int, most: int) -> None:
        self.candidates, self.address, self.most = candidates, address, most
        self.values = [T.var(f"value {i}", 16) for i in range(most)]
        self.others = [T.var(f"other {i}", 16) for i in range(most)]
        candidates.set_apart(self.others)

    def start(self, memory: Memory, have: int) -> None:
        """So many values are there; of the other places nothing is known."""
        memory.put(self.address, [*self.values[:have], *self.others[have:]])

    def check(self, memory: Remembering, before: int, have: int, decided: int, path: Path) -> None:
        """The values that were there are still there, and those accepted since stand behind them."""
        for i in self._written(memory):
            if i < before and memory.lanes(self.address + 2 * i, 1, 16) != [self.values[i]]:
                raise NotProved(f"value {i} of the first {before} is overwritten")
        for i, n in enumerate(memory.lanes(self.address + 2 * before, have - before, 16)):
            self.candidates.check_nth(n, i, decided, path, f"value {i} after the first {before}")

    def is_filled(self, memory: Memory, before: int, have: int) -> bool:
        """Whether something was written to all places up to so many values."""
        lanes = memory.lanes(self.address + 2 * before, have - before, 16)
        return not any(self.candidates.is_set_apart(n) for n in lanes)

    def names(self, memory: Memory, before: int, have: int) -> dict[Node, Node]:
        """Of the values that were accepted since."""
        return dict(
            zip(memory.lanes(self.address + 2 * before, have - before, 16), self.values[before:have], strict=True)
        )

    def go_on(self, memory: Remembering, before: int, have: int, decided: int) -> None:
        """The values that are there now have names. Of the other places nothing is known, but what was written of
        candidates that are not decided."""
        memory.put(self.address + 2 * before, self.values[before:have])
        for i in self._written(memory):
            (n,) = memory.lanes(self.address + 2 * i, 1, 16)
            if i >= have and not self.candidates.support(n) & self.candidates.all >> decided << decided:
                memory.put(self.address + 2 * i, [self.others[i]])

    def _written(self, memory: Remembering) -> set[int]:
        """The places that were written, before and behind the polynomial left out."""
        ends = ((at - self.address, at + size - self.address) for at, size in memory.written)
        return {i for low, end in ends for i in range(max(low // 2, 0), min((end + 1) // 2, self.most))}


class Outcome(NamedTuple):
    """How a call can end: the candidates that were decided, the values there are, and what the code says of them."""

    decided: int
    have: int
    number: Node
    result: Node


class Exploring:
    """A machine that goes along all paths. `outcomes` has how the call can end."""

    stream: Stream
    memory: Remembering
    number: Callable[[Any], Node]  # the number of values at the end
    begin: Callable[[Any], Iterator[int]]  # sets the machine up for each number of values there may be, and tells it

    def _run(self, limit: int | None) -> None:
        self.path: Path = ()
        self._known_flags: Any = None
        self._waiting: dict[tuple[int, int, int], Join] = {}
        self._asked: set[int] = set()
        self._tables: dict[tuple[int, Node, tuple[int, ...], int], list[Node]] = {}
        self.outcomes: list[Outcome] = []
        self._returned: Join | None = None
        start = State(0, 0, registers(self), self.memory.save())
        for have in self.begin(self):
            self._leave(0, have)
            self._restore(start)
        with T.settling(self._settle):
            while self._waiting:
                key = min(self._waiting, key=lambda k: k[1])
                self._follow(self._waiting.pop(key).state)
        self._restore(self._returned.state)

    def _settle(self, n: Node) -> Node:
        values = self.stream.candidates.possible(n, self.path)
        if len(values) > 1:
            raise Undecided(n, values)
        return self._on_this_path(n)

    def _on_this_path(self, n: Node) -> Node:
        values = self.stream.candidates.possible(n, self.path)
        return T.const(values[0], T.W[n]) if len(values) == 1 else n

    # ---- states ----

    def _restore(self, state: State) -> None:
        put_back(self, state.registers)
        self.memory.put_back(state.pages)

    def _leave(self, decided: int, have: int) -> None:
        """The machine's state waits, joined with others of its kind."""
        state = State(decided, have, registers(self), self.memory.save())
        key = state.registers.pc, decided, have
        if key in self._waiting:
            self._waiting[key].add(state)
        else:
            self._waiting[key] = Join(state)

    # ---- one step: until new candidates are asked about, along all paths ----

    def _follow(self, state: State) -> None:
        self._forks = [Fork((), state.registers, state.pages, [])]
        while self._forks:
            fork = self._forks.pop()
            self.path = fork.path
            put_back(self, fork.registers)
            self.memory.put_back(fork.pages, fork.written)
            self._execute(state, fork)

    def _execute(self, state: State, fork: Fork) -> None:
        """Follows a path to where it forks or to the step's end."""
        while self.pc != RETURN:
            if self.pc not in self._asked:
                at = self.pc
                try:
                    self.step()
                    continue
                except (Undecided, Violation):  # it may do when what is constant on the path is written as a constant
                    self._asked.add(at)
                    return self._forks.append(fork)
            self._make_constant()
            before = registers(self)
            try:
                self.step()
            except Undecided as asked:
                put_back(self, before)
                if self._asks_for_new(state, asked.node):
                    return
                if not self._look_up(asked, before):
                    return self._fork(asked.node, asked.values)
        self._make_constant()
        number = self.number(self)
        many = (self._decided() | self.stream.candidates.support(number)).bit_count() > MOST
        if not (many and self._asks_for_new(state, number)) and not self._fork_on(number):
            self._has_ended(state, self._decided())

    def _asks_for_new(self, state: State, n: Node) -> bool:
        """Whether a term that the code asks for depends on none but new candidates, so that a step has ended."""
        asked = self.stream.candidates.support(n)
        before = (asked & -asked) - (1 << state.decided)
        new = self._decided() and before > 0 and not asked & self._decided()
        return bool(new) and self._has_ended(state, before, early=True)

    def _fork(self, n: Node, values: Sequence[int]) -> None:
        r, pages, written = registers(self), self.memory.save(), list(self.memory.written)
        self._forks += [Fork((*self.path, (n, value)), r, pages, written) for value in values]

    def _decided(self) -> int:
        """The candidates that the path has asked about."""
        found = 0
        for n, _ in self.path:
            found |= self.stream.candidates.support(n)
        return found

    def _make_constant(self) -> None:
        """Writes what is constant on this path as a constant, in general registers and in what was stored."""
        if not self.path:
            return
        r = registers(self)
        status = r.flags
        if status is not self._known_flags:
            status = self._known_flags = like_flags(r.flags, [self._known(n) for n in flags_of(r.flags)])
        put_back(self, r._replace(general=[self._known(n) for n in r.general], flags=status))
        for at, size in self.memory.written:
            (n,) = self.memory.lanes(at, 1, 8 * size)
            if (known := self._known(n)) != n:
                self.memory.put(at, [known])

    def _forget(self, state: State) -> None:
        """Places beyond the values get the same names again: what was made of them before is unknown now."""
        r, depends = registers(self), self.stream.candidates.is_set_apart

        def forget(n: Node) -> Node:
            return T.concat([T.fresh(w) if depends(m) else T.extract(m, low, w) for m, low, w in T.pieces(n)])

        before = {id(lanes) for lanes in state.registers.vector}
        vector = [lanes if id(lanes) in before else [forget(n) for n in lanes] for lanes in r.vector]
        status = like_flags(r.flags, [forget(n) for n in flags_of(r.flags)])
        put_back(self, Registers([forget(n) for n in r.general], status, vector, r.pc))
        for at, size in self.memory.written:
            self.memory.put(at, [forget(*self.memory.lanes(at, 1, 8 * size))])

    def _rename(self, names: dict[Node, Node]) -> None:
        """Values that code has loaded have the names of those in memory."""

        def renamed(n: Node) -> Node:
            lanes = T.split(n, 16)
            return T.concat([names.get(x, x) for x in lanes]) if names.keys() & lanes else n

        r = registers(self)
        put_back(self, r._replace(vector=[[renamed(n) for n in lanes] for lanes in r.vector]))
        for at, size in self.memory.written:
            if size % 2 == 0:
                self.memory.put(at, [renamed(*self.memory.lanes(at, 1, 8 * size))])

    def _known(self, n: Node) -> Node:
        """The term with constants for what is constant on this path."""
        candidates, decided = self.stream.candidates, self._decided()
        if T.is_const(n) or not candidates.support(n) & decided:
            return n
        values = candidates.possible(n, self.path)
        if len(values) == 1:
            return T.const(values[0], T.W[n])
        if not candidates.support(n) & ~decided:
            return n
        if T.OP[n] == "cat":
            return T.concat([T.extract(self._known(m), low, w) for m, low, w in T.pieces(n)])
        return _made_of(n, [self._known(c) for c in T.children(n)])

    def _look_up(self, asked: Undecided, before: Registers) -> bool:
        """Executes a load of constants for all addresses at once: what it loads is a choice among the entries."""
        first = self._loads(asked.node, asked.values[0], before)
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
        try:
            self.step()
        finally:
            self.path = path

    def _loads(self, n: Node, value: int, before: Registers) -> list[tuple[int, Node]]:
        """What the instruction loads where n has this value; nothing if it stores. Undone again."""
        self.memory.loaded = loaded = []
        try:
            self._step_as(n, value)
        except StoreMet:
            return []
        finally:
            self.memory.loaded = None
            put_back(self, before)
        return loaded

    def _has_ended(self, state: State, decided: int, early: bool = False) -> bool:
        """The values so far are checked; then new candidates may be decided. It is too early where a value that was
        accepted has not been written to its place."""
        number = self._number_of(state, decided)
        if self._fork_on(number):
            return True
        self._make_constant()
        have = min(self.stream.most, state.have + self.stream.candidates.possible(number, self.path)[0])
        if early and not self.stream.is_filled(self.memory, state.have, have):
            return False
        self.stream.check(self.memory, state.have, have, decided, self.path)
        self._rename(self.stream.names(self.memory, state.have, have))
        self._forget(state)
        now = state.decided + decided.bit_count()
        self.stream.go_on(self.memory, state.have, have, now)
        self._leave_or_return(now, have, decided)
        return True

    def _number_of(self, state: State, decided: int) -> Node:
        """How many of the candidates that were decided are accepted; these must be the next ones."""
        if members(decided) != list(range(state.decided, state.decided + decided.bit_count())):
            raise NotProved(f"after {state.decided} candidates those decided are {members(decided)}")
        return self.stream.candidates.count(decided) if decided else T.const(0, 64)

    def _leave_or_return(self, now: int, have: int, decided: int) -> None:
        known = T.is_const(self._on_this_path(self.number(self)))
        if self.pc != RETURN or (decided and not known):
            self._leave(now, have)
        elif known:
            self._return(now, have)
        else:
            raise NotProved(f"it ends after {now} candidates, and it is not known with how many values")

    def _fork_on(self, n: Node) -> bool:
        values = self.stream.candidates.possible(n, self.path)
        if len(values) > 1:
            self._fork(n, values)
        return len(values) > 1

    def _return(self, decided: int, have: int) -> None:
        ends = (self._on_this_path(n) for n in (self.number(self), registers(self).general[0]))
        self.outcomes.append(Outcome(decided, have, *ends))
        state = State(0, 0, registers(self), self.memory.save())
        if self._returned:
            self._returned.add(state)
        else:
            self._returned = Join(state)


def _made_of(n: Node, operands: Sequence[Node]) -> Node:
    """The term with other operands, simplified as if the code had had them: paths that meet have to find it equal."""
    simplify = SIMPLIFY.get(T.OP[n])
    return simplify(*operands) if simplify else T.mk(T.OP[n], T.W[n], *operands)


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
    """What two states have in common: where they differ, there is an unknown, one for each place."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._made: set[Node] = set()

    def add(self, other: State) -> None:
        x, y = self.state, other
        general = [self._word(a, b) for a, b in zip(x.registers.general, y.registers.general, strict=True)]
        pairs = zip(flags_of(x.registers.flags), flags_of(y.registers.flags), strict=True)
        status = like_flags(x.registers.flags, [self._word(a, b) for a, b in pairs])
        vectors = zip(x.registers.vector, y.registers.vector, strict=True)
        vector = [a if a is b else [self._word(*lanes) for lanes in zip(a, b, strict=True)] for a, b in vectors]
        pages = {k: self._page(x.pages.get(k, NOTHING), y.pages.get(k, NOTHING)) for k in x.pages.keys() | y.pages}
        self.state = State(x.decided, x.have, Registers(general, status, vector, x.registers.pc), pages)

    def _word(self, a: Node, b: Node) -> Node:
        return a if a == b or a in self._made else self._unknown(T.W[a])

    def _page(self, x: Page, y: Page) -> Page:
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


def explored(target: Any) -> Any:
    """The target with machines and memory that go along all paths."""
    found = copy.copy(target)
    found.anywhere = False
    found.machine = type("ExploringMachine", (Exploring, target.machine), {})
    found.memory = type("RememberingMemory", (Remembering, target.memory), {})
    return found
