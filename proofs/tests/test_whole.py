"""Whole operations: the specification on the standard's examples, names, contracts, and what the table makes of rows.

SPDX-License-Identifier: Apache-2.0
"""

import json
import random
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from fips203_numbers import Concrete, Numbers, constants, numbers

from proofs import outcome
from proofs.builds import BUILDS, ROOT
from proofs.domains import NotProved
from proofs.json_data import Json
from proofs.kept import Kept
from proofs.machine import terms as T
from proofs.machine.memory import Violation
from proofs.rung import Rung
from proofs.table import COMPOSED, NOT_PROVED, PROVED, UNCHECKED, Row, Table
from proofs.theorems import contracts, keccak, q3329, rejection, saber, saber_contracts
from proofs.theorems.all import Task
from proofs.theorems.contracts import Contract, Interval, Map
from proofs.theorems.target import Target
from proofs.theorems.theorem import Finding, Need, need, theorem
from proofs.whole import fips203, kyber, paths, rows, selection, values
from proofs.whole.fips203 import SETS, Choice, Fips203, Parameters
from proofs.whole.kyber import Round3
from proofs.whole.values import Named

VECTORS = ROOT / "tests" / "vectors" / "acvp.tar.xz"
SPECIFICATION = Path(fips203.__file__)
LIBRARY = next(build.library for build in BUILDS if build.name == "gcc")
needs_library = pytest.mark.skipif(not LIBRARY.exists(), reason=f"{LIBRARY} was not built")


def groups(mode: str, parameters: Parameters, function: str | None = None) -> list[dict[str, str]]:
    """The cases of a set."""
    with tarfile.open(VECTORS) as archive:
        file = archive.extractfile(f"acvp/ML-KEM-{mode}-FIPS203/internalProjection.json")
        assert file
        found: list[dict[str, Json]] = json.load(file)["testGroups"]
    chosen = [g for g in found if g["parameterSet"] == parameters.name and g.get("function") == function]
    return [test for group in chosen for test in group["tests"]]


def concrete(p: Parameters) -> Fips203[Numbers]:
    """Each stream has enough values in five blocks."""
    return Fips203(p, Concrete(), {(i, j): rows.MOST for i in range(p.k) for j in range(p.k)})


def case(test: dict[str, str], *names: str) -> list[bytes]:
    return [bytes.fromhex(test[name]) for name in names]


@pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
def test_key_generation_of_the_specification(p: Parameters) -> None:
    d, z, *keys = case(groups("keyGen", p)[0], "d", "z", "ek", "dk")
    assert list(map(numbers, concrete(p).keygen(constants(d), constants(z)))) == keys


@pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
def test_encapsulation_of_the_specification(p: Parameters) -> None:
    ek, m, *wanted = case(groups("encapDecap", p, "encapsulation")[0], "ek", "m", "c", "k")
    assert list(map(numbers, concrete(p).encaps(constants(ek), constants(m)))) == wanted


@pytest.mark.parametrize("p", SETS, ids=lambda p: p.name)
def test_decapsulation_of_the_specification(p: Parameters) -> None:
    """One ciphertext that is accepted and one that is rejected."""
    tests = groups("encapDecap", p, "decapsulation")
    for is_same in (True, False):
        test = next(t for t in tests if ("valid" in t["reason"]) == is_same)
        dk, c, k = case(test, "dk", "c", "k")
        choice = concrete(p).decaps(constants(dk), constants(c))
        assert (choice.c == choice.again) == is_same
        assert numbers(choice.equal if is_same else choice.other) == k


def test_a_ciphertext_of_kyber_is_accepted() -> None:
    p = kyber.SETS[0]
    spec = Round3(p, Concrete(), concrete(p).blocks)
    ek, dk = spec.keygen(*(constants(bytes([i] * fips203.SYM)) for i in (1, 2)))
    c, ss = spec.encaps(ek, constants(bytes(fips203.SYM)))
    choice = spec.decaps(dk, c)
    assert (choice.again, spec.kdf(choice.equal, c)) == (c, ss)
    assert spec.kdf(choice.other, c) != ss


