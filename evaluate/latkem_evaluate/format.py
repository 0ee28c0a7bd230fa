"""How numbers are written in the report. SPDX-License-Identifier: Apache-2.0"""

import math
from collections.abc import Sequence

THIN, MINUS = "\N{NARROW NO-BREAK SPACE}", "\N{MINUS SIGN}"
UNITS_OF_ERROR = 5
"""So many units of the last digit that is shown an error may have."""


def _fixed(value: float, decimals: int) -> str:
    """Negative decimals round to tens and hundreds."""
    return f"{round(value, decimals):.{max(decimals, 0)}f}"


def _decimals(value: float, digits: int) -> int:
    return digits - 1 - math.floor(math.log10(abs(value)))


def significant(value: float) -> str:
    """Three significant digits, and all those before the point: 4.83, 48.3, 483, 4830. A dash for no number."""
    if not math.isfinite(value):
        return "–"
    return "0" if value == 0 else _fixed(value, max(_decimals(value, 3), 0))


def stated(value: float) -> str:
    """All digits that a source states."""
    return f"{value:.10g}"


def measured(value: float, error: float) -> str:
    """As many digits as the error bears, one at least and three at most: 12.4 for 12.37 ± 0.2, 12 for 12.37 ± 0.9."""
    if not math.isfinite(value) or value == 0:
        return significant(value)
    return _fixed(value, _borne(value, error))


def _borne(value: float, error: float) -> int:
    bearable = -math.ceil(math.log10(error / UNITS_OF_ERROR)) if error > 0 and math.isfinite(error) else 99
    return max(min(_decimals(value, 3), bearable), _decimals(value, 1))


def span(low: float, high: float) -> str:
    """An interval, with the digits that its width bears."""
    decimals = _borne(high, (high - low) / 2)
    return f"{_fixed(low, decimals)}–{_fixed(high, decimals)}"


def grouped(value: int) -> str:
    """A whole number with thin spaces between thousands."""
    return f"{value:,}".replace(",", THIN)


def rate(value: float, error: float = 0.0) -> str:
    """Operations a second: a whole number of three digits at most and zeros."""
    return grouped(round(float(measured(value, error))))


def percent(value: float) -> str:
    """Whole per cents; one digit more below ten."""
    return f"{100 * value:.{0 if abs(value) >= 0.0995 or value == 0 else 1}f}{THIN}%"


def times(value: float, error: float = 0.0) -> str:
    return f"{measured(value, error)}×"


def kib(size: float) -> str:
    return f"{size / 1024:.1f}"


def minutes(seconds: float) -> str:
    """2 min 58 s."""
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def listed(parts: Sequence[str], word: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
