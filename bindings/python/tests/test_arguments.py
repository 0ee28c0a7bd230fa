"""Lengths, types, buffers and names of arguments. SPDX-License-Identifier: Apache-2.0"""

import array
import re
from collections.abc import Callable, Iterator
from typing import Any

import latkem
import pytest
from latkem import Kem, batch

Call = tuple[str, int, Callable[[Any], object]]  # what the argument is, its length, and a call with it


def calls(kem: Kem) -> Iterator[Call]:
    """Each argument of each function that has a length, beside others that are right."""
    key = kem.generate()
    public = key.public_key()
    secret, ciphertext = public.encapsulate()
    room = bytearray(len(secret))
    yield "a seed", kem.seed_bytes, kem.from_seed
    yield "a private key", kem.private_key_bytes, kem.private_key
    yield "a public key", kem.public_key_bytes, kem.public_key
    yield "a public key", kem.public_key_bytes, kem.encapsulate
    yield "a private key", kem.private_key_bytes, lambda data: kem.decapsulate(data, ciphertext)
    yield "a ciphertext", kem.ciphertext_bytes, lambda data: kem.decapsulate(key.expanded_bytes(), data)
    yield "a ciphertext", kem.ciphertext_bytes, key.decapsulate
    yield "a ciphertext", kem.ciphertext_bytes, lambda data: key.decapsulate_into(data, room)
    yield "a shared secret", len(secret), lambda data: key.decapsulate_into(ciphertext, data)
    yield "a shared secret", len(secret), public.encapsulate_into
    yield "the coins", kem.coins_bytes, lambda data: latkem.derand.encapsulate(public, data)
    if kem.family == "ML-KEM":
        cls, public_cls = type(key), type(public)
        yield "a seed", kem.seed_bytes, cls.from_seed_bytes  # type: ignore[attr-defined]
        yield "a public key", kem.public_key_bytes, public_cls.from_public_bytes  # type: ignore[attr-defined]


def wrong_lengths(right: int, every: bool) -> list[int]:
    some = {0, 1, right - 1, right + 1, 2 * right} if not every else set(range(right + 9))
    return sorted(some - {right})


def test_wrong_lengths(kem: Kem, slow: bool) -> None:
    for thing, right, call in calls(kem):
        for length in wrong_lengths(right, slow or kem.name == "ML-KEM-512"):
            with pytest.raises(ValueError, match=r".") as raised:
                call(bytearray(length))
            assert str(raised.value) == f"{kem.name}: {thing} has {right} bytes, not {length}"
            assert type(raised.value) is ValueError


def test_other_types() -> None:
    for _, _, call in calls(Kem("ML-KEM-768")):
        wrongs: list[Any] = [None, "0" * 64, 64, 1.5, [0] * 64, object()]
        for wrong in wrongs:
            with pytest.raises(TypeError, match="bytes-like object"):
                call(wrong)


@pytest.mark.parametrize("load", [latkem.load_private_key, latkem.load_public_key])
def test_other_types_of_files(load: Callable[[Any], object]) -> None:
    wrongs: list[Any] = [None, "-----BEGIN", 1, []]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="bytes-like object"):
            load(wrong)


def test_strided_buffers() -> None:
    for _, right, call in calls(Kem("ML-KEM-768")):
        with pytest.raises(BufferError, match="contiguous"):
            call(memoryview(bytearray(2 * right))[::2])
        with pytest.raises(BufferError, match="contiguous"):
            call(memoryview(bytearray(right))[::-1])


