"""Operations: what each call of the API has to give on each of its paths; the elements of ML-KEM's sets.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple, Protocol

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.theorems.bounds import SOURCES
from proofs.theorems.target import MAX_ALIGN
from proofs.whole import selection, values
from proofs.whole.fips203 import SETS, SYM, Choice, DecryptionKey, Fips203, Parameters, parts
from proofs.whole.kyber import Round3
from proofs.whole.models import above_q
from proofs.whole.ntru import Rejection
from proofs.whole.paths import Path
from proofs.whole.values import Bytes, Residue, told

Operation = Callable[["Scheme", Path], str]  # returns how the path ends
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


def check_zero(path: Path, at: int, size: int, what: str = "an output after an error") -> None:
    check_same(path.read(at, size), [T.const(0, 8)] * size, what)


def result_of(are_valid: Sequence[bool], error: str) -> int:
    """Of a call on elements with valid keys and with others."""
    return 0 if all(are_valid) else errors()[error]


def any_key() -> bool:
    """Of a scheme that checks none: each of the right length is valid."""
    return True


def end(are_valid: Sequence[bool]) -> str:
    if len(are_valid) == 1:
        return "done" if are_valid[0] else "refused"
    return f"{are_valid.count(True)} of {len(are_valid)} done"


# ---- one element: its inputs, and what becomes of its outputs ----


@dataclass(frozen=True)
class KeyPair:
    """`requests` has the strings that key generation asks the generator for, one after the other."""

    requests: list[Bytes]
    wanted: Callable[[], tuple[Bytes, Bytes]]

    def check(self, path: Path, ek: int, dk: int) -> None:
        wanted = self.wanted()
        check_same(path.read(ek, len(wanted[0])), wanted[0], "ek")
        check_same(path.read(dk, len(wanted[1])), wanted[1], "dk")


@dataclass(frozen=True)
class Encapsulation:
    """Of a public ek."""

    ek: Bytes
    coins: Bytes
    is_valid: Callable[[], bool]
    wanted: Callable[[], tuple[Bytes, Bytes]]

    error = "LATKEM_ERR_EK"

    def check(self, path: Path, ct: int, ss: int) -> bool:
        """Whether ek is valid."""
        wanted, valid = self.wanted(), self.is_valid()
        if not valid:
            check_zero(path, ct, len(wanted[0]))
            check_zero(path, ss, SYM)
            return False
        check_same(path.read(ct, len(wanted[0])), wanted[0], "ct")
        check_same(path.read(ss, SYM), wanted[1], "ss")
        return True


@dataclass(frozen=True)
class Decapsulation:
    """The shared secret is the choice, or the function `kdf` of it."""

    dk: Bytes
    c: Bytes
    is_valid: Callable[[], bool]
    wanted: Callable[[], Choice | Rejection]
    kdf: Callable[[Bytes], Bytes] | None = None

    error = "LATKEM_ERR_DK"

    def check(self, path: Path, ss: int) -> bool:
        """Whether dk is valid."""
        if not self.is_valid():
            check_zero(path, ss, SYM)
            return False
        got = path.read(ss, SYM)
        if self.kdf:
            chosen = selection.hashed(got)[:SYM]
            check_same(got, self.kdf(chosen), "ss")
            got = chosen
        wanted = self.wanted()
        if isinstance(wanted, Choice):
            selection.check(got, wanted)
        else:
            selection.check_rejection(got, wanted)
        return True


# ---- a set: its elements ----


class Sizes(Protocol):
    """Of a parameter set."""

    @property
    def name(self) -> str: ...
    @property
    def ek(self) -> int: ...
    @property
    def dk(self) -> int: ...
    @property
    def ct(self) -> int: ...


class KeyUser(Protocol):
    """A set, and elements of variables with these numbers."""

    @property
    def p(self) -> Sizes: ...
    @property
    def sets(self) -> Sequence[Sizes]: ...
    def encapsulation(self, path: Path, number: int = 0) -> Encapsulation: ...
    def decapsulation(self, path: Path, number: int = 0) -> Decapsulation: ...


class Scheme(KeyUser, Protocol):
    """With key generation."""

    def pair(self, path: Path, number: int = 0) -> KeyPair: ...


@dataclass(frozen=True)
class MlKem:
    """Algorithms 16 to 18, or Kyber's."""

    spec: Fips203[Residue]
    sets: Sequence[Sizes] = SETS

    @property
    def p(self) -> Parameters:
        return self.spec.p

    def pair(self, path: Path, number: int = 0) -> KeyPair:
        d, z = (variables(f"{what} {number}", SYM) for what in "dz")
        rho, _ = self.spec.seeds(d)
        self._expect_streams(path, rho)
        return KeyPair([[*d, *z]], partial(self.spec.keygen, d, z))

    def encapsulation(self, path: Path, number: int = 0) -> Encapsulation:
        ek, m = variables(f"ek {number}", self.p.ek), variables(f"m {number}", SYM)
        path.make_public(ek)
        self._expect_streams(path, ek[self.p.vector :])
        return Encapsulation(ek, m, partial(self._is_valid_ek, path, ek), partial(self.spec.encaps, ek, m))

    def decapsulation(self, path: Path, number: int = 0) -> Decapsulation:
        dk, c = variables(f"dk {number}", self.p.dk), variables(f"c {number}", self.p.ct)
        key = parts(self.p, dk)
        path.make_public([*key.ek, *key.h])
        self._expect_streams(path, key.ek[self.p.vector :])
        kdf = partial(self.spec.kdf, c=c) if isinstance(self.spec, Round3) else None
        valid, wanted = partial(self._is_valid_dk, path, key), partial(self.spec.decaps, dk, c)
        return Decapsulation(dk, c, valid, wanted, kdf)

    def _is_valid_ek(self, path: Path, ek: Bytes) -> bool:
        """Section 7.2."""
        if not self.spec.checks_keys:
            return True
        above = [above_q(ek[at : at + 384]) for at in range(0, self.p.vector, 384)]
        return path.decides(T.is_zero(T.concat(above)), "all values in ek are below q")

    def _is_valid_dk(self, path: Path, key: DecryptionKey) -> bool:
        """Section 7.3."""
        if not self.spec.checks_keys:
            return True
        same = T.eq(T.concat(key.h), T.concat(self.spec.h(key.ek)))
        return path.decides(same, "the hash in dk is that of ek")

    def _expect_streams(self, path: Path, rho: Bytes) -> None:
        for (i, j), blocks in self.spec.blocks.items():
            path.expect_stream(self.spec.xof(rho, j, i, blocks))


