"""Known answers, official and of other implementations. SPDX-License-Identifier: Apache-2.0"""

import hashlib
import json
from typing import Any

import latkem
import pytest
import vectors
from latkem import Kem
from vectors import unhex


def compare_accumulated(kem: Kem, rounds: int) -> None:
    """Keys, encapsulations and the answers to random ciphertexts, against the digest of the official code's."""
    each = kem.seed_bytes + kem.coins_bytes + kem.ciphertext_bytes
    random = memoryview(hashlib.shake_128().digest(each * rounds))
    results = hashlib.shake_128()
    for begin in range(0, each * rounds, each):
        seed, coins, wrong = (
            random[begin:][: kem.seed_bytes],
            random[begin + kem.seed_bytes :][: kem.coins_bytes],
            random[begin + each - kem.ciphertext_bytes :][: kem.ciphertext_bytes],
        )
        with kem.from_seed(seed) as key:
            secret, ciphertext = latkem.derand.encapsulate(key.public_key(), coins)
            for part in (key.public_key().public_bytes_raw(), key.expanded_bytes(), ciphertext, secret):
                results.update(part)
            results.update(key.decapsulate(wrong))
    wanted = {row["rounds"]: row["with_dk"] for row in vectors.facts()[kem.name]["accumulated"]}
    assert results.digest(32).hex() == wanted[rounds]


def test_accumulated(kem: Kem, slow: bool) -> None:
    compare_accumulated(kem, 1000 if slow else 100)


def test_every_backend() -> None:
    try:
        for name in latkem.backends():
            latkem.use_backend(name)
            assert latkem.backend() == name
            compare_accumulated(Kem("ML-KEM-768"), 100)
    finally:
        latkem.use_backend(None)
    assert latkem.backend() == latkem.backends()[-1]


def test_acvp_key_generation() -> None:
    for group, test in vectors.tests("acvp/ML-KEM-keyGen-FIPS203/internalProjection.json"):
        key = Kem(group["parameterSet"]).from_seed(unhex(test["d"], test["z"]))
        assert key.public_key().public_bytes_raw() == unhex(test["ek"])
        assert key.expanded_bytes() == unhex(test["dk"])
        assert key.private_bytes_raw() == unhex(test["d"], test["z"])


def acvp(group: dict, test: dict) -> None:
    kem, function = Kem(group["parameterSet"]), group["function"]
    if function == "encapsulation":
        made = latkem.derand.encapsulate(kem.public_key(unhex(test["ek"])), unhex(test["m"]))
        assert made == (unhex(test["k"]), unhex(test["c"]))
    elif function == "decapsulation":
        dk, ct = unhex(test["dk"]), unhex(test["c"])
        assert kem.decapsulate(dk, ct) == kem.private_key(dk).decapsulate(ct) == unhex(test["k"])
        if "d" in test:
            assert kem.from_seed(unhex(test["d"], test["z"])).decapsulate(ct) == unhex(test["k"])
    else:
        check, part = {
            "decapsulationKeyCheck": (kem.private_key, "dk"),
            "encapsulationKeyCheck": (kem.public_key, "ek"),
        }[function]
        if test["testPassed"]:
            check(unhex(test[part]))
        else:
            with pytest.raises((latkem.InvalidKey, ValueError)):
                check(unhex(test[part]))


@pytest.mark.parametrize("folder", ["ML-KEM-encapDecap-FIPS203", "ML-KEM-encapDecap-FIPS203-tr1"])
def test_acvp(folder: str) -> None:
    for group, test in vectors.tests(f"acvp/{folder}/internalProjection.json"):
        acvp(group, test)


