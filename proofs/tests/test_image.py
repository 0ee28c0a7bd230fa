"""The image: what of it can be written, and what is known of the rest. SPDX-License-Identifier: Apache-2.0"""

import shutil
import subprocess
from pathlib import Path

import pytest

from proofs.machine import terms as T
from proofs.machine.image import Image
from proofs.machine.memory import Memory, Violation

CODE = """
static volatile int first = 7, second = 8;
const int table[2] = {5, 6};
int f(void) { return first + second + table[0]; }
"""

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="cc is not here")


@pytest.fixture
def image(tmp_path: Path) -> Image:
    source, library = tmp_path / "code.c", tmp_path / "code.so"
    source.write_text(CODE)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return Image(library)


def test_constants_are_read_only(image: Image) -> None:
    memory = Memory()
    image.map_into(memory)
    at = image.address("table")
    assert T.val(memory.load(at, 4)) == 5
    with pytest.raises(Violation, match=r"read-only code\.so's constants"):
        memory.store(at, T.const(0, 32))


def test_variables_are_neither_written_nor_read(image: Image) -> None:
    memory = Memory()
    image.map_into(memory)
    with pytest.raises(Violation, match=r"read-only code\.so's variables"):
        memory.store(image.address("first"), T.const(0, 32))
    with pytest.raises(Violation, match="uninitialised"):
        memory.load(image.address("first"), 4)


def test_what_a_variable_has_is_unknown_to_operations(image: Image) -> None:
    memory = Memory(unwritten_is_unknown=True)
    image.map_into(memory)
    assert not T.is_const(memory.load(image.address("first"), 4))


def test_named_variables_may_be_written(image: Image) -> None:
    memory = Memory()
    image.map_into(memory, {"code.c:first": 4})
    at = image.address("code.c:first")
    assert T.val(memory.load(at, 4)) == 7
    memory.store(at, T.const(9, 32))
    assert T.val(memory.load(at, 4)) == 9
    with pytest.raises(Violation, match=r"read-only code\.so's variables"):
        memory.store(image.address("second"), T.const(0, 32))


def test_a_named_variable_that_is_larger_is_refused(image: Image) -> None:
    with pytest.raises(Violation, match="has 4 bytes instead of 8"):
        image.map_into(Memory(), {"code.c:first": 8})
