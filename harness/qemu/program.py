"""A program for AArch64: the classes of its instructions, and their text for llvm-mca.

SPDX-License-Identifier: Apache-2.0
"""

import re

from executed import program

FEATURES = "+v8.4a,+sha3,+crypto"
CLASSES = ("scalar", "vector", "multiply", "load_store", "crypto")

CRYPTO = re.compile(r"(aes|sha\d)[a-z0-9]+$|eor3$|bcax$|rax1$|xar$")
LOAD_STORE = re.compile(r"(ld|st)[0-9a-z]+$|prfu?m$")
MULTIPLY = re.compile(r"(?!f)[a-z]*(mul|mla|mls|madd|msub|mneg|mlal|mlsl)[a-z0-9]*$")
VECTOR_REGISTER = re.compile(r"\b[vqdshb]\d+\b")


def is_relative(mnemonic: str, operands: str) -> bool:
    if mnemonic.startswith(("b.", "cb", "tb")) and not mnemonic.startswith("tbl") and mnemonic != "tbx":
        return True
    return mnemonic in ("adr", "adrp") or (mnemonic.startswith("ldr") and "[" not in operands)


class Program(program.Program):
    objdump_options = (f"--mattr={FEATURES}",)
    mca_options = ("-mtriple=aarch64", f"-mattr={FEATURES}")
    classes = CLASSES

    @staticmethod
    def class_of(text: str) -> str:
        mnemonic, _, operands = text.partition(" ")
        if CRYPTO.match(mnemonic):
            return "crypto"
        if LOAD_STORE.match(mnemonic):
            return "load_store"
        if MULTIPLY.match(mnemonic):
            return "multiply"
        return "vector" if VECTOR_REGISTER.search(operands) else "scalar"

    @staticmethod
    def assembly(text: str) -> str:
        text = re.sub(r"\s*<[^>]*>|\s*//.*", "", text)
        mnemonic, _, operands = text.partition(" ")
        if mnemonic in ("bl", "b"):
            return "b #0"
        if mnemonic in ("blr", "ret"):
            return f"br {operands or 'x30'}"
        if mnemonic == "svc":
            return ""
        if is_relative(mnemonic, operands):
            return f"{mnemonic} {re.sub(r'#?-?(0x)?[0-9a-f]+$', '#0', operands)}"
        return text
