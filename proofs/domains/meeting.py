"""The meeting of two paths: memory that can be put back to what it was, and the pages of both as one.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping

from proofs.machine import terms as T
from proofs.machine.frames import StackMemory
from proofs.machine.memory import PAGE
from proofs.machine.terms import Node

Page = list[int | None]
NOTHING: Page = [None] * PAGE
CHUNK = 64  # bytes that are compared at once
WORD = 8


class Undecided(Exception):
    """A condition on which the code goes different ways."""

    def __init__(self, condition: Node) -> None:
        super().__init__("a condition has both values")
        self.condition = condition


class RestoredMemory(StackMemory):
    """Memory with pages that can be put back, if they may be written."""

    def save(self) -> dict[int, Page]:
        return {k: list(page) for k, page in self._pages.items() if self._writable(k)}

    def put_back(self, pages: Mapping[int, Page]) -> None:
        for k in [k for k in self._pages if self._writable(k) and k not in pages]:
            del self._pages[k]
        self._pages.update((k, list(page)) for k, page in pages.items())

    def replace(self, change: Callable[[Node], Node]) -> None:
        """Gives every term that may be written another of its width."""
        for page in (page for k, page in self._pages.items() if self._writable(k)):
            new = {n: change(n) for n in {code >> 7 for code in page if code is not None}}
            if any(n != m for n, m in new.items()):
                page[:] = [code if code is None else new[code >> 7] << 7 | code & 127 for code in page]

    def _writable(self, page: int) -> bool:
        found = self._known_pages.get(page)
        if found is None:
            places = (r for r in self.regions if r.start < (page + 1) * PAGE and page * PAGE < r.end)
            found = self._known_pages[page] = any(r.writable for r in places)
        return found

    def region(self, start: int, size: int, writable: bool, name: str, own: bool = False) -> int:
        self._known_pages: dict[int, bool] = {}
        return super().region(start, size, writable, name, own)


def joined_page(choice: Callable[[Node, Node], Node], x: Page, y: Page) -> Page:
    """By words where both have some, else by bytes; a byte that either has not written is not written."""
    if x == y:
        return x
    found, i = list(x), 0
    while i < PAGE:
        if x[i : i + CHUNK] == y[i : i + CHUNK]:
            i += CHUNK - i % CHUNK
        elif (a := _word_at(x, i)) is not None and (b := _word_at(y, i)) is not None:
            n = choice(a, b)
            found[i : i + WORD] = range(n << 7, (n << 7) + WORD)
            i += WORD
        else:
            found[i] = _joined_byte(choice, x[i], y[i])
            i += 1
    return found


def _joined_byte(choice: Callable[[Node, Node], Node], a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else choice(_byte(a), _byte(b)) << 7


def _word_at(page: Page, i: int) -> Node | None:
    first = page[i]
    if first is None or first & 127 or T.W[first >> 7] != 8 * WORD:
        return None
    return first >> 7 if page[i : i + WORD] == [*range(first, first + WORD)] else None


def _byte(code: int) -> Node:
    return T.extract(code >> 7, 8 * (code & 127), 8)
