"""How far a long run is: a bar on a terminal, elsewhere a line now and then. SPDX-License-Identifier: Apache-2.0"""

import sys
import time
from typing import Self

from tqdm import tqdm

SECONDS = 5  # between two lines


class Progress:
    """Counts to a total; `step` says what was done last."""

    def __init__(self, total: int, unit: str) -> None:
        self._total, self._unit, self._done = total, unit, 0
        self._began = self._told = time.monotonic()
        self._bar = tqdm(total=total, unit=unit, disable=not sys.stderr.isatty())

    def step(self, text: str) -> None:
        self._done += 1
        self._bar.set_postfix_str(text[:60])
        self._bar.update()
        now = time.monotonic()
        if self._bar.disable and (now - self._told >= SECONDS or self._done == self._total):
            self._told = now
            print(f"  {self._done} of {self._total} {self._unit}s, {now - self._began:.0f} s: {text}", flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.close()
