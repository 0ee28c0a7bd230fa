"""Runs a program in QEMU with the plugin and reads back what each section executed.

SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from qemu.program import CLASSES, Program, class_of

HERE = Path(__file__).resolve().parent
CPU = "max,sve=off"  # all instructions that kernels use; without SVE, which the C library's memcpy would take
SECTION_END = 2**64 - 1
ACCESS = 1 << 63


@dataclass(eq=False)
class Block:
    """A piece of code that runs from its first instruction to its last. A recorder has one object for each."""

    address: int
    instructions: int
    classes: tuple[int, ...]
    functions: tuple[tuple[str, int], ...]

    @property
    def addresses(self) -> range:
        return range(self.address, self.address + 4 * self.instructions, 4)


@dataclass
class Section:
    """The instructions that one section executed, in order, but for the code of the program itself."""

    name: str
    blocks: list[Block]

    @cached_property
    def counted(self) -> Counter[Block]:
        return Counter(self.blocks)

    @property
    def instructions(self) -> int:
        return sum(count * block.instructions for block, count in self.counted.items())

    @property
    def classes(self) -> dict[str, int]:
        totals = [0] * len(CLASSES)
        for block, count in self.counted.items():
            totals = [total + count * part for total, part in zip(totals, block.classes, strict=True)]
        return dict(zip(CLASSES, totals, strict=True))

    @property
    def functions(self) -> dict[str, int]:
        """Instructions by function, the most first."""
        totals: Counter[str] = Counter()
        for block, count in self.counted.items():
            for name, part in block.functions:
                totals[name] += count * part
        return dict(totals.most_common())


def build_plugin(folder: Path, qemu: str) -> Path:
    """Compiles the plugin for this machine. Since its version 9 QEMU refuses plugins written for interface 1."""
    version = re.search(r"version (\d+)\.", run([qemu, "--version"]))
    interface = 1 if version and int(version[1]) < 9 else 2
    plugin = folder / "plugin.so"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-fPIC", "-shared", f"-DPLUGIN_VERSION={interface}"]
    run(["cc", *flags, str(HERE / "plugin.c"), "-o", str(plugin)])
    return plugin


def run(command: list[str], cwd: Path | None = None) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=cwd).stdout


class Recorder:
    def __init__(self, executable: Path, program: Program, plugin: Path, qemu: str) -> None:
        self.executable, self.program, self.plugin, self.qemu = executable, program, plugin, qemu
        self.blocks: dict[str, Block | None] = {}

    def record(self, *arguments: str) -> list[Section]:
        """Runs the program with these arguments; what does not count is left out."""
        names, blocks, traces = self.run(arguments)
        return [
            Section(name, [block for number in numbers if (block := blocks[number])])
            for name, numbers in zip(names, traces, strict=True)
        ]

    def run(self, arguments: Sequence[str], memory: bool = False) -> tuple[list[str], list[Block | None], list[array]]:
        """Runs the program: the lines it prints, the blocks, and section by section the numbers of those executed, with
        `memory` each followed by the addresses it accesses, in which the bit ACCESS is set.

        Neither the environment nor the program's place reach it: they lie on its stack, and copying takes other ways
        where the stack is elsewhere."""
        begin = self.program.address("latkem_section_begin")
        end = self.program.address("latkem_section_end")
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder) / "trace"
            options = f"{self.plugin},begin={begin:x},end={end:x},out={trace}{',memory=on' if memory else ''}"
            command = ["env", "-i", self.qemu, "-cpu", CPU, "-plugin", options, f"./{self.executable.name}"]
            printed = run([*command, *arguments], self.executable.parent)
            return printed.splitlines(), self.read_blocks(trace.with_suffix(".blocks")), list(read_words(trace))

    def read_blocks(self, path: Path) -> list[Block | None]:
        """The blocks in order of their numbers, None for those that do not count. QEMU may translate one twice."""
        lines = path.read_text().splitlines()
        for line in lines:
            if line not in self.blocks:
                self.blocks[line] = self.block(line)
        return [self.blocks[line] for line in lines]

    def block(self, line: str) -> Block | None:
        address, count = int(line.split()[0], 16), int(line.split()[1])
        addresses = range(address, address + 4 * count, 4)
        if not self.program.is_measured(address):
            return None
        classes = Counter(class_of(self.program.text[a]) for a in addresses)
        functions = Counter(self.program.function(a) for a in addresses)
        return Block(address, count, tuple(classes[name] for name in CLASSES), tuple(functions.items()))


def read_words(trace: Path) -> Iterator[array]:
    """The plugin's record, section by section."""
    words = array("Q")
    words.frombytes(trace.read_bytes())
    start = 0
    for _ in range(words.count(SECTION_END)):
        end = words.index(SECTION_END, start)
        yield words[start:end]
        start = end + 1
