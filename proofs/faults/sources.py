"""Faults in the sources: rows of faults.toml (kernels), and of whole.toml, saber.toml and ntru.toml (what is above
them). Each is planted in a copy that is built and proved.

tools/faults.py has their schema, and here are three more keys.

    kill = ["q3329.ntt", "portable"]     words of the titles and claims of the rows that must refuse it; rows by tags
                                         compare schedules alone, and are meant by a word of their claims
    witness = "text"                     is part of the witness
    build = "aarch64-gcc"                the build that is proved, if it is not gcc's for x86-64
    harmless = true                      or the rows must still be proved

SPDX-License-Identifier: Apache-2.0
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from proofs.builds import BUILDS, ROOT, WORK, Build
from proofs.outcome import Work, prove_all, tasks_of
from proofs.table import NOT_PROVED, Row
from proofs.theorems.all import Task
from tools.faults import Named, copy_sources
from tools.faults import read as read_faults

LISTS = [Path(__file__).with_name(name) for name in ("faults.toml", "whole.toml", "saber.toml", "ntru.toml")]
COPY = WORK / "faults" / "latkem"


@dataclass(frozen=True, kw_only=True)
class SourceFault(Named):
    kill: list[str]
    witness: str = ""
    harmless: bool = False
    build: str = BUILDS[0].name


def read() -> list[SourceFault]:
    return read_faults(LISTS, SourceFault)


def prepare() -> None:
    copy_sources(ROOT, COPY)


def faulty_build(name: str) -> Build:
    (like,) = (build for build in BUILDS if build.name == name)
    return replace(like, name=f"faults/{name}", sources=COPY)


def rows(fault: SourceFault, number: int) -> list[Row]:
    """Builds the library with the fault and proves the rows that it is for."""
    place, good = COPY / fault.file, (ROOT / fault.file).read_bytes()
    place.write_text(fault.text(ROOT))
    try:
        build = faulty_build(fault.build)
        build.make()
    finally:
        place.write_bytes(good)
    library = build.library.with_name(f"fault{number}.so")  # a name of its own: what was read of the last is kept
    shutil.copyfile(build.library, library)
    work = [
        Work(build.name, library, i)
        for i, task in enumerate(tasks_of(build.name, library))
        if task.kernel and _means(fault.kill, task)
    ]
    return list(prove_all(work, jobs=1))


def _means(words: list[str], task: Task) -> bool:
    if task.theorem is None:
        return False
    claim = task.theorem.claim
    named = all(word in f"{task.title}: {claim}" for word in words)
    return named and (not task.theorem.tags or any(word in claim for word in words))


def mistake(fault: SourceFault, proved: list[Row]) -> str:
    """The error in the outcome; empty if it is as it should be. A row with unchecked forms survives."""
    if not proved:
        return "no row has these words"
    if fault.harmless:
        return next((f"{row.kernel} is refused: {row.detail}" for row in proved if row.status == NOT_PROVED), "")
    standing = [row.kernel for row in proved if row.status != NOT_PROVED]
    if standing:
        return f"{standing[0]} is still proved"
    other = [row.detail for row in proved if fault.witness not in row.detail]
    return f"another witness: {other[0]}" if other else ""
