"""ML-KEM and the hybrids of TLS: each end encapsulates to the other's key.

SPDX-License-Identifier: Apache-2.0
"""

from ends import End, agree

SETS = ["ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024"]


def exchange(receiver: End, sender: End, name: str) -> None:
    ek, dk = receiver.all("keypair", name)
    ct, sent = sender.all("encaps", name, ek)
    agree(receiver.one("decaps", name, ct, dk), sent, f"{name}: {sender.name} to {receiver.name}")


def refusals(end: End, name: str, ek: bytes) -> int:
    """Keys that nobody may take: too short, too long, a coefficient of ML-KEM's first polynomial above q."""
    at = {"SecP256r1MLKEM768": 65, "SecP384r1MLKEM1024": 97}.get(name, 0)
    above = ek[:at] + b"\xff\xff\xff" + ek[at + 3 :]
    for wrong, what in [(ek[:-1], "short"), (ek + b"\0", "long"), (above, "above q")]:
        agree(end.refuses("encaps", name, wrong), True, f"{name}: {end.name} refuses a key, {what}")
    return 3


def run(latkem: End, peer: End, rounds: int) -> int:
    checks = 0
    for name in SETS:
        for _ in range(rounds):
            exchange(latkem, peer, name)
            exchange(peer, latkem, name)
            checks += 2
        ek, _ = latkem.all("keypair", name)
        checks += refusals(latkem, name, ek) + refusals(peer, name, ek)
    return checks
