"""Key objects: what they hold, show, copy and refuse. SPDX-License-Identifier: Apache-2.0"""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import latkem
import pytest
from latkem import Kem

CLASSES: dict[str, tuple[Any, Any]] = {
    "ML-KEM-512": (latkem.MLKEM512PrivateKey, latkem.MLKEM512PublicKey),
    "ML-KEM-768": (latkem.MLKEM768PrivateKey, latkem.MLKEM768PublicKey),
    "ML-KEM-1024": (latkem.MLKEM1024PrivateKey, latkem.MLKEM1024PublicKey),
}


def uses(key: latkem.PrivateKey) -> list[Callable[[], object]]:
    """Every call of a private key but close."""
    ciphertext = bytes(key.kem.ciphertext_bytes)
    return [
        key.public_key,
        lambda: key.decapsulate(ciphertext),
        lambda: key.decapsulate_into(ciphertext, bytearray(32)),
        key.private_bytes_raw,
        key.expanded_bytes,
        key.private_bytes,
        lambda: key.private_bytes("DER", "expanded"),
        key.__enter__,
    ]


def test_closed_keys(kem: Kem) -> None:
    with kem.generate() as key:
        assert (key.closed, key.has_seed) == (False, kem.family == "ML-KEM")
        assert key.decapsulate(bytes(kem.ciphertext_bytes))
    for _ in range(2):
        assert key.closed
        assert key.kem is kem
        for use in uses(key):
            with pytest.raises(ValueError, match=rf"^{kem.name}: the private key is closed$"):
                use()
        key.close()


def test_closed_by_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), Kem("ML-KEM-768").generate() as key:
        raise ZeroDivisionError
    assert key.closed


