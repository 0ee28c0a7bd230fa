"""TLS 1.3 up to its key shares, by hand: hellos as bytes, what a hello says, and the alert that answers one.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

TIMEOUT = 60.0
CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION_DATA = 20, 21, 22, 23
CLIENT_HELLO, SERVER_HELLO = 1, 2
SUPPORTED_GROUPS, SIGNATURE_ALGORITHMS, SUPPORTED_VERSIONS, KEY_SHARE = 10, 13, 43, 51
TLS_1_3, TLS_1_2, TLS_1_0 = b"\3\4", b"\3\3", b"\3\1"
AES_128_GCM_SHA256, ECDSA_P256_SHA256 = b"\x13\x01", b"\4\3"
RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")  # RFC 8446, 4.1.3
ALERTS = {10: "unexpected_message", 20: "bad_record_mac", 40: "handshake_failure", 47: "illegal_parameter"}
ALERTS |= {50: "decode_error", 51: "decrypt_error", 80: "internal_error"}


class Malformed(ValueError):
    """Bytes that are no hello."""


# ---- Writing ----


def block(data: bytes, of: str) -> bytes:
    """Data behind its length, which is a number of the format `of`."""
    return struct.pack(">" + of, len(data)) + data


def record(kind: int, data: bytes, version: bytes = TLS_1_2) -> bytes:
    return bytes([kind]) + version + block(data, "H")


def message(kind: int, body: bytes, version: bytes = TLS_1_2) -> bytes:
    return record(HANDSHAKE, bytes([kind]) + struct.pack(">I", len(body))[1:] + body, version)


def extension(kind: int, data: bytes) -> bytes:
    return struct.pack(">H", kind) + block(data, "H")


def client_hello(group: int, share: bytes | None, random: bytes = b"", session: bytes = b"") -> bytes:
    """Without a share a server asks for one."""
    named = struct.pack(">H", group)
    shares = b"" if share is None else named + block(share, "H")
    extensions = (
        extension(SUPPORTED_GROUPS, block(named, "H"))
        + extension(SIGNATURE_ALGORITHMS, block(ECDSA_P256_SHA256, "H"))
        + extension(SUPPORTED_VERSIONS, block(TLS_1_3, "B"))
        + extension(KEY_SHARE, block(shares, "H"))
    )
    head = TLS_1_2 + (random or os.urandom(32)) + block(session or os.urandom(32), "B")
    return message(CLIENT_HELLO, head + block(AES_128_GCM_SHA256, "H") + b"\1\0" + block(extensions, "H"), TLS_1_0)


def server_hello(session: bytes, group: int, share: bytes) -> bytes:
    """session: the client's, which it wants to see again."""
    shares = struct.pack(">H", group) + block(share, "H")
    extensions = extension(SUPPORTED_VERSIONS, TLS_1_3) + extension(KEY_SHARE, shares)
    head = TLS_1_2 + os.urandom(32) + block(session, "B")
    return message(SERVER_HELLO, head + AES_128_GCM_SHA256 + b"\0" + block(extensions, "H"))


# ---- Reading ----


class Parser:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, count: int) -> bytes:
        if len(self.data) < count:
            raise Malformed("a hello that is cut off")
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def number(self, of: str) -> int:
        (value,) = struct.unpack(">" + of, self.take(struct.calcsize(">" + of)))
        return int(value)

    def block(self, of: str) -> bytes:
        return self.take(self.number(of))

    def extensions(self) -> dict[int, bytes]:
        within, found = Parser(self.block("H")), {}
        while within.data:
            kind = within.number("H")
            found[kind] = within.block("H")
        return found


@dataclass
class Hello:
    kind: int
    session: bytes
    is_retry: bool
    groups: list[int]  # of the key shares; a server's is the one that it chose


def parse_hello(kind: int, body: bytes) -> Hello:
    parser = Parser(body)
    parser.take(2)
    random, session, groups = parser.take(32), parser.block("B"), []
    if kind == CLIENT_HELLO:
        parser.block("H")
        parser.block("B")
        shares = Parser(Parser(parser.extensions().get(KEY_SHARE, b"\0\0")).block("H"))
        while shares.data:
            groups.append(shares.number("H"))
            shares.block("H")
    else:
        parser.take(3)
        share = parser.extensions().get(KEY_SHARE)
        groups = [Parser(share).number("H")] if share else []
    return Hello(kind, session, random == RETRY, groups)


