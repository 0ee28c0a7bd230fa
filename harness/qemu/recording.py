"""Runs a program in QEMU with the plugin and reads back what each section executed.

SPDX-License-Identifier: Apache-2.0
"""

import re
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path

from executed.program import run
from executed.sections import Block, Section, block_of, read_words
from qemu.program import Program

HERE = Path(__file__).resolve().parent
CPU = "max,sve=off"  # all instructions that kernels use; without SVE, which the C library's memcpy would take
ACCESS = 1 << 63


def build_plugin(folder: Path, qemu: str) -> Path:
    """Compiles the plugin for this machine. Since its version 9 QEMU refuses plugins written for interface 1."""
    version = re.search(r"version (\d+)\.", run([qemu, "--version"]))
    interface = 1 if version and int(version[1]) < 9 else 2
    plugin = folder / "plugin.so"
    flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-fPIC", "-shared", f"-DPLUGIN_VERSION={interface}"]
    run(["cc", *flags, str(HERE / "plugin.c"), "-o", str(plugin)])
    return plugin


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
        return block_of(self.program, range(address, address + 4 * count, 4))
