"""Apart: executes code that works on several lanes at once, along all its paths, and sees which lanes its values
depend on.

Every variable belongs to a lane. A branch is followed both ways. The last path goes on first, so that paths meet where
they can. A bit in which two differ is the choice between both by the conditions that differ in them. So it depends on
the lanes of these too. An address that depends on one lane is one in that lane's own memory: a value from there is
unknown and depends on that lane, and a value that is stored there may depend on it alone, as may the path to the store.
An address that depends on two lanes is refused.

If there are two paths, and the conditions that differ in them depend on all lanes, they are not joined: each is
executed for itself, and ends with the answers of this kind that led to it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

from iced_x86 import FlowControl
from iced_x86 import Instruction as X8664

from proofs.domains import decisions
from proofs.domains.decisions import ALWAYS, NEVER, Choice, Decision
from proofs.domains.meeting import NOTHING, Page, RestoredMemory, Undecided, joined_page
from proofs.machine import terms as T
from proofs.machine.aarch64.operands import Immediate
from proofs.machine.aarch64.operands import Instruction as AArch64
from proofs.machine.frames import Frames
from proofs.machine.image import Image
from proofs.machine.memory import Region, Violation
from proofs.machine.processor import RETURN, Decoded, Registers
from proofs.machine.speculation import ways
from proofs.machine.terms import Node

ASKING = ("bt", "div", "idiv", "pdep", "pext", "vpgather")  # these ask for constants that are no addresses
Conditions = tuple[tuple[Node, bool], ...]
Rounds = dict[int, int]  # of loops, by their first instruction


class Owners:
    """The lanes that terms depend on, as the bits of a number. An unknown that has no lane may depend on all."""

    def __init__(self, lanes: int) -> None:
        self.all = (1 << lanes) - 1
        self._of: dict[Node, int] = {}

    def give(self, n: Node, lanes: int) -> Node:
        self._of[n] = lanes
        return n

    def of(self, root: Node) -> int:
        known, stack = self._of, [root]
        while stack:
            n = stack[-1]
            if n not in known:
                children = T.children(n)
                if todo := [c for c in children if c not in known]:
                    stack += todo
                    continue
                found = self.all if T.OP[n] == "var" else 0
                for c in children:
                    found |= known[c]
                known[n] = found
            stack.pop()
        return known[root]


class LaneMemory(RestoredMemory):
    """Memory with that of lanes, which is not kept. The numbers are of lanes: that the address of this instruction's
    accesses depends on, that its mask depends on, and that the path depends on."""

    owners: Owners
    address = masks = path = 0
    was_accessed = False

    def check(self, at: int, size: int, write: bool) -> Region:
        if self._is_owned():
            return Region(at, at + size, True, "a lane's memory", False)
        return super().check(at, size, write)

    def load(self, at: int, size: int) -> Node:
        return self.owners.give(T.fresh(8 * size), self.address) if self._is_owned() else super().load(at, size)

    def store(self, at: int, n: Node) -> None:
        if not self._is_owned():
            super().store(at, n)
        elif others := (self.owners.of(n) | self.path) & ~self.address:
            raise Violation(f"what is stored for lane {first(self.address)} depends on lane {first(others)}")

    def _is_owned(self) -> bool:
        self.was_accessed = True
        if self.masks & ~self.address:
            raise Violation(f"which bytes are accessed depends on lane {first(self.masks)}")
        return self.address != 0


Place = tuple[int, ...]  # a place that is behind is less
END: Place = (1 << 64,)


class Call(NamedTuple):
    """The place of a function's caller, and the rounds of its loops."""

    place: Place
    rounds: Rounds


class State(NamedTuple):
    """Between two instructions; the path is what led there, and `rounds` has how often loops that it is in have begun
    anew."""

    path: Decision
    registers: Registers
    pages: dict[int, Page]
    calls: tuple[Call, ...]
    rounds: Rounds


