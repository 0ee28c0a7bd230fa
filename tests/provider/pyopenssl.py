"""Python's end: pyOpenSSL, with the OpenSSL in cryptography. A line of words on stdin is a call, a line on
stdout its result.

Usage: pyopenssl.py KEY CERTIFICATE. SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import queue
import socket
import sys
import threading
from collections.abc import Callable

from OpenSSL import SSL, crypto

KEY, CERTIFICATE = sys.argv[1:3]
reports = queue.Queue[str]()


def context_of(method: int, groups: str) -> SSL.Context:
    """pyOpenSSL has no call for several groups. The binding below it has one."""
    context = SSL.Context(method)
    if SSL._lib.SSL_CTX_set1_curves_list(context._context, groups.encode()) != 1:
        SSL._raise_current_error()
    return context


def line_of(connection: SSL.Connection) -> str:
    data = b""
    while not data.endswith(b"\n"):
        data += connection.recv(1024)
    return data.decode().strip()


def described(error: Exception) -> str:
    """All that is in OpenSSL's queue: library, function, reason."""
    entries = error.args[0] if error.args and isinstance(error.args[0], list) else [error.args]
    return "error " + "; ".join(":".join(map(str, entry)) for entry in entries)


def answer_line(context: SSL.Context, peer: socket.socket) -> str:
    connection = SSL.Connection(context, peer)
    connection.set_accept_state()
    connection.do_handshake()
    line = line_of(connection)
    connection.sendall(line[::-1].encode() + b"\n")
    with contextlib.suppress(SSL.Error):  # a client that has gone
        connection.shutdown()
    return f"{connection.get_group_name()} {line}"


def accept_all(context: SSL.Context, listener: socket.socket) -> None:
    while True:
        peer, _ = listener.accept()
        with peer:
            try:
                reports.put(answer_line(context, peer))
            except SSL.Error as error:
                reports.put(described(error))


def version() -> str:
    return " ".join(SSL.OpenSSL_version(SSL.OPENSSL_VERSION).decode().split(" ")[:2])


def serve(groups: str) -> str:
    context = context_of(SSL.TLS_SERVER_METHOD, groups)
    context.use_privatekey_file(KEY)
    context.use_certificate_file(CERTIFICATE)
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept_all, args=(context, listener), daemon=True).start()
    return str(listener.getsockname()[1])


def accepted() -> str:
    return reports.get()


def connect(port: str, groups: str, word: str) -> str:
    with socket.create_connection(("127.0.0.1", int(port))) as peer:
        connection = SSL.Connection(context_of(SSL.TLS_CLIENT_METHOD, groups), peer)
        connection.set_connect_state()
        connection.do_handshake()
        connection.sendall(word.encode() + b"\n")
        return f"{connection.get_group_name()} {line_of(connection)}"


def rewrite(private: str) -> str:
    """A private file in DER, written again, and its public file."""
    key = crypto.load_privatekey(crypto.FILETYPE_ASN1, bytes.fromhex(private))
    written = crypto.dump_privatekey(crypto.FILETYPE_ASN1, key)
    return f"{written.hex()} {crypto.dump_publickey(crypto.FILETYPE_ASN1, key).hex()}"


def seal(private: str, cipher: str, passphrase: str) -> str:
    key = crypto.load_privatekey(crypto.FILETYPE_ASN1, bytes.fromhex(private))
    return crypto.dump_privatekey(crypto.FILETYPE_PEM, key, cipher, passphrase.encode()).hex()


def unseal(private: str, passphrase: str) -> str:
    """An encrypted file in PEM, written without a passphrase."""
    key = crypto.load_privatekey(crypto.FILETYPE_PEM, bytes.fromhex(private), passphrase.encode())
    return crypto.dump_privatekey(crypto.FILETYPE_ASN1, key).hex()


CALLS: dict[str, Callable[..., str]] = {
    **{"version": version, "serve": serve, "accepted": accepted, "connect": connect},
    **{"rewrite": rewrite, "seal": seal, "unseal": unseal},
}

if __name__ == "__main__":
    for call in sys.stdin:
        name, *words = call.split()
        try:
            print(CALLS[name](*words), flush=True)
        except (SSL.Error, crypto.Error) as error:
            print(described(error), flush=True)
        except OSError as error:
            print(f"error {error}", flush=True)
