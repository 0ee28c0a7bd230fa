"""An x86-64 processor on terms: executes functions of an image (System V AMD64 ABI).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence

from iced_x86 import Decoder, Instruction, Mnemonic

from proofs.machine import terms as T
from proofs.machine.image import Image
from proofs.machine.meanings import Meanings
from proofs.machine.memory import Memory, Violation
from proofs.machine.processor import RETURN, STACK_TOP, Decoded, Lanes, Processor, Registers, Step, constant, relane
from proofs.machine.terms import Node
from proofs.machine.x86_64 import crypto, flags, integer, mask, vector
from proofs.machine.x86_64.operands import Operands, Rule, form
from proofs.machine.x86_64.registers import ARGUMENTS, CALLEE_SAVED, GENERAL, RSP

STACK_ARGUMENTS = 64
INSTRUCTION_BYTES = 15
MEANINGS: Meanings[Rule] = Meanings(crypto.MEANINGS, integer.MEANINGS, mask.MEANINGS, vector.MEANINGS)


def _as_words(lanes: Lanes) -> Lanes:
    """Bytes that are no more than words moved, shifted or rotated stay words, for what computes on them next."""
    if T.W[lanes[0]] != 8 or len(lanes) % 8:
        return lanes
    words = relane(lanes, 64)
    return words if all(len(T.pieces(n)) <= 2 for n in words) else lanes


class Machine(Processor):
    """A vector register is kept as lanes of all 512 bits, as they were last written. `k` are the mask registers."""

    STACK_POINTER = RSP
    ARGUMENTS = ARGUMENTS
    STACK_SIZE = 0x40000
    RETURN_BYTES = 8
    NOP = b"\x90"
    flags: flags.Flags

    def __init__(self, image: Image, memory: Memory) -> None:
        super().__init__(image, memory)
        # Steps hold on to the lists of general registers and masks, and to the memory: they are changed in place.
        self.general = [T.fresh(64) for _ in GENERAL]
        self.k: list[Node] = [T.fresh(64) for _ in range(8)]
        self.vector = [[T.fresh(64) for _ in range(8)] for _ in range(32)]
        self.flags = flags.undefined

    # ---- registers ----

    def lanes(self, index: int, bits: int, w: int) -> Lanes:
        """The lowest bits of a vector register as lanes of w bits."""
        lanes = self.vector[index] = relane(self.vector[index], w)
        return lanes[: bits // w]

    def set_lanes(self, index: int, lanes: Lanes) -> None:
        """Writes the lowest bits and clears those above."""
        lanes = _as_words(lanes)
        w = T.W[lanes[0]]
        self.vector[index] = [*lanes, *[T.const(0, w)] * (512 // w - len(lanes))]

    def set_low_lanes(self, index: int, lanes: Lanes) -> None:
        """Writes the lowest bits and keeps those above."""
        lanes = _as_words(lanes)
        self.vector[index] = [*lanes, *self.lanes(index, 512, T.W[lanes[0]])[len(lanes) :]]

    def save(self) -> Registers:
        """The masks follow the general registers."""
        r = super().save()
        return r._replace(general=[*r.general, *self.k])

    def restore(self, r: Registers) -> None:
        super().restore(r)
        self.k[:] = r.general[len(GENERAL) :]

    # ---- calls ----

    def begin_call(self, arguments: Sequence[int]) -> None:
        if all(region.start != STACK_TOP for region in self.memory.regions):
            self.memory.region(STACK_TOP, STACK_ARGUMENTS, True, "arguments on the stack")
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            self.general[register] = T.const(value, 64)
        self.memory.put(STACK_TOP, [T.const(value, 64) for value in arguments[len(ARGUMENTS) :]])
        self.general[RSP] = T.const(STACK_TOP - 8, 64)
        self.memory.store(STACK_TOP - 8, T.const(RETURN, 64))

    def kept(self) -> dict[str, Node]:
        return {GENERAL[r]: self.general[r] for r in CALLEE_SAVED if r != RSP}

    def end_model(self) -> None:
        sp = self.stack_pointer
        self.pc = constant(self.memory.load(sp, 8), "the return address")
        for register in range(len(GENERAL)):
            if register not in CALLEE_SAVED:
                self.general[register] = T.fresh(64)
        self.vector[:] = [[T.fresh(64) for _ in range(8)] for _ in range(32)]
        self.k[:] = [T.fresh(64) for _ in range(8)]
        self.flags = flags.undefined
        self.general[RSP] = T.const(sp + 8, 64)

    # ---- instructions ----

    def decode(self, at: int) -> Decoded:
        ins = Decoder(64, self.image.code(at, INSTRUCTION_BYTES), ip=at).decode()
        return Decoded(ins, form(ins), ins.next_ip, ins.mnemonic == Mnemonic.RET, lambda: self._meaning(ins))

    @classmethod
    def addresses(cls, code: bytes, at: int) -> Iterator[int]:
        return (ins.ip for ins in Decoder(64, code, ip=at) if ins.mnemonic != Mnemonic.NOP)

    def _meaning(self, ins: Instruction) -> Step:
        operands = Operands(ins, self)
        rule = MEANINGS.get(operands.mnemonic)
        if rule is None or ins.has_lock_prefix:
            raise Violation(f"no meaning is known of {form(ins)}")
        return rule(operands)
