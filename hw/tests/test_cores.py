"""cores.toml and what is made of it.

SPDX-License-Identifier: Apache-2.0
"""

import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

import cores


@pytest.mark.parametrize("block", [*cores.cores(), *cores.blocks()], ids=lambda block: block.name)
def test_its_sources_end_with_its_module(block: cores.Block) -> None:
    assert all(path.exists() for path in block.sources())
    assert re.search(rf"^module {block.top}\b", block.sources()[-1].read_text(), re.MULTILINE)


@pytest.mark.parametrize("core", cores.cores(), ids=lambda core: core.name)
class TestCore:
    def test_its_sets_and_operations_exist(self, core: cores.Core) -> None:
        assert core.parameters()["Ops"] in range(1, 8)
        assert bin(core.parameters()["Sets"]).count("1") == (1 if core.one_set else len(core.sets))

    def test_subsets_are_of_it_and_none_comes_twice(self, core: cores.Core) -> None:
        whole = cores.parameters(core.operations, core.sets)
        found = list(core.subsets(all_kinds=True))
        assert len(found) == len({cores.text_of(values) for values in found})
        assert all(0 < values["Ops"] <= whole["Ops"] and not values["Sets"] & ~whole["Sets"] for values in found)
        assert found[: len(core.subset)] == list(core.subsets())

    def test_further_parameters_are_of_its_module_and_each_value_is_simulated(self, core: cores.Core) -> None:
        text = core.sources()[-1].read_text()
        found = list(core.subsets(all_kinds=True))
        for name, values in core.further.items():
            default = re.search(rf"^  parameter .*\b{name} += (\d+)", text, re.MULTILINE)
            assert default
            assert int(default[1]) not in values
            kinds = [core.operations, *((operation,) for operation in core.operations)]
            of = [cores.parameters(operations, sets) for operations in kinds for sets in core.whole_cores()]
            assert all({**parameters, name: value} in found for parameters in of for value in values)

    def test_header_has_the_lengths_of_each_set(self, core: cores.Core) -> None:
        for name in core.sets:
            text = "\n".join(cores.header(core, 1 << cores.index_of(name)))
            sizes = cores.sets()[cores.index_of(name)]["sizes"]
            rows = re.findall(rf'"{name}", \w+, (\w+), \d+, \d+, (\d+), (\d+), (\d+), (\d+)', text)
            pair, *counts = rows[0]
            # Behind s are ek, H(ek) and z, or all of dk is secret.
            secret = sizes["dk"] if pair == "true" else sizes["dk"] - sizes["ek"] - 64
            expected = [secret, *(sizes[key] for key in ("ek", "dk", "ct"))]
            assert [int(count) for count in counts] == [cores.words(size) for size in expected]
            assert text.count("{" + str(cores.index_of(name)) + ",") == 1


def test_a_source_is_told_by_its_folder_and_module() -> None:
    for path in cores.RTL.rglob("*.sv"):
        assert cores.source(cores.module(path)) == path
