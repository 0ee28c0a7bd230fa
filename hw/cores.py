#!/usr/bin/env python3
"""Reads cores.toml: the hardware cores with their sources, sets and operations.

As a command it writes a core's facts for the simulations: --cmake for CMakeLists.txt, --header CORE for the benches,
with sets and lengths of spec/sets.json. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

HW = Path(__file__).resolve().parent
RTL = HW / "rtl"
SETS = HW.parent / "spec" / "sets.json"
OPERATIONS = ["keygen", "encaps", "decaps"]
WORD = 8  # bytes of a word of the streams


@cache
def sets() -> list[dict[str, Any]]:
    """The parameter sets in the order of `latkem list`."""
    return json.loads(SETS.read_text())["sets"]


@cache
def index_of(name: str) -> int:
    return [entry["name"] for entry in sets()].index(name)


def parameters(
    operations: Iterable[str], sets: Iterable[str], further: Mapping[str, int] | None = None
) -> dict[str, int]:
    """The parameters that build a core of these operations and sets, with further ones."""
    return {
        "Ops": sum(1 << OPERATIONS.index(name) for name in operations),
        "Sets": sum(1 << index_of(name) for name in sets),
        **(further or {}),
    }


def text_of(values: dict[str, int]) -> str:
    """A core's parameters in one word, for CMake: those beside Ops and Sets with their names."""
    return ":".join([str(values["Ops"]), str(values["Sets"]), *(f"{key}={values[key]}" for key in list(values)[2:])])


def test_of(core: str, values: dict[str, int]) -> str:
    """The name that CMake gives the test of a core with these parameters."""
    return f"{core}_{text_of(values).translate(str.maketrans(':=', '__'))}_test"


def module(path: Path) -> str:
    """A source's name in tables: its folder in hw/rtl and its module, without what all modules begin with."""
    return str(path.relative_to(RTL).with_suffix("")).replace("latkem_", "")


def source(name: str) -> Path:
    """The source of that name."""
    folder, _, last = name.rpartition("/")
    return RTL / folder / f"latkem_{last}.sv"


@dataclass(frozen=True)
class Block:
    """A module with its list of sources."""

    name: str
    top: str  # the module
    files: str

    @property
    def file_list(self) -> Path:
        return HW / self.files

    def sources(self) -> list[Path]:
        lines = self.file_list.read_text().splitlines()
        return [self.file_list.parent / line for line in lines if line and not line.startswith("//")]


@dataclass(frozen=True)
class Core(Block):
    sets: tuple[str, ...]
    operations: tuple[str, ...]
    subset: tuple[dict[str, Any], ...] = ()
    further: dict[str, list[int]] = field(default_factory=dict)  # values of parameters that are not their default
    refused: tuple[str, ...] = ()  # further parameters that end elaboration
    one_set: bool = False  # a core has one of the sets

    def whole_sets(self) -> tuple[str, ...]:
        """Those of the core that is built without parameters, or with its further ones alone."""
        return self.sets[-1:] if self.one_set else self.sets

    def parameters(self) -> dict[str, int]:
        """Those of the whole core."""
        return parameters(self.operations, self.whole_sets())

    def whole_cores(self) -> list[tuple[str, ...]]:
        """The sets of each core that has all operations and as many sets as it can."""
        return [(name,) for name in self.sets] if self.one_set else [self.sets]

    def sets_with(self, name: str) -> tuple[str, ...]:
        """Those of the whole core that has this set."""
        return next(sets for sets in self.whole_cores() if name in sets)

    def other_sets(self) -> list[int]:
        """The values of Sets of whole cores that are not built without parameters."""
        return [parameters((), sets)["Sets"] for sets in self.whole_cores() if sets != self.whole_sets()]

    def test_name(self, sets: tuple[str, ...]) -> str:
        """The beginning of the names of a whole core's tests."""
        return self.name if sets == self.whole_sets() else f"{self.name}_{parameters((), sets)['Sets']}"

    def further_values(self) -> list[str]:
        """Further parameters, each with each value that is not its default."""
        return [f"{key}={value}" for key, values in self.further.items() for value in values]

    def wrong(self) -> list[str]:
        """Values that end elaboration, joined by colons: the first of each parameter, the second of each, and so on. No
        core has set 6, and none both 0 and 15."""
        values: dict[str, list[str]] = {}
        for value in ("Ops=3'd0", "Sets=16'd0", "Sets=16'h40", "Sets=16'h8001", *self.refused):
            values.setdefault(value.partition("=")[0], []).append(value)
        return [":".join(filter(None, row)) for row in zip_longest(*values.values())]

    def subsets(self, all_kinds: bool = False) -> Iterator[dict[str, int]]:
        """Parameters of cores of some operations and sets: those of cores.toml, or with `all_kinds` every choice of
        operations beside them, with each set, each family, and all sets but one; and each whole core, and each of one
        operation with its sets, with each value of a further parameter."""
        chosen = [parameters(**table) for table in self.subset]
        if all_kinds:
            whole = self.parameters()
            bits = [1 << index_of(name) for name in self.sets]
            families: dict[str, int] = {}
            for name, bit in zip(self.sets, bits, strict=True):
                family = sets()[index_of(name)]["family"]
                families[family] = families.get(family, 0) | bit
            masks = bits if self.one_set else [*bits, *families.values(), *(whole["Sets"] & ~bit for bit in bits)]
            chosen += [{"Ops": ops, "Sets": mask} for ops in range(1, whole["Ops"] + 1) for mask in masks]
            kinds = [self.operations, *((name,) for name in self.operations)]
            chosen += [
                parameters(operations, names, {key: n})
                for operations in kinds
                for names in self.whole_cores()
                for key, values in self.further.items()
                for n in values
            ]
        return iter({text_of(found): found for found in chosen if found != self.parameters()}.values())


