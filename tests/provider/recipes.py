#!/usr/bin/env python3
"""Runs the recipes of docs/tls.md word for word, one behind the other in one shell.

A block of `sh` is run, and each line of the `text` block that follows must be in its output. A block of another kind
becomes the file that its first line names in a comment. A block with a server that is not installed is
skipped, and says so.

Usage: recipes.py FOLDER, with latkemprovider.so and openssl-latkem.cnf in the folder.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "tls.md"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w.-]+)\n")
SERVERS = ["nginx", "haproxy", "apache2"]
SECONDS = 120


@dataclass
class Block:
    commands: str
    expected: list[str] = field(default_factory=list)


def blocks(page: str, folder: Path) -> list[Block]:
    """The page's commands; its files are written."""
    found: list[Block] = []
    for kind, text in FENCED.findall(page):
        if kind == "sh":
            found.append(Block(text))
        elif kind == "text":
            found[-1].expected = text.splitlines()
        elif name := NAMED.match(text):
            (folder / name[1]).write_text(text)
        else:
            raise SystemExit(f"{PAGE.name}: a block of {kind} has no name")
    return found


def missing(commands: str) -> list[str]:
    return [name for name in SERVERS if re.search(rf"^{name} ", commands, re.MULTILINE) and not shutil.which(name)]


def one_script(found: list[Block], folder: Path) -> str:
    """All blocks that can be run, each with its output in a file."""
    parts = ["set -e"]
    for number, block in enumerate(found):
        if not missing(block.commands):
            parts.append(f"{{\n{block.commands}}} > {folder}/output.{number} 2>&1")
    return "\n".join(parts)


def run(script: str, folder: Path, module: Path) -> int:
    """In a session of its own, which is ended with all its processes."""
    environment = {**os.environ, "LATKEM": str(module), "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    environment.pop("OPENSSL_CONF", None)
    process = subprocess.Popen(["bash", "-c", script], cwd=folder, env=environment, start_new_session=True)
    try:
        return process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return -1
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def fault(block: Block, output: Path) -> str | None:
    if not output.is_file():
        return "was not run"
    text = output.read_text(errors="replace")
    absent = [line for line in block.expected if line.strip() not in text]
    return f"does not print {absent[0]!r} but\n{text[-2000:]}" if absent else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    module = parser.parse_args().folder.resolve()
    os.environ["PATH"] += ":/usr/sbin"
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = blocks(PAGE.read_text(), folder)
        status = run(one_script(found, folder), folder, module)
        for number, block in enumerate(found):
            first = block.commands.splitlines()[0]
            if absent := missing(block.commands):
                print(f"skipped: {first}: there is no {absent[0]} (tools/setup.sh servers)")
            elif reason := fault(block, folder / f"output.{number}"):
                print(f"FAILED: {first}: {reason}")
                failed = 1
        print(f"recipes of {PAGE.name}: {len(found)} blocks, {sum(len(block.expected) for block in found)} lines")
    return failed or (status != 0 and not print(f"FAILED: the shell ends with {status}"))


if __name__ == "__main__":
    sys.exit(main())
