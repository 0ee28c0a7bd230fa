"""The report: the page, made of its sections and of nothing but the raw results, and the files beside it.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from latkem_evaluate import charts, estimates, format
from latkem_evaluate.answers import Answers
from latkem_evaluate.palette import JAVA_TIERS, OPERATIONS, TIERS
from latkem_evaluate.results import Results
from latkem_evaluate.sections import SECTIONS, Section
from latkem_evaluate.sections.conformance import Conformance
from latkem_evaluate.sections.hardware import Hardware
from latkem_evaluate.sections.peers import Peers
from latkem_evaluate.sections.ranking import Ranking
from latkem_evaluate.sections.stack import Stack
from latkem_evaluate.sections.trust import Trust

Part = TypeVar("Part", bound=Section)


class Report:
    """All that the page needs, from the content of results.json."""

    def __init__(self, raw: dict) -> None:
        self.raw = raw
        self.results = Results(raw)
        self._charts: dict[str, dict[str, charts.Chart]] = {}
        self.chapters: list[Section] = [kind(self.results) for kind in SECTIONS]
        self.by_type: dict[type[Section], Section] = {
            type(section): section for chapter in self.chapters for section in (chapter, *chapter.parts)
        }
        self.answers = Answers(
            self.results,
            conformance=self.section(Conformance),
            peers=self.section(Peers),
            trust=self.section(Trust),
            stack=self.section(Stack),
            hardware=self.section(Hardware),
        )
        self.problems: list[str] = [
            *raw["problems"],
            *estimates.errors(self.results.documents),
            *(problem for section in self.by_type.values() for problem in section.problems()),
        ]

    def section(self, kind: type[Part]) -> Part:
        found = self.by_type[kind]
        assert isinstance(found, kind)
        return found

    @property
    def sections(self) -> list[Section]:
        """Those that have something to show, in the order of the page."""
        return [section for section in self.chapters if section.shown]

    @property
    def failed(self) -> bool:
        return bool(self.problems or self.section(Conformance).counts["fail"])

    @property
    def ranking(self) -> Ranking:
        return self.section(Ranking)

    @property
    def seconds(self) -> float:
        return sum(self.raw["seconds"].values())

    # Charts and files

    def charts_of(self, section: Section) -> dict[str, charts.Chart]:
        if section.key not in self._charts:
            self._charts[section.key] = {chart.name: chart for chart in section.charts()}
        return self._charts[section.key]

    def svg(self, section: Section, name: str) -> Markup:
        return Markup(self.charts_of(section)[name].inline_svg())

    def html(self) -> str:
        return self._render("page.html.j2")

    def chapter(self, kind: type[Section]) -> str:
        """One section alone."""
        return self._render("chapter.html.j2", section=self.section(kind))

    def _render(self, template: str, **more: Section) -> str:
        environment = Environment(
            loader=PackageLoader("latkem_evaluate"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {"percent": format.percent, "grouped": format.grouped, "minutes": format.minutes}
        return environment.get_template(template).render(
            report=self,
            results=self.results,
            raw=self.raw,
            tiers=TIERS,
            java_tiers=JAVA_TIERS,
            operations=OPERATIONS,
            many=self.results.several_backends,
            palette=charts.PALETTE,
            series=charts.SERIES,
            **more,
        )

    def write(self, out: Path) -> Path:
        """Writes the page, the tables and the charts; returns the page's path."""
        folder = out / "charts"
        folder.mkdir(parents=True, exist_ok=True)
        for old in [*folder.glob("*.png"), *folder.glob("*.svg")]:
            old.unlink()
        for section in (part for chapter in self.sections for part in (chapter, *chapter.parts) if part.shown):
            for chart in self.charts_of(section).values():
                chart.save(folder)
        (out / "results.json").write_text(json.dumps(self.raw) + "\n")
        table = estimates.csv_table(self.results.operations, self.results.kernels)
        table.to_csv(out / "results.csv", index=False, float_format="%.6g")
        page = out / "index.html"
        page.write_text(self.html())
        return page
