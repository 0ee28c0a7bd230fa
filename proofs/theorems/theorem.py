"""What a theorem is, and what became of it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.theorems.target import Kernel, Target

Proof = Callable[[Target, Kernel], str]


@dataclass(frozen=True)
class Theorem:
    """`prove` returns what was found beyond the claim (a bound that is reached), and raises NotProved or Violation with
    a witness. Every proof executes the kernel's machine code: reaching its end is memory safety and independence of
    branches and addresses from the inputs."""

    family: str
    kernel: str
    claim: str
    domain: str
    prove: Proof
    quick: bool = True

    @property
    def name(self) -> str:
        return f"{self.family}.{self.kernel}"
