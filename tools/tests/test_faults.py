"""A planted fault that no longer fits the code is refused, in every list and in the same words.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

import areas
import faults

ROOT = Path(__file__).resolve().parents[2]
SOUND = 'file = "x.c"\nfind = "once"\nreplace = ""\n'
NAMED = '[[fault]]\nname = "one"\nkill = "a_test"\n'


def reasons(tree: Path, text: str) -> list[str]:
    """Those for which rows of a list are refused."""
    (tree / "x.c").write_text("once, twice, twice")
    (tree / "list.toml").write_text(text)
    return [reason for _, reason in faults.misfits(tree, [tree / "list.toml"]) if reason]


@pytest.mark.parametrize("head", [NAMED, NAMED.replace("fault", "mutant"), '[[proof]]\nname = "p"\n[[proof.fault]]\n'])
def test_a_row_fits_once(tmp_path: Path, head: str) -> None:
    assert reasons(tmp_path, head + SOUND) == []
    assert reasons(tmp_path, head + SOUND.replace("once", "twice")) == ["'find' occurs 2 times in x.c: twice"]
    assert reasons(tmp_path, head + SOUND.replace("once", "never")) == ["'find' occurs 0 times in x.c: never"]
    assert reasons(tmp_path, head + SOUND.replace("x.c", "y.c")) == ["there is no file y.c"]
    assert reasons(tmp_path, head + SOUND.replace("find", "from")) != []


def test_something_kills_a_row(tmp_path: Path) -> None:
    assert reasons(tmp_path, NAMED.replace("kill", "row") + SOUND) == ["a fault must have a key 'kill'"]
    assert reasons(tmp_path, NAMED.replace("a_test", "") + SOUND) == ["nothing kills it"]
    assert reasons(tmp_path, '[[proof]]\nname = "p"\n') == ["no fault is planted for p"]
    assert reasons(tmp_path, NAMED.replace("[fault]", "[fualt]") + SOUND) == ["no fault is planted for one"]


def test_a_list_has_no_key_of_another(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(NAMED + SOUND + 'needs = "go"\n')
    with pytest.raises(faults.FaultError, match="one: a fault has no key 'needs'"):
        faults.read([path], faults.Named)
    path.write_text((NAMED + SOUND) * 2)
    with pytest.raises(faults.FaultError, match="several rows have the name 'one'"):
        faults.read([path], faults.Named)


def lists_of_the_tree() -> Iterator[Path]:
    """Each file of tables that quote code."""
    listed = subprocess.run(["git", "ls-files", "*.toml"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield from (ROOT / name for name in listed.split() if "\nfind = " in (ROOT / name).read_text())


def test_each_list_is_that_of_an_area() -> None:
    assert sorted(lists_of_the_tree()) == sorted(areas.fault_lists())


def test_a_list_that_is_gone_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas, "areas", lambda: [areas.Area("tests", {"faults": ["mutants/*.yaml"]})])
    with pytest.raises(areas.AreaError, match="there is no list of faults mutants"):
        areas.fault_lists()


@pytest.mark.parametrize("path", areas.fault_lists(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_quick_check_reads_each_list(path: Path, tmp_path: Path) -> None:
    head, last = path.read_text().rsplit('\nfile = "', 1)
    copy = tmp_path / path.name
    copy.write_text(f'{head}\nfile = "nowhere/{last}')
    (reason,) = (reason for _, reason in faults.misfits(ROOT, [copy]) if reason)
    assert reason.startswith("there is no file nowhere/")


def test_a_fault_is_planted_in_a_copy(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("a; b;")
    faults.Fault(file="x.c", find="b", replace="c").plant(tmp_path)
    assert (tmp_path / "x.c").read_text() == "a; c;"
