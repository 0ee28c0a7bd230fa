"""A server with a thread for each connection, or many clients at once, on Python's own module ssl. Its configuration
file chooses the groups. A line of words on stdin is a call, a line on stdout its result.

Usage: threads.py KEY CERTIFICATE. SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import gc
import os
import socket
import socketserver
import ssl
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

TIMEOUT = 60.0
KEY, CERTIFICATE = sys.argv[1:3]


class Handler(socketserver.StreamRequestHandler):
    """Answers a line with the line reversed."""

    timeout = TIMEOUT

    def setup(self) -> None:
        assert isinstance(self.server, Server)
        self.request.settimeout(TIMEOUT)
        self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()

    def handle(self) -> None:
        line = self.rfile.readline().strip()
        self.wfile.write(line[::-1] + b"\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 1024

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(CERTIFICATE, KEY)
        self.open, self.changed = 0, threading.Condition()

    def count(self, change: int) -> None:
        with self.changed:
            self.open += change
            self.changed.notify_all()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.count(1)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.count(-1)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Those who break off, or are refused, are no error here."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


servers: list[Server] = []


def version() -> str:
    return " ".join(ssl.OPENSSL_VERSION.split(" ")[:2])


def serve() -> str:
    servers.append(Server())
    threading.Thread(target=servers[0].serve_forever, daemon=True).start()
    return str(servers[0].server_address[1])


def idle() -> str:
    """Waits until no connection is open. The memory in use, in KiB, and the number of file descriptors."""
    server = servers[0]
    with server.changed:
        server.changed.wait_for(lambda: server.open == 0)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[1])
    return f"{pages * os.sysconf('SC_PAGE_SIZE') // 1024} {len(os.listdir('/proc/self/fd'))}"


def client(port: int, rounds: int, together: threading.Barrier) -> int:
    """Connections one after the other, when all clients are ready."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    tls.minimum_version = ssl.TLSVersion.TLSv1_3
    together.wait(TIMEOUT)
    for _ in range(rounds):
        line = os.urandom(16).hex().encode()
        with socket.create_connection(("127.0.0.1", port), TIMEOUT) as peer, tls.wrap_socket(peer) as connection:
            connection.sendall(line + b"\n")
            if connection.makefile("rb").readline() != line[::-1] + b"\n":
                raise OSError("other data came back")
    return rounds


def clients(port: str, count: str, rounds: str) -> str:
    together = threading.Barrier(int(count))
    with ThreadPoolExecutor(int(count)) as pool:
        each = [pool.submit(client, int(port), int(rounds), together) for _ in range(int(count))]
    return str(sum(one.result() for one in each))


CALLS: dict[str, Callable[..., str]] = {"version": version, "serve": serve, "idle": idle, "clients": clients}

if __name__ == "__main__":
    for call in sys.stdin:
        name, *words = call.split()
        try:
            print(CALLS[name](*words), flush=True)
        except OSError as error:
            print(f"error {error}", flush=True)
