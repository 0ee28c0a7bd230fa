"""The charts, drawn by matplotlib; each goes to a PNG and an SVG file and, as SVG, into the report.

SPDX-License-Identifier: Apache-2.0
"""

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, NullLocator
from matplotlib.typing import LegendLocType

from latkem_evaluate.format import measured, significant
from latkem_evaluate.palette import (
    EXCHANGES,
    FUNCTIONS,
    GROUPS,
    JAVA_TIERS,
    OPERATIONS,
    OUTSIDE,
    SCHEMES,
    STEPS,
    TIERS,
    Scheme,
    Tint,
    group_of,
)

INK, MUTED, LINE, BAND, PAPER = "#1b2126", "#5b6670", "#d5dade", "#f3f5f6", "#ffffff"
BESIDE_TITLE = 4
"""So many entries of a legend have room beside a title."""
# One for each backend, library or machine.
SERIES = ("#0b6e8a", "#cc6677", "#117733", "#aa7700", "#882255", "#5b4fb0", "#7a6a5f")

# The things with a colour of their own.
PALETTE: tuple[Tint, ...] = (*GROUPS, OUTSIDE, *SCHEMES, *FUNCTIONS.values())

# Colours of the drawing that the report replaces by its own, which follow the reader's light or dark mode.
CSS_COLOURS = (
    {INK: "--ink", MUTED: "--muted", LINE: "--line", BAND: "--band", PAPER: "--paper"}
    | {colour: f"--series-{i}" for i, colour in enumerate(SERIES)}
    | {tint.colour.lower(): f"--{tint.key}" for tint in PALETTE}
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
# The ticks of an axis of less than so many decades.
TICKS = ((0.8, (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8)), (2.5, (1, 2, 5)), (math.inf, (1,)))
LABELLED_SHARE, LABELLED_SLICE, SMALLEST_SHARE = 0.035, 0.05, 0.0005


Parts = dict[Tint, float]


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
        self.figure.set_layout_engine("none")  # what the layout placed stays
        return text.getvalue()

    def save(self, folder: Path) -> None:
        (folder / f"{self.name}.svg").write_text(self._svg)
        with rc_context(STYLE):
            self.figure.savefig(folder / f"{self.name}.png", dpi=150)

    def inline_svg(self) -> str:
        """The SVG for a page: no XML head, ids of its own, colours from the page's style."""
        svg = self._svg[self._svg.index("<svg") :]
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        svg = re.sub(r'((?:id="|href="#|url\(#))', rf"\g<1>{self.name}-", svg)
        svg = re.sub(r"#[0-9a-fA-F]{6}\b", lambda found: _css_colour(found[0]), svg)
        return svg.replace("<svg ", f'<svg role="img" aria-label="{self.title}" ', 1)


def _css_colour(colour: str) -> str:
    variable = CSS_COLOURS.get(colour.lower())
    return f"var({variable})" if variable else colour


def new_figure(height: float, title: str) -> Figure:
    """An empty figure with its title at the left edge, above all that the layout places."""
    layout = ConstrainedLayoutEngine(rect=(0, 0, 1, 1 - 0.3 / height))
    figure = Figure(figsize=(WIDTH, height), layout=layout)
    figure.suptitle(title, x=0.012, y=0.985, ha="left", va="top", fontsize=11, fontweight="bold")
    return figure


def plain(axes: Axes) -> None:
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(length=0)


def latency_chart(rows: pd.DataFrame, tier: str, sets: Sequence[str]) -> Chart:
    """Estimates with their intervals as whiskers, one panel for each operation of the tier."""
    title = f"{TIERS[tier][0]} tier: time of one operation"
    dots = pd.DataFrame(
        rows[rows["tier"] == tier][["set", "backend", "operation"]].rename(columns={"operation": "panel"})
    ).assign(middle=rows["ns"] / 1e3, low=rows["low_ns"] / 1e3, high=rows["high_ns"] / 1e3)
    return _dot_chart(f"latency-{tier}", title, "µs, logarithmic; whiskers are intervals", dots, OPERATIONS, sets)


def session_chart(rows: pd.DataFrame, sets: Sequence[str]) -> Chart:
    """Means with whiskers from least to greatest, one panel for each step."""
    dots = pd.DataFrame(rows[["set", "backend", "step"]].rename(columns={"step": "panel"})).assign(
        middle=rows["mean_ms"], low=rows["min_ms"], high=rows["max_ms"], error=(rows["q3_ms"] - rows["q1_ms"]) / 2
    )
    axis = "ms, logarithmic; whiskers are minimum and maximum"
    return _dot_chart("session-key", "A session key: time of each step", axis, dots, STEPS, sets)


def exchange_chart(rows: pd.DataFrame, sets: Sequence[str]) -> Chart:
    """Whole exchanges, one panel for each kind."""
    whole = rows[rows["operation"] == "exchange"]
    dots = pd.DataFrame(whole[["set", "backend", "tier"]].rename(columns={"tier": "panel"})).assign(
        middle=whole["ns"] / 1e3, low=whole["low_ns"] / 1e3, high=whole["high_ns"] / 1e3
    )
    title = "Key exchange: time of both sides"
    return _dot_chart("exchange", title, "µs, logarithmic; whiskers are intervals", dots, EXCHANGES, sets)


def machine_chart(dots: pd.DataFrame, sets: Sequence[str]) -> Chart:
    """Times on CPUs and of cores, one panel for each operation: the columns set, backend, panel, middle, low, high."""
    axis = "µs, logarithmic; whiskers are intervals, and of cores the placements"
    return _dot_chart("hardware-software", "Software and cores: time of one operation", axis, dots, OPERATIONS, sets)


def ratio_chart(ratios: pd.DataFrame, scheme: Scheme, tier: str) -> Chart:
    """Times of other libraries by latkem's: the columns set, rival, backend, operation, middle, low, high."""
    dots = ratios.assign(set=ratios["set"] + "  " + ratios["rival"], panel=ratios["operation"])
    axis = "the rival's time by latkem's, logarithmic: right of the line latkem is faster; whiskers are quartiles"
    title = f"{scheme.title} beside other libraries: {TIERS[tier][0].lower()} tier"
    labels = list(dict.fromkeys(dots["set"]))
    return _dot_chart(f"peers-{tier}-{scheme.key}", title, axis, dots, OPERATIONS, labels, line=1.0)


def java_chart(ratios: pd.DataFrame) -> Chart:
    """Times of the JVM's other libraries by latkem's: the columns tier, set, rival, operation, q1, ratio and q3, the
    other way round."""
    dots = pd.DataFrame(ratios[["operation"]].rename(columns={"operation": "panel"})).assign(
        set=ratios["set"] + "  " + ratios["rival"],
        backend=ratios["tier"].map(lambda tier: JAVA_TIERS[tier][0]),
        middle=1 / ratios["ratio"],
        low=1 / ratios[["q3", "ratio"]].max(axis=1),
        high=1 / ratios[["q1", "ratio"]].min(axis=1),
    )
    axis = "the rival's time by latkem's, logarithmic: right of the line latkem is faster; whiskers are quartiles"
    labels = list(dict.fromkeys(dots["set"]))
    return _dot_chart("java", "Java: latkem beside other libraries", axis, dots, OPERATIONS, labels, line=1.0)


def binding_chart(ratios: pd.DataFrame) -> Chart:
    """Times of others and of C by latkem's: the columns language, library, set, operation, low, middle, high."""
    dots = pd.DataFrame(ratios[["low", "middle", "high"]]).assign(
        panel=ratios["operation"], set=ratios["language"] + "  " + ratios["library"], backend=ratios["set"]
    )
    axis = "the other's time by latkem's, logarithmic: right of the line latkem is faster; whiskers are its quartiles"
    labels = list(dict.fromkeys(dots["set"]))
    return _dot_chart("bindings", "latkem in other languages", axis, dots, OPERATIONS, labels, line=1.0)


def change_chart(rows: pd.DataFrame, published: float) -> Chart:
    """Changes in per cent, with a line at the published one: the columns panel, label, low, middle, high."""
    title = "MatrixVectorMul: change of time"
    panels, labels = (list(dict.fromkeys(rows[key])) for key in ("panel", "label"))
    with rc_context(STYLE):
        figure = new_figure(1.3 + ROW * len(labels), title)
        all_axes = figure.subplots(1, len(panels), sharey=True, sharex=True, squeeze=False)[0]
        for axes, panel in zip(all_axes, panels, strict=True):
            here = rows[rows["panel"] == panel]
            plain(axes)
            axes.set_title(panel, loc="left", fontsize=9.5, color=INK)
            axes.axvline(0, color=MUTED, linewidth=0.8, zorder=1)
            axes.axvline(published, color=SERIES[1], linewidth=1.2, linestyle="--", zorder=1)
            _whiskers(axes, here, here["label"].map(labels.index), SERIES[0])
        all_axes[0].set_yticks(range(len(labels)), labels)
        all_axes[0].set_ylim(len(labels) - 0.5, -0.5)
        all_axes[0].set_xlim(min(rows["low"].min(), published) - 1, max(rows["high"].max(), 0) + 2)
        figure.supxlabel("% of the reference's time; whiskers are quartiles", fontsize=8.5, color=MUTED)
    return Chart("matrix-vector-mul", title, figure)


def _dot_chart(
    name: str,
    title: str,
    axis: str,
    dots: pd.DataFrame,
    panels: dict[str, str],
    sets: Sequence[str],
    line: float | None = None,
) -> Chart:
    """Dots with whiskers on a logarithmic axis: the columns set, backend, panel, middle, low, high, and error where it
    is not half of the whiskers."""
    shown = [key for key in panels if key in set(dots["panel"])]
    backends = list(dict.fromkeys(dots["backend"]))
    sets = [set_name for set_name in sets if set_name in set(dots["set"])]
    with rc_context(STYLE):
        figure = new_figure(1.3 + ROW * len(sets) * max(1.0, 0.6 * len(backends)), title)
        all_axes = figure.subplots(1, len(shown), sharey=True, sharex=True, squeeze=False)[0]
        for axes, key in zip(all_axes, shown, strict=True):
            _dot_panel(axes, dots[dots["panel"] == key], sets, backends)
            axes.set_title(panels[key], loc="left", fontsize=9.5, color=INK)
            if line is not None:
                axes.axvline(line, color=MUTED, linewidth=0.8, zorder=1)
        _dot_range(all_axes[0], dots, line)
        few = len(backends) <= BESIDE_TITLE
        if few:
            figure.supxlabel(axis, fontsize=8.5, color=MUTED)
        else:  # the legend is below
            all_axes[len(shown) // 2].set_xlabel(axis, fontsize=8.5, color=MUTED)
        if len(backends) > 1:
            handles = [Patch(color=SERIES[i % len(SERIES)], label=label) for i, label in enumerate(backends)]
            place: LegendLocType = "outside upper right" if few else "outside lower left"
            figure.legend(handles=handles, loc=place, ncols=min(len(handles), BESIDE_TITLE), frameon=False)
    return Chart(name, title, figure)


def _dot_panel(axes: Axes, dots: pd.DataFrame, sets: Sequence[str], backends: Sequence[str]) -> None:
    plain(axes)
    axes.set_xscale("log")
    axes.set_yticks(range(len(sets)), sets)
    axes.set_ylim(len(sets) - 0.5, -0.5)
    for place in range(0, len(sets), 2):
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
    for index, backend in enumerate(backends):
        series = dots[(dots["backend"] == backend) & dots["set"].isin(sets)]
        offset = (index - (len(backends) - 1) / 2) * 0.8 / len(backends)
        places = series["set"].map(list(sets).index) + offset
        _whiskers(axes, series, places, SERIES[index % len(SERIES)])


def _whiskers(axes: Axes, series: pd.DataFrame, places: pd.Series, colour: str) -> None:
    middle, low, high = (series[key].astype(float) for key in ("middle", "low", "high"))
    errors = [middle - low, high - middle]
    axes.errorbar(middle, places, xerr=errors, fmt="o", color=colour, markersize=5, capsize=3, zorder=3)
    error = series.get("error", (high - low) / 2)
    for value, end, place, by in zip(middle, high, places, error, strict=True):
        axes.annotate(
            measured(value, by), (end, place), xytext=(7, 0), textcoords="offset points", va="center", fontsize=8.5
        )


def _dot_range(axes: Axes, dots: pd.DataFrame, line: float | None) -> None:
    """The line, if there is one, and room to the right for the format."""
    lines = [] if line is None else [line]
    low, high = min([dots["low"].min(), *lines]), max([dots["high"].max(), *lines])
    axes.set_xlim(low / 1.3, high * (high / low) ** 0.25 * 1.6)
    number_ticks(axes.xaxis)


def number_ticks(axis: Axis) -> None:
    """Plain numbers on a logarithmic axis."""
    low, high = axis.get_view_interval()
    decades = math.log10(high / low)
    axis.set_major_locator(LogLocator(subs=next(subs for limit, subs in TICKS if decades < limit)))
    axis.set_major_formatter(lambda value, place: f"{value:g}")
    axis.set_minor_locator(NullLocator())


def shares(profile: dict) -> Parts:
    """The share of each group of kernels in one profile, and of what lies outside them."""
    result: Parts = dict.fromkeys(GROUPS, 0.0)
    for kernel in profile["kernels"]:
        result[group_of(kernel["family"], kernel["name"])] += kernel["share"]
    return {group: max(share, 0.0) for group, share in result.items()} | {OUTSIDE: max(profile["other_share"], 0.0)}


def profile_chart(profiles: Sequence[dict], operation: str, backend: str) -> Chart:
    """One stacked bar for each set: where the time of an operation goes."""
    title = f"{OPERATIONS[operation]}, {backend}: share of each group of kernels"
    with rc_context(STYLE):
        figure = new_figure(1.25 + ROW * len(profiles), title)
        bars = {profile["set"]: (shares(profile), profile["total_ns"]) for profile in profiles}
        _share_bars(figure.subplots(), bars)
        _share_legend(figure, [parts for parts, _ in bars.values()])
    return Chart(f"profile-{operation}-{backend}", title, figure)


def study_chart(rows: dict[str, dict[str, dict]], backend: str) -> Chart:
    """For each operation a pie of the set in the middle, and beside it a stacked bar for each set."""
    title = f"Saber, {backend}: share of each function"
    with rc_context(STYLE):
        figure = new_figure(0.9 + 1.75 * len(rows), title)
        all_parts = []
        grid = figure.subplots(len(rows), 2, squeeze=False, width_ratios=(1, 3.2))
        for (pie, axes), (operation, by_set) in zip(grid, rows.items(), strict=True):
            bars = {name: (function_shares(row), row["total_ns"]) for name, row in by_set.items()}
            middle = list(bars)[len(bars) // 2]
            _pie(pie, bars[middle][0])
            pie.set_title(middle, fontsize=8.5, color=MUTED, pad=2)
            axes.set_title(OPERATIONS[operation], loc="left", fontsize=9.5, color=INK)
            _share_bars(axes, bars, 0.7)
            all_parts += [parts for parts, _ in bars.values()]
        _share_legend(figure, all_parts)
    return Chart(f"study-{backend}", title, figure)


def function_shares(row: dict) -> Parts:
    """The share of each function in one operation. A small negative one is what the timers' correction left: none."""
    shares = {function["name"]: function["share"] for function in row["functions"]}
    return {tint: max(shares[key], 0.0) for key, tint in FUNCTIONS.items() if key in shares}


def _pie(axes: Axes, parts: Parts) -> None:
    shown = {tint: share for tint, share in parts.items() if share >= SMALLEST_SHARE}
    total = sum(shown.values())
    labels = [f"{share / total:.0%}" if share / total >= LABELLED_SLICE else "" for share in shown.values()]
    _, texts = axes.pie(
        list(shown.values()),
        labels=labels,
        labeldistance=0.72,
        colors=[tint.colour for tint in shown],
        startangle=90,
        counterclock=False,
        radius=1.25,
        wedgeprops={"edgecolor": PAPER, "linewidth": 0.8},
        textprops={"ha": "center", "va": "center", "fontsize": 8},
    )
    for text, tint in zip(texts, shown, strict=True):
        text.set_color(_on(tint))


def _share_bars(axes: Axes, bars: dict[str, tuple[Parts, float]], width: float = 1.0) -> None:
    """One stacked bar for each name, with its whole time in ns at the end; width is that part of the figure's."""
    plain(axes)
    for place, (parts, total_ns) in enumerate(bars.values()):
        _share_bar(axes, parts, total_ns, place, width)
    axes.set_yticks(range(len(bars)), list(bars))
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlim(0, 1.09)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)


def _share_bar(axes: Axes, parts: Parts, total_ns: float, place: int, width: float) -> None:
    total, left = sum(parts.values()), 0.0
    for tint, share in parts.items():
        part = share / total
        if part < SMALLEST_SHARE:
            continue
        axes.barh(place, part, left=left, height=0.74, color=tint.colour, edgecolor=PAPER, linewidth=0.8)
        if part * width >= LABELLED_SHARE:
            roomy = part * width > LABELLED_SHARE + 0.012 * len(tint.title)
            text = f"{tint.title} {part:.0%}" if roomy else f"{part:.0%}"
            axes.text(left + part / 2, place, text, ha="center", va="center", fontsize=8, color=_on(tint))
        left += part
    axes.text(1.008, place, f"{significant(total_ns / 1e3)} µs", va="center", fontsize=8.5)


def _share_legend(figure: Figure, all_parts: Sequence[Parts]) -> None:
    """The parts that some bar shows, in their order."""
    order = dict.fromkeys(tint for parts in all_parts for tint in parts)
    used = [tint for tint in order if any(parts.get(tint, 0) >= SMALLEST_SHARE for parts in all_parts)]
    handles = [Patch(color=tint.colour, label=tint.title) for tint in used]
    figure.legend(handles=handles, loc="outside lower left", ncols=5, frameon=False, fontsize=8.5)


def _on(tint: Tint) -> str:
    """Black or white text, whichever is easier to read on the colour."""
    red, green, blue = (int(tint.colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "#fefefe"
