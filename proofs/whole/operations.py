"""ML-KEM's operations: what each call of the API has to give on each of its paths.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from proofs.domains import NotProved
from proofs.machine import terms as T
from proofs.theorems.bounds import SOURCES
from proofs.whole import selection, values
from proofs.whole.fips203 import SYM, Fips203, parts
from proofs.whole.models import above_q
from proofs.whole.paths import Path
from proofs.whole.values import Bytes, Residue, told

Spec = Fips203[Residue]
Operation = Callable[[Spec, Path], str]  # returns how the path ends
HEADER = SOURCES.parent / "include" / "latkem" / "latkem.h"
LEFT = 4  # bytes that a witness has


@cache
def errors() -> dict[str, int]:
    """The API's, by name."""
    return {name: int(n) for name, n in re.findall(r"(LATKEM_ERR_\w+)\s*=\s*(-?\d+)", HEADER.read_text())}


def variables(what: str, size: int) -> Bytes:
    return [T.var((what, i), 8) for i in range(size)]


def expect_streams(s: Spec, path: Path, rho: Bytes) -> None:
    for (i, j), blocks in s.blocks.items():
        path.expect_stream(s.xof(rho, j, i, blocks))


def check_same(got: Bytes, wanted: Bytes, what: str) -> None:
    for i, (x, y) in enumerate(zip(got, wanted, strict=True)):
        if not values.is_same(x, y):
            raise NotProved(f"byte {i} of {what} is {told(x)} instead of {told(y)}")


def check_result(got: int, wanted: int) -> None:
    if got != wanted:
        raise NotProved(f"it returns {got} instead of {wanted}")


def refused(path: Path, result: int, error: str, *outputs: tuple[int, int]) -> str:
    """The error of a key that is not valid: all outputs are zero."""
    check_result(result, errors()[error])
    for at, size in outputs:
        check_same(path.read(at, size), [T.const(0, 8)] * size, f"an output with {error}")
    return "refused"


def check_wiped(path: Path) -> None:
    """The code above the kernels leaves nothing on the stack that depends on an input: constants, the caller's
    registers, and bytes from before the call."""
    harmless = {n for register in path.machine.kept().values() for n, _, _ in T.pieces(register)} | path.memory.older
    left = {at: n for at, n in path.memory.left() if any(T.OP[m] == "var" and m not in harmless for m in T.cone([n]))}
    if left:
        some = ", ".join(f"{told(n)} at {at:#x}" for at, n in list(left.items())[:LEFT])
        raise NotProved(f"{len(left)} bytes that are left on the stack may depend on inputs: {some}")


def keygen(s: Spec, path: Path) -> str:
    d, z = variables("d", SYM), variables("z", SYM)
    ek, dk = path.output(s.p.ek, "ek"), path.output(s.p.dk, "dk")
    expect_streams(s, path, s.g([*d, T.const(s.p.k, 8)])[0])
    result = path.call("latkem_keypair_derand", [ek, dk, path.input([*d, *z], "the seed"), 2 * SYM])
    check_result(result, 0)
    wanted = s.keygen(d, z)
    check_same(path.read(ek, s.p.ek), wanted[0], "ek")
    check_same(path.read(dk, s.p.dk), wanted[1], "dk")
    return "done"


def encaps(s: Spec, path: Path) -> str:
    ek, m = variables("ek", s.p.ek), variables("m", SYM)
    path.make_public(ek)
    ct, ss = path.output(s.p.ct, "ct"), path.output(SYM, "ss")
    expect_streams(s, path, ek[s.p.vector :])
    arguments = [ct, ss, path.input(ek, "ek"), s.p.ek, path.input(m, "the coins"), SYM]
    result = path.call("latkem_encaps_derand", arguments)
    above = [above_q(ek[at : at + 384]) for at in range(0, s.p.vector, 384)]
    if not path.decides(T.is_zero(T.concat(above)), "all values in ek are below q"):
        return refused(path, result, "LATKEM_ERR_EK", (ct, s.p.ct), (ss, SYM))
    check_result(result, 0)
    wanted = s.encaps(ek, m)
    check_same(path.read(ct, s.p.ct), wanted[0], "ct")
    check_same(path.read(ss, SYM), wanted[1], "ss")
    return "done"


def decaps(s: Spec, path: Path) -> str:
    dk, c = variables("dk", s.p.dk), variables("c", s.p.ct)
    key = parts(s.p, dk)
    path.make_public([*key.ek, *key.h])
    ss = path.output(SYM, "ss")
    expect_streams(s, path, key.ek[s.p.vector :])
    result = path.call("latkem_decaps", [ss, path.input(c, "ct"), s.p.ct, path.input(dk, "dk"), s.p.dk])
    if not path.decides(T.eq(T.concat(key.h), T.concat(s.h(key.ek))), "the hash in dk is that of ek"):
        return refused(path, result, "LATKEM_ERR_DK", (ss, SYM))
    check_result(result, 0)
    selection.check(path.read(ss, SYM), s.decaps(dk, c))
    return "done"


def operations() -> Iterator[tuple[Operation, str]]:
    """With what is claimed of each."""
    yield keygen, "equals FIPS 203 algorithm 16"
    yield encaps, "equals FIPS 203 algorithm 17, with the check of 7.2"
    yield decaps, "equals FIPS 203 algorithm 18, with the hash check of 7.3"