def test_outputs_that_cannot_be_written() -> None:
    key = Kem("ML-KEM-768").generate()
    secret, ciphertext = key.public_key().encapsulate()
    for refused in (secret, memoryview(secret)):
        with pytest.raises(TypeError, match="writable"):
            key.decapsulate_into(ciphertext, refused)
        with pytest.raises(TypeError, match="writable"):
            key.public_key().encapsulate_into(refused)


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: array.array("B", data)])
def test_contiguous_objects(make: Callable[[bytes], Any]) -> None:
    kem = Kem("ML-KEM-768")
    key = kem.from_seed(make(bytes(64)))
    secret, ciphertext = kem.public_key(make(key.public_key().public_bytes_raw())).encapsulate()
    assert kem.private_key(make(key.expanded_bytes())).decapsulate(make(ciphertext)) == secret
    assert latkem.load_private_key(make(key.private_bytes())).decapsulate(ciphertext) == secret


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy", exc_type=ImportError)
    kem, count = Kem("ML-KEM-768"), 5
    eks = numpy.zeros((count, kem.public_key_bytes), numpy.uint8)
    dks = numpy.zeros((count, kem.private_key_bytes), numpy.uint8)
    batch.generate(kem, eks, dks)
    secret, ciphertext = kem.encapsulate(eks[3])
    assert kem.private_key(dks[3]).decapsulate(numpy.frombuffer(ciphertext, numpy.uint8)) == secret
    with pytest.raises((BufferError, ValueError)):
        kem.private_key(dks[:, 0])
    with pytest.raises((BufferError, ValueError)):
        batch.generate(kem, eks[:, ::-1], dks)


def test_into_buffers(kem: Kem) -> None:
    key, room, again = kem.generate(), bytearray(kem.shared_secret_bytes), bytearray(kem.shared_secret_bytes)
    ciphertext = key.public_key().encapsulate_into(room)
    key.decapsulate_into(ciphertext, again)
    assert room == again == key.decapsulate(ciphertext)


def test_overlap_is_refused() -> None:
    kem = Kem("ML-KEM-768")
    key = kem.generate()
    memory = bytearray(key.public_key().encapsulate().ciphertext)
    before = bytes(memory)
    for begin in (0, 500, kem.ciphertext_bytes - 32):
        with pytest.raises(ValueError, match=r"^ML-KEM-768: the buffers overlap$"):
            key.decapsulate_into(memory, memoryview(memory)[begin : begin + 32])
    assert memory == before


def test_names_of_arguments() -> None:
    kem, seed = Kem(name="ML-KEM-768"), bytes(64)
    key = kem.from_seed(seed=seed)
    public = kem.public_key(data=key.public_key().public_bytes_raw())
    secret, ciphertext = kem.encapsulate(public_key=public.public_bytes_raw())
    assert key.decapsulate(ciphertext=ciphertext) == secret
    assert kem.decapsulate(ciphertext=ciphertext, private_key=key.expanded_bytes()) == secret
    room = bytearray(32)
    key.decapsulate_into(shared_secret=room, ciphertext=ciphertext)
    assert room == secret
    assert latkem.load_private_key(data=key.private_bytes(form="both", encoding="DER")).has_seed
    wrong: Any = kem
    for call in (
        lambda: wrong.from_seed(),
        lambda: wrong.from_seed(seed, seed),
        lambda: wrong.from_seed(seed, seed=seed),
        lambda: wrong.from_seed(sead=seed),
        lambda: wrong.decapsulate(key.expanded_bytes()),
    ):
        with pytest.raises(TypeError, match=re.compile(r"\(\) (takes|missing|got)")):
            call()


@pytest.mark.parametrize("name", ["", "ml-kem-768", "ML-KEM-768\0", "X-Wing", "ML-KEM-769"])
def test_unknown_sets(name: str) -> None:
    with pytest.raises(ValueError, match=r"^'.*' is no parameter set; Kem\.names\(\) has them$"):
        Kem(name)


def test_unknown_words() -> None:
    key: Any = Kem("ML-KEM-768").generate()
    with pytest.raises(ValueError, match=r"^encoding is 'PEM' or 'DER', not 'pem'$"):
        key.private_bytes("pem")
    with pytest.raises(ValueError, match=r"^form is 'seed', 'expanded' or 'both', not 'all'$"):
        key.private_bytes("PEM", "all")
    with pytest.raises(ValueError, match=r"^'none' is no backend of this CPU"):
        latkem.use_backend("none")
    for call in (lambda: key.private_bytes(1), lambda: key.private_bytes("PEM", 1), lambda: Kem(1)):  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            call()


