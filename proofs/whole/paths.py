"""One call of the API on one of its paths.

The code may branch on public inputs: each arm that it can take is a path of its own, and the conditions of a path are
assumptions of what is claimed of it. A branch on anything else is refused. So an operation that ends on all its paths
has no branch and no address that depends on a secret, for all public inputs.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count

from proofs.domains import NotProved, bitvector
from proofs.machine import terms as T
from proofs.machine.frames import StackMemory
from proofs.machine.image import CHOICE
from proofs.machine.imports import Caller, compared
from proofs.machine.memory import PAGE, Region
from proofs.machine.processor import constant
from proofs.machine.terms import Node
from proofs.theorems.contracts import N
from proofs.theorems.target import BUFFER_SPACE, FIRST_BUFFER, Target, machine_on
from proofs.whole import values
from proofs.whole.models import Models, number_of
from proofs.whole.values import Bytes

MOST_PATHS = 256
BEFORE = T.const(0, 8)  # what lay on the stack before the call, which is no input of it
GENERATORS, GENERATOR_SPACE = 0x7E0000000000, 16  # generators seem to lie there


class LeftMemory(StackMemory):
    """Memory that also keeps what functions leave below the stack pointer, though no code gets it that reads there."""

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[Node, Node] = {}  # the unknowns that code got there, with what really lay there
        self._left: dict[int, int] = {}

    def forget_below(self, sp: int) -> None:
        stack = self._region_before(sp - 1)
        if stack is not None:
            for number in [n for n in self._pages if stack.start <= n * PAGE < sp]:
                self._keep(number, self._pages[number][: sp - number * PAGE])
        super().forget_below(sp)

    def _keep(self, number: int, page: list[int | None]) -> None:
        """Keeps the bytes of a page, from its end on, where the last frame was."""
        written, i = len(page) - page.count(None), len(page)
        while written:
            i -= 1
            code = page[i]
            if code is not None:
                self._left[number * PAGE + i] = code
                written -= 1

    def _unwritten(self, at: int) -> int:
        code = super()._unwritten(at)
        self._read[code >> 7] = _byte(self._left[at]) if at in self._left else BEFORE
        return code

    def clear(self, regions: Sequence[Region]) -> None:
        """Nothing is written any more, and these are the regions."""
        self.regions[:], self._starts[:] = regions, [region.start for region in regions]
        for content in (self._pages, self._read, self._left, self._undefined):
            content.clear()

    def inputs_of(self, n: Node) -> Iterator[Node]:
        """The variables that a term depends on, if what code got below the stack pointer is what lay there."""
        for m in T.cone([n]):
            if m in self._read:
                yield from self.inputs_of(self._read[m])
            elif T.OP[m] == "var":
                yield m

    def left(self) -> Iterator[tuple[int, Node]]:
        """The bytes of the stack at the end, but for constants, that a later function could find."""
        for at, code in self._left.items():
            if not T.is_const(code >> 7):
                yield at, _byte(code)


def _byte(code: int) -> Node:
    """Of a page of memory."""
    return T.extract(code >> 7, 8 * (code & 127), 8)


class Bench:
    """A library and a machine for one path after the other: instructions are decoded once."""

    def __init__(self, target: Target) -> None:
        self.memory = LeftMemory()
        self.machine = machine_on(target, self.memory, CHOICE)
        self._regions, self._hooks = list(self.memory.regions), dict(self.machine.hooks)
        self._registers = self.machine.save()

    def clear(self) -> None:
        """As before the first path."""
        self.memory.clear(self._regions)
        self.machine.restore(self._registers)
        self.machine.hooks.clear()
        self.machine.hooks.update(self._hooks)


class Path:
    """A call that takes these arms at its first forks and the first arm at all others. `taken` has each condition that
    the code asked for, with its value."""

    kernels: type[Models] = Models

    def __init__(
        self, bench: Bench, target: Target, tables: tuple[int, dict[str, int]], name: str, arms: Sequence[int]
    ) -> None:
        address, kernels = tables
        self._arms, self._places = arms, count(FIRST_BUFFER, BUFFER_SPACE)
        bench.clear()
        self.memory, self.machine = bench.memory, bench.machine
        self._kem = self.find(name)
        self.machine.call("lk_backend_force", [address])
        self.models = self.kernels(self.machine, target, kernels, self)
        self.taken: list[tuple[Node, int]] = []
        self._streams: dict[Node, list[Node]] = {}
        self._public: dict[Node, bool] = {}

    def find(self, name: str) -> int:
        """The address of a parameter set."""
        text = self.input([T.const(b, 8) for b in name.encode() + b"\0"], "a name")
        return T.val(self.machine.call("latkem_kem_find", [text]))

    # ---- before the call ----

    def input(self, content: Bytes, what: str) -> int:
        at = self._place()
        self.memory.put(self.memory.region(at, len(content), False, what), content)
        return at

    def output(self, size: int, what: str, align: int = 1) -> int:
        return self.memory.region(self._place(align), size, True, what)

    def _place(self, align: int = 1) -> int:
        return next(self._places) + align

    def generator(self, strings: Sequence[Bytes]) -> int:
        """The address of the caller's generator, which gives one of these strings each time, and fails after them."""
        waiting = iter(strings)

        def fill(machine: Caller) -> Node:
            at, size = (constant(machine.argument(i), "an argument of the generator") for i in (1, 2))
            content = next(waiting, None)
            if content is None:
                return T.const(1, 64)
            if len(content) != size:
                raise NotProved(f"{size} random bytes are asked for")
            self.memory.check(at, size, True)
            self.memory.put(at, content)
            return T.const(0, 64)

        address = GENERATORS + GENERATOR_SPACE * len(self.machine.hooks)
        self.machine.hooks[address] = fill
        return address

    def make_public(self, inputs: Iterable[Node]) -> None:
        self._public.update((n, True) for n in inputs)

    def expect_stream(self, blocks: Sequence[Bytes]) -> None:
        """A stream of the operation, with 256 values in all of its blocks and not in fewer."""
        strings = [values.string(block) for block in blocks]
        self._streams[strings[0]] = strings

    # ---- the call ----

    def call(self, function: str, arguments: Sequence[int], kem: int | None = None) -> int:
        """The result, of the parameter set or of another one."""
        with T.settling(self._settle):
            result = T.settled(self.machine.call(function, [kem or self._kem, *arguments]))
        result = T.extract(result, 0, 32)
        if not T.is_const(result):
            raise NotProved(f"the result is no constant on a path, but {values.told(result)}")
        return T.signed(T.val(result), 32)

    def read(self, at: int, size: int) -> Bytes:
        return self.memory.lanes(at, size, 8)

    def is_last(self, blocks: Sequence[Bytes]) -> bool:
        strings = [values.string(block) for block in blocks]
        known = self._streams.get(strings[0])
        if known is None:
            raise NotProved("a stream is sampled that is of no entry of A")
        if strings != known[: len(strings)]:
            raise NotProved(f"block {len(strings)} of a stream is not the stream's next")
        return len(strings) == len(known)

    # ---- branches ----

    def _settle(self, n: Node) -> Node:
        n = narrowed(n)
        if T.is_const(n) or T.W[n] != 1:
            return n
        if numbers := [m for m in T.cone([n]) if number_of(m) is not None]:
            return self._below_n(n, numbers)
        return self._fork(n) if self._is_public(n) else n

    def _below_n(self, n: Node, numbers: Sequence[Node]) -> Node:
        """A condition on the number of a stream's values while they are too few."""
        below = tuple(T.ult(m, T.const(N, 64)) for m in numbers)
        for value in (1, 0):
            if follows(n if value else T.not_(n), below):
                return T.const(value, 1)
        return n

    def _fork(self, n: Node) -> Node:
        known = dict(self.taken) | {T.not_(m): 1 - value for m, value in self.taken}
        if n not in known:
            number = len(self.taken)
            known[n] = self._arms[number] if number < len(self._arms) else 0
            self.taken.append((n, known[n]))
        return T.const(known[n], 1)

    def _is_public(self, n: Node) -> bool:
        """Whether a term is made of public inputs alone, through hashes and modulus checks too."""
        found = self._public.get(n)
        if found is None:
            found = self._public[n] = all(self._is_public_leaf(m) for m in T.cone([n]) if T.OP[m] == "var")
        return found

    def _is_public_leaf(self, n: Node) -> bool:
        if n in self._public:
            return self._public[n]
        name = T.ARGS[n][0]
        if not isinstance(name, tuple):
            return False
        if name[0] == "above q":
            return self._is_public(name[1])
        if strings := compared(n):
            return all(map(self._is_public, strings))
        return name[0] == "keccak-f" and all(map(self._is_public, values.before_permutation(name[1])))

    def decides(self, claim: Node, what: str) -> bool:
        """The value that a claim about public inputs has on this path."""
        path = tuple(n if value else T.not_(n) for n, value in self.taken)
        path += tuple(map(_meaning, {m for m in T.cone(path) if compared(m)}))
        if follows(claim, path):
            return True
        if follows(T.not_(claim), path):
            return False
        raise NotProved(f"the path does not depend on whether {what}")


