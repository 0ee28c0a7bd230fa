#!/usr/bin/env python3
"""Measures how the tree is written: lengths of sentences in pages, and six patterns that make a reader go back.

A page is a Markdown file. Its sentences are those of paragraphs, list items and table cells, each a text of its own.
Code blocks, headings and the first row of a table are left out. Code in a line counts as one word, a link as its words,
and a fragment of fewer than four words is no sentence. The limits of a page are 28 words for nine sentences in ten
(p90) and 45 for the longest.

The patterns are counted in pages and in comments: C, C++, Java, Rust, SystemVerilog, assembly, Python with its
docstrings, shell, TOML, make and CMake.

tools/prose.toml holds the budgets. Each area, a folder at the top of the tree, has a number for each pattern, and a
page beyond the limits has its p90 and longest. A row that is missing is zero, or the limits. A budget may only fall:

    tools/prose.py                  checks the whole tree, and says which budgets can be lowered
    tools/prose.py --show PATH...   shows the findings in these files or folders, a line each, and the long sentences
    tools/prose.py --table          the counts of all areas and the pages, as a table
    tools/prose.py --write          lowers the budgets to the counts; it raises none

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import io
import math
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = "tools/prose.toml"
LIMIT_P90, LIMIT_LONGEST = 28, 45
FEWEST_WORDS = 4

BRACES = {".c", ".h", ".inc", ".cpp", ".hpp", ".java", ".sv", ".svh", ".v", ".rs", ".S"}
HASHES = {".sh", ".toml", ".mk", ".cmake"}
NAMES = {"Makefile": ".mk", "CMakeLists.txt": ".cmake", "run": ".sh"}

VERB = (
    r"(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|might|must|would|will|should|needs?|goes|go"
    r"|makes?|takes?|gives?|holds?|reads?|writes?|runs?|begins?|ends?|uses?|knows?|comes?|costs?|keeps?|depends?)"
)


@dataclass(frozen=True)
class Pattern:
    """An expression, with an example of what it finds and of what to write in its place."""

    expression: re.Pattern[str]
    finds: str
    write: str


PATTERNS = {
    "nominal": Pattern(
        re.compile(r"(?:^|(?<=[.!?:;] )|(?<=[.!?] [\"'(]))(?:What|Where|Who|Whoever|Whatever)\b(?![^.?!]*\?)"),
        '"What is known late enables registers."',
        '"A late signal enables registers."',
    ),
    "whose": Pattern(re.compile(r"\b(?:whose|of which)\b", re.IGNORECASE), "whose, of which", "two sentences"),
    "stands": Pattern(re.compile(r"\b(?:stands?|stood)\b", re.IGNORECASE), '"The table stands in a.c."', '"is"'),
    "tells": Pattern(re.compile(r"\b(?:tells?|told)\b", re.IGNORECASE), '"Nothing tells them apart."', '"they differ"'),
    "for": Pattern(
        re.compile(
            r", for (?!example|instance)(?:(?:it|they|there|he|she|we|you|nothing|none)\b"
            rf"|(?:(?!which|whom|that|who|where|each|every)[\w'-]+ ){{1,6}}?{VERB}\b)"
        ),
        '"The lane is free, for its job is complete."',
        '"because"',
    ),
    "archaic": Pattern(
        re.compile(r"\breckon\w*|\blest\b|\b(?:is|are|was|were) to be\b|(?<![\w.\])}/*])\.\d+\b(?!\.\d)", re.I),
        '"reckons", "lest", "is to be", ".92"',
        '"computes", "so that ... not", an imperative, "0.92"',
    ),
}


@dataclass(frozen=True)
class Text:
    """A paragraph, an item, a cell or a comment, with the line at which it begins."""

    line: int
    words: str


def plain(text: str) -> str:
    """Markdown within a line as words: code is one word, a link what is shown of it."""
    text = re.sub(r"<!--.*?-->|<[^<>]*>", " ", text)
    text = re.sub(r"(`+).+?\1", "Code", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    return " ".join(re.sub(r"\*+|(?<!\w)_+|_+(?!\w)", "", text).split())


MARK = re.compile(r"(\s*)(?:[-*+]|\d+[.)])(\s+)")


def page_texts(source: str) -> Iterator[Text]:
    """The texts of a Markdown page."""
    source = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), source, flags=re.DOTALL)
    begin = 0
    words: list[str] = []  # of the text at hand
    fence = ""
    indent = 0  # of the list item at hand
    blank = True
    rows = 0  # of the table at hand

    def end() -> Iterator[Text]:
        if words:
            yield Text(begin, plain(" ".join(words)))
        words.clear()

    for number, line in enumerate(source.split("\n"), 1):
        stripped = line.strip()
        if fence:
            fence = "" if stripped.startswith(fence) else fence
        elif stripped.startswith(("```", "~~~")):
            yield from end()
            fence = stripped[:3]
        elif not stripped:
            yield from end()
            blank, rows = True, 0
            continue
        elif blank and len(line) - len(line.lstrip()) >= indent + 4 and not MARK.match(line):
            continue  # code, until a line is indented less
        elif stripped.startswith("#"):
            yield from end()
            indent = 0
        elif stripped.startswith("|"):
            yield from end()
            rows += 1
            if rows > 2:  # after the head and its rule
                cells = re.sub(r"(`+).+?\1", "Code", stripped.strip("|"))
                yield from (Text(number, plain(cell)) for cell in re.split(r"(?<!\\)\|", cells))
        else:
            if mark := MARK.match(line):
                yield from end()
                indent = mark.end()
            elif blank and not line.startswith(" "):
                indent = 0
            begin = begin if words else number
            words.append(line[mark.end() :] if mark else stripped.lstrip("> "))
        blank = False
    yield from end()


def joined(lines: Iterable[tuple[int, str]]) -> Iterator[Text]:
    """Comments of lines that follow each other, up to an empty one, as one text."""
    begin, last = 0, -1
    words: list[str] = []
    for number, line in lines:
        if words and (number != last + 1 or not line.strip()):
            yield Text(begin, " ".join(" ".join(words).split()))
            words = []
        if line.strip():
            begin = begin if words else number
            words.append(line)
        last = number
    if words:
        yield Text(begin, " ".join(" ".join(words).split()))


IN_BRACES = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)


def brace_comments(source: str) -> Iterator[tuple[int, str]]:
    for found in IN_BRACES.finditer(source):
        if found[0][0] == "/":
            first = source.count("\n", 0, found.start()) + 1
            body = found[0].removeprefix("/*").removesuffix("*/")
            for number, line in enumerate(body.split("\n"), first):
                yield number, re.sub(r"^\s*(?:[/*]+!?|\*)", "", line)
            if found[0][1] == "*":
                yield first + body.count("\n"), ""


IN_HASHES = re.compile(r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|(?:^|(?<=\s))#+(?!!)[^\n]*', re.MULTILINE)


def hash_comments(source: str) -> Iterator[tuple[int, str]]:
    for found in IN_HASHES.finditer(source):
        if found[0][0] == "#":
            yield source.count("\n", 0, found.start()) + 1, found[0].lstrip("#")


def python_comments(source: str) -> Iterator[tuple[int, str]]:
    before = tokenize.INDENT
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("#!")
        elif token.type == tokenize.STRING and before in (tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE):
            body = token.string.strip("\"'rf")
            yield from enumerate(body.split("\n"), token.start[0])
        if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENCODING):
            before = token.type


def texts_of(name: str, source: str) -> list[Text]:
    """The texts of a file: none if it is of another kind."""
    kind = NAMES.get(Path(name).name, Path(name).suffix)
    if kind == ".md":
        return list(page_texts(source))
    if kind in BRACES:
        return list(joined(brace_comments(source)))
    if kind in HASHES:
        return list(joined(hash_comments(source)))
    return list(joined(python_comments(source))) if kind == ".py" else []


ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|cf|vs|no|sec|fig|al)\.$", re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    begin = 0
    for found in re.finditer(r"[.!?][\"')\]]*\s+(?=[\"'(\[]*\w)", text):
        if not ABBREVIATION.search(text[begin : found.start() + 1]):
            yield text[begin : found.end()].strip()
            begin = found.end()
    yield text[begin:].strip()


def length(sentence: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in sentence.split())


@dataclass(frozen=True)
class Lengths:
    """The words of a page's sentences: nine in ten have at most p90."""

    p90: int
    longest: int

    def within(self, other: "Lengths") -> bool:
        return self.p90 <= other.p90 and self.longest <= other.longest

    def least(self, other: "Lengths") -> "Lengths":
        return Lengths(min(self.p90, other.p90), min(self.longest, other.longest))


