"""Comparisons that intervals decide: compilers saturate what is never too large, and so leave choices that are none.

SPDX-License-Identifier: Apache-2.0
"""

Interval = tuple[int, int]  # the least and the greatest value


def compared(op: str, x: Interval, y: Interval) -> int | None:
    """The bit `eq`, `ult` or `slt` of values in these intervals, if it is always the same."""
    if op == "eq":
        return 0 if x[1] < y[0] or y[1] < x[0] else None
    if x[1] < y[0]:
        return 1
    return 0 if y[1] <= x[0] else None
