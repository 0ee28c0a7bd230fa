#!/usr/bin/env python3
"""The amalgamation of every choice of sets compiles without a warning with every C library that is here. Two choices
with the same sources and definitions differ in rows of a table alone, and count as one. The quick rung tries a set of
each kind. LATKEM_TEST_DEEP tries every choice that differs in the sets alone, their pairs and the kinds below.
SPDX-License-Identifier: Apache-2.0
"""

import itertools
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import clibs

sys.path.insert(0, str(clibs.ROOT / "tools"))
import amalgamate

QUICK = ["all", "ML-KEM-768", "Kyber512", "Kyber1024-90s", "Saber", "NTRU-HPS-2048-509"]
# Ranks that need different kernels, with each of the hashes; then Saber or not, NTRU or not.
RANKS = [["512"], ["768"], ["1024"], ["512", "1024"], ["768", "1024"]]
NAMES = ["ML-KEM-{}", "Kyber{}", "Kyber{}-90s"]
KINDS = [[[name.format(rank) for rank in ranks] for name in NAMES for ranks in RANKS], [["Saber"]], [["NTRU-HRSS-701"]]]


def choices() -> Iterator[str]:
    yield from QUICK
    if clibs.DEEP:
        known = re.findall(r'^SET\("(.*?)"', (clibs.ROOT / "src" / "api" / "sets.inc").read_text(), re.M)
        yield from known
        for parts in itertools.product(*([[], *kind] for kind in KINDS)):
            if any(parts):
                yield ";".join(itertools.chain(*parts))
        yield from map(";".join, itertools.combinations(known, 2))


def main() -> int:
    libraries, tried, failed = clibs.here(), set(), 0
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        (folder / "latkem.h").write_text(amalgamate.header())
        for sets in choices():
            amalgamate.configure(sets, False, folder / "tree")
            built = (folder / "tree" / "src" / "less" / "built.txt").read_text()
            if built in tried:
                continue
            tried.add(built)
            (folder / "latkem.c").write_text(amalgamate.Amalgamation(folder / "tree").source())
            for library in libraries:
                if error := library.compiles([*clibs.STRICT, f"-I{folder}"], folder / "latkem.c"):
                    print(f"{library.name}, {sets}: {error}")
                    failed += 1
    print(f"choices: {len(tried)}, with {', '.join(library.name for library in libraries)}; {failed} do not compile")
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main())
