#!/usr/bin/env python3
"""Checks what is in the jar, and that packing it twice gives the same bytes. SPDX-License-Identifier: Apache-2.0"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import maven

LIBRARY = re.compile(r"org/latkem/native/[a-z]+-\w+/(lib)?latkem_jni\.(so|dylib|dll)")
METADATA = "META-INF/native-image/org.latkem/latkem/reachability-metadata.json"


def entries(jar: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(jar) as file:
        return {info.filename: file.read(info) for info in file.infolist() if not info.is_dir()}


def class_version(data: bytes) -> int:
    return int.from_bytes(data[6:8], "big")


def has_files(jar: Path) -> None:
    inside = entries(jar)
    assert inside["META-INF/LICENSE"] == (maven.ROOT / "LICENSE").read_bytes(), "META-INF/LICENSE is not the licence"
    provider = inside["META-INF/services/java.security.Provider"].decode().split()
    assert "org.latkem.jca.LatkemProvider" in provider, "the provider is not announced"
    json.loads(inside[METADATA])
    assert any(LIBRARY.fullmatch(name) for name in inside), "no native library is inside"
    assert not [name for name in inside if name.endswith((".java", ".c", ".h", ".xml"))], "sources are inside"


def says_version(jar: Path) -> None:
    manifest = entries(jar)["META-INF/MANIFEST.MF"].decode()
    version = jar.stem.removeprefix("latkem-")
    assert f"Implementation-Version: {version}\r\n" in manifest, manifest


def has_classes_of_17(jar: Path) -> None:
    classes = {name: class_version(data) for name, data in entries(jar).items() if name.endswith(".class")}
    assert set(classes.values()) == {61}, {name: v for name, v in classes.items() if v != 61}


def is_module(jar: Path) -> None:
    said = subprocess.run(
        ["jar", "--describe-module", "--file", str(jar)], capture_output=True, text=True, check=True
    ).stdout
    for line in (
        "exports org.latkem",
        "exports org.latkem.jca",
        "provides java.security.Provider with org.latkem.jca.LatkemProvider",
    ):
        assert line.lower() in said.lower().splitlines(), f"no '{line}':\n{said}"
    modules = re.findall(r"^requires (\S+)", said, re.M)
    assert modules == ["java.base"], f"it needs {modules}"


def has_libraries_that_export_one_function(jar: Path) -> None:
    for name, data in entries(jar).items():
        if name.endswith(".so"):
            path = maven.OUT / "library.so"
            path.write_bytes(data)
            shown = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True)
            exported = [line.split()[-1] for line in shown.stdout.splitlines()]
            assert exported == ["JNI_OnLoad"], f"{name} exports {exported}"


def tells_no_path(jar: Path) -> None:
    """Neither the tree's place nor the user's home is in it."""
    for path in (jar, *jar.parent.glob(f"{jar.stem}-*.jar")):
        for name, data in entries(path).items():
            for place in (f"{maven.ROOT}/", f"{Path.home()}/"):
                assert place.encode() not in data, f"{path.name}: {name} tells {place}"


def has_sources_and_javadoc(jar: Path) -> None:
    sources = entries(jar.with_name(f"{jar.stem}-sources.jar"))
    assert {"org/latkem/ParameterSet.java", "module-info.java"} <= set(sources), sorted(sources)
    pages = entries(jar.with_name(f"{jar.stem}-javadoc.jar"))
    assert any(name.endswith("org/latkem/ParameterSet.html") for name in pages), "no page of ParameterSet"


def is_the_same_again(jar: Path) -> None:
    first = {path.name: digest(path) for path in jar.parent.glob(f"{jar.stem}*.jar")}
    for path in jar.parent.glob(f"{jar.stem}*.jar"):
        path.unlink()
    for folder in ("classes", "generated-sources", "native", "reports", "apidocs", "javadoc-bundle-options"):
        shutil.rmtree(jar.parent / folder, ignore_errors=True)
    maven.jar()
    assert first == {path.name: digest(path) for path in jar.parent.glob(f"{jar.stem}*.jar")}, "other bytes"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    maven.need("mvn", "javac", "jar", "cmake", "nm")
    shutil.rmtree(maven.MODULE / "target" / "classes", ignore_errors=True)  # classes of sources that are gone
    jar, count = maven.jar(), maven.Count()
    maven.OUT.mkdir(parents=True, exist_ok=True)
    checks: list[Callable[[Path], None]] = [
        has_files, says_version, has_classes_of_17, is_module, has_libraries_that_export_one_function, tells_no_path,
        has_sources_and_javadoc, is_the_same_again,
    ]  # fmt: skip
    for check in checks:
        try:
            check(jar)
            count.add(check.__name__, "passed")
        except (AssertionError, KeyError, subprocess.CalledProcessError) as error:
            print(f"{check.__name__}: {error}")
            count.add(check.__name__, "failed")
    return count.show()


if __name__ == "__main__":
    sys.exit(maven.close(main))
