"""The processors, by the name that an ELF file has for its machine. SPDX-License-Identifier: Apache-2.0"""

from proofs.machine import aarch64, x86_64
from proofs.machine.processor import Processor

MACHINES: dict[str, type[Processor]] = {"x64": x86_64.Machine, "AArch64": aarch64.Machine}
