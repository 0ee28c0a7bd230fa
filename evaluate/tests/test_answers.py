"""The arithmetic of the first screen and of the chapters that it leads to: races, bars, noise, stacks, profiles.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from conftest import make_raw, peer, profile, ratio, rounds_document, timed

from latkem_evaluate.answers import Answers
from latkem_evaluate.report import Report
from latkem_evaluate.results import CORE
from latkem_evaluate.sections.peers import Peers
from latkem_evaluate.sections.profile import Profile
from latkem_evaluate.sections.stack import Stack
from latkem_evaluate.sections.trust import Trust


def answers(raw: dict[str, Any]) -> Answers:
    return Report(raw).answers


def with_times(**ns_by_set: float) -> dict[str, Any]:
    """Each operation of a set, on "swift" a quarter of what "portable" takes; names without hyphens."""
    raw = make_raw()
    names = {name: name.replace("_", "-") for name in ns_by_set}
    raw["benchmarks"]["operations"] = [
        rounds_document(
            [
                timed(f"op/wire/{operation}/{names[key]}/{backend}", [ns / by] * 3)
                for key, ns in ns_by_set.items()
                for operation in CORE
                for backend, by in (("portable", 1), ("swift", 4))
            ]
        )
    ]
    return raw


def test_the_fastest_set_is_first_and_the_slowest_bar_is_full() -> None:
    lines = answers(with_times(ML_KEM_512=8000.0, ML_KEM_768=4000.0)).levels[1]
    assert [line.name for line in lines] == ["ML-KEM-768", "ML-KEM-512"]
    assert [line.widths for line in lines] == [[pytest.approx(16.67)] * 3, [pytest.approx(33.33)] * 3]
    assert lines[0].speedup.text == "4.0×"
    assert lines[0].sent == "1\u202f568"


def race(rival: str, middle: float, operation: str = "encaps", **more: Any) -> dict[str, Any]:
    """latkem's time by the rival's, with quartiles a twentieth to either side."""
    quartiles = {"ratio_rounds": middle, "ratio_q1": 0.95 * middle, "ratio_q3": 1.05 * middle}
    return ratio(rival) | quartiles | {"operation": operation} | more


def with_races(*races: dict[str, Any]) -> dict[str, Any]:
    return make_raw() | {
        "peers": {"context": {}, "rows": make_raw()["peers"]["rows"], "ratios": list(races), "bars": []}
    }


def test_the_fastest_rival_races_latkem_s_fastest_backend() -> None:
    raw = with_races(
        *(race("slow", 0.2), race("fast", 0.8), race("fast", 0.5, backend="swift")),
        *(race("slow", 0.1, backend="swift"), race("fast", 0.05, tier="batch")),
    )
    ((key, lead),) = Report(raw).section(Peers).leads().items()
    assert (key, lead.rival, lead.middle) == (("ML-KEM-512", "encaps"), "fast", 2.0)
    assert (lead.low, lead.high) == pytest.approx((2 / 1.05, 2 / 0.95))


def test_the_closest_of_three_races_is_shown() -> None:
    raw = with_races(race("a", 0.5, "keygen"), race("b", 0.8), race("c", 0.25, "decaps"))
    line = next(line for line in answers(raw).levels[1] if line.name == "ML-KEM-512")
    assert (line.rival.text, line.rival.small) == ("1.2×", "b")


def test_a_race_within_its_quartiles_is_not_won() -> None:
    report = Report(with_races(race("a", 0.5, "keygen"), race("b", 0.98), race("c", 1.5, "decaps")))
    assert dict(report.answers.tiles)["peers"].text == "1 of 3"
    assert "faster in 1, not told apart in 1, slower in 1" in report.section(Peers).answer


def test_multiples_are_of_latkem_s_fastest_backend() -> None:
    raw = make_raw()
    raw["peers"]["rows"].insert(0, peer("latkem", "swift", 500.0))
    peers = Report(raw).section(Peers)
    rows = {row.label: [cell.text for cell in row.cells] for row in peers.table(peers.schemes[0], "wire").groups[0]}
    assert rows["rival (C)"] == ["1.50", "3.00×"]
    assert rows["latkem (portable)"] == ["1.00", "2.00×"]


def test_noise_is_half_the_width_of_the_median_row() -> None:
    raw = with_times(ML_KEM_512=8000.0, ML_KEM_768=4000.0)
    raw["benchmarks"]["kernels"] = [rounds_document([])]
    trust = Report(raw).section(Trust)
    assert trust.error == pytest.approx(0.01)  # 1 % to either side, for the place in memory
    assert trust.noisy.empty


def test_disturbed_blocks_and_stolen_time_are_parts_of_all() -> None:
    raw = with_times(ML_KEM_512=8000.0, ML_KEM_768=4000.0)
    raw["benchmarks"]["kernels"] = [rounds_document([timed("kernel/q3329/ntt/portable", [1.0] * 3)])]
    trust = Report(raw).section(Trust)
    assert trust.blocks == 3 * 12 + 3 * 1
    assert trust.retaken == pytest.approx(4 / 39)
    assert trust.stolen == pytest.approx(0.2 / 20)


def test_a_stack_of_a_limit_fits_it_and_one_byte_more_does_not() -> None:
    raw = make_raw()
    sizes = (64 * 1024, 64 * 1024 + 1, 1000, 2000)
    for row, size in zip(raw["stack"]["stack"], sizes, strict=True):
        row["bytes"] = size
    stack = Report(raw).section(Stack)
    assert stack.answer.startswith("Operations: 3 of 4 fit 64 KiB, 4 of 4 fit 128 KiB; the deepest takes 64.0 KiB")
    assert "ML-KEM-768, wire keygen, portable" in stack.answer
    assert dict(Report(raw).answers.tiles)["stack"].text == "3 of 4"


def test_kernels_of_one_group_are_added() -> None:
    rows = [profile(name, "encaps", "swift") for name in ("ML-KEM-512", "ML-KEM-768")]
    half = {"family": "q3329", "calls": 1.0, "ns": 350.0, "share": 0.35}
    rows[0]["kernels"] = [
        half | {"name": "mulcache"},
        half | {"name": "inner_product_k2"},
        half | {"name": "ntt", "share": 0.2},
    ]
    section = Report(make_raw() | {"profile": {"profiles": rows}}).section(Profile)
    assert section.answer == (
        "Encapsulation with swift: ML-KEM-512 spends 70\u202f% in Products, ML-KEM-768 spends 60\u202f% in Keccak."
    )