def test_the_specification_is_short_and_stands_alone() -> None:
    text = SPECIFICATION.read_text().splitlines() + SPECIFICATION.with_name("sponges.py").read_text().splitlines()
    imported = {line.split()[1] for line in text if line.startswith(("from proofs", "import proofs"))}
    assert len(text) <= 300
    assert imported == {"proofs.machine", "proofs.machine.terms", "proofs.theorems.fips202", "proofs.whole"}


# ---- values ----


def test_equal_residues_have_one_form() -> None:
    f, g, h = (values.atom(name) for name in "fgh")
    both = values.total([(f, 1), (g, 3)])
    assert values.product(both, h) == values.total([(values.product(h, f), 1), (values.product(h, g), 3)])
    assert values.mapped(Map.NTT, both) == values.total([(Named.ntt(f), 1), (Named.ntt(g), 3)])
    assert values.total([(f, 1), (f, contracts.Q - 1)]) == ()
    assert Named.ntt(f) != Named.inverse(f)


def test_states_are_named_by_sums_of_their_bits() -> None:
    x, y = T.var("x", 64), T.var("y", 64)
    halves = T.concat([T.xor(*(T.extract(n, at, 32) for n in (x, y))) for at in (0, 32)])
    zero = [T.const(0, 64)] * 24
    assert halves != T.xor(x, y)
    assert values.permuted([halves, *zero]) == values.permuted([T.xor(x, y), *zero])
    assert values.permuted([x, *zero]) != values.permuted([y, *zero])
    assert not values.is_same(T.and_(x, y), T.or_(x, y))


# ---- selection ----


def choice(size: int = 2) -> Choice:
    return Choice(*([T.var((f"input {name}", i), 8) for i in range(size)] for name in Choice._fields))


def selected(c: Choice, compared: int, flipped: bool = False) -> list[int]:
    """By a mask, as the library does it: all ones where the first so many bytes are the same."""
    differences = [T.xor(x, y) for x, y in zip(c.c[:compared], c.again, strict=False)]
    same = T.is_zero(T.concat(differences))
    mask = T.sext(T.not_(same) if flipped else same, 8)
    pairs = zip(c.equal, c.other, strict=True)
    return [T.xor(y, T.and_(mask, T.xor(x, y))) for x, y in pairs]


def test_a_selection() -> None:
    selection.check(selected(choice(), 2), choice())


@pytest.mark.parametrize(("compared", "flipped"), [(1, False), (2, True)])
def test_a_wrong_selection_is_refused(compared: int, flipped: bool) -> None:
    with pytest.raises(NotProved, match="ss = K if c = c'"):
        selection.check(selected(choice(), compared, flipped), choice())


def test_a_selection_of_something_else_is_refused() -> None:
    with pytest.raises(NotProved, match="ss is made of another"):
        selection.check([T.var(("another",), 8), choice().equal[1]], choice())


# ---- paths ----


def test_narrowing_keeps_values() -> None:
    """A byte that is added up in a whole register, with unknown upper bits."""
    x, rest = T.var("x of 8", 8), T.var("rest", 56)
    wide = T.add(T.concat([x, rest]), T.const(5, 64))
    byte = T.extract(wide, 0, 8)
    narrow = paths.narrowed(byte)
    assert rest in T.cone([byte])
    assert rest not in T.cone([narrow])
    chance = random.Random(1)
    env = {n: [chance.randrange(1 << T.W[n]) for _ in range(50)] for n in (x, rest)}
    assert (T.evaluate([byte], env)[0] == T.evaluate([narrow], env)[0]).all()


class Forks:
    """A call that forks at two conditions, at the second only behind the first's arm 1."""

    def __init__(self, arms: Sequence[int]) -> None:
        self.arms, self.taken = arms, list[tuple[int, int]]()
        self.value = self.ask(1) and 1 + self.ask(2)

    def ask(self, condition: int) -> int:
        number = len(self.taken)
        self.taken.append((condition, self.arms[number] if number < len(self.arms) else 0))
        return self.taken[-1][1]


