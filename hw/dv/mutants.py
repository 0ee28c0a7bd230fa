#!/usr/bin/env python3
"""Flips operators, conditions and constants of hw/rtl, one at a time, and shows that a test fails.

A mutant is killed if the model no longer builds, or one of its benches fails or does not end: first the unit benches
that read its file, then the whole core, last further programs of the core and cores of some operations and sets.
mutants.toml names the mutants that change nothing that a test could see, and says why. All happens in a copy under
build/hw/mutants. --units stops at the unit benches, and a survivor is one of these alone. --keep puts the shares into
hw/dv/figures. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "syn"))

import design
import synthesis
from cores import RTL, cores, module, source, test_of
from synthesis import ROOT

HERE = Path(__file__).resolve().parent
FIGURES = HERE / "figures" / "mutants.json"
WORK = synthesis.BUILD / "mutants"
COPY = WORK / "rtl"

# Benches in the order in which they are tried, each with the build folder that has it.
UNITS = [
    "ram_test",
    "front_test",
    "axil_test",
    "codec_test",
    "butterfly_3329_test",
    "butterfly_7681_test",
    "poly_3329_test",
    "poly_3329_8_test",
    "hash_test",
    "hash_rounds_2_test",
    "sampler_test",
    "saber_crt_test",
    "saber_poly_test",
    "saber_schoolbook_1_test",
    "ntru_words_test",
    "ntru_regroup_701_2_test",
    "ntru_codec_509_test",
    "ntru_codec_701_test",
    "ntru_data_509_1_test",
    "ntru_data_701_2_test",
    "ntru_array_71_2_test",
    "ntru_sorter_508_test",
    "ntru_inverse_149_test",
]
TESTS = ["core_test", "scheme_test", "stream_test", "residue_test"]
CORE = [f"{core.name}_{test}" for core in cores() for test in TESTS]
SUBSETS = [test_of(core.name, values) for core in cores() for values in core.subsets()]
TREES = {"unit": UNITS, "core": CORE, "subset": SUBSETS}
ONLY = TREES | {"core": ["core"]}
BUILD_SECONDS, TEST_SECONDS = 240, 120  # of CPU, each process

FLIPS = {
    **{"==": "!=", "!=": "==", "&&": "||", "||": "&&", "<": "<=", ">": ">=", ">=": ">", "!": "", "~": ""},
    **{"+": "-", "-": "+", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<"},
    **{"+=": "-=", "-=": "+=", "&=": "|=", "|=": "&=", "^=": "|="},
}
TOKEN = re.compile(
    r"(?P<sized>\b\d+'[bdh][0-9a-fA-F_]+\b)|(?P<fill>(?<![\w'])'[01]\b)|(?P<plain>(?<![\w'.$])\d+(?![\w'.]))"
    r"|(?P<operator><<<|>>>|===|!==|\+\+|--|\+:|-:|->|&&|\|\||<<|>>|[-+&|^=!<>]=|[-+&|^!~<>])"
)
# To be left alone: comments, strings, assertions, parameters, widths, types and the bounds of loops, because one more
# step seldom does anything.
SILENT = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|`ifndef SYNTHESIS.*?`endif|\bparameter\b[^\n]*|\.(?:Width|Depth)\([^\n]*"
    r"|\bint unsigned \w+Width = [^;]*|\b(?:logic|bit|int|wire)\b[^;=\n]*|\b\w+_[te] \[[^;=\n]*|\bfor \([^)]*\)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Mutant:
    file: str  # its name in tables: see cores.module
    at: int  # of the text
    old: str
    new: str
    line: int
    text: str = field(repr=False)  # the whole line

    def plant(self) -> None:
        text = self.source.read_text()
        self.copy.write_text(text[: self.at] + self.new + text[self.at + len(self.old) :])

    def restore(self) -> None:
        shutil.copyfile(self.source, self.copy)

    @property
    def source(self) -> Path:
        return source(self.file)

    @property
    def copy(self) -> Path:
        return COPY / self.source.relative_to(RTL)

    def __str__(self) -> str:
        return f"{self.source.relative_to(ROOT)}:{self.line}  {self.old} -> {self.new or 'nothing'}  in: {self.text}"


def logic(text: str) -> str:
    """The text with spaces in place of what is no logic."""
    return SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def another(kind: str | None, text: str) -> str | None:
    """The replacement for a token, if any."""
    if kind == "operator":
        return FLIPS.get(text)
    if kind == "fill":
        return "'1" if text == "'0" else "'0"
    if kind == "plain":
        return str(int(text) + 1)
    ((width, base, digits),) = re.findall(r"(\d+)'(.)(.*)", text)
    radix = {"b": 2, "d": 10, "h": 16}[base]
    value = (int(digits.replace("_", ""), radix) + 1) % (1 << int(width))
    return f"{width}'{base}{format(value, {2: 'b', 10: 'd', 16: 'x'}[radix])}"


def flips(code: str) -> Iterator[tuple[int, str, str]]:
    """The place, the token and its replacement."""
    for found in TOKEN.finditer(code):
        new = another(found.lastgroup, found[0])
        if new is not None:
            yield found.start(), found[0], new
    for found in re.finditer(r"\bif\s*(?=\()(?!\(!\w+\))", code):
        end, depth = found.end(), 0
        while depth or end == found.end():
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        old = code[found.end() : end]
        yield found.end(), old, f"(!{old})"


def mutants_of(file: str) -> list[Mutant]:
    text = source(file).read_text()
    lines = text.splitlines()
    made = []
    for at, old, new in sorted(flips(logic(text))):
        line = text.count("\n", 0, at) + 1
        made.append(Mutant(file, at, old, new, line, lines[line - 1].strip()))
    return made


def files() -> list[str]:
    """The sources with logic: the rules are assertions."""
    return sorted(module(path) for path in RTL.rglob("*.sv") if path.parent.name != "rules")


def within(file: str, only: str | None) -> bool:
    """Whether that is the file, or a folder that it is in, or nothing."""
    return only is None or file == only or file.startswith(f"{only}/")


def sample(every: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """One of each file, then any; the same ones for the same sources."""
    mixed = list(every)
    random.Random(seed).shuffle(mixed)
    first = {mutant.file: mutant for mutant in reversed(mixed)}.values()
    chosen = sorted(first, key=mixed.index)
    chosen += [mutant for mutant in mixed if mutant not in chosen][: max(0, count - len(chosen))]
    return sorted(chosen[:count], key=lambda mutant: (mutant.file, mutant.at))


def equivalents(every: list[Mutant]) -> dict[Mutant, str]:
    """The mutants that mutants.toml names, and why they change nothing. Each row must fit the code."""
    why = {}
    for row in tomllib.loads((HERE / "mutants.toml").read_text())["equivalent"]:
        wanted = (row["file"], row["line"], row["from"], row["to"])
        fitting = [mutant for mutant in every if (mutant.file, mutant.text, mutant.old, mutant.new) == wanted]
        if len(fitting) < row.get("nth", 1):
            raise ValueError(f"mutants.toml: no {row['from']} -> {row['to']} in {row['file']}: {row['line']}")
        why.update(dict.fromkeys([fitting[row["nth"] - 1]] if "nth" in row else fitting, row["why"]))
    return why


def call(command: list[str], seconds: int, **environment: str) -> int:
    """The status of a command; its output is kept. A process of it that takes more seconds of CPU is killed."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    with (WORK / "log").open("w") as out:
        done = subprocess.run(
            command, stdout=out, stderr=out, env={**os.environ, **environment}, preexec_fn=limit, check=False
        )
    return done.returncode


