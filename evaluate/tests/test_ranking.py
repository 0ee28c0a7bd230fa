"""The ranking of the sets of a level. SPDX-License-Identifier: Apache-2.0"""

from itertools import combinations
from typing import Any

import pandas as pd
import pytest
from conftest import iteration
from matplotlib.figure import Figure

from latkem_evaluate import tables
from latkem_evaluate.groups import scheme_of
from latkem_evaluate.ranking import Ranking, ranked
from latkem_evaluate.scatter import label_points

OPERATIONS = ("keygen", "encaps", "decaps")


def entry(name: str, level: int, size: int = 800) -> dict[str, Any]:
    return {"name": name, "level": level, "ek_bytes": size, "ct_bytes": size + 1}


def ranking(times: dict[tuple[str, str], float], sets: list[dict[str, Any]], spread: float = 1.0) -> Ranking:
    """Every operation of a set takes the same time on a backend, with quartiles half the spread away."""
    rows = [
        iteration(f"op/wire/{operation}/{name}/{backend}", ns + step * spread)
        for (name, backend), ns in times.items()
        for operation in OPERATIONS
        for step in (-1, 0, 1)
    ]
    statistics = tables.statistics(tables.samples([{"benchmarks": rows}], "op"), "op")
    return Ranking(statistics, sets)


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
    assert [(place.rank, place.name) for place in places] == [
        (1, "LightSaber"),
        (2, "ML-KEM-512"),
        (3, "NTRU-HPS-2048-509"),
    ]
    (rows,) = result.table("portable").groups
    texts = [[cell.text for cell in row.cells[:4]] for row in rows]
    assert texts[0] == ["1", "LightSaber", "0.100", "1.00×"]
    assert [row[3] for row in texts] == ["1.00×", "1.50×", "4.00×"]


def test_a_level_with_one_set_is_not_ranked() -> None:
    assert list(ranking(TIMES, SETS).levels) == [1]


def test_overlapping_quartiles_share_a_rank() -> None:
    rows = pd.DataFrame(
        [
            {"set": "a", "median_ns": 100, "q1_ns": 98, "q3_ns": 103},
            {"set": "c", "median_ns": 108, "q1_ns": 104, "q3_ns": 111},
            {"set": "b", "median_ns": 104, "q1_ns": 102, "q3_ns": 106},
            {"set": "d", "median_ns": 120, "q1_ns": 112, "q3_ns": 130},
        ]
    )
    assert [(place.name, place.rank) for place in ranked(rows)] == [("a", 1), ("b", 1), ("c", 3), ("d", 4)]


def test_words_say_who_leads_and_by_how_much() -> None:
    result = ranking(TIMES, SETS)
    assert result.summary("portable") == "Of 3 rankings, first is Saber in 3."
    ((level, finding),) = result.findings("portable")
    assert level == 1
    assert "encapsulation: LightSaber, 1.50× ahead of ML-KEM-512" in finding


def test_words_do_not_decide_within_the_noise() -> None:
    result = ranking(TIMES, SETS, spread=60.0)
    assert (
        result.summary("portable") == "Of 3 rankings, first is ML-KEM or Saber (within the noise of each other) in 3."
    )
    assert (
        "LightSaber and ML-KEM-512 (within the noise of each other), 4.00× ahead" in result.findings("portable")[0][1]
    )
    assert [row.cells[0].text for row in result.table("portable").groups[0]] == ["1=", "1=", "3"]


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
    assert row["fresh_us"] == pytest.approx(0.45)
    assert row["kept_us"] == pytest.approx(0.3)


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
