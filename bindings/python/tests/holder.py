"""A process with keys; test_memory.py searches its memory.

At each stop it says whether the secrets that it names must be there or gone. It writes them inverted, so that it has no
second copy of them. SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import sys
from collections.abc import Iterable

from latkem import Kem, PrivateKey, load_private_key

PIECE = 32


def inverted(secret: Iterable[int]) -> bytes:
    return bytes(byte ^ 0xFF for byte in secret)


def erase(handed_out: bytes) -> None:
    """Overwrites bytes that latkem gave, which Python itself cannot."""
    ctypes.memset(id(handed_out) + bytes.__basicsize__ - 1, 0, len(handed_out))


def parts(key: PrivateKey) -> dict[str, bytes]:
    """Pieces of a key, inverted: of dk's beginning, its end (z), and of the seed's beginning (d)."""
    dk = key.expanded_bytes()
    found = {"dk": inverted(memoryview(dk)[:PIECE]), "z": inverted(memoryview(dk)[-PIECE:])}
    erase(dk)
    if key.has_seed:
        seed = key.private_bytes_raw()
        found["d"] = inverted(memoryview(seed)[:PIECE])
        erase(seed)
    return found


def stop(state: str, secrets: dict[str, bytes]) -> None:
    print(state, *(f"{name} {secret.hex()}" for name, secret in secrets.items()), flush=True)
    sys.stdin.readline()


def shared_secrets(key: PrivateKey) -> dict[str, bytes]:
    """Those of an encapsulation and a decapsulation, both erased by us."""
    ours, theirs = bytearray(key.kem.shared_secret_bytes), bytearray(key.kem.shared_secret_bytes)
    key.decapsulate_into(bytes(key.kem.ciphertext_bytes), ours)
    key.public_key().encapsulate_into(theirs)
    found = {"decapsulated": inverted(ours), "encapsulated": inverted(theirs)}
    ours[:] = theirs[:] = bytes(len(ours))
    return found


def files(key: PrivateKey) -> dict[str, bytes]:
    """Pieces of the seed in the texts of a key's files, which were written, read and erased."""
    found = {}
    for form in ("seed", "both"):
        for encoding in ("DER", "PEM"):
            file = key.private_bytes(encoding, form)
            load_private_key(file).close()
            if encoding == "PEM":
                found[f"text-of-{form}"] = inverted(memoryview(file)[70:90])
            erase(file)
    return found


def main() -> None:
    key = Kem(sys.argv[1]).generate()
    secrets = parts(key)
    temporary = shared_secrets(key)
    if key.has_seed:
        temporary |= files(key)
    stop("open", secrets)
    stop("gone", temporary)
    key.close()
    stop("gone", secrets)
    key = Kem(sys.argv[1]).generate()
    secrets = parts(key)
    key.decapsulate(bytes(key.kem.ciphertext_bytes))
    stop("open", secrets)
    del key
    stop("gone", secrets)


if __name__ == "__main__":
    main()
