#!/usr/bin/env python3
"""Lets latkem work together with other libraries, both ways: KEMs, key files, HPKE and Noise, with fresh keys each
time. A library that is not there is skipped, with the reason.

Usage: run.py [--rounds N] [PART..], where a part is kems, keyfiles, hpke or noise. In the environment LATKEM_TEST_DEEP
asks for more rounds and for all parts, CXX is the compiler of latkem's end, LIBRARY_TREE a build tree with libraries to
take. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator

import ends
import hpke
import kems
import keyfiles
import noise
from ends import Absent, Broken, Disagreement, End, Refused

ALL = ["kems", "keyfiles", "hpke", "noise"]
DEEP = bool(os.environ.get("LATKEM_TEST_DEEP"))


def with_peer(
    peer: Callable[[], End], run: Callable[[End, End, int], int], rounds: int
) -> Callable[[End], tuple[str, int]]:
    """A test with a library, which is made ready when its turn comes."""

    def test(latkem: End) -> tuple[str, int]:
        end = peer()
        try:
            return end.name, run(latkem, end, rounds)
        finally:
            end.close()

    return test


def with_reader(reader: Callable[[], keyfiles.Reader], rounds: int) -> Callable[[End], tuple[str, int]]:
    def test(latkem: End) -> tuple[str, int]:
        made = reader()
        return made.name, keyfiles.run(latkem, made, rounds)

    return test


def node_files(latkem: End, node: End, rounds: int) -> int:
    return keyfiles.run(latkem, keyfiles.of_node(node), rounds)


def tests(parts: list[str], rounds: int) -> Iterator[tuple[str, str, Callable[[End], tuple[str, int]]]]:
    """The part, the library and the test. Of suites there are many, so a round of them is long."""
    if "kems" in parts:
        yield "kems", "Go", with_peer(ends.go, kems.run, 10 * rounds)
    if "keyfiles" in parts:
        yield "keyfiles", "cryptography", with_reader(keyfiles.of_cryptography, 5 * rounds)
        yield "keyfiles", "Node", with_peer(ends.node, node_files, 5 * rounds)
        yield "keyfiles", "openssl", with_reader(keyfiles.of_openssl, rounds)
    if "hpke" in parts:
        yield "hpke", "Go", with_peer(ends.go, hpke.run, rounds)
    if "noise" in parts:
        yield "noise", "clatter", with_peer(ends.clatter, noise.run, rounds)


def one(part: str, library: str, test: Callable[[End], tuple[str, int]], latkem: End) -> bool:
    begun = time.monotonic()
    try:
        name, checks = test(latkem)
    except Absent as reason:
        print(f"skipped: {part} with {library}: {reason}", flush=True)
        return True
    except (Broken, Disagreement, Refused) as fault:
        print(f"FAILED: {part} with {library}: {fault}", flush=True)
        return False
    print(f"{part} with {name}: {checks} checks, {time.monotonic() - begun:.0f} s", flush=True)
    return True


def main() -> int:
    # clatter is built of some forty crates, which is for the deep rung.
    usual = ALL if DEEP else ALL[:-1]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[*ALL, []])
    parser.add_argument("--rounds", metavar="N", type=int, default=10 if DEEP else 1)
    options = parser.parse_args()
    ends.OUT.mkdir(parents=True, exist_ok=True)
    try:
        latkem = ends.latkem()
    except Absent as reason:
        print(f"skipped: {reason}")
        return 0
    except Broken as fault:
        print(f"FAILED: {fault}")
        return 1
    results = [one(*test, latkem) for test in tests(options.parts or usual, options.rounds)]
    latkem.close()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
