"""Saber's operations: the specification on NIST's known answers, its size, and contracts.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fips203_numbers import Numbers, constants, numbers
from saber_numbers import SEED, Generator, SaberConcrete

from proofs.builds import ROOT
from proofs.theorems import saber, saber_contracts
from proofs.whole import saber as specification
from proofs.whole import saber_models, values
from proofs.whole.fips203 import SYM, Bytes
from proofs.whole.saber import SETS, Parameters, Saber
from proofs.whole.saber_models import SaberNamed

VECTORS = ROOT / "tests" / "vectors" / "decaps_altered.tar.xz"
RECORDS = 100
of_all_sets = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


def seeds(count: int) -> list[bytes]:
    """Those of the known answers' first records."""
    generator = Generator(bytes(range(SEED)))
    return [generator.take(SEED) for _ in range(count)]


class Quick(Saber[Numbers]):
    """With the hashes of Python's library in the place of sponges.py."""

    def h(self, s: Bytes) -> Bytes:
        return constants(hashlib.sha3_256(numbers(s)).digest())

    def g(self, s: Bytes) -> tuple[Bytes, Bytes]:
        out = constants(hashlib.sha3_512(numbers(s)).digest())
        return out[:SYM], out[SYM:]

    def shake(self, s: Bytes, size: int) -> Bytes:
        return constants(hashlib.shake_128(numbers(s)).digest(size))


def record(s: Saber[Numbers], seed: bytes) -> list[bytes]:
    """ek, dk, ct and ss, from the document's requests for randomness."""
    generator = Generator(seed)
    ek, dk = s.keygen(*(constants(generator.take(SYM)) for _ in range(3)))
    return [numbers(x) for x in (ek, dk, *s.encaps(ek, constants(generator.take(SYM))))]


def decapsulated(s: Saber[Numbers], dk: bytes, ct: bytes) -> tuple[bytes, bool]:
    """The shared secret, and whether the ciphertext is accepted."""
    choice = s.decaps(constants(dk), constants(ct))
    accepted = choice.c == choice.again
    return numbers(s.kdf(choice.equal if accepted else choice.other, choice.c)), accepted


def is_whole_file(name: str, answers: Callable[[bytes], list[bytes]]) -> bool:
    """Whether ek, dk, ct and ss of each record's seed make NIST's whole file of a set."""
    (kat,) = (s["kat"] for s in json.loads((ROOT / "spec" / "sets.json").read_text())["sets"] if s["name"] == name)
    lines = [f"# {kat['header']}\n\n"]
    for count, seed in enumerate(seeds(RECORDS)):
        found = zip(("seed", "pk", "sk", "ct", "ss"), [seed, *answers(seed)], strict=True)
        lines.append(f"count = {count}\n" + "".join(f"{what} = {x.hex().upper()}\n" for what, x in found) + "\n")
    return bool(hashlib.sha256("".join(lines).encode()).hexdigest() == kat["rsp_sha256"])


def altered_tests(reference_name: str) -> list[dict[str, str | int]]:
    """Those of the first record's ciphertext."""
    with tarfile.open(VECTORS) as archive:
        file = archive.extractfile(f"decaps_altered/{reference_name}.json")
        assert file
        tests = [test for test in json.load(file)["tests"] if test["count"] == 0]
    assert tests
    return tests


def altered(ct: bytes, test: dict[str, str | int]) -> bytes:
    whole: dict[str, Callable[[], bytes]] = {
        "replace": lambda: bytes.fromhex(str(test["ct"])),
        "all_zero": lambda: bytes(len(ct)),
        "all_ones": lambda: b"\xff" * len(ct),
    }
    if test["op"] in whole:
        return whole[str(test["op"])]()
    assert test["op"] == "flip_bit"
    return (int.from_bytes(ct, "little") ^ 1 << int(test["bit"])).to_bytes(len(ct), "little")


def test_the_generator() -> None:
    """The first seed, which is the same in the known answers of all schemes."""
    assert seeds(1)[0].hex().upper().startswith("061550234D158C5EC95595FE04EF7A25767F2E24CC2BC479D09D86DC9ABCFDE7")


@of_all_sets
def test_known_answers_of_the_specification(p: Parameters) -> None:
    assert is_whole_file(p.name, partial(record, Quick(p, SaberConcrete())))


@of_all_sets
def test_altered_ciphertexts(p: Parameters) -> None:
    s = Quick(p, SaberConcrete())
    _, dk, ct, ss = record(s, seeds(1)[0])
    assert decapsulated(s, dk, ct) == (ss, True)
    for test in altered_tests(p.name):
        wanted = bytes.fromhex(str(test["ss"])), test["outcome"] == "accept"
        assert decapsulated(s, dk, altered(ct, test)) == wanted


def test_hashes_of_the_specification() -> None:
    seed, p = seeds(1)[0], SETS[0]
    assert record(Saber(p, SaberConcrete()), seed) == record(Quick(p, SaberConcrete()), seed)


def test_the_specification_is_short_and_stands_alone() -> None:
    text = Path(specification.__file__).read_text().splitlines()
    imported = {line.split()[1] for line in text if line.startswith(("from proofs", "import proofs"))}
    assert len(text) <= 180
    assert imported == {"proofs.machine.terms", "proofs.whole", "proofs.whole.fips203"}


def test_sums_are_modulo_a_power_of_two() -> None:
    f, g = (values.atom(name) for name in "fg")
    assert SaberNamed.total([(f, saber_models.Q)]) == ()
    assert SaberNamed.total([(f, 1024)]) != ()
    assert SaberNamed.packed(SaberNamed.total([(f, 1), (g, -512)]), 4, 10, 3) == SaberNamed.packed(
        SaberNamed.total([(f, 1), (g, 512)]), 4, 10, 3
    )
    assert SaberNamed.packed(f, 4, 10, 3) != SaberNamed.packed(f, 4, 10, 4)


def test_models_and_theorems_share_their_contracts() -> None:
    stated = {(theorem.name, theorem.claim) for theorem in saber.theorems()}
    used = [saber_contracts.UNPACK_D13, saber_contracts.UNPACK_D10, *saber_contracts.SAMPLINGS]
    used += [*saber_contracts.ROUNDINGS, saber_contracts.EVALUATE, saber_contracts.EVALUATE_SMALL]
    used += [saber_contracts.INNER_PRODUCT]
    assert {(f"{c.family}.{c.kernel}", c.claim) for c in used} <= stated
