"""Models of the kernels of AES and SHA-2 (theorems/ninetys_contracts.py), and names of what they make.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from functools import partial

from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import ninetys_contracts as contracts
from proofs.theorems.contracts import Contract
from proofs.theorems.ninetys_contracts import BLOCK, EXPANDED_WORDS, Cipher, Compression
from proofs.whole import values
from proofs.whole.models import Models
from proofs.whole.ninetys import FIRST, NEXT, NONCE
from proofs.whole.paths import Path
from proofs.whole.values import Bytes, Name, Named

KEY = 32


def key_of(s: Bytes) -> Name:
    return values.name_of(("AES key", values.string(s)))


def encrypted(key: Name, block: Bytes) -> Bytes:
    name = values.name_of(("AES", key, values.string(block)))
    return [T.var(("AES", name, i), 8) for i in range(BLOCK)]


class NinetysNamed(Named):
    @staticmethod
    def aes256(key: Bytes, block: Bytes) -> Bytes:
        return encrypted(key_of(key), block)

    @staticmethod
    def sha256(state: Sequence[Node], block: Bytes) -> list[Node]:
        return values.compressed(32, state, block)

    @staticmethod
    def sha512(state: Sequence[Node], block: Bytes) -> list[Node]:
        return values.compressed(64, state, block)


class NinetysModels(Models):
    pieces = FIRST, NEXT

    def _replace_kernels(self) -> None:
        super()._replace_kernels()
        self._replace(contracts.EXPAND_KEY, self._expand_key)
        self._replace(contracts.COUNTERS, self._counters)
        for kernel in (contracts.SHA256, contracts.SHA512):
            self._replace_at(contracts.SHA2, kernel[0].kernel, partial(self._compress, kernel))

    def _expand_key(self, c: Cipher) -> None:
        to, at = self._number(0), self._number(1)
        self._apart((to, 8 * EXPANDED_WORDS), (at, KEY))
        self._check_alignment(to, c.align)
        self._put(to, self._expanded(key_of(self._bytes(at, KEY))), 8 * EXPANDED_WORDS)

    def _expanded(self, key: Name) -> list[Node]:
        return [T.var(("expanded key", key, i), 64) for i in range(EXPANDED_WORDS)]

    def _counters(self, c: Cipher) -> None:
        out, number, at, nonce_at, counter = (self._number(i) for i in range(5))
        if number not in c.numbers:
            raise self._refuse(f"of {number} blocks")
        self._apart((out, BLOCK * number), (at, 8 * EXPANDED_WORDS), (nonce_at, NONCE))
        key, nonce = self._key(c, at), self._bytes(nonce_at, NONCE)
        if (counter := counter & 0xFFFFFFFF) + number > 1 << 32:
            raise self._refuse(f"{number} blocks from {counter}")
        counters = ([T.const(b, 8) for b in (counter + i).to_bytes(4, "big")] for i in range(number))
        self._put(out, [byte for last in counters for byte in encrypted(key, [*nonce, *last])], BLOCK * number)

    def _key(self, c: Contract, at: int) -> Name:
        """The key that expand_key wrote."""
        self._rest_on(contracts.EXPAND_KEY)
        self._memory.check(at, 8 * EXPANDED_WORDS, False)
        self._check_alignment(at, c.align)
        words = self._memory.lanes(at, EXPANDED_WORDS, 64)
        name = values.name_in(words[0], "expanded key")
        if name is None or words != self._expanded(name):
            raise self._refuse(f"what lies at {at:#x} is no expanded key")
        return name

    def _compress(self, stated: tuple[Compression, ...]) -> None:
        state_at, at, number = (self._number(i) for i in range(3))
        found = [c for c in stated if number in c.numbers]
        if not found:
            raise self._refuse(f"of {number} blocks")
        c = found[0]
        self._rest_on(c)
        size = 8 * c.width // 8
        self._check_alignment(state_at, c.align)
        self._apart((state_at, size), (at, c.block * number))
        self._memory.check(state_at, size, True)
        state, data = self._memory.lanes(state_at, 8, c.width), self._bytes(at, c.block * number)
        for i in range(number):
            state = values.compressed(c.width, state, data[c.block * i : c.block * (i + 1)])
        self._memory.put(state_at, state)


class NinetysPath(Path):
    kernels = NinetysModels
