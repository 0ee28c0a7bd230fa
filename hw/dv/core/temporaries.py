#!/usr/bin/env python3
"""Writes a C++ header that clears the variables of a verilated model that are no registers: temporaries.py IN OUT.

Verilator keeps what is written to a part of an array (__Vlvbound), arguments and results of functions (__Vfunc) and
variables of blocks (unnamedblk) in variables of their own, as part of the state that a model saves.

SPDX-License-Identifier: Apache-2.0
"""

import re
import sys
from pathlib import Path

HEAD = """// Made by hw/dv/core/temporaries.py of {root}.h.
#include "{root}.h"

inline void clear_temporaries({root} &root)
{{
"""


def main() -> None:
    model, out = map(Path, sys.argv[1:])
    names = re.findall(r"\b(\w*(?:__Vlvbound_|__Vfunc_|unnamedblk)\w+);", model.read_text())
    out.write_text(HEAD.format(root=model.stem) + "".join(f"    root.{name} = {{}};\n" for name in names) + "}\n")


if __name__ == "__main__":
    main()
