"""AAR and APK as files: what is in them, and whether Android would load it. SPDX-License-Identifier: Apache-2.0"""

import re
import shutil
import struct
import zipfile
from pathlib import Path

from common import AAR, ABIS, APK, BUILD, HERE, ROOT, VERSION, artefacts, java_home, run

PAGE = 16384
MACHINES = {"arm64-v8a": "AArch64", "x86_64": "X86-64", "armeabi-v7a": "ARM"}
LISTED = set(re.findall(r"{ Name: (\w+)", (ROOT / "tools/toolchains/android/libc.ifs").read_text()))
DANGEROUS = re.compile(r"TEXTREL|RPATH|RUNPATH")


def scratch(name: str) -> Path:
    """The place of a file that is taken out of an archive."""
    folder = BUILD / "unpacked"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def unpacked() -> dict[str, Path]:
    """The libraries of both archives, as files."""
    found: dict[str, Path] = {}
    for archive in (AAR, APK):
        folder = scratch(archive.suffix[1:])
        with zipfile.ZipFile(archive) as content:
            names = [name for name in content.namelist() if name.endswith(".so")]
            content.extractall(folder, names)
        found |= {f"{archive.suffix[1:]}/{name}": folder / name for name in names}
    return found


def check_library(name: str, path: Path) -> None:
    abi = name.split("/")[-2]
    dynamic = run("llvm-readelf-19", "-hdW", path)
    symbols = run("llvm-readelf-19", "--dyn-syms", "-W", path)
    assert MACHINES[abi] in re.findall(r"Machine:.*", dynamic)[0], f"{name}: for another machine"
    assert re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) == ["libc.so"], f"{name}: needs more than libc.so"
    assert "BIND_NOW" in dynamic or "NOW" in dynamic, f"{name}: binds lazily"
    assert re.search(r"\(HASH\)", dynamic), f"{name}: has no table for loaders before Android 6"
    assert not DANGEROUS.search(dynamic), f"{name}: has text relocations or a search path"
    rows = [line.split() for line in symbols.splitlines() if re.match(r"\s*\d+:", line)]
    exported = [row[7] for row in rows if row[6] != "UND" and row[4] in ("GLOBAL", "WEAK")]
    wanted = {row[7].split("@")[0] for row in rows if row[6] == "UND" and len(row) > 7}
    assert exported == ["JNI_OnLoad"], f"{name}: exports {exported}"
    assert wanted <= LISTED, f"{name}: wants {sorted(wanted - LISTED)}"


def check_segments(name: str, path: Path) -> None:
    headers = [line.split() for line in run("llvm-readelf-19", "-lW", path).splitlines()]
    loads = [row for row in headers if row[:1] == ["LOAD"]]
    assert loads, f"{name}: no segments"
    for row in loads:
        assert int(row[-1], 16) >= PAGE, f"{name}: aligned to {row[-1]}"
        assert "RWE" not in "".join(row[6:-1]), f"{name}: can be written and run"
    (relro,) = (row for row in headers if row[:1] == ["GNU_RELRO"])
    assert (int(relro[2], 16) + int(relro[5], 16)) % PAGE == 0, f"{name}: RELRO ends within a page"
    (stack,) = (row for row in headers if row[:1] == ["GNU_STACK"])
    assert "E" not in "".join(stack[6:-1]), f"{name}: the stack can be run"


def check_paths(name: str, path: Path) -> None:
    for folder in (str(ROOT), str(Path.home())):
        assert folder.encode() not in path.read_bytes(), f"{name}: names {folder}"


def libraries() -> None:
    """ELF: machine, needs, exports, undefined symbols, alignment to 16 KiB, RELRO, no paths of this machine."""
    found = unpacked()
    assert sorted(ABIS) == sorted(MACHINES), f"ABIs: {ABIS}"
    assert len(found) == 3 * len(ABIS), f"{len(found)} libraries"
    for name, path in found.items():
        check_library(name, path)
        check_segments(name, path)
        check_paths(name, path)


def bionic() -> None:
    """The functions that the libraries may call are in the C libraries of Android 4.4 (32 bits) and 6 (64): none older
    can be had."""
    (jar,) = artefacts("unidbg").glob("unidbg-android-*.jar")
    with zipfile.ZipFile(jar) as content:
        for folder in ("sdk23/lib64", "sdk19/lib"):
            path = scratch("bionic.so")
            path.write_bytes(content.read(f"android/{folder}/libc.so"))
            has = set(re.findall(r"[TWiVDB] (\w+)", run("llvm-nm-19", "-D", "--defined-only", path)))
            assert len(has) > 1000, f"{folder}: cannot be read"
            assert has >= LISTED, f"{folder}: has no {sorted(LISTED - has)}"


def aar() -> None:
    """The AAR's files; the plain API's classes alone, of Java 11 at most."""
    with zipfile.ZipFile(AAR) as content:
        names = set(content.namelist())
        jar = scratch("classes.jar")
        jar.write_bytes(content.read("classes.jar"))
        assert b'minSdkVersion="21"' in content.read("AndroidManifest.xml")
    expected = {"AndroidManifest.xml", "classes.jar", "R.txt", "proguard.txt", "LICENSE"}
    assert names == expected | {f"jni/{abi}/liblatkem_jni.so" for abi in ABIS}, sorted(names)
    with zipfile.ZipFile(jar) as content:
        for name in content.namelist():
            assert re.fullmatch(r"org/latkem/\w+(\$\w+)*\.class", name), name
            assert struct.unpack(">H", content.read(name)[6:8])[0] <= 55, f"{name}: newer than Java 11"


