"""The figures in hw/syn/figures and hw/dv/figures are of the design as it is.

SPDX-License-Identifier: Apache-2.0
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import design
import synthesis
from cores import core, source

SHARES = synthesis.HERE.parent / "dv" / "figures"
RENEW = {
    "area": "make hw-area OPTIONS=--keep",
    "modules": 'make hw-area OPTIONS="--modules --keep"',
    "gates": "make hw-gates OPTIONS=--keep",
    "cycles": "hw/syn/cycles.py, after make hw-test,",
}


@pytest.mark.parametrize("path", sorted(synthesis.FIGURES.glob("*.json")), ids=lambda path: path.stem)
def test_figures_are_of_this_design(path: Path) -> None:
    found = {configuration.name: configuration for configuration in synthesis.configurations()}

    def now(row: dict[str, Any]) -> str:
        if of := found.get(row["name"]):
            return design.digest_of(of)
        whole = core(row["core"])  # cycles are of a whole core
        further = tuple(row["further"].items()) if "further" in row else ()
        return design.digest(whole.name, whole.operations, whole.sets_with(row["set"]), further)

    stale = [row["name"] for row in synthesis.load(path.stem)["rows"] if row["design"] != now(row)]
    assert not stale, f"{RENEW.get(path.stem, 'make hw-fmax OPTIONS=--keep')} renews the figures of {', '.join(stale)}"


@pytest.mark.parametrize("name", ["coverage", "mutants"])
def test_shares_are_of_this_design(name: str) -> None:
    renew = f"make hw-{name} OPTIONS=--keep"
    path = SHARES / f"{name}.json"
    if not path.exists():
        pytest.skip(f"no shares are kept: {renew}")
    kept = json.loads(path.read_text())
    assert kept["design"] == design.digests(), f"{renew} renews them"
    assert all(source(file).exists() for file in kept["files"]), f"{renew} renews them"


def test_configurations_are_cores_and_sets_that_exist() -> None:
    for configuration in synthesis.configurations():
        parameters = configuration.parameters()
        assert 0 < parameters["Ops"] < 8
        assert parameters["Sets"]
        assert all(path.exists() for path in synthesis.core(configuration.core).sources())
