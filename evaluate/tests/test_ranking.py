"""The ranking of the sets of a level. SPDX-License-Identifier: Apache-2.0"""

from itertools import combinations
from typing import Any

import pandas as pd
import pytest
from conftest import make_raw, rounds_document, timed
from matplotlib.figure import Figure
from matplotlib.path import Path

from latkem_evaluate.palette import scheme_of
from latkem_evaluate.results import Results
from latkem_evaluate.scatter import label_points
from latkem_evaluate.sections.ranking import Ranking, _times, contradictions, ranked

OPERATIONS = ("keygen", "encaps", "decaps")


def entry(name: str, level: int, size: int = 800) -> dict[str, Any]:
    return {"name": name, "level": level, "ek_bytes": size, "ct_bytes": size + 1}


def ranking(times: dict[tuple[str, str], float], sets: list[dict[str, Any]], spread: float = 1.0) -> Ranking:
    """Every operation of a set takes the same time on a backend, and by the spread longer in the worst block."""
    rows = [
        timed(f"op/wire/{operation}/{name}/{backend}", [ns, ns + spread / 2, ns + spread])
        for (name, backend), ns in times.items()
        for operation in OPERATIONS
    ]
    raw = make_raw(tuple(dict.fromkeys(backend for _, backend in times)))
    raw["library"]["sets"] = sets
    raw["benchmarks"]["operations"] = [rounds_document(rows)]
    return Ranking(Results(raw))


SETS = [entry("ML-KEM-512", 1), entry("LightSaber", 1, 672), entry("NTRU-HPS-2048-509", 1, 699), entry("Saber", 3)]
TIMES = {
    ("ML-KEM-512", "portable"): 150.0,
    ("LightSaber", "portable"): 100.0,
    ("NTRU-HPS-2048-509", "portable"): 400.0,
    ("Saber", "portable"): 50.0,
}


def test_fastest_first_and_its_ratio_is_one() -> None:
    result = ranking(TIMES, SETS)
    places = result.places("portable", 1, "encaps")
    assert [(place.text, place.name) for place in places] == [
        ("1", "LightSaber"),
        ("2", "ML-KEM-512"),
        ("3", "NTRU-HPS-2048-509"),
    ]
    (rows,) = result.table("portable").groups
    texts = [[cell.text for cell in row.cells[:4]] for row in rows]
    assert texts[0] == ["1", "LightSaber", "0.100", "1.00×"]
    assert [row[3] for row in texts] == ["1.00×", "1.50×", "4.0×"]


def test_a_level_with_one_set_is_not_ranked() -> None:
    assert list(ranking(TIMES, SETS).levels) == [1]


def test_a_rank_is_a_range_where_intervals_meet() -> None:
    rows = pd.DataFrame(
        [
            {"set": "a", "ns": 100, "low_ns": 98, "high_ns": 103},
            {"set": "c", "ns": 108, "low_ns": 104, "high_ns": 111},
            {"set": "b", "ns": 104, "low_ns": 102, "high_ns": 106},
            {"set": "d", "ns": 120, "low_ns": 112, "high_ns": 130},
        ]
    )
    assert [(place.name, place.text) for place in ranked(rows)] == [
        ("a", "1–2"),
        ("b", "1–3"),
        ("c", "2–3"),
        ("d", "4"),
    ]


def test_claims_are_pairs_told_apart() -> None:
    claims = ranking(TIMES, SETS).claims()
    assert ("portable", 1, "encaps", "LightSaber", "ML-KEM-512") in claims
    assert len(claims) == 3 * 3
    assert contradictions(claims, claims) == []
    swapped = {("portable", 1, "encaps", "ML-KEM-512", "LightSaber")}
    assert contradictions(claims, swapped) == [("portable", 1, "encaps", "LightSaber", "ML-KEM-512")]


def test_words_say_who_leads_and_by_how_much() -> None:
    result = ranking(TIMES, SETS)
    assert result.summary("portable") == "Of 3 rankings with portable, first is Saber in 3."
    ((level, finding),) = result.findings("portable")
    assert level == 1
    assert "encapsulation: LightSaber, 1.50× ahead of ML-KEM-512" in finding


