"""A theorem.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

from proofs.rung import Rung
from proofs.theorems.contracts import Contract, LanesApart, Rejection
from proofs.theorems.target import HASH_DIGITS, Kernel, Target

BESIDE = {  # what theorems of a family, or of a kernel, ask a table for
    "q3329": ("mulcache", "inner_product", "ntt_order"),
    **dict.fromkeys(("cyclic.evaluate", "cyclic.product"), ("evaluated_unit", "scratch_unit", "evaluate", "product")),
    "aes": ("expand_key", "ctr"),
    **dict.fromkeys(("cyclic.square_of_bits", "ternary.sort", "ternary.multiply"), ("scratch_unit",)),
    "keccak": ("lanes",),
    "negacyclic": (
        *("evaluated_bytes", "scratch_bytes", "small_bytes"),
        *("evaluate", "evaluate_small", "inner_product", "unpack_d13"),
    ),
}
Stated = TypeVar("Stated", bound=Contract)
NEON = ("neon", "neon-sha3", "neon-sha3-full", "neon-sha3-half", "neon-sha3-quarter")  # backends


class Need(NamedTuple):
    """A row that another one rests on: its claim about a function with this code, in a table with these fields beside
    it; the hash of its contract, if it has one."""

    kernel: str
    claim: str
    address: int
    code: str
    beside: tuple[int, ...]
    contract: str = ""

    @property
    def claimed(self) -> "Need":
        """The same, whatever the contract."""
        return self._replace(contract="")


class Finding(NamedTuple):
    """A proof's result: the detail beyond the claim, and the rows without which it is none."""

    detail: str
    rests_on: tuple[Need, ...] = ()


Proof = Callable[[Target, Kernel], str | Finding]


def need(target: Target, kernel: Kernel, claim: str, contract: Contract | None = None) -> Need:
    name = f"{kernel.family}.{kernel.name}"
    asked = BESIDE.get(name, BESIDE.get(kernel.family, ()))
    beside = tuple(target.sibling(kernel, field) or 0 for field in asked)
    if isinstance(contract, Rejection | LanesApart):  # its theorem asks for nothing but the lanes
        beside = () if type(contract) is Rejection else tuple(target.lanes_beside(kernel))
    digest = hashlib.sha256(repr(contract).encode()).hexdigest()[:HASH_DIGITS] if contract else ""
    return Need(name, claim, kernel.address, target.code_hash(kernel.address), beside, digest)


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
    tags: bool = False  # it is shown for random tags, which is no proof
    contract: Contract | None = None  # that it is made from

    @property
    def name(self) -> str:
        return f"{self.family}.{self.kernel}"


def theorem(
    contract: Stated, prove: Callable[[Stated, Target, Kernel], str], backends: tuple[str, ...] = ()
) -> Theorem:
    """That of a contract."""
    words = contract.family, contract.kernel, contract.claim, contract.domain
    return Theorem(*words, partial(prove, contract), contract.rung, backends, contract=contract)
