"""Encapsulation with given coins, for tests and HSMs. SPDX-License-Identifier: Apache-2.0"""

from __future__ import annotations

from typing import TYPE_CHECKING

from latkem import _core

if TYPE_CHECKING:
    from latkem._core import Buffer, PublicKey
    from latkem._encapsulation import Encapsulation

__all__ = ["encapsulate"]


def encapsulate(public_key: PublicKey, coins: Buffer) -> Encapsulation:
    """Encapsulates with coins of kem.coins_bytes bytes. They must be secret, uniformly random and never used twice."""
    return _core.encapsulate_derand(public_key, coins)
