"""One fault at a time in a call of the library: an instruction skipped, or a condition inverted.

SPDX-License-Identifier: Apache-2.0
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import thumb
from firmware import Firmware, State, Stopped

EACH = 6  # an instruction executed so often at most is tried at each execution
STEPS = 4  # times those of the call without a fault, after which a call counts as one that does not come back


@dataclass(frozen=True)
class Fault:
    """At an execution of an instruction; one of an IT block is changed where the block begins."""

    begin: int  # instructions executed before
    steps: int  # to be executed while the code is changed
    address: int
    code: bytes  # the code at the address meanwhile
    kind: str


def sampled(executions: list[int]) -> list[int]:
    """Each of a few executions; of many the first two, the middle and the last two."""
    n = len(executions)
    places = range(n) if n <= EACH else (0, 1, n // 2, n - 2, n - 1)
    return [executions[i] for i in places]


def faults(firmware: Firmware, executed: list[tuple[int, int]]) -> list[Fault]:
    """The faults of a call, in the order of their executions."""
    executions: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    block_of: dict[int, tuple[int, int]] = {}  # where the IT block of an execution begins, and its length
    for index, (address, size) in enumerate(executed):
        executions[address, size].append(index)
        block = thumb.it_block(firmware.code(address, size))
        for i in range(index + 1, index + 1 + block):
            block_of[i] = (index, 1 + block)
    found = []
    for (address, size), indices in executions.items():
        code = firmware.code(address, size)
        for index in sampled(indices):
            begin, steps = block_of.get(index, (index, 1))
            found.append(Fault(begin, steps, address, thumb.nothing(size), "skipped"))
            if (other := thumb.inverted(code)) is not None:
                found.append(Fault(index, 1 + thumb.it_block(code), address, other, "inverted"))
    return sorted(found, key=lambda fault: fault.begin)


@dataclass(frozen=True)
class Outcome:
    fault: Fault
    result: int | None  # None: it does not come back
    output: bytes


def outcomes(
    firmware: Firmware, start: State, total: int, some: list[Fault], output: tuple[int, int]
) -> Iterator[Outcome]:
    """The outcomes of a call of `total` instructions with each of some faults, in their order."""
    state, at = start, 0
    firmware.restore(state)
    for fault in some:
        if fault.begin > at:
            firmware.restore(state)
            firmware.run(fault.begin - at)
            state, at = firmware.save(), fault.begin
        firmware.restore(state)
        result = _with_fault(firmware, fault, STEPS * total)
        yield Outcome(fault, result, firmware.code(*output))


def _with_fault(firmware: Firmware, fault: Fault, limit: int) -> int | None:
    original = firmware.code(fault.address, len(fault.code))
    firmware.patch(fault.address, fault.code)
    try:
        back = firmware.run(fault.steps)
    except Stopped:
        return None
    finally:
        firmware.patch(fault.address, original)
    try:
        back = back or firmware.run(limit)
    except Stopped:
        return None
    return firmware.result() if back else None
