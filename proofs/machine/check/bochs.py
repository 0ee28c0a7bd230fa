"""The emulator Bochs, for instructions that the CPU at hand lacks: AVX-512, as a Tiger Lake has it.

A machine without BIOS or disk: a ROM (bochs_rom.S) and memory with page tables, the driver and the states. What it
writes to port 0xe9 comes back on the standard output. SPDX-License-Identifier: Apache-2.0
"""

import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from iced_x86 import Instruction, Mnemonic, OpKind

from proofs.machine.check.x86_64_states import (
    FORBIDDEN_OFFSET,
    MASKS,
    STATE_WORDS,
    VECTORS,
    Job,
    Processor,
    assembled,
    driver,
)
from proofs.machine.terms import Words
from proofs.machine.x86_64.registers import PLACES

PROGRAM, MODEL = "bochs-bin", "tigerlake"
FEATURES = frozenset(
    {
        *("avx", "avx2", "bmi1", "bmi2", "popcnt", "adx", "movbe", "pni", "ssse3", "sse4_1", "sse4_2"),
        *("aes", "pclmulqdq", "sha_ni", "gfni", "vaes", "vpclmulqdq", "avx512f", "avx512bw", "avx512dq", "avx512vl"),
        *("avx512vbmi", "avx512_vbmi2", "avx512_bitalg", "avx512_vpopcntdq", "avx512_ifma"),
    }
)

# Places in the memory, as bochs_rom.S has them.
TABLES, JOBS, DRIVER, STATES, RESULTS = 0x100000, 0x180000, 0x200000, 0x400000, 0x8000000
MEGABYTES = 256
MOST_BYTES, MOST_JOBS = 0x3000000, 1000
PAGE, BIG_PAGE = 0x1000, 0x200000
_USABLE, _BIG = 3, 0x83  # present and writable; and of 2 MiB
MARK = b"\xe9states\xe9"  # where the standard output begins to be ours

CONFIGURATION = """
display_library: rfb, options="timeout=0"
romimage: file={folder}/rom
vgaromimage: file={folder}/rom
optramimage1: file={folder}/memory, address={tables:#x}
memory: guest={megabytes}, host={megabytes}
cpu: model={model}, count=1, reset_on_triple_fault=0
port_e9_hack: enabled=1
log: {folder}/log
panic: action=fatal
error: action=ignore
info: action=ignore
"""


