"""ML-KEM's operations: what each call of the API has to give on each of its paths.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.theorems.bounds import SOURCES
from proofs.theorems.target import MAX_ALIGN
from proofs.whole import selection, values
from proofs.whole.fips203 import SETS, SYM, Fips203, parts
from proofs.whole.kyber import Round3
from proofs.whole.models import above_q
from proofs.whole.paths import Path
from proofs.whole.values import Bytes, Residue, told

Spec = Fips203[Residue]
Operation = Callable[[Spec, Path], str]  # returns how the path ends
HEADER = SOURCES.parent / "include" / "latkem" / "latkem.h"
LEFT = 4  # bytes that a witness has
TWO, THREE = 2, 3  # elements of batches


@cache
def errors() -> dict[str, int]:
    """The API's, by name."""
    return {name: int(n) for name, n in re.findall(r"(LATKEM_ERR_\w+)\s*=\s*(-?\d+)", HEADER.read_text())}


def variables(what: str, size: int) -> Bytes:
    return [T.var((what, i), 8) for i in range(size)]


def check_same(got: Bytes, wanted: Bytes, what: str) -> None:
    for i, (x, y) in enumerate(zip(got, wanted, strict=True)):
        if not values.is_same(x, y):
            raise NotProved(f"byte {i} of {what} is {told(x)} instead of {told(y)}")


def check_result(got: int, wanted: int) -> None:
    if got != wanted:
        raise NotProved(f"it returns {got} instead of {wanted}")


def check_wiped(path: Path) -> None:
    """The code above the kernels leaves nothing on the stack that depends on an input: constants, the caller's
    registers, and bytes from before the call."""
    own = {n for register in path.machine.kept().values() for n, _, _ in T.pieces(register)}
    left = {at: n for at, n in path.memory.left() if not own.issuperset(path.memory.inputs_of(n))}
    if left:
        some = ", ".join(f"{told(n)} at {at:#x}" for at, n in list(left.items())[:LEFT])
        raise NotProved(f"{len(left)} bytes that are left on the stack may depend on inputs: {some}")


def check_zero(path: Path, at: int, size: int) -> None:
    check_same(path.read(at, size), [T.const(0, 8)] * size, "an output after an error")


def result_of(are_valid: Sequence[bool], error: str) -> int:
    """Of a call on elements with valid keys and with others."""
    return 0 if all(are_valid) else errors()[error]


def end(are_valid: Sequence[bool]) -> str:
    if len(are_valid) == 1:
        return "done" if are_valid[0] else "refused"
    return f"{are_valid.count(True)} of {len(are_valid)} done"


# ---- one element: its inputs, and what becomes of its outputs ----


class KeyPair:
    """Algorithm 16 of variables."""

    def __init__(self, s: Spec, path: Path, number: int = 0) -> None:
        self.d, self.z = variables(f"d {number}", SYM), variables(f"z {number}", SYM)
        rho, _ = s.seeds(self.d)
        _expect_streams(s, path, rho)

    def check(self, s: Spec, path: Path, ek: int, dk: int) -> None:
        wanted = s.keygen(self.d, self.z)
        check_same(path.read(ek, s.p.ek), wanted[0], "ek")
        check_same(path.read(dk, s.p.dk), wanted[1], "dk")


class Encapsulation:
    """Algorithm 17 of a public ek and of m."""

    error = "LATKEM_ERR_EK"

    def __init__(self, s: Spec, path: Path, number: int = 0) -> None:
        self.ek, self.m = variables(f"ek {number}", s.p.ek), variables(f"m {number}", SYM)
        path.make_public(self.ek)
        _expect_streams(s, path, self.ek[s.p.vector :])

    def is_valid(self, s: Spec, path: Path) -> bool:
        """Section 7.2."""
        if not s.checks_keys:
            return True
        above = [above_q(self.ek[at : at + 384]) for at in range(0, s.p.vector, 384)]
        return path.decides(T.is_zero(T.concat(above)), "all values in ek are below q")

    def check(self, s: Spec, path: Path, ct: int, ss: int) -> bool:
        """Whether ek is valid."""
        if not self.is_valid(s, path):
            check_zero(path, ct, s.p.ct)
            check_zero(path, ss, SYM)
            return False
        wanted = s.encaps(self.ek, self.m)
        check_same(path.read(ct, s.p.ct), wanted[0], "ct")
        check_same(path.read(ss, SYM), wanted[1], "ss")
        return True


