"""The tables of hw/README.md and the shares in docs/hardware.md are the figures that are kept.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import synthesis
from cores import cores, index_of, sets, words

HW = synthesis.HERE.parent
PAGE = (HW / "README.md").read_text()
DESIGN = (HW.parent / "docs" / "hardware.md").read_text()


def cycle_rows() -> list[str]:
    cells: dict[str, list[str]] = {}
    for row in synthesis.load("cycles")["rows"]:
        cells.setdefault(row["set"], []).append(f"{row['cycles']} ({row['interval']})")
    return [f"| {name} | {' | '.join(texts)} |" for name, texts in cells.items()]


def area_rows() -> list[str]:
    columns = ("LUT", "LUTRAM", "SRL", "FF", "DSP", "RAMB36")
    return [
        f"| {row['name']} | {' | '.join(f'{row[column]:g}' for column in columns)} |"
        for row in synthesis.load("area")["rows"]
    ]


def clock_rows() -> list[str]:
    rows = [row for device in ("ecp5", "nexus") for row in synthesis.load(f"fmax-{device}")["rows"]]
    return [f"| {row['name']} | {row['device']} | {row['MHz']} | {row['best']} | {len(row['seeds'])} |" for row in rows]


def gate_rows() -> list[str]:
    rows = synthesis.load("gates")["rows"]
    return [f"| {row['name']} | {row['GE'] / 1e3:.1f} | {row['memory_bits']} | {row['path_ns']:.2f} |" for row in rows]


def word_rows() -> list[str]:
    """Words of a request and of a response, with command and header."""
    rows = []
    for name in (name for core in cores() for name in core.sets):
        entry = sets()[index_of(name)]
        ek, dk, ct, ss = (words(entry["sizes"][key]) for key in ("ek", "dk", "ct", "ss"))
        keypair, encaps = (sum(map(words, entry["requests"][key])) for key in ("keypair", "encaps"))
        counts = [(keypair, dk), (ek + encaps, ct + ss), (dk + ct, ss)]
        rows.append(f"| {name} | {' | '.join(f'{1 + asked} / {1 + got}' for asked, got in counts)} |")
    return rows


@pytest.mark.parametrize(
    "rows", [cycle_rows, word_rows, area_rows, gate_rows, clock_rows], ids=lambda rows: rows.__name__
)
def test_the_page_has_the_figures(rows) -> None:
    lacking = [row for row in rows() if row not in PAGE]
    assert not lacking, "hw/README.md lacks:\n" + "\n".join(lacking)


def test_the_page_has_the_cycles_of_further_parameters() -> None:
    text = (HW / "dv" / "core" / "saber" / "scheme.h").read_text()
    cells: dict[str, list[str]] = {}
    for name, *cycles in re.findall(r'\{"(\w+)", \{(\d{2,}), (\d+), (\d+)\}\}', text[text.index("further_cycles") :]):
        cells.setdefault(name, []).append(" / ".join(cycles))
    assert {len(texts) for texts in cells.values()} == {3}
    assert all(f"| {name} | {' | '.join(texts)} |\n" in DESIGN for name, texts in cells.items())


def coverage_told(kept: dict) -> str:
    reached, lines, toggled, bits = (
        sum(file[count] for file in kept["files"].values()) for count in ("reached", "lines", "toggled", "bits")
    )
    return f"{reached} of {lines} lines and branches, {toggled} of {bits} bits"


def mutants_told(kept: dict) -> str:
    return f"{kept['mutants']} mutants: {kept['killed']} are killed, {kept['equivalent']} change nothing"


@pytest.mark.parametrize(("name", "told"), [("coverage", coverage_told), ("mutants", mutants_told)])
def test_the_page_has_the_shares(name, told) -> None:
    path = HW / "dv" / "figures" / f"{name}.json"
    if not path.exists():
        pytest.skip(f"no shares are kept: make hw-{name} OPTIONS=--keep")
    kept = json.loads(path.read_text())
    assert told(kept) in " ".join(DESIGN.split())
