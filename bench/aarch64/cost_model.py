#!/usr/bin/env python3
"""Counts what each operation and each kernel executes on AArch64, and estimates cycles.

The program of bench/sections runs in QEMU, and a plugin writes down every executed instruction. llvm-mca estimates from
that how long they take: everything on a Cortex-A72 and a Cortex-A55, and operations with a rival's figure on each core
of CORES, by the backend that the library would choose there. With --studies it is what published studies timed, on the
studies' cores. docs/benchmarking.md says how far the figures can be trusted. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "harness"), str(ROOT / "bench" / "sections")]

from executed.mca import Model  # noqa: E402
from executed.program import run  # noqa: E402
from executed.sections import Section  # noqa: E402
from kept import Table, build, compiler  # noqa: E402
from qemu.program import CLASSES, Program  # noqa: E402
from qemu.recording import Recorder, build_plugin  # noqa: E402

TREE = ROOT / "build" / "aarch64"
PUBLISHED = ROOT / "spec" / "published.json"
QEMU = "qemu-aarch64"
LLVMS = (22, 19)  # the versions that are looked for, the best first
MODELS = ["cortex-a72", "cortex-a55"]
M1_CYCLES_PER_INSTRUCTION = 0.241  # measured over ten operations of published vector code, within 7 %
SEEDS = 20  # for sets that sample by rejection
OPERATIONS = ("keygen", "encaps", "decaps")
REFERENCE = "portable"


@dataclass(frozen=True)
class Core:
    """A core that LLVM models; since which version with its own pipes and width; what is known of the model's error."""

    cpu: str
    title: str
    since: int
    error: str


UNCHECKED = "not checked against a machine"
CORES = (
    Core("cortex-a53", "Cortex-A53", 19, UNCHECKED),
    Core("cortex-a55", "Cortex-A55", 19, UNCHECKED),
    Core("cortex-a510", "Cortex-A510", 19, UNCHECKED),
    Core("cortex-a72", "Cortex-A72", 19, "published cycles of vector code are 1.35 times these, within 9 %"),
    Core("neoverse-n1", "Neoverse N1", 22, "published Graviton 2 cycles of mlkem-native are 5 % below the model's"),
    Core("neoverse-n2", "Neoverse N2", 22, UNCHECKED),
    Core("neoverse-v1", "Neoverse V1", 22, UNCHECKED),
    Core("neoverse-v2", "Neoverse V2", 22, UNCHECKED),
    Core("neoverse-n3", "Neoverse N3", 22, UNCHECKED),
    Core("neoverse-v3", "Neoverse V3", 22, UNCHECKED),
    Core("neoverse-v3ae", "Neoverse V3AE", 22, UNCHECKED),
)


@dataclass(frozen=True)
class Studied:
    """A core of a published study, the model used for it, and the library's list's name of such a core.

    An operation's model cycles are scaled, in vector code and in C: docs/benchmarking.md."""

    title: str
    model: str
    known: str
    vector_scale: float = 1.0
    c_scale: float = 1.0


# LLVM has one model for the A72 and the A75. Of Apple's cores it has none but that of 2013, so instructions count.
STUDIED = (
    Studied("Cortex-A53", "cortex-a53", "cortex-a53"),
    Studied("Cortex-A72", "cortex-a72", "other", 1.35, 1.21),
    Studied("Cortex-A75", "cortex-a72", "other", 1.35, 1.21),
    Studied("Apple M1", "apple-m1", "other-sha3"),
    Studied("Apple A12", "apple-m1", "other"),
)
STUDIED_KERNELS = "^kernel/q3329/(ntt|invntt_tomont|mulcache|inner_product_k2|tomont|reduce)$"


HERE = Path(__file__).resolve().parent
COUNTS = Table(HERE / "instructions.txt", 0.01)
CYCLES = Table(HERE / "cycles.txt", 0.02)
STUDIES = Table(HERE / "studies.txt", 0.02)


@dataclass
class Cost:
    """One operation or kernel; means over the seeds. The cycles are those of the first seed's instructions, scaled."""

    name: str
    instructions: float
    classes: dict[str, float]
    functions: dict[str, float]
    cycles: dict[str, float]
    native: float = 0.0  # the part of the instructions that is in functions of the backend's own


