"""Many operations in one call, which vector code runs side by side.

Each array is one buffer with its elements one behind the other: a bytearray, or a NumPy array of bytes. Results are
written to the caller's buffers. The first array decides the number of elements. Buffers of uneven lengths or that
overlap are a ValueError, and nothing is written. If a key is not valid, the call raises InvalidKey; the results of that
element are zero, and the others are complete.
SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from latkem import _core

if TYPE_CHECKING:
    from latkem._core import Buffer, Kem, WritableBuffer

__all__ = ["decapsulate", "encapsulate", "generate"]


def generate(kem: Kem, public_keys: WritableBuffer, private_keys: WritableBuffer) -> None:
    """Generates key pairs; private keys are expanded."""
    _core.batch_generate(kem, public_keys, private_keys)


def encapsulate(kem: Kem, public_keys: Buffer, ciphertexts: WritableBuffer, shared_secrets: WritableBuffer) -> None:
    """Encapsulates once to each public key."""
    _core.batch_encapsulate(kem, public_keys, ciphertexts, shared_secrets)


def decapsulate(kem: Kem, private_keys: Buffer, ciphertexts: Buffer, shared_secrets: WritableBuffer) -> None:
    """Decapsulates each ciphertext with the expanded private key of its place."""
    _core.batch_decapsulate(kem, private_keys, ciphertexts, shared_secrets)
