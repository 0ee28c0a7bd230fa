#!/usr/bin/env python3
"""Runs the jar on an AArch64 Java under QEMU: the answers of every set are those of this machine, and every call works.

Usage: arm64.py. The Java is in build/jdk25-aarch64 (jdk25.sh). SPDX-License-Identifier: Apache-2.0
"""

import os
import sys
import zipfile
from pathlib import Path

import maven

INSIDE = "org/latkem/native/linux-aarch64/liblatkem_jni.so"
JDK = maven.ROOT / "build" / "jdk25-aarch64"
# The C library of the cross compiler, which QEMU puts before the system's.
LIBRARIES = os.environ.get("QEMU_LD_PREFIX", "/usr/aarch64-linux-gnu")
PROBES = "org.latkem.probes."


def programs(jar: Path, classes: Path) -> tuple[list[str], list[str]]:
    """How to run a class of the tests on this machine, and how on AArch64."""
    path = ["--enable-native-access=ALL-UNNAMED", "-cp", f"{jar}:{classes}"]
    emulated = ["qemu-aarch64", "-L", LIBRARIES, str(JDK / "bin" / "java"), "-Xint", "-XX:+UseSerialGC", *path]
    return ["java", *path], emulated


def main() -> int:
    maven.need("qemu-aarch64")
    if not (JDK / "bin" / "java").is_file():
        raise maven.Absent(f"no Java in {JDK.relative_to(maven.ROOT)} (bindings/java/tests/jdk25.sh)")
    jar, classes = maven.jar(), maven.test_classes()
    if INSIDE not in zipfile.ZipFile(jar).namelist():
        raise maven.Absent("the jar has no library for AArch64: its compiler is not here")
    here, there = programs(jar, classes)
    count = maven.Count()
    expected = maven.run([*here, PROBES + "Answers"]).stdout
    for name, wanted in (("Answers", expected), ("EveryCall", "done\n"), ("FirstUse", "fine=16\n")):
        done = maven.run([*there, PROBES + name])
        fine = done.returncode == 0 and done.stdout == wanted and wanted != ""
        print(done.stdout, end="" if fine else f"\nthat is not:\n{wanted}\n")
        count.add(name, "passed" if fine else "failed")
    return count.show()


if __name__ == "__main__":
    sys.exit(maven.close(main))
