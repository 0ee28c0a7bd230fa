"""The charts, drawn by matplotlib; each goes to a PNG and an SVG file and, as SVG, into the report.

SPDX-License-Identifier: Apache-2.0
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator

from latkem_evaluate.groups import GROUPS, OPERATIONS, OUTSIDE, TIERS, Group, group_of
from latkem_evaluate.numbers import significant

INK, MUTED, LINE, BAND, PAPER = "#1b2126", "#5b6670", "#d5dade", "#f3f5f6", "#ffffff"
SERIES = ("#0b6e8a", "#cc6677", "#117733", "#aa7700", "#882255")  # one for each backend or library

# Colours of the drawing that the report replaces by its own, which follow the reader's light or dark mode.
CSS_COLOURS = (
    {INK: "--ink", MUTED: "--muted", LINE: "--line", BAND: "--band", PAPER: "--paper"}
    | {colour: f"--series-{i}" for i, colour in enumerate(SERIES)}
    | {group.colour.lower(): f"--{group.key}" for group in (*GROUPS, OUTSIDE)}
)

STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 9,
    "svg.fonttype": "none",
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": INK,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
}
WIDTH = 10.0  # inches; the report shows it about 1000 pixels wide
ROW = 0.3
LABELLED_SHARE = 0.035


@dataclass
class Chart:
    """A drawn chart: its name as a file, what it shows, and the drawing."""

    name: str
    title: str
    figure: Figure

    @cached_property
    def _svg(self) -> str:
        text = io.StringIO()
        with rc_context(STYLE | {"svg.hashsalt": self.name}):
            self.figure.savefig(text, format="svg", metadata={"Date": None, "Title": self.title})
        return text.getvalue()

    def save(self, folder: Path) -> None:
        with rc_context(STYLE):
            self.figure.savefig(folder / f"{self.name}.png", dpi=150)
        (folder / f"{self.name}.svg").write_text(self._svg)

    def inline_svg(self) -> str:
        """The SVG for a page: no XML head, ids of its own, colours from the page's style."""
        svg = self._svg[self._svg.index("<svg") :]
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        svg = re.sub(r'((?:id="|href="#|url\(#))', rf"\g<1>{self.name}-", svg)
        for colour, variable in CSS_COLOURS.items():
            svg = re.sub(colour, f"var({variable})", svg, flags=re.IGNORECASE)
        return svg.replace("<svg ", f'<svg role="img" aria-label="{self.title}" ', 1)


def _figure(height: float, title: str) -> Figure:
    """An empty figure with its title at the left edge, above all that the layout places."""
    layout = ConstrainedLayoutEngine(rect=(0, 0, 1, 1 - 0.3 / height))
    figure = Figure(figsize=(WIDTH, height), layout=layout)
    figure.suptitle(title, x=0.012, y=0.985, ha="left", va="top", fontsize=11, fontweight="bold")
    return figure


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)


def latency_chart(rows: pd.DataFrame, tier: str, sets: Sequence[str]) -> Chart:
    """Medians with quartile whiskers on a logarithmic axis, one panel for each operation of the tier."""
    rows = rows[rows["tier"] == tier]
    operations = [name for name in OPERATIONS if name in set(rows["operation"])]
    backends = list(dict.fromkeys(rows["backend"]))
    sets = [name for name in sets if name in set(rows["set"])]
    title = f"{TIERS[tier][0]} tier: time of one operation"
    with rc_context(STYLE):
        figure = _figure(1.3 + ROW * len(sets) * max(1.0, 0.6 * len(backends)), title)
        panels = figure.subplots(1, len(operations), sharey=True, sharex=True, squeeze=False)[0]
        for axes, operation in zip(panels, operations, strict=True):
            _latency_panel(axes, rows[rows["operation"] == operation], sets, backends)
            axes.set_title(OPERATIONS[operation], loc="left", fontsize=9.5, color=INK)
        _latency_range(panels[0], rows)
        figure.supxlabel("µs, logarithmic; whiskers are quartiles", fontsize=8.5, color=MUTED)
        if len(backends) > 1:
            handles = [Patch(color=SERIES[i % len(SERIES)], label=name) for i, name in enumerate(backends)]
            figure.legend(handles=handles, loc="outside upper right", ncols=len(handles), frameon=False)
    return Chart(f"latency-{tier}", title, figure)


def _latency_panel(axes: Axes, rows: pd.DataFrame, sets: Sequence[str], backends: Sequence[str]) -> None:
    _plain(axes)
    axes.set_xscale("log")
    axes.set_yticks(range(len(sets)), sets)
    axes.set_ylim(len(sets) - 0.5, -0.5)
    for place in range(0, len(sets), 2):
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
    for index, backend in enumerate(backends):
        series = rows[rows["backend"] == backend].set_index("set")
        offset = (index - (len(backends) - 1) / 2) * 0.8 / len(backends)
        for place, name in enumerate(sets):
            if name in series.index:
                _whisker(axes, series.loc[name], place + offset, SERIES[index % len(SERIES)])


def _whisker(axes: Axes, row: pd.Series, place: float, colour: str) -> None:
    median, q1, q3 = (row[key] / 1e3 for key in ("median_ns", "q1_ns", "q3_ns"))
    axes.errorbar(
        median, place, xerr=[[median - q1], [q3 - median]], fmt="o", color=colour, markersize=5, capsize=3, zorder=3
    )
    axes.annotate(
        significant(median), (q3, place), xytext=(7, 0), textcoords="offset points", va="center", fontsize=8.5
    )


