"""Every place repeats the version of latkem.h, and one command raises all of them.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

import version
from version import ROOT


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the files that have a version."""
    for path, _ in version.places(ROOT):
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    return tmp_path


def test_the_tree_has_one_version() -> None:
    assert version.problems(ROOT) == []


def test_each_entry_names_files() -> None:
    assert [files for files, _ in version.PLACES if not [*ROOT.glob(files)]] == []


@pytest.mark.parametrize(("files", "pattern"), version.PLACES[1:], ids=lambda value: value[:40])
def test_another_version_is_seen(tree: Path, files: str, pattern: str) -> None:
    path = next(tree.glob(files))
    text = path.read_text()
    path.write_text(version.re.sub(pattern, version.replaced("9.8.7"), text, count=1, flags=version.re.MULTILINE))
    (found,) = {version.like("9.8.7", have) for have in version.versions(text, pattern)}
    wanted = version.like(version.stated(tree), found)
    assert f"{path.relative_to(tree)}: {found}, not {wanted}" in version.problems(tree)
    path.write_text("")
    assert f"{path.relative_to(tree)}: no version where it belongs" in version.problems(tree)


def test_one_command_raises_all(tree: Path) -> None:
    before = (tree / version.CHANGELOG).read_text()
    old = version.stated(tree)
    version.raise_to("9.8.7", tree)
    assert version.stated(tree) == "9.8.7"
    assert version.problems(tree) == []
    assert (tree / version.CHANGELOG).read_text().replace("## 9.8.7\n\n", "") == before
    assert f"latkem-{old}" not in (tree / "README.md").read_text()
    assert "find_package(latkem 9.8 " in (tree / "examples/cmake/CMakeLists.txt").read_text()
