"""Shared by building and testing for Android: folders, tools, jars of Maven. SPDX-License-Identifier: Apache-2.0"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
JAVA = HERE.parent
ROOT = JAVA.parent.parent
BUILD = HERE / "build"
ABIS = ["arm64-v8a", "x86_64", "armeabi-v7a"]

(VERSION,) = re.findall(r'LATKEM_VERSION "([\d.]+)"', (ROOT / "include/latkem/latkem.h").read_text())
AAR = BUILD / f"latkem-android-{VERSION}.aar"
APK = BUILD / f"latkem-app-{VERSION}.apk"

# Programs, and the Debian packages that have them.
PROGRAMS = {
    "cmake": "cmake",
    "ninja": "ninja-build",
    "clang-19": "clang-19",
    "ld.lld-19": "lld-19",
    "llvm-ifs-19": "llvm-19",
    "javac": "openjdk-17-jdk-headless",
    "mvn": "maven",
    "aapt2": "aapt",
    "zipalign": "zipalign",
    "apksigner": "apksigner",
}
JNI_H = Path("/usr/include/android/nativehelper/jni.h")


def missing_packages() -> list[str]:
    missing = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    return missing + ([] if JNI_H.exists() else ["android-libnativehelper-dev"])


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """The output of a command; if it fails all of that goes to the terminal, and an exception ends the program."""
    words = [str(part) for part in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    if done.returncode:
        sys.stderr.write(done.stdout)
        raise SystemExit(f"android: {command[0]} failed with status {done.returncode}")
    return done.stdout


@contextmanager
def step(what: str) -> Iterator[None]:
    """Says what is done, and how long it took where that was over two seconds."""
    print(f"android: {what}", flush=True)
    start = time.monotonic()
    yield
    if (seconds := time.monotonic() - start) > 2:
        print(f"android:   {seconds:.0f} s", flush=True)


def java_home() -> Path:
    if given := os.environ.get("JAVA_HOME"):
        return Path(given)
    compiler = shutil.which("javac")
    if not compiler:
        raise SystemExit("android: there is no javac; JAVA_HOME says where a JDK is")
    return Path(compiler).resolve().parent.parent


def artefacts(name: str) -> Path:
    """The folder of the jars that maven/NAME.xml lists, with all that they need."""
    pom, folder = HERE / f"maven/{name}.xml", BUILD / "maven" / name
    stamp = folder / "complete"
    if not stamp.exists() or stamp.stat().st_mtime < pom.stat().st_mtime:
        with step(f"Maven: {name}"):
            plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
            run("mvn", "-B", "-f", pom, plugin, f"-DoutputDirectory={folder}")
        stamp.touch()
    return folder


def jars(folder: Path) -> str:
    return os.pathsep.join(str(path) for path in sorted(folder.glob("*.jar")))


def javac(out: Path, sources: list[Path], class_path: str, *options: str) -> None:
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    run("javac", "-nowarn", *options, "-encoding", "UTF-8", "-cp", class_path, "-d", out, *sorted(sources))