class Decapsulation:
    """Algorithm 18 of a dk, with a public part, and of c."""

    error = "LATKEM_ERR_DK"

    def __init__(self, s: Spec, path: Path, number: int = 0) -> None:
        self.dk, self.c = variables(f"dk {number}", s.p.dk), variables(f"c {number}", s.p.ct)
        self._key = parts(s.p, self.dk)
        path.make_public([*self._key.ek, *self._key.h])
        _expect_streams(s, path, self._key.ek[s.p.vector :])

    def is_valid(self, s: Spec, path: Path) -> bool:
        """Section 7.3."""
        if not s.checks_keys:
            return True
        same = T.eq(T.concat(self._key.h), T.concat(s.h(self._key.ek)))
        return path.decides(same, "the hash in dk is that of ek")

    def check(self, s: Spec, path: Path, ss: int) -> bool:
        """Whether dk is valid."""
        if not self.is_valid(s, path):
            check_zero(path, ss, SYM)
            return False
        got = path.read(ss, SYM)
        if isinstance(s, Round3):
            chosen = selection.hashed(got)[:SYM]
            check_same(got, s.kdf(chosen, self.c), "ss")
            got = chosen
        selection.check(got, s.decaps(self.dk, self.c))
        return True


def _expect_streams(s: Spec, path: Path, rho: Bytes) -> None:
    for (i, j), blocks in s.blocks.items():
        path.expect_stream(s.xof(rho, j, i, blocks))


# ---- calls of the API ----


def keygen(s: Spec, path: Path) -> str:
    pair = KeyPair(s, path)
    ek, dk = path.output(s.p.ek, "ek"), path.output(s.p.dk, "dk")
    seed = path.input([*pair.d, *pair.z], "the seed")
    check_result(path.call("latkem_keypair_derand", [ek, dk, seed, 2 * SYM]), 0)
    pair.check(s, path, ek, dk)
    return end([True])


def encaps(s: Spec, path: Path) -> str:
    e = Encapsulation(s, path)
    ct, ss = path.output(s.p.ct, "ct"), path.output(SYM, "ss")
    arguments = [ct, ss, path.input(e.ek, "ek"), s.p.ek, path.input(e.m, "the coins"), SYM]
    result = path.call("latkem_encaps_derand", arguments)
    valid = [e.check(s, path, ct, ss)]
    check_result(result, result_of(valid, e.error))
    return end(valid)


def decaps(s: Spec, path: Path) -> str:
    d = Decapsulation(s, path)
    ss = path.output(SYM, "ss")
    result = path.call("latkem_decaps", [ss, path.input(d.c, "ct"), s.p.ct, path.input(d.dk, "dk"), s.p.dk])
    valid = [d.check(s, path, ss)]
    check_result(result, result_of(valid, d.error))
    return end(valid)


# ---- batches, with the caller's generator ----


def keygen_batch(s: Spec, path: Path) -> str:
    pairs = [KeyPair(s, path, i) for i in range(THREE)]
    generator = path.generator([[*pair.d, *pair.z] for pair in pairs])
    eks, dks = path.output(THREE * s.p.ek, "eks"), path.output(THREE * s.p.dk, "dks")
    check_result(path.call("latkem_keypair_batch_rng", [THREE, eks, dks, generator, 0]), 0)
    for i, pair in enumerate(pairs):
        pair.check(s, path, eks + i * s.p.ek, dks + i * s.p.dk)
    return end([True] * THREE)


def encaps_batch(s: Spec, path: Path) -> str:
    elements = [Encapsulation(s, path, i) for i in range(THREE)]
    generator = path.generator([e.m for e in elements])
    cts, sss = path.output(THREE * s.p.ct, "cts"), path.output(THREE * SYM, "sss")
    eks = path.input([byte for e in elements for byte in e.ek], "eks")
    result = path.call("latkem_encaps_batch_rng", [THREE, cts, sss, eks, generator, 0])
    valid = [e.check(s, path, cts + i * s.p.ct, sss + i * SYM) for i, e in enumerate(elements)]
    check_result(result, result_of(valid, Encapsulation.error))
    return end(valid)


def decaps_batch(s: Spec, path: Path) -> str:
    elements = [Decapsulation(s, path, i) for i in range(TWO)]
    sss = path.output(TWO * SYM, "sss")
    cts, dks = (path.input([b for e in elements for b in of(e)], what) for of, what in ((_c, "cts"), (_dk, "dks")))
    result = path.call("latkem_decaps_batch", [TWO, sss, cts, dks])
    valid = [d.check(s, path, sss + i * SYM) for i, d in enumerate(elements)]
    check_result(result, result_of(valid, Decapsulation.error))
    return end(valid)


def _c(d: Decapsulation) -> Bytes:
    return d.c


def _dk(d: Decapsulation) -> Bytes:
    return d.dk


