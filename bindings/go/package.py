#!/usr/bin/env python3
"""Puts the C sources of src/sources.txt into internal/core, and packs the module into build/go/proxy, a folder that
GOPROXY takes. With --sources it only puts them there. The same tree gives the same bytes.

cgo compiles what lies in one folder, and has no options for one file. So names are flat, includes are written anew, and
the options of a file become pragmas at its beginning. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORE = HERE / "internal" / "core"
OUT = ROOT / "build" / "go"
MODULE = "latkem.org/latkem"
EPOCH = "1577836800"  # for a tree without SOURCE_DATE_EPOCH and without git
FOLDERS = ["include", "src", "protocol"]  # where the compiler of the table looks
INCLUDE = re.compile(r'^(\s*#\s*include\s+)["<]([^">]+)[">]', re.M)
# Windows is left with the portable code: its gcc aligns the stack too little for wide vectors, and assembly is for ELF.
MACHINES = {"any": ("", ""), "x86_64": ("amd64", "!windows"), "aarch64": ("arm64", "!windows")}
COMMON = ["-O3", "-std=c11", "-fvisibility=hidden", "-DNDEBUG", "-DLATKEM_BUILDING", "-DLATKEM_API="]
COMMON += ["-DLATKEM_PROTOCOL_API="]
NOT_PACKED = {"area.toml", "area.mk", ".gitignore", "tests", "__pycache__"}


def flat(path: Path, machine: str = "any") -> str:
    """The name of a file of the tree in internal/core: go build knows .h and not .inc."""
    parts = list(path.parts[path.parts[0] in ("include", "src") :])
    if path.suffix == ".inc":
        parts[-1] = f"{path.stem}_inc.h"
    stem, dot, suffix = "_".join(parts).rpartition(".")
    arch = MACHINES[machine][0]
    return f"{stem}_{arch}{dot}{suffix}" if arch else f"{stem}{dot}{suffix}"


def pragmas(options: list[str], assembly: bool) -> Iterator[str]:
    """The options of a file in its own text. Those of gcc's parameters have no such form, and are for speed alone."""
    plain = [option.removeprefix("gcc:") for option in options]
    target = [option.removeprefix("-m") for option in plain if option.startswith("-m")]
    if assembly:
        yield from (f".arch {name.removeprefix('arch=')}" for name in target)
        return
    if target:
        yield "#if defined(__clang__)"
        features = ",".join(target)
        yield f'#pragma clang attribute push(__attribute__((target("{features}"))), apply_to = function)'
        yield f'#else\n#pragma GCC target("{features}")\n#endif'
    if optimize := [option.removeprefix("-f") for option in plain if option.startswith("-f")]:
        names = ", ".join(f'"{name}"' for name in optimize)
        yield f"#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize({names})\n#endif"


def rewritten(tree: Path, path: Path) -> str:
    """The text of a file with includes that name the files of internal/core."""

    def replaced(match: re.Match[str]) -> str:
        folders = [path.parent, *(tree / folder for folder in FOLDERS)]
        found = next((file for folder in folders if (file := folder / match[2]).is_file()), None)
        return f'{match[1]}"{flat(Path(os.path.relpath(found, tree)))}"' if found else match[0]

    return INCLUDE.sub(replaced, path.read_text())


def source(tree: Path, machine: str, name: str, options: list[str]) -> str:
    path = tree / name
    head = list(pragmas(options, path.suffix == ".S"))
    if constraint := MACHINES[machine][1]:
        head = [f"//go:build {constraint}", "", *head]
    tail = ["#if defined(__clang__)\n#pragma clang attribute pop\n#endif"] if "#pragma clang" in "".join(head) else []
    return "\n".join([*head, rewritten(tree, path), *tail])


def definitions(rows: list[list[str]]) -> str:
    """The Go file with what every C file is compiled with."""
    lines = [f"#cgo CFLAGS: {' '.join(COMMON)}"]
    for machine, item, *_ in rows:
        if item.startswith("-D"):
            arch, constraint = MACHINES[machine]
            lines.append(f"#cgo {f'{arch},{constraint} ' if arch else ''}CFLAGS: {item}")
    return "\n".join(
        ["// Written by package.py.", "", "package core", "", *(f"// {line}" for line in lines), 'import "C"', ""]
    )


def contents(tree: Path) -> dict[str, str]:
    """The files of internal/core that are not in git."""
    rows = [line.split() for line in (tree / "sources.txt").read_text().splitlines() if not line.startswith("#")]
    files = {
        flat(Path(name), machine): source(tree, machine, name, options)
        for machine, name, *options in rows
        if name[0] != "-"
    }
    headers = [path for path in sorted(tree.rglob("*")) if path.suffix in (".h", ".inc")]
    files |= {flat(path.relative_to(tree)): rewritten(tree, path) for path in headers}
    if len(files) != len(headers) + sum(row[1][0] != "-" for row in rows):
        sys.exit("two files have one flat name")
    return files | {"definitions.go": definitions(rows)}


def put_sources() -> None:
    """Files that have not changed keep their times."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, ROOT / "tools" / "sources.py", "--copy", work], check=True)
        new = contents(Path(work))
    for path in CORE.iterdir():
        if path.suffix in (".c", ".h", ".S") and path.name not in new:
            path.unlink()
    for name, text in new.items():
        path = CORE / name
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
    shutil.copyfile(ROOT / "LICENSE", HERE / "LICENSE")


def go(*arguments: str, folder: Path = HERE, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs go with nothing from the network."""
    offline = {"GOFLAGS": "-buildvcs=false", "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    env = os.environ | offline | (env or {})
    return subprocess.run(["go", *arguments], cwd=folder, env=env, text=True, capture_output=True, check=False)


def succeed(*arguments: str, folder: Path = HERE, env: dict[str, str] | None = None) -> str:
    """Returns the output."""
    done = go(*arguments, folder=folder, env=env)
    if done.returncode != 0:
        sys.exit(f"go {' '.join(arguments)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def version() -> str:
    header = (ROOT / "include" / "latkem" / "latkem.h").read_text()
    found = re.search(r'^#define LATKEM_VERSION "(.+)"$', header, re.M)
    assert found
    return "v" + found[1]


def packed_files() -> list[Path]:
    paths = [path for path in HERE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    return sorted(path for path in paths if not NOT_PACKED & {*path.relative_to(HERE).parts})


def package() -> Path:
    """The module as a proxy of modules keeps it: https://go.dev/ref/mod#goproxy-protocol."""
    put_sources()
    shutil.rmtree(OUT / "proxy", ignore_errors=True)
    folder = OUT / "proxy" / MODULE / "@v"
    folder.mkdir(parents=True)
    number, when = version(), time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH)))
    (folder / "list").write_text(f"{number}\n")
    (folder / f"{number}.info").write_text(json.dumps({"Version": number, "Time": time.strftime("%FT%TZ", when)}))
    shutil.copyfile(HERE / "go.mod", folder / f"{number}.mod")
    with zipfile.ZipFile(folder / f"{number}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in packed_files():
            entry = zipfile.ZipInfo(f"{MODULE}@{number}/{path.relative_to(HERE).as_posix()}", when[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, path.read_bytes())
    succeed("vet", "./...")
    return OUT / "proxy"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", action="store_true", help="only put the sources in place")
    if parser.parse_args().sources:
        put_sources()
        return 0
    print(package().relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
