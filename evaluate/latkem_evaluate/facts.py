"""Facts from elsewhere in the repository: of parameter sets, of kernels, and figures that others published.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETS = ROOT / "spec/sets.json"
PUBLISHED = ROOT / "spec/published.json"
CONTRACTS = ROOT / "src"


@cache
def sets() -> dict[str, dict]:
    """The facts of each parameter set, hybrids last."""
    file = json.loads(SETS.read_text())
    return {facts["name"]: facts for facts in [*file["sets"], *file["hybrids"]]}


@cache
def families() -> dict[str, str]:
    """The family of each parameter set, hybrids last."""
    return {name: facts["family"] for name, facts in sets().items()}


@cache
def kernel_groups() -> dict[str, str]:
    """The group of each kernel, FAMILY/KERNEL."""
    contracts = "".join(path.read_text() for path in sorted(CONTRACTS.glob("*/*/kernels.h")))
    rows = re.findall(r'\bX\((\w+),\s+(\w+),\s+"(\w+)"\)', contracts)
    return {f"{family}/{kernel}": group for family, kernel, group in rows}


@cache
def kernel_group(name: str) -> str | None:
    """The group of a kernel, or of a shape of one (q3329/inner_product_k3): of the longest name that it begins with."""
    known = [kernel for kernel in kernel_groups() if name == kernel or name.startswith(f"{kernel}_")]
    return kernel_groups()[max(known, key=len)] if known else None


@cache
def published() -> dict:
    """The file of figures, as it is."""
    return json.loads(PUBLISHED.read_text())


def cited_as(source: str) -> str:
    return published()["sources"][source]["cited_as"]