class Separating(Frames):
    """A machine that goes along all paths. `end` is called at each end, with the conditions that led to it."""

    owners: Owners
    memory: LaneMemory
    decide: Callable[[Node], Node]  # the value of a condition that has but one; else it, or another of the same values
    is_kept: Callable[[Node], bool]  # whether a value has to be kept as a term, and not only as one of its lane
    end: Callable[["Separating", Conditions], None]
    instead: Mapping[int, Node]  # variables for constants that are passed
    present: int  # the lanes that there can be

    def __init__(self, image: Image, memory: LaneMemory) -> None:
        super().__init__(image, memory)

    def _run(self, limit: int | None) -> None:
        self.pass_instead(self.instead)
        self._path: Decision = ALWAYS
        self._calls: tuple[Call, ...] = ()
        self._rounds: Rounds = {}
        self._flows: dict[int, Flow] = {}
        self._waiting: dict[Place, State] = {}
        self._joining = Joining(self.owners, self.is_kept)
        self.memory.owners = self.owners
        self._apart: list[tuple[State, Conditions]] = [(self._state(), ())]
        kept = self.kept()
        with T.settling(self._settle):
            while self._apart:
                state, self._conditions = self._apart.pop()
                self._restore(state)
                self._meet()
                while self._waiting:
                    if not self._set_apart():
                        self._advance(kept)

    def _advance(self, kept: Mapping[str, Node]) -> None:
        """The path that is behind all others goes on."""
        place = min(self._waiting)
        self._restore(self._waiting.pop(place))
        if not self._waiting:
            self._write(self._joining.named)
        if place == END:
            self._finish(kept)
        else:
            self._follow()

    def _set_apart(self) -> bool:
        """Whether there are two paths, and the conditions that differ in them depend on all lanes."""
        states = list(self._waiting.values())
        if len(states) != 2 or self.present & ~self._lanes(states[1].path):
            return False
        condition = decisions.term(states[1].path)
        for value, state in enumerate(states):
            self._apart.append((state._replace(path=ALWAYS), (*self._conditions, (condition, bool(value)))))
        self._waiting.clear()
        return True

    def _lanes(self, path: Decision) -> int:
        return reduce(or_, map(self.owners.of, decisions.conditions(path)), 0)

    def _finish(self, kept: Mapping[str, Node]) -> None:
        if self._path is not ALWAYS:
            raise Violation("the paths do not meet at the end")
        if any(n != kept[name] for name, n in self.kept().items()):
            raise Violation("a register of the caller is not kept")
        self.end(self, self._conditions)

    def _follow(self) -> None:
        """Goes on to where paths may meet. A branch that is the first instruction is followed both ways."""
        start = True
        while start or not self._is_join():
            at = self.pc
            try:
                self._go_on()
            except Undecided as asked:
                self.pc = at
                if start:
                    return self._branch(asked.condition)
                break
            start = False
        self._meet()
        return None

    def _is_join(self) -> bool:
        return self.pc == RETURN or self.pc in self._flow().joins

    def _go_on(self) -> None:
        """One instruction; which loops begin with the next one, or begin anew."""
        at = self.pc
        self.step()
        if self.pc == RETURN or self._decoded.returns or _calls(self._decoded):
            return
        flow = self._flow()
        for loop in flow.around[self.pc]:
            if at not in flow.loops[loop]:
                self._rounds = self._rounds | {loop: 0}
            elif self.pc == loop:
                self._rounds = self._rounds | {loop: self._rounds[loop] + 1}

    def _branch(self, condition: Node) -> None:
        before = self._state()
        self._joining.asked.add(condition)
        for value in (False, True):
            self._restore(before)
            self._path = decisions.both(before.path, decisions.of(condition, value))
            self._write(partial(self._joining.on, self._path))
            self._go_on()
            self._meet()

    def _write(self, change: Callable[[Node], Node]) -> None:
        """Gives what is in registers and in memory another form."""
        r = self.save()
        vector = [list(map(change, lanes)) for lanes in r.vector]
        self.restore(r._replace(general=list(map(change, r.general)), vector=vector))
        self.memory.replace(change)

    def _meet(self) -> None:
        """Waits here, joined with the state that waits here already."""
        place, state = self._place(), self._state()
        other = self._waiting.get(place)
        self._waiting[place] = self._joining.joined(other, state) if other else state

    def _place(self) -> Place:
        if self.pc == RETURN:
            return END
        outer = self._calls[-1].place if self._calls else ()
        return outer + self._flow().place(self.pc, self._rounds)

    def step(self) -> None:
        decoded, memory = self.decoded(self.pc), self.memory
        if decoded is None:
            raise Violation("a function of the C library is called")
        self._decoded = decoded
        place = self._place() if _calls(decoded) else ()
        memory.path = self._lanes(self._path)
        memory.address = memory.masks = 0
        memory.was_accessed = False
        super().step()
        if (memory.address or memory.masks) and not memory.was_accessed:
            raise Violation("what depends on a lane is no address")
        if decoded.returns:
            if self._calls:
                self._rounds = self._calls[-1].rounds
            self._calls = self._calls[:-1]
        elif _calls(decoded):
            self._calls = (*self._calls, Call(place, self._rounds))
            self._rounds = {}

    def _settle(self, n: Node) -> Node:
        n = self.decide(n)
        if T.is_const(n):
            return n
        condition, is_negated = (T.ARGS[n][0], True) if T.OP[n] == "not" else (n, False)
        for value in (False, True):
            if T.W[n] == 1 and decisions.both(self._path, decisions.of(condition, not value)) is NEVER:
                return T.const(value ^ is_negated, 1)
        if ways(self._decoded):
            raise Undecided(condition)
        if str(self._decoded.text).startswith(ASKING):
            return n
        lanes = self.owners.of(n)
        if T.W[n] == 1:
            self.memory.masks |= lanes
            return T.const(1, 1)
        self.memory.address |= lanes
        if T.W[n] != 64 or self.memory.address.bit_count() != 1:
            return n
        return T.const(0, 64)

    def _flow(self) -> "Flow":
        """Of the function that is executed."""
        at = self.pc
        for flow in self._flows.values():
            if at in flow.code:
                return flow
        places = [s for symbols in self.image.named.values() for s in symbols if s.address <= at < s.address + s.size]
        function = min(places, key=lambda s: s.size)
        if function.address not in self._flows:
            code, here = [], function.address
            while here < function.address + function.size:
                code.append((here, self.decode(here)))
                here = code[-1][1].following
            self._flows[function.address] = Flow(code)
        return self._flows[function.address]

    def _state(self) -> State:
        return State(self._path, self.save(), self.memory.save(), self._calls, self._rounds)

    def _restore(self, state: State) -> None:
        self.restore(state.registers)
        self.memory.put_back(state.pages)
        self._path, self._calls, self._rounds = state.path, state.calls, state.rounds


