"""NTRU's operations: the specification on known answers, its size, names and contracts.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fips203_numbers import Numbers, constants, numbers
from ntru_numbers import NtruConcrete
from test_saber import VECTORS, altered, altered_tests
from test_whole import LIBRARY, needs_library

from proofs import outcome
from proofs.builds import ROOT
from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.table import NOT_PROVED
from proofs.theorems import ntru, ntru_contracts, ntru_products, ternary
from proofs.theorems.ntru_contracts import LOGARITHMS, OfSizes
from proofs.theorems.target import Kernel, Target
from proofs.whole import ntru as specification
from proofs.whole import rows, values
from proofs.whole.fips203 import Bytes
from proofs.whole.ntru import SETS, Ntru, Parameters
from proofs.whole.ntru_models import NtruNamed

INTERMEDIATE = VECTORS.with_name("intermediate.tar.xz")
of_all_sets = pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)


def reference_name(p: Parameters) -> str:
    return p.name.replace("-", "").lower()


@dataclass(frozen=True)
class Answer:
    """The first record of NIST's known answers."""

    ek: bytes
    dk: bytes
    ct: bytes
    ss: bytes
    coins: bytes
    rejected: bytes  # the shared secret if bit 0 of ct is another


@cache
def answer(p: Parameters) -> Answer:
    with tarfile.open(INTERMEDIATE) as archive:
        file = archive.extractfile(f"intermediate/{reference_name(p)}.json")
        assert file
        found = json.load(file)
    outputs = (found["outputs"][name] for name in ("pk", "sk", "ct", "ss"))
    return Answer(*map(bytes.fromhex, (*outputs, found["encaps"]["rm_bytes"], found["reject_example"]["ss"])))


class Quick(Ntru[Numbers, Numbers, Numbers]):
    """With the hash of Python's library in the place of sponges.py."""

    def h(self, s: Bytes) -> Bytes:
        return constants(hashlib.sha3_256(numbers(s)).digest())


def decapsulated(s: Ntru[Numbers, Numbers, Numbers], dk: bytes, ct: bytes) -> tuple[bytes, bool]:
    """The shared secret, and whether the ciphertext is accepted."""
    found = s.decaps(constants(dk), constants(ct))
    fails = bool(T.val(found.fails))
    return numbers(found.rejected if fails else found.accepted), not fails


@of_all_sets
def test_sizes(p: Parameters) -> None:
    sets = json.loads((ROOT / "spec" / "sets.json").read_text())["sets"]
    (facts,) = (s for s in sets if s["name"] == p.name)
    assert facts["parameters"] == {"n": p.n, "q": 1 << p.log_q}
    assert [facts["sizes"][what] for what in ("ek", "dk", "ct", "coins")] == [p.ek, p.dk, p.ct, p.coins]
    assert LOGARITHMS[p.n] == p.log_q


@of_all_sets
def test_known_answers_of_the_specification(p: Parameters) -> None:
    s, a = Quick(p, NtruConcrete(p)), answer(p)
    assert [numbers(x) for x in s.encaps(constants(a.ek), constants(a.coins))] == [a.ct, a.ss]
    assert decapsulated(s, a.dk, a.ct) == (a.ss, True)
    assert decapsulated(s, a.dk, bytes([a.ct[0] ^ 1]) + a.ct[1:]) == (a.rejected, False)


@of_all_sets
def test_altered_ciphertexts(p: Parameters) -> None:
    s, a = Quick(p, NtruConcrete(p)), answer(p)
    for test in altered_tests(reference_name(p)):
        wanted = bytes.fromhex(str(test["ss"])), test["outcome"] == "accept"
        assert decapsulated(s, a.dk, altered(a.ct, test)) == wanted, test


def test_hashes_of_the_specification() -> None:
    p = SETS[0]
    a = answer(p)
    assert decapsulated(Ntru(p, NtruConcrete(p)), a.dk, a.ct) == (a.ss, True)


def test_the_specification_is_short_and_stands_alone() -> None:
    text = Path(specification.__file__).read_text().splitlines()
    imported = {line.split()[1] for line in text if line.startswith(("from proofs", "import proofs"))}
    assert len(text) <= 210
    assert imported == {"proofs.machine", "proofs.machine.terms", "proofs.whole", "proofs.whole.fips203"}


# ---- names ----


