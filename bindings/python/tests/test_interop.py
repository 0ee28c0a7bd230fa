"""ML-KEM with Python's cryptography, both ways. SPDX-License-Identifier: Apache-2.0"""

from typing import Any

import latkem
import pytest

mlkem = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mlkem", exc_type=ImportError)
serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization", exc_type=ImportError)


@pytest.fixture(params=[768, 1024])
def classes(request: pytest.FixtureRequest) -> tuple[Any, Any, Any, Any]:
    """Private and public classes of latkem and of cryptography, which has no ML-KEM-512."""
    names = [f"MLKEM{request.param}{kind}Key" for kind in ("Private", "Public")]
    return (*(getattr(latkem, name) for name in names), *(getattr(mlkem, name) for name in names))


def test_keys_of_one_seed(classes: tuple[Any, Any, Any, Any]) -> None:
    ours, _, theirs, _ = classes
    for seed in (ours.generate().private_bytes_raw(), theirs.generate().private_bytes_raw()):
        mine, other = ours.from_seed_bytes(seed), theirs.from_seed_bytes(seed)
        assert mine.public_key().public_bytes_raw() == other.public_key().public_bytes_raw()
        assert mine.private_bytes_raw() == other.private_bytes_raw() == seed
        secret, ciphertext = other.public_key().encapsulate()
        assert mine.decapsulate(ciphertext) == secret
        secret, ciphertext = mine.public_key().encapsulate()
        assert other.decapsulate(ciphertext) == secret
        wrong = bytes(len(ciphertext))
        assert mine.decapsulate(wrong) == other.decapsulate(wrong)


def test_public_keys(classes: tuple[Any, Any, Any, Any]) -> None:
    ours, our_public, theirs, their_public = classes
    secret, ciphertext = our_public.from_public_bytes(
        (other := theirs.generate()).public_key().public_bytes_raw()
    ).encapsulate()
    assert other.decapsulate(ciphertext) == secret
    secret, ciphertext = their_public.from_public_bytes(
        (mine := ours.generate()).public_key().public_bytes_raw()
    ).encapsulate()
    assert mine.decapsulate(ciphertext) == secret


@pytest.mark.parametrize("encoding", ["DER", "PEM"])
def test_files(classes: tuple[Any, Any, Any, Any], encoding: str) -> None:
    ours, _, theirs, _ = classes
    other, mine = theirs.generate(), ours.generate()
    code = getattr(serialization.Encoding, encoding)
    private = other.private_bytes(code, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    public = other.public_key().public_bytes(code, serialization.PublicFormat.SubjectPublicKeyInfo)
    assert latkem.load_private_key(private).private_bytes_raw() == other.private_bytes_raw()
    assert latkem.load_private_key(private).private_bytes(encoding) == private  # type: ignore[arg-type]
    assert latkem.load_public_key(public).public_bytes(encoding) == public  # type: ignore[arg-type]
    load_private = getattr(serialization, f"load_{encoding.lower()}_private_key")
    load_public = getattr(serialization, f"load_{encoding.lower()}_public_key")
    assert load_private(mine.private_bytes(encoding), None).private_bytes_raw() == mine.private_bytes_raw()
    assert (
        load_public(mine.public_key().public_bytes(encoding)).public_bytes_raw() == mine.public_key().public_bytes_raw()
    )
