"""Memory: bytes that are terms, in declared regions.

An access outside every region, a write to a read-only one and a read of bytes that nobody wrote stop the execution.
On the code's own stack, compilers load vectors that were written in part. A byte that was never written is an unknown.
A value made of one stops the execution if it is stored beside the stack, or decides about an address or a branch.

SPDX-License-Identifier: Apache-2.0
"""

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from proofs.machine import terms as T
from proofs.machine.terms import Node

PAGE = 4096


class Violation(Exception):
    """The code did what the proof forbids, or what the interpreter does not know."""


class Region(NamedTuple):
    start: int
    end: int
    writable: bool
    name: str
    own: bool  # the stack of the code, which nobody else reads


class Memory:
    """A page is a list of 4096 bytes, each a node and which byte of it: node << 7 | index; None was never written."""

    def __init__(self, unwritten_is_unknown: bool = False) -> None:
        """`unwritten_is_unknown`: reading what nobody wrote gives unknowns, for whole operations, that copy padding."""
        self.regions: list[Region] = []
        self._starts: list[int] = []
        self._pages: dict[int, list[int | None]] = {}
        self._backing: list[tuple[int, bytes]] = []  # what pages hold before they are written
        self._unwritten_is_unknown = unwritten_is_unknown
        self._undefined: set[Node] = set()  # bytes of the code's own stack that were read and never written

    # ---- regions ----

    def region(self, start: int, size: int, writable: bool, name: str, own: bool = False) -> int:
        """Declares a buffer; returns its address."""
        new = Region(start, start + size, writable, name, own)
        for old in self.regions:
            if new.start < old.end and old.start < new.end:
                raise ValueError(f"{name} overlaps {old.name}")
        at = bisect_right(self._starts, start)
        self.regions.insert(at, new)
        self._starts.insert(at, start)
        return start

    def back(self, start: int, data: bytes) -> None:
        """Constants that are there from the start: before anything is stored."""
        self._backing.append((start, data))

    def _region_before(self, at: int) -> Region | None:
        """The last region that starts at or before an address."""
        i = bisect_right(self._starts, at) - 1
        return self.regions[i] if i >= 0 else None

    def check(self, at: int, size: int, write: bool) -> Region:
        """The region of an access."""
        region = self._region_before(at)
        if region is None or at + size > region.end:
            near = f" ({at - region.start:+} from the start of {region.name})" if region else ""
            raise Violation(f"{'write' if write else 'read'} of {size} bytes at {at:#x} is outside every buffer{near}")
        if write and not region.writable:
            raise Violation(f"write of {size} bytes to read-only {region.name} at {at:#x}")
        return region

    # ---- the code's accesses ----

    def load(self, at: int, size: int) -> Node:
        self.check(at, size, False)
        return self._get(at, size)

    def store(self, at: int, n: Node) -> None:
        region = self.check(at, T.W[n] // 8, True)
        if self._undefined and not region.own and not self._undefined.isdisjoint(T.cone([n])):
            raise Violation(f"what was never written on the stack reaches {region.name} at {at:#x}")
        self._set(at, n)

    # ---- the proof's accesses: without permission ----

    def lanes(self, at: int, count: int, w: int) -> list[Node]:
        """`count` words of w bits."""
        return [self._get(at + i * w // 8, w // 8) for i in range(count)]

    def put(self, at: int, words: Iterable[Node]) -> None:
        """Writes words one after the other."""
        for n in words:
            self._set(at, n)
            at += T.W[n] // 8

    # ---- bytes ----

    def _page(self, number: int) -> list[int | None]:
        page = self._pages.get(number)
        if page is None:
            page = self._pages[number] = [None] * PAGE
            for start, data in self._backing:
                if start < (number + 1) * PAGE and number * PAGE < start + len(data):
                    _fill(page, number * PAGE, start, data)
        return page

    def _get(self, at: int, size: int) -> Node:
        offset = at % PAGE
        page = self._page(at // PAGE)
        codes = page[offset : offset + size]
        while len(codes) < size:
            codes += self._page((at + len(codes)) // PAGE)[: size - len(codes)]
        first = codes[0]
        if (
            first is not None
            and not first & 127
            and T.W[first >> 7] == 8 * size
            and codes == [*range(first, first + size)]
        ):
            return first >> 7
        return T.cat(self._pieces(at, codes))

    def _pieces(self, at: int, codes: list[int | None]) -> Iterable[T.Piece]:
        i = 0
        while i < len(codes):
            code = codes[i]
            if code is None:
                code = self._unwritten(at + i)
            length = 1
            while i + length < len(codes) and codes[i + length] == code + length and (code + length) & 127:
                length += 1
            yield from T.pieces(T.extract(code >> 7, 8 * (code & 127), 8 * length))
            i += length

    def _unwritten(self, at: int) -> int:
        """The unknown that a byte is from now on."""
        region, unknown = self._region_before(at), T.fresh(8)
        if not self._unwritten_is_unknown:
            if region is None or not region.own or at >= region.end:
                raise Violation(f"read of uninitialised memory at {at:#x}")
            self._undefined.add(unknown)
        self._page(at // PAGE)[at % PAGE] = unknown << 7
        return unknown << 7

    def _set(self, at: int, n: Node) -> None:
        size, rest = divmod(T.W[n], 8)
        if rest or not size:
            raise Violation(f"store of {T.W[n]} bits")
        if size > 8:
            for i, part in enumerate(T.split(n, 64)):
                self._set(at + 8 * i, part)
            return
        offset = at % PAGE
        page = self._page(at // PAGE)
        if offset + size <= PAGE:
            page[offset : offset + size] = range(n << 7, (n << 7) + size)
        else:
            for i in range(size):
                self._page((at + i) // PAGE)[(at + i) % PAGE] = n << 7 | i


def _fill(page: list[int | None], base: int, start: int, data: bytes) -> None:
    """Constants of 8 aligned bytes, as most reads of tables are multiples of them; single bytes at the ends."""
    at, end = max(base, start), min(base + PAGE, start + len(data))
    while at < end:
        size = 8 if at % 8 == 0 and at + 8 <= end else 1
        word = T.const(int.from_bytes(data[at - start : at - start + size], "little"), 8 * size)
        page[at - base : at - base + size] = range(word << 7, (word << 7) + size)
        at += size
