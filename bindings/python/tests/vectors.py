"""The tree's known answers, unpacked from tests/vectors. SPDX-License-Identifier: Apache-2.0"""

import json
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


@cache
def read(name: str) -> str:
    """A file of an archive; the path begins with the archive's name."""
    with tarfile.open(ROOT / "tests" / "vectors" / f"{name.split('/')[0]}.tar.xz") as tar:
        found = tar.extractfile(name)
        assert found
        return found.read().decode()


def tests(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each group of a JSON file with each of its tests."""
    for group in json.loads(read(name))["testGroups"]:
        yield from ((group, test) for test in group["tests"])


@cache
def facts() -> dict[str, dict[str, Any]]:
    """spec/sets.json by the names of the sets."""
    sets = json.loads((ROOT / "spec" / "sets.json").read_text())["sets"]
    return {row["name"]: row for row in sets}


def unhex(*texts: str) -> bytes:
    return bytes.fromhex("".join(texts))
