"""The contracts of the kernels of AES and SHA-2, each one object: for its theorem (aes.py, sha2.py), and for the model
that takes the kernel's place where an operation of the 90s calls it (whole/ninetys_models.py).

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from proofs.rung import Rung
from proofs.theorems.contracts import Contract
from proofs.theorems.ntru_contracts import LIFTED, LOGARITHMS
from proofs.theorems.target import CACHE_LINE

AES, SHA2 = "aes", "sha2"
BLOCK = 16  # bytes of AES
EXPANDED_WORDS = 120  # of 64 bits
STREAMS = (1, 8, 12, 21, 36)  # noise of eta = 2 and 3, and pieces of the matrix; a rest of each kind
NTRU_KEY = 32


def stretched() -> tuple[int, ...]:
    """The blocks of an operation of NTRU, the last one, which is a call of its own, left out: Sample_iid twice or with
    Sample_fixed_type, and for a key 32 bytes more (NTRU round 3, 1.10)."""
    samples = [2 * (n - 1) if n in LIFTED else n - 1 + -(-30 * (n - 1) // 8) for n in LOGARITHMS]
    return tuple(sorted({(size + more) // BLOCK for size in samples for more in (0, NTRU_KEY)}))


@dataclass(frozen=True, kw_only=True)
class Cipher(Contract):
    """One of two kernels that together make so many blocks of the key stream, from any counter. The expanded key is
    aligned."""

    family: str = AES
    align: int = CACHE_LINE
    numbers: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Compression(Contract):
    """So many blocks, into a state of eight words of the machine, which is aligned to one."""

    family: str = SHA2
    width: int
    numbers: tuple[int, ...]

    @property
    def block(self) -> int:
        """Bytes: 16 words."""
        return 2 * self.width


def _cipher(kernel: str, numbers: tuple[int, ...], rung: Rung) -> Cipher:
    listed = ", ".join(map(str, numbers))
    claim = f"AES-256 in counter mode (FIPS 197, 5.1 and 5.2), from any counter {listed} blocks"
    return Cipher(kernel, claim, "bits", rung, numbers=numbers)


def _compression(kernel: str, section: str, width: int, numbers: tuple[int, ...], rung: Rung) -> Compression:
    claim = f"the compression of FIPS 180-4, {section}, of {', '.join(map(str, numbers))} blocks"
    return Compression(kernel, claim, "sums and bits", rung, align=width // 8, width=width, numbers=numbers)


EXPAND_KEY, COUNTERS = (_cipher(kernel, STREAMS, Rung.QUICK) for kernel in ("expand_key", "ctr"))
STRETCHING = tuple(_cipher(kernel, stretched(), Rung.ALL) for kernel in ("expand_key", "ctr"))
FEW = (0, 1, 3)
WHOLE = (12, 17, 18, 24)  # of the 90s' keys and ciphertexts
SHA256 = (
    _compression("sha256_compress", "6.2.2", 32, FEW, Rung.QUICK),
    _compression("sha256_compress", "6.2.2", 32, WHOLE, Rung.ALL),
)
# Of one block alone: no message of the 90s is longer than 64 bytes but keys and ciphertexts.
SHA512 = (_compression("sha512_compress", "6.4.2", 64, FEW, Rung.QUICK),)
