"""What a table of the page is made of.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from latkem_evaluate import numbers


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


EMPTY = Cell("–", kind="none")


def time_cell(row: pd.Series, unit: float) -> Cell:
    """The median with the quartiles below it; unit is that of the time in ns."""
    quartiles = f"{numbers.significant(row['q1_ns'] / unit)}–{numbers.significant(row['q3_ns'] / unit)}"
    return Cell(numbers.significant(row["median_ns"] / unit), quartiles, "noisy" if row["noisy"] else "")


def measured_cells(row: pd.Series, columns: Sequence[str], unit: float) -> list[Cell]:
    """One cell for each column title; unit is that of the time in ns."""
    texts = {
        "µs": time_cell(row, unit),
        "kcycles": Cell(numbers.significant(row["cycles"] / 1e3)),
        "cycles": Cell(numbers.significant(row["cycles"])),
        "speed-up": EMPTY if pd.isna(row["speedup"]) else Cell(numbers.times(row["speedup"])),
    }
    texts["ns"] = texts["µs"]
    return [texts[column] for column in columns]