def every_path(start: Callable[[Sequence[int]], Path], run: Callable[[Path], str]) -> Iterator[tuple[Path, str]]:
    """All paths, each with what `run` says of its end."""
    waiting: list[tuple[int, ...]] = [()]
    for number in count():
        if not waiting:
            return
        if number == MOST_PATHS:
            raise NotProved(f"there are more than {MOST_PATHS} paths")
        arms = waiting.pop()
        path = start(arms)
        end = run(path)
        taken = tuple(value for _, value in path.taken)
        waiting += [(*taken[:i], 1 - taken[i]) for i in range(len(arms), len(taken))]
        yield path, end


@cache
def follows(claim: Node, assumptions: tuple[Node, ...]) -> bool:
    try:
        bitvector.check(claim, "", assumptions)
    except NotProved:
        return False
    return True


def _meaning(difference: Node) -> Node:
    """The result of memcmp is 0 just if the strings are the same."""
    return T.eq(T.is_zero(difference), T.eq(*compared(difference)))


# ---- what a condition is made of ----

_MODULAR: Mapping[str, Callable[[Node, Node], Node]] = {"add": T.add, "sub": T.sub, "mul": T.mul}
_REBUILD: Mapping[str, Callable[..., Node]] = {
    **{"and": T.and_, "or": T.or_, "xor": T.xor, "not": T.not_, "ite": T.ite, "eq": T.eq, "ult": T.ult, "slt": T.slt},
    **_MODULAR,
}


def narrowed(root: Node) -> Node:
    """The same term with sums and products of no more bits than are used: of a byte that a compiler adds up in a whole
    register nothing is known above it."""
    new: dict[Node, Node] = {}
    for n in T.cone([root]):
        op, args = T.OP[n], T.ARGS[n]
        if op == "cat":
            new[n] = T.concat([_slice(new[m], low, w) for m, low, w in args])
        elif op == "sext":
            new[n] = T.sext(new[args[0]], T.W[n])
        else:
            new[n] = _REBUILD[op](*(new[c] for c in args)) if op in _REBUILD else n
    return new[root]


def _slice(n: Node, low: int, w: int) -> Node:
    if low == 0 and w < T.W[n] and T.OP[n] in _MODULAR:
        return _MODULAR[T.OP[n]](*(_slice(m, 0, w) for m in T.ARGS[n]))
    return T.extract(n, low, w)
