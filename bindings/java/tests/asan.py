#!/usr/bin/env python3
"""Makes every call of the API, also from many threads, with a JNI library that AddressSanitizer and UBSan watch.

Usage: asan.py. LeakSanitizer cannot read a JVM's memory: leaks are what ResidentMemoryTest looks for.
SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
import sys
from pathlib import Path

import maven

TREE = maven.OUT / "asan"
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1"
PROBES = "org.latkem.probes."
OPTIONS = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0"  # the JVM handles its own faults


def build() -> Path:
    configure = ["cmake", "-S", str(maven.ROOT), "-B", str(TREE), "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
    configure += ["-DLATKEM_BUILD_JNI=ON", "-DLATKEM_BUILD_CLI=OFF", "-DLATKEM_BUILD_PROTOCOL=OFF"]
    configure += ["-DBUILD_TESTING=OFF", f"-DCMAKE_C_FLAGS={FLAGS}", "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,undefs"]
    subprocess.run(configure, check=True)
    subprocess.run(["cmake", "--build", str(TREE), "--parallel", "--target", "latkem_jni"], check=True)
    return next(TREE.rglob("liblatkem_jni.so"))


def runtime() -> str:
    """The library of AddressSanitizer, which must be there before the JVM begins."""
    path = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout
    if not Path(path.strip()).is_absolute():
        raise maven.Absent("gcc has no AddressSanitizer here")
    return path.strip()


def watched(library: Path, name: str) -> subprocess.CompletedProcess[str]:
    classes = f"{maven.MODULE / 'target' / 'classes'}:{maven.MODULE / 'target' / 'test-classes'}"
    command = [
        "java",
        "-XX:+UseSerialGC",
        "-Xmx128m",
        f"-Dlatkem.library.path={library}",
        "-cp",
        classes,
        PROBES + name,
    ]
    return subprocess.run(
        command, env={**os.environ, "ASAN_OPTIONS": OPTIONS, "LD_PRELOAD": runtime()}, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def main() -> int:
    maven.need("gcc", "java")
    maven.test_classes()
    library, count = build(), maven.Count()
    for name, wanted in (("EveryCall", "done\n"), ("FirstUse", "fine=16\n")):
        done = watched(library, name)
        fine = done.returncode == 0 and done.stdout == wanted
        print(done.stdout)
        count.add(name, "passed" if fine else "failed")
    return count.show()


if __name__ == "__main__":
    sys.exit(maven.close(main))
