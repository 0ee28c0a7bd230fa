"""Many clients: 16 at once, and a flood of connections, most of them hostile, against one process that serves.

Server and clients are Python's module ssl (OpenSSL 3.0 in Debian 12), with a thread for each connection. The server has
the six groups and no other, the configuration of a client one group: so a handshake can use no other. After the flood
the server serves as before, holds no connection, and its memory has not grown beyond GROWTH.
SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import os
import socket
import sys
from collections import deque
from itertools import cycle, islice
from pathlib import Path

import wire
from ends import Disagreement, agree
from hosts import ALL, CERTIFICATE, DEEP, HERE, KEY, Program, configuration, environment_of
from shares import GROUPS, good, hostile

AT_ONCE = 16
ROUNDS = 20 if DEEP else 4
FLOOD = 10_000 if DEEP else 900
WARM_UP = 600  # connections after which memory has its size
GROWTH = 400  # KiB, in the flood; one public key that is lost for each hostile share would be more
KEPT_OPEN = 64  # half-open connections at a time


def program(file: Path) -> Program:
    """One arena, so that memory does not depend on which threads met."""
    environment = environment_of(file) | {"MALLOC_ARENA_MAX": "1"}
    command = [sys.executable, str(HERE / "threads.py"), str(KEY), str(CERTIFICATE)]
    return Program("Python's ssl", command, environment)


def at_once(server: Program, port: int) -> int:
    done = 0
    for group in ALL:
        clients = program(configuration("one_group", groups=[group]))
        (count,) = clients.ask("clients", port, AT_ONCE, ROUNDS)
        agree(int(count), AT_ONCE * ROUNDS, f"{group}: handshakes")
        agree(clients.finish(), 0, f"{group}: the status of the clients")
        done += int(count)
    return done


class Flood:
    def __init__(self, port: int) -> None:
        self.port, self.kept = port, deque[socket.socket]()
        self.hostile = cycle([(group, share) for group in GROUPS for _, _, share in hostile(group, of_client=True)])
        self.groups = cycle(GROUPS)

    def keep(self, data: bytes) -> None:
        """A connection that says no more, and stays open for a while."""
        self.kept.append(socket.create_connection(("127.0.0.1", self.port), wire.TIMEOUT))
        self.kept[-1].sendall(data)
        if len(self.kept) > KEPT_OPEN:
            self.kept.popleft().close()

    def silent(self) -> None:
        self.keep(b"")

    def half(self) -> None:
        group = next(self.groups)
        self.keep(wire.client_hello(group.id, good(group, of_client=True))[:600])

    def garbage(self) -> None:
        """By chance it is the beginning of a long message, so the client says that no more will come."""
        with socket.create_connection(("127.0.0.1", self.port), wire.TIMEOUT) as peer:
            with contextlib.suppress(ConnectionError):
                peer.sendall(wire.record(wire.HANDSHAKE, os.urandom(256)))
                peer.shutdown(socket.SHUT_WR)
            wire.received(peer, 1024)

    def refused(self) -> None:
        group, share = next(self.hostile)
        answer = wire.offer(self.port, wire.client_hello(group.id, share))
        agree(answer in ("illegal_parameter", "decode_error"), True, f"{group.name}, a hostile share: {answer}")

    def left(self) -> None:
        """A server that has computed its secret waits for a client that goes."""
        group = next(self.groups)
        answer = wire.offer(self.port, wire.client_hello(group.id, good(group, of_client=True)))
        agree(answer, "ServerHello", f"{group.name}, a good share")

    def run(self, count: int) -> None:
        kinds = [self.silent, self.half, self.garbage, *[self.refused] * 4, *[self.left] * 2]
        for connect in islice(cycle(kinds), count):
            connect()
        while self.kept:
            self.kept.popleft().close()


def good_client(port: int, group: str) -> None:
    """Connections are accepted in their order, so that those before it have been accepted too."""
    client = program(configuration("one_group", groups=[group]))
    agree(client.ask("clients", port, 1, 1), ["1"], f"a good client, {group}")
    client.finish()


def flood(server: Program, port: int) -> int:
    def used_after(count: int) -> tuple[int, int]:
        Flood(port).run(count)
        good_client(port, ALL[0])
        memory, files = server.ask("idle")
        return int(memory), int(files)

    memory, files = used_after(WARM_UP)
    memory_after, files_after = used_after(FLOOD)
    agree(files_after, files, "file descriptors of the server before and after the flood")
    if memory_after - memory > GROWTH:
        raise Disagreement(f"memory of the server has grown from {memory} to {memory_after} KiB in {FLOOD} connections")
    for group in ALL:
        good_client(port, group)
    print(f"  {FLOOD} connections: memory of the server {memory} KiB before, {memory_after} KiB afterwards")
    return FLOOD


def run() -> int:
    server = program(configuration("all_groups", groups=ALL))
    (port,) = server.ask("serve")
    done = at_once(server, int(port)) + flood(server, int(port))
    agree(server.finish(), 0, "the status of the server")
    return done
