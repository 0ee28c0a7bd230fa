"""Cases: code that may branch on its data and index with it, such as rejection sampling of public bytes.

A candidate is a variable that the code accepts or not. If an address, a branch or a length depends on which are
accepted, the path is split into the values that this can take; a load from a table is not split, but gives the term
that chooses among the entries. Before the code asks about new candidates, paths that have decided the same ones and
accepted as many of them are joined: what differs between them becomes unknown. So all inputs are gone through in steps
of a few candidates, from each number of values that there may be before. That number is a variable too, with a domain
of numbers that are gone through together.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_

import numpy as np
import numpy.typing as npt

from proofs.domains import NotProved
from proofs.domains.rebuilding import rebuilt
from proofs.machine import terms as T
from proofs.machine.terms import Node, Words

MOST = 16  # candidates with all choices tried; of more, their number must be all that matters
POINTS = 1 << 22  # choices times numbers of values before
FEW = 1 << 13  # points that are sorted
LARGE = 64  # nodes with more kept points
KEPT = 3  # sets of candidates; at their choices values are kept
BESIDE = 4  # bits of another candidate beside one in a word
Path = tuple[tuple[Node, int], ...]  # values that terms have on a path
Integers = npt.NDArray[np.int64]


class Undecided(Exception):
    """A term that must be a constant has several values."""

    def __init__(self, node: Node, values: Sequence[int]) -> None:
        super().__init__(f"{len(values)} values")
        self.node, self.values = node, values


class Candidates:
    """Variables of at most 12 bits, accepted if below a bound. A set of them is an integer with a bit for each."""

    def __init__(self, variables: Sequence[Node], bound: int) -> None:
        self.words = [T.zext(v, 16) for v in variables]
        self.accepted = [T.ult(word, T.const(bound, 16)) for word in self.words]
        self.all = (1 << len(variables)) - 1
        self._bound = bound
        self._variables = list(variables)
        self._is_candidate = set(variables)
        self.before: Node | None = None  # the variable of the number of values that there are before, if it has one
        self.domain: tuple[int, ...] = ()  # its values
        self._support: dict[Node, int] = {v: 1 << i for i, v in enumerate(variables)}
        self._classes: dict[Node, tuple[int, int] | None] = {}
        self._possible: dict[tuple[object, ...], Together] = {}
        self._large: dict[tuple[object, ...], Together] = {}  # those of many points: the last ones
        self._free: dict[tuple[Node, tuple[int, ...], Path], Node] = {}
        self._nth: dict[tuple[int, int], Node] = {}
        self._together: dict[tuple[int, ...], list[Words]] = {}
        self._chosen: dict[tuple[int, Path], Words] = {}
        self._evaluated: dict[int, dict[Node, Words]] = {}
        self._right: set[tuple[Node, int, int, Path]] = set()
        self._selected: dict[Node, tuple[int, Integers]] = {}

    # ---- what a term depends on ----

    def support(self, root: Node) -> int:
        """The candidates that a term depends on."""
        known, stack = self._support, [root]
        while stack:
            n = stack[-1]
            if n not in known:
                children = T.children(n)
                todo = [c for c in children if c not in known]
                if todo:
                    stack += todo
                    continue
                known[n] = self._narrowed(n, reduce(or_, (known[c] for c in children), 0))
            stack.pop()
        return known[root]

    def set_apart(self, variables: Sequence[Node]) -> None:
        """Variables that are distinguished from all others."""
        self._support |= dict.fromkeys(variables, 1 << len(self._variables))

    def is_set_apart(self, n: Node) -> bool:
        return bool(self.support(n) >> len(self._variables) & 1)

    def count_before(self, variable: Node) -> None:
        """The variable of the number of values that there are before."""
        self.before = variable
        self._support[variable] = 2 << len(self._variables)

    def depends_on_before(self, n: Node) -> bool:
        return bool(self.support(n) >> len(self._variables) & 2)

    def _class_values(self, n: Node) -> tuple[int, int] | None:
        """A term's values where its one candidate is rejected, and where it is accepted, if that is all it says."""
        if n not in self._classes:
            self._classes[n] = self._find_class(n)
        return self._classes[n]

    def _find_class(self, n: Node) -> tuple[int, int] | None:
        support = self.support(n)
        if support.bit_count() != 1 or support > self.all or T.OP[n] == "var" or T.W[n] > 64:
            return None
        values = self._values_of(n, self._variables[support.bit_length() - 1])
        if values is None:
            return None
        accepted, rejected = np.unique(values[: self._bound]), np.unique(values[self._bound :])
        return (int(rejected[0]), int(accepted[0])) if len(accepted) == len(rejected) == 1 else None

    def _narrowed(self, n: Node, support: int) -> int:
        """Code compares words that have a few bits of another candidate below their own: these may say nothing."""
        if T.W[n] == 1 and T.OP[n] != "cat" and support.bit_count() == 2 and support <= self.all:
            for i in members(support):
                values = self._values_of(n, self._variables[i])
                if values is not None and (values == values[:, :1]).all():
                    return 1 << i
        return support

    def _values_of(self, n: Node, v: Node) -> Words | None:
        """A row for each value of a candidate: the term's values with all others of the few bits that it has beside."""
        cone = T.cone([n])
        env: dict[Node, Words] = {v: np.arange(1 << T.W[v], dtype=np.uint64)[:, None]}
        for other in (m for m in cone if T.OP[m] == "var" and m != v):
            piece = _only_piece(cone, other)
            if len(env) > 1 or piece is None or piece[2] > BESIDE:
                return None
            _, low, w = piece
            env[other] = (np.arange(1 << w, dtype=np.uint64) << np.uint64(low))[None, :]
        (values,) = T.evaluate([n], env)
        return np.broadcast_to(values, (1 << T.W[v], values.shape[1] if values.ndim == 2 else 1))

    def _counted(self, n: Node) -> int:
        """The candidates among which a term counts the accepted ones; 0 if it does not count."""
        if T.OP[n] != "popcnt":
            return 0
        found = 0
        for m, _, w in T.pieces(T.ARGS[n][0]):
            if T.is_const(m) and not T.val(m):
                continue
            if w != 1 or T.W[m] != 1 or self._class_values(m) != (0, 1) or found & self.support(m):
                return 0
            found |= self.support(m)
        return found

    def without_before(self, n: Node, path: Path) -> Node:
        """On a path, the term with a constant for the number of values before, if it is the same whatever that is."""
        if self.before is None or not self.depends_on_before(n):
            return n
        path = self._relevant(n, path)
        key = n, self.domain, path
        if key not in self._free:
            points = self._points([n, *(m for m, _ in path)])
            same = points is not None and _same_whatever_the_second(points, n, path)
            self._free[key] = rebuilt(n, {self.before: T.const(self.domain[0], 64)}) if same else n
        return self._free[key]

    # ---- the values of terms ----

    def _cuts(self, roots: Sequence[Node], counting: bool, before: bool = False) -> list[Node] | None:
        """The terms of single candidates, or counts, that the roots are functions of, and with `before` the number of
        values before; None if of something else too."""
        found, seen, stack = [], set(), list(roots)
        while stack:
            n = stack.pop()
            if n in seen or T.is_const(n):
                continue
            seen.add(n)
            if n == self.before:
                if not before:
                    return None
            elif self._counted(n) if counting else self._class_values(n):
                found.append(n)
            elif T.OP[n] == "var":
                return None
            else:
                stack += T.children(n)
        return found

    def _points(self, roots: Sequence[Node]) -> dict[Node, Words] | None:
        """The values of the roots at all choices of the candidates that they depend on, along the second axis for each
        number of values before; None if they depend on something else."""
        before = {} if self.before is None else {self.before: np.array([self.domain], dtype=np.uint64)}
        cuts = self._cuts(roots, counting=True, before=True)
        if cuts is not None:
            numbers = self._numbers(cuts)
            return self._evaluate(roots, before | {n: column[:, None] for n, column in numbers.items()})
        free = reduce(or_, map(self.support, roots), 0) & self.all
        cuts = self._cuts(roots, counting=False, before=True) if free.bit_count() <= MOST else None
        if cuts is None:
            return None
        inner = self.without_number(roots)
        found = _distinct(np.stack(self._columns(inner, free)))
        if found.shape[1] * max(1, len(self.domain)) > POINTS:
            return None
        return self._evaluate(roots, before | {n: c[:, None] for n, c in zip(inner, found, strict=True)})

    def _columns(self, nodes: Sequence[Node], candidates: int) -> list[Words]:
        """The values of functions of what is accepted of these candidates, at all choices of them."""
        known = self._evaluated.setdefault(candidates, {})
        if len(self._evaluated) > KEPT:
            del self._evaluated[next(iter(self._evaluated))]
        new = [n for n in nodes if n not in known]
        choices = np.arange(1 << candidates.bit_count(), dtype=np.uint64)
        known |= {n: self._at(n, candidates, choices) for n in self._cuts(new, counting=False) or [] if n not in known}
        known |= {n: np.broadcast_to(c, choices.shape) for n, c in self._evaluate(new, known).items()}
        return [known[n] for n in nodes]

    def without_number(self, roots: Sequence[Node]) -> list[Node]:
        """The largest terms that the roots are made of, and that do not depend on the number of values before."""
        found, seen, stack = [], set(), list(roots)
        while stack:
            n = stack.pop()
            if n in seen or T.is_const(n) or n == self.before:
                continue
            seen.add(n)
            if self.depends_on_before(n):
                stack += T.children(n)
            else:
                found.append(n)
        return found

    def _numbers(self, counts: Sequence[Node]) -> dict[Node, Words]:
        """The numbers that there can be together; of many candidates, more than there can be."""
        sets = tuple(sorted({self._counted(n) for n in counts}))
        if sets not in self._together:
            self._together[sets] = _together(sets) if sets else []
        columns = dict(zip(sets, self._together[sets], strict=True))
        return {n: columns[self._counted(n)] for n in counts}

    @staticmethod
    def _evaluate(roots: Sequence[Node], values: dict[Node, Words]) -> dict[Node, Words]:
        return dict(zip(roots, T.evaluate(roots, values), strict=True))

    def _at(self, n: Node, candidates: int, choices: Words) -> Words:
        """A term of one candidate at choices of several."""
        rejected, accepted = self._class_values(n) or (0, 0)
        return np.where(part(choices, candidates, self.support(n)), np.uint64(accepted), np.uint64(rejected))

    def possible(self, n: Node, path: Path) -> list[int]:
        """The values that a term can have on a path; none at all if it is no function of what is accepted."""
        path = self._relevant(n, path)
        nodes = *(m for m, _ in path), n
        key = nodes, self.domain if any(map(self.depends_on_before, nodes)) else ()
        known = self._possible.get(key) or self._large.get(key) or self._find_together(key)
        return known.last(tuple(value for _, value in path))

    def _find_together(self, key: tuple[tuple[Node, ...], tuple[int, ...]]) -> "Together":
        nodes, points = key[0], self._points(key[0])
        columns = np.empty((len(nodes), 0), dtype=np.uint64)
        if points is not None:
            columns = np.stack([c.ravel() for c in np.broadcast_arrays(*(points[n] for n in nodes))])
        found = Together(columns)
        if not found.is_large:
            self._possible[key] = found
            return found
        if len(self._large) == LARGE:
            del self._large[next(iter(self._large))]
        self._large[key] = found
        return found

    def _relevant(self, n: Node, path: Path) -> Path:
        """The parts of a path about the candidates of a term, or about those that it links them to."""
        linked, supports = self.support(n), [self.support(m) for m, _ in path]
        for _ in path:
            linked |= reduce(or_, (s for s in supports if s & linked), 0)
        return tuple(known for known, s in zip(path, supports, strict=True) if s & linked)

    def count(self, candidates: int) -> Node:
        """How many of these are accepted."""
        return T.popcnt(T.zext(T.concat([self.accepted[i] for i in members(candidates)]), 64))

    # ---- the values that are accepted ----

    def nth(self, j: int, candidates: int) -> Node:
        """The accepted candidate before which j of these are accepted; 0 if there is none."""
        if (j, candidates) not in self._nth:
            self._nth[j, candidates] = self._find_nth(j, candidates)
        return self._nth[j, candidates]

    def _find_nth(self, j: int, candidates: int) -> Node:
        found, before = T.const(0, 16), T.const(0, 8)
        for i in members(candidates):
            found = T.ite(T.and_(self.accepted[i], T.eq(before, T.const(j, 8))), self.words[i], found)
            before = T.add(before, T.zext(self.accepted[i], 8))
        return found

    def check_nth(self, n: Node, j: int, candidates: int, path: Path, what: str) -> None:
        """On the path, the term is the accepted candidate before which j of these are accepted."""
        if n == self.nth(j, candidates):
            return
        path = tuple((m, value) for m, value in path if not self.depends_on_before(m))
        key = n, j, candidates, path
        if key not in self._right:
            self._check_nth(*key, what)
            self._right.add(key)

    def _check_nth(self, n: Node, j: int, candidates: int, path: Path, what: str) -> None:
        if candidates.bit_count() > MOST:
            raise NotProved(f"{what} is not seen to be the next accepted value")
        control, selected = self._selection(n)
        choices = self._choices(candidates | control, path)
        got = selected[part(choices, candidates | control, control).astype(np.int64)]
        wanted = np.array([-1, *members(candidates)])[_nth_one(part(choices, candidates | control, candidates), j) + 1]
        if (got != wanted).any():
            at = int(np.argmax(got != wanted))
            raise NotProved(f"{what} is candidate {int(got[at])} instead of {int(wanted[at])}")

    def _choices(self, candidates: int, path: Path) -> Words:
        """The choices of the path."""
        key = candidates, path
        if key not in self._chosen:
            nodes = [m for m, _ in path]
            cuts = self._cuts(nodes, counting=False)
            if cuts is None or reduce(or_, map(self.support, nodes), 0) & ~candidates or candidates.bit_count() > MOST:
                raise NotProved("too many candidates are decided at once")
            points = dict(zip(nodes, self._columns(nodes, candidates), strict=True))
            keep = _on_path((1 << candidates.bit_count(),), points, path)
            self._chosen[key] = np.flatnonzero(keep).astype(np.uint64)
        return self._chosen[key]

    def _selection(self, n: Node) -> tuple[int, Integers]:
        """The candidates that govern which one the term copies, and which it is at each choice of them, or -1."""
        if n not in self._selected:
            self._selected[n] = self._select(n)
        return self._selected[n]

    def _select(self, root: Node) -> tuple[int, Integers]:
        cuts, data = self._moves(root)
        control = reduce(or_, map(self.support, cuts), 0)
        if control.bit_count() > MOST:
            raise NotProved("a value is chosen by too many candidates")
        choices = np.arange(1 << control.bit_count(), dtype=np.uint64)
        values = {n: self._at(n, control, choices)[:, None] for n in cuts}
        numbers = [self.support(v).bit_length() - 1 for v in data]
        patterns = np.array([_patterns(i) for i in numbers], dtype=np.uint64)
        values |= {v: patterns[row][None, :] for row, v in enumerate(data)}
        got = np.broadcast_to(T.evaluate([root], values)[0], (len(choices), patterns.shape[1]))
        selected = np.full(len(choices), -1)
        for i, pattern in zip(numbers, patterns, strict=True):
            selected[(got == pattern).all(axis=1)] = i
        return control, selected

    def _moves(self, root: Node) -> tuple[list[Node], list[Node]]:
        """The terms of single candidates that govern the term, and the candidates that it copies bits of: nothing else
        may be done with these."""
        cuts, data, seen, stack = [], [], set(), [root]
        while stack:
            n = stack.pop()
            if n in seen or T.is_const(n):
                continue
            seen.add(n)
            inner = self._cuts([n], counting=False)
            if inner is not None:
                cuts += inner
            elif n in self._is_candidate:
                data.append(n)
            elif T.OP[n] in ("cat", "ite"):
                stack += T.children(n)
                if T.OP[n] == "ite" and self._cuts([T.ARGS[n][0]], counting=False) is None:
                    raise NotProved("a value is chosen by more than what is accepted")
            else:
                raise NotProved(f"a value is made of {T.ARGS[n][0] if T.OP[n] == 'var' else T.OP[n]}")
        return list(set(cuts)), data


