"""A program for x86-64: the classes of its instructions, and their text for llvm-mca.

SPDX-License-Identifier: Apache-2.0
"""

import re

from executed import program

CLASSES = ("scalar", "vector128", "vector256", "vector512")
UNMODELLED = ("syscall", "cpuid", "xgetbv", "rep", "nop", "endbr64", "data16", "cs")  # the last two begin long nops


class Program(program.Program):
    mca_options = ("-mtriple=x86_64",)
    classes = CLASSES

    @staticmethod
    def class_of(text: str) -> str:
        """By the widest register."""
        for register, name in (("%zmm", "vector512"), ("%ymm", "vector256"), ("%xmm", "vector128")):
            if register in text:
                return name
        return "scalar"

    @staticmethod
    def assembly(text: str) -> str:
        text = re.sub(r"\s*<[^>]*>|\s*#.*", "", text)
        mnemonic, _, operands = text.partition(" ")
        if mnemonic in UNMODELLED or mnemonic.startswith("nop"):
            return ""
        if mnemonic.startswith(("call", "ret")) or (mnemonic.startswith("jmp") and "*" not in operands):
            return "jmp 0"
        if mnemonic.startswith("j"):
            return text if "*" in operands else f"{mnemonic} 0"
        return text
