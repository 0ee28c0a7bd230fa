"""HPKE in base mode: each end seals what the other opens, and both export the same secrets.

SPDX-License-Identifier: Apache-2.0
"""

import os
import random

from ends import End, agree

KEMS = {"ML-KEM-768": 0x41, "ML-KEM-1024": 0x42, "X-Wing": 0x647A, "MLKEM768-P256": 0x50, "MLKEM1024-P384": 0x51}
# The bytes of the KDF's hash; it exports 255 times as many at most. SHAKE gives 65535.
KDFS = {1: 32, 2: 48, 3: 64, 0x10: 257, 0x11: 257}
AEADS = [1, 2, 3]
EXPORT_ONLY = 0xFFFF


def some(most: int) -> bytes:
    return os.urandom(random.randint(0, most))


class Suite:
    """A KEM, a KDF and an AEAD, and how many checks were made with them."""

    def __init__(self, latkem: End, peer: End, kem: str, kdf: int, aead: int) -> None:
        self.latkem, self.peer = latkem, peer
        self.kem, self.kdf, self.aead = kem, kdf, aead
        self.text = f"{kem}, KDF {kdf}, AEAD {aead}"
        self.checks = 0

    def of(self, end: End) -> list[str | int]:
        """latkem knows KEMs by their names, others by HPKE's numbers."""
        return [self.kem if end is self.latkem else KEMS[self.kem], self.kdf, self.aead]

    def agree(self, first: object, second: object, what: str) -> None:
        agree(first, second, f"{self.text}: {what}")
        self.checks += 1

    def derived(self) -> list[bytes]:
        ikm = os.urandom(64) + some(100)
        own, other = (end.all("derive_keypair", self.of(end)[0], ikm) for end in (self.latkem, self.peer))
        self.agree(own, other, "the derived key pair")
        return own

    def contexts(self, sender: End, recipient: End) -> None:
        ek, sk = self.derived()
        info = some(300)
        enc = sender.one("sender", *self.of(sender), ek, info)
        recipient.all("recipient", *self.of(recipient), enc, sk, info)

    def messages(self, sender: End, recipient: End) -> None:
        for _ in range(4):
            aad, pt = some(100), some(1000)
            ct = sender.one("seal", aad, pt)
            altered = bytearray(ct)
            altered[random.randrange(len(ct))] ^= 1
            self.agree(recipient.refuses("open", aad, bytes(altered)), True, "an altered message is refused")
            self.agree(recipient.one("open", aad, ct), pt, "the message after it")

    def exports(self, sender: End, recipient: End) -> None:
        most = 255 * KDFS[self.kdf]
        for length in (1, 32, random.randint(1, most), most):
            about = some(200)
            sent = sender.one("export", "sender", length, about)
            received = recipient.one("export", "recipient", length, about)
            self.agree(sent, received, f"{length} bytes that are exported")

    def run(self) -> int:
        for sender, recipient in [(self.latkem, self.peer), (self.peer, self.latkem)]:
            self.contexts(sender, recipient)
            if self.aead == EXPORT_ONLY:
                self.agree(sender.refuses("seal", b"", b"text"), True, "an export-only context does not seal")
            else:
                self.messages(sender, recipient)
            self.exports(sender, recipient)
        return self.checks


def run(latkem: End, peer: End, rounds: int) -> int:
    suites = [(kem, kdf, aead) for kem in KEMS for kdf in KDFS for aead in [*AEADS, EXPORT_ONLY]]
    return sum(Suite(latkem, peer, *suite).run() for _ in range(rounds) for suite in suites)
