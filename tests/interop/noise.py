"""Noise: a handshake in either role, the payloads in it, and the transport after it.

SPDX-License-Identifier: Apache-2.0
"""

import os
import random

from ends import End, agree

KEMS = {"MLKEM512": "ML-KEM-512", "MLKEM768": "ML-KEM-768", "MLKEM1024": "ML-KEM-1024"}
NAMES = [
    f"Noise_{pattern}_{kem}_{cipher}_{hash_name}"
    for pattern in ("pqNK", "pqKK", "pqIK")
    for kem in KEMS
    for cipher in ("ChaChaPoly", "AESGCM")
    for hash_name in ("SHA256", "SHA512")
]


def some() -> bytes:
    return os.urandom(random.choice([0, 1, 100, 2000]))


def start(name: str, initiator: End, responder: End, latkem: End) -> None:
    """Static keys: latkem makes both pairs, because clatter shows none of its own."""
    _, pattern, kem, *_ = name.split("_")
    prologue, (ek_a, dk_a), (ek_b, dk_b) = some(), *[latkem.all("keypair", KEMS[kem]) for _ in range(2)]
    own = (dk_a, ek_a) if pattern != "pqNK" else (b"", b"")
    known = ek_a if pattern == "pqKK" else b""
    initiator.all("noise_start", name, "initiator", prologue, own[0], ek_b, own[1])
    responder.all("noise_start", name, "responder", prologue, dk_b, known, ek_b)


def send(sender: End, receiver: End, name: str, what: str) -> None:
    payload = some()
    received = receiver.one("noise_read", sender.one("noise_write", payload))
    agree(received, payload, f"{name}: {what} from {sender.name}")


def session(name: str, initiator: End, responder: End, latkem: End) -> int:
    start(name, initiator, responder, latkem)
    send(initiator, responder, name, "message 1")
    send(responder, initiator, name, "message 2")
    agree(initiator.one("noise_hash"), responder.one("noise_hash"), f"{name}: the hash of the handshake")
    for _ in range(3):
        send(initiator, responder, name, "transport")
        send(responder, initiator, name, "transport")
    return 9


def altered(name: str, initiator: End, responder: End, latkem: End) -> int:
    """Any byte of the first message that is changed ends the handshake."""
    start(name, initiator, responder, latkem)
    message = bytearray(initiator.one("noise_write", some()))
    message[random.randrange(len(message))] ^= 1
    agree(responder.refuses("noise_read", bytes(message)), True, f"{name}: {responder.name} refuses an altered message")
    return 1


def run(latkem: End, peer: End, rounds: int) -> int:
    checks = 0
    for name in NAMES * rounds:
        for initiator, responder in [(latkem, peer), (peer, latkem)]:
            checks += session(name, initiator, responder, latkem) + altered(name, initiator, responder, latkem)
    return checks
