"""Shared by the scripts of this folder: configurations, their sources, pyosys, and figures with the hash of what they
are of.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

from cores import RTL, block, core, parameters

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIGURES = HERE / "figures"
BUILD = ROOT / "build" / "hw"

# A process of its own for each design: a fault ends it.
RUN = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in sys.stdin.read().splitlines():
    libyosys.run_pass(line, design)
"""


class ToolError(Exception):
    """A tool that failed."""


# A register that drives much has copies. yosys makes one of equal cells unless these are kept themselves. The attribute
# of their outputs is not enough. Nor must it take a copy for a state machine, because then it crashes.
COPIES = 'setattr -set keep 1 -set fsm_encoding "none" w:* a:dont_merge %i %ci1 t:$*dff* w:* %u %i'


@dataclass(frozen=True)
class Configuration:
    name: str
    core: str
    operations: tuple[str, ...]
    sets: tuple[str, ...]
    further: tuple[tuple[str, int], ...] = ()  # parameters beside Ops and Sets

    def parameters(self) -> dict[str, int]:
        return parameters(self.operations, self.sets, dict(self.further))

    def told(self) -> dict[str, Any]:
        """As rows of figures have it."""
        facts = {"name": self.name, "core": self.core, "operations": list(self.operations), "sets": list(self.sets)}
        return facts | ({"further": dict(self.further)} if self.further else {})


def configurations() -> list[Configuration]:
    tables = tomllib.loads((HERE / "configurations.toml").read_text())["configuration"]
    return [
        Configuration(
            table["name"],
            table["core"],
            tuple(table["operations"]),
            tuple(table["sets"]),
            tuple(table.get("further", {}).items()),
        )
        for table in tables
    ]


def choose(only: list[str]) -> list[Configuration]:
    """All configurations, or those named."""
    found = configurations()
    if unknown := set(only) - {configuration.name for configuration in found}:
        sys.exit(f"no configuration {sorted(unknown)[0]}; --list lists all")
    return [configuration for configuration in found if not only or configuration.name in only]


def parser(about: str) -> argparse.ArgumentParser:
    """With the options of each script that measures configurations."""
    made = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--only", action="append", default=[], metavar="NAME", help="this configuration; may be repeated")
    made.add_argument("--list", action="store_true", help="name the configurations")
    made.add_argument("--jobs", type=int, default=2, help="at a time")
    made.add_argument("--keep", action="store_true", help="keep the figures in hw/syn/figures")
    return made


def digest(name: str) -> str:
    """A hash of a core's sources; their order counts."""
    total = hashlib.sha256()
    for path in core(name).sources():
        total.update(f"{path.relative_to(RTL)}\n".encode() + path.read_bytes())
    return total.hexdigest()


def xilinx(name: str, flat: bool = True) -> str:
    """The command that maps a core to Xilinx's 7 series."""
    return f"synth_xilinx -family xc7 -top {core(name).top} {'-flatten ' if flat else ''}-noiopad"


def run_yosys(lines: list[str], log: Path) -> None:
    """Runs commands in a design and a process of its own; what yosys prints goes to `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out:
        done = subprocess.run(
            [sys.executable, "-c", RUN],
            input="\n".join(lines),
            text=True,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        lines = [line for line in log.read_text(errors="replace").splitlines() if "ERROR" in line]
        raise ToolError(f"{lines[0] if lines else 'yosys failed'} ({log})")


def read(name: str, values: dict[str, int], options: str = "") -> list[str]:
    """The commands that read a core, or what serves all, with these parameters."""
    settings = " ".join(f"-G {key}={value}" for key, value in values.items())
    found = block(name)
    return [read_files(found.top, found.sources(), f"{options} {settings}"), COPIES]


def read_files(top: str, sources: Iterable[Path], options: str = "") -> str:
    """Without the attributes that keep copies."""
    return f"read_slang --threads 1 --top {top} {options} {' '.join(map(str, sources))}"


def each(work: Callable[[Any], dict[str, Any]], jobs: list[Any], threads: int) -> Iterable[tuple[Any, dict[str, Any]]]:
    """Does the jobs, so many at a time; results as they come. A failure ends everything."""
    pool = ThreadPoolExecutor(threads)
    futures = {pool.submit(work, job): job for job in jobs}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    except ToolError as error:
        sys.exit(str(error))
    finally:
        pool.shutdown(cancel_futures=True)


class Progress:
    """A line for each thing done, with how many are left."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.begin = total, 0, time.monotonic()

    def say(self, text: str) -> None:
        self.done += 1
        print(f"[{self.done}/{self.total}] {time.monotonic() - self.begin:5.0f} s  {text}", flush=True)


def load(name: str) -> dict[str, Any]:
    path = FIGURES / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {"rows": []}


def store(name: str, rows: list[dict[str, Any]], tools: dict[str, str]) -> None:
    """Puts rows in place of those of the same configurations."""
    stamp = {"date": date.today().isoformat(), "tools": tools}
    kept = {row["name"]: row for row in load(name)["rows"]}
    kept.update({row["name"]: {**row, **stamp} for row in rows})
    order = [configuration.name for configuration in configurations()]
    write(name, [kept[key] for key in order if key in kept])


def write(name: str, rows: list[dict[str, Any]]) -> None:
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / f"{name}.json").write_text(json.dumps({"rows": rows}, indent=2) + "\n")
