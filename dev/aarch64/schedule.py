#!/usr/bin/env python3
"""Schedules the NTT and its inverse with SLOTHY (Abdulrahman, Becker, Kannwischer, Klein, ePrint 2022/1303).

Reads dev/aarch64/*.S, where instructions are in a readable order, and writes src/arch/aarch64/neon/*.S, where they are
in the order and in the registers that a Cortex-A55 likes best. SLOTHY's solver works on windows that slide over each
loop and checks that the result computes the same. If the time limit ends its search, the order depends on the machine.
It does not look at memory: in these loops what is stored depends on all that was loaded from there. And it keeps those
registers alone that the loop reads: what a later loop needs is loaded behind the earlier one.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import logging
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path

import slothy.targets.aarch64.aarch64_neon as architecture
import slothy.targets.aarch64.cortex_a55 as cortex_a55
from slothy import Slothy
from slothy.core.core import SlothyException

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "src" / "arch" / "aarch64" / "neon"

LOOPS = {
    "q3329_ntt.S": ["ntt_between_blocks", "ntt_within_blocks"],
    "q3329_invntt.S": ["invntt_within_blocks", "invntt_between_blocks"],
}

WINDOW = 28  # instructions
TIME_LIMITS = [12, 60, 300]  # seconds for each question to the solver; the longer ones where it finds no order


def complete_model() -> None:
    """Adds the one instruction that SLOTHY's model lacks, at the price of two stores."""
    vector_units = [cortex_a55.ExecutionUnit.VEC0, cortex_a55.ExecutionUnit.VEC1]
    cortex_a55.execution_units[architecture.Stp_Q] = [vector_units]
    cortex_a55.inverse_throughput[architecture.Stp_Q] = 2
    cortex_a55.default_latencies[architecture.Stp_Q] = 4


def body_of(source: str, loop: str) -> str:
    (body,) = re.findall(rf"^{loop}:\n(.*?)^\s*subs count, count, #1\n\s*b\.ne {loop}$", source, re.M | re.S)
    return body


def size_of(source: str, loop: str) -> int:
    """The instructions of a loop, its macros expanded."""
    macros = {m[1]: m[2] for m in re.finditer(r"^\.macro (\w+).*?\n(.*?)^\.endm", source, re.M | re.S)}

    def count(text: str) -> int:
        words = [line.split()[0] for line in text.splitlines() if re.match(r"\s+\w", line)]
        return sum(count(macros[word]) if word in macros else 1 for word in words)

    return count(body_of(source, loop))


def schedule(name: str, loop: str) -> str:
    """The body of the loop in its new order."""
    for limit in TIME_LIMITS[:-1]:
        try:
            return schedule_within(limit, name, loop)
        except SlothyException as error:
            print(f"{name} {loop}: {error} in {limit} s; once more with a longer limit", file=sys.stderr, flush=True)
    return schedule_within(TIME_LIMITS[-1], name, loop)


def schedule_within(limit: int, name: str, loop: str) -> str:
    complete_model()
    source = (HERE / name).read_text()
    run = Slothy(architecture, cortex_a55, logger=logging.getLogger(loop))
    run.load_source_raw(source)
    config = run.config
    config.inputs_are_outputs = True
    config.variable_size = True
    config.reserved_regs = [f"x{i}" for i in range(31)] + ["sp"]
    config.timeout = limit
    config.constraints.stalls_first_attempt = 16
    config.split_heuristic = True
    config.split_heuristic_factor = size_of(source, loop) / WINDOW
    config.split_heuristic_stepsize = 1 / (2 * config.split_heuristic_factor)
    config.split_heuristic_repeat = 1
    config.split_heuristic_estimate_performance = False
    run.optimize_loop(loop)
    return body_of(run.get_source_as_string(), loop)


def tidy(text: str) -> str:
    """Without SLOTHY's drawings and what nothing uses any more."""
    text = re.sub(r"[ \t]*//.*", "", text)
    text = re.sub(rf"\b({'|'.join(chain(*LOOPS.values()))})\b", r".L\1", text)
    text = re.sub(r"\.(\d+)([BHSD])\b", lambda m: f".{m[1]}{m[2].lower()}", text)
    text = re.sub(r"\.([BHSD])\[", lambda m: f".{m[1].lower()}[", text)
    changed = True
    while changed:
        before = text
        for macro in re.findall(r"^\.macro (\w+)", text, re.M):
            if len(re.findall(rf"^\s+{macro}\b", text, re.M)) == 0:
                text = re.sub(rf"(/\*(?:(?!\*/).)*?\*/\n)?^\.macro {macro}\b.*?^\.endm\n", "", text, flags=re.M | re.S)
        for alias in re.findall(r"^(\w+)\s+\.req", text, re.M):
            if len(re.findall(rf"\b{alias}\b", re.sub(r"/\*.*?\*/", "", text, flags=re.S))) == 1:
                text = re.sub(rf"^{alias}\s+\.req.*\n", "", text, flags=re.M)
        changed = text != before
    text = re.sub(r"/\*(?:(?!\*/).)*?\*/\n(\.L\w+:\n)\s*\n", r"\1", text, flags=re.S)
    text = re.sub(r"^/\*(?:(?!\*/).)*?\*/\n(?=\s*(?:\n|/\*))", "", text.rstrip() + "\n", flags=re.M | re.S)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help=" ".join(LOOPS))
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    names = parser.parse_args().files or list(LOOPS)
    with ProcessPoolExecutor() as pool:
        bodies = {(name, loop): pool.submit(schedule, name, loop) for name in names for loop in LOOPS[name]}
        for name in names:
            text = (HERE / name).read_text()
            for loop in LOOPS[name]:
                text = text.replace(body_of(text, loop), bodies[name, loop].result())
                print(name, loop, flush=True)
            notice = f"/* The order is that of `make schedule-aarch64`; dev/aarch64/{name} is the source. */\n#include"
            (TARGET / name).write_text(tidy(text).replace("#include", notice, 1))


if __name__ == "__main__":
    main()
