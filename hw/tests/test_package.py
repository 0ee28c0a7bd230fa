"""The rows of parameters and the lengths of packets in the packages of hw/rtl against spec/sets.json.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

from cores import core, index_of
from pyosys import libyosys as yosys

ROOT = Path(__file__).resolve().parents[2]
SETS = json.loads((ROOT / "spec" / "sets.json").read_text())["sets"]
CORE = core("mlkem")
PACKAGES = [str(path) for path in CORE.sources() if path.stem.endswith("_pkg")]

# What the package says of a set, as a constant of 32 bits each.
PROBE = """
module probe (output logic [11:0][31:0] values_o);
  import latkem_pkg::*;
  import %s_pkg::*;
  localparam mlkem_set_t Set = mlkem_set(3'd%d);
  localparam int Values[12] = '{
    int'(Set.kyber), int'(Set.k), int'(Set.eta1), int'(Set.du), int'(Set.dv), int'(MlkemQ),
    int'(mlkem_request_words(Set.k, OpKeygen)), int'(mlkem_response_words(Set.k, OpKeygen)),
    int'(mlkem_request_words(Set.k, OpEncaps)), int'(mlkem_response_words(Set.k, OpEncaps)),
    int'(mlkem_request_words(Set.k, OpDecaps)), int'(mlkem_response_words(Set.k, OpDecaps))
  };
  for (genvar i = 0; i < 12; i++) begin : gen_value
    assign values_o[i] = Values[i];
  end
endmodule
"""


def values(index: int, folder: Path) -> list[int]:
    """What the package says, by elaborating it."""
    probe, netlist = folder / "probe.sv", folder / "probe.json"
    probe.write_text(PROBE % (CORE.top, index))
    design = yosys.Design()
    for line in (
        f"read_slang --top probe --threads 1 {' '.join(PACKAGES)} {probe}",
        "opt_clean -purge",
        f"write_json {netlist}",
    ):
        yosys.run_pass(line, design)
    bits = json.loads(netlist.read_text())["modules"]["probe"]["ports"]["values_o"]["bits"]
    return [int("".join(reversed(bits[at : at + 32])), 2) for at in range(0, len(bits), 32)]


@pytest.mark.parametrize("index", [index_of(name) for name in CORE.sets], ids=lambda index: SETS[index]["name"])
def test_mlkem(index: int, tmp_path: Path) -> None:
    entry = SETS[index]
    parameters, sizes = entry["parameters"], {name: size // 8 for name, size in entry["sizes"].items()}
    assert values(index, tmp_path) == [
        int(entry["family"] == "Kyber"),
        *(parameters[name] for name in ("k", "eta1", "du", "dv", "q")),
        sum(entry["requests"]["keypair"]) // 8,
        sizes["dk"],
        sizes["ek"] + sum(entry["requests"]["encaps"]) // 8,
        sizes["ct"] + sizes["ss"],
        sizes["dk"] + sizes["ct"],
        sizes["ss"],
    ]


def test_driver() -> None:
    """The lengths of the example's driver, of ML-KEM-512, -768 and -1024."""
    text = (ROOT / "hw" / "example" / "driver.c").read_text()
    tables = dict(re.findall(r"\b(ranks|ct_sizes)\[\] = \{([\d, ]+)\}", text))
    assert list(map(int, tables["ranks"].split(","))) == [entry["parameters"]["k"] for entry in SETS[:3]]
    assert list(map(int, tables["ct_sizes"].split(","))) == [entry["sizes"]["ct"] for entry in SETS[:3]]
