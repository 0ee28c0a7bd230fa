"""The machine and the build. SPDX-License-Identifier: Apache-2.0"""

from latkem_evaluate.sections.base import Section


class Machine(Section):
    key = "machine"
    title = "Machine and build"

    @property
    def answer(self) -> str:
        return f"{self.raw['machine']['CPU']}; {self.raw['build'].get('Compiler', '')}."

    def build(self) -> dict[str, str]:
        core = self.raw["core"]
        return self.raw["build"] | {
            "Library": f"latkem {self.raw['library']['version']}",
            "Backends that run here": ", ".join(self.results.backends),
            "Pinned to core": "no" if core is None else str(core),
        }