def test_words_do_not_decide_within_the_noise() -> None:
    result = ranking(TIMES, SETS, spread=60.0)
    assert result.summary("portable") == "Of 3 rankings with portable, first is ML-KEM or Saber (not told apart) in 3."
    assert "LightSaber and ML-KEM-512 are not told apart" in result.findings("portable")[0][1]
    assert [row.cells[0].text for row in result.table("portable").groups[0]] == ["1–2", "1–2", "3"]


def test_what_is_not_told_apart_is_no_claim() -> None:
    claims = ranking(TIMES, SETS, spread=60.0).claims()
    assert {(fast, slow) for *_, fast, slow in claims} == {
        ("LightSaber", "NTRU-HPS-2048-509"),
        ("ML-KEM-512", "NTRU-HPS-2048-509"),
    }


def test_a_lead_has_the_error_of_both_rows() -> None:
    wide, narrow = pd.Series({"ns": 150.0, "width": 0.2}), pd.Series({"ns": 100.0, "width": 0.0})
    assert _times(wide, narrow) == "1.5×"
    assert _times(narrow, wide) == "0.7×"


def test_a_backend_may_lack_sets() -> None:
    times = TIMES | {("ML-KEM-512", "swift"): 10.0, ("LightSaber", "swift"): 30.0, ("Saber", "lone"): 1.0}
    result = ranking(times, SETS)
    assert result.backends == ["portable", "swift"]
    assert [place.name for place in result.places("swift", 1, "keygen")] == ["ML-KEM-512", "LightSaber"]
    assert "Not measured: NTRU-HPS-2048-509." in result.findings("swift")[0][1]
    assert set(result.exchanges("swift")["set"]) == {"ML-KEM-512", "LightSaber"}


def test_exchanges_add_up_both_sides() -> None:
    row = ranking(TIMES, SETS).exchanges("portable").set_index("set").loc["ML-KEM-512"]
    assert (row["fresh_bytes"], row["kept_bytes"]) == (1601, 801)
    assert row["fresh_us"] == pytest.approx(0.45, rel=0.01)
    assert row["kept_us"] == pytest.approx(0.3, rel=0.01)


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        *(("ML-KEM-768", "ML-KEM"), ("Kyber768", "Kyber"), ("Kyber768-90s", "Kyber-90s")),
        *(("FireSaber", "Saber"), ("NTRU-HRSS-701", "NTRU"), ("X25519", "Other")),
    ],
)
def test_schemes_are_told_by_name(name: str, scheme: str) -> None:
    assert scheme_of(name).title == scheme


def test_labels_keep_apart() -> None:
    axes = Figure(figsize=(6, 5)).subplots()
    axes.set(xlim=(0, 10), ylim=(0, 10))
    points = [(5.0, 5.0 + 0.1 * i, f"NTRU-HPS-2048-{i}") for i in range(8)] + [(1.0, 1.0, "a"), (9.9, 9.9, "corner")]
    boxes = label_points(axes, points)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    frame = axes.get_window_extent()
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1 for box in boxes)


def test_a_label_is_nearest_to_its_own_point() -> None:
    """Beside the two points there is no room, and above the lower one a label is free, but nearer to the upper one."""
    axes = Figure(figsize=(1.6, 3), dpi=72).subplots()
    axes.set(xlim=(0, 1), ylim=(0, axes.get_window_extent().height))
    points = [(0.5, 80.0, "NTRU-HPS-2048-509"), (0.5, 103.0, "NTRU-HPS-2048-677")]
    lower, upper = label_points(axes, points)
    (_, low), (_, high) = (axes.transData.transform(point[:2]) for point in points)
    assert lower.y1 < low < high < upper.y0


def test_a_line_crosses_no_other_label() -> None:
    """Three points close to each other at the upper right edge. The label of the last one is away from it."""
    figure = Figure(figsize=(3.1, 2.5), dpi=72)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 223), ylim=(0, 180))
    points = [(132.0, 141.0, "HPS-2048-509"), (183.0, 158.0, "HRSS-701"), (175.0, 163.0, "HPS-2048-677")]
    boxes = label_points(axes, points)
    for point, own in zip(points, boxes, strict=True):
        x, y = axes.transData.transform(point[:2])
        line = Path([(x, y), ((own.x0 + own.x1) / 2, (own.y0 + own.y1) / 2)])
        assert not any(line.intersects_bbox(other) for other in boxes if other is not own)