def hellos(stream: bytes) -> list[Hello]:
    """The hellos at the beginning of what one side has sent."""
    handshake, records, found = b"", Parser(stream), []
    with contextlib.suppress(Malformed):
        while records.data:
            kind = records.number("B")
            records.take(2)
            data = records.block("H")
            handshake += data if kind == HANDSHAKE else b""
    messages = Parser(handshake)
    with contextlib.suppress(Malformed):
        while messages.data:
            kind = messages.number("B")
            body = messages.take(messages.number("B") << 16 | messages.number("H"))
            if kind in (CLIENT_HELLO, SERVER_HELLO):
                found.append(parse_hello(kind, body))
    return found


# ---- Sockets ----


def received(peer: socket.socket, count: int) -> bytes:
    """So many bytes, or fewer at the end of the connection."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while len(data) < count and (more := peer.recv(count - len(data))):
            data += more
    return data


def read_record(peer: socket.socket) -> tuple[int, bytes] | None:
    head = received(peer, 5)
    if len(head) < 5:
        return None
    return head[0], received(peer, int.from_bytes(head[3:], "big"))


def answer(peer: socket.socket) -> str:
    """The answer to a hello: an alert by its name, `ServerHello`, `closed`, or a record by its number."""
    found = read_record(peer)
    while found and found[0] == CHANGE_CIPHER_SPEC:
        found = read_record(peer)
    if not found:
        return "closed"
    kind, data = found
    if kind == ALERT and len(data) == 2:
        return ALERTS.get(data[1], f"alert {data[1]}")
    return "ServerHello" if kind == HANDSHAKE and data[:1] == b"\2" else f"record {kind}"


def offer(port: int, hello: bytes) -> str:
    """Sends a client's hello, and returns what answers it."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as peer:
        peer.sendall(hello)
        return answer(peer)


def offer_late(port: int, group: int, share: bytes) -> str:
    """The same with a share that the server has asked for."""
    random, session = os.urandom(32), os.urandom(32)
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as peer:
        peer.sendall(client_hello(group, None, random, session))
        if (first := answer(peer)) != "ServerHello":
            raise Malformed(f"{first}, not a HelloRetryRequest")
        peer.sendall(client_hello(group, share, random, session))
        return answer(peer)


class Server:
    """Answers the hello of one client with a share, and a record that cannot be decrypted.

    `said` is the client's answer, which is bad_record_mac if it has taken the share.
    """

    def __init__(self, group: int, share: bytes) -> None:
        self.group, self.share, self.said = group, share, "nothing"
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(TIMEOUT)
        self.port: int = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        with self.listener, self.listener.accept()[0] as peer:
            peer.settimeout(TIMEOUT)
            kind, data = read_record(peer) or (0, b"")
            for hello in hellos(record(kind, data)):
                peer.sendall(server_hello(hello.session, self.group, self.share) + record(APPLICATION_DATA, bytes(64)))
                self.said = answer(peer)

    def heard(self) -> str:
        self.thread.join(TIMEOUT)
        return self.said


@dataclass
class Tap:
    """Passes on what a client and a server say to each other, and keeps it."""

    target: int
    from_client: bytes = b""
    from_server: bytes = b""
    threads: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(TIMEOUT)
        self.port: int = self.listener.getsockname()[1]
        self.start(self.serve)

    def start(self, function: object, *arguments: object) -> None:
        thread = threading.Thread(target=function, args=arguments, daemon=True)  # type: ignore[arg-type]
        self.threads.append(thread)
        thread.start()

    def serve(self) -> None:
        with self.listener:
            client = self.listener.accept()[0]
        server = socket.create_connection(("127.0.0.1", self.target), TIMEOUT)
        client.settimeout(TIMEOUT)
        self.start(self.pump, client, server, "from_client")
        self.pump(server, client, "from_server")

    def pump(self, source: socket.socket, sink: socket.socket, name: str) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                setattr(self, name, getattr(self, name) + data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for thread in self.threads:
            thread.join(TIMEOUT)

    def hellos(self) -> Iterator[Hello]:
        yield from hellos(self.from_client)
        yield from hellos(self.from_server)
