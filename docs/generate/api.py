#!/usr/bin/env python3
"""Writes docs/api.md, the reference of the libraries, from the comments of the public headers and the examples.

--check changes nothing and fails where the page differs or lacks a public function. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HEADERS = ROOT / "include/latkem"
PAGE = ROOT / "docs/api.md"

# Headers in the order in which one reads them, with the example that uses each; others follow by name.
EXAMPLES = {
    "latkem.h": "exchange.c",
    "derand.h": "",
    "workspace.h": "",
    "prepared.h": "server.cpp",
    "batch.h": "cmake/keys.c",
    "incremental.h": "",
    "backend.h": "",
    "kex.h": "",
    "hybrid.h": "hybrid.c",
    "hpke.h": "hpke.c",
}
MARK = r"LATKEM_(?:PROTOCOL_)?API "  # of a function


@dataclass
class Entry:
    """Declarations of a header and the comment above them."""

    code: str
    text: str

    @property
    def functions(self) -> list[str]:
        return re.findall(rf"^{MARK}[^(]*?(\w+)\(", self.code, re.M)

    @property
    def names(self) -> list[str]:
        """Of functions, a type, or else constants."""
        constants = re.findall(r"\b(LATKEM_\w+)", re.sub(r"/\*.*?\*/", "", self.code, flags=re.S))
        return self.functions or re.findall(r"(latkem_\w+)(?=[(;]| \{)", self.code)[:1] or constants

    @property
    def title(self) -> str:
        return ", ".join(self.names)

    def markdown(self) -> str:
        mark = re.search(MARK, self.code)
        code = re.sub(rf"^ {{{len(mark[0])}}}", "", self.code, flags=re.M).replace(mark[0], "") if mark else self.code
        return f"### {self.title}\n\n```c\n{code.strip()}\n```\n" + (f"\n{self.text}\n" if self.text else "")


def words(comment: str) -> str:
    """A comment as paragraphs of Markdown, with names as code. A paragraph of indented lines is a table."""
    text = re.sub(r"\n \* ?", "\n", comment).replace("SPDX-License-Identifier: Apache-2.0", "").strip()
    return "\n\n".join(paragraph(part) for part in text.split("\n\n"))


def paragraph(text: str) -> str:
    lines = text.split("\n")
    if all(line.startswith("  ") for line in lines):
        return "\n".join(["```text", *(line[2:] for line in lines), "```"])
    return re.sub(r"(?<![\w`])((?:latkem|LATKEM)_[\w*]+(?:\(\w*\))?)", r"`\1`", text)


def entries(path: Path) -> list[Entry]:
    """Blank lines separate the entries of our headers."""
    found = []
    for block in path.read_text().split("\n\n"):
        ((comment, code),) = re.findall(r"\A(?:/\* (.*?) ?\*/\n?)?(.*)\Z", block, re.S)
        if re.match(rf"{MARK}|typedef|enum", code) or (comment and code.startswith("#define LATKEM_")):
            found.append(Entry(code, words(comment)))
    return found


def anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def link(title: str) -> str:
    return f"[{title}](#{anchor(title)})"


def section(path: Path) -> str:
    text = words(re.findall(r"\A/\* (.*?) \*/", path.read_text(), re.S)[0])
    parts = [f"## {path.name}\n\n{text}\n", *(entry.markdown() for entry in entries(path))]
    if example := EXAMPLES.get(path.name):
        language = "c" if example.endswith(".c") else "cpp"
        code = (ROOT / "examples" / example).read_text()
        parts.append(f"### Example: {example}\n\n```{language}\n{code}```\n")
    return "\n".join(parts)


def headers() -> list[Path]:
    order = list(EXAMPLES)
    place = {name: order.index(name) for name in order}
    return sorted(
        HEADERS.glob("*.h"), key=lambda path: (of_protocol(path), place.get(path.name, len(order)), path.name)
    )


def of_protocol(path: Path) -> bool:
    return "\nLATKEM_PROTOCOL_API " in path.read_text()


def index(of: list[Path]) -> str:
    return "".join(f"- {link(path.name)}: {', '.join(link(entry.title) for entry in entries(path))}\n" for path in of)


def page() -> str:
    core = [path for path in headers() if not of_protocol(path)]
    protocol = [path for path in headers() if of_protocol(path)]
    return (
        "# Reference of the libraries\n\n<!-- Written by docs/generate/api.py from include/latkem and examples. -->\n\n"
        "The comments of the headers in one page, with the programs of [examples](../examples/README.md).\n\n"
        f"Of `liblatkem`:\n\n{index(core)}\n"
        f"Of `liblatkem-protocol`, which needs libcrypto ([protocol.md](protocol.md)):\n\n{index(protocol)}\n"
        + "\n".join(map(section, headers()))
    )


def undocumented() -> list[str]:
    """Public functions without an entry."""
    declared = re.findall(rf"^{MARK}[^(;]*?(\w+)\(", "".join(path.read_text() for path in headers()), re.M)
    told = {name for path in headers() for entry in entries(path) if entry.text for name in entry.functions}
    return [name for name in declared if name not in told]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail where the page is wrong, and change nothing")
    args = parser.parse_args()
    wanted = page()
    faults = [f"{name} has no comment in its header" for name in undocumented()]
    if not args.check:
        PAGE.write_text(wanted)
    elif PAGE.read_text() != wanted:
        faults.append("docs/api.md is not what the headers and examples say; run docs/generate/api.py")
    for fault in faults:
        print(f"api: {fault}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
