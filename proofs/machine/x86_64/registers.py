"""The registers, and the meaning of their names in the decoder. SPDX-License-Identifier: Apache-2.0"""

from typing import NamedTuple

import iced_x86

RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI = range(8)
GENERAL = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{i}" for i in range(8, 16))]
CALLEE_SAVED = [RBX, RSP, RBP, 12, 13, 14, 15]  # System V AMD64 ABI, 3.2.1
ARGUMENTS = [RDI, RSI, RDX, RCX, 8, 9]

NAMES: dict[int, str] = {v: k.lower() for k, v in vars(iced_x86.Register).items() if isinstance(v, int)}


class Place(NamedTuple):
    """Bits [low, low + width) of a register."""

    file: str  # "general", "vector" or "mask"
    number: int
    width: int
    low: int


def _place(register: int) -> Place | None:
    name = NAMES[register]
    info = iced_x86.RegisterInfo(register)  # type: ignore[arg-type]  # outside of its types, a register is an int
    whole = NAMES[info.full_register]
    if whole in GENERAL:
        return Place("general", GENERAL.index(whole), info.size * 8, 8 if name in ("ah", "bh", "ch", "dh") else 0)
    if name[:3] in ("xmm", "ymm", "zmm"):
        return Place("vector", int(name[3:]), info.size * 8, 0)
    if name[0] == "k" and name[1:].isdigit():
        return Place("mask", int(name[1:]), 64, 0)
    return None


PLACES: dict[int, Place] = {r: p for r in NAMES if r and (p := _place(r)) is not None}