# ---- calls of the API ----


def keygen(s: Scheme, path: Path) -> str:
    pair = s.pair(path)
    ek, dk = path.output(s.p.ek, "ek"), path.output(s.p.dk, "dk")
    seed = [byte for request in pair.requests for byte in request]
    arguments = [ek, dk, path.input(seed, "the seed"), len(seed)]
    check_result(path.call("latkem_keypair_derand", arguments), 0)
    pair.check(path, ek, dk)
    return end([True])


def encaps(s: KeyUser, path: Path) -> str:
    e = s.encapsulation(path)
    ct, ss = path.output(s.p.ct, "ct"), path.output(SYM, "ss")
    arguments = [ct, ss, path.input(e.ek, "ek"), s.p.ek, path.input(e.coins, "the coins"), len(e.coins)]
    result = path.call("latkem_encaps_derand", arguments)
    valid = [e.check(path, ct, ss)]
    check_result(result, result_of(valid, e.error))
    return end(valid)


def decaps(s: KeyUser, path: Path) -> str:
    d = s.decapsulation(path)
    ss = path.output(SYM, "ss")
    result = path.call("latkem_decaps", [ss, path.input(d.c, "ct"), s.p.ct, path.input(d.dk, "dk"), s.p.dk])
    valid = [d.check(path, ss)]
    check_result(result, result_of(valid, d.error))
    return end(valid)


# ---- batches, with the caller's generator ----


def keygen_batch(s: Scheme, path: Path) -> str:
    pairs = [s.pair(path, i) for i in range(THREE)]
    generator = path.generator([request for pair in pairs for request in pair.requests])
    eks, dks = path.output(THREE * s.p.ek, "eks"), path.output(THREE * s.p.dk, "dks")
    check_result(path.call("latkem_keypair_batch_rng", [THREE, eks, dks, generator, 0]), 0)
    for i, pair in enumerate(pairs):
        pair.check(path, eks + i * s.p.ek, dks + i * s.p.dk)
    return end([True] * THREE)


def encaps_batch(s: KeyUser, path: Path) -> str:
    elements = [s.encapsulation(path, i) for i in range(THREE)]
    generator = path.generator([e.coins for e in elements])
    cts, sss = path.output(THREE * s.p.ct, "cts"), path.output(THREE * SYM, "sss")
    eks = path.input([byte for e in elements for byte in e.ek], "eks")
    result = path.call("latkem_encaps_batch_rng", [THREE, cts, sss, eks, generator, 0])
    valid = [e.check(path, cts + i * s.p.ct, sss + i * SYM) for i, e in enumerate(elements)]
    check_result(result, result_of(valid, Encapsulation.error))
    return end(valid)


def decaps_batch(s: KeyUser, path: Path) -> str:
    elements = [s.decapsulation(path, i) for i in range(TWO)]
    sss = path.output(TWO * SYM, "sss")
    cts, dks = (path.input([b for e in elements for b in of(e)], what) for of, what in ((_c, "cts"), (_dk, "dks")))
    result = path.call("latkem_decaps_batch", [TWO, sss, cts, dks])
    valid = [d.check(path, sss + i * SYM) for i, d in enumerate(elements)]
    check_result(result, result_of(valid, Decapsulation.error))
    return end(valid)


def _c(d: Decapsulation) -> Bytes:
    return d.c


def _dk(d: Decapsulation) -> Bytes:
    return d.dk


