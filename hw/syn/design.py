#!/usr/bin/env python3
"""A hash of a design that stays the same while its netlist does: where a figure of it still holds.

The netlist is what yosys reads in the sources before it optimises: cells of whole words, flattened, equal ones once.
Names, files and the order of the text do not count; cells are numbered as they are met from the outputs on.

Elaboration takes seconds a configuration. So designs.json records the hashes together with the hash of each core's
sources, and a recorded hash is taken while those are the same. As a command this renews the record of cores that have
other sources now.
SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import synthesis
from cores import core, cores, parameters, text_of

RECORD = synthesis.HERE / "designs.json"

# Of a cell's parameters and attributes: what is a name, a place in the text, or of the statement that became the cell.
NAMES = {"MEMID", "src", "hdlname", "full_case", "parallel_case"}
Driver = tuple[str, str, int]  # cell, port, bit


def netlist(name: str, values: dict[str, int]) -> dict[str, Any]:
    """The flat module, elaborated afresh."""
    out = synthesis.BUILD / "design" / f"{'-'.join(map(str, [name, *values.values()]))}.json"
    top = core(name).top
    commands = [*synthesis.read(name, values), f"hierarchy -check -top {top}", "flatten", "memory_collect"]
    commands += ["opt_clean", "opt_merge", "opt_clean -purge", f"write_json {out}"]
    synthesis.run_yosys(commands, out.with_suffix(".log"))
    return json.loads(out.read_text())["modules"][top]


def drivers(module: dict[str, Any]) -> dict[int, Driver]:
    """The driver of each bit: a cell, or as a cell without a name the module's port."""
    found = {
        bit: ("", name, at)
        for name, port in module["ports"].items()
        if port["direction"] == "input"
        for at, bit in enumerate(port["bits"])
    }
    for name, cell in module["cells"].items():
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                found.update({bit: (name, port, at) for at, bit in enumerate(bits)})
    return found


def told(facts: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted((key, value) for key, value in facts.items() if key not in NAMES)


def lines(module: dict[str, Any]) -> Iterator[str]:
    """The netlist as text without names: the outputs, then each cell that is met, with what drives its inputs."""
    driven, cells = drivers(module), module["cells"]
    numbers: dict[str, int] = {"": 0}
    met: list[str] = [""]

    def text_of(bits: list[Any]) -> str:
        """Constants as they are, and of others the number of the cell, the port and the bit."""
        words = []
        for bit in bits:
            if isinstance(bit, str) or bit not in driven:
                words.append(str(bit) if isinstance(bit, str) else "undriven")
                continue
            name, port, at = driven[bit]
            if name not in numbers:
                numbers[name] = len(met)
                met.append(name)
            words.append(f"{numbers[name]}.{port}.{at}")
        return ",".join(words)

    for name, port in sorted(module["ports"].items()):
        yield f"{port['direction']} {name} {text_of(port['bits']) if port['direction'] == 'output' else ''}"
    for cell in met:
        if cell:
            found = cells[cell]
            inputs = {
                port: text_of(bits)
                for port, bits in sorted(found["connections"].items())
                if found["port_directions"][port] == "input"
            }
            yield f"{found['type']} {told(found['parameters'])} {told(found['attributes'])} {inputs}"
    kept = [net["bits"] for net in module["netnames"].values() if "keep" in net["attributes"]]
    yield from sorted(f"keep {text_of(bits)}" for bits in kept)


def elaborated(name: str, values: dict[str, int]) -> str:
    """The hash of a core with these parameters, from its sources."""
    total = hashlib.sha256()
    for line in lines(netlist(name, values)):
        total.update(f"{line}\n".encode())
    return total.hexdigest()


@cache
def record() -> dict[str, dict[str, Any]]:
    """Of each core the hash of its sources, and the hashes of its designs by their parameters; nothing under
    LATKEM_HW_LONG, which elaborates all of them."""
    return {} if os.environ.get("LATKEM_HW_LONG") or not RECORD.exists() else json.loads(RECORD.read_text())


def recorded(name: str, values: dict[str, int]) -> str | None:
    """The hash that the record has for the sources as they are."""
    kept = record().get(name)
    return kept["designs"].get(text_of(values)) if kept and kept["sources"] == synthesis.digest(name) else None


@cache
def digest(
    name: str,
    operations: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
    further: tuple[tuple[str, int], ...] = (),
) -> str:
    """Of a core of these operations and sets, or of all that it can have at once; with parameters beside them."""
    whole = core(name)
    values = parameters(operations or whole.operations, sets or whole.whole_sets(), dict(further))
    return recorded(name, values) or elaborated(name, values)


def digest_of(configuration: synthesis.Configuration) -> str:
    return digest(configuration.core, configuration.operations, configuration.sets, configuration.further)


def row_of(configuration: synthesis.Configuration, figures: dict[str, Any]) -> dict[str, Any]:
    """Figures of a configuration, with what they are of."""
    return {**configuration.told(), "design": digest_of(configuration), **figures}


def digests() -> dict[str, str]:
    """Of every core with all that it can have."""
    return {found.name: digest(found.name) for found in cores()}


def designs() -> Iterator[tuple[str, dict[str, int]]]:
    """Core and parameters of each design that may have figures."""
    for whole in cores():
        for sets in whole.whole_cores():
            values = parameters(whole.operations, sets)
            yield whole.name, values
            yield from (
                (whole.name, {**values, key: value}) for key, others in whole.further.items() for value in others
            )
    yield from ((of.core, of.parameters()) for of in synthesis.configurations())


def fresh_record() -> dict[str, dict[str, Any]]:
    """The record of the sources as they are; what holds of it is taken."""
    made: dict[str, dict[str, Any]] = {
        whole.name: {"sources": synthesis.digest(whole.name), "designs": {}} for whole in cores()
    }
    for name, values in designs():
        found = made[name]["designs"]
        if text_of(values) not in found:
            found[text_of(values)] = recorded(name, values) or elaborated(name, values)
    return made


def main() -> None:
    """Renews the record."""
    RECORD.write_text(json.dumps(fresh_record(), indent=1) + "\n")


if __name__ == "__main__":
    main()
