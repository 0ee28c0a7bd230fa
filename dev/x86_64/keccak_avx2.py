#!/usr/bin/env python3
"""Writes four rounds of Keccak for 16 vector registers, in the order of keccak_order_avx2.txt: keccak_rounds.inc of
src/arch/x86_64/avx2.

A line of the order is an operation of one round (FIPS 202 section 3.2); words a are those before theta, b those before
chi, e those of the next round, c[x] is the parity of column x:

    carry x      the highest bits of c[x], for its rotation by one bit
    double x     the others
    turn x       t[x] <- both
    sum x        d[x] <- c[x-1] ^ t[x+1]
    theta x y    b[x,y] <- the word a that pi brings there, with d
    up x y       the upper bits of its rotation
    down x y     the lower ones
    rho x y      b[x,y] <- both
    bytes x y    b[x,y], rotated by whole bytes, in place of these three
    and x y      ~b[x+1,y] & b[x+2,y]
    chi x y      e[x,y] <- b[x,y] ^ that
    iota         e[0,0] ^= the round's constant
    store x y    e[x,y] goes to memory, where the words a of its row were
    add x y      c[x] ^= e[x,y], of the next round; the row that a column lacks here begins it

The words are in memory, as arch/x86_64/keccak_rounds.h says, and so is d[0]; all else is in registers.

With --search the program looks for a better order: it moves operations, measures the permutation by time_orders.c on
this CPU, and keeps the fastest. With --check it writes nothing and says whether the file is up to date.
SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import defaultdict
from collections.abc import Iterator

from keccak import HERE, RHO, ROOT, ROUNDS, Op, Timing, Variant, main, mended, moved, origin, place

FOLDER = ROOT / "src" / "arch" / "x86_64" / "avx2"
VARIANT = Variant("avx2", HERE / "keccak_order_avx2.txt", FOLDER / "keccak_rounds.inc")
REGISTERS, KEPT = 16, 0  # the x of the d that is in memory

Value = tuple[object, ...]
Step = tuple[str, Value | None, tuple[Value, ...], tuple[int, ...]]  # a macro, what it makes, of what, and numbers


def distance(x: int, y: int) -> int:
    """By which the word that pi brings to x, y is rotated."""
    of_x, of_y = origin(x, y)
    return RHO[of_x][of_y]


def rotated(x: int, y: int) -> Op:
    """The operation that b[x,y] comes from."""
    n = distance(x % 5, y)
    return ("theta" if n == 0 else "bytes" if n % 8 == 0 else "rho", x % 5, y)


def ready(x: int, y: int) -> Op:
    return ("iota",) if x == y == 0 else ("chi", x, y)


def first_rows(ops: list[Op]) -> list[int]:
    """By column, the row that begins the sum."""
    return [({0, 1, 2, 3, 4} - {op[2] for op in ops if op[:2] == ("add", x)}).pop() for x in range(5)]


def rules(ops: list[Op]) -> dict[Op, set[Op]]:
    """The operations that each operation has to follow."""
    after: dict[Op, set[Op]] = defaultdict(set)
    rows = first_rows(ops)
    for x in range(5):
        after["turn", x] |= {("carry", x), ("double", x)}
        after["sum", x].add(("turn", (x + 1) % 5))
        for y in range(5):
            at = (x, y)
            after["theta", *at].add(("sum", origin(x, y)[0]))
            for half in ("up", "down", "bytes"):
                after[half, *at].add(("theta", *at))
            after["rho", *at] |= {("up", *at), ("down", *at)}
            after["and", *at] |= {rotated(x + 1, y), rotated(x + 2, y)}
            after["chi", *at] |= {("and", *at), rotated(x, y)}
            after["store", *at] |= {ready(x, y), *(("theta", i, y) for i in range(5))}
            after["add", *at] |= {ready(x, y), ready(x, rows[x])}
    after["iota",].add(("chi", 0, 0))
    return after


def steps(ops: list[Op]) -> Iterator[Step]:
    """The instructions of four rounds, with values in place of registers."""
    rows = first_rows(ops)
    for turn in range(ROUNDS):
        added = [0] * 5
        parity: list[Value] = [("e", turn, x, rows[x]) for x in range(5)]
        for name, *at in ops:
            if name == "iota":
                yield "CONSTANT", ("constant", turn), (), (turn,)
                yield "XOR", ("e", turn, 0, 0), (("chi", turn), ("constant", turn)), ()
                continue
            x, value = at[0], (name, turn, *at)
            if name == "carry":
                yield "DOWN", value, (("c", turn, x),), (63,)
            elif name == "double":
                yield "TWICE", value, (("c", turn, x),), ()
            elif name == "turn":
                yield "OR", value, (("carry", turn, x), ("double", turn, x)), ()
            elif name == "sum":
                yield "XOR", value, (("c", turn, (x + 4) % 5), ("turn", turn, (x + 1) % 5)), ()
                if x == KEPT:
                    yield "KEEP", None, (value,), ()
            else:
                yield from word_steps(name, turn, at[0], at[1], parity, added)


def word_steps(name: str, turn: int, x: int, y: int, parity: list[Value], added: list[int]) -> Iterator[Step]:
    """Those of an operation on a word of row y."""
    of_x, of_y = origin(x, y)
    value, n = (name, turn, x, y), distance(x, y)
    word = place(turn, of_x, of_y)
    b = [(rotated(x + i, y)[0], turn, (x + i) % 5, y) for i in range(3)]
    e: Value = ("e", turn, x, y)
    if name == "theta" and of_x == KEPT:
        yield "LOAD", ("word", *value), (), (word,)
        yield "XOR_KEPT", value, (("word", *value),), ()
    elif name == "theta":
        yield "XOR_WORD", value, (("sum", turn, of_x),), (word,)
    elif name == "up":
        yield "UP", value, (("theta", turn, x, y),), (n,)
    elif name == "down":
        yield "DOWN", value, (("theta", turn, x, y),), (64 - n,)
    elif name == "rho":
        yield "OR", value, (("up", turn, x, y), ("down", turn, x, y)), ()
    elif name == "bytes":
        yield "BYTES", value, (("theta", turn, x, y),), (n,)
    elif name == "and":
        yield "AND_NOT", value, (b[1], b[2]), ()
    elif name == "chi":
        yield "XOR", ("chi", turn) if x == y == 0 else e, (("and", turn, x, y), b[0]), ()
    elif name == "store":
        yield "STORE", None, (e,), (place(turn + 1, x, y),)
    else:
        added[x] += 1
        total: Value = ("c", turn + 1, x) if added[x] == 4 else ("part", turn, x, added[x])
        yield "XOR", total, (parity[x], e), ()
        parity[x] = total


def allocated(ops: list[Op]) -> list[str]:
    """The instructions; of the parities, c[x] is in register x before the first and behind the last round. Raises
    ValueError if there are too few registers."""
    made = list(steps(ops))
    last = {value: i for i, (_, _, read, _) in enumerate(made) for value in read}
    of: dict[Value, int] = {("c", 0, x): x for x in range(5)}
    free, lines = list(range(5, REGISTERS)), []
    for i, (macro, value, read, numbers) in enumerate(made):
        registers = [of[v] for v in read]
        free += [of.pop(v) for v in dict.fromkeys(read) if last[v] == i]
        to = []
        if value is not None:
            if not free:
                raise ValueError("too few registers")
            adds = value[0] in ("c", "part") and registers[0] in free
            to = [registers[0] if adds else free[0]]
            free.remove(to[0])
            of[value] = to[0]
        lines.append(f"{macro}({', '.join(map(str, (*to, *registers, *numbers)))})")
    return lines + moves({x: of["c", ROUNDS, x] for x in range(5)})


def moves(source: dict[int, int]) -> list[str]:
    """Moves of registers, for each the one that it is to have, at once."""
    lines = []
    waiting = {to: register for to, register in source.items() if to != register}
    while waiting:
        to = next((to for to in waiting if to not in waiting.values()), None)
        if to is None:  # a cycle: one of it makes room
            spare = next(r for r in range(REGISTERS) if r not in {*source, *source.values(), *waiting.values()})
            to = next(iter(waiting))
            lines.append(f"MOVE({spare}, {to})")
            waiting = {t: spare if register == to else register for t, register in waiting.items()}
        lines.append(f"MOVE({to}, {waiting.pop(to)})")
    return lines


def rounds(ops: list[Op]) -> str:
    return "".join(f"{line}\n" for line in allocated(ops))


def fits(ops: list[Op]) -> bool:
    try:
        allocated(ops)
    except ValueError:
        return False
    return True


# ---- The search ----


def begun_otherwise(ops: list[Op]) -> list[Op]:
    """A column's sum begins with another row; the order is mended."""
    x = random.randrange(5)
    row = first_rows(ops)[x]
    other = random.choice([y for y in range(5) if y != row])
    begun = [("add", x, row) if op == ("add", x, other) else op for op in ops]
    return mended(begun, rules(begun))


def candidate(ops: list[Op]) -> list[Op]:
    while True:
        found = begun_otherwise(ops) if random.random() < 0.1 else ops
        after = rules(found)
        for _ in range(random.choice([1, 1, 2, 3, 5, 8])):
            found = moved(found, after, (2, 4, 8, 16, 40, 80))
        if fits(found):
            return found


TIMING = Timing(FOLDER, rounds, lanes=(4,), stride=4)

if __name__ == "__main__":
    raise SystemExit(main(__doc__ or "", [VARIANT], TIMING, candidate, fits))