class Together:
    """The values that nodes can have together, a row for each. Of few points all are sorted by the values of all nodes
    but the last; of many, those are looked for that are asked for."""

    def __init__(self, columns: Words) -> None:
        self.is_large = columns.shape[1] > FEW
        self._columns, self._found = columns, {} if self.is_large else _by_the_last(columns)

    def last(self, others: tuple[int, ...]) -> list[int]:
        """The values of the last node where the others have these."""
        if self.is_large and others not in self._found:
            keep = np.ones(self._columns.shape[1], dtype=bool)
            for column, value in zip(self._columns, others, strict=False):
                keep &= column == np.uint64(value)
            self._found[others] = np.unique(self._columns[-1][keep]).tolist()
        return self._found.get(others, [])


def _by_the_last(columns: Words) -> dict[tuple[int, ...], list[int]]:
    found: dict[tuple[int, ...], list[int]] = {}
    for *values, value in _distinct(columns).T.tolist() if columns.size else ():
        found.setdefault(tuple(values), []).append(value)
    return found


def _only_piece(cone: Sequence[Node], n: Node) -> T.Piece | None:
    """The slice of a node that the other nodes of a cone use, if they use but one."""
    pieces = {p for m in cone if T.OP[m] == "cat" for p in T.pieces(m) if p[0] == n}
    whole = any(n in T.children(m) for m in cone if T.OP[m] != "cat")
    return None if whole or len(pieces) != 1 else pieces.pop()


