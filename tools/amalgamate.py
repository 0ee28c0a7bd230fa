#!/usr/bin/env python3
"""Writes the library as one C file and one header, for firmware and other builds that take sources: latkem.c, with the
portable backend and the parameter sets that are asked for, and latkem.h, all public headers in one.

CMake says which files a build of these sets has. Each is copied once, in the order in which they include each other.
The private names of a .c file would meet those of the others in one unit: its macros are undefined behind it, and its
names that another file has too get the file's name at their end. A name that could still be mistaken is an error. The
layout of the sources is relied upon: a declaration at file scope begins its line. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\d\w*|->|\s+|.', re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
INCLUDE = re.compile(r'\s*#\s*include ([<"])([^">]+)[">]')
MACRO = re.compile(r"^#\s*define (\w+)", re.M)
HEAD = """/* latkem {version} as one file: the portable backend, {sets}.
 * Written by tools/amalgamate.py from the sources. SPDX-License-Identifier: Apache-2.0 */
"""
# Inline functions of headers that this choice of sets does not need.
QUIET = '#if defined(__clang__)\n#pragma clang diagnostic ignored "-Wunused-function"\n#endif\n'


class Mistake(Exception):
    """A text that would not mean the same in one file as it does in many."""


@cache
def words(text: str) -> set[str]:
    """The identifiers of a text."""
    return {token for token in TOKEN.findall(text) if NAME.fullmatch(token)}


def macros(text: str) -> set[str]:
    return {name for name in MACRO.findall(text) if not name.startswith("_")}


def own_names(text: str) -> tuple[set[str], set[str]]:
    """The private names at file scope: functions and objects; types, their tags and constants."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    defined = set(re.findall(r"^[A-Z][A-Z_]+\((\w+)[^\n]*\)\n\{", text, flags=re.M))  # LK_PHASE(name, ...) and a body
    text = re.sub(r"\b(?:_Atomic|[A-Z][A-Z_]+)\([^()]*\)", "", text)  # _Atomic(...) and macros in place of a type
    objects = defined | set(re.findall(r"^static [^\n{]*?(\w+)(?:\(|\[| =|;)", text, flags=re.M))
    types = set(re.findall(r"^(?:typedef [^({;\n]*?(?=\w+[\[(;])|\} |struct (?=\w+ \{))(\w+)", text, flags=re.M))
    for constants in re.findall(r"^(?:typedef )?enum (?:\w+ )?\{(.*?)\}", text, flags=re.M | re.S):
        types |= set(re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"\([^()]*\)", "", constants)))
    return objects, types


def renamed(text: str, objects: set[str], types: set[str], suffix: str) -> str:
    """The text with these names changed. Members of structures have names of their own."""
    out, braces, before = [], [], ["", ""]
    for token in TOKEN.findall(text):
        if token == "{":
            braces.append(bool({"struct", "union"} & set(before)))
        elif token == "}" and braces:
            braces.pop()
        change = token in types or (token in objects and not (braces and braces[-1]))
        out.append(token + suffix if change and before[-1] not in (".", "->") else token)
        if not token.isspace() and not token.startswith(("/*", "//")):
            before = [before[-1], token]
    return "".join(out)


