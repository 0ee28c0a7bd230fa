"""Tests of features.py. SPDX-License-Identifier: Apache-2.0"""

import re
import subprocess
import sys
from pathlib import Path

from features import FEATURES, HERE, NEEDS, buildable


def test_a_rival_is_left_out_with_what_it_lacks() -> None:
    kept, messages = buildable(["openssl", "wolfssl-sys", "aws-lc-rs"], lambda need: need not in ("patch", "libtool"))
    assert kept == ["openssl", "aws-lc-rs"]
    assert messages == ["wolfssl-sys is left out: it needs libtool, patch"]


def test_a_rival_that_has_all_is_kept() -> None:
    assert buildable(FEATURES, lambda need: True) == (FEATURES, [])


def test_programs_are_looked_for(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "features.py"), "wolfssl-sys", "ml-kem", "graviola"]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.stdout == "--features=ml-kem\n"
    assert re.search("wolfssl-sys is left out: it needs .*autoconf", done.stderr)
    assert "graviola is left out: it needs Rust 1.89" in done.stderr


def test_an_unknown_feature_is_refused() -> None:
    done = subprocess.run([sys.executable, HERE / "features.py", "nss"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "nss" in done.stderr


def test_the_page_says_what_is_needed() -> None:
    table = (HERE / "README.md").read_text().partition("| cargo feature |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")] for row in table.splitlines() if row.startswith("| `")]
    said = {row[1].strip("`"): row[5] for row in rows}
    assert said == {name: ", ".join(NEEDS.get(name, [])) for name in said}
    assert sorted(said) == sorted(FEATURES)