LIMITS = Lengths(LIMIT_P90, LIMIT_LONGEST)


def lengths(texts: Iterable[Text]) -> Lengths:
    counts = sorted(n for text in texts for each in sentences(text.words) if (n := length(each)) >= FEWEST_WORDS)
    return Lengths(counts[math.ceil(0.9 * len(counts)) - 1], counts[-1]) if counts else Lengths(0, 0)


def found_in(texts: Iterable[Text]) -> Iterator[tuple[int, str, str]]:
    """The line, the pattern and the words of each finding."""
    for text in texts:
        for name, pattern in PATTERNS.items():
            for found in pattern.expression.finditer(text.words):
                yield text.line, name, text.words[max(found.start() - 30, 0) : found.end() + 40]


def files(root: Path) -> Iterator[tuple[str, list[Text]]]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in sorted(set(names.split("\0"))):
        path = root / name
        known = NAMES.get(path.name, path.suffix) in {".md", ".py"} | BRACES | HASHES
        if known and path.is_file() and not path.is_symlink():
            yield name, texts_of(name, path.read_text())


def area_of(name: str) -> str:
    return name.split("/")[0] if "/" in name else "top"


@dataclass(frozen=True)
class Measure:
    """Counts, or budgets."""

    patterns: dict[str, Counter[str]]
    pages: dict[str, Lengths]


