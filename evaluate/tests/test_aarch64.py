"""The AArch64 section, from synthetic counts. SPDX-License-Identifier: Apache-2.0"""

from typing import Any

import pytest
from conftest import cost, make_cost_model, make_raw

from latkem_evaluate.aarch64 import DEVICES, PUBLISHED, CostModel
from latkem_evaluate.report import Report
from latkem_evaluate.views import Table


@pytest.fixture
def raw() -> dict[str, Any]:
    return make_cost_model()


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for group in table.groups for row in group]


def test_scales_are_those_of_the_code(raw: dict[str, Any]) -> None:
    model = CostModel(raw, ["ML-KEM-512"])
    a72, a55, _ = DEVICES
    assert model.cycles("op/keygen/ML-KEM-512/portable", a72) == pytest.approx(1.21 * 2000)
    assert model.cycles("op/keygen/ML-KEM-512/neon", a72) == pytest.approx(1.35 * 1000)
    assert model.speedup("op/keygen/ML-KEM-512", "neon", a72) == pytest.approx(2 * 1.21 / 1.35)
    assert texts(model.device_table(a55))[1] == ["2.00", "2.00×"] * 3


def test_code_that_all_backends_share_is_scaled_as_c(raw: dict[str, Any]) -> None:
    for row in raw["costs"]:
        row["functions"] = {"common": 0.75 * row["instructions"], row["name"]: 0.25 * row["instructions"]}
    model = CostModel(raw, ["ML-KEM-512"])
    assert model.cycles("op/keygen/ML-KEM-512/neon", DEVICES[0]) == pytest.approx((0.75 * 1.21 + 0.25 * 1.35) * 1000)
    assert model.cycles("op/keygen/ML-KEM-512/portable", DEVICES[0]) == pytest.approx(1.21 * 2000)


def test_modules_add_up_their_kernels(raw: dict[str, Any]) -> None:
    groups = CostModel(raw, ["ML-KEM-512"]).module_table().groups
    rows = {(row.label, row.note): row.cells for group in groups for row in group}
    assert rows["NTT", "portable"][0].text == "4000"
    assert rows["Base multiplication, k = 3", "portable"][0].text == "16000"  # three caches and the sum
    assert rows["Barrett reduction", "neon"][0].text == "–"  # not counted
    assert "11.9" in rows["NTT", "neon"][-1].text
    assert [cell.small for cell in rows["NTT", "neon"][:4]] == ["2.00×"] * 4


def test_without_kernels_there_is_no_table_of_modules(raw: dict[str, Any]) -> None:
    title = "Modules of ML-KEM"
    assert title in Report(make_raw() | {"aarch64": raw}).html()
    raw["costs"] = [row for row in raw["costs"] if row["name"].startswith("op/")]
    assert title not in Report(make_raw() | {"aarch64": raw}).html()


def test_published_figures_stand_beside_the_sets_they_are_of(raw: dict[str, Any]) -> None:
    assert CostModel(raw, ["ML-KEM-512"]).published_table().groups == []
    raw["costs"] += [
        cost(f"op/{op}/Saber/{b}", b) for op in ("keygen", "encaps", "decaps") for b in ("portable", "neon")
    ]
    table = CostModel(raw, ["ML-KEM-512", "Saber"]).published_table()
    assert [row.note for row in table.groups[0]] == [paper.set for paper in PUBLISHED if paper.set == "Saber"]
    assert texts(table)[0] == ["Cortex-A72", "Cortex-A72", "2.16", "1.96", "2.01", "1.79", "1.79", "1.79"]


def test_all_that_is_modelled_says_so(raw: dict[str, Any]) -> None:
    section = (
        Report(make_raw() | {"aarch64": raw}).html().partition('<section id="aarch64"')[2].partition("</section>")[0]
    )
    assert section.count("(model)") >= 1 + len(DEVICES)


def test_without_models_there_is_no_section(raw: dict[str, Any]) -> None:
    counts = raw | {"costs": [row | {"cycles": {}} for row in raw["costs"]]}
    for content in (None, counts):
        assert 'id="aarch64"' not in Report(make_raw() | {"aarch64": content}).html()
