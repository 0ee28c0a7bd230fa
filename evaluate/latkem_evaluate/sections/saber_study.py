"""The study of Saber from Java on phones and computers: what it published and what latkem does in the same places.

SPDX-License-Identifier: Apache-2.0
"""

from latkem_evaluate import facts
from latkem_evaluate.results import Results
from latkem_evaluate.sections.base import Section
from latkem_evaluate.sections.matrix_vector_mul import MatrixVectorMul
from latkem_evaluate.sections.saber import Saber
from latkem_evaluate.sections.saber_scenario import SaberScenario
from latkem_evaluate.sections.session_java import SessionJava
from latkem_evaluate.sections.session_key import SessionKey
from latkem_evaluate.sections.session_machines import SessionMachines

PARTS: tuple[type[Section], ...] = (SaberScenario, SessionKey, SessionJava, SessionMachines, Saber, MatrixVectorMul)


class SaberStudy(Section):
    """One chapter; what has something to show is a part of it."""

    key = "saber-study"
    title = "The Saber study"

    def __init__(self, results: Results) -> None:
        super().__init__(results)
        self.parts = tuple(kind(results) for kind in PARTS)
        self.source = facts.published()["sources"][facts.published()["saber_study"]["source"]]

    @property
    def answer(self) -> str:
        return " ".join(part.answer for part in self.parts if part.shown and isinstance(part, SessionKey | Saber))