class Amalgamation:
    def __init__(self, tree: Path):
        built = (tree / "src" / "less" / "built.txt").read_text().splitlines()
        self.folders = [tree / "src" / "less", ROOT / "src"]
        self.sources = [name for name in built[0].split(";") if name]
        self.definitions = [name for name in built[1].split(";") if name]
        self.headers: dict[str, str] = {}  # those that are copied, in order
        self.texts = {name: self.read(name) for name in self.sources}
        # Macros that ask the system's headers for something come before all of them.
        self.sources.sort(key=lambda name: not re.search(r"^#define _", self.texts[name], re.M))

    def read(self, name: str) -> str:
        return next(folder / name for folder in self.folders if (folder / name).exists()).read_text()

    def reach(self, name: str, text: str) -> None:
        for line in text.splitlines():
            include = INCLUDE.match(line)
            if include and include[1] == '"' and include[2] not in self.texts:
                self.texts[include[2]] = self.read(include[2])
                self.headers[include[2]] = self.texts[include[2]]
                self.reach(include[2], self.texts[include[2]])

    def check(self) -> None:
        """Each name of a header has one home; a file's own names are not a header's macros, nor the reverse."""
        homes: dict[str, str] = {}
        for name, text in self.headers.items():
            for found in macros(text) | set().union(*own_names(text)):
                if homes.setdefault(found, name) != name:
                    raise Mistake(f"{found} is declared in {homes[found]} and in {name}")
        for name in self.sources:
            text = self.texts[name]
            for found in sorted(macros(text) & homes.keys()):
                raise Mistake(f"{found} is declared in {homes[found]}, and a macro of {name}")
            for found in sorted(set().union(*own_names(text)) & {m for h in self.headers.values() for m in macros(h)}):
                raise Mistake(f"{found} is a macro of {homes[found]}, and a name in {name}")

    def own(self, name: str) -> str:
        """A source with the names changed that another file has too."""
        objects, types = own_names(self.texts[name])
        others = {token for other, text in self.texts.items() if other != name for token in words(text)}
        return renamed(self.texts[name], objects & others, types & others, "_" + re.sub(r"\W", "_", name[:-2]))

    def expand(self, text: str, done: set[str], guards: int) -> str:
        """The text with the project's includes in place: once each, but those under an #if at every place."""
        out, depth = [], -guards
        for line in text.splitlines(keepends=True):
            depth += bool(re.match(r"#\s*if", line)) - bool(re.match(r"#\s*endif", line))
            include = INCLUDE.match(line)
            if include and include[2].startswith("latkem/"):
                name = "latkem.h"
                line = '#include "latkem.h"\n'
            elif include and include[1] == '"':
                name = include[2]
                line = self.expand(self.texts[name], done, name.endswith(".h"))
            else:
                out.append(line)
                continue
            if name not in done or name.endswith(".inc"):
                out.append(line)
            if depth == 0:
                done.add(name)
        return "".join(out)

    def source(self) -> str:
        for name in self.sources:
            self.reach(name, self.texts[name])
        self.check()
        out = [QUIET, *(f"#define {d}\n" for d in self.definitions)]
        done: set[str] = set()
        for name in self.sources:
            out.append(f"\n/* ---- src/{name} ---- */\n\n{self.expand(self.own(name), done, 0)}")
            out += [f"#undef {macro}\n" for macro in sorted(macros(self.texts[name]))]
        return "".join(out)


def header() -> str:
    """All public headers of the core, latkem.h first."""
    paths = sorted((ROOT / "include" / "latkem").glob("*.h"), key=lambda path: (path.name != "latkem.h", path.name))
    texts = [path.read_text() for path in paths]
    text = "\n".join(text for text in texts if "\nLATKEM_PROTOCOL_API " not in text)
    return re.sub(r"^#include <latkem/.*\n\n?", "", text, flags=re.M)


def configure(sets: str, small: bool, tree: Path) -> None:
    chosen = [f"LATKEM_SETS={sets}", "LATKEM_BACKENDS=portable", f"LATKEM_SMALL={'ON' if small else 'OFF'}"]
    any_compiler = "CMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"  # CC may be a cross compiler that links no program
    options = ["BUILD_TESTING=OFF", "LATKEM_BUILD_CLI=OFF", any_compiler, *chosen]
    command = ["cmake", "-S", str(ROOT), "-B", str(tree), *(f"-D{option}" for option in options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Mistake(done.stderr.strip())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="all", metavar="A;B", help="parameter sets as for LATKEM_SETS (all)")
    parser.add_argument("--small", action="store_true", help="the small build (LATKEM_SMALL)")
    parser.add_argument("out", type=Path, help="folder for latkem.c and latkem.h; CMake works in its folder `tree`")
    args = parser.parse_args()
    try:
        configure(args.sets, args.small, args.out / "tree")
        text, public = Amalgamation(args.out / "tree").source(), header()
    except Mistake as mistake:
        print(f"amalgamate: {mistake}", file=sys.stderr)
        return 1
    sets = "all parameter sets" if args.sets == "all" else args.sets.replace(";", ", ")
    version = re.search(r'LATKEM_VERSION "(.*)"', public)
    head = HEAD.format(version=version[1] if version else "", sets=sets)
    (args.out / "latkem.c").write_text(head + text)
    (args.out / "latkem.h").write_text(public)
    return 0


if __name__ == "__main__":
    sys.exit(main())
