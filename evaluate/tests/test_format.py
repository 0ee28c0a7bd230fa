"""How numbers are written. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Callable

import pytest

from latkem_evaluate import format

THIN = format.THIN


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        *(
            (format.significant, 4.832, "4.83"),
            (format.significant, 48.32, "48.3"),
            (format.significant, 4832.0, "4832"),
        ),
        *(
            (format.significant, 0.04832, "0.0483"),
            (format.significant, 0.0, "0"),
            (format.significant, float("inf"), "–"),
        ),
        *(
            (format.percent, 0.5, f"50{THIN}%"),
            (format.percent, 0.0512, f"5.1{THIN}%"),
            (format.percent, 0, f"0{THIN}%"),
        ),
        *((format.percent, 0.0994, f"9.9{THIN}%"), (format.percent, 0.0996, f"10{THIN}%")),
        *((format.rate, 123456.0, f"123{THIN}000"), (format.rate, 12.6, "13"), (format.rate, 1999.9, f"2{THIN}000")),
        *((format.stated, 1189371, "1189371"), (format.stated, 334.199, "334.199"), (format.stated, 1458.0, "1458")),
        *((format.kib, 2048, "2.0"), (format.kib, 1000, "1.0"), (format.kib, 10**6, "976.6")),
        *((format.minutes, 178.9, "2 min 58 s"), (format.minutes, 60.0, "1 min 0 s")),
        *((format.times, 2.5, "2.50×"), (format.grouped, 1234567, f"1{THIN}234{THIN}567")),
    ],
)
def test_numbers_as_text(write: Callable, value: float, text: str) -> None:
    assert write(value) == text


def test_a_rate_has_the_digits_that_its_error_bears() -> None:
    assert format.rate(123456.0, 3000.0) == f"123{THIN}000"
    assert format.rate(123456.0, 30000.0) == f"120{THIN}000"


@pytest.mark.parametrize(
    ("low", "high", "text"), [(100.0, 104.0, "100–104"), (100.0, 220.0, "100–200"), (0.98, 1.02, "0.98–1.02")]
)
def test_an_interval_has_the_digits_of_half_its_width(low: float, high: float, text: str) -> None:
    assert format.span(low, high) == text


def test_lists_in_words() -> None:
    assert format.listed(["a"]) == "a"
    assert format.listed(["a", "b", "c"], "or") == "a, b or c"
