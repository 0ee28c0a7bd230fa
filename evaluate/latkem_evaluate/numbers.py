"""How numbers are written in the report. SPDX-License-Identifier: Apache-2.0"""

import math


def significant(value: float) -> str:
    """Three significant digits, and all those before the point: 4.83, 48.3, 483, 4830. A dash for no number."""
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(digits, 0)}f}"


def grouped(value: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def percent(value: float) -> str:
    return f"{100 * value:.0f}\N{NARROW NO-BREAK SPACE}%"


def times(value: float) -> str:
    return f"{value:.2f}×" if value < 10 else f"{significant(value)}×"
