"""A section of the report. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Iterable
from typing import ClassVar

from latkem_evaluate.charts import Chart
from latkem_evaluate.results import Results


class Section:
    """A chapter of the page: its words and tables are in templates/sections/KEY.html.j2, which sees it as `section`.

    A chapter on hardware, or on another language's binding, is one more class in one more module, and its template."""

    key: ClassVar[str]
    title: ClassVar[str]
    parts: "tuple[Section, ...]" = ()  # sections that its template includes

    def __init__(self, results: Results) -> None:
        self.results = results
        self.raw = results.raw

    @property
    def shown(self) -> bool:
        """Whether there is anything to show."""
        return True

    @property
    def answer(self) -> str:
        """The chapter in a few words, shown beside its title while it is folded."""
        return ""

    def charts(self) -> Iterable[Chart]:
        return ()

    def problems(self) -> list[str]:
        """The failures."""
        return []


class DocumentSection(Section):
    """A chapter on one document of the raw results, which says under `absent` why nothing was measured."""

    document_key: ClassVar[str]

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.document: dict = self.raw.get(self.document_key) or {}

    @property
    def shown(self) -> bool:
        return bool(self.document)

    @property
    def absent(self) -> str:
        """Why nothing was measured."""
        return self.document.get("absent", "")
