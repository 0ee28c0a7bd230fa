"""Implicit rejection: the shared secret is one of two values, by whether two ciphertexts are the same, or by another
condition.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from proofs.domains import NotProved, bitvector
from proofs.domains.rebuilding import rebuilt
from proofs.machine import terms as T
from proofs.machine.terms import Node
from proofs.whole import values
from proofs.whole.fips203 import Choice
from proofs.whole.ntru import Rejection
from proofs.whole.values import Bytes, told

Known = Mapping[Node, Node]
NOTHING: Known = {}


class Claim(NamedTuple):
    what: str
    condition: Node


def check(got: Bytes, wanted: Choice) -> None:
    """For all values of the bytes that the choice is made of: these are taken for variables."""
    new: dict[Node, Node] = {}
    cut = Choice(*(_variables(what, s, new) for what, s in zip(Choice._fields, wanted, strict=True)))
    claim = Claim("ss = K if c = c', else the value of rejection", T.eq(T.concat(cut.c), T.concat(cut.again)))
    _check(got, new, claim, cut.equal, cut.other)


def check_rejection(got: Bytes, wanted: Rejection) -> None:
    """Likewise, and for all values of what the condition is made of."""
    new: dict[Node, Node] = {}
    accepted, rejected = (_variables(what, s, new) for what, s in zip(Rejection._fields[1:], wanted[1:], strict=True))
    made_of = {n: n for n in T.cone([wanted.fails]) if T.OP[n] == "var"}
    claim = Claim("ss = H(z || ct) if ct is no encryption, else H(r || m)", wanted.fails)
    _check(got, new, claim, rejected, accepted, made_of)


def _check(got: Bytes, new: Known, claim: Claim, if_true: Bytes, if_false: Bytes, made_of: Known = NOTHING) -> None:
    whole = {n: T.concat([new[T.extract(n, i, 8)] for i in range(0, T.W[n], 8)]) for n in {_whole(m) for m in new}}
    known = {**made_of, **whole}
    strange = [n for n in T.cone(got) if T.OP[n] == "var" and n not in known]
    if strange:
        raise NotProved(f"ss is made of {', '.join(map(told, strange[:3]))}")
    result = [rebuilt(n, known) for n in got]
    chosen = T.ite(claim.condition, T.concat(if_true), T.concat(if_false))
    _decide(T.eq(T.concat(result), chosen), claim.what)


def hashed(output: Bytes) -> Bytes:
    """The first bytes that were hashed for this output: the block before Keccak-f, or SHA-2's first one."""
    kind, name, *_ = T.ARGS[_whole(output[0])][0]
    if kind == "keccak-f":
        return [byte for word in values.before_permutation(name) for byte in T.split(word, 8)]
    if kind != "SHA-2":
        raise NotProved(f"ss is no output of a hash, but {told(output[0])}")
    state, block = values.before_compression(name)
    while T.OP[state[0]] == "var":
        state, block = values.before_compression(T.ARGS[state[0]][0][1])
    return block


def _variables(what: str, content: Bytes, new: dict[Node, Node]) -> Bytes:
    """A variable for each byte."""
    for i, n in enumerate(content):
        if n not in new:
            new[n] = T.var((what, i), 8)
            whole = _whole(n)
            for low in range(0, T.W[whole], 8):
                new.setdefault(T.extract(whole, low, 8), T.var((what, i, low), 8))
    return [new[n] for n in content]


def _whole(byte: Node) -> Node:
    """The variable that a byte is of."""
    ((n, low, _),) = T.pieces(byte)
    if T.OP[n] != "var" or low % 8:
        raise NotProved(f"a byte of the choice is no input and no output of a function, but {told(byte)}")
    return n


@cache
def _decide(claim: Node, what: str) -> None:
    """Once for all paths with the same code."""
    bitvector.check(claim, what)
