"""Lattice key encapsulation: ML-KEM (FIPS 203), and for research Kyber, Saber and NTRU.

    import latkem

    with latkem.MLKEM768PrivateKey.generate() as alice:
        public = alice.public_key().public_bytes_raw()                       # Alice publishes her key
        sent = latkem.MLKEM768PublicKey.from_public_bytes(public).encapsulate()
        assert alice.decapsulate(sent.ciphertext) == sent.shared_secret      # and both have the secret

SPDX-License-Identifier: Apache-2.0
"""

from latkem import batch, derand
from latkem._core import (
    InvalidKey,
    Kem,
    MLKEM512PrivateKey,
    MLKEM512PublicKey,
    MLKEM768PrivateKey,
    MLKEM768PublicKey,
    MLKEM1024PrivateKey,
    MLKEM1024PublicKey,
    PrivateKey,
    PublicKey,
    RandomFailure,
    backend,
    backends,
    load_private_key,
    load_public_key,
    use_backend,
)
from latkem._core import version as __version__
from latkem._encapsulation import Encapsulation

__all__ = [
    "Encapsulation",
    "InvalidKey",
    "Kem",
    "MLKEM512PrivateKey",
    "MLKEM512PublicKey",
    "MLKEM768PrivateKey",
    "MLKEM768PublicKey",
    "MLKEM1024PrivateKey",
    "MLKEM1024PublicKey",
    "PrivateKey",
    "PublicKey",
    "RandomFailure",
    "__version__",
    "backend",
    "backends",
    "batch",
    "derand",
    "load_private_key",
    "load_public_key",
    "use_backend",
]
