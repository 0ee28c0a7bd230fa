#!/usr/bin/env python3
"""Builds the AAR and the app's APK without Android's SDK and NDK, under bindings/java/android/build.

It installs nothing: it names the Debian packages that are missing, and Maven fetches jars as maven/*.xml lists them.

SPDX-License-Identifier: Apache-2.0
Usage: build.py
"""

import shutil
import zipfile
from pathlib import Path

from common import (
    AAR,
    ABIS,
    APK,
    BUILD,
    HERE,
    JAVA,
    ROOT,
    VERSION,
    artefacts,
    java_home,
    javac,
    missing_packages,
    run,
    step,
)

LIBRARIES = {"latkem_jni": "latkem", "latkem_study": "session-key"}
API = JAVA / "latkem/src/main/java/org/latkem"
STUDY = JAVA / "session-key/src/main/java/org/latkem/study"
APP = HERE / "app/src/main"
MIN_SDK = "21"
MOMENT = (2026, 1, 1, 0, 0, 0)


def is_stale(tree: Path, toolchain: Path) -> bool:
    """A tree keeps what it once took from its toolchain file."""
    made = tree / "build.ninja"
    inputs = [toolchain, *toolchain.with_suffix("").rglob("*")]
    return not made.exists() or max(file.stat().st_mtime for file in inputs) > made.stat().st_mtime


def native(abi: str) -> None:
    """The libraries of an ABI."""
    tree, toolchain = BUILD / "native" / abi, ROOT / "tools/toolchains/android.cmake"
    if is_stale(tree, toolchain):
        shutil.rmtree(tree, ignore_errors=True)
        options = ["LATKEM_BUILD_JNI=ON", "BUILD_SHARED_LIBS=OFF", "BUILD_TESTING=OFF", "LATKEM_INSTALL=OFF"]
        options += [f"CMAKE_TOOLCHAIN_FILE={toolchain}", f"ANDROID_ABI={abi}", "CMAKE_BUILD_TYPE=Release"]
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", tree, *(f"-D{option}" for option in options))
    run("ninja", "-C", tree, *LIBRARIES)


def library(abi: str, name: str) -> Path:
    return BUILD / "native" / abi / "bindings/java" / LIBRARIES[name] / f"lib{name}.so"


def add(archive: zipfile.ZipFile, name: str, content: bytes, packed: bool = True) -> None:
    """With a fixed time, so that the same files are the same bytes."""
    info = zipfile.ZipInfo(name, MOMENT)
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    archive.writestr(info, content)


def make_jar(path: Path, classes: Path) -> None:
    with zipfile.ZipFile(path, "w") as jar:
        for file in sorted(classes.rglob("*.class")):
            add(jar, file.relative_to(classes).as_posix(), file.read_bytes())


def compile_library(framework: Path) -> Path:
    """The plain API alone: the provider of org.latkem.jca needs javax.crypto.KEM, which Android has not."""
    classes = BUILD / "classes/library"
    javac(
        classes,
        [*API.glob("*.java"), *(HERE / "library/src/main/java").rglob("*.java")],
        str(framework),
        "--release",
        "11",
    )
    make_jar(BUILD / "classes.jar", classes)
    return BUILD / "classes.jar"


def write_aar(classes: Path) -> None:
    with zipfile.ZipFile(AAR, "w") as aar:
        add(aar, "AndroidManifest.xml", (HERE / "library/src/main/AndroidManifest.xml").read_bytes())
        add(aar, "classes.jar", classes.read_bytes())
        add(aar, "R.txt", b"")
        add(aar, "proguard.txt", (HERE / "library/proguard.txt").read_bytes())
        add(aar, "LICENSE", (ROOT / "LICENSE").read_bytes())
        for abi in ABIS:
            add(aar, f"jni/{abi}/liblatkem_jni.so", library(abi, "latkem_jni").read_bytes())


def link_resources(framework: Path) -> Path:
    """An APK of resources and the manifest, and R.java."""
    compiled, linked = BUILD / "resources.zip", BUILD / "resources.apk"
    major, minor, patch = (int(part) for part in VERSION.split("."))
    run("aapt2", "compile", "--dir", APP / "res", "-o", compiled)
    shutil.rmtree(BUILD / "generated/app", ignore_errors=True)
    options = ["--version-name", VERSION, "--version-code", str(10000 * major + 100 * minor + patch)]
    options += ["--min-sdk-version", MIN_SDK, "--target-sdk-version", "36", "--auto-add-overlay"]
    options += ["-I", framework, "--manifest", APP / "AndroidManifest.xml", "--java", BUILD / "generated/app"]
    run("aapt2", "link", *options, "-o", linked, compiled)
    return linked


def compile_app(framework: Path, classes: Path) -> Path:
    """The app and the scenario's classes, without those of its command line, as a jar."""
    sources = [*(APP / "java").rglob("*.java"), *(BUILD / "generated/app").rglob("R.java"), *STUDY.glob("*.java")]
    javac(BUILD / "classes/app", sources, f"{classes}:{framework}", "--release", "11")
    make_jar(BUILD / "app.jar", BUILD / "classes/app")
    return BUILD / "app.jar"


def dex(tools: Path, framework: Path, *inputs: Path) -> bytes:
    out = BUILD / "dex"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    (r8,) = tools.glob("r8-*.jar")
    libraries = ["--lib", str(framework), "--lib", str(java_home())]
    options = ["--release", "--min-api", MIN_SDK, *libraries, "--output", str(out)]
    run("java", "-cp", r8, "com.android.tools.r8.D8", *options, *inputs)
    return (out / "classes.dex").read_bytes()


def write_apk(resources: Path, code: bytes) -> None:
    unaligned, aligned = BUILD / "unaligned.apk", BUILD / "aligned.apk"
    shutil.copyfile(resources, unaligned)
    with zipfile.ZipFile(unaligned, "a") as apk:
        add(apk, "classes.dex", code)
        for abi in ABIS:
            for name in LIBRARIES:
                add(apk, f"lib/{abi}/lib{name}.so", library(abi, name).read_bytes(), packed=False)
    run("zipalign", "-f", "16384", unaligned, aligned)
    sign(aligned)


def sign(aligned: Path) -> None:
    """With a key that is made here and protects nothing."""
    store, password = BUILD / "throwaway.p12", "throwaway"
    if not store.exists():
        who = ["-alias", "latkem", "-dname", "CN=throw-away key of a local build"]
        kind = ["-keyalg", "EC", "-groupname", "secp256r1", "-storetype", "PKCS12", "-validity", "10000"]
        run("keytool", "-genkeypair", "-keystore", store, "-storepass", password, *kind, *who)
    run("apksigner", "sign", "--ks", store, "--ks-pass", f"pass:{password}", "--in", aligned, "--out", APK)
    APK.with_suffix(".apk.idsig").unlink(missing_ok=True)


def main() -> None:
    if missing := missing_packages():
        raise SystemExit(f"android: these Debian packages are missing: {' '.join(missing)}")
    tools = artefacts("build")
    (framework,) = tools.glob("android-all-*.jar")
    for abi in ABIS:
        with step(f"native libraries for {abi}"):
            native(abi)
    with step(f"AAR: {AAR.relative_to(ROOT)}"):
        classes = compile_library(framework)
        write_aar(classes)
    with step(f"APK: {APK.relative_to(ROOT)}"):
        resources = link_resources(framework)
        app = compile_app(framework, classes)
        write_apk(resources, dex(tools, framework, classes, app))


if __name__ == "__main__":
    main()
