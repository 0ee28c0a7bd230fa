"""How soon a theorem's turn comes, and a build's. SPDX-License-Identifier: Apache-2.0"""

from enum import IntEnum


class Rung(IntEnum):
    """In a slice of a minute, in five minutes, or among all."""

    SLICE = 0
    QUICK = 1
    ALL = 2