class Flow:
    """A function's instructions and loops: in what order the ways through it have them. A loop is named by the
    instruction with which a round of it begins: that which most of its ways around lead through."""

    def __init__(self, function: Sequence[tuple[int, Decoded]]) -> None:
        start, followers = function[0][0], {at: _next(decoded) for at, decoded in function}
        self.code = _reached(start, followers)
        self._followers = {at: [to for to in followers[at] if to in self.code] for at in self.code}
        self._leaders: dict[int, list[int]] = {at: [] for at in self.code}
        for at, here in self._followers.items():
            for to in here:
                self._leaders[to].append(at)
        self.joins = {at for at, here in self._leaders.items() if len(here) > 1}
        self.loops: dict[int, set[int]] = {}
        self.around: dict[int, tuple[int, ...]] = {}  # by instruction, the loops that have it, the largest first
        self._number: dict[tuple[int | None, int], int] = {}  # in a loop, of an instruction or of an inner loop
        self._divide(self.code, start, ())

    def _divide(self, inside: set[int], start: int, around: tuple[int, ...]) -> None:
        outer = around[-1] if around else None
        for number, component in enumerate(_components(inside, start, self._followers, outer)):
            loop = set(component)
            begin = component[0]
            if len(loop) > 1 or (begin in self._followers[begin] and begin != outer):
                begin = self._begin(loop, begin)
                self.loops[begin] = loop
                self._divide(loop, begin, (*around, begin))
            else:
                self.around[begin] = around
            self._number[outer, begin] = number

    def _begin(self, loop: set[int], first: int) -> int:
        """The beginning of a round: most ways around lead through it, and it is the one entry, or none of several."""
        entries = {at for at in loop if not loop.issuperset(self._leaders[at])} | {first}

        def rank(at: int) -> tuple[int, bool, int]:
            left = [c for c in _components(loop, at, self._followers, at) if len(c) > 1]
            return sum(map(len, left)), (at in entries) == (len(entries) > 1), at

        return min({first} | self.joins & loop, key=rank)

    def place(self, at: int, rounds: Rounds) -> Place:
        """The place of an instruction on the ways, in these rounds of its loops."""
        found: list[int] = []
        outer = None
        for loop in self.around[at]:
            found += [self._number[outer, loop], rounds.get(loop, 0)]
            outer = loop
        return (*found, self._number[outer, at])


