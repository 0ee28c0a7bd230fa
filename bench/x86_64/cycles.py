#!/usr/bin/env python3
"""Counts what each operation and each kernel executes on x86-64, and estimates cycles on CPUs that are not at hand.

The program of bench/sections runs on this machine one instruction at a time, because no emulator has AVX-512. llvm-mca
estimates from that how long the instructions take on each of CPUS. With --timed the program is also timed here, and
shows the error of the model of this CPU. docs/benchmarking.md says how far the figures can be trusted.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "harness"), str(ROOT / "bench" / "sections")]

from executed.mca import Model  # noqa: E402
from executed.program import run  # noqa: E402
from executed.sections import Section  # noqa: E402
from kept import Table, build, compiler  # noqa: E402
from stepping.program import CLASSES, Program  # noqa: E402
from stepping.recording import Recorder, build_stepper  # noqa: E402

TREE = ROOT / "build" / "x86_64"
KEPT = Table(Path(__file__).resolve().parent / "cycles.txt", 0.02)
LLVMS = (22, 19)  # the versions that are looked for, the best first
BACKENDS = ("avx2", "avx512")


@dataclass(frozen=True)
class Cpu:
    """One of LLVM's models; `core` is the first letters of its maker, its family and its model."""

    title: str
    core: str


# By name in LLVM. Up to its version 22 it has no model of Zen 5: under znver5 it has that of Zen 4.
CPUS = {
    "znver4": Cpu("Zen 4", "Auth-25-17"),
    "sapphirerapids": Cpu("Sapphire Rapids", "Genu-6-143"),
    "icelake-server": Cpu("Ice Lake", "Genu-6-106"),
}


@dataclass
class Cost:
    """One operation or kernel: of the seed 1, and with warm caches. The instructions are those of the first CPU."""

    name: str
    instructions: int
    classes: dict[str, int]
    cycles: dict[str, int] = field(default_factory=dict)  # by CPU
    timed: float | None = None  # cycles on this machine


def variants(executable: Path, backend: str, models: list[Model], timed: bool) -> dict[str, list[Model]]:
    """The models by the variant of the backend that the library would choose there; with `timed`, that of this CPU."""
    if timed:
        return {backend: models}
    names: dict[str, str] = {}
    found: dict[str, list[Model]] = {}
    for model in models:
        name = f"{backend}@{CPUS[model.cpu].core}"
        name = names.setdefault(run([str(executable), "which", name]), name)
        found.setdefault(name, []).append(model)
    return found


def measure(
    recorder: Recorder, of_cpus: dict[str, list[Model]], what: list[str], args: argparse.Namespace
) -> list[Cost]:
    """`what` is the arguments of the program, with a place for the variant."""
    costs: dict[str, Cost] = {}
    for variant, models in of_cpus.items():
        arguments = [argument.format(variant) for argument in what]
        sections = recorder.record(*arguments)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda model, executed=sections: model.learn(executed), models))
        for section in sections:
            of_variant = cost(section, models)
            costs.setdefault(section.name, of_variant).cycles.update(of_variant.cycles)
    if args.timed:
        for line in run([str(recorder.executable), "timed", *arguments]).splitlines():
            name, cycles = line.split(" ")
            costs[name].timed = float(cycles)
    return list(costs.values())


def cost(section: Section, models: list[Model]) -> Cost:
    cycles = {model.cpu: model.cycles(section) for model in models}
    return Cost(section.name, section.instructions, {name: section.classes[name] for name in CLASSES}, cycles)


def measure_all(recorder: Recorder, models: list[Model], args: argparse.Namespace) -> list[Cost]:
    listed = [line.split(" ", 1) for line in run([str(recorder.executable), "list"]).splitlines()]
    sets = [name for kind, name in listed if kind == "set" and (not args.set or name in args.set)]
    backends = [name for kind, name in listed if kind == "backend" and name in (args.backend or BACKENDS)]
    costs = []
    for backend in backends:
        of_cpus = variants(recorder.executable, backend, models, args.timed)
        if args.only != "operations":
            costs += measure(recorder, of_cpus, ["kernels", "{}"], args)
        if args.only != "kernels":
            for kem in sets:
                costs += measure(recorder, of_cpus, ["operations", kem, "{}", "1"], args)
    return [one for one in costs if one.name.startswith("op/") or re.search(args.kernels, one.name)]


