#!/usr/bin/env python3
"""Counts what each operation and each kernel executes on AArch64, and estimates cycles.

qemu_program runs in QEMU, whose plugin writes down every executed instruction; llvm-mca estimates from that how
long they take: everything on a Cortex-A72 and a Cortex-A55, and what has a rival's figure on each core of CORES, by the
backend that the library would choose there. docs/benchmarking.md says how far the figures can be trusted.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "harness"))

from mca import Model  # noqa: E402
from qemu.program import CLASSES, Program  # noqa: E402
from qemu.recording import Recorder, Section, build_plugin, run  # noqa: E402

TREE = ROOT / "build" / "aarch64"
TABLE = Path(__file__).resolve().parent / "instructions.txt"
PUBLISHED = ROOT / "spec" / "published.json"
QEMU = "qemu-aarch64"
LLVMS = (22, 19)  # the versions that are looked for, the best first
MODELS = ["cortex-a72", "cortex-a55"]
M1_CYCLES_PER_INSTRUCTION = 0.241  # measured over ten operations of published vector code, within 7 %
SEEDS = 20  # for sets that sample by rejection
OPERATIONS = ("keygen", "encaps", "decaps")
GROWTH = 0.01  # that an operation is allowed over the table


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
)


@dataclass
class Cost:
    """One operation or kernel; means over the seeds. The cycles are those of the first seed's instructions, scaled."""

    name: str
    instructions: float
    classes: dict[str, float]
    functions: dict[str, float]
    cycles: dict[str, float]