def members(candidates: int) -> list[int]:
    return [i for i in range(candidates.bit_length()) if candidates >> i & 1]


def _distinct(columns: Words) -> Words:
    """The columns that differ, in order. They are sorted by a sum, which must distinguish them, or else by all rows."""
    weights = np.array([[pow(0x9E3779B97F4A7C15, i, 1 << 64)] for i in range(len(columns))], dtype=np.uint64)
    _, first, place = np.unique((columns * weights).sum(axis=0), return_index=True, return_inverse=True)
    if (columns[:, first[place]] != columns).any():
        return np.unique(columns, axis=1)
    return np.unique(columns[:, first], axis=1)


def part(choices: Words, candidates: int, some: int) -> Words:
    """Choices of candidates as choices of some of them: bit i of a choice is for the i-th candidate of its set."""
    result, to = np.zeros_like(choices), 0
    for low, width in _runs([(candidates & ((1 << i) - 1)).bit_count() for i in members(some)]):
        result = result | (choices >> np.uint64(low) & np.uint64((1 << width) - 1)) << np.uint64(to)
        to += width
    return result


def _runs(places: Sequence[int]) -> list[tuple[int, int]]:
    """Places in order as runs: the first one and how many."""
    runs: list[tuple[int, int]] = []
    for place in places:
        low, width = runs.pop() if runs else (place, 0)
        if low + width != place:
            runs.append((low, width))
            low, width = place, 0
        runs.append((low, width + 1))
    return runs