@pytest.mark.parametrize("size", [512, 1024])
def test_wycheproof(size: int) -> None:
    kem = Kem(f"ML-KEM-{size}")
    for _, test in vectors.tests(f"wycheproof/mlkem_{size}_keygen_seed_test.json"):
        key = kem.from_seed(unhex(test["seed"]))
        assert (key.public_key().public_bytes_raw(), key.expanded_bytes()) == (unhex(test["ek"]), unhex(test["dk"]))
    for _, test in vectors.tests(f"wycheproof/mlkem_{size}_encaps_test.json"):
        if test["result"] == "valid":
            made = latkem.derand.encapsulate(kem.public_key(unhex(test["ek"])), unhex(test["m"]))
            assert made == (unhex(test["K"]), unhex(test["c"]))
        else:
            for refused in (kem.public_key, kem.encapsulate):
                with pytest.raises(ValueError, match=rf"^{kem.name}: "):
                    refused(unhex(test["ek"]))
    for _, test in vectors.tests(f"wycheproof/mlkem_{size}_semi_expanded_decaps_test.json"):
        dk, ct = unhex(test["dk"]), unhex(test["c"])
        if test["result"] == "valid":
            assert kem.decapsulate(dk, ct) == kem.private_key(dk).decapsulate(ct) == unhex(test["K"])
        else:
            with pytest.raises(ValueError, match=rf"^{kem.name}: "):
                kem.decapsulate(dk, ct)


def cctv(name: str) -> dict[str, bytes]:
    lines = (line.split(" = ") for line in vectors.read(f"cctv/{name}").splitlines())
    return {parts[0]: unhex(parts[1]) for parts in lines if len(parts) == 2}


@pytest.mark.parametrize("name", ["ML-KEM-512", "ML-KEM-1024"])
def test_cctv(name: str) -> None:
    kem, unlucky, zero = Kem(name), cctv(f"unluckysample/{name}.txt"), cctv(f"strcmp/{name}.txt")
    key = kem.from_seed(unlucky["d"] + unlucky["z"])
    assert (key.public_key().public_bytes_raw(), key.expanded_bytes()) == (unlucky["ek"], unlucky["dk"])
    assert latkem.derand.encapsulate(key.public_key(), unlucky["m"]) == (unlucky["K"], unlucky["c"])
    assert kem.decapsulate(zero["dk"], zero["c"]) == zero["K"]
    for line in vectors.read(f"cctv/modulus/{name}.txt").splitlines():
        with pytest.raises(latkem.InvalidKey):
            kem.public_key(unhex(line.strip()))


def test_key_files() -> None:
    """Good files give their keys, and the bad ones InvalidKey."""
    counts = {True: 0, False: 0}
    for row in json.loads(vectors.read("hybrid/keyfiles.json"))["files"]:
        load = {"private": latkem.load_private_key, "public": latkem.load_public_key}[row["kind"]]
        good = row["ok"] and row["set"] in Kem.names()
        counts[good] += 1
        if not good:
            with pytest.raises(latkem.InvalidKey):
                load(unhex(row["der"]))
            continue
        key: Any = load(unhex(row["der"]))
        public = key.public_key() if isinstance(key, latkem.PrivateKey) else key
        assert key.kem.name == row["set"]
        if "ek_sha256" in row:
            assert hashlib.sha256(public.public_bytes_raw()).hexdigest() == row["ek_sha256"]
        if isinstance(key, latkem.PrivateKey) and row.get("seed"):
            assert key.private_bytes_raw() == unhex(row["seed"])
        if isinstance(key, latkem.PrivateKey) and "dk_sha256" in row:
            assert hashlib.sha256(key.expanded_bytes()).hexdigest() == row["dk_sha256"]
    assert min(counts.values()) > 10


def test_facts(kem: Kem) -> None:
    row = vectors.facts()[kem.name]
    sizes = {
        "ek": kem.public_key_bytes,
        "dk": kem.private_key_bytes,
        "ct": kem.ciphertext_bytes,
        "ss": kem.shared_secret_bytes,
        "seed": kem.seed_bytes,
        "coins": kem.coins_bytes,
    }
    assert sizes == row["sizes"]
    assert (kem.family, kem.level) == (row["family"], row["level"])
    assert kem.is_standard == (row["status"] == "standard")


def test_sets_are_those_of_the_core() -> None:
    assert len(Kem.names()) == 16
    assert list(Kem.names()) == [name for name in vectors.facts() if name in Kem.names()]
