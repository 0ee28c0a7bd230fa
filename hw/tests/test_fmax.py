"""Clocks, and cores that nextpnr finds no placement for.

SPDX-License-Identifier: Apache-2.0
"""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TextIO

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import fmax
import synthesis

PACKED = """Info: Device utilisation:
Info: 	          TRELLIS_IO:     138/    365    37%
Info: 	                DCCA:       1/     56     1%
Info: 	              PCSCLK:       0/      2     0%
Info: 	        TRELLIS_COMB:   83641/  83640   100%
"""
ONE = synthesis.configurations()[0]


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> fmax.Job:
    monkeypatch.setattr(fmax, "BUILD", tmp_path)
    monkeypatch.setattr(fmax, "tools", lambda device: {})
    made = fmax.Job(ONE, "ecp5", 1)
    made.report().parent.mkdir()
    return made


def nextpnr_that_says(text: str, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Fails with this text; the calls."""
    calls: list[list[str]] = []

    def run(command: list[str], stdout: TextIO, **_: object) -> SimpleNamespace:
        calls.append(command)
        stdout.write(text)
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(subprocess, "run", run)
    return calls


@pytest.mark.parametrize(
    "error",
    [
        "ERROR: Unable to find legal placement for all cells, design is probably at utilisation limit.",
        "ERROR: Unable to place cell 'a', no BELs remaining to implement cell type 'TRELLIS_COMB'",
    ],
)
def test_a_core_that_finds_no_place_has_cells_and_no_clock(
    job: fmax.Job, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    calls = nextpnr_that_says(PACKED + error, monkeypatch)
    found = fmax.route(job)
    assert found == {"cells": {"TRELLIS_IO": 138, "DCCA": 1, "TRELLIS_COMB": 83641}}
    assert fmax.route(job) == found
    assert len(calls) == 1  # it is not tried again


def test_any_other_failure_is_an_error(job: fmax.Job, monkeypatch: pytest.MonkeyPatch) -> None:
    nextpnr_that_says(PACKED + "ERROR: cell type 'X' is unsupported", monkeypatch)
    with pytest.raises(fmax.ToolError, match="'X' is unsupported"):
        fmax.route(job)


def test_the_report_is_that_of_the_sources_at_the_beginning(job: fmax.Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources that change meanwhile are no reason for a row that says that there is no placement."""
    began = job.report()

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(fmax.synthesis, "digest", lambda core: "another")
        Path(command[command.index("--report") + 1]).write_text(
            json.dumps({"fmax": {"clk": {"achieved": 117.92}}, "utilization": {"DP16KD": {"used": 58}}})
        )
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    assert fmax.route(job) == {"MHz": 117.9, "cells": {"DP16KD": 58}}
    assert began.exists()
    assert job.report() != began


def test_a_row_has_the_placements_and_how_many_seeds_found_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fmax.design, "digest_of", lambda configuration: "1")
    clocks = [100.0, None, 120.0, 110.0]
    results = {
        fmax.Job(ONE, "ecp5", seed): ({"MHz": clock} if clock else {}) | {"cells": {"DCCA": seed}}
        for seed, clock in enumerate(clocks, 1)
    }
    (row,) = fmax.rows_of("ecp5", results)
    assert row == {
        "name": ONE.name,
        "core": ONE.core,
        "design": "1",
        "device": "LFE5U-85F-8",
        "MHz": 110.0,
        "best": 120.0,
        "seeds": [100.0, 120.0, 110.0],
        "unplaced": 1,
        "cells": {"DCCA": 1},
    }
    (row,) = fmax.rows_of("ecp5", {job: found for job, found in results.items() if job.seed == 2})
    assert row.keys() & {"MHz", "best"} == set()
    assert (row["seeds"], row["unplaced"]) == ([], 1)
