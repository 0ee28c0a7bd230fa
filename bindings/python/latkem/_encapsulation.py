"""The pair that an encapsulation gives. SPDX-License-Identifier: Apache-2.0"""

from typing import NamedTuple


class Encapsulation(NamedTuple):
    """A shared secret, and the ciphertext from which the private key's owner recovers it."""

    shared_secret: bytes
    ciphertext: bytes

    def __repr__(self) -> str:
        return f"<latkem encapsulation, ciphertext of {len(self.ciphertext)} bytes>"


Encapsulation.__module__ = "latkem"
