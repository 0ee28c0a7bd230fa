"""Charts of points that a scheme colours and a level shapes, with labels that keep apart: time against bytes, and time
and throughput against area.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin

import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from latkem_evaluate.charts import INK, LINE, MUTED, STYLE, Chart, new_figure, number_ticks
from latkem_evaluate.palette import SCHEMES, scheme_of

MARKERS = {1: "o", 3: "s", 5: "^"}
OTHER_MARKER = "D"
FONT_SIZE = 7.5
ANGLES = (0, 180, 90, 270, 35, -35, 145, -145)
DISTANCES = (8, 14, 22, 32, 44, 58)  # points
LEADER_FROM = 12  # points; labels at least this far off, to any side, have a line to their point

# The columns of a panel, its title and the labels of its axes.
PANELS = (
    ("fresh_bytes", "fresh_us", "A fresh key each time", "bytes sent: ek + ct", "key generation + encaps + decaps, µs"),
    ("kept_bytes", "kept_us", "A key that is at hand", "bytes sent: ct", "encaps + decaps, µs"),
)


def exchange_chart(exchanges: pd.DataFrame, backend: str) -> Chart:
    """Key exchanges on one backend: bytes across, time up, both logarithmic."""
    title = f"A key exchange, {backend}: time and bytes"
    with rc_context(STYLE):
        figure = new_figure(5.4, title)
        panels = figure.subplots(1, len(PANELS))
        for axes, (x, y, heading, x_label, y_label) in zip(panels, PANELS, strict=True):
            _points(axes, exchanges, x, y)
            axes.set_title(heading, loc="left", fontsize=9.5, color=INK)
            axes.set_xlabel(x_label, fontsize=8.5)
            axes.set_ylabel(y_label, fontsize=8.5)
        _legend(figure, exchanges)
        settle(figure)
        for axes, (x, y, *_) in zip(panels, PANELS, strict=True):
            label_points(axes, list(zip(exchanges[x], exchanges[y], exchanges["set"], strict=True)))
    return Chart(f"exchange-{backend}", title, figure)


def core_chart(name: str, title: str, points: pd.DataFrame, labels: dict[str, str], panels: dict[str, str]) -> Chart:
    """Cores: area across and each of the labelled columns up, all logarithmic, a panel for each operation. The columns
    of points are set, level, operation, area and those that have a label."""
    shown = [key for key in panels if key in set(points["operation"])]
    with rc_context(STYLE):
        figure = new_figure(1.3 + 2.5 * len(labels), title)
        rows = figure.subplots(len(labels), len(shown), sharex=True, sharey="row", squeeze=False)
        cells = [(rows[row, at], key, y) for row, y in enumerate(labels) for at, key in enumerate(shown)]
        for axes, key, y in cells:
            _core_points(axes, points[points["operation"] == key], y)
        for axes, key in zip(rows[0], shown, strict=True):
            axes.set_title(panels[key], loc="left", fontsize=9.5, color=INK)
        for axes, (y, label) in zip(rows[:, 0], labels.items(), strict=True):
            axes.set_ylabel(label, fontsize=8.5)
            _range(axes, points["area"], points[y])
        for axes in rows[-1]:
            axes.set_xlabel("thousand look-up tables", fontsize=8.5)
        _legend(figure, points)
        settle(figure)
        for axes, key, y in cells:
            here = points[points["operation"] == key]
            names = here["set"].str.removeprefix("NTRU-")  # the legend has it
            label_points(axes, list(zip(here["area"], here[y], names, strict=True)))
    return Chart(name, title, figure)


def _core_points(axes: Axes, points: pd.DataFrame, y: str) -> None:
    _plane(axes)
    _marks(axes, points, "area", y)


def _range(axes: Axes, across: pd.Series, up: pd.Series) -> None:
    """Room around the points, for labels and for two ticks at least; axes that are shared follow."""
    axes.set_xlim(across.min() / 1.75, across.max() * 1.35)
    axes.set_ylim(up.min() / 1.4, up.max() * 1.4)
    number_ticks(axes.xaxis)
    number_ticks(axes.yaxis)


def settle(figure: Figure) -> None:
    """The layout's places stay, and labels can be measured."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _points(axes: Axes, exchanges: pd.DataFrame, x: str, y: str) -> None:
    _plane(axes)
    axes.set_xlim(exchanges[x].min() / 1.12, exchanges[x].max() * 1.3)
    axes.margins(y=0.09)
    _marks(axes, exchanges, x, y)
    number_ticks(axes.xaxis)
    number_ticks(axes.yaxis)


