"""The known answers and the self-test as one matrix, sets by backends. SPDX-License-Identifier: Apache-2.0"""

from functools import cached_property

from latkem_evaluate.conformance import CHECK_NAMES, FAIL, NOT_RUN, PASS, merge
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import Cell, Row, Table

LETTERS = dict(zip(CHECK_NAMES, "KARVS", strict=True))
"""The name of a check in a cell that is not all right."""


class Conformance(Section):
    key = "conformance"
    title = "Conformance"
    letters = LETTERS

    @cached_property
    def verdicts(self) -> dict[tuple[str, str], dict[str, dict[str, str]]]:
        """By set and backend, then by check: {"status", "detail"}."""
        found: dict[tuple[str, str], list[dict]] = {}
        for result in self.raw["conformance"]:
            found.setdefault((result["set"], result["backend"]), []).append(result)
        return {
            (name, backend): {
                check: merge(r for r in found.get((name, backend), []) if r["check"] == check) for check in CHECK_NAMES
            }
            for name in self.results.set_names
            for backend in self.results.backends
        }

    @cached_property
    def counts(self) -> dict[str, int]:
        statuses = [verdict["status"] for checks in self.verdicts.values() for verdict in checks.values()]
        return {status: statuses.count(status) for status in (PASS, FAIL, NOT_RUN)}

    @property
    def answer(self) -> str:
        ran = self.counts[PASS] + self.counts[FAIL]
        parts = [f"{self.counts[PASS]} of {ran} checks passed"]
        parts += [f"{self.counts[FAIL]} FAILED"] if self.counts[FAIL] else []
        parts += [f"{self.counts[NOT_RUN]} not run"] if self.counts[NOT_RUN] else []
        return f"{', '.join(parts)}."

    def table(self) -> Table:
        backends = self.results.backends
        table = Table([], backends)
        rows = [
            Row(name, [_cell(self.verdicts[name, backend]) for backend in backends]) for name in self.results.set_names
        ]
        table.groups.append(rows)
        return table

    def notes(self) -> list[str]:
        """Why checks failed, and then why others were not run, each reason once."""
        failed: dict[str, None] = {}
        not_run: dict[str, None] = {}
        for (name, backend), checks in self.verdicts.items():
            for check, verdict in checks.items():
                if verdict["status"] == FAIL:
                    failed[f"{check}, {name} on {backend}: {verdict['detail']}"] = None
                elif verdict["status"] == NOT_RUN:
                    not_run[f"{check}, not run: {verdict['detail']}"] = None
        return [*failed, *not_run]


def _cell(checks: dict[str, dict[str, str]]) -> Cell:
    """The worst of the checks, with the letters of those that are like that."""
    for status, kind in ((FAIL, "fail"), (NOT_RUN, "not-run")):
        if found := {name: v["detail"] for name, v in checks.items() if v["status"] == status}:
            title = "; ".join(f"{name}: {detail}" for name, detail in found.items())
            return Cell(" ".join(LETTERS[name] for name in found), kind=kind, title=title)
    return Cell("", kind="pass", title="all five checks passed")