def toolchain() -> list[str]:
    """The cross compiler; on an AArch64 machine its own."""
    native = run(["uname", "-m"]).strip() == "aarch64"
    return [] if native else [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/tools/toolchains/aarch64.cmake"]


def installed_llvm() -> int | None:
    """The best version of llvm-mca and llvm-objdump on this machine."""
    return next((v for v in LLVMS if all(shutil.which(f"llvm-{tool}-{v}") for tool in ("mca", "objdump"))), None)


def modelled_cores(version: int) -> list[Core]:
    """Those that this version models, and a line for each other one."""
    for core in CORES:
        if core.since > version:
            print(
                f"skipped: {core.cpu}, of which LLVM {version} has no model with its pipes and width; {core.since} has"
            )
    return [core for core in CORES if core.since <= version]


def rival_cycles() -> dict[tuple[str, str], list[float]]:
    """Thousand model cycles of a rival's operations by core and set."""
    rows = json.loads(PUBLISHED.read_text())["model_cycles"]
    return {(row["cpu"], row["set"]): [row[operation] for operation in OPERATIONS] for row in rows}


def studied_sets() -> dict[str, set[str]]:
    """By core the sets that studies timed there."""
    published = json.loads(PUBLISHED.read_text())
    rows = [row for study in published["operations"] for row in study["rows"]] + published["speedups_over_reference_c"]
    return {core.title: {row["set"] for row in rows if row["cpu"] == core.title} for core in STUDIED}


KERNELS = "kernels"  # in place of a set's name, if the row is not an operation


@dataclass
class Meter:
    """Models for everything, and for single cores those of what their backend does with some sets, or with kernels."""

    recorder: Recorder
    models: list[Model]
    cores: dict[str, list[Model]]  # by backend
    sets: set[str]
    known: dict[str, str]  # the library's table: the backend by the core

    def models_of(self, kem: str, backend: str) -> list[Model]:
        of_cores = self.cores.get(backend, []) if kem in self.sets else []
        return list({model.cpu: model for model in (*self.models, *of_cores)}.values())

    def variant(self, backend: str, model: Model) -> str:
        """The backend, or its variant for the core."""
        return f"{backend}@{model.cpu}" if self.known.get(model.cpu) == backend else backend

    def operations(self, kem: str, backend: str) -> list[Cost]:
        """The three operations, with two seeds, or more where two are not the same."""
        sections = self.recorder.record("operations", kem, backend, "2")
        if any(a.instructions != b.instructions for a, b in zip(sections[:3], sections[3:], strict=True)):
            sections = self.recorder.record("operations", kem, backend, str(SEEDS))

        def of_variant(name: str) -> list[Section]:
            return self.recorder.record("operations", kem, name, "1")

        of_cores = self.of_cores(self.models_of(kem, backend), backend, sections, of_variant)
        return [self.cost(sections[i::3], {model: all_of[i] for model, all_of in of_cores.items()}) for i in range(3)]

    def kernels(self, backend: str, wanted: re.Pattern[str]) -> list[Cost]:
        sections = self.recorder.record("kernels", backend)
        places = [i for i, section in enumerate(sections) if wanted.search(section.name.rsplit("/", 1)[0])]
        models = self.models_of(KERNELS, backend)
        of_cores = self.of_cores(models, backend, sections, lambda name: self.recorder.record("kernels", name))
        return [self.cost([sections[i]], {model: all_of[i] for model, all_of in of_cores.items()}) for i in places]

    def of_cores(
        self, models: list[Model], backend: str, sections: list[Section], record: Callable[[str], list[Section]]
    ) -> dict[Model, list[Section]]:
        """By model what its core executes: the backend's sections, recorded anew where the core has a variant."""
        names = {model: self.variant(backend, model) for model in models}
        recorded = {name: record(name) for name in set(names.values()) - {backend}} | {backend: sections}
        return {model: recorded[name] for model, name in names.items()}

    def cost(self, sections: list[Section], of_cores: dict[Model, Section]) -> Cost:
        first, runs = sections[0], len(sections)
        instructions = sum(section.instructions for section in sections) / runs
        functions: dict[str, float] = {}
        for section in sections:
            for name, count in section.functions.items():
                functions[name] = functions.get(name, 0) + count / runs
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda model: model.learn([of_cores[model]]), of_cores))
        scale = instructions / first.instructions
        cycles = {model.cpu: model.cycles(section) * scale for model, section in of_cores.items()}
        cycles["apple-m1"] = M1_CYCLES_PER_INSTRUCTION * instructions
        classes = {name: sum(section.classes[name] for section in sections) / runs for name in CLASSES}
        return Cost(first.name, instructions, classes, functions, cycles)


