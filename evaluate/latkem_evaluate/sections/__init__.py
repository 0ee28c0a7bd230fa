"""The sections of the report, in its order. A new one is its module, its template and a line here.

SPDX-License-Identifier: Apache-2.0
"""

from latkem_evaluate.sections.aarch64 import Aarch64
from latkem_evaluate.sections.base import Section
from latkem_evaluate.sections.bindings import Bindings
from latkem_evaluate.sections.conformance import Conformance
from latkem_evaluate.sections.exchange import Exchange
from latkem_evaluate.sections.hardware import Hardware
from latkem_evaluate.sections.java import Java
from latkem_evaluate.sections.kernels import Kernels
from latkem_evaluate.sections.machine import Machine
from latkem_evaluate.sections.method import Method
from latkem_evaluate.sections.operations import Operations
from latkem_evaluate.sections.peers import Peers
from latkem_evaluate.sections.profile import Profile
from latkem_evaluate.sections.proofs import Proofs
from latkem_evaluate.sections.ranking import Ranking
from latkem_evaluate.sections.saber_study import SaberStudy
from latkem_evaluate.sections.sizes import Sizes
from latkem_evaluate.sections.stack import Stack
from latkem_evaluate.sections.studies import Studies
from latkem_evaluate.sections.tls import Tls
from latkem_evaluate.sections.trust import Trust

SECTIONS: tuple[type[Section], ...] = (
    *(Ranking, Operations, Peers, Tls, Bindings, Java, Kernels, Profile, Exchange),
    *(SaberStudy, Studies, Aarch64, Hardware),
    *(Sizes, Stack, Conformance, Proofs, Trust, Machine, Method),
)
