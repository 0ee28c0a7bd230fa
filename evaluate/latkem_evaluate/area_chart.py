"""The chart of cores of one flow: what an operation takes, against the look-up tables of the core.

SPDX-License-Identifier: Apache-2.0
"""

import pandas as pd
from matplotlib import rc_context
from matplotlib.lines import Line2D

from latkem_evaluate.charts import INK, MUTED, SERIES, STYLE, Chart, new_figure
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.scatter import grid, label_points, settle


def area_chart(name: str, title: str, axis: str, points: pd.DataFrame) -> Chart:
    """A panel for each operation: the columns operation, core, label, LUT and value. A core has a colour. With a column
    front, a line joins the points of a label that are in front."""
    cores = list(dict.fromkeys(points["core"]))
    colours = dict(zip(cores, SERIES, strict=False))
    shown = {key: heading for key, heading in OPERATIONS.items() if key in set(points["operation"])}
    with rc_context(STYLE):
        figure = new_figure(4.4, title)
        panels = figure.subplots(1, len(shown), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (operation, heading) in zip(panels, shown.items(), strict=True):
            here = points[points["operation"] == operation]
            grid(axes)
            axes.set_title(heading, loc="left", fontsize=9.5, color=INK)
            axes.set_xlabel("thousand look-up tables", fontsize=8.5)
            for _, line in here[here["front"]].groupby("label") if "front" in here else ():
                ordered = line.sort_values("LUT")
                axes.plot(ordered["LUT"] / 1e3, ordered["value"], color=MUTED, alpha=0.5, linewidth=0.8, zorder=2)
            for row in here.itertuples():
                axes.plot(row.LUT / 1e3, row.value, "o", color=colours[row.core], markersize=6, zorder=3)
        panels[0].set_ylabel(axis, fontsize=8.5)
        panels[0].set_xlim(0, 1.2 * points["LUT"].max() / 1e3)
        panels[0].set_ylim(0, 1.1 * points["value"].max())
        handles = [Line2D([], [], marker="o", linestyle="", color=colours[core], label=core) for core in cores]
        figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), frameon=False, fontsize=8.5)
        settle(figure)
        for axes, operation in zip(panels, shown, strict=True):
            here = points[points["operation"] == operation]
            label_points(axes, list(zip(here["LUT"] / 1e3, here["value"], here["label"], strict=True)))
    return Chart(name, title, figure)