def _together(sets: tuple[int, ...]) -> list[Words]:
    """Numbers accepted of several sets of candidates."""
    union = reduce(or_, sets, 0)
    if union.bit_count() > MOST:
        axes = np.meshgrid(*(np.arange(s.bit_count() + 1, dtype=np.uint64) for s in sets))
        return [axis.ravel() for axis in axes]
    choices = np.arange(1 << union.bit_count(), dtype=np.uint64)
    rows = np.array([np.bitwise_count(part(choices, union, s)) for s in sets], dtype=np.uint64)
    return list(np.unique(rows, axis=1))


def _nth_one(choices: Words, j: int) -> Integers:
    """The place of the one before which there are j; -1 if there is none."""
    for _ in range(j):
        choices = choices & (choices - np.uint64(1))
    below = (choices & -choices) - np.uint64(1)
    return np.where(choices == 0, -1, np.bitwise_count(below).astype(np.int64))


def _on_path(shape: tuple[int, ...], points: dict[Node, Words], path: Path) -> npt.NDArray[np.bool_]:
    keep = np.ones(shape, dtype=bool)
    for n, value in path:
        keep &= points[n] == np.uint64(value)
    return keep


def _same_whatever_the_second(points: dict[Node, Words], n: Node, path: Path) -> bool:
    """Whether the values of a node on a path are those at the beginning of the second axis."""
    shape = np.broadcast_shapes(*(np.shape(v) for v in points.values()))
    differs = np.broadcast_to(points[n] != points[n][..., :1], shape)
    return not (differs & _on_path(shape, points, path)).any()


def _patterns(candidate: int) -> list[int]:
    """Values that distinguish the bits of candidates from each other and from constants."""
    bits = range(16)
    places = [sum(1 << p for p in range(12) if p >> b & 1) for b in range(4)]
    return [0, 0xFFF, *places, *(0xFFF if candidate >> b & 1 else 0 for b in bits)]
