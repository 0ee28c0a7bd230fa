"""Operands: how a decoded instruction's are read and written.

The encoding is read once. The results are functions of no argument that read, and functions of one argument that
write.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import iced_x86
from iced_x86 import Instruction, OpKind

from proofs.machine import terms as T
from proofs.machine.memory import Violation
from proofs.machine.processor import Lanes, Step, constant, relane
from proofs.machine.terms import Node
from proofs.machine.x86_64.registers import PLACES, RSP, Place

if TYPE_CHECKING:
    from proofs.machine.x86_64.machine import Machine

MNEMONICS: dict[int, str] = {v: k.lower() for k, v in vars(iced_x86.Mnemonic).items() if isinstance(v, int)}
NONE, RIP = iced_x86.Register.NONE, iced_x86.Register.RIP
_IMMEDIATES = {v for k, v in vars(OpKind).items() if k.startswith("IMMEDIATE")}
_BRANCHES = (OpKind.NEAR_BRANCH16, OpKind.NEAR_BRANCH32, OpKind.NEAR_BRANCH64)
_MOVES_UNALIGNED = {"movdqu", "movups", "movupd", "lddqu"}


class Operands:
    def __init__(self, ins: Instruction, machine: Machine) -> None:
        self.ins, self.machine = ins, machine
        self.mnemonic = MNEMONICS[ins.mnemonic]
        self.count: int = ins.op_count
        self.repeated: bool = ins.has_rep_prefix or ins.has_repne_prefix
        self.legacy = ins.encoding == iced_x86.EncodingKind.LEGACY

    # ---- what an operand is ----

    def is_memory(self, i: int) -> bool:
        return self.ins.op_kind(i) == OpKind.MEMORY

    def is_immediate(self, i: int) -> bool:
        return self.ins.op_kind(i) in _IMMEDIATES

    def is_branch(self, i: int) -> bool:
        return self.ins.op_kind(i) in _BRANCHES

    def place(self, i: int) -> Place:
        """The register that is operand i."""
        register = self.ins.op_register(i) if self.ins.op_kind(i) == OpKind.REGISTER else None
        if register not in PLACES:
            raise Violation(f"operand {i} is no register that is known")
        return PLACES[register]

    def is_file(self, i: int, file: str) -> bool:
        return self.ins.op_kind(i) == OpKind.REGISTER and self.place(i).file == file

    def width(self, i: int) -> int:
        """In bits; of an immediate that of the destination."""
        if self.is_memory(i):
            return iced_x86.MemorySizeInfo(self.ins.memory_size).size * 8
        return self.place(i).width if self.ins.op_kind(i) == OpKind.REGISTER else self.width(0)

    def immediate(self, i: int) -> int:
        return self.ins.immediate(i)

    # ---- addresses ----

    def _address_parts(self) -> tuple[int, int | None, int | None, int]:
        """Displacement, index of the base register, of the index register, scale."""
        ins = self.ins
        if ins.segment_prefix in (iced_x86.Register.FS, iced_x86.Register.GS):
            raise Violation("an address in a segment")
        registers: list[int | None] = []
        for r in (ins.memory_base, ins.memory_index):
            if r in (NONE, RIP):
                registers.append(None)
                continue
            place = PLACES.get(r)
            if place is None or place.file != "general" or place.width != 64:
                raise Violation("an address that is not of 64 bits")
            registers.append(place.number)
        return ins.memory_displacement, registers[0], registers[1], ins.memory_index_scale

    def address_term(self) -> Callable[[], Node]:
        """base + index * scale + displacement, as `lea` computes it of data as well."""
        displacement, base, index, scale = self._address_parts()
        gpr = self.machine.general

        def read() -> Node:
            a = T.const(displacement, 64)
            if base is not None:
                a = T.add(a, gpr[base])
            if index is not None:
                a = T.add(a, T.mul(gpr[index], T.const(scale, 64)))
            return a

        return read

    def address(self) -> Callable[[], int]:
        """An address that is used: it must be a constant."""
        displacement, base, index, scale = self._address_parts()
        gpr = self.machine.general

        def read() -> int:
            a = displacement
            if base is not None:
                a += constant(gpr[base], "the address")
            if index is not None:
                a += scale * constant(gpr[index], "the address")
            return a & 0xFFFFFFFFFFFFFFFF

        return read

    def base_address(self) -> Callable[[], int]:
        """Base and displacement of an address with a vector as its index."""
        ins, gpr = self.ins, self.machine.general
        place = PLACES.get(ins.memory_base)
        if place is None or place.file != "general" or place.width != 64:
            raise Violation("an address that is not of 64 bits")
        return lambda: ins.memory_displacement + constant(gpr[place.number], "the address")

    def _vector_address(self, bits: int) -> Callable[[], int]:
        """The address of a vector: instructions before AVX and the aligned moves want it aligned."""
        aligned = self.mnemonic.startswith(("movdqa", "movap", "vmovdqa", "vmovap", "movntdq", "vmovntdq"))
        if not aligned and not (self.legacy and bits == 128 and self.mnemonic not in _MOVES_UNALIGNED):
            return self.address()
        address = self.address()

        def read() -> int:
            at = address()
            if at % (bits // 8):
                raise Violation(f"the address {at:#x} is not aligned to {bits // 8} bytes")
            return at

        return read

    # ---- integers ----

    def read(self, i: int) -> Callable[[], Node]:
        """A general register, a mask, memory or an immediate, as one term."""
        w = self.width(i)
        if self.is_memory(i):
            address, load = self.address(), self.machine.memory.load
            return lambda: load(address(), w // 8)
        if self.is_immediate(i):
            n = T.const(self.immediate(i), w)
            return lambda: n
        place = self.place(i)
        file = self.machine.general if place.file == "general" else self.machine.k
        if place.file == "vector":
            raise Violation("a vector where an integer is expected")
        index, low = place.number, place.low
        if w == 64:
            return lambda: file[index]
        return lambda: T.extract(file[index], low, w)

    def write(self, i: int) -> Callable[[Node], None]:
        """Writing 32 bits of a general register clears those above; writing 8 or 16 keeps them."""
        if self.is_memory(i):
            address, store, w = self.address(), self.machine.memory.store, self.width(i)
            return lambda n: store(address(), _of_width(n, w))
        _, index, w, low = self.place(i)
        if self.is_file(i, "mask"):
            k = self.machine.k
            return lambda n: k.__setitem__(index, T.zext(n, 64))
        gpr = self.machine.general
        if w == 64:
            return lambda n: gpr.__setitem__(index, _of_width(n, 64))
        if w == 32:
            return lambda n: gpr.__setitem__(index, T.zext(_of_width(n, 32), 64))

        def put(n: Node) -> None:
            old = gpr[index]
            kept = [T.extract(old, 0, low)] if low else []
            gpr[index] = T.concat([*kept, _of_width(n, w), T.extract(old, low + w, 64 - low - w)])

        return put

    # ---- vectors ----

    def lanes(self, i: int, w: int, bits: int | None = None) -> Callable[[], Lanes]:
        """Operand i as lanes of w bits: a vector register's lowest `bits`, or memory, an element broadcast if so."""
        if not self.is_memory(i):
            index, width = self.place(i).number, bits or self.width(i)
            lanes = self.machine.lanes
            return lambda: lanes(index, width, w)
        if self.ins.is_broadcast:
            return self._broadcast(w)
        size = bits or self.width(i)
        address, load = self._vector_address(size), self.machine.memory.load
        step = min(64, size)

        def read() -> Lanes:
            at = address()
            self.machine.memory.check(at, size // 8, False)
            return relane([load(at + j // 8, step // 8) for j in range(0, size, step)], w)

        return read

    def _broadcast(self, w: int) -> Callable[[], Lanes]:
        element = iced_x86.MemorySizeInfo(self.ins.memory_size).element_size
        address, load, bits = self.address(), self.machine.memory.load, self.vector_bits()
        return lambda: relane([load(address(), element)] * (bits // 8 // element), w)

    def vector_bits(self) -> int:
        """The width of the vectors that the instruction works on: of the first that is a register."""
        for i in range(self.count):
            if self.is_file(i, "vector"):
                return self.width(i)
        raise Violation("no operand is a vector register")

    def mask(self) -> Callable[[], Node] | None:
        """The mask register that governs the destination's lanes."""
        if self.ins.op_mask == NONE:
            return None
        index, k = PLACES[self.ins.op_mask].number, self.machine.k
        return lambda: k[index]

    def masked_lanes(self, i: int, w: int) -> Callable[[], Lanes]:
        """Memory under the mask, as a move reads it: a lane with the bit 0 is not touched, and 0."""
        mask, address, load, bits = self.mask(), self.address(), self.machine.memory.load, self.vector_bits()
        if mask is None:
            raise Violation("a masked load without a mask")

        def read() -> Lanes:
            k, at = mask(), address()
            chosen = [constant(T.extract(k, j, 1), "the mask of a load") for j in range(bits // w)]
            return [load(at + j * w // 8, w // 8) if c else T.const(0, w) for j, c in enumerate(chosen)]

        return read

    def write_lanes(self, i: int = 0) -> Callable[[Lanes], None]:
        """Under the mask: a lane with the bit 0 becomes 0 or stays. A register is cleared above what is written, but by
        instructions before AVX, which keep it."""
        if self.is_memory(i):
            return self._store_lanes(i)
        index = self.place(i).number
        machine, mask = self.machine, self.mask()
        if self.legacy:
            return lambda lanes: machine.set_low_lanes(index, lanes)
        if mask is None:
            return lambda lanes: machine.set_lanes(index, lanes)
        zeroing = self.ins.zeroing_masking

        def put(lanes: Lanes) -> None:
            w, k = T.W[lanes[0]], mask()
            old = [T.const(0, w)] * len(lanes) if zeroing else machine.lanes(index, w * len(lanes), w)
            machine.set_lanes(index, [T.ite(T.extract(k, j, 1), n, old[j]) for j, n in enumerate(lanes)])

        return put

    def _store_lanes(self, i: int) -> Callable[[Lanes], None]:
        memory, mask = self.machine.memory, self.mask()
        address = self._vector_address(self.width(i))

        def put(lanes: Lanes) -> None:
            at, w = address(), T.W[lanes[0]]
            if mask is None:
                memory.check(at, w * len(lanes) // 8, True)
            for j, n in enumerate(lanes):
                if mask is None or constant(T.extract(mask(), j, 1), "the mask of a store"):
                    memory.store(at + j * w // 8, n)

        return put

    # ---- the stack ----

    def push(self, n: Node) -> None:
        gpr = self.machine.general
        sp = constant(gpr[RSP], "the stack pointer") - 8
        gpr[RSP] = T.const(sp, 64)
        self.machine.memory.store(sp, _of_width(n, 64))

    def pop(self) -> Node:
        gpr = self.machine.general
        sp = constant(gpr[RSP], "the stack pointer")
        gpr[RSP] = T.const(sp + 8, 64)
        return self.machine.memory.load(sp, 8)


def _of_width(n: Node, w: int) -> Node:
    if T.W[n] != w:
        raise Violation(f"{T.W[n]} bits are written where {w} belong")
    return n


Rule = Callable[[Operands], Step]  # what an instruction does: operands in, step out

# ---- forms ----


def form(ins: Instruction) -> str:
    """The name of a form, as the check counts: the mnemonic with the kinds and widths of its operands. An immediate of
    an instruction on vectors chooses among meanings, and is a part of the form."""
    names = [_operand_form(ins, i) for i in range(ins.op_count)]
    if any(is_vector(ins, i) for i in range(ins.op_count)):
        names = [f"{ins.immediate(i):#x}" if name == "imm" else name for i, name in enumerate(names)]
    if names and ins.op_mask != NONE:
        names[0] += "{k}{z}" if ins.zeroing_masking else "{k}"
    prefix = (
        "rep " if ins.has_rep_prefix else "repne " if ins.has_repne_prefix else "lock " if ins.has_lock_prefix else ""
    )
    mnemonic = MNEMONICS[ins.mnemonic]
    return mnemonic if mnemonic == "nop" else f"{prefix}{mnemonic} {', '.join(names)}".rstrip()


def is_vector(ins: Instruction, i: int) -> bool:
    place = PLACES.get(ins.op_register(i)) if ins.op_kind(i) == OpKind.REGISTER else None
    return place is not None and place.file == "vector"


def _operand_form(ins: Instruction, i: int) -> str:
    kind = ins.op_kind(i)
    if kind == OpKind.REGISTER:
        return _register_form(ins.op_register(i))
    if kind == OpKind.MEMORY:
        info = iced_x86.MemorySizeInfo(ins.memory_size)
        return f"m{info.element_size * 8}bcst" if ins.is_broadcast else f"m{info.size * 8}"
    if kind in _BRANCHES:
        return "rel"
    return "imm" if kind in _IMMEDIATES else "m"


def _register_form(register: int) -> str:
    place = PLACES.get(register)
    if place is None:
        return "other"
    if place.file == "general":
        return f"r{place.width}" + ("h" if place.low else "")
    return "k" if place.file == "mask" else {128: "xmm", 256: "ymm", 512: "zmm"}[place.width]