def find_native(costs: list[Cost]) -> None:
    """Code that the reference backend executes too is not the backend's own."""
    by_name = {cost.name: cost for cost in costs}
    for cost in costs:
        stem, backend = cost.name.rsplit("/", 1)
        reference = by_name.get(f"{stem}/{REFERENCE}")
        common = sum(count for name, count in cost.functions.items() if reference and name in reference.functions)
        cost.native = 0.0 if backend == REFERENCE else 1 - common / cost.instructions


def print_table(costs: list[Cost]) -> None:
    common = [set(cost.cycles) for cost in costs]
    cpus = sorted(set.intersection(*common)) if common else []
    columns = ["instructions", *CLASSES, *cpus]
    width = max((len(cost.name) for cost in costs), default=0)
    print(f"{'':{width}}" + "".join(f"{column:>14}" for column in columns))
    for cost in costs:
        values = [cost.instructions, *cost.classes.values(), *(cost.cycles[cpu] for cpu in cpus)]
        print(f"{cost.name:{width}}" + "".join(f"{value:14.0f}" for value in values))


def cycles_by_core(costs: list[Cost], cores: list[dict], sets: Collection[str]) -> dict[str, float]:
    """Of the sets that rivals have, on each core by the backend that would be chosen there."""
    cycles = {cost.name: cost.cycles for cost in costs}
    rows = {}
    for core in cores:
        for kem in sets:
            for operation in OPERATIONS:
                of_cores = cycles.get(f"op/{operation}/{kem}/{core['backend']}", {})
                if core["cpu"] in of_cores:
                    rows[f"{core['cpu']}/{operation}/{kem}/{core['backend']}"] = of_cores[core["cpu"]]
    return rows


def studied_cycles(costs: list[Cost], known: dict[str, str]) -> dict[str, float]:
    """The cycles of each core of a study, with the reference backend and with the one that would be chosen there."""
    sets = studied_sets()
    rows = {}
    for core in STUDIED:
        for cost in costs:
            kind, *_, what, backend = cost.name.split("/")
            if backend not in (REFERENCE, known[core.known]) or (kind == "op" and what not in sets[core.title]):
                continue
            scale = core.c_scale + cost.native * (core.vector_scale - core.c_scale) if kind == "op" else 1.0
            rows[f"{core.title}/{cost.name}"] = scale * cost.cycles[core.model]
    return rows


def print_cores(rows: dict[str, float], rivals: dict[tuple[str, str], list[float]]) -> None:
    """Thousand cycles, and by the rival's where it has a figure."""
    for cpu, kem, backend in dict.fromkeys((name.split("/")[0], *name.split("/")[2:]) for name in rows):
        own = [rows[f"{cpu}/{operation}/{kem}/{backend}"] / 1000 for operation in OPERATIONS]
        theirs = rivals.get((cpu, kem))
        shares = [f" ({ours / rival:.2f})" for ours, rival in zip(own, theirs, strict=True)] if theirs else [""] * 3
        cells = " ".join(f"{ours:6.1f}{share:7}" for ours, share in zip(own, shares, strict=True))
        print(f"{kem} {cpu:14} {backend:18} {cells}")


def write_json(costs: list[Cost], cores: list[dict], llvm: int | None, path: Path) -> None:
    context = {"compiler": compiler(TREE), "qemu": run([QEMU, "--version"]).splitlines()[0], "models": MODELS}
    context |= {"llvm": llvm, "cores": cores}
    path.write_text(json.dumps({"context": context, "costs": [vars(cost) for cost in costs]}, indent=1) + "\n")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", nargs="*", metavar="NAME", help="only the operations of these sets")
    parser.add_argument("--backend", nargs="*", metavar="NAME", help="only these backends")
    parser.add_argument("--kernels", metavar="REGEX", default="", help="only kernels whose names match, as q3329/ntt")
    parser.add_argument("--only", choices=["operations", "kernels"])
    parser.add_argument("--studies", action="store_true", help="what published studies timed, on the studies' cores")
    parser.add_argument(
        "--llvm", type=int, help=f"the version of llvm-mca and llvm-objdump (the first there of {LLVMS})"
    )
    modelled = parser.add_mutually_exclusive_group()
    modelled.add_argument(
        "--cores", nargs="*", metavar="CPU", help=f"model these for all that is measured, not {' and '.join(MODELS)}"
    )
    modelled.add_argument("--counts", action="store_true", help="instructions only, no models")
    parser.add_argument("--out", type=Path, default=TREE / "cost.json", help="JSON (build/aarch64/cost.json)")
    table = f"{CYCLES.path.name}, with --counts {COUNTS.path.name}, with --studies {STUDIES.path.name}"
    parser.add_argument("--check", action="store_true", help=f"compare with {table}: status 1 if more")
    parser.add_argument("--update", action="store_true", help=f"write {table}")
    return parser.parse_args()


