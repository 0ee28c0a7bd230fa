#!/usr/bin/env python3
"""Writes a software bill of materials, CycloneDX 1.5 in JSON: the two libraries with the SHA-256 of each of their
files, the command, and what the second library and the command are built on by default. The library itself has no
dependencies. The same sources give the same file.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LICENCE = [{"license": {"id": "Apache-2.0"}}]
FOLDERS = ("include", "src", "protocol")
# Dependencies of other parts of the tree: name, licence, name for pkg-config. The second library needs the first of
# them alone.
NEEDS = [
    ("openssl", "Apache-2.0", "libcrypto"),
    ("CLI11", "BSD-3-Clause", "CLI11"),
    ("nlohmann-json", "MIT", "nlohmann_json"),
]


def version() -> str:
    text = (ROOT / "include" / "latkem" / "latkem.h").read_text()
    found = re.search(r'#define LATKEM_VERSION "(.+)"', text)
    if not found:
        sys.exit("sbom: no LATKEM_VERSION in latkem.h")
    return found[1]


def files() -> list[dict]:
    """The libraries' sources and headers, each with its hash."""
    paths = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in (".c", ".h", ".S", ".inc")]
    return [
        {
            "type": "file",
            "bom-ref": str(path.relative_to(ROOT)),
            "name": str(path.relative_to(ROOT)),
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
        }
        for path in sorted(paths)
    ]


def installed_version(module: str) -> str | None:
    try:
        done = subprocess.run(["pkg-config", "--modversion", module], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def needed(name: str, licence: str, module: str) -> dict:
    """A component that others need; its version is that on this machine, if that says."""
    part = {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "scope": "optional",
        "licenses": [{"license": {"id": licence}}],
    }
    found = installed_version(module)
    return {**part, "version": found, "purl": f"pkg:generic/{name}@{found}"} if found else part


def bill() -> dict:
    now = version()
    library = {
        "type": "library",
        "bom-ref": "latkem",
        "name": "latkem",
        "version": now,
        "description": "Lattice key encapsulation: ML-KEM, Kyber, Saber, NTRU",
        "licenses": LICENCE,
        "purl": f"pkg:generic/latkem@{now}",
    }
    protocol = {
        "type": "library", "bom-ref": "latkem-protocol", "name": "latkem-protocol", "version": now,
        "description": "Hybrids, key files, Noise and HPKE on libcrypto", "scope": "optional", "licenses": LICENCE,
        "purl": f"pkg:generic/latkem-protocol@{now}",
    }  # fmt: skip
    command = {
        "type": "application", "bom-ref": "latkem-command", "name": "latkem-command", "version": now,
        "scope": "optional", "licenses": LICENCE,
    }  # fmt: skip
    needs = [needed(*row) for row in NEEDS]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": library},
        "components": [protocol, command, *needs, *files()],
        "dependencies": [
            {"ref": "latkem", "dependsOn": []},
            {"ref": "latkem-protocol", "dependsOn": ["latkem", needs[0]["bom-ref"]]},
            {"ref": "latkem-command", "dependsOn": ["latkem", *(part["bom-ref"] for part in needs)]},
        ],
    }
    # A number of its own for each content, that is the same whenever it is written.
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(document, sort_keys=True))
    return {**document, "serialNumber": f"urn:uuid:{serial}"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the file to write, by convention NAME.cdx.json")
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(bill(), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
