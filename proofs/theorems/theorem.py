"""A theorem.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from dataclasses import dataclass

from proofs.rung import Rung
from proofs.theorems.target import Kernel, Target

Proof = Callable[[Target, Kernel], str]
NEON = ("neon", "neon-sha3", "neon-sha3-full", "neon-sha3-half", "neon-sha3-quarter")  # backends


@dataclass(frozen=True)
class Theorem:
    """`prove` executes the kernel's machine code on variables, which shows for all inputs that it ends, stays inside
    its buffers, keeps the registers of its caller, and lets no input reach a branch or an address; then it compares
    what the kernel computes with the formula. It returns what it found beyond the claim, such as a bound that is
    reached, and raises NotProved or Violation with a witness."""

    family: str
    kernel: str
    claim: str
    domain: str
    prove: Proof
    rung: Rung = Rung.QUICK
    backends: tuple[str, ...] = ()  # the backends of its kernel; all, if none is named
    together: bool = False  # one proof of several kernels of a table, which have the same claim

    @property
    def name(self) -> str:
        return f"{self.family}.{self.kernel}"