class Bochs(Processor):
    kind = "bochs"

    def __init__(self) -> None:
        super().__init__(DRIVER)
        self.name = f"{_version()} ({MODEL}), an emulator"
        self.features = FEATURES
        self._driver = driver(avx512=True)

    @staticmethod
    def is_here() -> bool:
        return shutil.which(PROGRAM) is not None

    def errs(self, ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
        return _ERRATA.get(ins.mnemonic, super().errs)(ins, states)

    def run(self, jobs: Sequence[Job]) -> list[Words]:
        """All in one start of the emulator."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "rom").write_bytes(_rom())
            Path(folder, "memory").write_bytes(self._memory(jobs))
            Path(folder, "bochsrc").write_text(
                CONFIGURATION.format(folder=folder, tables=TABLES, megabytes=MEGABYTES, model=MODEL)
            )
            command = [PROGRAM, "-q", "-f", str(Path(folder, "bochsrc"))]
            # Debian's begins in its debugger: it is told to continue.
            output = subprocess.run(command, capture_output=True, input=b"c\nq\n", check=False).stdout
            return _answers(jobs, output.partition(MARK)[2], Path(folder, "log"))

    def _memory(self, jobs: Sequence[Job]) -> bytes:
        """From TABLES on: page tables, jobs, the driver, states, and then room for states."""
        memory = bytearray(STATES - TABLES)
        memory[: 5 * PAGE] = _page_tables()
        memory[DRIVER - TABLES : DRIVER - TABLES + len(self._driver)] = self._driver
        states = b"".join(np.ascontiguousarray(s, dtype=np.uint64).tobytes() for _, s in jobs)
        if len(states) > MOST_BYTES or len(jobs) > MOST_JOBS:
            raise ValueError(f"{len(jobs)} jobs with {len(states)} bytes of states are too many")
        struct.pack_into("<2Q", memory, JOBS - TABLES, len(jobs), RESULTS)
        at = STATES
        for i, (code, some) in enumerate(jobs):
            struct.pack_into("<48s2Q", memory, JOBS - TABLES + 64 * (i + 1), self.in_slot(code), at, len(some))
            at += some.nbytes
        return bytes(memory) + states + bytes(8)


# ---- what Bochs 2.7 does wrong: its C++ shifts a number by all of its bits ----


def _compresses_all(ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
    lanes = PLACES[ins.op_register(0)].width // (8 if ins.mnemonic == Mnemonic.VPCOMPRESSB else 16)
    every = np.uint64((1 << lanes) - 1)
    wrong = states[:, MASKS + PLACES[ins.op_mask].index] & every == every
    return wrong, "but where all lanes are chosen, which Bochs 2.7 clears"


def _shifts_by_64(ins: Instruction, states: Words) -> tuple[npt.NDArray[np.bool_], str]:
    if ins.op_kind(2) != OpKind.REGISTER:
        return np.zeros(len(states), dtype=bool), ""
    count = states[:, VECTORS + 8 * PLACES[ins.op_register(2)].index]
    return count == np.uint64(64), "but by 64, at which Bochs 2.7 does not shift"


_ERRATA = {
    Mnemonic.VPCOMPRESSB: _compresses_all,
    Mnemonic.VPCOMPRESSW: _compresses_all,
    Mnemonic.VPSRLQ: _shifts_by_64,
}


# ---- a run ----


@cache
def _rom() -> bytes:
    return assembled("bochs_rom.S")


@cache
def _version() -> str:
    told = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=False)
    found = re.search(r"Bochs x86 Emulator (\S+)", told.stdout + told.stderr)
    return f"Bochs {found[1]}" if found else "Bochs"


def _page_tables() -> bytes:
    """Each address is its own, up to 1 GiB and in the ROM; the driver's forbidden page is not there."""
    _, gigabytes, low, rom, small = (TABLES + i * PAGE for i in range(5))
    tables = np.zeros((5, PAGE // 8), dtype=np.uint64)
    tables[0, 0] = gigabytes | _USABLE
    tables[1, [0, 3]] = low | _USABLE, rom | _USABLE
    tables[2] = np.arange(PAGE // 8, dtype=np.uint64) * np.uint64(BIG_PAGE) | np.uint64(_BIG)
    tables[2, DRIVER // BIG_PAGE] = small | _USABLE
    tables[3, 511] = (1 << 32) - BIG_PAGE | _BIG
    tables[4] = np.arange(PAGE // 8, dtype=np.uint64) * np.uint64(PAGE) + np.uint64(DRIVER | _USABLE)
    tables[4, FORBIDDEN_OFFSET // PAGE] = 0
    return tables.tobytes()


def _answers(jobs: Sequence[Job], output: bytes, log: Path) -> list[Words]:
    """The states with the words that changed."""
    blocks = -(-STATE_WORDS // 8)
    answers, at = [], 0
    for _, states in jobs:
        answers.append(states.copy())
        for row in answers[-1]:
            bits = np.unpackbits(np.frombuffer(output[at : at + blocks], dtype=np.uint8), bitorder="little")
            words, at = np.flatnonzero(bits), at + blocks
            values = np.frombuffer(output[at : at + 8 * len(words)], dtype=np.uint64)
            if len(bits) != 8 * blocks or len(values) != len(words):
                raise RuntimeError(f"Bochs ended early: {log.read_text(errors='replace')[-400:]}")
            row[words] = values
            at += 8 * len(words)
    return answers
