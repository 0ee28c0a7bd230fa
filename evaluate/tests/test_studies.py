"""The studies' figures beside latkem's: none is left out or altered, and each is in the study's unit.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import make_raw

from latkem_evaluate.counts import kept_studies
from latkem_evaluate.facts import published
from latkem_evaluate.report import Report
from latkem_evaluate.sections.studies import COUNTERPARTS, ERRORS, Model, OnCore, Studies
from latkem_evaluate.table import Row, Table

ROOT = Path(__file__).resolve().parents[2]
CORE = ("keygen", "encaps", "decaps")
TIMES = ("reference", "optimised", "speedup")


def report(kept: dict[str, Any]) -> Report:
    return Report(make_raw() | {"studies": kept})


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    return kept_studies(ROOT)


@pytest.fixture(scope="module")
def chapter(kept: dict[str, Any]) -> str:
    return report(kept).chapter(Studies)


def numbers(value: Any) -> Iterator[float]:
    """All in a part of the file."""
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers(part)


def shown(html: str) -> Counter[float]:
    """The figures that the page marks as published."""
    cells = re.findall(r'<td class="[^"]*\bpublished\b[^"]*"[^>]*>([^<]*)', html)
    return Counter(float(re.sub(r"[^0-9.]", "", cell)) for cell in cells)


def test_every_figure_of_a_study_is_shown_and_no_other(chapter: str) -> None:
    file = published()
    rows = [row[key] for study in file["operations"] for row in study["rows"] for key in TIMES]
    rows += [study["rows"] for study in file["modules"]]
    rows += [{operation: row[operation] for operation in CORE} for row in file["speedups_over_reference_c"]]
    assert shown(chapter) == Counter(numbers(rows))
    assert sum(shown(chapter).values()) == (18 + 3 + 12) * 9 + 9 * 3 + 9 * 3


def test_each_study_says_who_made_it_and_on_what(chapter: str) -> None:
    text = re.sub(r"<[^>]*>", " ", chapter).replace("&#39;", "'")
    for study in published()["operations"]:
        source = published()["sources"][study["source"]]
        for stated in (source["authors"], source["title"], *map(str, _values(study["cpus"]))):
            assert stated in text


def _values(cpus: dict[str, dict]) -> Iterator[Any]:
    return (value for cpu in cpus.values() for value in cpu.values())


def test_every_figure_has_a_counterpart_of_latkem_s(kept: dict[str, Any]) -> None:
    section = report(kept).section(Studies)
    tables = [core.table() for study in section.studies for core in section.cores(study)]
    tables += [section.module_table(of, section.core_of(of, study)) for study, of in _with_modules(section)]
    cells = [cell.text for table in [*tables, section.speedup_table()] for row in rows_of(table) for cell in row.cells]
    assert "–" not in cells


def _with_modules(section: Studies) -> list[tuple[dict, dict]]:
    return [(study, of) for study in section.studies if (of := section.modules(study))]


def rows_of(table: Table) -> list[Row]:
    return [row for group in table.groups for row in group]


def test_each_core_has_one_backend(kept: dict[str, Any]) -> None:
    backends = Model(kept).backends
    assert backends == {
        "Cortex-A53": "neon",
        "Cortex-A72": "neon",
        "Cortex-A75": "neon",
        "Apple M1": "neon-sha3",
        "Apple A12": "neon",
    }
    for cpu, backend in backends.items():
        names = {name.rsplit("/", 1)[1] for name in kept["cycles"] if name.startswith(f"{cpu}/")}
        assert names == {"portable", backend}
    assert set(ERRORS) == set(backends)


def synthetic(portable: int, own: int) -> dict[str, Any]:
    """Every operation and every kernel takes as long."""
    file = published()
    places = {(row["cpu"], row["set"]) for study in file["operations"] for row in study["rows"]}
    stems = [f"{cpu}/op/{operation}/{name}" for cpu, name in sorted(places) for operation in CORE]
    kernels = {kernel for counterpart in COUNTERPARTS.values() for kernel in counterpart.kernels}
    stems += [
        f"{cpu}/kernel/q3329/{kernel}" for cpu in sorted({cpu for cpu, _ in places}) for kernel in sorted(kernels)
    ]
    cycles = {f"{stem}/{name}": count for stem in stems for name, count in (("portable", portable), ("fast", own))}
    return {"compiler": "cc 0", "table": "studies.txt", "cycles": cycles}


@pytest.mark.parametrize(
    ("cpu", "first"),
    [
        ("Cortex-A53", ["144", "107", "1.35×", "10.0", "5.00", "2.00×", "0.05"]),  # µs at 1008 MHz
        ("Cortex-A72", ["214", "184", "1.16×", "6.72", "3.36", "2.00×", "0.02"]),  # at 1500 MHz
        ("Apple M1", ["12.1", "9.54", "1.27×", "3.15", "1.57", "2.00×", "0.17"]),  # at 3200 MHz
    ],
)
def test_microseconds_are_cycles_at_the_clock_of_the_study(cpu: str, first: list[str]) -> None:
    section = report(synthetic(10080, 5040)).section(Studies)
    core = next(core for core in section.cores(section.studies[0]) if core.cpu == cpu)
    row = rows_of(core.table())[0]
    assert (row.label, row.note) == ("Kyber512", "Key generation")
    assert [cell.text for cell in row.cells] == first
    assert next(core.ratios()) == pytest.approx(float(first[4]) / float(first[1]), rel=0.01)


def test_cycles_and_thousands_of_cycles(kept: dict[str, Any]) -> None:
    section = report(synthetic(300000, 100000)).section(Studies)
    zhao, sanal = (section.cores(study)[0] for study in section.studies[1:])
    assert [cell.text for cell in rows_of(zhao.table())[1].cells][2:] == ["1.85×", "300000", "100000", "3.00×", "0.29"]
    assert [cell.text for cell in rows_of(sanal.table())[2].cells][2:] == ["2.44×", "300", "100", "3.00×", "0.98"]
    assert [title for title, _ in sanal.table().heads] == ["published, kcycles", "latkem, modelled, kcycles"]


def test_modules_add_up_kernels() -> None:
    section = report(synthetic(1000, 100)).section(Studies)
    (_, zhao), (study, sanal) = _with_modules(section)
    on_a53, rows = (
        rows_of(section.module_table(zhao, "Cortex-A53")),
        rows_of(section.module_table(sanal, "Cortex-A75")),
    )
    assert [cell.text for cell in on_a53[0].cells] == ["2675", "314", "8.52×", "1000", "100", "10.0×", "0.32"]
    by_name = {row.label: [cell.text for cell in row.cells][3:] for row in rows}
    assert by_name["poly_ntt"] == ["2000", "200", "10.0×"]  # with its reduction; no ratio, because of the unknown core
    assert by_name["poly_basemul_montgomery"] == ["1500", "150", "10.0×"]
    assert section.core_of(sanal, study) == "Cortex-A75"


def test_speedups_of_others_are_beside_those_of_the_core() -> None:
    section = report(synthetic(1000, 400)).section(Studies)
    row = rows_of(section.speedup_table())[0]
    texts = ["Cortex-A72", "fast", "2.37×", "2.33×", "2.88×", "2.50×", "2.50×", "2.50×"]
    assert [cell.text for cell in row.cells] == texts
    assert row.note == "Kyber768"


def test_the_answer_is_the_median_of_all_operations() -> None:
    section = report(synthetic(10**9, 1008 * 10**5)).section(Studies)
    ratios = [ratio for study in section.studies for core in section.cores(study) for ratio in core.ratios()]
    assert len(ratios) == 99
    middle = sorted(ratios)[49]
    assert f"{middle:.2f} in the median of 99 operations" in section.answer
    assert section.answer.startswith(f"In a model, latkem takes {min(ratios):.2f} to {max(ratios):.2f} of")


def test_a_core_without_a_model_is_not_made_up() -> None:
    section = report({"compiler": "cc 0", "table": "studies.txt", "cycles": {}}).section(Studies)
    core = section.cores(section.studies[0])[0]
    assert [cell.text for cell in rows_of(core.table())[0].cells] == ["144", "107", "1.35×", *["–"] * 4]
    assert core.facts["latkem's backend there"] == "not modelled"
    assert section.answer == "Published figures; none of latkem's is modelled."
    assert section.charts()
    assert report({"compiler": "cc 0", "table": "t", "cycles": {}}).chapter(Studies)


def test_charts_hold_four_bars_of_each_operation() -> None:
    section = report(synthetic(10080, 5040)).section(Studies)
    core: OnCore = section.cores(section.studies[0])[0]
    svg = core.chart().inline_svg()
    assert "Ortiz et al.: Cortex-A53" in svg
    assert svg.count(">10.0<") == svg.count(">5.00<") == 18
    assert "latkem fast, model" in svg


def test_without_kept_cycles_there_is_no_chapter() -> None:
    assert "studies" not in {section.key for section in Report(make_raw()).sections}
