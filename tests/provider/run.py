#!/usr/bin/env python3
"""Runs latkem's OpenSSL provider in programs that people have, against peers without it: the command openssl (3.0 in
Debian 12), Node (OpenSSL 3.5), pyOpenSSL (OpenSSL 4.0) and Go. A program that is not there is skipped, with the reason.

Usage: run.py [PART..], where a part is tls, hostile, many, files or configuration. In the environment PROVIDER is the
module to test; without it LIBRARY_TREE is the build tree that has the module. LATKEM_TEST_DEEP asks for the long form.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "interop"))

import configuration
import files
import hostile
import hosts
import many
import tls
from ends import Absent, Broken, Disagreement, Refused
from hosts import Host
from wire import Malformed

PARTS = ["tls", "hostile", "many", "files", "configuration"]
FAULTS = (Broken, Disagreement, Refused, Malformed, OSError, subprocess.SubprocessError)
Test = Callable[[], int]


class Hosts:
    """The programs that are there, each with the module (`ours`) and without (`theirs`)."""

    def __init__(self) -> None:
        hosts.make_certificate()
        file = hosts.configuration("preferred")
        self.skipped: list[str] = []
        makers: list[tuple[str, Callable[[], Host]]] = [
            ("the command openssl", lambda: hosts.command(file)),
            ("Node", lambda: hosts.node(file)),
            ("pyOpenSSL", lambda: hosts.pyopenssl(file)),
            ("Go", hosts.go),
            ("Node without the module", lambda: hosts.node(None)),
            ("pyOpenSSL without the module", lambda: hosts.pyopenssl(None)),
        ]
        made = [self.make(name, maker) for name, maker in makers]
        self.ours = [host for host in made if host and host.has_module]
        self.theirs = [host for host in made if host and not host.has_module]

    def make(self, name: str, maker: Callable[[], Host]) -> Host | None:
        try:
            return maker()
        except Absent as reason:
            print(f"skipped: {name}: {reason}", flush=True)
            return None

    def own(self, host: Host) -> Host | None:
        """The same program with OpenSSL's own implementation."""
        return next((other for other in self.theirs if other.name.startswith(host.name)), None)


def tests(parts: list[str], all_hosts: Hosts) -> Iterator[tuple[str, Test]]:
    ours, theirs = all_hosts.ours, all_hosts.theirs
    if "tls" in parts:
        pairs = [(client, server) for client in ours for server in [*ours, *theirs]]
        for client, server in [*pairs, *((client, server) for client in theirs for server in ours)]:
            yield f"tls, {client} to {server}", partial(tls.run, client, server)
        yield "tls, openssl without the module", partial(tls.without_module, ours[0])
    if "hostile" in parts:
        for role, test in hostile.ROLES.items():
            for host in ours:
                yield f"hostile, {host} {role}", partial(test, host, all_hosts.own(host))
    if "many" in parts:
        yield "many", many.run
    if "files" in parts:
        yield from ((f"files, {name}", test) for name, test in files.tests())
    if "configuration" in parts:
        yield from ((f"configuration, {name}", test) for name, test in configuration.tests(ours[0]))


def one(name: str, test: Test) -> bool:
    begun = time.monotonic()
    try:
        checks = test()
    except Absent as reason:
        print(f"skipped: {name}: {reason}", flush=True)
        return True
    except FAULTS as fault:
        print(f"FAILED: {name}: {fault}", flush=True)
        return False
    print(f"{name}: {checks} checks, {time.monotonic() - begun:.1f} s", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[*PARTS, []])
    options = parser.parse_args()
    try:
        hosts.make_module()
        results = [one(*test) for test in tests(options.parts or PARTS, Hosts())]
        return 0 if all(results) else 1
    except Absent as reason:
        print(f"skipped: {reason}")
        return 0
    except FAULTS as fault:
        print(f"FAILED: {fault}")
        return 1
    finally:
        hosts.close_all()


if __name__ == "__main__":
    sys.exit(main())
