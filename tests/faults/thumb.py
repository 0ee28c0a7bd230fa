"""Facts about Thumb for the fault simulation: conditional branches, comparisons with zero, and blocks of IT.

SPDX-License-Identifier: Apache-2.0
"""

NOP = 0xBF00
WIDE_NOP = 0x8000F3AF


def halfwords(code: bytes) -> tuple[int, int]:
    first = int.from_bytes(code[:2], "little")
    return first, int.from_bytes(code[2:4], "little")


def it_block(code: bytes) -> int:
    """How many instructions follow the condition of an IT instruction; 0 for any other."""
    first, _ = halfwords(code)
    mask = first & 0xF
    if first >> 8 != 0xBF or mask == 0:
        return 0
    return 4 - ((mask & -mask).bit_length() - 1)


def nothing(size: int) -> bytes:
    """An instruction of a size that does nothing."""
    return (NOP if size == 2 else WIDE_NOP).to_bytes(size, "little")


def inverted(code: bytes) -> bytes | None:
    """The instruction with its condition inverted, or None where it has none."""
    first, _ = halfwords(code)
    if len(code) == 2 and first >> 12 == 0xD and first >> 8 & 0xF < 0xE:  # B, encoding T1
        first ^= 1 << 8
    elif len(code) == 2 and first & 0xF500 == 0xB100:  # CBZ, CBNZ
        first ^= 1 << 11
    elif it_block(code):
        lowest = first & -first & 0xF
        first ^= 1 << 4 | (0xF & -(lowest << 1))  # the mask repeats the condition's lowest bit
    elif len(code) == 4 and _is_wide_branch(code):  # B, encoding T3
        first ^= 1 << 6
    else:
        return None
    return first.to_bytes(2, "little") + code[2:]


def _is_wide_branch(code: bytes) -> bool:
    first, second = halfwords(code)
    return first >> 11 == 0b11110 and second & 0xD000 == 0x8000 and first >> 7 & 7 != 7
