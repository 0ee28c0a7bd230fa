"""Types: mypy reads every Python source, also where two scripts of an area have one name.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SOUND = {
    "one/helper.py": "def doubled(x: int) -> int:\n    return 2 * x\n",
    "one/run.py": "from helper import doubled\n\nprint(doubled(1))\n",
    "one/other/run.py": "from beside import WORD\n\nprint(WORD)\n",
    "one/other/beside.py": "WORD = 'word'\n",
    "two/__init__.py": "",
    "two/inner.py": "from two import outer\n\nprint(outer.NUMBER)\n",
    "two/outer.py": "NUMBER = 1\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with the tool, scripts of one name in two folders, and a package."""
    texts = {name: (ROOT / name).read_text() for name in ("mypy.ini", "tools/check_types.py")}
    for name, text in {**texts, **SOUND}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def check(tree: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/check_types.py"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def test_a_sound_tree_passes(tree: Path) -> None:
    done = check(tree)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("name", "before", "after", "said"),
    [
        ("one/run.py", "doubled(1)", "doubled('1')", "incompatible type"),
        ("one/other/run.py", "WORD)", "WORD + 1)", "Unsupported operand"),
        ("two/inner.py", "outer.NUMBER", "outer.NUMBERS", "no attribute"),
        ("tools/check_types.py", "-> int:", ":", "missing a return type"),
    ],
)
def test_an_error_in_any_source_is_seen(tree: Path, name: str, before: str, after: str, said: str) -> None:
    source = tree / name
    assert before in source.read_text()
    source.write_text(source.read_text().replace(before, after, 1))
    done = check(tree)
    assert done.returncode == 1
    assert done.stdout.startswith(name)
    assert said in done.stdout
