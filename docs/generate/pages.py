"""The one command line of programs that write tables into pages: they write, or with --check compare.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main(program: str, description: str | None, source: str, wanted: Callable[[bool], dict[Path, str]]) -> int:
    """The source is what a page's tables are made of. wanted(check) gives the pages as they have to be."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail where a page differs, and change nothing")
    check = parser.parse_args().check
    for page, text in wanted(check).items():
        if not check:
            page.write_text(text)
        elif page.read_text() != text:
            print(f"{program}: {page.relative_to(ROOT)} differs from {source}; run docs/generate/{program}.py")
            return 1
    return 0
