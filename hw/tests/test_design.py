"""A design's hash: names, files and the order of the text leave it, each change of the logic does not.

SPDX-License-Identifier: Apache-2.0
"""

import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "syn")]

import cores
import design
import synthesis

Altered = Callable[[str, str, str], str]


@pytest.fixture
def altered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Altered:
    """The hash of the first core with the text of a source replaced."""
    first = cores.cores()[0]
    shutil.copytree(cores.RTL, tmp_path / "rtl")
    copy = dataclasses.replace(first, files=str(tmp_path / "rtl" / first.file_list.name))
    monkeypatch.setattr(synthesis, "block", lambda name: copy)
    monkeypatch.setattr(synthesis, "BUILD", tmp_path)
    monkeypatch.setattr(design, "record", dict)

    def digest(name: str, before: str, after: str) -> str:
        path = tmp_path / "rtl" / cores.source(name).relative_to(cores.RTL)
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))
        return design.digest.__wrapped__(first.name)

    return digest


@pytest.fixture(scope="module")
def kept() -> str:
    first = cores.cores()[0]
    return design.elaborated(first.name, first.parameters())


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("stream/skid", "head_valid_", "first_valid_"),
        ("stream/skid", "logic push, move;", "logic move;  // a comment\n  logic push;"),
        ("stream/ram", "mem", "words"),
    ],
)
def test_names_and_text_leave_it(altered: Altered, kept: str, source: str, before: str, after: str) -> None:
    assert altered(source, before, after) == kept


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("stream/skid", "assign push = valid_i && ready_q;", "assign push = valid_i || ready_q;"),
        ("stream/front", "localparam logic [CountWidth-1:0] Two = 2;", "localparam logic [CountWidth-1:0] Two = 3;"),
        ("stream/lutram", 'ram_style = "distributed"', 'ram_style = "block"'),
        ("keccak/keccak", "(* keep *)", ""),
        ("mlkem/mlkem_pkg", "MlkemRoot = 17", "MlkemRoot = 9"),
        ("keccak/keccak_round", "7'h5e", "7'h5f"),
    ],
)
def test_logic_does_not(altered: Altered, kept: str, source: str, before: str, after: str) -> None:
    assert altered(source, before, after) != kept


def test_the_record_is_of_these_sources() -> None:
    kept = json.loads(design.RECORD.read_text())
    stale = {name for name, row in kept.items() if row["sources"] != synthesis.digest(name)}
    lacking = {name for name, values in design.designs() if cores.text_of(values) not in kept[name]["designs"]}
    assert not stale | lacking, "hw/syn/design.py renews it"


def test_a_record_of_other_sources_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    first = cores.cores()[0]
    rows = json.loads(design.RECORD.read_text())
    monkeypatch.setattr(design, "record", lambda: rows)
    assert design.recorded(first.name, first.parameters())
    rows[first.name]["sources"] = "others"
    assert design.recorded(first.name, first.parameters()) is None


@pytest.mark.skipif("LATKEM_HW_LONG" not in os.environ, reason="elaborates every design: LATKEM_HW_LONG")
def test_the_record_is_right() -> None:
    assert json.loads(design.RECORD.read_text()) == design.fresh_record()
