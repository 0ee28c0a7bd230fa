"""The figures of the hardware cores that the repository keeps. SPDX-License-Identifier: Apache-2.0"""

import json
from pathlib import Path
from typing import Any

FIGURES = Path("hw/syn/figures")
PUBLISHED = Path("hw/syn/published.json")


def hardware_figures(root: Path) -> dict[str, Any]:
    """The rows of each file, and what others published."""
    found = {path.stem: json.loads(path.read_text())["rows"] for path in sorted((root / FIGURES).glob("*.json"))}
    return found | {"published": json.loads((root / PUBLISHED).read_text())}
