"""The parts of an operation's time: each group of kernels, and each kernel. SPDX-License-Identifier: Apache-2.0"""

from latkem_evaluate import format
from latkem_evaluate.charts import Chart, profile_chart, shares
from latkem_evaluate.palette import GROUPS, OPERATIONS, OUTSIDE, group_of
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import EMPTY, Cell, Row, Table


class Profile(Section):
    key = "profile"
    title = "Where the time goes"

    @property
    def shown(self) -> bool:
        return bool(self.keys())

    @property
    def answer(self) -> str:
        """The largest group of kernels in encapsulation, of the first and the last set on the fastest backend."""
        found = self.profiles("encaps", self.results.fastest)
        parts = []
        for profile in [found[0], found[-1]] if found else []:
            tint, share = max(shares(profile).items(), key=lambda item: item[1])
            parts.append(f"{profile['set']} spends {format.percent(share)} in {tint.title}")
        return f"Encapsulation with {self.results.fastest}: {', '.join(parts)}." if parts else ""

    def charts(self) -> list[Chart]:
        return [profile_chart(self.profiles(*key), *key) for key in self.keys()]

    def profiles(self, operation: str, backend: str) -> list[dict]:
        by_set = {
            profile["set"]: profile
            for profile in self.raw["profile"].get("profiles", [])
            if profile["operation"] == operation and profile["backend"] == backend
        }
        return [by_set[name] for name in self.results.set_names if name in by_set]

    def keys(self) -> list[tuple[str, str]]:
        """Operation and backend of each chart; the fastest backend first."""
        backends = reversed(self.results.backends)
        return [(op, backend) for backend in backends for op in OPERATIONS if self.profiles(op, backend)]

    def table(self, operation: str, backend: str) -> Table:
        """The share of each kernel in each set's time."""
        profiles = self.profiles(operation, backend)
        by_set = [{f"{k['family']}/{k['name']}": k for k in profile["kernels"]} for profile in profiles]
        table = Table([], [profile["set"] for profile in profiles])
        for group in GROUPS:
            names = {key: None for kernels in by_set for key in kernels if group_of(*key.split("/")) == group}
            rows = [Row(key, [_share(kernels.get(key)) for kernels in by_set]) for key in names]
            if rows:
                table.groups.append(rows)
        outside = [Cell(f"{100 * profile['other_share']:.0f}") for profile in profiles]
        table.groups.append([Row(OUTSIDE.title.lower(), outside)])
        return table


def _share(kernel: dict | None) -> Cell:
    return EMPTY if kernel is None else Cell(f"{100 * kernel['share']:.1f}", f"{kernel['calls']:.3g} calls")
