"""Records of what was compared: they count for the meanings that were compared, and for nothing else.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs.machine.check import record
from proofs.machine.check.record import Checked

CPU, EMULATOR = "A CPU", "Some emulator"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(record, "RECORDS", tmp_path)
    yield tmp_path
    record.compared.cache_clear()


def compared() -> dict[str, str]:
    record.compared.cache_clear()
    return {form: kept.processor for form, kept in record.compared("x64").items()}


def test_what_agreed_is_kept(folder: Path) -> None:
    record.keep(
        "x64", [Checked("add", CPU, 5000), Checked("sub", CPU, 5000, "differs"), Checked("mul", lacks=frozenset({"x"}))]
    )
    record.keep("x64", [Checked("xor", CPU, 5000, note="but for 0")])
    assert [path.name for path in folder.iterdir()] == ["a-cpu.json"]
    assert compared() == {"add": CPU, "xor": CPU}
    assert record.compared("x64")["xor"].note == "but for 0"
    assert record.compared("AArch64") == {}


def test_the_most_states_are_kept_and_a_difference_ends_it(folder: Path) -> None:
    record.keep("x64", [Checked("add", CPU, 5000), Checked("sub", CPU, 5000)])
    record.keep("x64", [Checked("add", CPU, 200), Checked("sub", CPU, 200, "differs")])
    assert compared() == {"add": CPU}
    assert record.compared("x64")["add"].states == 5000


def test_a_cpu_says_more_than_an_emulator(folder: Path) -> None:
    record.keep("x64", [Checked("add", CPU, 5000), Checked("add", EMULATOR, 5000), Checked("sub", EMULATOR, 5000)])
    assert compared() == {"add": CPU, "sub": EMULATOR}


def test_few_states_do_not_count(folder: Path) -> None:
    record.keep("x64", [Checked("add", CPU, record.LEAST_STATES - 1)])
    assert compared() == {}


def test_other_meanings_do_not_count(folder: Path) -> None:
    (path,) = record.keep("x64", [Checked("add", CPU, 5000)])
    kept = json.loads(path.read_text())
    path.write_text(json.dumps({**kept, "meanings": "of yesterday"}))
    assert compared() == {}
    assert record.stale("x64") == [CPU]
    record.keep("x64", [Checked("sub", CPU, 5000)])
    assert compared() == {"sub": CPU}


def test_meanings_are_those_of_the_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("terms.py", "memory.py", "processor.py", "x86_64/rule.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.setattr(record, "MACHINE", tmp_path)

    def meanings() -> str:
        record.meanings.cache_clear()
        return record.meanings("x64")

    first = meanings()
    (tmp_path / "x86_64/rule.py").write_text("# a comment\nx = (1)\n")
    assert meanings() == first
    for name in ("x86_64/rule.py", "processor.py"):
        (tmp_path / name).write_text("x = 2\n")
        assert meanings() != first
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.undo()
    record.meanings.cache_clear()


def test_a_record_counts_whatever_the_prose_of_the_meanings() -> None:
    source = '"""A module."""\n\n\ndef f(x):  # doubled\n    """Doubles."""\n    return 2 * x\n'
    assert record.code_of(source) == record.code_of("def f(x):\n    return 2 * x\n")
    assert record.code_of(source) != record.code_of(source.replace("2 *", "3 *"))
    assert record.code_of(source) != record.code_of(source.replace("return", '"data"; return'))
