"""Kyber round 3 with SHAKE, algorithms 7 to 9 of its specification (version 3.02), as far as they differ from FIPS 203.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace

from proofs.whole import fips203
from proofs.whole.fips203 import Bytes, Choice, F, Fips203, parts

SETS = tuple(replace(p, name=p.name.replace("ML-KEM-", "Kyber")) for p in fips203.SETS)


class Round3(Fips203[F]):
    """G(d) has no k, the coins are hashed, H(c) is in the shared secret, and keys are not checked."""

    checks_keys = False

    def seeds(self, d: Bytes) -> tuple[Bytes, Bytes]:
        return self.g(d)  # K4.2

    def kdf(self, key: Bytes, c: Bytes) -> Bytes:
        return self.j([*key, *self.h(c)])

    def encaps(self, ek: Bytes, m: Bytes) -> tuple[Bytes, Bytes]:
        m = self.h(m)  # K8.2
        key, r = self.g([*m, *self.h(ek)])  # K8.3
        c = self.encrypt(ek, m, r)
        return c, self.kdf(key, c)  # K8.5

    def decaps(self, dk: Bytes, c: Bytes) -> Choice:
        """K9.4 to K9.11: `kdf` of the choice is the shared secret."""
        s, ek, h, z = parts(self.p, dk)
        m = self.decrypt(s, c)
        key, r = self.g([*m, *h])
        return Choice(c, self.encrypt(ek, m, r), key, z)
