"""Saber's operations: the elements of its sets, and what is claimed of their calls.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from proofs.theorems.saber_contracts import SMALL
from proofs.whole import operations as calls
from proofs.whole import values
from proofs.whole.fips203 import SYM
from proofs.whole.operations import (
    THREE,
    TWO,
    Decapsulation,
    Encapsulation,
    KeyPair,
    Operation,
    Sizes,
    any_key,
    variables,
)
from proofs.whole.paths import Path
from proofs.whole.saber import EQ, SETS, Parameters, Saber, cut, parts
from proofs.whole.saber_models import SaberModels, SaberNamed
from proofs.whole.values import Residue


class SaberPath(Path):
    kernels = SaberModels


@dataclass(frozen=True)
class SaberScheme:
    """Algorithms 20 to 22. All keys of the right length are valid."""

    spec: Saber[Residue]
    sets: Sequence[Sizes] = SETS

    @property
    def p(self) -> Parameters:
        return self.spec.p

    def pair(self, path: Path, number: int = 0) -> KeyPair:
        del path
        a0, seed_s, z = (variables(f"{what} {number}", SYM) for what in ("a0", "seed_s", "z"))
        return KeyPair([a0, seed_s, z], partial(self.spec.keygen, a0, seed_s, z))

    def encapsulation(self, path: Path, number: int = 0) -> Encapsulation:
        ek, coins = variables(f"ek {number}", self.p.ek), variables(f"coins {number}", SYM)
        path.make_public(ek)
        return Encapsulation(ek, coins, any_key, partial(self.spec.encaps, ek, coins))

    def decapsulation(self, path: Path, number: int = 0) -> Decapsulation:
        """Of a dk in which s is small."""
        dk, c = variables(f"dk {number}", self.p.dk), variables(f"c {number}", self.p.ct)
        key = parts(self.p, dk)
        path.make_public([*key.ek, *key.h])
        assert isinstance(path.models, SaberModels)
        path.models.small.update(map(values.string, cut(EQ, key.s)))
        return Decapsulation(dk, c, any_key, partial(self.spec.decaps, dk, c), partial(self.spec.kdf, c=c))


SCHEMES = [SaberScheme(Saber(p, SaberNamed())) for p in SETS]


def operations() -> Iterator[tuple[Operation, str]]:
    """With what is claimed of each."""
    algorithm, small = "Saber round 3 algorithm", f"of a dk with |s| <= {SMALL.high}"
    three, two = f"each of {THREE} elements equals {algorithm}", f"each of {TWO} elements equals {algorithm}"
    yield calls.keygen, f"equals {algorithm} 20"
    yield calls.encaps, f"equals {algorithm} 21"
    yield calls.decaps, f"equals {algorithm} 22 {small}"
    yield calls.keygen_batch, f"{three} 20 of the generator's bytes"
    yield calls.encaps_batch, f"{three} 21 of the generator's bytes"
    yield calls.decaps_batch, f"{two} 22 {small}"
    yield calls.no_randomness, "a batch of keys without enough randomness is an error and all zeros"
    yield calls.encaps_prepared, f"preparation, then encapsulation equals {algorithm} 21"
    yield calls.decaps_prepared, f"preparation, then decapsulation equals {algorithm} 22 {small}"
    yield calls.prepared_for_another, "a prepared ek is refused by decapsulation and by other sets"