def test_seeds(kem: Kem) -> None:
    seed = bytes(range(64)) * (kem.seed_bytes // 64 + 1)
    made, expanded = kem.from_seed(seed[: kem.seed_bytes]), None
    expanded = kem.private_key(made.expanded_bytes())
    assert made.has_seed == (kem.family == "ML-KEM")
    assert not expanded.has_seed
    for key in (made, expanded):
        if key.has_seed:
            assert key.private_bytes_raw() == seed[:64]
        else:
            with pytest.raises(ValueError, match=rf"^{kem.name}: the private key has no seed$"):
                key.private_bytes_raw()


def test_generated_keys_are_those_of_their_seeds(mlkem: Kem) -> None:
    key = mlkem.generate()
    again = mlkem.from_seed(key.private_bytes_raw())
    assert again.expanded_bytes() == key.expanded_bytes()
    assert again.public_key() == key.public_key()


def test_public_key_of_an_expanded_key(kem: Kem) -> None:
    key = kem.generate()
    expanded = kem.private_key(key.expanded_bytes())
    if kem.family == "NTRU":
        with pytest.raises(ValueError, match=rf"^{kem.name}: an expanded private key does not hold its public key$"):
            expanded.public_key()
    else:
        assert expanded.public_key() == key.public_key()


def test_classes_of_their_own(mlkem: Kem) -> None:
    private, public = CLASSES[mlkem.name]
    key: Any = private.generate()
    assert key.kem is mlkem
    assert type(key) is type(mlkem.generate()) is private
    assert type(key.public_key()) is type(mlkem.public_key(key.public_key().public_bytes_raw())) is public
    assert isinstance(key, latkem.PrivateKey)
    assert isinstance(key.public_key(), latkem.PublicKey)
    assert private.from_seed_bytes(key.private_bytes_raw()).public_key() == key.public_key()
    assert public.from_public_bytes(key.public_key().public_bytes_raw()) == key.public_key()
    assert type(Kem("Kyber768").generate()) is latkem.PrivateKey
    assert type(Kem("Saber").generate().public_key()) is latkem.PublicKey


@pytest.mark.parametrize("cls", [latkem.PrivateKey, latkem.PublicKey, *CLASSES["ML-KEM-768"]])
def test_no_constructor(cls: Any) -> None:
    for call in (cls, lambda: cls(b""), lambda: object.__new__(cls)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        cls.name = "attributes of the class are fixed"


def test_private_keys_are_not_copied() -> None:
    key = Kem("ML-KEM-768").generate()
    copies: list[Callable[[], object]] = [
        *(lambda protocol=protocol: pickle.dumps(key, protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)),
        lambda: copy.copy(key),
        lambda: copy.deepcopy(key),
        lambda: copy.deepcopy([key]),
        lambda: json.dumps(key),
    ]
    for attempt in copies:
        with pytest.raises(TypeError):
            attempt()


def test_nothing_shows_a_secret(kem: Kem) -> None:
    key = kem.generate()
    made = key.public_key().encapsulate()
    shown = [f"{thing} {thing!r} {[thing]}" for thing in (key, made)]
    for secret in (made.shared_secret, key.expanded_bytes()[:16]):
        for text in shown:
            assert secret.hex() not in text
            assert repr(secret)[2:-1] not in text
    assert kem.name in repr(key)
    key.close()
    assert repr(key).endswith("closed>")


def test_encapsulation_is_a_pair() -> None:
    made = Kem("ML-KEM-768").generate().public_key().encapsulate()
    secret, ciphertext = made
    assert (secret, ciphertext) == (made.shared_secret, made.ciphertext) == made
    assert isinstance(made, latkem.Encapsulation)


def test_public_keys_are_values(kem: Kem) -> None:
    key = kem.generate().public_key()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        same = pickle.loads(pickle.dumps(key, protocol))
        assert same == key
        assert hash(same) == hash(key)
        assert same.kem is kem
    assert copy.copy(key) == copy.deepcopy(key) == key
    assert key != kem.generate().public_key()
    assert key != key.public_bytes_raw()
    assert len({key, kem.public_key(key.public_bytes_raw())}) == 1
    unordered: Any = key
    with pytest.raises(TypeError):
        assert unordered < key


def test_equal_bytes_of_two_sets_are_two_keys() -> None:
    ek = Kem("ML-KEM-768").generate().public_key().public_bytes_raw()
    assert Kem("ML-KEM-768").public_key(ek) != Kem("Kyber768").public_key(ek)
    assert Kem("Kyber768").public_key(ek) != Kem("Kyber768-90s").public_key(ek)


def test_kems_are_the_same_object(kem: Kem) -> None:
    assert Kem(kem.name) is kem
    assert pickle.loads(pickle.dumps(kem)) is copy.deepcopy(kem) is kem
    assert repr(kem) == f"Kem('{kem.name}')"


def test_results_are_copies() -> None:
    key = Kem("ML-KEM-768").generate()
    assert key.expanded_bytes() is not key.expanded_bytes()
    data = bytearray(key.public_key().public_bytes_raw())
    public = key.kem.public_key(data)
    data[:] = bytes(len(data))
    assert public == key.public_key()


def test_invalid_keys(mlkem: Kem) -> None:
    key = mlkem.generate()
    dk, ek = bytearray(key.expanded_bytes()), bytearray(key.public_key().public_bytes_raw())
    dk[-33] ^= 1  # of H(ek)
    ek[:3] = b"\xff" * 3
    for refused, data in ((mlkem.private_key, dk), (mlkem.public_key, ek), (mlkem.encapsulate, ek)):
        with pytest.raises(latkem.InvalidKey, match=rf"^{mlkem.name}: "):
            refused(data)
    with pytest.raises(latkem.InvalidKey):
        mlkem.decapsulate(dk, bytes(mlkem.ciphertext_bytes))
    assert issubclass(latkem.InvalidKey, ValueError)
    assert issubclass(latkem.RandomFailure, OSError)


def test_wrong_ciphertexts_are_no_error(kem: Kem) -> None:
    key = kem.generate()
    secret, ciphertext = key.public_key().encapsulate()
    wrong = bytearray(ciphertext)
    wrong[0] ^= 1
    assert key.decapsulate(ciphertext) == secret
    assert key.decapsulate(wrong) == key.decapsulate(wrong) == kem.decapsulate(key.expanded_bytes(), wrong) != secret


def test_files(mlkem: Kem) -> None:
    key = mlkem.generate()
    for encoding in ("PEM", "DER"):
        for form in ("seed", "expanded", "both"):
            read = latkem.load_private_key(key.private_bytes(encoding, form))
            assert type(read) is type(key)
            assert read.expanded_bytes() == key.expanded_bytes()
            assert read.has_seed == (form != "expanded")
            assert read.public_key() == key.public_key()
        assert latkem.load_public_key(key.public_key().public_bytes(encoding)) == key.public_key()
    assert key.private_bytes() == key.private_bytes("PEM", "seed")
    lines = key.private_bytes("PEM", "both").decode().split("\n")
    assert (lines[0], lines[-2:]) == ("-----BEGIN PRIVATE KEY-----", ["-----END PRIVATE KEY-----", ""])
    assert {len(line) for line in lines[1:-3]} == {64}


def test_forms_that_a_key_does_not_have() -> None:
    expanded = Kem("ML-KEM-768").private_key(Kem("ML-KEM-768").generate().expanded_bytes())
    for form in ("seed", "both"):
        with pytest.raises(ValueError, match=r"^ML-KEM-768: the private key has no seed$"):
            expanded.private_bytes("DER", form)
    assert latkem.load_private_key(expanded.private_bytes("PEM", "expanded")).public_key() == expanded.public_key()
    for kem in map(Kem, ("Kyber768", "Saber", "NTRU-HRSS-701")):
        for call in (kem.generate().private_bytes, kem.generate().public_key().public_bytes):
            with pytest.raises(ValueError, match=rf"^{kem.name}: there are key files of ML-KEM alone$"):
                call()


def altered(pem: bytes, word: bytes) -> list[bytes]:
    """Files that differ from a PEM text with a word in its label."""
    labels = [b"EC " + word, word[:-1] + b"X"]
    both = [pem.replace(word, label) for label in labels]
    begins = [pem.replace(b"BEGIN " + word, b"BEGIN " + label) for label in labels]
    ends = [pem.replace(b"END " + word, b"END " + label) for label in labels]
    foreign = [pem.replace(b"\nM", b"\n" + sign + b"M") for sign in (b"!", b"=", b"\0")]
    return [*both, *begins, *ends, *foreign, pem[:-30], pem[1:], b"x" + pem, pem + b"x", pem + pem, b"-" + pem]


def test_files_that_are_none() -> None:
    key = Kem("ML-KEM-768").generate()
    private, public = key.private_bytes(), key.public_key().public_bytes()
    der, public_der = key.private_bytes("DER"), key.public_key().public_bytes("DER")
    junk = [b"", b"-", b"\n", b"junk", bytes(86), der[:-1], der + b"\0", public_der[:-1], public_der + b"\0"]
    for data in [*junk, *altered(private, b"PRIVATE"), public, public_der]:
        with pytest.raises(latkem.InvalidKey):
            latkem.load_private_key(data)
    for data in [*junk, *altered(public, b"PUBLIC"), private, der]:
        with pytest.raises(latkem.InvalidKey):
            latkem.load_public_key(data)


def test_white_space_in_pem() -> None:
    key = Kem("ML-KEM-768").generate()
    text = key.private_bytes("PEM", "both")
    for other in (b"\n  " + text + b"\r\n\n", text.replace(b"\n", b"\r\n"), text.replace(b"\n", b" \n")):
        assert latkem.load_private_key(other).expanded_bytes() == key.expanded_bytes()