@of_all_sets
def test_a_product_of_signed_trits_is_one_of_integers(p: Parameters) -> None:
    """That of the same polynomials modulo (3, Phi), in any order. A sum, another factor and a multiple are not."""
    on = NtruNamed(p)
    t, u = (on.ternary([T.var(name, 8)]) for name in "tu")
    f, g, h = on.signed(t), on.signed(u), on.unpacked([T.var("h", 8)])
    assert on.modulo_3(on.product(f, g)) == on.modulo_3(on.product(g, f)) == on.product_s3(u, t)
    others = [on.product(f, h), on.total([(on.product(f, g), 1), (f, 1)]), on.total([(on.product(f, g), 3)])]
    others += [on.product(on.product(f, g), f), on.times_x_minus_1(on.product(f, g)), f]
    assert all(values.value_of(on.modulo_3(other))[0] == "modulo 3" for other in others)


def test_a_long_product_of_signed_trits_may_be_reduced() -> None:
    on = NtruNamed(replace(SETS[1], log_q=10))  # q / 2 < n
    t = on.ternary([T.var("t", 8)])
    assert on.modulo_3(on.product(on.signed(t), on.signed(t))) != on.product_s3(t, t)


def test_products_with_integers_are_those_of_numbers() -> None:
    """The product that the name above promises, on numbers."""
    p = SETS[0]
    on = NtruConcrete(p)
    t, u = (on.ternary(constants(hashlib.shake_128(name).digest(p.n - 1))) for name in (b"t", b"u"))
    largest = (*[1] * (p.n - 1), 0)
    for f, g in ((t, u), (largest, largest), (largest, (*[2] * (p.n - 1), 0))):
        assert on.modulo_3(on.product(on.signed(f), on.signed(g))) == on.product_s3(f, g)


def test_names_have_the_parameters_that_they_are_made_with() -> None:
    """A kernel that is called with another weight or another q makes another name than the specification."""
    p, s = SETS[0], [T.var("s", 8)]
    on = NtruNamed(p)
    lighter, longer = NtruNamed(replace(p, weight=252)), NtruNamed(replace(p, log_q=12))
    t, f = on.ternary(s), on.times_x_minus_1(on.unpacked(s))
    assert on.words(s) != lighter.words(s)
    assert on.has_weight(t) != lighter.has_weight(t)
    assert on.small(f) != longer.small(f)
    assert on.is_small(f) != longer.is_small(f)
    assert on.modulo_3(f) != longer.modulo_3(f)


def test_what_is_packed_is_modulo_q() -> None:
    on = NtruNamed(SETS[0])
    f = on.unpacked([T.var("f", 8)])
    assert on.packed(f) == on.packed(on.total([(f, 2049)])) != on.packed(on.total([(f, 1025)]))


# ---- contracts ----


ForOne = Callable[[Any, Target, Kernel, int], None]
STRONGER: dict[str, tuple[OfSizes, ForOne, str]] = {
    "the last coefficient is 0": (
        *(replace(ntru_contracts.LINEAR[0], last_is_zero=True), ntru.prove_in_place),
        "the last coefficient",
    ),
    "bits": (replace(ntru_contracts.UNPACKS[0], d=12), ntru.prove_unpack, "coefficient 0"),
    "the sum's sign": (replace(ntru_contracts.SUMS[1], sign=1), ntru.prove_sum, "coefficient 0"),
}


@needs_library
@pytest.mark.parametrize("kind", STRONGER)
def test_a_stronger_contract_is_refused(kind: str) -> None:
    contract, prove, witness = STRONGER[kind]
    target = outcome.target_of("gcc", LIBRARY)
    kernel = target.kernels("portable", contract.family, contract.kernel)[0]
    with pytest.raises(NotProved, match=witness):
        prove(contract, target, kernel, contract.sizes[0])


def test_models_and_theorems_share_their_contracts() -> None:
    stated = [theorem.contract for module in (ntru, ntru_products, ternary) for theorem in module.theorems()]
    assert len(set(stated)) == len(stated)
    of_file = [c for value in vars(ntru_contracts).values() for c in (value if isinstance(value, tuple) else (value,))]
    assert set(stated) == {c for c in of_file if isinstance(c, OfSizes)}


@needs_library
def test_the_table_says_what_no_row_states() -> None:
    tasks = [task for task in rows.tasks(outcome.target_of("gcc", LIBRARY)) if task.theorem is None]
    assert {task.name for task in tasks if task.backend == "avx2"} == {f"{p.name}.keygen" for p in SETS}
    status, (detail, _) = outcome.outcome(outcome.target_of("gcc", LIBRARY), tasks[0])
    assert status == NOT_PROVED
    assert detail == "no theorem is stated: it equals NTRU round 3 section 1.12.1; the inversions have no theorems"
