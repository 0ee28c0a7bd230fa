"""Key files: what latkem writes others read, and the other way round. Python's cryptography reads and writes seeds of
two sets alone; Node, with OpenSSL 3.5, all three forms of all sets, and so does the command openssl from 3.5 on.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ends import Absent, Disagreement, End, Refused, agree, need

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM1024PrivateKey

    PrivateKey: TypeAlias = "MLKEM768PrivateKey | MLKEM1024PrivateKey"

SEED, EXPANDED, BOTH = FORMS = (1, 2, 3)
SETS = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]


@dataclass
class Reader:
    """Another library's way with key files: each function takes and gives DER, or raises Refused."""

    name: str
    sets: list[str]
    forms: tuple[int, ...]
    generate: Callable[[str], tuple[bytes, bytes]]  # the public and the private file
    public_of: Callable[[bytes], bytes]  # the public file of a private one
    encaps: Callable[[bytes], tuple[bytes, bytes]] | None = None  # to a public file
    decaps: Callable[[bytes, bytes], bytes] | None = None  # a ciphertext, with a private file


def theirs(latkem: End, reader: Reader, name: str) -> int:
    """Their new key: latkem reads both files and writes the same bytes again."""
    public, private = reader.generate(name)
    found, ek = latkem.texts("public_read", public)
    kem, form, seed, dk = latkem.texts("private_read", private)
    agree((found, kem), (name, name), f"{reader.name}: the set in its files")
    agree(latkem.one("public_write", name, bytes.fromhex(ek)), public, f"{name}: {reader.name}'s public file again")
    agree(latkem.one("private_write", name, form, bytes.fromhex(seed)), private, f"{name}: its private file again")
    checks = 3
    if reader.encaps and reader.decaps:
        ct, sent = latkem.all("encaps", name, bytes.fromhex(ek))
        agree(reader.decaps(ct, private), sent, f"{name}: latkem's ciphertext, decapsulated by {reader.name}")
        ct, sent = reader.encaps(public)
        agree(latkem.one("decaps", name, ct, bytes.fromhex(dk)), sent, f"{name}: {reader.name}'s ciphertext")
        checks += 2
    return checks


def new_key(latkem: End, name: str) -> tuple[bytes, bytes, bytes]:
    """ek, the seed and dk."""
    ek, seed = latkem.all("derive_keypair", name, os.urandom(64))
    *_, dk = latkem.texts("private_read", latkem.one("private_write", name, SEED, seed))
    return ek, seed, bytes.fromhex(dk)


def ours(latkem: End, reader: Reader, name: str, ek: bytes, seed: bytes, dk: bytes) -> int:
    """latkem's files in each form that the reader knows: they give it the same public key, and the same secrets."""
    public, checks = latkem.one("public_write", name, ek), 0
    for form in reader.forms:
        private = latkem.one("private_write", name, form, dk if form == EXPANDED else seed)
        agree(reader.public_of(private), public, f"{name}: what {reader.name} reads in form {form}")
        checks += 1
        if reader.encaps and reader.decaps:
            ct, sent = reader.encaps(public)
            agree(reader.decaps(ct, private), sent, f"{name}: {reader.name} with latkem's files")
            agree(latkem.one("decaps", name, ct, dk), sent, f"{name}: {reader.name} to latkem's file")
            checks += 2
    return checks


def inconsistent(latkem: End, reader: Reader, name: str, seed: bytes, dk: bytes) -> int:
    """A file of both with a dk that is not the seed's: nobody reads it."""
    if BOTH not in reader.forms:
        return 0
    private = bytearray(latkem.one("private_write", name, BOTH, seed))
    private[-1] ^= 1
    agree(latkem.refuses("private_read", bytes(private)), True, f"{name}: latkem refuses a wrong dk")
    try:
        reader.public_of(bytes(private))
    except Refused:
        return 2
    raise Disagreement(f"{name}: {reader.name} reads a file of both with a wrong dk")


def run(latkem: End, reader: Reader, rounds: int) -> int:
    checks = 0
    for name in reader.sets:
        for _ in range(rounds):
            ek, seed, dk = new_key(latkem, name)
            checks += theirs(latkem, reader, name) + ours(latkem, reader, name, ek, seed, dk)
            checks += inconsistent(latkem, reader, name, seed, dk)
    return checks


# ---- Readers ----


def of_cryptography() -> Reader:
    try:
        import cryptography
        from cryptography.hazmat.primitives import serialization as files
        from cryptography.hazmat.primitives.asymmetric import mlkem
    except ImportError:
        raise Absent("no cryptography with ML-KEM (pip)") from None

    new: dict[str, Callable[[], PrivateKey]] = {
        "ML-KEM-768": mlkem.MLKEM768PrivateKey.generate,
        "ML-KEM-1024": mlkem.MLKEM1024PrivateKey.generate,
    }

    def write_public(key: "PrivateKey") -> bytes:
        return key.public_key().public_bytes(files.Encoding.DER, files.PublicFormat.SubjectPublicKeyInfo)

    def generate(name: str) -> tuple[bytes, bytes]:
        key = new[name]()
        private = key.private_bytes(files.Encoding.DER, files.PrivateFormat.PKCS8, files.NoEncryption())
        return write_public(key), private

    def read(private: bytes) -> "PrivateKey":
        try:
            key = files.load_der_private_key(private, None)
        except (ValueError, TypeError) as error:
            raise Refused(str(error)) from error
        if not isinstance(key, mlkem.MLKEM768PrivateKey | mlkem.MLKEM1024PrivateKey):
            raise Refused(f"read as a {type(key).__name__}")
        return key

    def encaps(public: bytes) -> tuple[bytes, bytes]:
        key = files.load_der_public_key(public)
        if not isinstance(key, mlkem.MLKEM768PublicKey | mlkem.MLKEM1024PublicKey):
            raise Refused(f"read as a {type(key).__name__}")
        secret, ct = key.encapsulate()
        return ct, secret

    return Reader(
        f"cryptography {cryptography.__version__}",
        list(new),
        (SEED,),
        generate,
        lambda private: write_public(read(private)),
        encaps,
        lambda ct, private: read(private).decapsulate(ct),
    )


def of_node(node: End) -> Reader:
    def pair(call: str, word: bytes | str) -> tuple[bytes, bytes]:
        first, second = node.all(call, word)
        return first, second

    return Reader(
        node.name,
        SETS,
        FORMS,
        lambda name: pair("generate", name),
        lambda private: pair("private_read", private)[0],
        lambda public: pair("encaps", public),
        lambda ct, private: node.one("decaps", ct, private),
    )


def of_openssl() -> Reader:
    program = need("openssl")
    version = subprocess.run([program, "version"], capture_output=True, text=True).stdout
    numbers = re.match(r"OpenSSL (\d+)\.(\d+)", version)
    if not numbers or (int(numbers[1]), int(numbers[2])) < (3, 5):
        raise Absent(f"the command openssl has no ML-KEM before 3.5: {version.strip()}")

    def call(*words: str, given: bytes = b"") -> bytes:
        done = subprocess.run([program, *words, "-outform", "DER"], input=given, capture_output=True)
        if done.returncode:
            raise Refused(done.stderr.decode(errors="replace"))
        return done.stdout

    def public_of(private: bytes) -> bytes:
        return call("pkey", "-inform", "DER", "-pubout", given=private)

    def generate(name: str) -> tuple[bytes, bytes]:
        private = call("genpkey", "-algorithm", name)
        return public_of(private), private

    return Reader(version.split(" 2")[0].strip(), SETS, FORMS, generate, public_of)
