"""Grouped bars: for each set several bars side by side, each in one piece or made of parts.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from latkem_evaluate.charts import BAND, INK, MUTED, SERIES, STYLE, Chart, new_figure, plain
from latkem_evaluate.format import measured

THICKNESS = 0.17  # inches that a bar and the gap below it take
GROUP = 0.8  # the part of a set's room that its bars fill


def bar_chart(
    name: str, title: str, axis: str, bars: pd.DataFrame, panels: dict[str, str], sets: Sequence[str]
) -> Chart:
    """One panel for each step. The columns of bars are set, panel, bar, part, value and error, the part's. Parts of one
    bar are behind each other in their order."""
    shown = [key for key in panels if key in set(bars["panel"])]
    sets = [set_name for set_name in sets if set_name in set(bars["set"])]
    groups, parts = (list(dict.fromkeys(bars[column])) for column in ("bar", "part"))
    colours = dict(zip(parts, SERIES, strict=False))
    with rc_context(STYLE):
        figure = new_figure(1.3 + THICKNESS * len(sets) * (len(groups) + 0.5), title)
        all_axes = figure.subplots(1, len(shown), sharey=True, sharex=True, squeeze=False)[0]
        for axes, key in zip(all_axes, shown, strict=True):
            _panel(axes, bars[bars["panel"] == key], sets, groups, colours)
            axes.set_title(panels[key], loc="left", fontsize=9.5, color=INK)
        all_axes[0].set_xlim(0, 1.22 * bars.groupby(["set", "panel", "bar"])["value"].sum().max())
        figure.supxlabel(axis, fontsize=8.5, color=MUTED)
        handles = [Patch(color=colours[part], label=part) for part in parts]
        figure.legend(handles=handles, loc="outside upper right", ncols=len(handles), frameon=False)
    return Chart(name, title, figure)


def _panel(axes: Axes, bars: pd.DataFrame, sets: Sequence[str], groups: Sequence[str], colours: dict[str, str]) -> None:
    plain(axes)
    axes.set_yticks(range(len(sets)), sets)
    axes.set_ylim(len(sets) - 0.5, -0.5)
    for place in range(0, len(sets), 2):
        axes.axhspan(place - 0.5, place + 0.5, color=BAND, zorder=0)
    height = GROUP / len(groups)
    for (set_name, group), parts in bars.groupby(["set", "bar"], sort=False):
        middle = list(sets).index(set_name) + (groups.index(group) - (len(groups) - 1) / 2) * height
        _bar(axes, parts, middle, 0.88 * height, colours)


def _bar(axes: Axes, parts: pd.DataFrame, middle: float, height: float, colours: dict[str, str]) -> None:
    end = 0.0
    for part in parts.itertuples():
        axes.barh(middle, part.value, left=end, height=height, color=colours[part.part], zorder=2)
        end += part.value
    text = measured(end, float(parts["error"].max()))
    axes.annotate(text, (end, middle), xytext=(3, 0), textcoords="offset points", va="center", fontsize=8)
