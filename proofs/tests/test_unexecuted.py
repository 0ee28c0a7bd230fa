"""The record of instructions that no run executes: a change of it is reported. SPDX-License-Identifier: Apache-2.0"""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from proofs import unexecuted
from proofs.machine.image import Image, Symbol

CODE = bytes.fromhex("90 7402 8bc0 c3")  # nop; je +2; mov eax, eax; ret
F, G = Symbol(0x1000, len(CODE)), Symbol(0x2000, len(CODE))
SNIPPET = SimpleNamespace(
    machine="x64",
    named={"f": [F, G], "one.c:f": [F], "two.c:f": [G]},
    is_code=lambda at: True,
    code=lambda at, size: CODE[:size],
)
IMAGE = cast(Image, SNIPPET)
WITHOUT_THE_MOVE = frozenset({F.address, F.address + 1, F.address + 5})


@pytest.fixture(autouse=True)
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(unexecuted, "RECORD", tmp_path / "unexecuted.json")
    monkeypatch.setattr(unexecuted, "compiler", lambda library: str(library))
    return tmp_path / "unexecuted.json"


def test_functions_that_were_entered_are_listed() -> None:
    assert unexecuted.places(IMAGE, WITHOUT_THE_MOVE) == {"one.c:f": ([3], 3)}
    assert unexecuted.places(IMAGE, frozenset(range(F.address, F.address + F.size))) == {}


def test_a_change_is_told() -> None:
    found = unexecuted.places(IMAGE, WITHOUT_THE_MOVE)
    unexecuted.keep("quick", "gcc", Path("a compiler"), found)
    assert not list(unexecuted.differences("quick", "gcc", "a compiler", found))
    (more,) = unexecuted.differences("quick", "gcc", "a compiler", {"one.c:f": ([1, 3], 3)})
    assert more == "gcc: one.c:f: 2 instructions are executed by no run, recorded are 1: +0x1, +0x3"
    (fewer,) = unexecuted.differences("quick", "gcc", "a compiler", {})
    assert "0 instructions are executed by no run, recorded are 1" in fewer


def test_code_of_another_compiler_is_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    found = unexecuted.places(IMAGE, WITHOUT_THE_MOVE)
    unexecuted.keep("quick", "gcc", Path("a compiler"), found)
    assert not list(unexecuted.differences("quick", "gcc", "another", {}))
    assert "not compared: another is not recorded" in capsys.readouterr().out
