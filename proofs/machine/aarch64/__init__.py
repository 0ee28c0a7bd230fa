"""AArch64: decoding and the meaning of instructions. SPDX-License-Identifier: Apache-2.0"""

from proofs.machine.aarch64.machine import Machine

__all__ = ["Machine"]
