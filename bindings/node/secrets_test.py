"""Looks for secrets in the memory of a process with keys, tests/holder.mjs. SPDX-License-Identifier: Apache-2.0"""

import os
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

from package import ROOT

sys.path.append(str(ROOT / "harness" / "memory"))
from search import writable_memory

SETS = ["ML-KEM-768", "Saber", "NTRU-HPS-2048-677"]
STATES = ["open", "gone", "gone", "open", "gone"]


class Leak(Exception):
    """A secret in memory that is not to have one, or none where there is one."""


def count(process: int, secrets: dict[str, bytes]) -> dict[str, int]:
    """How often each secret is found."""
    found = dict.fromkeys(secrets, 0)
    for area in writable_memory(process):
        for name, secret in secrets.items():
            found[name] += area.count(secret)
    return found


def check(process: int, stop: str, words: list[str]) -> None:
    """The words of a stop: a state, and names and inverted bytes of secrets."""
    state, *rest = words
    pairs = zip(rest[::2], rest[1::2], strict=True)
    secrets = {name: bytes(byte ^ 0xFF for byte in bytes.fromhex(text)) for name, text in pairs}
    for name, times in count(process, secrets).items():
        if (times > 0) != (state == "open"):
            raise Leak(f"{stop} ({state}), {name}: found {times} times")


def search(node: Path, folder: Path, name: str, environment: dict[str, str]) -> None:
    """An open key is found; nothing of one that was closed or collected, of temporaries and of erased results."""
    command: list[str | Path] = [node, "--expose-gc", folder / "tests" / "holder.mjs", name]
    # The lazy resolver saves vector registers on the stack, and with them secrets that calls moved.
    env = {**os.environ, **environment, "LD_BIND_NOW": "1"}
    states = []
    with subprocess.Popen(command, env=env, cwd=folder, stdin=PIPE, stdout=PIPE, text=True) as holder:
        assert holder.stdin
        assert holder.stdout
        try:
            for line in holder.stdout:
                words = line.split()
                states.append(words[0])
                check(holder.pid, f"{name}, stop {len(states)}", words)
                print(file=holder.stdin, flush=True)
        finally:
            holder.stdin.close()
    if holder.returncode != 0 or states != STATES:
        raise Leak(f"{name}: the process ended with {holder.returncode} after {states}")