def build() -> Path:
    """Builds the program: with the cross compiler, on an AArch64 machine with its own."""
    native = subprocess.run(["uname", "-m"], capture_output=True, text=True, check=True).stdout.strip() == "aarch64"
    toolchain = [] if native else [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/tools/toolchains/aarch64.cmake"]
    options = ["-DLATKEM_BUILD_COST_MODEL=ON", "-DLATKEM_BUILD_CLI=OFF", "-DBUILD_TESTING=OFF"]
    run(["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(TREE), *toolchain, *options])
    run(["cmake", "--build", str(TREE), "--target", "qemu_program"])
    return TREE / "bench" / "aarch64" / "qemu_program"


def compiler() -> str:
    """The compiler that the counts depend on, as `gcc 12.2.0`."""
    text = next((TREE / "CMakeFiles").glob("*/CMakeCCompiler.cmake")).read_text()
    name = re.search(r'set\(CMAKE_C_COMPILER_ID "(.*?)"', text)[1]
    version = re.search(r'set\(CMAKE_C_COMPILER_VERSION "(.*?)"', text)[1]
    return f"{name.replace('GNU', 'gcc')} {version}"


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


def rival_cycles(source: dict) -> dict[tuple[str, str], list[float]]:
    """Model cycles of a rival's operations by core and set."""
    return {(row["cpu"], row["set"]): [row[operation] for operation in OPERATIONS] for row in source["model_cycles"]}


@dataclass
class Meter:
    """Models for everything, and for single cores those of what their backend does with the sets that rivals have."""

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
        of_cores = self.of_cores(self.models_of(kem, backend), backend, ["operations", kem], ["2"])
        return [self.cost(sections[i::3], {model: all_of[i] for model, all_of in of_cores.items()}) for i in range(3)]

    def kernels(self, backend: str, wanted: re.Pattern[str]) -> list[Cost]:
        sections = self.recorder.record("kernels", backend)
        places = [i for i, section in enumerate(sections) if wanted.search(section.name.rsplit("/", 1)[0])]
        of_cores = self.of_cores(self.models, backend, ["kernels"], [])
        return [self.cost([sections[i]], {model: all_of[i] for model, all_of in of_cores.items()}) for i in places]

    def of_cores(
        self, models: list[Model], backend: str, before: list[str], behind: list[str]
    ) -> dict[Model, list[Section]]:
        """By model what its core executes, recorded anew where that is a variant."""
        names = {model: self.variant(backend, model) for model in models}
        recorded = {name: self.recorder.record(*before, name, *behind) for name in set(names.values())}
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


def print_table(costs: list[Cost]) -> None:
    common = [set(cost.cycles) for cost in costs]
    cpus = sorted(set.intersection(*common)) if common else []
    columns = ["instructions", *CLASSES, *cpus]
    width = max((len(cost.name) for cost in costs), default=0)
    print(f"{'':{width}}" + "".join(f"{column:>14}" for column in columns))
    for cost in costs:
        values = [cost.instructions, *cost.classes.values(), *(cost.cycles[cpu] for cpu in cpus)]
        print(f"{cost.name:{width}}" + "".join(f"{value:14.0f}" for value in values))


def print_cores(costs: list[Cost], cores: list[dict]) -> None:
    """On each core the backend that would be chosen, by the rival."""
    cycles = {cost.name: cost.cycles for cost in costs}
    for (cpu, kem), theirs in rival_cycles(json.loads(PUBLISHED.read_text())).items():
        for core in (core for core in cores if core["cpu"] == cpu):
            names = [f"op/{operation}/{kem}/{core['backend']}" for operation in OPERATIONS]
            if all(cpu in cycles.get(name, {}) for name in names):
                own = [cycles[name][cpu] / 1000 for name in names]
                shares = " ".join(f"{ours:6.1f} ({ours / rival:.2f})" for ours, rival in zip(own, theirs, strict=True))
                print(f"{kem} {core['title']:12} {core['backend']:18} {shares}")


def write_json(costs: list[Cost], cores: list[dict], llvm: int, path: Path) -> None:
    context = {"compiler": compiler(), "qemu": run([QEMU, "--version"]).splitlines()[0], "models": MODELS}
    context |= {"llvm": llvm, "cores": cores}
    path.write_text(json.dumps({"context": context, "costs": [vars(cost) for cost in costs]}, indent=1) + "\n")


def write_counts(costs: list[Cost]) -> None:
    """The table that the check holds later versions to."""
    lines = [f"{cost.name} {cost.instructions:.0f}" for cost in costs if cost.name.startswith("op/")]
    TABLE.write_text("\n".join([f"compiler {compiler()}", *sorted(lines)]) + "\n")


def grown(costs: list[Cost]) -> list[str]:
    """The operations' counts above the table's."""
    table = dict(line.rsplit(" ", 1) for line in TABLE.read_text().splitlines()[1:])
    return [
        f"{cost.name}: {cost.instructions:.0f} instructions, {table[cost.name]} in {TABLE.name}"
        for cost in costs
        if cost.name in table and cost.instructions > (1 + GROWTH) * int(table[cost.name])
    ]


def check(costs: list[Cost]) -> int:
    made_with = TABLE.read_text().splitlines()[0].removeprefix("compiler ")
    if made_with != compiler():
        print(f"skipped: {TABLE.name} was made with {made_with}, this is {compiler()}")
        return 0
    if found := grown(costs):
        print("\n".join(found))
        print("if that is meant: cost_model.py --update")
        return 1
    print(f"no operation of {TABLE.name} grew by more than {100 * GROWTH:g} %")
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", nargs="*", metavar="NAME", help="only the operations of these sets")
    parser.add_argument("--backend", nargs="*", metavar="NAME", help="only these backends")
    parser.add_argument("--kernels", metavar="REGEX", default="", help="only kernels whose names match, as q3329/ntt")
    parser.add_argument("--only", choices=["operations", "kernels"])
    parser.add_argument(
        "--llvm", type=int, help=f"the version of llvm-mca and llvm-objdump (the first there of {LLVMS})"
    )
    parser.add_argument(
        "--cores", nargs="*", metavar="CPU", help=f"model these for all that is measured, not {' and '.join(MODELS)}"
    )
    parser.add_argument("--counts", action="store_true", help="instructions only, no models")
    parser.add_argument("--out", type=Path, default=TREE / "cost.json", help="JSON (build/aarch64/cost.json)")
    parser.add_argument(
        "--check", action="store_true", help=f"compare the operations with {TABLE.name}: status 1 if more"
    )
    parser.add_argument("--update", action="store_true", help=f"write {TABLE.name}")
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


def chosen(core: Core, listed: list[list[str]]) -> str:
    """The backend that the library chooses on a core: its table knows those with SHA-3 instructions."""
    return known_cores(listed).get(core.cpu, known_cores(listed)["other"])


def known_cores(listed: list[list[str]]) -> dict[str, str]:
    return dict(what.split(" ") for kind, what in listed if kind == "core")


def meter_of(
    recorder: Recorder, cores: list[dict], listed: list[list[str]], llvm: int, args: argparse.Namespace
) -> Meter:
    models = {cpu: Model(cpu, f"llvm-mca-{llvm}", recorder.program) for cpu in (core["cpu"] for core in cores)}
    by_backend: dict[str, list[Model]] = {}
    if args.cores is None:
        for core in cores:
            by_backend.setdefault(core["backend"], []).append(models[core["cpu"]])
    everywhere = [] if args.counts else [models[cpu] for cpu in args.cores or MODELS]
    sets = {kem for _, kem in rival_cycles(json.loads(PUBLISHED.read_text()))}
    return Meter(recorder, everywhere, by_backend, sets, known_cores(listed))


def main() -> int:
    args = parse()
    llvm = args.llvm or installed_llvm()
    for tool in (QEMU, f"llvm-objdump-{llvm or LLVMS[0]}", *([] if args.counts else [f"llvm-mca-{llvm or LLVMS[0]}"])):
        if not shutil.which(tool):
            print(f"no {tool} on this machine; tools/setup.sh aarch64 installs it", file=sys.stderr)
            return 1
    executable = build()
    program = Program(executable, f"llvm-objdump-{llvm}")
    recorder = Recorder(executable, program, build_plugin(TREE, QEMU), QEMU)
    listed = [line.split(" ", 1) for line in run([QEMU, str(executable), "list"]).splitlines()]
    cores = [] if args.counts else [vars(core) | {"backend": chosen(core, listed)} for core in modelled_cores(llvm)]
    costs = measure(meter_of(recorder, cores, listed, llvm, args), listed, args)
    print_table(costs)
    print_cores(costs, cores)
    write_json(costs, cores, llvm, args.out)
    if args.update:
        write_counts(costs)
    return check(costs) if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
