"""Small shared objects of AArch64 for tests. SPDX-License-Identifier: Apache-2.0"""

import shutil
import subprocess
from pathlib import Path

import pytest

from proofs.machine.aarch64 import Machine
from proofs.machine.check.aarch64_states import COMPILER, QEMU
from proofs.machine.image import Image
from proofs.machine.memory import Memory

BUFFER = 0x100000000

needs_compiler = pytest.mark.skipif(not shutil.which(COMPILER), reason=f"{COMPILER} is not here")
needs_qemu = pytest.mark.skipif(not shutil.which(QEMU[0]), reason=f"{QEMU[0]} is not here")


def assembled(folder: Path, code: str) -> Path:
    """A shared object with the function f."""
    source, target = folder / "code.s", folder / "code.so"
    source.write_text(f".arch armv8.2-a+crypto+sha3\n.global f\n.type f, %function\nf:\n{code}\n.size f, . - f\n")
    subprocess.run([COMPILER, "-shared", "-nostdlib", "-o", str(target), str(source)], check=True)
    return target


def machine_of(folder: Path, code: str) -> Machine:
    """A machine with that object and a writable buffer of 64 bytes that nobody has written."""
    image, memory = Image(assembled(folder, code)), Memory()
    image.map_into(memory)
    memory.region(BUFFER, 64, True, "buffer")
    return Machine(image, memory)
