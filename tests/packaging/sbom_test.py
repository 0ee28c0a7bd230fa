#!/usr/bin/env python3
"""The bill of materials (tools/sbom.py) has what CycloneDX 1.5 requires, names each thing once, and is true: the
version is the library's and the hashes are those of the files, all of them. SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The schema's enumeration of a component's types.
TYPES = {
    "application", "framework", "library", "container", "platform", "operating-system", "device", "device-driver",
    "firmware", "file", "machine-learning-model", "data",
}  # fmt: skip
UUID = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


def write() -> str:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "latkem.cdx.json"
        subprocess.run([sys.executable, ROOT / "tools" / "sbom.py", out], check=True)
        return out.read_text()


class Sbom(unittest.TestCase):
    def setUp(self) -> None:
        self.text = write()
        self.bill = json.loads(self.text)
        self.main = self.bill["metadata"]["component"]
        self.parts = [self.main, *self.bill["components"]]

    def test_has_the_required_fields(self) -> None:
        assert (self.bill["bomFormat"], self.bill["specVersion"]) == ("CycloneDX", "1.5")
        assert self.bill["version"] == 1
        assert re.search(f"^{UUID}$", self.bill["serialNumber"])
        for part in self.parts:
            assert part["type"] in TYPES
            assert part["name"]
            assert part.get("scope", "required") in ("required", "optional", "excluded")
        for one in self.bill["dependencies"]:
            assert set(one) == {"ref", "dependsOn"}

    def test_names_each_thing_once_and_refers_to_what_is_there(self) -> None:
        refs = [part["bom-ref"] for part in self.parts]
        assert len(refs) == len(set(refs))
        for one in self.bill["dependencies"]:
            assert {one["ref"], *one["dependsOn"]} <= set(refs)

    def test_is_the_librarys_version(self) -> None:
        header = (ROOT / "include/latkem/latkem.h").read_text()
        assert f'#define LATKEM_VERSION "{self.main["version"]}"' in header

    def test_has_the_hash_of_each_file_of_the_library(self) -> None:
        hashes = {part["name"]: part["hashes"] for part in self.parts if part["type"] == "file"}
        for name, value in hashes.items():
            content = hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
            assert value == [{"alg": "SHA-256", "content": content}], name
        known = {str(p.relative_to(ROOT)) for d in ("src", "include", "protocol") for p in (ROOT / d).rglob("*.[chS]")}
        assert known <= set(hashes)

    def test_names_what_the_command_is_built_on(self) -> None:
        asked = re.findall(r"find_package\((\w+)", (ROOT / "cli/CMakeLists.txt").read_text())
        needed = next(one["dependsOn"] for one in self.bill["dependencies"] if one["ref"] == "latkem-command")
        plain = {name.lower().replace("-", "_") for name in needed}
        assert asked
        assert {name.lower() for name in asked} <= plain

    def test_names_what_the_second_library_is_built_on(self) -> None:
        area = (ROOT / "protocol/area.cmake").read_text()
        default = re.findall(r"^set\(LATKEM_LIBCRYPTO ([\w-]+) CACHE", area, re.MULTILINE)
        needed = next(one["dependsOn"] for one in self.bill["dependencies"] if one["ref"] == "latkem-protocol")
        assert default
        assert ["latkem", *(name.lower() for name in default)] == needed
        assert next(one["dependsOn"] for one in self.bill["dependencies"] if one["ref"] == "latkem") == []

    def test_is_the_same_each_time(self) -> None:
        assert self.text == write()


if __name__ == "__main__":
    unittest.main()
