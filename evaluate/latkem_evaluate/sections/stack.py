"""The stack that operations use, what of it fits small stacks, and the size of the code.

SPDX-License-Identifier: Apache-2.0
"""

from functools import cached_property

import pandas as pd

from latkem_evaluate import format
from latkem_evaluate.palette import OPERATIONS, TIERS
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table

LIMITS_KIB = (64, 128)
"""Stacks that threads are given: by small systems, and by musl."""
CODE = {"code and constants": "text", "initialised data": "data", "zeroed data": "bss"}


class Stack(Section):
    key = "stack"
    title = "Stack and code"
    limits = LIMITS_KIB

    @cached_property
    def frame(self) -> pd.DataFrame:
        columns = ["set", "operation", "tier", "backend", "bytes"]
        return pd.DataFrame(self.raw["stack"].get("stack", []), columns=columns)

    @property
    def answer(self) -> str:
        if self.frame.empty:
            return ""
        parts = [f"{self._within(limit)} of {len(self.frame)} fit {limit} KiB" for limit in LIMITS_KIB]
        deepest = self.frame.loc[self.frame["bytes"].idxmax()]
        where = f"{deepest['set']}, {deepest['tier']} {deepest['operation']}, {deepest['backend']}"
        return (
            f"Operations: {', '.join(parts)}; the deepest takes {format.kib(deepest['bytes'])} KiB ({where}). No heap."
        )

    def _within(self, limit_kib: int) -> int:
        return int((self.frame["bytes"] <= 1024 * limit_kib).sum())

    def summary(self) -> Table:
        """How many operations of each tier fit, and the deepest."""
        table = Table([], [*(f"fit {limit} KiB" for limit in LIMITS_KIB), "deepest, KiB", "which"], names=("which",))
        rows = []
        for tier in (name for name in TIERS if name in set(self.frame["tier"])):
            here = self.frame[self.frame["tier"] == tier]
            deepest = here.loc[here["bytes"].idxmax()]
            which = f"{deepest['operation']} of {deepest['set']}, {deepest['backend']}"
            cells = [_share(int((here["bytes"] <= 1024 * limit).sum()), len(here), limit) for limit in LIMITS_KIB]
            rows.append(Row(TIERS[tier][0], [*cells, _cell(int(deepest["bytes"])), Cell(which, kind="name")]))
        table.groups += [rows] if rows else []
        return table

    def table(self) -> Table:
        keys = self._keys()
        heads = [("largest", 1), *((TIERS[tier][0], sum(key[0] == tier for key in keys)) for tier in dict(keys))]
        table = Table(heads, ["fits", *(operation for _, operation in keys)], names=("fits",))
        sizes = {(r.set, r.backend, r.tier, r.operation): int(r.bytes) for r in self.frame.itertuples()}
        for name in self.results.set_names:
            group = []
            for backend in self.results.backends:
                found = [sizes.get((name, backend, *key)) for key in keys]
                group.append(Row(name, [_fits(found), *map(_cell, found)], backend))
            table.groups.append(group)
        return table

    def _keys(self) -> list[tuple[str, str]]:
        present = set(zip(self.frame["tier"], self.frame["operation"], strict=True))
        return [(tier, op) for tier in TIERS for op in OPERATIONS if (tier, op) in present]

    def code_table(self) -> Table:
        table = Table([], list(CODE))
        rows = [
            Row(str(entry["name"]), [Cell(format.grouped(entry[key])) for key in CODE.values()])
            for entry in self.raw["code_size"]
        ]
        table.groups.append(rows)
        return table


def _limit(size: int) -> int | None:
    """The smallest limit that holds it."""
    return next((limit for limit in LIMITS_KIB if size <= 1024 * limit), None)


def _cell(size: int | None) -> Cell:
    if size is None:
        return EMPTY
    limit = _limit(size)
    return Cell(format.kib(size), kind=f"fits-{limit or 'none'}", title=f"{format.grouped(size)} bytes")


def _share(fitting: int, count: int, limit: int) -> Cell:
    return Cell(
        "all" if fitting == count else f"{fitting} of {count}", kind="" if fitting == count else f"over-{limit}"
    )


def _fits(sizes: list[int | None]) -> Cell:
    known = [size for size in sizes if size is not None]
    if not known:
        return EMPTY
    limit = _limit(max(known))
    return Cell(f"{limit} KiB" if limit else f"more than {LIMITS_KIB[-1]} KiB", kind=f"name fits-{limit or 'none'}")
