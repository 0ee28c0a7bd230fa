"""The tables of hw/README.md and the shares in docs/hardware.md are the figures that are kept.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import design
import synthesis
from cores import cores, index_of, sets, words
from cycles import further

HW = synthesis.HERE.parent
PAGE = (HW / "README.md").read_text()
DESIGN = (HW.parent / "docs" / "hardware.md").read_text()


def cycle_rows() -> list[str]:
    cells: dict[str, list[str]] = {}
    for row in (row for row in synthesis.load("cycles")["rows"] if "further" not in row):
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
    clocks = [(row.get("MHz", "no placement found"), row.get("best", "")) for row in rows]
    return [
        f"| {row['name']} | {row['device']} | {median} | {best} | {len(row['seeds'])} |"
        for row, (median, best) in zip(rows, clocks, strict=True)
    ]


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
        keys = ek + dk if entry["family"] == "NTRU" else dk
        counts = [(keypair, keys), (ek + encaps, ct + ss), (dk + ct, ss)]
        rows.append(f"| {name} | {' | '.join(f'{1 + asked} / {1 + got}' for asked, got in counts)} |")
    return rows


@pytest.mark.parametrize(
    "rows", [cycle_rows, word_rows, area_rows, gate_rows, clock_rows], ids=lambda rows: rows.__name__
)
def test_the_page_has_the_figures(rows: Callable[[], Iterable[str]]) -> None:
    lacking = [row for row in rows() if row not in PAGE]
    assert not lacking, "hw/README.md lacks:\n" + "\n".join(lacking)


def cycle_limit_rows() -> list[str]:
    """Of the figures, the limit to which hw/dv/core/<core>/scheme.h holds the simulations."""
    cycles = {row["name"]: row["cycles"] for row in synthesis.load("cycles")["rows"]}
    rows = []
    for core in cores():
        text = (HW / "dv" / "core" / core.name / "scheme.h").read_text()
        table = text[text.index("limits =") :].partition(";")[0]
        for name, *most in re.findall(r'\{"([\w-]+)", \{(\d+), (\d+), (\d+)\}\}', table):
            cells = [f"{cycles[f'{name} {key}']} of {limit}" for key, limit in zip(core.operations, most, strict=True)]
            rows.append(f"| {name} | {' | '.join(cells)} |")
    return rows


def area_limit_rows() -> list[str]:
    kept = {row["name"]: row for row in synthesis.load("area")["rows"]}
    rows = []
    for table in tomllib.loads((synthesis.HERE / "configurations.toml").read_text())["configuration"]:
        name = table["name"]
        if cells := [f"{kept[name][key]:g} of {most}" for key, most in table.get("limit", {}).items()]:
            rows.append(f"| {name} | {' | '.join(cells)} |")
    return rows


# Look-up tables and multipliers of ML-KEM's cores, before those of one operation dropped what they do not need.
BEFORE = {
    "mlkem": (15031, 24),
    "mlkem-768-keygen": (13431, 24),
    "mlkem-768-encaps": (14224, 24),
    "mlkem-768-decaps": (14706, 24),
}


def one_operation_rows() -> list[str]:
    kept = {row["name"]: row for row in synthesis.load("area")["rows"]}
    return [
        f"| {name} | {tables} | {kept[name]['LUT']} | {multipliers} | {kept[name]['DSP']} |"
        for name, (tables, multipliers) in BEFORE.items()
    ]


def variant_rows() -> list[str]:
    """Cores of more rounds or fewer butterflies, beside the default."""
    kept = {row["name"]: row for row in synthesis.load("area")["rows"]}
    named = ["mlkem", "mlkem-rounds-2", "mlkem-butterflies-8", "saber", "saber-rounds-2", "saber-butterflies-8"]
    named += ["ntru-hps-509", "ntru-hps-509-rounds-2"]
    return [
        f"| {name} | {' | '.join(f'{kept[name][key]:g}' for key in ('LUT', 'FF', 'DSP', 'RAMB36'))} |" for name in named
    ]


def multiplier_rows() -> list[str]:
    """Saber by transforms and by the schoolbook."""
    kept = {row["name"]: row for row in synthesis.load("area")["rows"]}
    named = {0: "saber"} | {unroll: f"saber-schoolbook-{unroll}" for unroll in (1, 2, 4)}
    found = {unroll: kept[name] for unroll, name in named.items() if name in kept}
    return [f"| {unroll} | {row['LUT']} | {row['DSP']} | {row['RAMB36']:g} |" for unroll, row in found.items()]


@pytest.mark.parametrize(
    "rows",
    [cycle_limit_rows, area_limit_rows, one_operation_rows, multiplier_rows, variant_rows],
    ids=lambda rows: rows.__name__,
)
def test_the_page_has_the_limits(rows: Callable[[], Iterable[str]]) -> None:
    lacking = [row for row in rows() if row not in DESIGN]
    assert not lacking, "docs/hardware.md lacks:\n" + "\n".join(lacking)


def test_the_page_has_the_cycles_of_further_parameters() -> None:
    cells: dict[str, dict[str, list[str]]] = {}
    for row in synthesis.load("cycles")["rows"]:
        parameter = ", ".join(f"{key}={value}" for key, value in row.get("further", {}).items())
        cells.setdefault(row["set"], {}).setdefault(parameter, []).append(str(row["cycles"]))
    tables = [["Unroll=1", "Unroll=2", "Unroll=4"], ["Streams=1"], ["", "Rounds=2", "Butterflies=8"]]
    assert {name for table in tables for name in table} == {name for found in cells.values() for name in found}
    expected = [
        f"| {name} | {' | '.join(' / '.join(found.get(parameter, [])) for parameter in table)} |".replace("|  |", "| |")
        for name, found in cells.items()
        for table in tables
        if any(parameter and parameter in found for parameter in table)
    ]
    assert not [line for line in expected if f"{line}\n" not in DESIGN]


def test_kept_cycles_of_further_parameters_are_those_that_simulations_are_held_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = synthesis.load("cycles")["rows"]
    monkeypatch.setattr(design, "digest", lambda *_: "")  # test_figures.py has the designs
    for core in cores():
        found = [row for row in kept if row["core"] == core.name and "further" in row]
        assert [row | {"design": ""} for row in found] == list(further(core))
        values = {f"{key}={value}" for row in found for key, value in row["further"].items()}
        assert values == set(core.further_values())


def coverage_told(kept: dict) -> str:
    names = ("reached", "lines", "toggled", "bits")
    reached, lines, toggled, bits = (sum(file.get(count, 0) for file in kept["files"].values()) for count in names)
    told = f"{reached} of {lines} lines and branches"
    return f"{told}, {toggled} of {bits} bits" if bits else told


def mutants_told(kept: dict) -> str:
    return f"{kept['mutants']} mutants: {kept['killed']} are killed, {kept['equivalent']} change nothing"


@pytest.mark.parametrize(("name", "told"), [("coverage", coverage_told), ("mutants", mutants_told)])
def test_the_page_has_the_shares(name: str, told: Callable[[dict], str]) -> None:
    path = HW / "dv" / "figures" / f"{name}.json"
    if not path.exists():
        pytest.skip(f"no shares are kept: make hw-{name} OPTIONS=--keep")
    kept = json.loads(path.read_text())
    assert told(kept) in " ".join(DESIGN.split())