def check_manifest(dump: str) -> None:
    """That the results go to whom they are shared with alone, and nothing into backups."""
    provider = dump[dump.index("E: provider") :]
    application = dump[dump.index("E: application") : dump.index("E: activity")]
    assert re.search(r":exported\(0x\w+\)=false", provider), "anybody may read the results"
    assert re.search(r":grantUriPermissions\(0x\w+\)=true", provider), "nobody can be given the results"
    assert re.search(r":allowBackup\(0x\w+\)=false", application), "its files go into backups"
    assert re.search(r":extractNativeLibs\(0x\w+\)=false", application), "libraries are unpacked beside the APK"


def apk() -> None:
    """apksigner, aapt2 and the zip itself on the APK."""
    run("apksigner", "verify", "--min-sdk-version", "21", APK)
    badging = run("aapt2", "dump", "badging", APK)
    for line in ("package: name='org.latkem.app'", "sdkVersion:'21'", "targetSdkVersion:'36'", "launchable-activity"):
        assert line in badging, f"no {line}"
    major, minor, patch = (int(part) for part in VERSION.split("."))
    version = f"versionCode='{10000 * major + 100 * minor + patch}' versionName='{VERSION}'"
    assert version in badging, f"not {version}"
    assert "uses-permission" not in badging, "it asks for a permission"
    check_manifest(run("aapt2", "dump", "xmltree", "--file", "AndroidManifest.xml", APK))
    assert all(f"'{abi}'" in badging for abi in ABIS), "an ABI is not there"
    with zipfile.ZipFile(APK) as content, APK.open("rb") as raw:
        for info in content.infolist():
            if info.filename.endswith(".so"):
                raw.seek(info.header_offset + 26)
                start = info.header_offset + 30 + sum(struct.unpack("<HH", raw.read(4)))
                assert info.compress_type == zipfile.ZIP_STORED, f"{info.filename}: packed"
                assert start % PAGE == 0, f"{info.filename}: begins within a page"


def natives_of(dump: str, name: str) -> set[str]:
    """The native methods of a class, as a dump of its byte code lists them."""
    text = next((part for part in re.split(r"(?m)^Class #", dump) if f"'L{name};'" in part.split("Superclass")[0]), "")
    return set(re.findall(r"name +: '(\w+)'\n +type +: .*\n +access +: 0x\w+ \([^)]*NATIVE", text))


def declared(source: Path) -> set[str]:
    return set(re.findall(r"static native [\w\[\]]+ (\w+)\(", source.read_text()))


def byte_code() -> None:
    """The APK's byte code: the classes that JNI_OnLoad and the manifest look up are there, the provider is not."""
    dump = run("dexdump", APK)
    for name in ("org/latkem/Native", "org/latkem/study/Native", "org/latkem/app/MainActivity"):
        assert f"'L{name};'" in dump, f"no {name}"
    assert "org/latkem/jca" not in dump, "the provider is in it"


def shrunk(rules: list[Path]) -> str:
    """A dump of what R8 makes of the app with rules."""
    out = BUILD / "r8"
    out.mkdir(exist_ok=True)
    tools = artefacts("build")
    (r8,), (framework,) = tools.glob("r8-*.jar"), tools.glob("android-all-*.jar")
    options = ["--release", "--min-api", "21", "--lib", str(framework), "--lib", str(java_home()), "--output", str(out)]
    options += [part for file in rules for part in ("--pg-conf", str(file))]
    run("java", "-cp", r8, "com.android.tools.r8.R8", *options, BUILD / "app.jar", BUILD / "classes.jar")
    return run("dexdump", out / "classes.dex")


def shrinking() -> None:
    """R8 keeps what the libraries look up, by proguard.txt; without that file it does not, so it is what counts."""
    entry = BUILD / "entry.txt"
    entry.write_text("-keep class org.latkem.app.MainActivity { <init>(); }\n")
    names = {"org/latkem/Native": ROOT / "bindings/java/latkem/src/main/java/org/latkem/Native.java"}
    names["org/latkem/study/Native"] = ROOT / "bindings/java/session-key/src/main/java/org/latkem/study/Native.java"
    kept = shrunk([entry, HERE / "library/proguard.txt", HERE / "app/proguard.txt"])
    for name, source in names.items():
        lost = declared(source) - natives_of(kept, name)
        assert not lost, f"{name}: R8 took {sorted(lost)}"
    assert not natives_of(shrunk([entry]), "org/latkem/Native"), "R8 keeps it without proguard.txt"


def api_level() -> None:
    """animal-sniffer: the plain API and the scenario call nothing that API 21 lacks."""
    goal, folder = "org.codehaus.mojo:animal-sniffer-maven-plugin:1.24:check", BUILD / "classes/sniffed"
    shutil.rmtree(folder, ignore_errors=True)
    elsewhere = shutil.ignore_patterns("BundledLibrary.class")
    shutil.copytree(BUILD / "classes/library", folder, ignore=elsewhere)
    shutil.copytree(BUILD / "classes/app/org/latkem/study", folder / "org/latkem/study")
    run("mvn", "-B", "-q", "-f", HERE / "maven/sniffer.xml", f"-Dclasses={folder}", goal)


CHECKS = [libraries, bionic, aar, apk, byte_code, api_level]
DEEP = [shrinking]
