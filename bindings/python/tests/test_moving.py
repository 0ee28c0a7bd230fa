"""The calls of docs/moving.md in Python: each is a line here, and the bytes of both sides are the same.

Of the two packages pqcrypto one can be installed at a time. SPDX-License-Identifier: Apache-2.0
"""

import importlib
import os
from collections.abc import Callable
from typing import Any

import latkem
import pytest


def works_here(pk: bytes, sk: bytes, ct: bytes, ss: bytes, encapsulate: Any, decapsulate: Callable[..., bytes]) -> None:
    """Keys and ciphertexts of another package in latkem, of latkem in the other, and an altered ciphertext in both."""
    kem = latkem.Kem("ML-KEM-768")
    assert kem.private_key(sk).public_key().public_bytes_raw() == pk
    assert kem.decapsulate(sk, ct) == ss
    sent = kem.encapsulate(pk)
    assert decapsulate(sk, sent.ciphertext) == sent.shared_secret
    key = kem.generate()
    ciphertext, secret = encapsulate(key.public_key().public_bytes_raw())
    assert key.decapsulate(ciphertext) == decapsulate(key.expanded_bytes(), ciphertext) == secret
    altered = bytes([ct[0] ^ 1]) + ct[1:]
    assert kem.decapsulate(sk, altered) == decapsulate(sk, altered) != ss


def test_here() -> None:
    kem = latkem.Kem("ML-KEM-768")
    key = kem.generate()
    pk, sk = key.public_key().public_bytes_raw(), key.expanded_bytes()
    ss, ct = kem.encapsulate(pk)
    expected = ss
    ss = key.decapsulate(ct)
    assert ss == expected
    ss = kem.decapsulate(sk, ct)
    assert ss == expected
    sk = key.expanded_bytes()
    seed = key.private_bytes_raw()
    key = kem.private_key(sk)
    assert key.decapsulate(ct) == expected
    key = kem.from_seed(seed)
    assert key.expanded_bytes() == sk


def test_pqcrypto() -> None:
    module = pytest.importorskip("pqcrypto.kem.ml_kem_768", exc_type=ImportError)
    if not hasattr(module, "keygen"):
        pytest.skip("this pqcrypto is older than 1.0")
    from pqcrypto.kem.ml_kem_768 import decaps, encaps, keygen

    pk, sk = keygen()
    ct, ss = encaps(pk)
    assert ss == decaps(sk, ct)
    ss = decaps(sk, ct)
    works_here(pk, sk, ct, ss, encaps, decaps)
    for invalid in (pk[:-1], b"\xff" * len(pk)):
        with pytest.raises(ValueError, match="public key"):
            encaps(invalid)


def test_older_pqcrypto() -> None:
    module = pytest.importorskip("pqcrypto.kem.ml_kem_768", exc_type=ImportError)
    if not hasattr(module, "generate_keypair"):
        pytest.skip("this pqcrypto is newer than 0.4")
    from pqcrypto.kem.ml_kem_768 import decrypt, encrypt, generate_keypair

    pk, sk = generate_keypair()
    ct, ss = encrypt(pk)
    assert ss == decrypt(sk, ct)
    ss = decrypt(sk, ct)
    works_here(pk, sk, ct, ss, encrypt, decrypt)
    encrypt(b"\xff" * len(pk))  # no check of the modulus


def test_what_was_asked_for_is_here() -> None:
    """bindings/python/tests/run.py says which package it has installed."""
    wanted = os.environ.get("LATKEM_TEST_BESIDE", "")
    if not wanted:
        pytest.skip("no other package is asked for")
    module = importlib.import_module("pqcrypto.kem.ml_kem_768")
    assert hasattr(module, "keygen" if wanted == "pqcrypto==1.0.0" else "generate_keypair")
