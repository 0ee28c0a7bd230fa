"""x86-64 with AVX2 and AVX-512. SPDX-License-Identifier: Apache-2.0"""

from proofs.machine.x86_64.machine import Machine

__all__ = ["Machine"]