def measure(meter: Meter, listed: list[list[str]], args: argparse.Namespace) -> list[Cost]:
    sets = [name for kind, name in listed if kind == "set" and (args.set is None or name in args.set)]
    backends = [name for kind, name in listed if kind == "backend" and (not args.backend or name in args.backend)]
    costs = []
    for backend in backends:
        if args.only != "operations":
            costs += meter.kernels(backend, re.compile(args.kernels))
        if args.only != "kernels":
            costs += [cost for kem in sets for cost in meter.operations(kem, backend)]
    return costs


def meter_of(
    recorder: Recorder, cores: list[dict], known: dict[str, str], sets: set[str], mca: str, args: argparse.Namespace
) -> Meter:
    models = {core["cpu"]: Model(core["cpu"], mca, recorder.program) for core in cores}
    by_backend: dict[str, list[Model]] = {}
    if args.studies:
        for studied in STUDIED:
            for backend in (REFERENCE, known[studied.known]) if studied.model in models else ():
                by_backend.setdefault(backend, []).append(models[studied.model])
        return Meter(recorder, [], by_backend, {*args.set, KERNELS}, known)
    if args.cores is None:
        for core in cores:
            by_backend.setdefault(core["backend"], []).append(models[core["cpu"]])
    everywhere = [] if args.counts else [models[cpu] for cpu in args.cores or MODELS]
    return Meter(recorder, everywhere, by_backend, sets, known)


def narrow_to_studies(args: argparse.Namespace, known: dict[str, str]) -> None:
    """To what the studies' cores need of the sets and kernels that were timed there."""
    args.set = sorted(set().union(*studied_sets().values()))
    args.backend = sorted({REFERENCE, *(known[core.known] for core in STUDIED)})
    args.kernels = STUDIED_KERNELS


def missing(llvm: int | None, modelled: list[Core], args: argparse.Namespace) -> str | None:
    """Something that cannot be done here."""
    for tool in (QEMU, f"llvm-objdump-{llvm or LLVMS[0]}", *([] if args.counts else [f"llvm-mca-{llvm or LLVMS[0]}"])):
        if not shutil.which(tool):
            return f"no {tool} on this machine; tools/setup.sh aarch64 installs it"
    known = [core.cpu for core in modelled]
    if unknown := [cpu for cpu in args.cores or [] if cpu not in known]:
        return f"--cores: no model of {', '.join(unknown)}; there are {', '.join(known)}"
    return None


def main() -> int:
    args = parse()
    llvm = args.llvm or installed_llvm()
    modelled = [] if args.counts or llvm is None else modelled_cores(llvm)
    if reason := missing(llvm, modelled, args):
        print(reason, file=sys.stderr)
        return 1
    executable = build(TREE, toolchain())
    recorder = Recorder(executable, Program(executable, f"llvm-objdump-{llvm}"), build_plugin(TREE, QEMU), QEMU)
    listed = [line.split(" ", 1) for line in run([QEMU, str(executable), "list"]).splitlines()]
    known = dict(what.split(" ") for kind, what in listed if kind == "core")
    cores = [vars(core) | {"backend": known.get(core.cpu, known["other"])} for core in modelled]
    rivals = rival_cycles()
    sets = {kem for _, kem in rivals}
    if args.studies:
        narrow_to_studies(args, known)
    costs = measure(meter_of(recorder, cores, known, sets, f"llvm-mca-{llvm}", args), listed, args)
    find_native(costs)
    print_table(costs)
    by_core = cycles_by_core(costs, cores, sets)
    print_cores(by_core, rivals)
    write_json(costs, cores, llvm, args.out)
    modelled_with = f"{compiler(TREE)}, LLVM {llvm}"
    counts = {cost.name: cost.instructions for cost in costs if cost.name.startswith("op/")}
    kept = (COUNTS, compiler(TREE), counts) if args.counts else (CYCLES, modelled_with, by_core)
    if args.studies:
        kept = STUDIES, modelled_with, studied_cycles(costs, known)
    table, made_with, rows = kept
    if args.update:
        table.write(made_with, rows)
    return table.check(made_with, rows) if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