def arrays(kem: Kem, count: int) -> dict[str, bytearray]:
    sizes = {
        "ek": kem.public_key_bytes,
        "dk": kem.private_key_bytes,
        "ct": kem.ciphertext_bytes,
        "ss": kem.shared_secret_bytes,
    }
    return {name: bytearray(count * size) for name, size in sizes.items()}


@pytest.mark.parametrize("count", [0, 1, 2, 9, 17])
def test_batches(kem: Kem, count: int) -> None:
    at, again = arrays(kem, count), bytearray(count * kem.shared_secret_bytes)
    batch.generate(kem, at["ek"], at["dk"])
    batch.encapsulate(kem, at["ek"], at["ct"], at["ss"])
    batch.decapsulate(kem, at["dk"], at["ct"], again)
    assert again == at["ss"]
    assert len({bytes(at["ss"][i : i + 32]) for i in range(0, len(again), 32)}) == count
    for i in range(count):
        dk, ct = (memoryview(at[name])[i * size :][:size] for name, size in
                  (("dk", kem.private_key_bytes), ("ct", kem.ciphertext_bytes)))  # fmt: skip
        assert kem.decapsulate(dk, ct) == again[i * 32 : i * 32 + 32]


def test_uneven_batches() -> None:
    kem = Kem("ML-KEM-768")
    at = arrays(kem, 3)
    operations: list[tuple[Callable[..., None], list[str]]] = [
        (batch.generate, ["ek", "dk"]),
        (batch.encapsulate, ["ek", "ct", "ss"]),
        (batch.decapsulate, ["dk", "ct", "ss"]),
    ]
    for operate, names in operations:
        for wrong in range(len(names)):
            for length in (0, len(at[names[wrong]]) - 1, len(at[names[wrong]]) + 1, len(at[names[wrong]]) // 3):
                given = [bytearray(length) if i == wrong else at[name] for i, name in enumerate(names)]
                with pytest.raises(ValueError, match=r"^ML-KEM-768: "):
                    operate(kem, *given)
                assert not any(map(any, given)), "a refused batch was written to"
    with pytest.raises(ValueError, match=r"^ML-KEM-768: 3 private keys have 3 times 2400 bytes, not 7199$"):
        batch.generate(kem, at["ek"], at["dk"][:-1])


def test_batches_that_overlap() -> None:
    kem = Kem("ML-KEM-768")
    memory = memoryview(bytearray(b"\x5a" * 20000))
    eks, dks = memory[:2368], memory[2367 : 2367 + 4800]
    with pytest.raises(ValueError, match=r"^ML-KEM-768: the buffers overlap$"):
        batch.generate(kem, eks, dks)
    assert set(memory) == {0x5A}


def test_a_bad_key_in_a_batch() -> None:
    kem = Kem("ML-KEM-768")
    at = arrays(kem, 3)
    batch.generate(kem, at["ek"], at["dk"])
    at["ek"][kem.public_key_bytes : kem.public_key_bytes + 3] = b"\xff" * 3
    with pytest.raises(latkem.InvalidKey):
        batch.encapsulate(kem, at["ek"], at["ct"], at["ss"])
    assert not any(at["ss"][32:64])
    assert any(at["ss"][:32])
    assert any(at["ss"][64:])


def test_other_kems_of_batches() -> None:
    wrong: Any = "ML-KEM-768"
    with pytest.raises(TypeError, match=r"^kem must be a Kem, not <class 'str'>$"):
        batch.generate(wrong, bytearray(), bytearray())
    with pytest.raises(TypeError, match=r"^public_key must be a PublicKey"):
        latkem.derand.encapsulate(wrong, bytes(32))