def grid(axes: Axes) -> None:
    """Two axes and light lines below what is drawn."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0, labelcolor=MUTED)
    axes.grid(color=LINE, linewidth=0.5)
    axes.set_axisbelow(True)


def _plane(axes: Axes) -> None:
    grid(axes)
    axes.set_xscale("log")
    axes.set_yscale("log")


def _marks(axes: Axes, points: pd.DataFrame, x: str, y: str) -> None:
    for row in points.itertuples():
        marker = MARKERS.get(row.level, OTHER_MARKER)
        axes.plot(getattr(row, x), getattr(row, y), marker, color=scheme_of(row.set).colour, markersize=6.5, zorder=3)


def _legend(figure: Figure, points: pd.DataFrame) -> None:
    used = {scheme_of(name) for name in points["set"]}
    handles = [
        Line2D([], [], marker="o", linestyle="", color=scheme.colour, label=scheme.title)
        for scheme in SCHEMES
        if scheme in used
    ]
    handles += [
        Line2D([], [], marker=MARKERS.get(level, OTHER_MARKER), linestyle="", color=MUTED, label=f"level {level}")
        for level in sorted(set(points["level"]))
    ]
    figure.legend(handles=handles, loc="outside lower left", ncols=len(handles), frameon=False, fontsize=8.5)


def label_points(axes: Axes, points: Sequence[tuple[float, float, str]]) -> list[Bbox]:
    """Writes a label at each point, where it covers neither a point nor another label; returns where, in pixels. Labels
    are placed one after the other, from the lowest up and from the highest down. The clearer of both is written."""
    scale = axes.figure.dpi / 72
    centres = [(float(x), float(y)) for x, y in (axes.transData.transform(point[:2]) for point in points)]
    sizes = [_size(axes, name) for *_, name in points]
    frame = axes.get_window_extent()
    upward = sorted(range(len(points)), key=lambda i: centres[i][::-1])
    labels = min(
        (_placed(order, centres, sizes, scale, frame) for order in (upward, upward[::-1])),
        key=lambda placed: (sum(label.covered for label in placed), sum(label.unclear for label in placed)),
    )
    for point, label in zip(points, labels, strict=True):
        _write(axes, point, label)
    return [label.box for label in labels]


def _size(axes: Axes, name: str) -> tuple[float, float]:
    text = axes.annotate(name, (0, 0), xycoords="axes fraction", fontsize=FONT_SIZE)
    box = text.get_window_extent()
    text.remove()
    return box.width, box.height


Place = tuple[float, float]  # in pixels


@dataclass(frozen=True)
class Label:
    distance: float  # of its edge from its point, in points
    offset: tuple[float, float]  # of its centre
    box: Bbox  # in pixels
    covered: float = 0.0  # the area of points and labels that it covers, or beyond the frame
    unclear: int = 0  # points that are nearer to it than its own, and points and labels that its line crosses


def _placed(
    order: Sequence[int], centres: Sequence[Place], sizes: Sequence[tuple[float, float]], scale: float, frame: Bbox
) -> list[Label]:
    """Labels of all points, each beside those before it in that order."""
    taken = [_mark(centre, scale) for centre in centres]
    labels: dict[int, Label] = {}
    for index in order:
        labels[index] = _place(centres[index], sizes[index], scale, centres, taken, frame)
        taken.append(labels[index].box)
    return [labels[index] for index in range(len(centres))]


def _place(
    centre: Place, size: tuple[float, float], scale: float, points: Sequence[Place], taken: Sequence[Bbox], frame: Bbox
) -> Label:
    """The first place that is free and cannot be read as another point's. If there is none, the one that covers least,
    and of several free ones the clearest."""
    others = [point for point in points if point != centre]
    obstacles = [box for box in taken if _gap(centre, box) > 0]
    best: Label | None = None
    for label in _candidates(centre, size, scale):
        box = label.box
        outside = box.width * box.height - _common(box, frame)
        covered = outside + sum(_common(box, other) for other in taken if box.overlaps(other))
        own = _gap(centre, box)
        unclear = sum(_gap(point, box) <= own for point in others)
        if label.distance >= LEADER_FROM:
            line = Path([centre, (box.x0 + box.width / 2, box.y0 + box.height / 2)])
            unclear += sum(line.intersects_bbox(other) for other in obstacles)
        covered = round(covered, 1)
        if best is None or (covered, unclear) < (best.covered, best.unclear):
            best = replace(label, covered=covered, unclear=unclear)
        if (covered, unclear) == (0.0, 0):
            break
    assert best is not None
    return best


def _mark(point: Place, scale: float) -> Bbox:
    """The square that a point takes."""
    return Bbox([point, point]).padded(4 * scale)


def _gap(point: Place, box: Bbox) -> float:
    """How far a point is from a box."""
    x, y = point
    return hypot(max(box.x0 - x, x - box.x1, 0.0), max(box.y0 - y, y - box.y1, 0.0))


def _candidates(centre: Place, size: tuple[float, float], scale: float) -> Iterator[Label]:
    """Around the point, near ones first."""
    width, height = size
    for distance in DISTANCES:
        for angle in ANGLES:
            east, north = cos(radians(angle)), sin(radians(angle))
            x = (distance * scale + width / 2) * east if abs(east) > 0.1 else 0.0
            y = (distance * scale + height / 2) * north
            box = Bbox.from_bounds(centre[0] + x - width / 2, centre[1] + y - height / 2, width, height)
            yield Label(distance, (x / scale, y / scale), box)


def _common(one: Bbox, other: Bbox) -> float:
    """The area that two boxes share."""
    box = Bbox.intersection(one, other)
    return 0.0 if box is None else box.width * box.height


def _write(axes: Axes, point: tuple[float, float, str], label: Label) -> None:
    far = label.distance >= LEADER_FROM
    axes.annotate(
        point[2],
        point[:2],
        xytext=label.offset,
        textcoords="offset points",
        ha="center",
        va="center",
        fontsize=FONT_SIZE,
        color=INK,
        zorder=4,
        arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "shrinkB": 3} if far else None,
    )
