"""Decapsulations of altered ciphertexts, with what must not come out of them.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from firmware import BUFFERS, PAGE, Firmware

SS = 32
UNTOUCHED = b"\xa5" * SS
LEAK = 6  # bytes in a row
NAME, EK, DK, CT, SHARED, SEED = (BUFFERS + PAGE * i for i in range(6))
RANDOM = bytes(i * 29 + 7 & 0xFF for i in range(PAGE))


def sha3(data: bytes) -> bytes:
    return hashlib.sha3_256(data).digest()


def sha2(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


@dataclass(frozen=True)
class Keys:
    """The parts of a case: a key pair, coins, a ciphertext and its secret; and the ciphertext altered."""

    ek: bytes
    dk: bytes
    coins: bytes
    ct: bytes
    ss: bytes
    altered: bytes


@dataclass(frozen=True)
class Scheme:
    """Which bit of the last byte of a ciphertext leaves the message as it is; the message, and the secret that comes of
    an altered ciphertext if it is accepted."""

    bit: int
    message: Callable[[Keys], bytes]
    accepted: Callable[[Keys], bytes]


def kyber_accepted(keys: Keys) -> bytes:
    k = hashlib.sha3_512(sha3(keys.coins) + sha3(keys.ek)).digest()[:SS]
    return hashlib.shake_256(k + sha3(keys.altered)).digest(SS)


def kyber90s_accepted(keys: Keys) -> bytes:
    k = hashlib.sha512(sha2(keys.coins) + sha2(keys.ek)).digest()[:SS]
    return sha2(k + sha2(keys.altered))


def saber_accepted(keys: Keys) -> bytes:
    k = hashlib.sha3_512(sha3(keys.coins) + sha3(keys.ek)).digest()[:SS]
    return sha3(k + sha3(keys.altered))


SCHEMES = {
    "ML-KEM": Scheme(4, lambda keys: keys.coins, lambda keys: keys.ss),
    "Kyber-90s": Scheme(4, lambda keys: sha2(keys.coins), kyber90s_accepted),
    "Kyber": Scheme(4, lambda keys: sha3(keys.coins), kyber_accepted),
    "Saber": Scheme(5, lambda keys: sha3(keys.coins), saber_accepted),
    # The bit is one of the padding: r and m are those of the ciphertext. The coins are longer than what is packed.
    "NTRU": Scheme(7, lambda keys: keys.coins, lambda keys: keys.ss),
}


def scheme_of(name: str) -> Scheme:
    if name.startswith("Kyber"):
        return SCHEMES["Kyber-90s" if name.endswith("90s") else "Kyber"]
    return SCHEMES[next(family for family in ("ML-KEM", "Saber", "NTRU") if family in name)]


class Case:
    """The call, ready to be made, and its verdict on what it gives."""

    def __init__(self, firmware: Firmware, name: str) -> None:
        scheme = scheme_of(name)
        kem = firmware.call("kem_find", firmware.write(NAME, name.encode() + b"\0"))
        if kem == 0:
            raise SystemExit(f"faults: the firmware has no {name}")
        ek, dk, ct = (firmware.call(f"{what}_bytes", kem) for what in ("ek", "dk", "ct"))
        seed, coins = firmware.call("seed_bytes", kem), firmware.call("coins_bytes", kem)
        firmware.write(SEED, RANDOM[:seed])
        made = firmware.call("keypair_derand", kem, EK, DK, SEED, seed)
        firmware.write(SEED, RANDOM[-coins:])
        made |= firmware.call("encaps_derand", kem, CT, SHARED, EK, ek, SEED, coins)
        ciphertext = firmware.code(CT, ct)
        altered = ciphertext[:-1] + bytes([ciphertext[-1] ^ 1 << scheme.bit])
        self.keys = Keys(
            firmware.code(EK, ek),
            firmware.code(DK, dk),
            RANDOM[-coins:],
            ciphertext,
            firmware.code(SHARED, SS),
            altered,
        )
        made |= firmware.call("decaps", kem, SHARED, CT, ct, DK, dk)
        if made != 0 or firmware.code(SHARED, SS) != self.keys.ss:
            raise SystemExit(f"faults: {name} does not work in the emulator")
        firmware.write(CT, altered)
        firmware.write(SHARED, UNTOUCHED)
        firmware.write(SEED, bytes(PAGE))
        self.accepted = scheme.accepted(self.keys)
        secret = (scheme.message(self.keys), self.keys.dk, altered)
        self.leaks = {data[i : i + LEAK] for data in secret for i in range(len(data) - LEAK + 1)} - {bytes(LEAK)}
        self.output = (SHARED, SS)
        firmware.begin("decaps", kem, SHARED, CT, ct, DK, dk)
        self.start = firmware.save()

    def verdict(self, result: int | None, ss: bytes, right: bytes) -> str:
        """The verdict on a call that returned this result, or did not come back, and left this secret."""
        if result is None:
            return "crash"
        if ss == self.accepted:
            return "accepted"
        if any(ss[i : i + LEAK] in self.leaks for i in range(SS - LEAK + 1)):
            return "leaked"
        if result != 0:
            return "refused" if not any(ss) else "left"
        if ss in (bytes(SS), UNTOUCHED):
            return "stale"
        return "right" if ss == right else "other"
