"""AES-256 (FIPS 197) on terms: bytes in the order of the standard's arrays.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from proofs.machine import terms as T
from proofs.machine.terms import Node

ROUNDS = 14
KEY_WORDS = 8


def _add(x: Sequence[Node], y: Sequence[Node]) -> list[Node]:
    return [T.xor(a, b) for a, b in zip(x, y, strict=True)]


def _times_x(a: Node) -> Node:
    """4.2: a byte times {02}."""
    return T.xor(T.shl(a, 1), T.and_(T.sext(T.extract(a, 7, 1), 8), T.const(0x1B, 8)))


def expanded_key(key: Sequence[Node]) -> list[list[Node]]:
    """5.2, KeyExpansion(): the round keys."""
    w = [list(key[4 * i : 4 * i + 4]) for i in range(KEY_WORDS)]
    round_constant = T.const(1, 8)
    for i in range(KEY_WORDS, 4 * (ROUNDS + 1)):
        word = w[-1]
        if i % KEY_WORDS == 0:
            word = [T.sbox(a) for a in (*word[1:], word[0])]
            word[0], round_constant = T.xor(word[0], round_constant), _times_x(round_constant)
        elif i % KEY_WORDS == 4:
            word = [T.sbox(a) for a in word]
        w.append(_add(w[i - KEY_WORDS], word))
    return [[a for word in w[4 * r : 4 * r + 4] for a in word] for r in range(ROUNDS + 1)]


def _shift_rows(s: Sequence[Node]) -> list[Node]:
    """5.1.2: row r moves by r columns."""
    return [s[(i + 4 * (i % 4)) % 16] for i in range(16)]


def _mix_columns(s: Sequence[Node]) -> list[Node]:
    """5.1.3: {02} a + {03} b + c + d, in each row of a column."""
    mixed = []
    for i in range(16):
        a, b, c, d = (s[i // 4 * 4 + (i + k) % 4] for k in range(4))
        mixed.append(T.xor(T.xor(_times_x(a), T.xor(_times_x(b), b)), T.xor(c, d)))
    return mixed


def cipher(block: Sequence[Node], round_keys: Sequence[Sequence[Node]]) -> list[Node]:
    """5.1, Cipher()."""
    s = _add(block, round_keys[0])
    for r in range(1, ROUNDS):
        s = _add(_mix_columns(_shift_rows([T.sbox(a) for a in s])), round_keys[r])
    return _add(_shift_rows([T.sbox(a) for a in s]), round_keys[ROUNDS])
