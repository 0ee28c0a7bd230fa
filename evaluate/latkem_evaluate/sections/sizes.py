"""Bytes of keys, ciphertexts and seeds. SPDX-License-Identifier: Apache-2.0"""

from latkem_evaluate import format
from latkem_evaluate.sections.base import Section
from latkem_evaluate.table import Cell, Row, Table

COLUMNS = {"NIST category": "level", "ek": "ek_bytes", "dk": "dk_bytes", "ct": "ct_bytes", "ss": "ss_bytes"} | {
    "seed": "seed_bytes"
}


class Sizes(Section):
    key = "sizes"
    title = "Sizes"

    @property
    def answer(self) -> str:
        sent = {entry["name"]: entry["ek_bytes"] + entry["ct_bytes"] for entry in self.results.sets}
        least, most = min(sent, key=sent.__getitem__), max(sent, key=sent.__getitem__)
        grouped = [f"{format.grouped(sent[name])} ({name})" for name in (least, most)]
        return f"A key exchange sends {' to '.join(grouped)} bytes."

    def table(self) -> Table:
        table = Table([], list(COLUMNS))
        rows = [
            Row(
                entry["name"],
                [Cell(format.grouped(entry[key])) for key in COLUMNS.values()],
                "standard" if entry["standard"] else "research",
            )
            for entry in self.results.sets
        ]
        table.groups.append(rows)
        return table
