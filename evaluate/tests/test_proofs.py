"""The section of the proofs. SPDX-License-Identifier: Apache-2.0"""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import make_raw

from latkem_evaluate.cli import main
from latkem_evaluate.report import Report
from latkem_evaluate.sections.proofs import Proofs


def row(kernel: str, backend: str, status: str, detail: str = "", claim: str = "a claim") -> dict[str, Any]:
    return {"build": "gcc", "backend": backend, "kernel": kernel, "claim": claim, "status": status, "detail": detail}


@pytest.fixture
def proofs() -> dict[str, Any]:
    return {
        "libraries": {"gcc": "0123abcd"},
        "not_built": ["clang"],
        "forms": {"x64": {"a CPU": 10, "nothing": 1}},
        "rows": [
            row("q3329.ntt", "portable", "proved", "|f| <= 7"),
            row("q3329.ntt", "avx2", "proved"),
            row("q3329.ntt", "avx2", "not proved", "output 3 is wrong"),
            row("q3329.mulcache", "portable", "not applicable", "the backend has no such kernel", claim=""),
            row("q3329.mulcache", "avx2", "forms unchecked", "compared with no processor: vfoo"),
            row("Saber.decaps", "portable", "not proved", "no theorem is stated", claim=""),
            row("Saber.decaps", "avx2", "not proved", "no theorem is stated", claim=""),
        ],
    }


def section_of(proofs: dict[str, Any] | None) -> Proofs:
    return Report(make_raw() | {"proofs": proofs}).section(Proofs)


def test_without_a_table_there_is_no_chapter() -> None:
    assert not section_of(None).shown


def test_a_cell_is_the_worst_of_what_is_stated(proofs: dict[str, Any]) -> None:
    table = section_of(proofs).matrix()
    assert table.columns == ["portable", "avx2"]
    rows = {(r.label, r.note): [cell.text for cell in r.cells] for group in table.groups for r in group}
    assert rows == {
        ("q3329", "ntt"): ["proved", "open"],
        ("q3329", "mulcache"): ["none", "forms"],
        ("Saber", "decaps"): ["open", "open"],
    }
    assert table.groups[0][0].cells[1].title == "a claim: proved; a claim: not proved"


def test_reasons_of_backends_stand_together(proofs: dict[str, Any]) -> None:
    (rows,) = section_of(proofs).open_table().groups
    assert [r.label for r in rows] == ["q3329.ntt", "q3329.mulcache", "Saber.decaps"]
    assert rows[2].cells[1].text == "portable (gcc), avx2 (gcc)"
    assert rows[0].cells[2].text == "output 3 is wrong"


def test_the_chapter_says_of_what_it_is(proofs: dict[str, Any]) -> None:
    report = Report(make_raw() | {"proofs": proofs})
    html = report.chapter(Proofs)
    assert "0123abcd" in html
    assert "clang</dt><dd>not built" in html
    assert "2 theorems proved of the machine code of gcc, 3 open, 1 with unchecked forms." in html


def test_whole_operations_have_the_claims_of_their_rows(proofs: dict[str, Any]) -> None:
    claim = "equals FIPS 203 algorithm 16, where three blocks are enough"
    for backend in ("portable", "avx2"):
        proofs["rows"].append(row("ML-KEM-512.keygen", backend, "proved", claim=claim) | {"domain": "names"})
    proofs["rows"].append(row("ML-KEM-512.rejects", "avx2", "random tags", claim="as in one lane") | {"domain": "tags"})
    section = section_of(proofs)
    (rows,) = section.operations_table().groups
    assert [(r.label, *(cell.text for cell in r.cells)) for r in rows] == [
        (claim, "ML-KEM-512.keygen", "portable (gcc), avx2 (gcc)", "proved"),
        ("as in one lane", "ML-KEM-512.rejects", "avx2 (gcc)", "random tags"),
    ]
    assert section.answer.endswith("1 shown on random tags alone.")
    assert claim in Report(make_raw() | {"proofs": proofs}).chapter(Proofs)


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_old_results_may_show_what_is_kept_now(proofs: dict[str, Any], tmp_path: Path) -> None:
    source, table = tmp_path / "results.json", tmp_path / "table.json"
    source.write_text(json.dumps(make_raw()))
    table.write_text(json.dumps(proofs))
    options = ["--from", str(source), "--out", str(tmp_path), "--no-open", "--kept", "--proofs", str(table)]
    assert main(options) == 0
    page = (tmp_path / "index.html").read_text()
    assert "What is proved" in page
    assert "HOPE-MLKEM" in page
    assert 'id="studies"' in page
