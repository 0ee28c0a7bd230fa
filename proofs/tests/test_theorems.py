"""The theorems' parts that need no library: formulas, bounds, the table.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from math import isqrt
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from proofs import outcome
from proofs.builds import ROOT
from proofs.domains.keccak import Algebra, Word, rotate
from proofs.faults.sources import mistake, read
from proofs.machine import terms as T
from proofs.machine.check.record import Kept
from proofs.machine.frames import Frames
from proofs.progress import Progress
from proofs.table import NOT_PROVED, PROVED, UNCHECKED, Row, Table
from proofs.theorems import fips180, fips197, fips202, fips203, independence
from proofs.theorems.all import Task, kernel_theorems
from proofs.theorems.bounds import bound, kernel_fields, parse_constants, stated
from proofs.theorems.target import Kernel, Target
from proofs.theorems.target import _used as used
from proofs.theorems.theorem import Finding, Theorem

N, Q = fips203.N, fips203.Q


def test_the_inverse_is_the_inverse() -> None:
    identity = fips203.ntt_matrix() @ fips203.inverse_ntt_matrix() % Q
    assert (identity == np.eye(N, dtype=np.int64)).all()


def test_the_ntt_makes_products_of_products() -> None:
    """X * X^255 = -1: algorithm 11 on the values gives those of -1."""
    ntt = fips203.ntt_matrix()
    x, y = ntt[:, 1], ntt[:, N - 1]
    minus_one = -ntt[:, 0] % Q
    for i in range(N // 2):
        even = (x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1] * fips203.gamma(i)) % Q
        odd = (x[2 * i] * y[2 * i + 1] + x[2 * i + 1] * y[2 * i]) % Q
        assert (even, odd) == (minus_one[2 * i], minus_one[2 * i + 1])


def test_rejection_has_a_theorem_for_each_piece_of_a_stream() -> None:
    """Those that docs/proofs.md names."""
    lengths = {t.claim.split(" bytes")[0].split()[-1] for t in kernel_theorems()["q3329.rej_uniform_vartime"]}
    page = (ROOT / "docs" / "proofs.md").read_text()
    told = re.search(r"Rejection sampling is proved for calls of ([\d, and]+) bytes", page)
    assert told
    assert lengths == set(re.findall(r"\d+", told[1]))


@pytest.mark.parametrize("d", [1, 4, 5, 10, 11])
def test_compression_by_exact_fractions(d: int) -> None:
    for x in range(0, Q, 7):
        nearest = (2 * x * 2**d + Q) // (2 * Q)
        assert T.val(fips203.compress(T.const(x, 16), d)) == nearest % 2**d
    for y in range(2**d):
        assert T.val(fips203.decompress(T.const(y, d), d)) == (2 * Q * y + 2**d) // 2 ** (d + 1)


def test_binomial_samples() -> None:
    string = [T.const(b, 8) for b in (0b11010011, 0b00000001, 0)]
    assert [T.signed(T.val(fips203.binomial(string, i, 2)), 16) for i in range(3)] == [2, -1, 1]
    assert T.signed(T.val(fips203.binomial(string, 1, 3)), 16) == 3


def evaluate(words: list[Word], algebra: Algebra, state: list[int]) -> list[int]:
    """Values of normal forms: the atoms in the order in which they were made."""
    values: list[int] = []
    keys = {number: key for key, number in algebra._atoms.items()}

    def value(circulants: Iterable[tuple[int, int]], constant: int) -> int:
        total = constant
        for atom, c in circulants:
            for k in range(64):
                total ^= rotate(values[atom], k) if c >> k & 1 else 0
        return total

    for number in range(len(keys)):
        atom = keys[number]
        values.append(state[atom[1]] if atom[0] == "input" else value(*atom[1]) & value(*atom[2]))
    return [value(w.circulants.items(), w.constant) for w in words]


def test_the_permutation_is_that_of_sha3() -> None:
    """SHA3-256 of nothing is one permutation of the padding."""
    algebra = Algebra()
    words = fips202.permutation(algebra)
    state = [0x06, *[0] * 15, 1 << 63, *[0] * 8]
    out = evaluate(words, algebra, state)
    assert b"".join(w.to_bytes(8, "little") for w in out[:4]) == hashlib.sha3_256(b"").digest()


def test_the_cipher_is_that_of_fips_197() -> None:
    """Appendix C.3."""
    key, block = ([T.const(step * i, 8) for i in range(size)] for step, size in ((1, 32), (0x11, 16)))
    out = fips197.cipher(block, fips197.expanded_key(key))
    assert bytes(map(T.val, out)).hex() == "8ea2b7ca516745bfeafc49904b496089"


@pytest.mark.parametrize(("name", "h"), [("sha256", fips180.SHA256), ("sha512", fips180.SHA512)])
def test_the_compression_is_that_of_sha2(name: str, h: fips180.Hash) -> None:
    """Of the padding of nothing; the first state is of square roots (FIPS 180-4, 5.3)."""
    primes = (2, 3, 5, 7, 11, 13, 17, 19)
    state = [T.const(isqrt(p << 2 * h.width), h.width) for p in primes]
    block = [T.const(1 << h.width - 1, h.width), *[T.const(0, h.width)] * 15]
    out = fips180.compress(h, state, block)
    assert b"".join(T.val(x).to_bytes(h.width // 8, "big") for x in out) == hashlib.new(name).digest()


def test_bounds_come_from_the_header() -> None:
    assert bound("q3329", "NTT_OUT") == 8 * bound("q3329", "NTT_IN") - 1
    assert kernel_fields("q3329")[0] == "ntt"
    assert kernel_fields("negacyclic")[:4] == ["evaluated_bytes", "scratch_bytes", "small_bytes", "evaluate"]
    assert parse_constants("enum { A = 3, B, C = 2 * B - 1 };") == {"A": 3, "B": 4, "C": 7}


def test_a_claim_that_the_header_does_not_make_is_refused() -> None:
    words = "each cache of any polynomial congruent to its g"
    assert stated("q3329", "inner_product", words) == words
    for kernel, others in (("inner_product", "each cache of g"), ("mulcache", words)):
        with pytest.raises(ValueError, match="does not say"):
            stated("q3329", kernel, others)


def test_every_theorem_is_of_a_kernel() -> None:
    for name in kernel_theorems():
        family, kernel = name.split(".")
        assert kernel in kernel_fields(family)


def test_operations_of_every_set_have_theorems() -> None:
    names = re.findall(r'^SET\("([^"]+)"', (ROOT / "src" / "api" / "sets.inc").read_text(), flags=re.MULTILINE)
    stated = {(theorem.family, theorem.kernel) for theorem in independence.theorems()}
    whole = {(name, operation) for name in names for operation in ("keygen", "encaps", "decaps")}
    assert stated == whole | {(name, "encaps1") for name in names if name.startswith("ML-KEM")}


def row(status: str, detail: str = "") -> Row:
    return Row("gcc", "x64", "avx2", "q3329.ntt", 0, "the NTT", "linear", status, detail)


def test_the_table_shows_what_is_missing() -> None:
    table = Table({"gcc": "00"}, [row(PROVED), row(NOT_PROVED, "a witness")], ["clang"])
    text = table.as_text()
    assert "clang: not built" in text
    assert "a witness" in text
    assert "1 proved, 1 not proved" in text


@pytest.mark.parametrize(("known", "status"), [({"vfoo"}, PROVED), (set(), UNCHECKED)])
def test_a_proof_counts_if_its_forms_were_compared(
    known: set[str], status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = SimpleNamespace(forms_used={"vfoo"}, instructions=1, stack_bytes=8, pointers={1: 2}, executed=set)

    def prove(target: object, kernel: object) -> str:
        used.append(cast(Frames, machine))
        return "found"

    kernel = Kernel("avx2", "q3329", "ntt", 0, 0)
    task = Task("avx2", "q3329.ntt", Theorem("q3329", "ntt", "a claim", "linear", prove), kernel)
    target = SimpleNamespace(
        image=SimpleNamespace(machine="x64", where=lambda at: "f"),
        sibling=lambda kernel, name: None,
        code_hash=lambda address: "",
    )
    monkeypatch.setattr(outcome, "target_of", lambda build, library: target)
    monkeypatch.setattr(outcome, "tasks_of", lambda build, library: [task])
    monkeypatch.setattr(outcome.record, "compared", lambda machine: dict.fromkeys(known))
    proved = outcome.prove(outcome.Work("gcc", Path("a library"), 0))
    assert (proved.status, proved.forms) == (status, ("vfoo",))
    assert ("vfoo" in proved.detail) == (status == UNCHECKED)


def test_a_proof_that_does_not_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def prove(target: object, kernel: object) -> str:
        while True:
            pass

    task = Task("avx2", "q3329.ntt", Theorem("q3329", "ntt", "a claim", "linear", prove), Kernel("", "", "", 0, 0))
    monkeypatch.setattr(outcome, "SECONDS", 0.2)
    assert outcome.outcome(cast(Target, SimpleNamespace()), task) == (
        NOT_PROVED,
        Finding("takes more than 0 CPU seconds"),
    )


def test_the_table_counts_forms_by_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {"add": Kept("a CPU", 5000, ""), "sub": Kept("a CPU", 2000, "")}
    monkeypatch.setattr(outcome.record, "compared", lambda machine: kept)
    table = Table(rows=[replace(row(PROVED), forms=("add", "sub", "vfoo"))])
    assert table.compared("x64") == {"a CPU, 2000 states or more": 2, "nothing, 0 states or more": 1}
    assert "x64: 3 forms of instruction met" in table.as_text()


def test_progress_is_told_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    with Progress(2, "row") as progress:
        progress.step("one")
        progress.step("two")
    assert capsys.readouterr().out == "  2 of 2 rows, 0 s: two\n"


def test_planted_faults_fit_the_sources() -> None:
    for fault in read():
        assert fault.text(ROOT)
        assert fault.harmless or mistake(fault, [row(PROVED)]).endswith("still proved")
        assert mistake(fault, [])
