"""The library as a microcontroller has it: built for Cortex-M4 and run in Unicorn.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import struct
import subprocess
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.construct.lib import Container
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from unicorn import (
    UC_ARCH_ARM,
    UC_HOOK_CODE,
    UC_MODE_MCLASS,
    UC_MODE_THUMB,
    UC_PROT_EXEC,
    UC_PROT_READ,
    UC_PROT_WRITE,
    Uc,
    UcError,
)
from unicorn.arm_const import (
    UC_ARM_REG_LR,
    UC_ARM_REG_PC,
    UC_ARM_REG_R0,
    UC_ARM_REG_R1,
    UC_ARM_REG_R2,
    UC_ARM_REG_R3,
    UC_ARM_REG_R4,
    UC_ARM_REG_R5,
    UC_ARM_REG_R6,
    UC_ARM_REG_R7,
    UC_ARM_REG_R8,
    UC_ARM_REG_R9,
    UC_ARM_REG_R10,
    UC_ARM_REG_R11,
    UC_ARM_REG_R12,
    UC_ARM_REG_SP,
    UC_ARM_REG_XPSR,
    UC_CPU_ARM_CORTEX_M4,
)

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = [
    "kem_find",
    "keypair_derand",
    "encaps_derand",
    "decaps",
    "ek_bytes",
    "dk_bytes",
    "ct_bytes",
    "seed_bytes",
    "coins_bytes",
]
PAGE = 0x1000
STACK, STACK_BYTES = 0x20000000, 0x20000
BUFFERS, BUFFERS_BYTES = 0x21000000, 0x8000
DATA = 0x22000000
END = 0x10000000  # where a call returns to
ALWAYS = 1 << 40  # instructions: never none, because code that Unicorn translated without counting is not counted
SHARED_KERNEL = re.compile(r"lk_(?:schoolbook|negacyclic)|lk_\w+_c$")
ARGUMENTS = [UC_ARM_REG_R0, UC_ARM_REG_R1, UC_ARM_REG_R2, UC_ARM_REG_R3]
REGISTERS = [
    *ARGUMENTS,
    *(UC_ARM_REG_R4, UC_ARM_REG_R5, UC_ARM_REG_R6, UC_ARM_REG_R7, UC_ARM_REG_R8, UC_ARM_REG_R9),
    *(UC_ARM_REG_R10, UC_ARM_REG_R11, UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR, UC_ARM_REG_XPSR, UC_ARM_REG_PC),
]


def build(tree: Path, sets: str, level: str, small: bool) -> Path:
    """Builds the library, or the small one, at a level and links a program of its calls; returns the program."""
    program = tree / "firmware.elf"
    tree.mkdir(parents=True, exist_ok=True)
    toolchain = ROOT / "tools/toolchains" / ("cortex-m4-small.cmake" if small else "cortex-m4.cmake")
    configure = [
        *("cmake", "-S", str(ROOT), "-B", str(tree), f"-DCMAKE_TOOLCHAIN_FILE={toolchain}"),
        *("-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DCMAKE_C_FLAGS_MINSIZEREL={level} -g -DNDEBUG", f"-DLATKEM_SETS={sets}"),
        *("-DBUILD_TESTING=OFF", "-DLATKEM_BUILD_CLI=OFF", "-DLATKEM_OS_RANDOM=OFF"),
    ]
    link = [
        *(
            "arm-none-eabi-gcc",
            "-mcpu=cortex-m4",
            "-mthumb",
            "-nostartfiles",
            "-Wl,--gc-sections",
            f"-Wl,-Tdata,{DATA:#x}",
        ),
        *("-Wl,-e,latkem_decaps", *(f"-Wl,-u,latkem_{name}" for name in ENTRIES)),
        *("-o", str(program), str(tree / "src/liblatkem.a")),
    ]
    with open(tree / "log", "w") as log:
        for command in (configure, ["cmake", "--build", str(tree), "-j", str(os.cpu_count() or 1)], link):
            subprocess.run(command, check=True, stdout=log, stderr=log)
    return program


@dataclass(frozen=True)
class Function:
    address: int
    name: str
    is_kernel: bool


def functions_of(elf: ELFFile) -> Iterator[Function]:
    """The functions of a program. Kernels are local to the portable files and to that of Keccak in assembly, with
    the file's name before them; those that several files call have names in _c, or are products of the small build."""
    file = ""
    symbols = elf.get_section_by_name(".symtab")
    assert isinstance(symbols, SymbolTableSection), "the program is stripped"
    for symbol in symbols.iter_symbols():
        info = symbol.entry.st_info
        if info.type == "STT_FILE":
            file = symbol.name
        if info.type == "STT_FUNC":
            is_of_kernels = info.bind == "STB_LOCAL" and file.startswith(("portable", "keccak"))
            is_kernel = is_of_kernels or SHARED_KERNEL.match(symbol.name) is not None
            yield Function(symbol.entry.st_value & ~1, symbol.name, is_kernel)