def no_randomness(s: Spec, path: Path) -> str:
    """The caller's generator fails at element 1 of a batch."""
    pairs = [KeyPair(s, path, i) for i in range(TWO)]
    generator = path.generator([[*pairs[0].d, *pairs[0].z]])
    eks, dks = path.output(TWO * s.p.ek, "eks"), path.output(TWO * s.p.dk, "dks")
    result = path.call("latkem_keypair_batch_rng", [TWO, eks, dks, generator, 0])
    check_result(result, errors()["LATKEM_ERR_RNG"])
    check_zero(path, eks, TWO * s.p.ek)
    check_zero(path, dks, TWO * s.p.dk)
    return "refused"


# ---- prepared keys ----


def _prepared_ek(s: Spec, path: Path) -> tuple[Encapsulation, int, list[bool]]:
    """An encapsulation, its prepared key, and whether the key is valid."""
    e = Encapsulation(s, path)
    storage = _storage(path, "latkem_prepared_ek_bytes")
    result = path.call("latkem_prepare_ek", [storage, path.input(e.ek, "ek"), s.p.ek])
    valid = [e.is_valid(s, path)]
    check_result(result, result_of(valid, e.error))
    return e, storage, valid


def encaps_prepared(s: Spec, path: Path) -> str:
    e, storage, valid = _prepared_ek(s, path)
    ct, ss = path.output(s.p.ct, "ct"), path.output(SYM, "ss")
    result = path.call("latkem_encaps_prepared_rng", [ct, ss, storage, path.generator([e.m]), 0])
    check_result(result, result_of(valid, "LATKEM_ERR_PREPARED"))
    e.check(s, path, ct, ss)
    return end(valid)


def decaps_prepared(s: Spec, path: Path) -> str:
    d = Decapsulation(s, path)
    storage = _storage(path, "latkem_prepared_dk_bytes")
    result = path.call("latkem_prepare_dk", [storage, path.input(d.dk, "dk"), s.p.dk])
    valid = [d.is_valid(s, path)]
    check_result(result, result_of(valid, d.error))
    ss = path.output(SYM, "ss")
    result = path.call("latkem_decaps_prepared", [ss, path.input(d.c, "ct"), s.p.ct, storage])
    check_result(result, result_of(valid, "LATKEM_ERR_PREPARED"))
    d.check(s, path, ss)
    return end(valid)


def prepared_for_another(s: Spec, path: Path) -> str:
    """A prepared ek, for a decapsulation and for the operation of another set."""
    _, storage, _ = _prepared_ek(s, path)
    ss, c = path.output(SYM, "ss"), path.input(variables("c", s.p.ct), "ct")
    refusal = errors()["LATKEM_ERR_PREPARED"]
    check_result(path.call("latkem_decaps_prepared", [ss, c, s.p.ct, storage]), refusal)
    check_zero(path, ss, SYM)
    for other in (p for p in SETS if p != s.p):
        ct, ss = path.output(other.ct, "another ct"), path.output(SYM, "another ss")
        generator = path.generator([variables("m", SYM)])
        arguments = [ct, ss, storage, generator, 0]
        check_result(path.call("latkem_encaps_prepared_rng", arguments, path.find(other.name)), refusal)
        check_zero(path, ct, other.ct)
        check_zero(path, ss, SYM)
    return "refused"


def _storage(path: Path, size: str) -> int:
    return path.output(path.call(size, []), "the prepared key", MAX_ALIGN)


def operations() -> Iterator[tuple[Operation, str]]:
    """With what is claimed of each."""
    yield keygen, "equals FIPS 203 algorithm 16"
    yield encaps, "equals FIPS 203 algorithm 17, with the check of 7.2"
    yield decaps, "equals FIPS 203 algorithm 18, with the hash check of 7.3"


def round3_operations() -> Iterator[tuple[Operation, str]]:
    yield keygen, "equals Kyber round 3 algorithm 7"
    yield encaps, "equals Kyber round 3 algorithm 8"
    yield decaps, "equals Kyber round 3 algorithm 9"


def further_operations() -> Iterator[tuple[Operation, str]]:
    """Other calls with the same outputs."""
    three, two = f"each of {THREE} elements equals", f"each of {TWO} elements equals"
    yield keygen_batch, f"{three} FIPS 203 algorithm 16 of the generator's bytes"
    yield encaps_batch, f"{three} FIPS 203 algorithm 17 of the generator's bytes, with the check of 7.2"
    yield decaps_batch, f"{two} FIPS 203 algorithm 18, with the hash check of 7.3"
    yield no_randomness, "a batch of keys without enough randomness is an error and all zeros"
    yield encaps_prepared, "preparation, then encapsulation equals FIPS 203 algorithm 17, with the check of 7.2"
    yield decaps_prepared, "preparation, then decapsulation equals FIPS 203 algorithm 18, with the hash check of 7.3"
    yield prepared_for_another, "a prepared ek is refused by decapsulation and by other sets"