def test_every_path_is_taken_once() -> None:
    found = paths.every_path(lambda arms: cast(paths.Path, Forks(arms)), lambda path: str(cast(Forks, path).value))
    assert sorted(end for _, end in found) == ["0", "1", "2"]


@needs_library
def test_nothing_of_a_path_is_left_for_the_next(target: Target) -> None:
    bench = paths.Bench(target)
    before, hooks, regions = bench.machine.save(), dict(bench.machine.hooks), list(bench.memory.regions)
    (table, *_) = target.table_addresses("avx2")
    path = paths.Path(bench, target, (table, target.fields_of(table)), "ML-KEM-512", ())
    at = path.input([T.const(1, 8)], "a byte")
    assert T.is_const(bench.machine.general[0])
    assert bench.machine.hooks != hooks
    bench.clear()
    assert bench.machine.save() == before
    assert (bench.machine.hooks, bench.memory.regions) == (hooks, regions)
    with pytest.raises(Violation, match="outside every buffer"):
        bench.memory.load(at, 1)
    bench.memory.region(at, 1, True, "another buffer")
    with pytest.raises(Violation, match="uninitialised"):
        bench.memory.load(at, 1)


def test_outcomes() -> None:
    entries = [(i, j) for i in range(2) for j in range(2)]
    assert len(list(rows.EVERY.all(entries))) == 3**4
    assert len(list(rows.AT_MOST_ONE.all(entries))) == 1 + 4
    assert len(list(rows.AT_MOST_TWO.all(entries))) == 1 + 4 + 6
    assert all(set(blocks) == set(entries) for blocks in rows.EVERY.all(entries))


def test_the_readme_has_the_claim_of_the_rows() -> None:
    words = " ".join((ROOT / "README.md").read_text().split())
    assert rows.sentence() in words


# ---- contracts and rows ----


NTT, TOMONT = contracts.LINEAR[0], contracts.LINEAR[2]
ADD = contracts.SUMS[0]
AVX512_LANES = rejection.LANES["avx512"]
STRONGER: dict[str, tuple[Contract, Callable[..., str], str, str]] = {
    "a bound of the result": (
        *(replace(NTT, gives=contracts.within("CANONICAL_MAX")), q3329.prove_linear, "avx2"),
        "the result is in [-16118, 16118], beyond [-3328, 3328]",
    ),
    "a bound of the argument": (
        *(replace(NTT, takes=contracts.ANY), q3329.prove_linear, "avx2"),
        "overflows 16 bits",
    ),
    "a bound of a sum": (
        *(replace(ADD, fits=contracts.ANY.times(2)), q3329.prove_sum, "portable"),
        "the result is in [-65536, 65534], beyond [-32768, 32767]",
    ),
    "the lowest word of a remainder": (
        *(replace(contracts.REDUCE, gives=Interval(1, 3328)), q3329.prove_reduce, "portable"),
        "the result is in [0, 3328], beyond [1, 3328]",
    ),
    "words of any sign": (
        *(replace(contracts.ENCODE, words=contracts.within("CANONICAL_MAX")), q3329.prove_encoding, "avx2"),
        "the result is in [-3328, 3328], beyond [0, 4095]",
    ),
    "the domain": (replace(TOMONT, map=Map.NTT), q3329.prove_linear, "avx2", "output 0 has 0 times input 2"),
    "more words are written": (
        *(replace(contracts.MULCACHE, words=contracts.CACHE_WORDS + 1), q3329.prove_mulcache, "avx2"),
        "read of uninitialised memory",
    ),
    "fewer words are written": (
        *(replace(contracts.MULCACHE, words=contracts.CACHE_WORDS - 1), q3329.prove_mulcache, "portable"),
        "is outside every buffer",
    ),
    "fewer bytes are read": (
        *(replace(contracts.DECODE, d=11), q3329.prove_decoding, "avx2"),
        "is outside every buffer",
    ),
    "the alignment": (replace(contracts.PERMUTE, align=8), keccak.prove_permute, "avx2", "is not aligned to 32 bytes"),
    "the lanes": (
        *(replace(contracts.rejection_in_lane(0, rejection.NUMBERS), lane=AVX512_LANES), rejection.prove_lane),
        *("avx512", f"there is no lane {AVX512_LANES}"),
    ),
    "bits above a residue": (
        *(replace(saber_contracts.UNPACK_D13, width=16), saber.prove_order, "portable"),
        "unpack_d13 does not place coefficient 0",
    ),
    "another rounding": (
        *(replace(saber_contracts.ROUND_D10, constant=saber_contracts.H1 - 1), saber.prove_rounding, "avx2"),
        "coefficient 0",
    ),
    "the values that are accepted": (
        *(replace(contracts.rejection(rejection.FEWEST), below=contracts.Q - 1), rejection.prove_bytes, "portable"),
        "the branch depends on data",
    ),
}


