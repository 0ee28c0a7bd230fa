"""A breach of a layer is seen, however it is written.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1]))

import check_layers
from check_layers import problems

BREACHES = {
    "a header of the library by its name": ("cli/keys.cpp", '#include "shared/ct.h"', "src/shared/ct.h"),
    "by a way through the tree": ("cli/keys.cpp", '#include "../src/shared/ct.h"', "src/shared/ct.h"),
    "by a longer way": ("tests/cli/run.cpp", '#  include "../../cli/../protocol/hybrid/hybrid.h"', "protocol/hybrid"),
    "in angle brackets": ("cli/keys.cpp", "#include <shared/ct.h>", "src/shared/ct.h"),
    "a file that no header is": ("bench/lib/watch.cpp", '#include "../../cli/keys.cpp"', "cli/keys.cpp"),
    "a module of another area": ("evaluate/latkem_evaluate/cli.py", "import proofs.machine", "proofs/machine"),
    "a name from one": ("evaluate/latkem_evaluate/cli.py", "from proofs.machine import terms", "proofs/machine/terms"),
    "within a function": ("hw/cores.py", "def f():\n    import evaluate.latkem_evaluate", "evaluate"),
    "by the path of imports": ("hw/cores.py", 'import sys\nsys.path.append(str(HERE / "proofs"))', "proofs"),
    "a scheme in another": ("src/scheme/saber/kem.c", '#include "scheme/mlkem/internal.h"', "scheme/mlkem/internal.h"),
    "a ring in another": ("src/ring/q3329/portable.c", '#include "ring/cyclic/kernels.h"', "ring/cyclic/kernels.h"),
    "a layer above": ("src/base/bytes.h", '#include "scheme/scheme.h"', "scheme/scheme.h"),
    "a layer above the shared one": ("src/shared/row.h", '#include "base/bytes.h"', "base/bytes.h"),
    "a row in a ring": ("src/ring/q3329/portable.c", '#include "shared/row.h"', "shared/row.h"),
    "more of the library than is shared": ("protocol/noise/session.c", '#include "base/bytes.h"', "src/base/bytes.h"),
    "a layer above, with blanks": ("src/base/ct.h", ' # include "scheme/row.h"', "scheme/row.h"),
    "a condition in a scheme": ("src/scheme/mlkem/kem.c", "#ifdef LATKEM_X", "no #if"),
    "a machine that knows theorems": (
        "proofs/machine/terms.py",
        "from proofs.theorems import q3329",
        "proofs/theorems",
    ),
    "a relative import": ("proofs/domains/linear.py", "from ..theorems import q3329", "proofs/theorems"),
}


@pytest.mark.parametrize("breach", BREACHES.values(), ids=BREACHES)
def test_is_seen(breach: tuple[str, str, str]) -> None:
    path, source, what = breach
    found = problems(path, source)
    assert len(found) == 1
    assert what in found[0]


ALLOWED = {
    "the shared headers": ("protocol/noise/session.c", '#include "shared/ct.h"'),
    "the public headers": ("cli/keys.cpp", "#include <latkem/latkem.h>"),
    "a header of the system that has a stand-in": ("cli/files.cpp", "#include <unistd.h>"),
    "a header beside the file": ("src/scheme/mlkem/kem.c", '#include "scheme/mlkem/internal.h"'),
    "a module of the same area": ("hw/syn/area.py", "import synthesis"),
    "a machine in a theorem": ("proofs/theorems/q3329.py", "from proofs.machine import terms"),
    "a module that a folder of builds has the name of": ("bindings/java/android/test.py", "from build import sdk"),
}


@pytest.mark.parametrize("source", ALLOWED.values(), ids=ALLOWED)
def test_is_none(source: tuple[str, str]) -> None:
    assert problems(*source) == []


def test_the_tree_has_none() -> None:
    assert check_layers.main() == 0
