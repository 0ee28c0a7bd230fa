"""The AArch64 section: what `make bench-aarch64` counted and modelled, or else the counts that the repository keeps.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from latkem_evaluate import facts, format
from latkem_evaluate.estimates import REFERENCE_BACKEND
from latkem_evaluate.palette import OPERATIONS
from latkem_evaluate.results import CORE, Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table, published

NEEDS_SHA3 = "neon-sha3"  # how the names of those backends begin


@dataclass(frozen=True)
class Device:
    """A model of a CPU; how many of its cycles one of llvm-mca's counts for in operations, in vector code and in C.

    llvm-mca gives the SHA-3 instructions some cycles on CPUs that have none."""

    key: str
    title: str
    vector_scale: float
    c_scale: float
    has_sha3: bool
    error: str

    def runs(self, backend: str) -> bool:
        return self.has_sha3 or not backend.startswith(NEEDS_SHA3)


# The scales and errors compare the models with published cycle counts: docs/benchmarking.md.
DEVICES = (
    Device("cortex-a72", "Cortex-A72", 1.35, 1.21, False, "±9 % for vector code"),
    Device("cortex-a55", "Cortex-A55", 1.0, 1.0, False, "not checked against a machine: compare rows only"),
    Device(
        "apple-m1", "Apple M1", 1.0, 1.0, True, "0.241 cycles an instruction: ±7 % for vector code, not checked for C"
    ),
)


# Represents all devices if only instructions were counted.
COUNTED = Device("instructions", "instructions", 1.0, 1.0, True, "")


# The modules that papers time, and the kernels that do them here.
MODULES = {
    "Barrett reduction": ("q3329/reduce",),
    "Montgomery multiplication": ("q3329/tomont",),
    "NTT": ("q3329/ntt",),
    "Inverse NTT": ("q3329/invntt_tomont",),
    "Base multiplication, k = 3": ("q3329/mulcache",) * 3 + ("q3329/inner_product_k3",),
}


class CostModel:
    """The content of cost.json; nothing where there is none."""

    def __init__(self, raw: dict | None, sets: Sequence[str]) -> None:
        raw = raw or {"context": {}, "costs": []}
        self.context: dict = raw["context"]
        self.costs: dict[str, dict] = {cost["name"]: cost for cost in raw["costs"]}
        names = [name.split("/") for name in self.costs]
        self.backends = sorted({parts[-1] for parts in names}, key=lambda name: (name != REFERENCE_BACKEND, name))
        measured = {parts[2] for parts in names if parts[0] == "op"}
        self.sets = [name for name in sets if name in measured]
        self.has_kernels = any(parts[0] == "kernel" for parts in names)
        self.devices = [d for d in DEVICES if any(d.key in cost["cycles"] for cost in self.costs.values())]

    def cycles(self, name: str, device: Device) -> float | None:
        """Of the row "name" (its last part is the backend); None if it was not measured or cannot run.

        Single kernels are not scaled: the scales are those of whole operations."""
        backend = name.rsplit("/", 1)[1]
        if device is COUNTED:
            return self.costs[name]["instructions"] if name in self.costs else None
        if name not in self.costs or device.key not in self.costs[name]["cycles"] or not device.runs(backend):
            return None
        cost = self.costs[name]
        cycles = cost["cycles"][device.key]
        if not name.startswith("op/"):
            return cycles
        return cycles * (device.c_scale + cost["native"] * (device.vector_scale - device.c_scale))

    def speedup(self, stem: str, backend: str, device: Device) -> float | None:
        own, reference = (self.cycles(f"{stem}/{name}", device) for name in (backend, REFERENCE_BACKEND))
        return reference / own if own and reference else None

    def count_table(self) -> Table:
        """Executed instructions, in thousands."""
        table = Table([], [OPERATIONS[operation] for operation in CORE])
        for kem in self.sets:
            group = []
            for backend in self.backends:
                costs = [self.costs.get(f"op/{operation}/{kem}/{backend}") for operation in CORE]
                cells = [Cell(format.significant(cost["instructions"] / 1e3)) if cost else EMPTY for cost in costs]
                group.append(Row(kem, cells, backend))
            table.groups.append(group)
        return table

    def device_table(self, device: Device) -> Table:
        """Thousand cycles of each operation, and the speed-up over the reference backend."""
        table = Table([(OPERATIONS[op], 2) for op in CORE], ["kcycles", "speed-up"] * len(CORE))
        for kem in self.sets:
            group = []
            for backend in filter(device.runs, self.backends):
                cells = [cell for op in CORE for cell in self._cells(f"op/{op}/{kem}", backend, device, 1e3)]
                group.append(Row(kem, cells, backend))
            table.groups.append(group)
        return table

    def _cells(self, stem: str, backend: str, device: Device, unit: float) -> list[Cell]:
        cycles, speedup = self.cycles(f"{stem}/{backend}", device), self.speedup(stem, backend, device)
        return [
            EMPTY if cycles is None else Cell(format.significant(cycles / unit)),
            EMPTY if speedup is None or backend == REFERENCE_BACKEND else Cell(format.times(speedup)),
        ]

    def core_table(self) -> Table:
        """On each core the backend that is chosen there, beside a rival in the same model: thousand cycles."""
        heads = [("", 2), *((OPERATIONS[operation], 3) for operation in CORE), ("", 1)]
        columns = ["Backend", "Rival", *["kcycles", "rival's", "ratio"] * len(CORE), "Error of the model"]
        table = Table(heads, columns, names=("Backend", "Rival", "Error of the model"))
        rivals = {(row["cpu"], row["set"]): row for row in facts.published()["model_cycles"]}
        for kem in self.sets:
            rows = [(core, rivals.get((core["cpu"], kem))) for core in self.context.get("cores", [])]
            group = [self._core_row(core, kem, rival) for core, rival in rows if rival]
            table.groups += [group] if group else []
        return table

    def _core_row(self, core: dict, kem: str, rival: dict) -> Row:
        cells = [Cell(core["backend"], kind="name"), Cell(facts.cited_as(rival["source"]).split()[0], kind="name")]
        for operation in CORE:
            cost = self.costs.get(f"op/{operation}/{kem}/{core['backend']}", {"cycles": {}})
            own = cost["cycles"].get(core["cpu"])
            ours = [] if own is None else [Cell(format.significant(own / 1e3))]
            ratio = [] if own is None else [Cell(f"{own / 1e3 / rival[operation]:.2f}")]
            cells += [*(ours or [EMPTY]), published(f"{rival[operation]:.1f}"), *(ratio or [EMPTY])]
        return Row(core["title"], [*cells, Cell(core["error"], kind="name")], kem)

    def module_table(self) -> Table:
        """Instructions and cycles of the modules that papers time."""
        table = Table([], ["instructions", *(device.title for device in self.devices)])
        for title, kernels in MODULES.items():
            reference = self._module_costs(kernels, REFERENCE_BACKEND)
            group = []
            for backend in self.backends:
                pairs = zip(self._module_costs(kernels, backend), reference, strict=True)
                cells = [_with_speedup(value, before, backend) for value, before in pairs]
                group.append(Row(title, cells, backend))
            table.groups.append(group)
        return table

    def _module_costs(self, kernels: Sequence[str], backend: str) -> list[float | None]:
        """Instructions, and the cycles on each device."""
        names = [f"kernel/{kernel}/{backend}" for kernel in kernels]
        counts = [self.costs[name]["instructions"] if name in self.costs else None for name in names]
        cycles = [[self.cycles(name, device) for name in names] for device in self.devices]
        return [_total(values) for values in (counts, *cycles)]


class Aarch64(Section):
    """Counts and modelled cycles."""

    key = "aarch64"
    title = "AArch64"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.model = CostModel(self.raw.get("aarch64"), results.set_names)

    @property
    def shown(self) -> bool:
        return bool(self.model.sets)

    @property
    def from_table(self) -> bool:
        """Whether these are the counts that the repository keeps, and not this machine's."""
        return "table" in self.model.context

    @property
    def origin(self) -> str:
        context = self.model.context
        if not self.from_table:
            return "counted on this machine"
        commit = f", commit {context['commit']} of {context['date']}" if context.get("commit") else ""
        return f"the counts kept in {context['table']}{commit}"

    @property
    def answer(self) -> str:
        """Of all operations, by the native backend with the fewest instructions."""
        pairs = [self._fewer(f"op/{operation}/{name}") for name in self.model.sets for operation in CORE]
        ratios = sorted(ratio for ratio in pairs if ratio)
        if not ratios:
            return f"Instruction counts: {self.origin}."
        return (
            f"Vector code executes {ratios[0]:.1f} to {ratios[-1]:.0f} times fewer instructions than portable C, "
            f"{ratios[len(ratios) // 2]:.1f} in the median."
        )

    def _fewer(self, stem: str) -> float | None:
        ratios = [self.model.speedup(stem, name, COUNTED) for name in self.model.backends if name != REFERENCE_BACKEND]
        return max((ratio for ratio in ratios if ratio), default=None)


def _total(values: Sequence[float | None]) -> float | None:
    """None where one of them is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _with_speedup(value: float | None, reference: float | None, backend: str) -> Cell:
    if value is None:
        return EMPTY
    if reference is None or backend == REFERENCE_BACKEND:
        return Cell(format.significant(value))
    return Cell(format.significant(value), format.times(reference / value))
