"""The libraries at work: on this machine, on an emulated ARM with Android's own C library, in an emulated arm64 JVM.

Each gives the answers to fixed seeds that this machine's own library gives, which is held to the official ones by the
tests of the Java library. SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
from functools import cache
from pathlib import Path

from common import BUILD, HERE, ROOT, VERSION, artefacts, jars, javac, run
from screens import TREE, host_libraries

SETS = ["ML-KEM-768", "Saber", "NTRU-HPS-2048-677"]


class Skipped(Exception):
    """Why a check cannot be made here."""


def library(abi: str) -> Path:
    return BUILD / "native" / abi / "bindings/java/latkem/liblatkem_jni.so"


def ask(java: list[str | Path], library: Path, **options) -> list[str]:
    """The answers of a library in a JVM: the backend, and a line for each set. What JNI's checks say is one more."""
    jar, classes = BUILD / "classes.jar", BUILD / "classes/answers"
    javac(classes, [HERE / "tests/answers/Answers.java"], str(jar), "--release", "11")
    path = f"{classes}:{jar}"
    told = run(*java, "-Xcheck:jni", f"-Dlatkem.library.path={library}", "-cp", path, "Answers", *SETS, **options)
    return [line for line in told.splitlines() if not line.startswith("WARNING: ") or "JNI" in line]


@cache
def expected() -> list[str]:
    host_libraries()
    lines = ask(["java"], TREE / "bindings/java/latkem/liblatkem_jni.so")
    assert len(lines) == 1 + len(SETS), lines
    return lines[1:]


def libc_of_bionic(compiler: str, folder: Path) -> Path:
    """A libc.so for glibc's loader: bionic's name for errno, and all else from glibc."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "libc.c"
    source.write_text("int *__errno_location(void);\nint *__errno(void)\n{\n    return __errno_location();\n}\n")
    link = ["-shared", "-fPIC", "-Wl,-soname,libc.so", "-Wl,--no-as-needed", "-o", folder / "libc.so"]
    run(compiler, *link, source)
    return folder


def x86_64() -> None:
    """The x86-64 library in this machine's JVM."""
    if os.uname().machine != "x86_64":
        raise Skipped("this machine is no x86-64")
    shim = libc_of_bionic("cc", BUILD / "shim/x86_64")
    lines = ask(["java"], library("x86_64"), env=os.environ | {"LD_LIBRARY_PATH": str(shim)})
    assert lines[1:] == expected(), "other answers"


def arm64_jvm() -> Path | None:
    """The `java` of an arm64 JVM that the tests of the Java library fetch, or LATKEM_ARM64_JAVA."""
    given = os.environ.get("LATKEM_ARM64_JAVA")
    found = [Path(given)] if given else sorted(ROOT.glob("build/jdk*-aarch64/**/bin/java"))
    return next((path for path in found if path.exists()), None)


def arm64_neon() -> None:
    """The arm64 library in an arm64 JVM under QEMU, whose CPU has NEON and SHA-3."""
    java = arm64_jvm()
    compiler = shutil.which("aarch64-linux-gnu-gcc-12") or shutil.which("aarch64-linux-gnu-gcc")
    if not java or not compiler or not shutil.which("qemu-aarch64"):
        raise Skipped("no arm64 JVM (LATKEM_ARM64_JAVA), cross compiler or qemu-aarch64")
    shim = libc_of_bionic(compiler, BUILD / "shim/aarch64")
    emulated = ["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={shim}"]
    lines = ask([*emulated, java, "-Xint", "-XX:+UseSerialGC"], library("arm64-v8a"))
    assert lines[0] in ("backend neon", "backend neon-sha3"), lines[0]
    assert lines[1:] == expected(), "other answers"


def on_bionic(abi: str, bits: str) -> None:
    answers = BUILD / "answers.txt"
    answers.write_text("\n".join(expected()) + "\n")
    path, classes = jars(artefacts("unidbg")), BUILD / "classes/unidbg"
    javac(classes, [HERE / "tests/unidbg/Bionic.java"], path, "--release", "17")
    printed = run("java", "-cp", f"{classes}:{path}", "Bionic", library(abi), bits, answers)
    lines = [line.strip() for line in printed.splitlines()]
    assert f"version {VERSION}" in lines, printed
    for name in SETS:
        assert name in lines, "; ".join(line for line in lines if line.startswith(name)) or printed


def arm64_bionic() -> None:
    """The arm64 library on Android 6's C library, portable code."""
    on_bionic("arm64-v8a", "64")


def arm32_bionic() -> None:
    """The armeabi-v7a library on Android 6's C library."""
    on_bionic("armeabi-v7a", "32")


CHECKS = [x86_64, arm64_bionic, arm32_bionic]
DEEP = [arm64_neon]