def run(bench: str, tree: str) -> int:
    where = WORK / tree / "hw" / "dv" / ("core" if tree == "core" else "")
    return call([str(where / bench), "--gtest_fail_fast", "--gtest_throw_on_failure", "--gtest_brief=1"], TEST_SECONDS)


def prepare(trees: dict[str, list[str]]) -> None:
    """Copies the sources, and configures these trees."""
    WORK.mkdir(parents=True, exist_ok=True)
    # As new files, because a run that was cut off may have left a mutant in what is built.
    shutil.copytree(RTL, COPY, dirs_exist_ok=True, copy_function=shutil.copyfile)
    for tree in trees:
        options = [f"-DLATKEM_RTL={COPY}", f"-DLATKEM_HW_ONLY={';'.join(ONLY[tree])}", "-DLATKEM_BUILD_HW=ON"]
        options += ["-DLATKEM_BUILD_CLI=OFF", "-DLATKEM_TEST_PARTS="]
        made(["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(WORK / tree), *options])


def see_them_pass(chosen: set[str], trees: dict[str, list[str]]) -> None:
    """Builds the benches of these files, and runs them."""
    needed = {found for file in chosen for found in benches(file, trees)}
    for bench, tree in sorted(needed):
        made(["ninja", "-C", str(WORK / tree), bench])
        if run(bench, tree) != 0:
            sys.exit(f"{bench} fails without a mutant: {WORK / 'log'}")


def made(command: list[str]) -> None:
    if call(command, BUILD_SECONDS) != 0:
        sys.exit(f"{' '.join(command[:3])} failed: {WORK / 'log'}")


def benches(file: str, trees: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Benches that read a file, and their trees. Sources that every bench reads are left to the cores."""
    for tree, names in trees.items():
        for name in names:
            listed = WORK / tree / "hw" / "dv" / f"{name}.sources"
            everywhere = tree == "unit" and file == "pkg"
            path = str(source(file).relative_to(RTL))
            if not everywhere and path in listed.read_text().split(";"):
                yield name, tree


def elaboration(log: str, bench: str) -> str:
    """A mutant that the model does not get through: it is refused, or does not end."""
    if "%Error" not in log and "CPU time limit exceeded" not in log:
        sys.exit(f"{bench} was not built, but not for the mutant: {WORK / 'log'}")
    return "elaboration"


def killer(mutant: Mutant, trees: dict[str, list[str]]) -> str | None:
    """The bench that notices a mutant."""
    mutant.plant()
    try:
        for bench, tree in benches(mutant.file, trees):
            # Each build here is made once: no compiler cache need keep it.
            if call(["ninja", "-C", str(WORK / tree), bench], BUILD_SECONDS, CCACHE_DISABLE="1") != 0:
                return elaboration((WORK / "log").read_text(errors="replace"), bench)
            if run(bench, tree) != 0:
                return bench
    finally:
        mutant.restore()
    return None


def share(killed: int, total: int) -> str:
    return f"{killed} of {total}" + (f" ({100 * killed / total:.1f} %)" if total else "")


def summary(results: dict[Mutant, str | None], why: dict[Mutant, str]) -> dict[str, Any]:
    """Shares of the mutants that could be noticed, in all and of each file."""
    counted = {mutant: by for mutant, by in results.items() if by or mutant not in why}
    total = Counter(mutant.file for mutant in counted)
    killed = Counter(mutant.file for mutant, by in counted.items() if by)
    survivors = [mutant for mutant, by in counted.items() if not by]
    return {
        "mutants": len(results),
        "equivalent": len(results) - len(counted),
        "killed": killed.total(),
        "by": dict(Counter(by for by in counted.values() if by).most_common()),
        "files": {file: {"killed": killed[file], "of": total[file]} for file in sorted(total)},
        "survivors": [{"file": m.file, "line": m.line, "from": m.old, "to": m.new, "text": m.text} for m in survivors],
    }


def tell(figures: dict[str, Any]) -> None:
    for file, row in figures["files"].items():
        print(f"  {file:34} {share(row['killed'], row['of'])}")
    print(f"killed {share(figures['killed'], figures['mutants'] - figures['equivalent'])}; ", end="")
    print(f"{figures['equivalent']} more change nothing (mutants.toml)")
    for row in figures["survivors"]:
        print(f"SURVIVES {row['file']}:{row['line']}  {row['from']} -> {row['to'] or 'nothing'}  in: {row['text']}")


def keep(figures: dict[str, Any], seed: int) -> None:
    FIGURES.parent.mkdir(exist_ok=True)
    stamp = {
        "date": date.today().isoformat(),
        "design": design.digests(),
        "seed": seed,
    }
    FIGURES.write_text(json.dumps({**stamp, **figures}, indent=2) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="so many mutants (60)")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", metavar="FILE", help="of this one, as in mlkem/mlkem_hash, or of its folder")
    parser.add_argument("--units", action="store_true", help="by unit benches alone, of files that have one")
    parser.add_argument("--list", action="store_true", help="show the mutants")
    parser.add_argument("--keep", action="store_true", help="keep the shares in hw/dv/figures")
    arguments = parser.parse_args()
    if arguments.units and arguments.keep:
        parser.error("shares are kept of all benches together")
    trees = {"unit": UNITS} if arguments.units else TREES
    every = [mutant for file in files() for mutant in mutants_of(file)]
    why = equivalents(every)
    chosen = [mutant for mutant in every if within(mutant.file, arguments.only)]
    if not chosen:
        sys.exit(f"no file or folder {arguments.only}")
    if not arguments.list:
        prepare(trees)
        chosen = [mutant for mutant in chosen if not arguments.units or any(benches(mutant.file, trees))]
    chosen = sample(chosen, arguments.count, arguments.seed)
    if arguments.list:
        print("\n".join(map(str, chosen)))
        return 0
    begin = time.monotonic()
    see_them_pass({mutant.file for mutant in chosen}, trees)
    results: dict[Mutant, str | None] = {}
    for number, mutant in enumerate(chosen, 1):
        results[mutant] = killer(mutant, trees)
        verdict = results[mutant] or ("changes nothing" if mutant in why else "SURVIVES")
        print(f"[{number}/{len(chosen)}] {time.monotonic() - begin:4.0f} s  {verdict}: {mutant}", flush=True)
    figures = summary(results, why)
    tell(figures)
    if arguments.keep:
        keep(figures, arguments.seed)
    return 1 if figures["survivors"] else 0


if __name__ == "__main__":
    sys.exit(main())
