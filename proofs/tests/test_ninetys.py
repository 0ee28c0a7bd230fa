"""Kyber-90s: the specification on NIST's known answers, and names of what AES and SHA-2 make.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from fips203_numbers import Concrete, Numbers, constants, numbers
from saber_numbers import Generator, cipher, expanded_key
from test_saber import is_whole_file, seeds

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.theorems import aes, fips180, ninetys_contracts, sha2
from proofs.theorems.contracts import Contract
from proofs.whole import ninetys as specification
from proofs.whole import selection
from proofs.whole.fips203 import SYM, Bytes, Parameters
from proofs.whole.ninetys import BLOCK, NONCE, SETS, Ninetys
from proofs.whole.ninetys_models import NinetysNamed
from proofs.whole.operations import variables


class NinetysConcrete(Concrete):
    """SHA-2's compression is the formula of theorems/fips180.py, of constants."""

    def sha256(self, state: Sequence[Node], block: Bytes) -> list[Node]:
        return self._compressed(fips180.SHA256, state, block)

    def sha512(self, state: Sequence[Node], block: Bytes) -> list[Node]:
        return self._compressed(fips180.SHA512, state, block)

    def _compressed(self, h: fips180.Hash, state: Sequence[Node], block: Bytes) -> list[Node]:
        size = h.width // 8
        return fips180.compress(h, state, [T.concat(block[at : at + size][::-1]) for at in range(0, len(block), size)])

    def aes256(self, key: Bytes, block: Bytes) -> Bytes:
        return constants(cipher(numbers(block), expanded_key(numbers(key))))


class Quick(Ninetys[Numbers]):
    """With the hashes of Python's library, and all blocks of a stream at once."""

    def h(self, s: Bytes) -> Bytes:
        return constants(hashlib.sha256(numbers(s)).digest())

    def g(self, s: Bytes) -> tuple[Bytes, Bytes]:
        out = constants(hashlib.sha512(numbers(s)).digest())
        return out[:SYM], out[SYM:]

    def stream(self, key: Bytes, nonce: Bytes, size: int) -> Bytes:
        counters = (numbers(nonce).ljust(NONCE, b"\0") + i.to_bytes(4, "big") for i in range(-(-size // BLOCK)))
        return constants(cipher(b"".join(counters), expanded_key(numbers(key))))[:size]


def of(kind: type[Ninetys[Numbers]], p: Parameters, pieces: int = 1) -> Ninetys[Numbers]:
    return kind(p, NinetysConcrete(), {(i, j): pieces for i in range(p.k) for j in range(p.k)})


def record(s: Ninetys[Numbers], seed: bytes) -> list[bytes]:
    """ek, dk, ct and ss, from the reference code's requests for randomness."""
    generator = Generator(seed)
    d, z, m = (constants(generator.take(SYM)) for _ in range(3))
    ek, dk = s.keygen(d, z)
    return [numbers(x) for x in (ek, dk, *s.encaps(ek, m))]


@pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
def test_known_answers_of_the_specification(p: Parameters) -> None:
    assert is_whole_file(p.name, partial(record, of(Quick, p)))


def test_functions_of_the_specification() -> None:
    """The compressions and single blocks; and more pieces of a stream than are needed."""
    p, seed = SETS[0], seeds(1)[0]
    assert record(of(Ninetys, p, 2), seed) == record(of(Quick, p), seed)


def test_decapsulation_of_the_specification() -> None:
    s = of(Quick, SETS[1])
    _, dk, ct, ss = (constants(x) for x in record(s, seeds(1)[0]))
    choice = s.decaps(dk, ct)
    assert (choice.again, s.kdf(choice.equal, ct)) == (ct, ss)
    other = [T.const(T.val(ct[0]) ^ 1, 8), *ct[1:]]
    choice = s.decaps(dk, other)
    assert choice.again != other
    wanted = hashlib.sha256(numbers(dk[-SYM:]) + hashlib.sha256(numbers(other)).digest()).digest()
    assert numbers(s.kdf(choice.other, other)) == wanted


def test_the_specification_is_short_and_stands_alone() -> None:
    text = Path(specification.__file__).read_text().splitlines()
    imported = {line.split()[1] for line in text if line.startswith(("from proofs", "import proofs"))}
    assert len(text) <= 90
    names = ("proofs.whole", "proofs.whole.fips203", "proofs.whole.kyber")
    assert imported == {"proofs.machine", "proofs.machine.terms", *names}


# ---- names ----


def test_the_first_bytes_that_were_hashed() -> None:
    """Of one block, and of two."""
    s = Ninetys(SETS[0], NinetysNamed(), {})
    for size in (32, 64, 1000):
        message = variables("m", size)
        assert selection.hashed(s.h(message))[:SYM] == message[:SYM]
    with pytest.raises(NotProved, match="no output of a hash"):
        selection.hashed(variables("m", 32))


def test_names_tell_messages_keys_and_counters_apart() -> None:
    s = Ninetys(SETS[0], NinetysNamed(), {})
    m, key = variables("m", 64), variables("key", 32)
    assert s.h(m) == s.h(list(m)) != s.h([*m[1:], m[0]])
    assert s.g(m)[0] != s.h(m)
    stream = s.stream(key, m[:1], 64)
    assert len(set(stream)) == len(stream)
    assert stream[:32] == s.stream(key, m[:1], 32)
    assert set(stream).isdisjoint(s.stream(key, m[1:2], 64))
    assert set(stream).isdisjoint(s.stream(m[:32], m[:1], 64))


# ---- contracts ----


def test_models_and_theorems_share_their_contracts() -> None:
    stated = [theorem.contract for module in (aes, sha2) for theorem in module.theorems()]
    of_file = [c for x in vars(ninetys_contracts).values() for c in (x if isinstance(x, tuple) else (x,))]
    assert set(stated) == {c for c in of_file if isinstance(c, Contract)}
