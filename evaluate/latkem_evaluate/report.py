"""The report: what the page shows, derived from the raw results and nothing else, and the files beside it.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from latkem_evaluate import charts, conformance, numbers, scatter, tables
from latkem_evaluate.aarch64 import CostModel
from latkem_evaluate.groups import GROUPS, OPERATIONS, OUTSIDE, TIERS, group_of
from latkem_evaluate.peers import Peers
from latkem_evaluate.ranking import Ranking
from latkem_evaluate.study import SaberStudy, SessionKey
from latkem_evaluate.views import EMPTY, Cell, Row, Table, measured_cells


class Report:
    """All that the page needs, from the content of results.json."""

    def __init__(self, raw: dict) -> None:
        self.raw = raw
        self.sets: list[dict] = raw["library"]["sets"]
        self.set_names: list[str] = [entry["name"] for entry in self.sets]
        self.backends: list[str] = raw["library"]["backends"]
        documents = raw["benchmarks"]
        self.operations = self._in_order(tables.statistics(tables.samples(documents["operations"], "op"), "op"))
        self.kernels = tables.statistics(tables.samples(documents["kernels"], "kernel"), "kernel")
        self.ranking = Ranking(self.operations, self.sets)
        self.study = SaberStudy(raw["study"], self.set_names, self.backends)
        self.session_key = SessionKey(raw["session_key"], self.set_names, self.backends)
        self.peers = Peers(raw["peers"], self.set_names)
        self.cost_model = CostModel(raw.get("aarch64"), self.set_names)
        self.problems: list[str] = [
            *raw["problems"],
            *tables.errors([*documents["operations"], *documents["kernels"]]),
            *self.study.problems(),
        ]

    def _in_order(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Tiers, sets, backends and operations in the order of the page."""
        places = {
            column: {name: place for place, name in enumerate(names)}
            for column, names in (
                ("tier", TIERS),
                ("set", self.set_names),
                ("backend", self.backends),
                ("operation", OPERATIONS),
            )
        }
        return rows.sort_values(list(places), key=lambda names: names.map(places[names.name]), ignore_index=True)

    @property
    def several_backends(self) -> bool:
        return len(self.backends) > 1

    # Summary

    @cached_property
    def conformance_counts(self) -> dict[str, int]:
        statuses = [cell.kind for group in self.conformance_table.groups for row in group for cell in row.cells]
        return {status: statuses.count(status) for status in ("pass", "fail", "not-run")}

    @cached_property
    def noisy(self) -> dict[str, pd.DataFrame]:
        return {name: rows[rows["noisy"].astype(bool)] for name, rows in self._measured.items()}

    @property
    def _measured(self) -> dict[str, pd.DataFrame]:
        return {"operations": self.operations, "kernels": self.kernels}

    @property
    def noisy_count(self) -> int:
        return sum(len(rows) for rows in self.noisy.values())

    @property
    def measured_count(self) -> int:
        return sum(len(rows) for rows in self._measured.values())

    @property
    def waiting(self) -> float:
        """The part of the measured time that the programs spent waiting for the CPU."""
        rows = [
            row
            for document in self.raw["benchmarks"]["operations"]
            for row in document["benchmarks"]
            if row.get("run_type") == "iteration" and not row.get("error_occurred")
        ]
        real = sum(row["real_time"] * row["iterations"] for row in rows)
        cpu = sum(row["cpu_time"] * row["iterations"] for row in rows)
        return max(1 - cpu / real, 0.0) if real else 0.0

    @property
    def repetition_ms(self) -> str:
        """Of the operations and of the kernels, where the two differ."""
        seconds = self.raw["repetition_seconds"]
        times = dict.fromkeys(numbers.significant(1e3 * seconds[kind]) for kind in seconds)
        return " and ".join(times)

    @property
    def cycles_note(self) -> str:
        contexts = [document["context"].get("cycles", "") for document in self.raw["benchmarks"]["operations"]]
        return contexts[0] if contexts else ""

    def median_us(self, tier: str, operation: str, set_name: str) -> str | None:
        """Of the last, that is the fastest, backend."""
        rows = self._rows(tier=tier, operation=operation, set=set_name, backend=self.backends[-1])
        return None if rows.empty else numbers.significant(rows.iloc[0]["median_ns"] / 1e3)

    @property
    def headline(self) -> str:
        counts = self.conformance_counts
        failed = f"{counts['fail']} of {sum(counts.values())} conformance checks FAILED. " if counts["fail"] else ""
        times = [self.median_us("wire", operation, self.set_names[1]) for operation in ("keygen", "encaps", "decaps")]
        if None in times:
            return f"{failed}No operations were measured."
        noisy = " These numbers are noisy." if self._is_noisy(self.set_names[1]) else ""
        return (
            f"{failed}{self.set_names[1]} takes {' / '.join(map(str, times))} µs for key generation / encapsulation / "
            f"decapsulation on one core, with the {self.backends[-1]} backend and all checks on.{noisy}"
        )

    def _is_noisy(self, set_name: str) -> bool:
        return bool(self._rows(tier="wire", set=set_name, backend=self.backends[-1])["noisy"].any())

    @property
    def tiles(self) -> list[Cell]:
        counts = self.conformance_counts
        ran = counts["pass"] + counts["fail"]
        fine = counts["fail"] == 0 and ran > 0
        skipped = f", {counts['not-run']} not run" if counts["not-run"] else ""
        encaps = self.median_us("wire", "encaps", self.set_names[1])
        return [
            Cell(f"{counts['pass']} of {ran}", f"conformance checks passed{skipped}", "good" if fine else "bad"),
            Cell(f"{len(self.set_names)} × {len(self.backends)}", "parameter sets × backends"),
            Cell(f"{encaps or '–'} µs", f"{self.set_names[1]} encapsulation, wire tier"),
            Cell(
                f"{self.noisy_count} of {self.measured_count}",
                "rows too noisy",
                "good" if self.noisy_count == 0 else "warn",
            ),
        ]

    # Conformance

    @cached_property
    def conformance_table(self) -> Table:
        table = Table([], list(conformance.CHECK_NAMES))
        for backend in self.backends:
            table.groups.append([self._conformance_row(name, backend) for name in self.set_names])
        return table

    def _conformance_row(self, set_name: str, backend: str) -> Row:
        here = [r for r in self.raw["conformance"] if r["set"] == set_name and r["backend"] == backend]
        cells = []
        for check in conformance.CHECK_NAMES:
            merged = conformance.merge(result for result in here if result["check"] == check)
            cells.append(Cell(merged["status"], merged["detail"], merged["status"].replace(" ", "-")))
        return Row(set_name, cells, backend)

    @property
    def conformance_notes(self) -> list[str]:
        """Why checks failed, and then why others were not run, each reason once."""
        failed: dict[str, None] = {}
        not_run: dict[str, None] = {}
        for row in (row for group in self.conformance_table.groups for row in group):
            for check, cell in zip(conformance.CHECK_NAMES, row.cells, strict=True):
                if cell.kind == "fail":
                    failed[f"{check}, {row.label} on {row.note}: {cell.small}"] = None
                elif cell.kind == "not-run":
                    not_run[f"{check}, not run: {cell.small}"] = None
        return [*failed, *not_run]

    # Operations

    def _rows(self, **keys: str) -> pd.DataFrame:
        rows = self.operations
        for column, value in keys.items():
            rows = rows[rows[column] == value]
        return rows

    def tiers(self) -> list[str]:
        return [tier for tier in TIERS if not self._rows(tier=tier).empty]

    def has_cycles(self, rows: pd.DataFrame) -> bool:
        return bool(rows["cycles"].notna().any())

    def operation_table(self, tier: str) -> Table:
        rows = self._rows(tier=tier)
        names = [name for name in OPERATIONS if name in set(rows["operation"])]
        columns = self._columns("µs", "kcycles", self.has_cycles(rows))
        table = Table([(OPERATIONS[name], len(columns)) for name in names], columns * len(names))
        for set_name in self.set_names:
            group = [self._operation_row(rows, set_name, backend, names, columns) for backend in self.backends]
            table.groups.append([row for row in group if row is not None])
        return table

    def _columns(self, time: str, cycles: str, has_cycles: bool) -> list[str]:
        return [time, *([cycles] if has_cycles else []), *(["speed-up"] if self.several_backends else [])]

    def _operation_row(
        self, rows: pd.DataFrame, set_name: str, backend: str, names: Sequence[str], columns: Sequence[str]
    ) -> Row | None:
        here = rows[(rows["set"] == set_name) & (rows["backend"] == backend)].set_index("operation")
        if here.empty:
            return None
        cells: list[Cell] = []
        for name in names:
            cells += measured_cells(here.loc[name], columns, 1e3) if name in here.index else [EMPTY] * len(columns)
        return Row(set_name, cells, backend)

    # Kernels

    def kernel_table(self) -> Table:
        columns = self._columns("ns", "cycles", self.has_cycles(self.kernels))
        table = Table([(backend, len(columns)) for backend in self.backends], columns * len(self.backends))
        for group in GROUPS:
            rows = [row for row in self._kernel_rows(columns) if row.note == group.title]
            if rows:
                table.groups.append(rows)
        return table

    def _kernel_rows(self, columns: Sequence[str]) -> Iterable[Row]:
        for (family, kernel), rows in self.kernels.groupby(["family", "kernel"], sort=False):
            here = rows.set_index("backend")
            cells: list[Cell] = []
            for backend in self.backends:
                cells += (
                    measured_cells(here.loc[backend], columns, 1.0) if backend in here.index else [EMPTY] * len(columns)
                )
            yield Row(str(kernel), cells, group_of(str(family), str(kernel)).title)

    # Profile

    def profiles(self, operation: str, backend: str) -> list[dict]:
        by_set = {
            profile["set"]: profile
            for profile in self.raw["profile"].get("profiles", [])
            if profile["operation"] == operation and profile["backend"] == backend
        }
        return [by_set[name] for name in self.set_names if name in by_set]

    def profile_keys(self) -> list[tuple[str, str]]:
        """Operation and backend of each profile chart."""
        return [(op, backend) for backend in self.backends for op in OPERATIONS if self.profiles(op, backend)]

    def profile_table(self, operation: str, backend: str) -> Table:
        """The share of each kernel in each set's time."""
        profiles = self.profiles(operation, backend)
        by_set = [{f"{k['family']}/{k['name']}": k for k in profile["kernels"]} for profile in profiles]
        table = Table([], [profile["set"] for profile in profiles])
        for group in GROUPS:
            names = {key: None for kernels in by_set for key in kernels if group_of(*key.split("/")) == group}
            rows = [Row(key, [_share(kernels.get(key)) for kernels in by_set]) for key in names]
            if rows:
                table.groups.append(rows)
        outside = [Cell(numbers.percent(profile["other_share"])) for profile in profiles]
        table.groups.append([Row(OUTSIDE.title.lower(), outside)])
        return table

    # Sizes

    def size_table(self) -> Table:
        table = Table([], ["NIST category", "ek", "dk", "ct", "ss", "seed"])
        keys = ("level", "ek_bytes", "dk_bytes", "ct_bytes", "ss_bytes", "seed_bytes")
        rows = [
            Row(e["name"], [Cell(numbers.grouped(e[key])) for key in keys], "standard" if e["standard"] else "research")
            for e in self.sets
        ]
        table.groups.append(rows)
        return table

    def stack_table(self) -> Table:
        frame = pd.DataFrame(
            self.raw["stack"].get("stack", []), columns=["set", "operation", "tier", "backend", "bytes"]
        )
        keys = [
            (tier, op)
            for tier in TIERS
            for op in OPERATIONS
            if ((frame["tier"] == tier) & (frame["operation"] == op)).any()
        ]
        heads = [(TIERS[tier][0], sum(key[0] == tier for key in keys)) for tier in dict(keys)]
        table = Table(heads, [op for _, op in keys])
        sizes = {(r.set, r.backend, r.tier, r.operation): r.bytes for r in frame.itertuples()}
        for name in self.set_names:
            group = []
            for backend in self.backends:
                found = [sizes.get((name, backend, *key)) for key in keys]
                group.append(Row(name, [EMPTY if n is None else Cell(numbers.grouped(n)) for n in found], backend))
            table.groups.append(group)
        return table

    def code_table(self) -> Table:
        table = Table([], ["code and constants", "initialised data", "zeroed data"])
        keys = ("text", "data", "bss")
        rows = [Row(str(e["name"]), [Cell(numbers.grouped(e[key])) for key in keys]) for e in self.raw["code_size"]]
        table.groups.append(rows)
        return table

    # Charts and files

    @cached_property
    def charts(self) -> dict[str, charts.Chart]:
        drawn = [scatter.exchange_chart(self.ranking.exchanges(name), name) for name in self.exchange_backends]
        drawn += [charts.latency_chart(self.operations, tier, self.set_names) for tier in self.tiers()]
        drawn += [charts.profile_chart(self.profiles(*key), *key) for key in self.profile_keys()]
        drawn += [charts.study_chart(self._study_rows(name), name) for name in self.study.backends]
        if self.session_key.steps:
            drawn.append(charts.session_chart(self.session_key.rows, self.set_names))
        drawn += [charts.ratio_chart(self.peers.ratios_of(*key), *key) for key in self.peers.compared()]
        return {chart.name: chart for chart in drawn}

    @cached_property
    def exchange_backends(self) -> list[str]:
        """Those on which whole key exchanges can be drawn."""
        return [name for name in self.ranking.backends if not self.ranking.exchanges(name).empty]

    def _study_rows(self, backend: str) -> dict[str, dict[str, dict]]:
        by_operation = {name: self.study.measured(backend, name) for name in self.study.operations}
        return {name: rows for name, rows in by_operation.items() if rows}

    def svg(self, name: str) -> Markup:
        return Markup(self.charts[name].inline_svg())

    def html(self) -> str:
        environment = Environment(
            loader=PackageLoader("latkem_evaluate"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {"percent": numbers.percent, "grouped": numbers.grouped}
        page = environment.get_template("report.html.j2")
        return page.render(
            report=self,
            raw=self.raw,
            tiers=TIERS,
            operations=OPERATIONS,
            noisy_spread=tables.NOISY_SPREAD,
            palette=charts.PALETTE,
            series=charts.SERIES,
        )

    def write(self, out: Path) -> Path:
        """Writes the page, the tables and the charts; returns the page's path."""
        folder = out / "charts"
        folder.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob("*.png"), *folder.glob("*.svg")]:
            old.unlink()
        for chart in self.charts.values():
            chart.save(folder)
        (out / "results.json").write_text(json.dumps(self.raw, indent=1) + "\n")
        tables.csv_table(self.operations, self.kernels).to_csv(out / "results.csv", index=False, float_format="%.6g")
        page = out / "index.html"
        page.write_text(self.html())
        return page


def _share(kernel: dict | None) -> Cell:
    return EMPTY if kernel is None else Cell(f"{100 * kernel['share']:.1f}", f"{kernel['calls']:.3g} calls")