def measure(tree: Iterable[tuple[str, list[Text]]]) -> Measure:
    patterns: dict[str, Counter[str]] = defaultdict(Counter)
    pages = {}
    for name, texts in tree:
        patterns[area_of(name)].update(pattern for _, pattern, _ in found_in(texts))
        if name.endswith(".md"):
            pages[name] = lengths(texts)
    return Measure(dict(patterns), pages)


def read_budgets(path: Path) -> Measure:
    held = tomllib.loads(path.read_text())
    return Measure(
        {area: Counter(row) for area, row in held.get("patterns", {}).items()},
        {page: Lengths(row["p90"], row["longest"]) for page, row in held.get("pages", {}).items()},
    )


def lowered(budget: Measure, now: Measure) -> Measure:
    """The budgets, each no higher than what is counted."""
    patterns = {area: row & now.patterns.get(area, Counter()) for area, row in budget.patterns.items()}
    pages = {page: held.least(now.pages[page]) for page, held in budget.pages.items() if page in now.pages}
    return Measure(
        {area: row for area, row in patterns.items() if row},
        {page: held for page, held in pages.items() if not held.within(LIMITS)},
    )


def written(budget: Measure) -> str:
    lines = [
        "# Budgets of tools/prose.py: findings of each pattern in an area, and pages beyond the limits.",
        "# Numbers here only fall: `tools/prose.py --write` lowers them. SPDX-License-Identifier: Apache-2.0",
        "",
        "[patterns]",
    ]
    for area, row in sorted(budget.patterns.items()):
        counts = ", ".join(f"{name} = {row[name]}" for name in PATTERNS if row[name])
        lines.append(f'"{area}" = {{ {counts} }}')
    lines += ["", "[pages]"]
    for page, held in sorted(budget.pages.items()):
        lines.append(f'"{page}" = {{ p90 = {held.p90}, longest = {held.longest} }}')
    return "\n".join(lines) + "\n"


def excesses(budget: Measure, now: Measure) -> Iterator[str]:
    for area, row in sorted(now.patterns.items()):
        for name in PATTERNS:
            allowed = budget.patterns.get(area, Counter())[name]
            if row[name] > allowed:
                yield f"{area}: {row[name]} of '{name}', {allowed} allowed; tools/prose.py --show {area} shows them"
    for page, found in sorted(now.pages.items()):
        limits = budget.pages.get(page, LIMITS)
        if not found.within(limits):
            have = f"p90 {found.p90}, longest {found.longest}"
            yield f"{page}: {have} words, {limits.p90} and {limits.longest} allowed; tools/prose.py --show {page}"


def check(root: Path) -> int:
    budget, now = read_budgets(root / BUDGETS), measure(files(root))
    if not now.pages:
        print("prose: git lists no page here", file=sys.stderr)
        return 1
    failures = list(excesses(budget, now))
    for failure in failures:
        print(f"prose: {failure}", file=sys.stderr)
    if (root / BUDGETS).read_text() != written(lowered(budget, now)):
        print("prose: budgets can be lowered: tools/prose.py --write")
    return 1 if failures else 0


def shown(root: Path, wanted: list[str]) -> Iterator[str]:
    for name, texts in files(root):
        if not any(name == path or name.startswith(path.rstrip("/") + "/") for path in wanted):
            continue
        for line, pattern, words in found_in(texts):
            yield f"{name}:{line}: {pattern}: {words}"
        if name.endswith(".md"):
            for text in texts:
                for each in sentences(text.words):
                    if length(each) > LIMIT_P90:
                        yield f"{name}:{text.line}: {length(each)} words: {each}"


def table(now: Measure) -> Iterator[str]:
    yield f"{'area':12}" + "".join(f"{name:>9}" for name in PATTERNS)
    for area, row in sorted(now.patterns.items()):
        yield f"{area:12}" + "".join(f"{row[name]:9}" for name in PATTERNS)
    yield f"{'together':12}" + "".join(f"{sum(row[name] for row in now.patterns.values()):9}" for name in PATTERNS)
    yield f"\n{'page':32}  p90  longest"
    for page, found in sorted(now.pages.items()):
        yield f"{page:32}{found.p90:5}{found.longest:9}{'' if found.within(LIMITS) else '  beyond the limits'}"


def help_of_patterns() -> str:
    rows = [("pattern", "finds", "write")] + [(name, each.finds, each.write) for name, each in PATTERNS.items()]
    return "\n".join(f"    {name:9} {finds:46} {write}" for name, finds, write in rows)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=help_of_patterns(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--show", nargs="+", metavar="PATH", help="show what is counted in these files or folders")
    choice.add_argument("--table", action="store_true", help="print the counts of areas and pages")
    choice.add_argument("--write", action="store_true", help="lower the budgets to the counts")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show:
        print("\n".join(shown(options.root, [path.removeprefix("./") for path in options.show])))
    elif options.table:
        print("\n".join(table(measure(files(options.root)))))
    elif options.write:
        path = options.root / BUDGETS
        path.write_text(written(lowered(read_budgets(path), measure(files(options.root)))))
    else:
        return check(options.root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