@pytest.fixture
def target() -> Target:
    return outcome.target_of("gcc", LIBRARY)


@needs_library
@pytest.mark.parametrize("kind", STRONGER)
def test_a_table_with_a_stronger_contract_is_refused(
    kind: str, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The theorem is made from the contract, and the operation rests on its row."""
    contract, prove, backend, witness = STRONGER[kind]
    kernel = target.kernels(backend, contract.family, contract.kernel)[0]
    task = Task(backend, f"{contract.family}.{contract.kernel}", theorem(contract, prove), kernel)
    monkeypatch.setattr(outcome, "tasks_of", lambda build, library: [task])
    operation = row("ML-KEM-512.encaps", PROVED, rests_on=(need(target, kernel, contract.claim, contract),))
    table = Table(rows=[outcome.prove(outcome.Work("gcc", LIBRARY, 0)), operation])
    table.compose()
    assert [r.status for r in table.rows] == [NOT_PROVED, NOT_PROVED]
    assert witness in table.rows[0].detail
    assert table.rows[1].detail.startswith(f"rests on {task.name}: {contract.claim}, which is not proved")


@needs_library
def test_a_model_of_a_stronger_contract_is_refused(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    """The theorem is that of the weaker one: its row is proved, and is not the operation's."""
    (kernel,) = target.kernels("avx2", contracts.RING, NTT.kernel)
    proved = row("q3329.ntt", PROVED, of=need(target, kernel, NTT.claim, NTT))
    task = next(t for t in rows.tasks(target) if (t.name, t.backend) == ("ML-KEM-512.keygen", "avx2"))
    monkeypatch.setattr(contracts, "LINEAR", [replace(c, takes=contracts.ANY) for c in contracts.LINEAR])
    assert task.theorem
    assert task.kernel
    found = task.theorem.prove(target, task.kernel)
    assert isinstance(found, Finding)
    table = Table(rows=[proved, row(task.name, PROVED, rests_on=found.rests_on)])
    table.compose()
    assert table.rows[1].status == NOT_PROVED
    assert table.rows[1].detail.startswith("rests on another contract of q3329.ntt than that of its theorem")


def test_a_contract_is_told_apart_by_all_that_it_says() -> None:
    """And not by the rung of its theorem."""
    size = contracts.XOF_BLOCK
    assert repr(contracts.rejection(size)) == repr(contracts.rejection(size, Rung.QUICK))
    assert all(repr(stronger[0]) != repr(replace(stronger[0], align=2)) for stronger in STRONGER.values())


@pytest.mark.parametrize("coding", [contracts.DECODE, *contracts.COMPRESSIONS[5:]], ids=lambda c: c.kernel)
def test_words_of_a_decoding_are_those_of_its_contract(coding: contracts.Coding) -> None:
    q3329.check_words(coding)
    top = max(T.val(q3329.decoded(coding, T.const(y, coding.d))) for y in range(1 << coding.d))
    with pytest.raises(NotProved, match="beyond"):
        q3329.check_words(replace(coding, words=Interval(0, top - 1)))


def test_models_and_theorems_share_their_contracts() -> None:
    """Each model demands a claim that a theorem of its kernel states."""
    stated = {(theorem.name, theorem.claim) for theorem in q3329.theorems()}
    used = [*contracts.LINEAR, *contracts.SUMS, *contracts.COMPRESSIONS, *contracts.BINOMIALS, contracts.MULCACHE]
    used += [contracts.REDUCE, contracts.ORDER, contracts.ENCODE, contracts.DECODE]
    used += [contracts.product(k) for k in contracts.RANKS]
    used += [contracts.rejection(contracts.XOF_BLOCK), contracts.rejection_in_lane(0, rejection.NUMBERS)]
    used += [contracts.lanes_apart(rejection.NUMBERS)]
    assert {(f"{c.family}.{c.kernel}", c.claim) for c in used} <= stated


NEED = Need("q3329.ntt", "the NTT", 4096, "c0de", (1, 2, 3), "a contract")


ANOTHER = "rests on another contract of q3329.ntt than that of its theorem: the NTT"


def row(kernel: str, status: str, of: Need | None = None, rests_on: tuple[Need, ...] = ()) -> Row:
    return Row("gcc", "x64", "avx2", kernel, 0, "a claim", "names", status, "found", of=of, rests_on=rests_on)


@pytest.mark.parametrize(
    ("of", "status", "wanted", "detail"),
    [
        (NEED, PROVED, PROVED, "found"),
        (NEED, NOT_PROVED, NOT_PROVED, "rests on q3329.ntt: the NTT, which is not proved"),
        (NEED, UNCHECKED, NOT_PROVED, "rests on q3329.ntt: the NTT, which is forms unchecked"),
        (NEED._replace(address=8192), PROVED, COMPOSED, "not in this table: q3329.ntt; found"),
        (NEED._replace(code="other"), PROVED, COMPOSED, "not in this table: q3329.ntt; found"),
        (NEED._replace(claim="a bound less"), PROVED, COMPOSED, "not in this table: q3329.ntt; found"),
        (NEED._replace(beside=(1, 2, 4)), PROVED, COMPOSED, "not in this table: q3329.ntt; found"),
        (NEED._replace(contract="another"), PROVED, NOT_PROVED, ANOTHER),
    ],
)
def test_an_operation_is_proved_where_its_kernels_are(of: Need, status: str, wanted: str, detail: str) -> None:
    table = Table(rows=[row("q3329.ntt", status, of=of), row("ML-KEM-512.encaps", PROVED, rests_on=(NEED,))])
    table.compose()
    assert (table.rows[1].status, table.rows[1].detail) == (wanted, detail)


def test_the_kernels_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that a row of the build rests on and that are not there; functions that backends share, once."""
    others = [NEED, NEED, NEED._replace(kernel="q3329.add"), NEED._replace(address=1), None]
    monkeypatch.setattr(outcome, "tasks_of", lambda build, library: others)
    monkeypatch.setattr(outcome, "target_of", lambda build, library: None)
    monkeypatch.setattr(outcome, "_of", lambda target, task: task)
    add = others[2]
    assert add
    table = [row("ML-KEM-512.encaps", PROVED, rests_on=(NEED, add)), row("q3329.add", PROVED, of=add)]
    assert [w.number for w in outcome.kernels_of(table, {"gcc": LIBRARY, "clang": LIBRARY})] == [0]


def test_rows_are_kept_for_the_same_library_and_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, proved = Kept(tmp_path / "rows"), row("q3329.ntt", PROVED, of=NEED)
    kept.keep(proved, "a hash", 3)
    assert kept.row("a hash", 3) == proved
    assert kept.row("another hash", 3) is None
    assert kept.row("a hash", 4) is None
    sources = tmp_path / "proofs"
    sources.mkdir()
    (sources / "a.py").write_text("another source")
    monkeypatch.setattr("proofs.kept.ROOT", tmp_path)
    assert Kept(tmp_path / "rows").row("a hash", 3) is None


def test_an_operation_rests_on_no_kernel_of_another_build() -> None:
    other = replace(row("q3329.ntt", PROVED, of=NEED), build="clang")
    table = Table(rows=[other, row("ML-KEM-512.encaps", PROVED, rests_on=(NEED,))])
    table.compose()
    assert table.rows[1].status == COMPOSED
