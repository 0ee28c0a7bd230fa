"""Looks for secrets in the memory of another process. The process prints which it holds: a line for each with its name
and its bytes, each XOR 0xa5, and then "open" or "closed". It waits for a line after that.

While a key is open its secrets must be found, which shows that the search works. Once it is closed, none may be. A
piece of 16 bytes at any place counts. SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

MASK, PIECE = 0xA5, 16
MAPPED = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (r\S+) \S+ \S+ \S+\s*(.*)")


class Leak(Exception):
    """A secret in memory that is not to have one, or none where there is one."""


def writable_memory(pid: int) -> Iterator[bytes]:
    """The writable memory of a process. Its other threads may return parts of it meanwhile, which are left out."""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as content:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            found = MAPPED.match(line)
            if found is None or not found[3].startswith("rw"):
                continue
            begin, end = int(found[1], 16), int(found[2], 16)
            try:
                content.seek(begin)
                yield content.read(end - begin)
            except OSError:
                continue


def memory(pid: int) -> Iterator[tuple[str, bytes]]:
    """Each readable part of a process's memory, and its name."""
    with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb", buffering=0) as content:
        for line in maps:
            found = MAPPED.match(line)
            if found is None or found[4].startswith(("[vvar", "[vsyscall")):
                continue
            content.seek(int(found[1], 16))
            yield found[4] or "anonymous memory", content.read(int(found[2], 16) - int(found[1], 16))


def places(pid: int, secret: bytes) -> list[str]:
    """The parts of memory that hold a piece of a secret."""
    pieces = [secret[at : at + PIECE] for at in range(0, len(secret) - PIECE + 1, PIECE)]
    return [name for name, content in memory(pid) if any(piece in content for piece in pieces)]


def check(pid: int, stage: str, secrets: list[tuple[str, bytes]]) -> None:
    for name, secret in secrets:
        found = places(pid, secret)
        if stage == "open" and not found:
            raise Leak(f"{name}: not found while the key is open, so that this search shows nothing")
        if stage == "closed" and found:
            raise Leak(f"{name}: still in {', '.join(found)} after the key was closed")


def search(program: Path, environment: dict[str, str]) -> int:
    """Returns how many secrets were looked for."""
    count, secrets = 0, []
    with subprocess.Popen([program], stdin=-1, stdout=-1, text=True, env=os.environ | environment) as holder:
        assert holder.stdin
        assert holder.stdout
        for line in holder.stdout:
            name, _, masked = line.strip().rpartition(" ")
            if name:
                secrets.append((name, bytes(byte ^ MASK for byte in bytes.fromhex(masked))))
                continue
            check(holder.pid, masked, secrets)
            if masked == "closed":
                count, secrets = count + len(secrets), []
            holder.stdin.write("\n")
            holder.stdin.flush()
    if holder.returncode != 0 or count == 0:
        raise Leak(f"{program.name} ended with {holder.returncode} after {count} secrets")
    return count