def print_table(costs: list[Cost]) -> None:
    columns = ["instructions", *CLASSES, *CPUS, *(["timed"] if costs and costs[0].timed else [])]
    width = max((len(one.name) for one in costs), default=0)
    print(f"{'':{width}}" + "".join(f"{column:>15}" for column in columns))
    for one in costs:
        values = [one.instructions, *one.classes.values(), *one.cycles.values(), *([one.timed] if one.timed else [])]
        print(f"{one.name:{width}}" + "".join(f"{value:15.0f}" for value in values))


@dataclass(frozen=True)
class Spread:
    """How many times the model's cycles the timed ones are: the geometric mean, and between which most are."""

    mean: float
    tenth: float
    nine_tenths: float


def spread(ratios: list[float]) -> Spread:
    in_order = sorted(ratios)
    last = len(in_order) - 1
    return Spread(geometric_mean(ratios), in_order[round(last / 10)], in_order[round(last * 9 / 10)])


def print_errors(costs: list[Cost]) -> None:
    for kind in ("op", "kernel"):
        for backend in BACKENDS:
            rows = [one for one in costs if re.match(rf"{kind}/.*/{backend}$", one.name) and one.timed]
            for cpu in CPUS if rows else ():
                of_model = spread([one.timed / one.cycles[cpu] for one in rows if one.timed and one.cycles[cpu]])
                print(
                    f"{kind} {backend}: this machine takes {of_model.mean:.2f} of {CPUS[cpu].title}'s model cycles, "
                    f"four of five {of_model.tenth:.2f} to {of_model.nine_tenths:.2f}"
                )


def missing(llvm: int | None) -> str | None:
    """Something that cannot be done here."""
    if os.uname().machine != "x86_64":
        return "this machine is no x86-64, and the instructions are executed on it"
    for tool in ("objdump", "mca"):
        if not shutil.which(f"llvm-{tool}-{llvm or LLVMS[0]}"):
            return f"no llvm-{tool}-{llvm or LLVMS[0]} on this machine; tools/setup.sh x86-64 installs it"
    return None


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", nargs="*", metavar="NAME", help="only the operations of these sets")
    parser.add_argument("--backend", nargs="*", metavar="NAME", help=f"these backends ({' and '.join(BACKENDS)})")
    parser.add_argument("--kernels", metavar="REGEX", default="", help="only kernels whose names match, as q3329/ntt")
    parser.add_argument("--only", choices=["operations", "kernels"])
    parser.add_argument("--timed", action="store_true", help="the variant for this CPU, timed too: the model's error")
    parser.add_argument("--llvm", type=int, help=f"the version of LLVM's tools (the first there of {LLVMS})")
    parser.add_argument("--out", type=Path, default=TREE / "cost.json", help="JSON (build/x86_64/cost.json)")
    parser.add_argument("--check", action="store_true", help=f"compare with {KEPT.path.name}: status 1 if more")
    parser.add_argument("--update", action="store_true", help=f"write {KEPT.path.name}")
    return parser.parse_args()


def main() -> int:
    args = parse()
    llvm = args.llvm or next((version for version in LLVMS if missing(version) is None), None)
    if reason := missing(llvm):
        print(reason, file=sys.stderr)
        return 1
    if args.timed and (args.check or args.update):
        print(f"--timed models one variant on all CPUs, and {KEPT.path.name} keeps each CPU's own", file=sys.stderr)
        return 2
    executable = build(TREE)
    program = Program(executable, f"llvm-objdump-{llvm}")
    models = [Model(cpu, f"llvm-mca-{llvm}", program) for cpu in CPUS]
    costs = measure_all(Recorder(executable, program, build_stepper(TREE)), models, args)
    print_table(costs)
    print_errors(costs)
    made_with = f"{compiler(TREE)}, LLVM {llvm}"
    args.out.write_text(json.dumps({"made_with": made_with, "costs": [vars(one) for one in costs]}, indent=1) + "\n")
    rows = {f"{cpu}/{one.name}": float(cycles) for one in costs for cpu, cycles in one.cycles.items()}
    if args.update:
        KEPT.write(made_with, rows)
    return KEPT.check(made_with, rows) if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
