"""The rows of parameters and the lengths of packets in the packages of hw/rtl against spec/sets.json.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

from cores import core, cores, index_of, words
from pyosys import libyosys as yosys

ROOT = Path(__file__).resolve().parents[2]
SETS = json.loads((ROOT / "spec" / "sets.json").read_text())["sets"]
OPERATIONS = ("Keygen", "Encaps", "Decaps")

# Of each core: bits of a set's number in its package, the field with its rank, and what else the package says of the
# set, with where spec/sets.json says it.
PACKAGES = {
    "mlkem": (
        3,
        "k",
        {
            "int'(Set.kyber)": lambda entry: int(entry["family"] == "Kyber"),
            "int'(Set.eta1)": lambda entry: entry["parameters"]["eta1"],
            "int'(Set.du)": lambda entry: entry["parameters"]["du"],
            "int'(Set.dv)": lambda entry: entry["parameters"]["dv"],
            "int'(MlkemQ)": lambda entry: entry["parameters"]["q"],
        },
    ),
    "saber": (
        2,
        "l",
        {
            "int'(Set.mu)": lambda entry: entry["parameters"]["mu"],
            "1 << int'(Set.et)": lambda entry: entry["parameters"]["T"],
            "1 << CoeffWidth": lambda entry: entry["parameters"]["q"],
        },
    ),
    "ntru": (
        2,
        "n",
        {
            "1 << Set.log_q": lambda entry: entry["parameters"]["q"],
            "int'(Set.hrss)": lambda entry: int("HRSS" in entry["name"]),
        },
    ),
}

# How the package says the words of a request or response of an operation, and what is declared for that.
LENGTHS = {
    "mlkem": ("mlkem_{kind}_words(Set.k, Op{operation})", ""),
    "saber": (
        "{operation}.{kind}_words",
        """
  localparam saber_layout_t Keygen = saber_layout(Set.l, 1'b1, 1'b0);
  localparam saber_layout_t Encaps = saber_layout(Set.l, 1'b0, 1'b1);
  localparam saber_layout_t Decaps = saber_layout(Set.l, 1'b0, 1'b0);""",
    ),
    "ntru": ("ntru_{kind}_words(Set, Op{operation})", ""),
}

# A package's facts about a set, as constants of 32 bits each.
PROBE = """
module probe (output logic [{last}:0][31:0] values_o);
  import latkem_pkg::*;
  import {top}_pkg::*;
  localparam {name}_set_t Set = {name}_set({place});{declared}
  localparam int Values[{count}] = '{{{values}}};
  for (genvar i = 0; i < {count}; i++) begin : gen_value
    assign values_o[i] = Values[i];
  end
endmodule
"""


def values(name: str, set_name: str, folder: Path) -> list[int]:
    """The facts about a set in a core's package, by elaborating it: the rank, the facts, the lengths."""
    found, (width, rank, facts) = core(name), PACKAGES[name]
    length, declared = LENGTHS[name]
    lengths = [
        f"int'({length.format(kind=kind, operation=operation)})"
        for operation in OPERATIONS
        for kind in ("request", "response")
    ]
    asked = [f"int'(Set.{rank})", *facts, *lengths]
    place = f"{width}'d{index_of(set_name) - index_of(found.sets[0])}"
    probe, netlist = folder / "probe.sv", folder / "probe.json"
    text = {"top": found.top, "name": name, "place": place, "declared": declared, "values": ", ".join(asked)}
    probe.write_text(PROBE.format(last=len(asked) - 1, count=len(asked), **text))
    packages = [str(path) for path in found.sources() if path.stem.endswith("_pkg")]
    design = yosys.Design()
    for line in (
        f"read_slang --top probe --threads 1 {' '.join(packages)} {probe}",
        "opt_clean -purge",
        f"write_json {netlist}",
    ):
        yosys.run_pass(line, design)
    bits = json.loads(netlist.read_text())["modules"]["probe"]["ports"]["values_o"]["bits"]
    return [int("".join(reversed(bits[at : at + 32])), 2) for at in range(0, len(bits), 32)]


@pytest.mark.parametrize(("name", "set_name"), [(found.name, each) for found in cores() for each in found.sets])
def test_package(name: str, set_name: str, tmp_path: Path) -> None:
    entry = SETS[index_of(set_name)]
    sizes = {key: words(size) for key, size in entry["sizes"].items()}
    drawn = {key: sum(map(words, entry["requests"][key])) for key in ("keypair", "encaps")}
    _, rank, facts = PACKAGES[name]
    assert values(name, set_name, tmp_path) == [
        *(entry["parameters"][rank], *(fact(entry) for fact in facts.values())),
        *(drawn["keypair"], sizes["dk"] + (sizes["ek"] if entry["family"] == "NTRU" else 0)),
        *(sizes["ek"] + drawn["encaps"], sizes["ct"] + sizes["ss"]),
        *(sizes["dk"] + sizes["ct"], sizes["ss"]),
    ]


def test_driver() -> None:
    """The sizes in the example's driver: of each set that it knows, and of each set of a core."""
    command = ["cc", "-E", "-P", str(ROOT / "hw" / "example" / "driver.c")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    table = re.search(r"all_sizes\[\] = \{(.*?)\};", text, re.DOTALL)
    assert table
    found = [[eval(number) for number in row.split(",")] for row in re.findall(r"\{([^{}]+)\}", table[1])]
    for index, *numbers in found:
        sizes = [SETS[index]["sizes"][key] for key in ("seed", "coins", "ek", "dk", "ct")]
        assert numbers == [*sizes, int(SETS[index]["family"] == "NTRU")]
    assert {row[0] for row in found} >= {index_of(name) for each in cores() for name in each.sets}