def _latency_range(axes: Axes, rows: pd.DataFrame) -> None:
    """Room to the right for the numbers; ticks as plain numbers."""
    low, high = rows["q1_ns"].min() / 1e3, rows["q3_ns"].max() / 1e3
    axes.set_xlim(low / 1.3, high * (high / low) ** 0.25 * 1.6)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(lambda value, place: f"{value:g}")
    axes.xaxis.set_minor_locator(NullLocator())


def shares(profile: dict) -> dict[Group, float]:
    """The share of each group of kernels in one profile, and of what lies outside them."""
    result: dict[Group, float] = dict.fromkeys(GROUPS, 0.0)
    for kernel in profile["kernels"]:
        result[group_of(kernel["family"], kernel["name"])] += kernel["share"]
    return {group: max(share, 0.0) for group, share in result.items()} | {OUTSIDE: max(profile["other_share"], 0.0)}


def profile_chart(profiles: Sequence[dict], operation: str, backend: str) -> Chart:
    """One stacked bar for each set: where the time of an operation goes."""
    title = f"{OPERATIONS[operation]}, {backend}: share of each group of kernels"
    with rc_context(STYLE):
        figure = _figure(1.25 + ROW * len(profiles), title)
        axes = figure.subplots()
        _plain(axes)
        used: dict[Group, None] = {}
        for place, profile in enumerate(profiles):
            _profile_bar(axes, profile, place, used)
        axes.set_yticks(range(len(profiles)), [profile["set"] for profile in profiles])
        axes.set_ylim(len(profiles) - 0.5, -0.5)
        axes.set_xlim(0, 1.09)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        order = [group for group in (*GROUPS, OUTSIDE) if group in used]
        handles = [Patch(color=group.colour, label=group.title) for group in order]
        figure.legend(handles=handles, loc="outside lower left", ncols=5, frameon=False, fontsize=8.5)
    return Chart(f"profile-{operation}-{backend}", title, figure)


def _profile_bar(axes: Axes, profile: dict, place: int, used: dict[Group, None]) -> None:
    parts = shares(profile)
    total, left = sum(parts.values()), 0.0
    for group, share in parts.items():
        width = share / total
        if width < 0.0005:
            continue
        used[group] = None
        axes.barh(place, width, left=left, height=0.74, color=group.colour, edgecolor=PAPER, linewidth=0.8)
        if width >= LABELLED_SHARE:
            text = f"{group.title} {width:.0%}" if width > LABELLED_SHARE + 0.012 * len(group.title) else f"{width:.0%}"
            axes.text(left + width / 2, place, text, ha="center", va="center", fontsize=8, color=_on(group))
        left += width
    axes.text(1.008, place, f"{significant(profile['total_ns'] / 1e3)} µs", va="center", fontsize=8.5)


def _on(group: Group) -> str:
    """Black or white text, whichever is easier to read on the group's colour."""
    red, green, blue = (int(group.colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "#fefefe"


def peers_chart(rows: pd.DataFrame, tier: str, sets: Sequence[str]) -> Chart:
    """Medians of the libraries side by side, one panel for each set, one group of bars for each operation."""
    rows = rows[rows["tier"] == tier]
    labels = list(dict.fromkeys(rows["label"]))
    operations = [name for name in OPERATIONS if name in set(rows["operation"])]
    title = f"{TIERS[tier][0]} tier beside other libraries"
    with rc_context(STYLE):
        figure = _figure(1.2 + 0.26 * len(labels) * len(operations), title)
        panels = figure.subplots(1, len(sets), sharey=True, squeeze=False)[0]
        for axes, name in zip(panels, sets, strict=True):
            _peers_panel(axes, rows[rows["set"] == name], operations, labels)
            axes.set_title(name, loc="left", fontsize=9.5)
        figure.supxlabel("µs; whiskers are quartiles", fontsize=8.5, color=MUTED)
    return Chart(f"peers-{tier}", title, figure)


def _peers_panel(axes: Axes, rows: pd.DataFrame, operations: Sequence[str], labels: Sequence[str]) -> None:
    _plain(axes)
    ticks: list[str] = []
    for operation in operations:
        for label in labels:
            row = rows[(rows["operation"] == operation) & (rows["label"] == label)]
            if not row.empty:
                _peers_bar(axes, row.iloc[0], len(ticks), SERIES[0] if label.startswith("latkem") else MUTED)
            ticks.append(f"{operation}  {label}")
    axes.set_yticks(range(len(ticks)), ticks, fontsize=8)
    axes.set_ylim(len(ticks) - 0.4, -0.6)
    axes.set_xlim(0, rows["q3_ns"].max() / 1e3 * 1.25)


def _peers_bar(axes: Axes, row: pd.Series, place: int, colour: str) -> None:
    median, q1, q3 = (row[key] / 1e3 for key in ("median_ns", "q1_ns", "q3_ns"))
    axes.barh(place, median, xerr=[[median - q1], [q3 - median]], color=colour, height=0.7, ecolor=INK)
    axes.annotate(significant(median), (q3, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
