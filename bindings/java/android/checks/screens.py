"""The app on a made-up phone: Robolectric runs Android 14's framework and graphics on this machine's JVM.

SPDX-License-Identifier: Apache-2.0
"""

import re
import zipfile
from pathlib import Path

from common import BUILD, HERE, ROOT, artefacts, jars, javac, run

SOURCES = HERE / "checks/robolectric"
PICTURES = BUILD / "pictures"
TREE = BUILD / "native/host"
OPENED = ["java.lang", "java.util", "java.io", "java.net", "java.security"]


def host_libraries() -> str:
    """The same libraries for this machine, as a path."""
    if not (TREE / "build.ninja").exists():
        options = ["LATKEM_BUILD_JNI=ON", "BUILD_SHARED_LIBS=OFF", "BUILD_TESTING=OFF", "LATKEM_INSTALL=OFF"]
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", TREE, *(f"-D{option}" for option in options))
    run("ninja", "-C", TREE, "latkem_jni", "latkem_study")
    return ":".join(str(TREE / "bindings/java" / folder) for folder in ("latkem", "session-key"))


def unpack_archives(folder: Path) -> None:
    """Maven leaves Android's archives as they are; their classes are jars."""
    for archive in folder.glob("*.aar"):
        with zipfile.ZipFile(archive) as content:
            archive.with_suffix(".aar.jar").write_bytes(content.read("classes.jar"))


def class_path() -> str:
    folder = artefacts("robolectric")
    unpack_archives(folder)
    instrumented = BUILD / "maven/instrumented"
    instrumented.mkdir(parents=True, exist_ok=True)
    for jar in folder.glob("android-all-instrumented-*.jar"):
        jar.rename(instrumented / jar.name)
    (framework,) = artefacts("build").glob("android-all-*.jar")
    return f"{jars(folder)}:{framework}"


def write_settings(folder: Path) -> None:
    settings = folder / "com/android/tools/test_config.properties"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f"android_custom_package=org.latkem.app\n"
        f"android_resource_apk={BUILD / 'resources.apk'}\n"
        f"android_merged_manifest={HERE / 'app/src/main/AndroidManifest.xml'}\n"
    )


def logic() -> None:
    """Choosing, running, rotating, cancelling, sharing, on Android 14's framework."""
    run_tests("LogicTest")


def pictures() -> None:
    """Start, running, done, dark, large letters, landscape: drawn, and touches of 48 dp."""
    run_tests("ScreensTest")


def run_tests(name: str) -> None:
    PICTURES.mkdir(exist_ok=True)
    classes, ours = BUILD / "classes/robolectric", f"{BUILD / 'app.jar'}:{BUILD / 'classes.jar'}"
    path = f"{ours}:{class_path()}"
    javac(classes, list(SOURCES.rglob("*.java")), path, "--release", "17")
    write_settings(classes)
    options = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    options += ["-Drobolectric.offline=true", f"-Drobolectric.dependency.dir={BUILD / 'maven/instrumented'}"]
    options += [f"-Dlatkem.pictures={PICTURES}", f"-Djava.library.path={host_libraries()}"]
    printed = run("java", *options, "-cp", f"{classes}:{path}", "org.junit.runner.JUnitCore", f"org.latkem.app.{name}")
    assert re.search(r"^OK \(\d+ tests\)", printed, re.M), printed


CHECKS = [logic, pictures]
