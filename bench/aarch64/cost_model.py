#!/usr/bin/env python3
"""Counts what each operation and each kernel executes on AArch64, and estimates cycles.

qemu_program runs in QEMU, whose plugin writes down every executed instruction; llvm-mca estimates from that how
long they take on a Cortex-A55 and a Cortex-A72. docs/benchmarking.md says how far the figures can be trusted.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "harness"))

from mca import Model  # noqa: E402
from qemu.program import CLASSES, Program  # noqa: E402
from qemu.recording import Recorder, Section, build_plugin, run  # noqa: E402

TREE = ROOT / "build" / "aarch64"
TABLE = Path(__file__).resolve().parent / "instructions.txt"
QEMU, OBJDUMP, MCA = "qemu-aarch64", "llvm-objdump-19", "llvm-mca-19"
MODELS = ["cortex-a72", "cortex-a55"]
M1_CYCLES_PER_INSTRUCTION = 0.241  # measured over ten operations of published vector code, within 7 %
SEEDS = 20  # for sets that sample by rejection
GROWTH = 0.01  # that an operation is allowed over the table


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


class Meter:
    def __init__(self, recorder: Recorder, models: list[Model]) -> None:
        self.recorder, self.models = recorder, models

    def operations(self, kem: str, backend: str) -> list[Cost]:
        """The three operations, with two seeds, or more where two are not the same."""
        sections = self.recorder.record("operations", kem, backend, "2")
        if any(a.instructions != b.instructions for a, b in zip(sections[:3], sections[3:], strict=True)):
            sections = self.recorder.record("operations", kem, backend, str(SEEDS))
        return [self.cost(sections[i::3]) for i in range(3)]

    def kernels(self, backend: str, wanted: re.Pattern[str]) -> list[Cost]:
        sections = self.recorder.record("kernels", backend)
        return [self.cost([s]) for s in sections if wanted.search(s.name.rsplit("/", 1)[0])]

    def cost(self, sections: list[Section]) -> Cost:
        first, runs = sections[0], len(sections)
        instructions = sum(section.instructions for section in sections) / runs
        functions: dict[str, float] = {}
        for section in sections:
            for name, count in section.functions.items():
                functions[name] = functions.get(name, 0) + count / runs
        for model in self.models:
            model.learn([first])
        cycles = {model.cpu: model.cycles(first) * instructions / first.instructions for model in self.models}
        cycles["apple-m1"] = M1_CYCLES_PER_INSTRUCTION * instructions
        classes = {name: sum(section.classes[name] for section in sections) / runs for name in CLASSES}
        return Cost(first.name, instructions, classes, functions, cycles)


def print_table(costs: list[Cost]) -> None:
    columns = ["instructions", *CLASSES, *(costs[0].cycles if costs else [])]
    width = max((len(cost.name) for cost in costs), default=0)
    print(f"{'':{width}}" + "".join(f"{column:>14}" for column in columns))
    for cost in costs:
        values = [cost.instructions, *cost.classes.values(), *cost.cycles.values()]
        print(f"{cost.name:{width}}" + "".join(f"{value:14.0f}" for value in values))


def write_json(costs: list[Cost], path: Path) -> None:
    context = {"compiler": compiler(), "qemu": run([QEMU, "--version"]).splitlines()[0], "models": MODELS}
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
    parser.add_argument("--counts", action="store_true", help="instructions only, no models")
    parser.add_argument("--out", type=Path, default=TREE / "cost.json", help="JSON (build/aarch64/cost.json)")
    parser.add_argument(
        "--check", action="store_true", help=f"compare the operations with {TABLE.name}: status 1 if more"
    )
    parser.add_argument("--update", action="store_true", help=f"write {TABLE.name}")
    return parser.parse_args()


def measure(meter: Meter, args: argparse.Namespace) -> list[Cost]:
    listed = [line.split(" ", 1) for line in run([QEMU, str(meter.recorder.executable), "list"]).splitlines()]
    sets = [name for kind, name in listed if kind == "set" and (args.set is None or name in args.set)]
    backends = [name for kind, name in listed if kind == "backend" and (not args.backend or name in args.backend)]
    costs = []
    for backend in backends:
        if args.only != "operations":
            costs += meter.kernels(backend, re.compile(args.kernels))
        if args.only != "kernels":
            costs += [cost for kem in sets for cost in meter.operations(kem, backend)]
    return costs


def main() -> int:
    args = parse()
    for tool in (QEMU, OBJDUMP, *([] if args.counts else [MCA])):
        if not shutil.which(tool):
            print(f"no {tool} on this machine; tools/setup.sh aarch64 installs it", file=sys.stderr)
            return 1
    executable = build()
    program = Program(executable, OBJDUMP)
    recorder = Recorder(executable, program, build_plugin(TREE, QEMU), QEMU)
    models = [] if args.counts else [Model(cpu, MCA, program) for cpu in MODELS]
    costs = measure(Meter(recorder, models), args)
    print_table(costs)
    write_json(costs, args.out)
    if args.update:
        write_counts(costs)
    return check(costs) if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
