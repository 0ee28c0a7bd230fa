#!/usr/bin/env python3
"""Commands that pages and messages name can be run: `make` has the target and its variables, `latkem` and `openssl` the
subcommand and its options, CMake the option. OpenSSL before 3.5 knows no ML-KEM, so a message that sends a key to
openssl names that version; with it the advice about certificates is followed.
Usage: advice.py SOURCE_DIR LATKEM. SPDX-License-Identifier: Apache-2.0
"""

import base64
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT, LATKEM = (Path(argument).resolve() for argument in sys.argv[1:3])
FOREIGN = {"CHANGELOG.md", "docs/old-names.md", "docs/experiments.md"}  # of the past or of other projects
NO_COMMAND = {"latkem sealed"}  # the first bytes of a file
SKIPPED = {"build", "target", "node_modules"}
LINE = re.compile(r"^ {4}((?:make|latkem|openssl) [^\n]*)$", re.M)
CODE = re.compile(r"`((?:make|latkem|openssl) [^`\n]*)`")
MESSAGE = re.compile(r"'((?:make|latkem|openssl) [^'\"\n]*)")
OPTION = re.compile(r"(?<!\S)--?[A-Za-z][\w-]*")


def run(*command: str | Path, folder: str = ".") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def advice() -> Iterator[tuple[str, str]]:
    """Each command with the file that names it."""
    paths = [
        path
        for top in ROOT.iterdir()
        if top.name not in SKIPPED
        for path in (top.rglob("*.*") if top.is_dir() else [top])
    ]
    for path in sorted(paths):
        name = str(path.relative_to(ROOT))
        if SKIPPED.intersection(path.parts[len(ROOT.parts) :]) or name in FOREIGN:
            continue
        patterns = (
            [LINE, CODE] if path.suffix == ".md" else [MESSAGE] * (path.suffix == ".py" or name.startswith("cli/"))
        )
        text = path.read_text() if patterns else ""
        yield from ((name, command) for pattern in patterns for command in pattern.findall(text))


@cache
def make_text() -> str:
    paths = [ROOT / "Makefile", *ROOT.glob("*/area.mk"), *ROOT.glob("bindings/*/area.mk")]
    return "".join(path.read_text() for path in paths)


@cache
def help_of(program: str, command: str) -> str:
    """The options of a subcommand; nothing if there is no such."""
    done = run(LATKEM, "help", command) if program == "latkem" else run("openssl", command, "-help")
    return "" if done.returncode else done.stdout + done.stderr


def make_fault(words: list[str]) -> str:
    if words[:1] == ["-C"]:  # of an example's own file
        there = any((folder / words[1] / "Makefile").exists() for folder in (ROOT, ROOT / "examples"))
        return "" if there else f"there is no {words[1]}/Makefile"
    for word in words:
        name, is_set, _ = word.partition("=")
        known = rf"\$\({name}[):]|\$\(\w+ [^)]*\$\({name}\)" if is_set else rf"^{re.escape(name)}:"
        if re.fullmatch(r"[\w-]+", name) and name != "NAME" and not re.search(known, make_text(), re.M):
            return f"make has no {name}"
    return ""


def fault(command: str) -> str:
    """The things that a command names and that are not there, or nothing."""
    program, *words = re.sub(r"\"[^\"]*\"", "x", re.split(r"[#;|]| {2,}", command)[0]).split()
    if program == "make":
        return make_fault(words)
    if not words or not re.fullmatch(r"[a-z][a-z0-9]+", words[0]) or words[0] == "help":
        return ""
    text = help_of(program, words[0])
    if not text:
        return f"{program} has no {words[0]}"
    lacking = [option for option in OPTION.findall(" ".join(words[1:])) if not re.search(rf"{option}\b", text)]
    return f"{program} {words[0]} has no {lacking[0]}" if lacking else ""


def der(data: bytes, at: int) -> tuple[int, int]:
    """The beginning and the end of the content of the DER value at a place."""
    first = data[at + 1]
    length = first if first < 128 else int.from_bytes(data[at + 2 : at + 2 + first - 128])
    begin = at + 2 + max(0, first - 128)
    return begin, begin + length


def sequence(content: bytes) -> bytes:
    return b"\x30\x82" + len(content).to_bytes(2) + content


def certificate_of(ek: bytes, model: bytes) -> bytes:
    """A certificate with another subject's key in it; nobody checks its signature."""
    begin, _ = der(model, 0)
    at, end = der(model, begin)
    parts = []
    while at < end:
        _, after = der(model, at)
        parts.append(model[at:after])
        at = after
    parts[6] = ek  # after version, number, algorithm, issuer, dates and subject
    return sequence(sequence(b"".join(parts)) + model[end:])


def certificate_fault() -> str:
    """The message about a certificate with an ML-KEM key: what it says to do works where it says that it does."""
    with tempfile.TemporaryDirectory() as folder:
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "k",
            "-subj", "/CN=x", "-outform", "DER", "-out", "model", folder=folder)  # fmt: skip
        run(LATKEM, "keygen", "ML-KEM-768", "--ek", "ek", "--dk", "dk", "--format", "der", folder=folder)
        made = certificate_of((Path(folder) / "ek").read_bytes(), (Path(folder) / "model").read_bytes())
        text = f"-----BEGIN CERTIFICATE-----\n{base64.encodebytes(made).decode()}-----END CERTIFICATE-----\n"
        (Path(folder) / "cert").write_text(text)
        message = run(LATKEM, "check", "ML-KEM-768", "--ek", "cert", folder=folder).stderr
        told = re.search(r"'(openssl x509 [^']*)'(?: \((\d+)\.(\d+) or newer\))?", message)
        if not told:
            return f"the message about a certificate does not say how its key is taken out: {message}"
        taken = run(*told[1].split(), "-in", "cert", folder=folder)
        (Path(folder) / "taken").write_text(taken.stdout)
        works = run(LATKEM, "check", "ML-KEM-768", "--ek", "taken", folder=folder).returncode == 0
        version = tuple(map(int, re.findall(r" (\d+)\.(\d+)", run("openssl", "version").stdout)[0]))
        if works != (version >= (int(told[2] or 0), int(told[3] or 0))):
            return f"openssl {version[0]}.{version[1]}: '{told[1]}' {'works' if works else 'fails'}: {taken.stderr}"
    return ""


def main() -> int:
    tried = sorted({(name, command) for name, command in advice() if command not in NO_COMMAND})
    found = [f"{name}: '{command}': {why}" for name, command in tried if (why := fault(command))]
    found += [why for why in [certificate_fault()] if why]
    print("\n".join(found) if found else f"advice: {len(tried)} commands can be run")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