def _components(
    inside: set[int], start: int, followers: Mapping[int, Sequence[int]], but: int | None
) -> list[list[int]]:
    """Instructions of a part of a function, in lists of those that lead to each other, but by jumps to one instruction.
    A list leads to later ones alone (Tarjan, 1972), and begins with the instruction that was reached first."""
    number: dict[int, int] = {start: 0}
    low, on_stack, stack, found = {start: 0}, {start}, [start], []
    work = [(start, iter(followers[start]))]
    while work:
        at, others = work[-1]
        for to in others:
            if to not in inside or to == but:
                continue
            if to not in number:
                number[to] = low[to] = len(number)
                on_stack.add(to)
                stack.append(to)
                work.append((to, iter(followers[to])))
                break
            if to in on_stack:
                low[at] = min(low[at], number[to])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[at])
            if low[at] == number[at]:
                first = stack.index(at)
                found.append(stack[first:])
                on_stack.difference_update(stack[first:])
                del stack[first:]
    return found[::-1]


def _reached(start: int, followers: Mapping[int, Sequence[int]]) -> set[int]:
    """The instructions that a function's first one leads to: not those that fill up to an aligned address."""
    found, stack = set(), [start]
    while stack:
        at = stack.pop()
        if at in followers and at not in found:
            found.add(at)
            stack += followers[at]
    return found


def _next(decoded: Decoded) -> list[int]:
    """The addresses that may come next in the function."""
    both = ways(decoded)
    if both:
        return list(both)
    match decoded.text:
        case X8664() as ins if ins.flow_control == FlowControl.UNCONDITIONAL_BRANCH:
            return [ins.near_branch_target]
        case X8664() as ins if ins.flow_control in (FlowControl.INDIRECT_BRANCH, FlowControl.RETURN):
            return []
        case AArch64(mnemonic="b", operands=(Immediate(value=target),)):
            return [target]
        case AArch64(mnemonic="br" | "ret"):
            return []
    return [decoded.following]


def _calls(decoded: Decoded) -> bool:
    match decoded.text:
        case X8664() as ins:
            return bool(ins.flow_control in (FlowControl.CALL, FlowControl.INDIRECT_CALL))
        case AArch64(mnemonic="bl" | "blr"):
            return True
    return False