@dataclass(frozen=True)
class State:
    """Registers and the memory that can be written."""

    registers: tuple[int, ...]
    memory: tuple[bytes, ...]


class Stopped(Exception):
    """A call that does not come back."""


class Firmware:
    """A program in the emulator."""

    def __init__(self, program: Path) -> None:
        self.uc = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS)
        self.uc.ctl_set_cpu_model(UC_CPU_ARM_CORTEX_M4)
        self.writable = [(STACK, STACK_BYTES), (BUFFERS, BUFFERS_BYTES)]
        with open(program, "rb") as file:
            elf = ELFFile(file)
            for segment in elf.iter_segments("PT_LOAD"):
                self._load(segment.header, segment.data())
            self.functions = sorted(functions_of(elf), key=lambda function: function.address)
        self.symbols = {function.name: function.address for function in self.functions}
        self.uc.mem_map(END, PAGE, UC_PROT_READ | UC_PROT_EXEC)
        for at, size in self.writable[:2]:
            self.uc.mem_map(at, size)
        for at, size in self.writable:
            self.uc.mem_protect(at, size, UC_PROT_READ | UC_PROT_WRITE)

    def _load(self, header: Container, data: bytes) -> None:
        begin = header["p_vaddr"] & -PAGE
        end = (header["p_vaddr"] + header["p_memsz"] + PAGE - 1) & -PAGE
        if header["p_flags"] & P_FLAGS.PF_W:
            self.writable.append((begin, end - begin))
        self.uc.mem_map(begin, end - begin, UC_PROT_READ | UC_PROT_EXEC)
        self.uc.mem_write(header["p_vaddr"], data)

    def function_at(self, address: int) -> Function:
        return self.functions[bisect_right(self.functions, address, key=lambda function: function.address) - 1]

    def code(self, address: int, size: int) -> bytes:
        return bytes(self.uc.mem_read(address, size))

    def write(self, address: int, content: bytes) -> int:
        self.uc.mem_write(address, content)
        return address

    def begin(self, function: str, *arguments: int) -> None:
        """Makes ready to call a function: what does not fit into registers goes onto the stack."""
        stacked = arguments[len(ARGUMENTS) :]
        sp = (STACK + STACK_BYTES - 4 * len(stacked)) & -8
        self.uc.mem_write(sp, struct.pack(f"<{len(stacked)}I", *stacked))
        for register, value in zip(ARGUMENTS, arguments, strict=False):
            self.uc.reg_write(register, value)
        self.uc.reg_write(UC_ARM_REG_SP, sp)
        self.uc.reg_write(UC_ARM_REG_LR, END | 1)
        self.uc.reg_write(UC_ARM_REG_PC, self.symbols[f"latkem_{function}"] | 1)

    def run(self, count: int = ALWAYS) -> bool:
        """Runs on, `count` instructions at most. Returns whether the call has come back."""
        try:
            self.uc.emu_start(self.pc() | 1, END, count=count)
        except UcError as error:
            raise Stopped(str(error)) from error
        return self.pc() == END

    def call(self, function: str, *arguments: int) -> int:
        self.begin(function, *arguments)
        if not self.run():
            raise Stopped(function)
        return self.result()

    def result(self) -> int:
        value = self.uc.reg_read(UC_ARM_REG_R0)
        return value - (1 << 32) if value >> 31 else value

    def pc(self) -> int:
        return self.uc.reg_read(UC_ARM_REG_PC) & ~1

    def set_pc(self, address: int) -> None:
        self.uc.reg_write(UC_ARM_REG_PC, address | 1)

    def trace(self) -> list[tuple[int, int]]:
        """Runs on; returns the address and the size of each instruction that is executed."""
        executed: list[tuple[int, int]] = []
        hook = self.uc.hook_add(UC_HOOK_CODE, lambda uc, address, size, _: executed.append((address, size)))
        self.uc.ctl_flush_tb()
        self.run()
        self.uc.hook_del(hook)
        self.uc.ctl_flush_tb()
        return executed

    def save(self) -> State:
        memory = tuple(bytes(self.uc.mem_read(at, size)) for at, size in self.writable)
        return State(tuple(self.uc.reg_read(r) for r in REGISTERS), memory)

    def restore(self, state: State) -> None:
        for (at, _), content in zip(self.writable, state.memory, strict=True):
            self.uc.mem_write(at, content)
        for register, value in zip(REGISTERS, state.registers, strict=True):
            self.uc.reg_write(register, value | 1 if register == UC_ARM_REG_PC else value)

    def patch(self, address: int, code: bytes) -> None:
        self.uc.mem_write(address, code)
        self.uc.ctl_remove_cache(address & ~63, (address & ~63) + 128)
