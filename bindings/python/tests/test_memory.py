"""Leaks, failed randomness, and secrets that stay in memory. SPDX-License-Identifier: Apache-2.0"""

import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest
from search import writable_memory
from support import failing_randomness

HERE = Path(__file__).parent


def test_memory_stays_flat(slow: bool) -> None:
    """Less than a byte for an operation, after those that fill pools. 100 000 operations in the long form."""
    count = 100_000 if slow else 12_000
    environment = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, str(HERE / "leaks.py"), str(count)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < max(64 * 1024, count)


ASK = """
import latkem
from latkem import Kem, batch
kem = Kem("ML-KEM-768")
key = kem.from_seed(bytes(64))
public, room = key.public_key(), bytearray(b"x" * 32)
eks, dks = bytearray(b"x" * 1184), bytearray(b"x" * 2400)
for call in (kem.generate, latkem.MLKEM768PrivateKey.generate, public.encapsulate,
             lambda: kem.encapsulate(public.public_bytes_raw()), lambda: public.encapsulate_into(room),
             lambda: batch.generate(kem, eks, dks), Kem("Saber").generate, Kem("NTRU-HRSS-701").generate):
    try:
        call()
    except latkem.RandomFailure as error:
        print(error)
assert not any(room) and not any(eks) and not any(dks)
"""


def test_failed_randomness(tmp_path: Path) -> None:
    library = failing_randomness(tmp_path)
    environment = {"LD_PRELOAD": str(library), "PYTHONHASHSEED": "0", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        *["ML-KEM-768: the random generator failed"] * 6,
        "Saber: the random generator failed",
        "NTRU-HRSS-701: the random generator failed",
    ]


@pytest.mark.parametrize("name", ["ML-KEM-768", "Saber", "NTRU-HPS-2048-677"])
def test_secrets_are_wiped(name: str) -> None:
    """An open key is found; nothing is found of one that was closed or collected, of temporaries and erased results."""
    # The lazy resolver, by inference, saves vector registers on the stack, and with them secrets that calls moved.
    environment = {"LD_BIND_NOW": "1", "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, str(HERE / "holder.py"), name]
    states = []
    with subprocess.Popen(command, env=environment, stdin=PIPE, stdout=PIPE, text=True) as holder:
        assert holder.stdin
        assert holder.stdout
        for line in holder.stdout:
            state, *words = line.split()
            states.append(state)
            for what, text in zip(words[::2], words[1::2], strict=True):
                secret = bytes(byte ^ 0xFF for byte in bytes.fromhex(text))
                found = sum(area.count(secret) for area in writable_memory(holder.pid))
                assert (found > 0) == (state == "open"), f"stop {len(states)}, {what}: found {found} times"
            print(file=holder.stdin, flush=True)
    assert holder.returncode == 0
    assert states == ["open", "gone", "gone", "open", "gone"]
