"""Counts: executes code on public numbers that are variables, along all its paths, and joins the paths where they meet.

A branch, or an address, that depends on counts splits the path by a condition. Both parts go on, the one that is behind
first, and where they meet again a value in which they differ becomes the choice between the two by that condition. So a
path is exactly the conditions that led to it, and at the end there is one. A masked access is not split: each of its
lanes is accessed under the condition of its bit. Conditions of one count are decided by its values, others by Bitwuzla.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import NamedTuple

import iced_x86
import numpy as np

from proofs.domains import NotProved, bitvector
from proofs.domains.meeting import NOTHING, Page, RestoredMemory, Undecided, joined_page
from proofs.domains.rebuilding import made_of, rebuilt
from proofs.machine import terms as T
from proofs.machine.frames import Frames
from proofs.machine.image import Image
from proofs.machine.memory import Region, Violation
from proofs.machine.processor import RETURN, Lanes, relane
from proofs.machine.terms import Node
from proofs.machine.x86_64.flags import Flags, undefined
from proofs.machine.x86_64.machine import Machine
from proofs.machine.x86_64.operands import MNEMONICS
from proofs.machine.x86_64.registers import PLACES, RSP

Path = tuple[tuple[Node, bool], ...]  # conditions, and whether they hold
MOST_STATES = 1 << 10  # that wait at one place
MOST_POINTS = 1 << 18  # choices of counts that are tried
WORD = 8


class Counts:
    """Variables, each with the values that it may have, and conditions that hold of them together."""

    def __init__(self, values: Mapping[Node, Sequence[int]], conditions: Sequence[Node] = ()) -> None:
        self.values = dict(values)
        self._conditions: Path = tuple((n, True) for n in conditions if not T.is_const(n))
        self._box = [_one_of(n, domain) for n, domain in self.values.items()]
        self._support: dict[Node, frozenset[Node] | None] = {n: frozenset({n}) for n in self.values}
        mesh = np.ix_(*(np.array(domain, dtype=np.uint64) for domain in self.values.values()))
        self._on_mesh: dict[Node, np.ndarray] = dict(zip(self.values, mesh, strict=True))
        self._where: dict[Path, np.ndarray] = {(): np.array(True)}  # on the mesh, a path's conditions hold
        self._decided: dict[tuple[Node, Path], bool | None] = {}
        self._together: dict[tuple[frozenset[Node], Path], Path] = {}

    def support(self, root: Node) -> frozenset[Node] | None:
        """The counts that a term depends on; None if it depends on more."""
        for n in () if root in self._support else T.cone([root], self._support):
            if n not in self._support:
                parts = [self._support[c] for c in T.children(n)]
                known = [some for some in parts if some is not None]
                decided = T.OP[n] != "var" and len(known) == len(parts)
                self._support[n] = frozenset[Node]().union(*known) if decided else None
        return self._support[root]

    def decide(self, condition: Node, path: Path) -> bool | None:
        """The value of a condition on counts on a path; None if it has both values, or if it is not seen."""
        if T.is_const(condition):
            return bool(T.val(condition))
        key = condition, path
        if key not in self._decided:
            self._decided[key] = self._decide(*key)
        return self._decided[key]

    def _decide(self, condition: Node, path: Path) -> bool | None:
        """By trying all values of counts, if these are not too many; else what holds of others too is left out."""
        some = self.support(condition) or frozenset()
        known = self._connected(some, (*self._conditions, *path))
        if self._is_small(some, known):
            return self._try(condition, known)
        conditions = ((step, self.support(step[0]) or frozenset()) for step in (*self._conditions, *path))
        known = tuple(step for step, counts in conditions if counts <= some)
        return self._try(condition, known) if self._is_small(some, known) else self._solve(condition, path)

    def _connected(self, some: frozenset[Node], path: Path) -> Path:
        """The conditions of these counts, and of others that they have conditions with."""
        key = some, path
        if key not in self._together:
            left = [(self.support(n) or frozenset(), (n, value)) for n, value in path]
            found: Path = ()
            while more := [(counts, step) for counts, step in left if counts & some]:
                left = [(counts, step) for counts, step in left if not counts & some]
                some = some.union(*(counts for counts, _ in more))
                found += tuple(step for _, step in more)
            self._together[key] = found
        return self._together[key]

    def _is_small(self, some: frozenset[Node], known: Path) -> bool:
        counts = some.union(*(self.support(n) or () for n, _ in known))
        return prod(len(self.values[n]) for n in counts) <= MOST_POINTS

    def _try(self, condition: Node, known: Path) -> bool | None:
        found, where = self._value(condition).astype(bool), self._holds(known)
        if not (~found & where).any():
            return True
        return None if (found & where).any() else False

    def _value(self, n: Node) -> np.ndarray:
        for m in () if n in self._on_mesh else T.cone([n], self._on_mesh):
            if m not in self._on_mesh:
                self._on_mesh[m] = T.evaluate_node(m, self._on_mesh)
        return self._on_mesh[n]

    def _holds(self, known: Path) -> np.ndarray:
        if known not in self._where:
            *before, (condition, value) = known
            self._where[known] = self._holds(tuple(before)) & (self._value(condition) == int(value))
        return self._where[known]

    def values_left(self, count: Node, path: Path) -> list[int]:
        """The values of a count that a path leaves, or more where it has too many counts."""
        some = frozenset({count})
        known = self._connected(some, (*self._conditions, *path))
        if not self._is_small(some, known):
            known = tuple(step for step in path if self.support(step[0]) == some)
        values, where = np.broadcast_arrays(self._value(count), self._holds(known))
        return sorted(set(values[where].tolist()))

    def _solve(self, condition: Node, path: Path) -> bool | None:
        known = [*self._box, *(n if value else T.not_(n) for n, value in (*self._conditions, *path))]
        for value, claim in ((True, condition), (False, T.not_(condition))):
            try:
                bitvector.check(claim, "", known)
            except NotProved:
                continue
            return value
        return None

    def constant(self, n: Node, path: Path) -> int | None:
        """The only value of a number on a path, if it has only one."""
        some = self.support(n) or frozenset()
        known = self._connected(some, (*self._conditions, *path))
        if self._is_small(some, known):
            values, where = np.broadcast_arrays(self._value(n), self._holds(known))
            return int(values[where].min()) if len(set(values[where].tolist())) == 1 else None
        left = {count: self.values_left(count, path) for count in some}
        points = {count: [values[0], values[-1], values[len(values) // 2]] for count, values in left.items()}
        first, *others = np.broadcast_to(T.evaluate([n], points)[0], 3).tolist()
        is_constant = others == [first, first] and self.decide(T.eq(n, T.const(first, T.W[n])), path)
        return first if is_constant else None

    def simplified(self, root: Node, path: Path, new: dict[Node, Node]) -> Node:
        """A term where some others are known, and the conditions in it as far as the path decides them."""
        new.update({n: T.const(int(value), 1) for n, value in path})
        for n in () if root in new else T.cone([root], new):
            if n not in new:
                new[n] = self._simplified(n, path, new)
        return new[root]

    def is_equal(self, n: Node, wanted: Node, path: Path, given: Mapping[Node, Node]) -> bool:
        """Whether a term is another one, on a path on which some terms are known, whatever the conditions in it are."""
        n = rebuilt(n, dict(given))
        if n == wanted:
            return True
        n = self.simplified(n, path, dict(given))
        if n == wanted or T.OP[n] != "ite":
            return n == wanted
        condition, *choices = T.ARGS[n]
        ways = ((m, (*path, (condition, value))) for m, value in zip(choices, (True, False), strict=True))
        return self.support(condition) is not None and all(self.is_equal(m, wanted, way, given) for m, way in ways)

    def _simplified(self, n: Node, path: Path, new: Mapping[Node, Node]) -> Node:
        found = made_of(n, [new[c] for c in T.children(n)])
        if found in new:
            return new[found]
        some = self.support(found)
        if some is None or T.is_const(found):
            return found
        if T.W[n] == 1:
            value: int | None = self.decide(found, path)
        else:
            value = self.constant(found, path) if T.OP[found] == "ite" or not some else None
        return found if value is None else T.const(int(value), T.W[n])


def _one_of(n: Node, values: Sequence[int]) -> Node:
    condition = T.const(0, 1)
    for value in values:
        condition = T.or_(condition, T.eq(n, T.const(value, T.W[n])))
    return condition


class State(NamedTuple):
    """The place that a path has reached."""

    path: Path
    pc: int
    general: list[Node]
    masks: list[Node]
    vectors: list[Lanes]
    flags: Flags
    pages: dict[int, Page]

    @property
    def place(self) -> tuple[int, int]:
        """Inner functions come first, then what is ahead."""
        return T.val(self.general[RSP]), self.pc


class CountingMemory(RestoredMemory):
    """Memory with buffers of so many words as a count says. An access is under the next guard, while there are some."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[int, Node] = {}  # by the address of a buffer
        self.guards: list[Node] = []
        self.stores = 0
        self.holds: Callable[[Node, Node | None], bool] = lambda condition, guard: True  # on the path, under a guard
        self._guard: Node | None = None

    def check(self, at: int, size: int, write: bool) -> Region:
        region = super().check(at, size, write)
        count = self.counts.get(region.start)
        if count is not None:
            last = (at + size - 1 - region.start) // WORD
            if not self.holds(T.ult(T.const(last, T.W[count]), count), self._guard):
                raise Violation(f"word {last} of {region.name} is accessed, whatever the number of its words")
        return region

    def load(self, at: int, size: int) -> Node:
        guard = self._next_guard()
        if guard is None:
            return super().load(at, size)
        if self.holds(T.not_(guard), None):
            return T.const(0, 8 * size)
        self._guard = guard
        loaded = super().load(at, size)
        self._guard = None
        return T.ite(guard, loaded, T.const(0, 8 * size))

    def store(self, at: int, n: Node) -> None:
        self.stores += 1
        guard = self._next_guard()
        if guard is None:
            return super().store(at, n)
        if not self.holds(T.not_(guard), None):
            self._guard = guard
            super().store(at, T.ite(guard, n, self._get(at, T.W[n] // 8)))
            self._guard = None
        return None

    def _next_guard(self) -> Node | None:
        guard = self.guards.pop(0) if self.guards else None
        return None if guard is not None and T.is_const(guard) else guard


class Counting(Frames, Machine):
    """A machine of x86-64 that goes along all paths. `instead` has variables for constants that are passed."""

    counts: Counts
    instead: Mapping[int, Node]
    memory: CountingMemory

    def __init__(self, image: Image, memory: CountingMemory) -> None:
        super().__init__(image, memory)

    def _run(self, limit: int | None) -> None:
        self.pass_instead(self.instead)
        self._path: Path = ()
        self._known: dict[Path, dict[Node, Node]] = {}  # what terms are on a path
        self._guarded: set[Node] = set()
        self._waiting: dict[tuple[int, int], list[State]] = {}
        self.memory.holds = self._holds
        self._meet(self._state())
        with T.settling(self._settle):
            while (place := min(self._waiting))[1] != RETURN:
                for state in self._waiting.pop(place):
                    self._follow(state)
        (last, *others) = self._waiting[place]
        if others or last.path:
            raise NotProved("the paths do not meet at the end")
        self._restore(last)

    # ---- paths ----

    def _follow(self, state: State) -> None:
        """Goes on until another path is behind, or until it is split."""
        self._restore(state)
        while self._advance():
            if self.pc == RETURN or (self._waiting and self._place() >= min(self._waiting)):
                self._meet(self._state())
                return

    def _place(self) -> tuple[int, int]:
        return T.val(self.general[RSP]), self.pc

    def _advance(self) -> bool:
        """One instruction. If it goes different ways, all of them wait behind it."""
        before, stores = self._registers(), self.memory.stores
        try:
            self.step()
        except Undecided as asked:
            if self.memory.stores != stores:
                raise NotProved("an instruction stores, and then depends on counts") from None
            pages = self.memory.save()
            for value in (True, False):
                self._restore(before._replace(path=(*before.path, (asked.condition, value)), pages=pages))
                if self._advance():
                    self._meet(self._state())
            return False
        return True

    def step(self) -> None:
        """The lanes of a masked move are accessed under the conditions of their bits."""
        decoded = self.decoded(self.pc)
        bits = [self._simplified(n) for n in self._mask_of_move(decoded.text)] if decoded else []
        self.memory.guards = [n for n in bits if n != T.const(0, 1)]
        self._guarded = set(self.memory.guards)
        super().step()
        if self.memory.guards:
            raise NotProved("a masked move does not access all its lanes")

    def _mask_of_move(self, ins: object) -> list[Node]:
        """The bits of the mask of a move from or to memory."""
        assert isinstance(ins, iced_x86.Instruction)
        if ins.op_mask == iced_x86.Register.NONE or not MNEMONICS[ins.mnemonic].startswith("vmovdq"):
            return []
        if all(ins.op_kind(i) != iced_x86.OpKind.MEMORY for i in range(ins.op_count)):
            return []
        info = iced_x86.MemorySizeInfo(ins.memory_size)
        mask = self.k[PLACES[ins.op_mask].number]
        return [T.extract(mask, j, 1) for j in range(info.size // info.element_size)]

    def _settle(self, n: Node) -> Node:
        if self.counts.support(n) is None:
            return n
        n = self._simplified(n)
        if T.is_const(n):
            return n
        if n in self._guarded:
            return T.const(1, 1)
        if T.W[n] > 1 and (value := self.counts.constant(n, self._path)) is not None:
            return T.const(value, T.W[n])
        raise Undecided(self._condition_in(n))

    def _condition_in(self, n: Node) -> Node:
        """The first question: it has both values."""
        if T.W[n] == 1:
            return n
        for m in T.cone([n]):
            if T.OP[m] == "ite":
                condition: Node = T.ARGS[m][0]
                return condition
        for count in sorted(self.counts.support(n) or ()):
            left = self.counts.values_left(count, self._path)
            if len(left) > 1:
                return T.ult(count, T.const(left[len(left) // 2], T.W[count]))
        raise NotProved("an address depends on counts, and it is not seen how")

    def _simplified(self, n: Node) -> Node:
        return self.counts.simplified(n, self._path, self._known.setdefault(self._path, {}))

    def _holds(self, condition: Node, guard: Node | None) -> bool:
        path = self._path if guard is None else (*self._path, (guard, True))
        return self.counts.decide(condition, path) is True

    # ---- states ----

    def _registers(self) -> State:
        return State(self._path, self.pc, list(self.general), list(self.k), list(self.vector), self.flags, {})

    def _state(self) -> State:
        return self._registers()._replace(pages=self.memory.save())

    def _restore(self, state: State) -> None:
        self._path, self.pc, self.flags = state.path, state.pc, state.flags
        self.general[:], self.k[:], self.vector[:] = state.general, state.masks, state.vectors
        self.memory.guards = []
        self.memory.put_back(state.pages)

    def _meet(self, state: State) -> None:
        """Joins paths that differ in their last condition alone."""
        here = self._waiting.setdefault(state.place, [])
        while other := next((s for s in here if state.path and _differ_last(s.path, state.path)), None):
            here.remove(other)
            state = _joined(*((state, other) if state.path[-1][1] else (other, state)))
        here.append(state)
        if len(here) > MOST_STATES:
            raise NotProved(f"more than {MOST_STATES} paths come to one place")


# ---- where paths meet ----


def _differ_last(x: Path, y: Path) -> bool:
    return x[:-1] == y[:-1] and bool(x) and x[-1] == (y[-1][0], not y[-1][1])


def _joined(x: State, y: State) -> State:
    """The state of both: x where the condition holds that is the last of their paths, else y. The old flags are
    unknown."""
    condition = x.path[-1][0]

    def choice(a: Node, b: Node) -> Node:
        return a if a == b else T.ite(condition, a, b)

    def vector(a: Lanes, b: Lanes) -> Lanes:
        if a is b or a == b:
            return a
        return [choice(*pair) for pair in zip(relane(a, 64), relane(b, 64), strict=True)]

    return State(
        x.path[:-1],
        x.pc,
        [choice(*pair) for pair in zip(x.general, y.general, strict=True)],
        [choice(*pair) for pair in zip(x.masks, y.masks, strict=True)],
        [vector(*pair) for pair in zip(x.vectors, y.vectors, strict=True)],
        x.flags if x.flags is y.flags else undefined,
        {k: joined_page(choice, x.pages.get(k, NOTHING), y.pages.get(k, NOTHING)) for k in x.pages.keys() | y.pages},
    )
