"""Proofs of C give rows of the same table. SPDX-License-Identifier: Apache-2.0"""

from proofs.c.__main__ import Attempt, Outcome
from proofs.c.rows import read
from proofs.c.tools import ROOT, Finding
from proofs.table import NOT_PROVED, PROVED, Table


def test_each_row_fits_the_table() -> None:
    attempts = [Attempt(proof) for proof in read(ROOT / "proofs/c/proofs.toml")]
    table = Table(rows=[Outcome(attempt, Finding(True, 3), "", 1.0).row() for attempt in attempts])
    assert {row.status for row in table.rows} == {PROVED}
    assert table.as_json()["forms"] == {}
    assert f"{len(attempts)} proved" in table.as_text()


def test_a_tool_that_is_missing_is_no_proof() -> None:
    (attempt, *_) = (Attempt(proof) for proof in read(ROOT / "proofs/c/proofs.toml"))
    row = Outcome(attempt, None, "CBMC is missing", 0.0).row()
    assert row.status == NOT_PROVED
    assert "CBMC is missing" in row.detail


def test_each_fault_fits_the_sources() -> None:
    faults = [fault for proof in read(ROOT / "proofs/c/proofs.toml") for fault in proof.faults]
    assert all(fault.text(ROOT) for fault in faults)
