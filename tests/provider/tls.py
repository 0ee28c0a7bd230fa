"""Handshakes of TLS 1.3 in all six groups, with data both ways, between hosts of the module and peers without it.

The group that a handshake used is read from the hellos, which pass through a tap, and from the report of each side that
can name it. A HelloRetryRequest is brought about by a first share of a group that the server does not have.

These handshakes do not show which implementation computes a secret, because OpenSSL from 3.5 on has the same groups.
The part `hostile` shows that: there the same hosts, with the same configuration, name latkem's module in their errors.
On OpenSSL before 3.5 without_module() shows that the module alone has the groups.
SPDX-License-Identifier: Apache-2.0
"""

import os
import re

from ends import Absent, agree
from hosts import DEEP, Connection, Host, Server, name_of, openssl
from wire import CLIENT_HELLO, SERVER_HELLO, Tap

FIRST = "X25519MLKEM768"  # the share that a server without that group retries


def passes(client: Host, server: Server, offered: list[str], target: str, retried: bool) -> None:
    """One connection, which must use the group `target`."""
    word, tap = os.urandom(16).hex(), Tap(server.port)
    what = f"{client.name} to {server.host.name}, {':'.join(offered)}"
    try:
        at_client = client.connect(client, tap.port, offered, word)
        at_server = server.accepted() or Connection(None, word)
    finally:
        tap.close()
    agree((at_client.data, at_server.data), (word[::-1], word), f"{what}: data")
    for end, report in (("client", at_client), ("server", at_server)):
        agree(report.group or target, target, f"{what}: the group of the {end}")
    agree_hellos(tap, target, retried, what)


def agree_hellos(tap: Tap, target: str, retried: bool, what: str) -> None:
    groups = [(hello, list(map(name_of, hello.groups))) for hello in tap.hellos()]
    answers = [(*names, hello.is_retry) for hello, names in groups if hello.kind == SERVER_HELLO]
    shares = [target in names for hello, names in groups if hello.kind == CLIENT_HELLO]
    agree(answers, [(target, True)] * retried + [(target, False)], f"{what}: the hellos of the server")
    agree(shares, [False] * retried + [True], f"{what}: whether the client's hellos have a share of the group")


def full(client: Host, server: Host) -> int:
    groups = [group for group in server.groups if group in client.groups]
    with server.serve(server, server.groups) as listening:
        for group in groups:
            passes(client, listening, [group], group, False)
    return len(groups)


def firsts(client: Host, server: Host) -> list[tuple[str, list[str]]]:
    """The first share of a handshake that is retried, and the groups of the server."""
    found = [(FIRST, [group for group in server.groups if group != FIRST])]
    if client.name != "Go":
        found.append(("X25519", server.groups if DEEP else [FIRST]))
    return found


def retried(client: Host, server: Host) -> int:
    """Go shares X25519MLKEM768 whenever it offers that, so it never comes to that group by a retry."""
    done = 0
    for first, groups in firsts(client, server):
        with server.serve(server, groups) as listening:
            for group in (group for group in groups if group in client.groups):
                passes(client, listening, [first, group], group, True)
                done += 1
    return done


def run(client: Host, server: Host) -> int:
    return full(client, server) + retried(client, server)


def without_module(host: Host) -> int:
    """The command openssl before 3.5 without the module: it knows none of the groups."""
    need_older(host)
    for group in host.groups:
        said = openssl("s_client", "-connect", "127.0.0.1:1", "-groups", group).stderr.decode()
        agree(f"(-groups, {group}) failed" in said, True, f"openssl without the module refuses {group}: {said}")
    return len(host.groups)


def need_older(host: Host) -> None:
    """OpenSSL from 3.5 on has the groups itself."""
    numbers = re.search(r"(\d+)\.(\d+)", host.version)
    if not numbers or (int(numbers[1]), int(numbers[2])) >= (3, 5):
        raise Absent(f"{host.version} has the groups itself")
