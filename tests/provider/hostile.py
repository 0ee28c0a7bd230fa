"""Hostile key shares: a hello made by hand, to a server and to a client with the module.

A server answers each with an alert. Afterwards the same process serves a good client. A client of OpenSSL 3.0, 3.5 and
4.0 answers with internal_error, because libssl makes that of every decapsulation that fails. OpenSSL's own
implementation, where the host has one, gets the same shares and must give the same alert.

The error that a host reports names the module. So it also proves that the module computes in these hosts, which the
handshakes of the part `tls` use with the same configuration, and not OpenSSL's own implementation.
SPDX-License-Identifier: Apache-2.0
"""

import os
from collections.abc import Callable, Iterator

import wire
from ends import Disagreement, agree
from hosts import Host, Refused, Server
from shares import GROUPS, LENGTH, Group, good, hostile

MODULE_NAME = "latkemprovider"  # of the library in OpenSSL's errors
BY_LIBSSL = "an empty share"  # which libssl refuses itself
OF_SERVER, OF_CLIENT = {"illegal_parameter"}, {"illegal_parameter", "internal_error"}
TAKEN = {"ServerHello", "bad_record_mac"}  # the answers of a server and of a client that have taken a share


def expect(answer: str, kind: str, expected: set[str], what: str) -> None:
    allowed = expected | {"decode_error"} if kind == LENGTH else expected
    if answer not in allowed:
        raise Disagreement(f"{what}: {answer}, not one of {', '.join(sorted(allowed))}")


def agree_with_own(answer: str, own: str, what: str) -> None:
    """OpenSSL's own hybrids take points that begin with 06 or 07, against RFC 8446, 4.2.8.2. latkem's refuse them."""
    if own not in TAKEN:
        agree(answer, own, f"{what}: the alert of the module, and of OpenSSL's own implementation")


# ---- A server ----


def next_report(server: Server) -> str:
    """The error of the connection that has ended; nothing for the command, which writes to its log."""
    try:
        server.accepted()
    except Refused as error:
        return str(error)
    return ""


def still_serves(server: Server, group: str) -> None:
    word = os.urandom(8).hex()
    agree(server.host.connect(server.host, server.port, [group], word).data, word[::-1], "a good client afterwards")
    server.accepted()
    agree(server.program.process.poll(), None, f"{server.host.name}: the status of the server")


def offer(server: Server, group: Group, share: bytes, late: bool) -> str:
    """late: in a second hello, after a HelloRetryRequest."""
    if late:
        return wire.offer_late(server.port, group.id, share)
    return wire.offer(server.port, wire.client_hello(group.id, share))


def attempts(group: Group) -> Iterator[tuple[str, str, bytes, bool]]:
    """All shares, and once more the last of each kind, after a HelloRetryRequest."""
    last = {}
    for what, kind, share in hostile(group, of_client=True):
        yield what, kind, share, False
        last[kind] = (f"{what}, asked for", kind, share, True)
    yield from last.values()


def offer_all(server: Server, own: Server | None, group: Group) -> int:
    """Each share that the module refuses gives one error of the module."""
    reports, count, done = "", 0, 0
    for what, kind, share, late in attempts(group):
        told = f"{server.host.name}, {group.name}: {what}"
        answer = offer(server, group, share, late)
        expect(answer, kind, OF_SERVER, told)
        reports += next_report(server)
        if own:
            agree_with_own(answer, offer(own, group, share, late), told)
            next_report(own)
        count, done = count + (what != BY_LIBSSL), done + 1
    still_serves(server, group.name)
    if not server.host.end:
        server.program.line_with("CONNECTION ESTABLISHED")
        reports = server.log()
    agree(reports.count(MODULE_NAME), count, f"{server.host.name}, {group.name}: errors of the module")
    server.program.seen.clear()
    return done


def takes_good(server: Server, group: Group) -> None:
    for late in (False, True):
        answer = offer(server, group, good(group, of_client=True), late)
        agree(answer, "ServerHello", f"{server.host.name}, {group.name}: a good share; asked for: {late}")
        next_report(server)


def to_server(host: Host, own: Host | None) -> int:
    done, own_server = 0, own.serve(own, own.groups) if own else None
    with host.serve(host, host.groups) as server:
        for group in GROUPS:
            takes_good(server, group)
            done += offer_all(server, own_server, group)
    return done


# ---- A client ----


def answered(host: Host, group: Group, share: bytes) -> tuple[str, str]:
    """A client's alert, and its error."""
    server = wire.Server(group.id, share)
    try:
        host.connect(host, server.port, [group.name], "00")
    except Refused as error:
        return server.heard(), str(error)
    raise Disagreement(f"{host.name}, {group.name}: a handshake without a server's keys")


def to_client(host: Host, own: Host | None) -> int:
    done = 0
    for group in GROUPS:
        taken = answered(host, group, good(group, of_client=False))[0]
        agree(taken, "bad_record_mac", f"{host.name}, {group.name}: a good share")
        for what, kind, share in hostile(group, of_client=False):
            told = f"{host.name}, {group.name}: {what}"
            answer, error = answered(host, group, share)
            expect(answer, kind, OF_CLIENT, told)
            if own:
                agree_with_own(answer, answered(own, group, share)[0], told)
            agree(error.count(MODULE_NAME), int(what != BY_LIBSSL), f"{told}: errors of the module in {error}")
            done += 1
    return done


ROLES: dict[str, Callable[[Host, Host | None], int]] = {"as a server": to_server, "as a client": to_client}