class Joining:
    """Joins the states at one place. Choices by branches' conditions have one form, whatever the order in which paths
    met: the lowest condition comes first, as in decisions.py."""

    def __init__(self, owners: Owners, is_kept: Callable[[Node], bool]) -> None:
        self._owners, self._is_kept = owners, is_kept
        self.asked: set[Node] = set()  # the branches' conditions
        self._known: dict[tuple[Decision, Node, Node, Decision], Node] = {}
        self._names: dict[Node, Node] = {}

    def joined(self, x: State, y: State) -> State:
        """Flags in which they may differ are unknown. A jump out of a function may lead to a place of that number."""
        if x.registers.pc != y.registers.pc:
            raise Violation("two functions are at one place")
        path = decisions.either(x.path, y.path)
        second = decisions.within(y.path, path)

        def word(a: Node, b: Node) -> Node:
            return a if a == b else self._choice(second, a, b, path)

        def bits(a: Node, b: Node) -> Node:
            """By bits, if they may be of several lanes, or are made of bits already."""
            lanes = self._owners.of(a) | self._owners.of(b)
            if a == b or not (self._is_small(a) or self._is_small(b) or lanes.bit_count() > 1):
                return word(a, b)
            return T.concat(map(word, T.split(a, 1), T.split(b, 1)))

        r, s = x.registers, y.registers
        pairs = zip(r.vector, s.vector, strict=True)
        registers = Registers(
            [bits(*pair) for pair in zip(r.general, s.general, strict=True)],
            r.flags if r.flags is s.flags else r.flags.like([T.fresh(1) for _ in r.flags.terms()]),
            [a if a is b else [word(*lanes) for lanes in zip(a, b, strict=True)] for a, b in pairs],
            r.pc,
        )
        numbers = x.pages.keys() | y.pages
        pages = {k: joined_page(bits, x.pages.get(k, NOTHING), y.pages.get(k, NOTHING)) for k in numbers}
        return State(path, registers, pages, x.calls, x.rounds)

    def on(self, path: Decision, n: Node) -> Node:
        """A term's form on a path."""
        if self._asked_in(n) is not None:
            return self._choice(NEVER, n, n, path)
        if T.OP[n] == "cat":
            new = [self.on(path, m) for m, _, _ in T.pieces(n)]
            if new != [m for m, _, _ in T.pieces(n)]:
                return T.concat([T.extract(m, low, w) for m, (_, low, w) in zip(new, T.pieces(n), strict=True)])
        return n

    def named(self, n: Node) -> Node:
        """If there is one path, a choice of one lane is but a value of that lane."""
        if T.OP[n] == "cat":
            return T.concat([T.extract(self.named(m), low, w) for m, low, w in T.pieces(n)])
        if T.OP[n] != "ite" or self._asked_in(n) is None or self._owners.of(n).bit_count() != 1 or self._is_kept(n):
            return n
        if n not in self._names:
            self._names[n] = self._owners.give(T.fresh(T.W[n]), self._owners.of(n))
        return self._names[n]

    def _is_small(self, n: Node) -> bool:
        """Whether it is a number of 32 bits or less, or made of bits."""
        if T.W[n] < 64 or T.extract(n, 32, 32) == T.const(0, 32):
            return True
        return T.OP[n] == "cat" and any(self._asked_in(m) is not None for m, _, _ in T.pieces(n))

    def _choice(self, second: Decision, a: Node, b: Node, path: Decision) -> Node:
        """a, or b where the decision holds; anything beside the path."""
        if second is ALWAYS:
            a = b
        if second is NEVER:
            b = a
        if a == b and self._asked_in(a) is None:
            return a
        key = second, a, b, path
        if key not in self._known:
            asked = [f.condition for f in (second, path) if isinstance(f, Choice)]
            first = min(asked + [n for n in (self._asked_in(a), self._asked_in(b)) if n is not None])
            seconds, paths = decisions.parts(second, first), decisions.parts(path, first)
            parts = zip(seconds, self._parts(a, first), self._parts(b, first), paths, strict=True)
            found = [self._choice(*part) for part in parts if part[3] is not NEVER]
            self._known[key] = T.ite(first, found[-1], found[0])
        return self._known[key]

    def _asked_in(self, n: Node) -> Node | None:
        """The condition of a choice by a branch's."""
        if n in self.asked:
            return n
        if T.OP[n] in ("ite", "not") and T.ARGS[n][0] in self.asked:
            condition: Node = T.ARGS[n][0]
            return condition
        return None

    def _parts(self, n: Node, condition: Node) -> tuple[Node, Node]:
        """For both values of the condition."""
        if self._asked_in(n) != condition:
            return n, n
        if T.OP[n] == "ite" and n != condition:
            _, then, otherwise = T.ARGS[n]
            return otherwise, then
        return (T.const(0, 1), T.const(1, 1)) if n == condition else (T.const(1, 1), T.const(0, 1))


def bit(n: Node, i: int) -> Node:
    """A bit of a term, as a choice between bits where the term is one between words."""
    n = T.extract(n, i, 1)
    ((m, low, _),) = T.pieces(n)
    if T.OP[m] == "ite":
        condition, a, b = T.ARGS[m]
        return T.ite(condition, bit(a, low), bit(b, low))
    return n


def first(lanes: int) -> int:
    return (lanes & -lanes).bit_length() - 1