def no_randomness(s: Scheme, path: Path) -> str:
    """The caller's generator fails at element 1 of a batch."""
    pairs = [s.pair(path, i) for i in range(TWO)]
    generator = path.generator(pairs[0].requests)
    eks, dks = path.output(TWO * s.p.ek, "eks"), path.output(TWO * s.p.dk, "dks")
    result = path.call("latkem_keypair_batch_rng", [TWO, eks, dks, generator, 0])
    check_result(result, errors()["LATKEM_ERR_RNG"])
    check_zero(path, eks, TWO * s.p.ek)
    check_zero(path, dks, TWO * s.p.dk)
    return "refused"


# ---- prepared keys ----


def _prepared_ek(s: KeyUser, path: Path) -> tuple[Encapsulation, int, list[bool]]:
    """An encapsulation, its prepared key, and whether the key is valid."""
    e = s.encapsulation(path)
    storage = _storage(path, "latkem_prepared_ek_bytes")
    result = path.call("latkem_prepare_ek", [storage, path.input(e.ek, "ek"), s.p.ek])
    valid = [e.is_valid()]
    check_result(result, result_of(valid, e.error))
    return e, storage, valid


def encaps_prepared(s: KeyUser, path: Path) -> str:
    e, storage, valid = _prepared_ek(s, path)
    ct, ss = path.output(s.p.ct, "ct"), path.output(SYM, "ss")
    result = path.call("latkem_encaps_prepared_rng", [ct, ss, storage, path.generator([e.coins]), 0])
    check_result(result, result_of(valid, "LATKEM_ERR_PREPARED"))
    e.check(path, ct, ss)
    return end(valid)


def decaps_prepared(s: KeyUser, path: Path) -> str:
    d = s.decapsulation(path)
    storage = _storage(path, "latkem_prepared_dk_bytes")
    result = path.call("latkem_prepare_dk", [storage, path.input(d.dk, "dk"), s.p.dk])
    valid = [d.is_valid()]
    check_result(result, result_of(valid, d.error))
    ss = path.output(SYM, "ss")
    result = path.call("latkem_decaps_prepared", [ss, path.input(d.c, "ct"), s.p.ct, storage])
    check_result(result, result_of(valid, "LATKEM_ERR_PREPARED"))
    d.check(path, ss)
    return end(valid)


def prepared_for_another(s: KeyUser, path: Path) -> str:
    """A prepared ek, for a decapsulation and for the operation of another set."""
    _, storage, _ = _prepared_ek(s, path)
    ss, c = path.output(SYM, "ss"), path.input(variables("c", s.p.ct), "ct")
    refusal = errors()["LATKEM_ERR_PREPARED"]
    check_result(path.call("latkem_decaps_prepared", [ss, c, s.p.ct, storage]), refusal)
    check_zero(path, ss, SYM)
    for other in (p for p in s.sets if p != s.p):
        ct, ss = path.output(other.ct, "another ct"), path.output(SYM, "another ss")
        generator = path.generator([variables("m", SYM)])
        arguments = [ct, ss, storage, generator, 0]
        check_result(path.call("latkem_encaps_prepared_rng", arguments, path.find(other.name)), refusal)
        check_zero(path, ct, other.ct)
        check_zero(path, ss, SYM)
    return "refused"


# ---- in parts ----


def encaps_in_parts(s: KeyUser, path: Path) -> str:
    e = s.encapsulation(path)
    header, vector = (_part(path, what) for what in ("header", "vector"))
    result = path.call("latkem_ek_split", [header.at, vector.at, path.input(e.ek, "ek"), s.p.ek])
    valid = [e.is_valid()]
    check_result(result, result_of(valid, e.error))
    if not valid[0]:
        check_zero(path, *header)
        check_zero(path, *vector)
        return end(valid)
    state, ct, ss = _part(path, "encaps_state"), path.output(s.p.ct, "ct"), path.output(SYM, "ss")
    coins = path.input(e.coins, "the coins"), len(e.coins)
    check_result(path.call("latkem_encaps1_derand", [state.at, ct, ss, *header, *coins]), 0)
    check_result(path.call("latkem_encaps2", [ct + path.call("latkem_ct1_bytes", []), state.at, *vector]), 0)
    check_zero(path, *state, "the state at the end")
    e.check(path, ct, ss)
    return end(valid)


def decaps_in_parts(s: KeyUser, path: Path) -> str:
    d = s.decapsulation(path)
    ss, size = path.output(SYM, "ss"), path.call("latkem_ct1_bytes", [])
    cts = [x for part in (d.c[:size], d.c[size:]) for x in (path.input(part, "a part of ct"), len(part))]
    result = path.call("latkem_decaps_parts", [ss, *cts, path.input(d.dk, "dk"), s.p.dk])
    valid = [d.check(path, ss)]
    check_result(result, result_of(valid, d.error))
    return end(valid)


class Part(NamedTuple):
    at: int
    size: int


def _part(path: Path, what: str) -> Part:
    size = path.call(f"latkem_{what}_bytes", [])
    return Part(path.output(size, f"the {what}"), size)


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
    parts = "in two parts equals FIPS 203 algorithm"
    yield encaps_in_parts, f"encapsulation of a split ek {parts} 17, with the check of 7.2"
    yield decaps_in_parts, f"decapsulation of a ct {parts} 18, with the hash check of 7.3"