@cache
def cores() -> list[Core]:
    tables = tomllib.loads((HW / "cores.toml").read_text())["core"]
    return [Core(**immutable(table)) for table in tables]


def immutable(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


@cache
def blocks() -> list[Block]:
    """The modules that serve all cores."""
    return [Block(**table) for table in tomllib.loads((HW / "cores.toml").read_text())["block"]]


def core(name: str) -> Core:
    return next(found for found in cores() if found.name == name)


def block(name: str) -> Block:
    """A core, or a module that serves all."""
    return next(found for found in (*cores(), *blocks()) if found.name == name)


def cmake() -> Iterator[str]:
    """The cores as lists of CMake: LATKEM_CORES, and the facts of each core as LATKEM_<name>_<FACT>; of a block RTL."""
    yield f"set(LATKEM_CORES {' '.join(found.name for found in cores())})"
    for block in blocks():
        yield f"set(LATKEM_{block.name}_RTL {' '.join(str(path.relative_to(RTL)) for path in block.sources())})"
    for found in cores():
        facts: dict[str, Iterable[object]] = {
            "TOP": [found.top],
            "LIST": [found.file_list],
            "RTL": [path.relative_to(RTL) for path in found.sources()],
            "SETS": [found.parameters()["Sets"]],
            "SUBSETS": map(text_of, found.subsets()),
            "ALL_SUBSETS": map(text_of, found.subsets(all_kinds=True)),
            "OTHER_SETS": found.other_sets(),
            "FURTHER": found.further_values(),
            "WRONG": found.wrong(),
        }
        for key, values in facts.items():
            yield f"set(LATKEM_{found.name}_{key} {' '.join(map(str, values))})"


def words(count: int) -> int:
    """How many words hold so many bytes."""
    return -(-count // WORD)


def facts(name: str) -> list[str]:
    """A set as the values of a CoreSet, in its order."""
    entry = sets()[index_of(name)]
    sizes, requests, parameters = entry["sizes"], entry["requests"], entry["parameters"]
    ek, dk, ct = (words(sizes[key]) for key in ("ek", "dk", "ct"))
    pair = entry["family"] == "NTRU"
    numbers = [
        parameters.get("k", parameters.get("l", 0)),
        parameters.get("eta1", parameters.get("mu", 0) // 2),
        dk if pair else dk - ek - 2 * words(32),
        *(ek, dk, ct),
        sum(map(words, requests["keypair"])),
        ek + sum(map(words, requests["encaps"])),
        dk + ct,
    ]
    fips = str(entry["document"] == "FIPS 203").lower()
    draws = ", ".join(map(str, requests["keypair"]))
    return [str(index_of(name)), f'"{name}"', fips, str(pair).lower(), *map(str, numbers), f"{{{draws}}}"]


def header(found: Core, sets: int = 0) -> Iterator[str]:
    """The sets of a core for its benches, or some of them."""
    names = [name for name in found.sets if sets >> index_of(name) & 1] if sets else found.whole_sets()
    yield f"// Made by hw/cores.py: the sets of {found.top}, from hw/cores.toml and spec/sets.json."
    yield "#ifndef LATKEM_HW_CORE_SETS_H\n#define LATKEM_HW_CORE_SETS_H\n"
    yield "struct CoreSet {"
    yield "    unsigned index; // of `latkem list`\n    const char *name;"
    yield "    bool checks_keys;                // wrong keys are refused (FIPS 203 7.2, 7.3)"
    yield "    bool pair;                       // key generation answers ek, dk, and no ek is in dk"
    yield "    unsigned rank;                   // polynomials of s"
    yield "    unsigned secret_max;             // coefficients of s as sampled are from -secret_max to secret_max"
    yield "    unsigned secret, ek, dk, ct;     // words of 64 bits; dk is s, ek, H(ek), z, or secret throughout"
    yield "    unsigned keygen, encaps, decaps; // words of a request behind its command"
    yield "    unsigned draws[3];               // bytes that key generation draws at a time\n};\n"
    yield "inline constexpr CoreSet core_sets[] = {"
    yield from (f"    {{{', '.join(facts(name))}}}," for name in names)
    yield "};\n"
    indices = ", ".join(str(index_of(name)) for name in names)
    yield f"inline constexpr unsigned core_set_indices[] = {{{indices}}};"
    bits = parameters(found.operations, names)
    yield f"inline constexpr unsigned core_ops = {bits['Ops']}, core_set_bits = {bits['Sets']};\n\n#endif"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--cmake", action="store_true", help="the cores as lists of CMake")
    kind.add_argument("--header", metavar="CORE", help="the sets of a core in C++")
    parser.add_argument("--sets", type=int, default=0, help="of the header: some of them, as the parameter Sets has it")
    arguments = parser.parse_args()
    print("\n".join(cmake() if arguments.cmake else header(core(arguments.header), arguments.sets)))


if __name__ == "__main__":
    main()
