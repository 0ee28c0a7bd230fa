"""A program that uses every part of the package's types, for mypy --strict. SPDX-License-Identifier: Apache-2.0"""

import array

import latkem


def main() -> None:
    kem = latkem.Kem("ML-KEM-768")
    names: tuple[str, ...] = latkem.Kem.names()
    with latkem.MLKEM768PrivateKey.generate() as key:
        public: latkem.MLKEM768PublicKey = key.public_key()
        made: latkem.Encapsulation = public.encapsulate()
        secret: bytes = key.decapsulate(made.ciphertext)
        room = bytearray(kem.shared_secret_bytes)
        key.decapsulate_into(memoryview(made.ciphertext), room)
        text: bytes = key.private_bytes("PEM", form="both")
        loaded: latkem.PrivateKey = latkem.load_private_key(text)
    other: latkem.PublicKey = kem.public_key(array.array("B", public.public_bytes_raw()))
    latkem.batch.generate(kem, bytearray(kem.public_key_bytes), bytearray(kem.private_key_bytes))
    again: latkem.Encapsulation = latkem.derand.encapsulate(other, bytes(kem.coins_bytes))
    assert (secret, names, loaded.closed, again.shared_secret) != (b"", (), True, b"")


if __name__ == "__main__":
    main()
