"""The parts of a table of the page.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from latkem_evaluate import format


@dataclass
class Table:
    """A table of the page: two rows of heads, and groups of rows that belong together."""

    heads: list[tuple[str, int]]  # title and how many columns it spans
    columns: list[str]
    groups: list[list["Row"]] = field(default_factory=list)
    names: tuple[str, ...] = ()  # the titles of columns of names, which align left


@dataclass
class Row:
    label: str
    cells: list["Cell"]
    note: str = ""


@dataclass
class Cell:
    text: str
    small: str = ""
    kind: str = ""  # a CSS class
    title: str = ""  # shown where the pointer rests


EMPTY = Cell("–", kind="none")


def missing(why: str) -> Cell:
    """No figure, and why not; a dash where there is no reason."""
    return Cell(why, kind="none") if why else EMPTY


def published(text: str) -> Cell:
    """A figure of others, which the page marks as such."""
    return Cell(text, kind="published")


def time_cell(row: pd.Series, unit: float) -> Cell:
    """The estimate with its interval below it; unit is that of the time in ns."""
    low, high = row["low_ns"] / unit, row["high_ns"] / unit
    text = format.measured(row["ns"] / unit, (high - low) / 2)
    return Cell(text, format.span(low, high), "noisy" if row["noisy"] else "")


def measured_cells(row: pd.Series, columns: Sequence[str], unit: float) -> list[Cell]:
    """One cell for each column title; unit is that of the time in ns."""
    faster = EMPTY if pd.isna(row["speedup"]) else Cell(format.times(row["speedup"], row["speedup_error"]))
    texts = {
        "µs": time_cell(row, unit),
        "kcycles": Cell(format.measured(row["cycles"] / 1e3, row["cycles"] * row["width"] / 2e3)),
        "cycles": Cell(format.measured(row["cycles"], row["cycles"] * row["width"] / 2)),
        "speed-up": faster,
    }
    texts["ns"] = texts["µs"]
    return [texts[column] for column in columns]
