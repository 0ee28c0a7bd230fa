"""The libraries at work: on this machine, on an emulated ARM with Android's own C library, in an emulated arm64 JVM.

Each gives the answers to fixed seeds that this machine's own library gives, which is held to the official ones by the
tests of the Java library. SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from common import BUILD, HERE, ROOT, VERSION, artefacts, jars, javac, run
from screens import TREE, host_libraries

SETS = ["ML-KEM-768", "Saber", "NTRU-HPS-2048-677"]
FUNCTIONS = ["GenMatrix", "GenSecret", "MatrixVectorMul", "InnerProd", "packing", "SHA3-256", "SHA3-512", "randomness"]
FUNCTIONS += ["other"]
ABSENT = [3, 6, 25]  # of all parts: InnerProd and SHA3-512 in key generation, randomness in decapsulation


class Skipped(Exception):
    """Why a check cannot be made here."""


def library(abi: str) -> Path:
    return BUILD / "native" / abi / "bindings/java/latkem/liblatkem_jni.so"


def study(abi: str) -> Path:
    return BUILD / "native" / abi / "bindings/java/session-key/liblatkem_study.so"


def start(
    java: Sequence[str | Path],
    program: str,
    arguments: list[str],
    settings: dict[str, Path],
    env: dict[str, str] | None = None,
) -> list[str]:
    """The output of a program of checks/answers; of a JVM's warnings only what JNI's checks say."""
    classes, path = BUILD / "classes/answers", f"{BUILD / 'classes.jar'}:{BUILD / 'app.jar'}"
    javac(classes, list((HERE / "checks/answers").glob("*.java")), path, "--release", "11")
    properties = [f"-D{key}={value}" for key, value in settings.items()]
    told = run(*java, "-Xcheck:jni", *properties, "-cp", f"{classes}:{path}", program, *arguments, env=env)
    return [line for line in told.splitlines() if line and (not line.startswith("WARNING: ") or "JNI" in line)]


def ask(java: Sequence[str | Path], library: Path, env: dict[str, str] | None = None) -> list[str]:
    """The answers of a library in a JVM: the backend, and a line for each set."""
    return start(java, "Answers", SETS, {"latkem.library.path": library}, env)


def check_profile(java: Sequence[str | Path], abi: str, env: dict[str, str] | None = None) -> None:
    """That Saber's profile has its functions in all operations: GenMatrix leads, key generation has no InnerProd."""
    settings = {"latkem.library.path": library(abi), "java.library.path": study(abi).parent}
    told = start(java, "Profile", ["9"], settings, env)
    rows = [dict(word.split("=") for word in line.split()[1:]) for line in told]
    assert len(rows) == 3, rows
    for row in rows:
        assert list(row) == FUNCTIONS, row
        assert 96 <= sum(int(part) for part in row.values()) <= 104, row
    assert rows[0]["InnerProd"] == "0", rows[0]
    assert all(int(row["GenMatrix"]) > 10 for row in rows), rows


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
    link = ["-shared", "-fPIC", "-Wl,-soname,libc.so", "-Wl,--no-as-needed", "-o"]
    run(compiler, *link, folder / "libc.so", source)
    return folder


def x86_64() -> None:
    """The x86-64 libraries in this machine's JVM: answers and profile."""
    if os.uname().machine != "x86_64":
        raise Skipped("this machine is no x86-64")
    shim = libc_of_bionic("cc", BUILD / "shim/x86_64")
    environment = os.environ | {"LD_LIBRARY_PATH": str(shim)}
    lines = ask(["java"], library("x86_64"), env=environment)
    assert lines[1:] == expected(), "other answers"
    check_profile(["java"], "x86_64", env=environment)


def arm64_jvm() -> Path | None:
    """The `java` of an arm64 JVM that the tests of the Java library fetch, or LATKEM_ARM64_JAVA."""
    given = os.environ.get("LATKEM_ARM64_JAVA")
    found = [Path(given)] if given else sorted(ROOT.glob("build/jdk*-aarch64/**/bin/java"))
    return next((path for path in found if path.exists()), None)


def arm64_neon() -> None:
    """The arm64 libraries in an arm64 JVM under QEMU, with a CPU that has NEON and SHA-3: answers and profile."""
    java = arm64_jvm()
    compiler = shutil.which("aarch64-linux-gnu-gcc-12") or shutil.which("aarch64-linux-gnu-gcc")
    if not java or not compiler or not shutil.which("qemu-aarch64"):
        raise Skipped("no arm64 JVM (LATKEM_ARM64_JAVA), cross compiler or qemu-aarch64")
    shim = libc_of_bionic(compiler, BUILD / "shim/aarch64")
    emulated = ["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={shim}"]
    jvm = [*emulated, str(java), "-Xint", "-XX:+UseSerialGC"]
    lines = ask(jvm, library("arm64-v8a"))
    assert lines[0].startswith("backend neon"), lines[0]
    assert lines[1:] == expected(), "other answers"
    check_profile(jvm, "arm64-v8a")


def on_bionic(abi: str, bits: str) -> None:
    answers = BUILD / "answers.txt"
    answers.write_text("\n".join(expected()) + "\n")
    path, classes = jars(artefacts("unidbg")), BUILD / "classes/unidbg"
    javac(classes, [HERE / "checks/unidbg/Bionic.java"], path, "--release", "17")
    printed = run("java", "-cp", f"{classes}:{path}", "Bionic", library(abi), study(abi), bits, answers)
    lines = [line.strip() for line in printed.splitlines()]
    assert f"version {VERSION}" in lines, printed
    for name in SETS:
        assert name in lines, "; ".join(line for line in lines if line.startswith(name)) or printed
    (profile,) = (line.split()[1:] for line in lines if line.startswith("profile"))
    assert len(profile) == 3 * len(FUNCTIONS), profile
    assert [i for i, part in enumerate(profile) if part == "0"] == ABSENT, profile


def arm64_bionic() -> None:
    """The arm64 library on Android 6's C library, portable code."""
    on_bionic("arm64-v8a", "64")


def arm32_bionic() -> None:
    """The armeabi-v7a library on Android 6's C library."""
    on_bionic("armeabi-v7a", "32")


CHECKS = [x86_64, arm64_bionic, arm32_bionic]
DEEP = [arm64_neon]
