"""NTRU's operations: the elements of its sets, and what is claimed of their calls.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from proofs.whole import operations as calls
from proofs.whole.ntru import SETS, Ntru, Parameters
from proofs.whole.ntru_models import NtruModels, NtruNamed
from proofs.whole.operations import THREE, TWO, Decapsulation, Encapsulation, KeyUser, Sizes, any_key, variables
from proofs.whole.paths import Path
from proofs.whole.values import Name, Residue


class NtruPath(Path):
    kernels = NtruModels


@dataclass(frozen=True)
class NtruScheme:
    """Sections 1.12.2 and 1.12.3. All keys of the right length are valid, and nothing of one is public."""

    spec: Ntru[Residue, Name, Name]
    sets: Sequence[Sizes] = SETS

    @property
    def p(self) -> Parameters:
        return self.spec.p

    def encapsulation(self, path: Path, number: int = 0) -> Encapsulation:
        del path
        ek, coins = variables(f"ek {number}", self.p.ek), variables(f"coins {number}", self.p.coins)
        return Encapsulation(ek, coins, any_key, partial(self.spec.encaps, ek, coins))

    def decapsulation(self, path: Path, number: int = 0) -> Decapsulation:
        del path
        dk, c = variables(f"dk {number}", self.p.dk), variables(f"c {number}", self.p.ct)
        return Decapsulation(dk, c, any_key, partial(self.spec.decaps, dk, c))


SCHEMES = [NtruScheme(Ntru(p, NtruNamed(p))) for p in SETS]


def operations() -> Iterator[tuple[Callable[[KeyUser, Path], str], str]]:
    """With what is claimed of each."""
    section, three, two = "NTRU round 3 section", f"each of {THREE} elements equals", f"each of {TWO} elements equals"
    yield calls.encaps, f"equals {section} 1.12.2"
    yield calls.decaps, f"equals {section} 1.12.3"
    yield calls.encaps_batch, f"{three} {section} 1.12.2 of the generator's bytes"
    yield calls.decaps_batch, f"{two} {section} 1.12.3"
    yield calls.encaps_prepared, f"preparation, then encapsulation equals {section} 1.12.2"
    yield calls.decaps_prepared, f"preparation, then decapsulation equals {section} 1.12.3"
    yield calls.prepared_for_another, "a prepared ek is refused by decapsulation and by other sets"
