"""The AArch64 section, from synthetic counts. SPDX-License-Identifier: Apache-2.0"""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import cost, make_cost_model, make_raw

from latkem_evaluate.counts import aarch64_results, kept_counts
from latkem_evaluate.report import Report
from latkem_evaluate.sections.aarch64 import DEVICES, Aarch64, CostModel
from latkem_evaluate.table import Table

ROOT = Path(__file__).resolve().parents[2]


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
        row["native"] *= 0.25
    model = CostModel(raw, ["ML-KEM-512"])
    assert model.cycles("op/keygen/ML-KEM-512/neon", DEVICES[0]) == pytest.approx((0.75 * 1.21 + 0.25 * 1.35) * 1000)
    assert model.cycles("op/keygen/ML-KEM-512/portable", DEVICES[0]) == pytest.approx(1.21 * 2000)


def test_a_device_shows_only_the_backends_that_it_runs(raw: dict[str, Any]) -> None:
    sha3 = ["neon-sha3", "neon-sha3-full", "neon-sha3-half", "neon-sha3-quarter"]
    names = [name.removesuffix("/neon") for name in (row["name"] for row in raw["costs"]) if name.endswith("/neon")]
    raw["costs"] += [cost(f"{name}/{backend}", backend) for name in names for backend in sha3]
    model = CostModel(raw, ["ML-KEM-512"])
    shown = {device.key: {row.note for row in model.device_table(device).groups[0]} for device in DEVICES}
    without = {"portable", "neon"}
    assert shown == {"cortex-a72": without, "cortex-a55": without, "apple-m1": {*without, *sha3}}
    ntt = {row.note: [cell.text for cell in row.cells] for group in model.module_table().groups for row in group}
    assert [[ntt[backend][i] for i in (1, 2)] for backend in sha3] == [["–", "–"]] * len(sha3)


def test_modules_add_up_their_kernels(raw: dict[str, Any]) -> None:
    groups = CostModel(raw, ["ML-KEM-512"]).module_table().groups
    rows = {(row.label, row.note): row.cells for group in groups for row in group}
    assert rows["NTT", "portable"][0].text == "4000"
    assert rows["Base multiplication, k = 3", "portable"][0].text == "16000"  # three caches and the sum
    assert rows["Barrett reduction", "neon"][0].text == "–"  # not counted
    assert [cell.small for cell in rows["NTT", "neon"][:4]] == ["2.00×"] * 4


def test_without_kernels_there_is_no_table_of_modules(raw: dict[str, Any]) -> None:
    title = "Modules of ML-KEM"
    assert title in section(raw)
    raw["costs"] = [row for row in raw["costs"] if row["name"].startswith("op/")]
    assert title not in section(raw)


def section(raw: dict[str, Any] | None) -> str:
    return Report(make_raw() | {"aarch64": raw}).chapter(Aarch64)


def test_all_that_is_modelled_says_so(raw: dict[str, Any]) -> None:
    assert section(raw).count("(model)") >= len(DEVICES)


def test_each_core_has_the_backend_that_is_chosen_there(raw: dict[str, Any]) -> None:
    assert "By core" not in section(raw)
    raw["context"] |= {
        "llvm": 22,
        "cores": [core("neoverse-n2", "neon-half"), core("cortex-a53", "neon"), core("x", "y")],
    }
    cycles = {"neon": {"cortex-a53": 117700.0, "neoverse-n2": 99900.0}, "neon-half": {"neoverse-n2": 17800.0}}
    for backend, of in cycles.items():
        raw["costs"] += [cost(f"op/{op}/ML-KEM-768/{backend}", backend) | {"cycles": of} for op in ("keygen", "encaps")]
    table = CostModel(raw, ["ML-KEM-768"]).core_table()
    assert [row.label for group in table.groups for row in group] == ["Title of neoverse-n2", "Title of cortex-a53"]
    first, second = texts(table)
    assert first == [
        "neon-half",
        "mlkem-native",
        "17.8",
        "35.6",
        "0.50",
        "17.8",
        "39.6",
        "0.45",
        "–",
        "50.0",
        "–",
        "none",
    ]
    assert second[2:5] == ["118", "235.4", "0.50"]


def core(cpu: str, backend: str) -> dict[str, str]:
    return {"cpu": cpu, "title": f"Title of {cpu}", "backend": backend, "error": "none"}


def test_the_kept_counts_stand_in_for_a_model(tmp_path: Path) -> None:
    table = tmp_path / "bench/aarch64/instructions.txt"
    table.parent.mkdir(parents=True)
    lines = [f"op/{op}/Kyber768/{b} {n}" for op in ("keygen", "encaps", "decaps") for b, n in COUNTS.items()]
    table.write_text("\n".join(["compiler cc 0", *lines]) + "\n")
    raw = make_raw() | {"aarch64": kept_counts(tmp_path)}
    raw["library"]["sets"].append(raw["library"]["sets"][0] | {"name": "Kyber768"})
    text = Report(raw).chapter(Aarch64)
    assert "bench/aarch64/instructions.txt" in text
    assert "2.5 to 2 times fewer" in text
    assert "(model)" not in text


COUNTS = {"portable": 500000, "neon": 200000}


def test_a_measured_file_comes_first_but_not_in_an_older_form(tmp_path: Path, raw: dict[str, Any]) -> None:
    measured = tmp_path / "cost.json"
    measured.write_text(json.dumps(raw))
    assert aarch64_results(ROOT, measured) == raw
    for row in raw["costs"]:
        del row["native"]
    measured.write_text(json.dumps(raw))
    assert "table" in aarch64_results(ROOT, measured)["context"]
    assert "table" in aarch64_results(ROOT, tmp_path / "none.json")["context"]


def test_the_answer_takes_each_operation_s_best_backend_and_their_median() -> None:
    counts = {"keygen": (800, 400, 200), "encaps": (900, 300, 450), "decaps": (900, 900, 100)}
    costs = [
        cost(f"op/{operation}/ML-KEM-512/{backend}", backend) | {"instructions": float(count)}
        for operation, row in counts.items()
        for backend, count in zip(("portable", "neon", "neon-sha3"), row, strict=True)
    ]
    section = Report(make_raw() | {"aarch64": {"context": {"compiler": "cc 0"}, "costs": costs}}).section(Aarch64)
    assert (
        section.answer == "Vector code executes 3.0 to 9 times fewer instructions than portable C, 4.0 in the median."
    )


def test_the_repository_s_counts_have_all_sets() -> None:
    kept = kept_counts(ROOT)
    assert kept["context"]["compiler"].startswith("gcc")
    assert {cost["name"].split("/")[1] for cost in kept["costs"]} == {"keygen", "encaps", "decaps"}


def test_without_counts_there_is_no_section() -> None:
    assert "aarch64" not in {section.key for section in Report(make_raw()).sections}
