#!/usr/bin/env python3
"""Writes four rounds of Keccak for 32 vector registers, in the orders of keccak_order.txt and keccak_order_zen5.txt:
keccak_rounds.inc and keccak_rounds_zen5.inc of src/arch/x86_64/avx512.

A line of an order is an operation of one round (FIPS 202 section 3.2); words a are those before rho, b those before
chi, e those of the next round:

    turn x       t[x] <- c[x] <<< 1, where c[x] is the parity of column x
    sum x        t[x+1] ^= c[x-1]; an order may lack it
    theta x y    a[x,y] ^= c[x-1] ^ t[x+1], or behind sum x, a[x,y] ^= t[x+1]
    rho x y      b[x,y] <- the word that pi brings there, rotated
    copy x y     b[x,y] once more, because chi overwrites it too early
    chi x y      e[x,y] <- b[x,y] ^ (~b[x+1,y] & b[x+2,y]), or with e[x+1,y] for b[x+1,y], which comes to the same
    iota         e[0,0] ^= the round's constant
    begin x y    c[x] <- e[x,y], of the next round
    add x y z    c[x] ^= e[x,y] ^ e[x,z]
    add x y      c[x] ^= e[x,y]

Words are in registers 0 to 24, as arch/x86_64/keccak_rounds.h says, parities in 25 to 29. The others, and those of
parities that are not needed any more, have the turned parities, and of each row the word b that comes first.

With --search the program looks for a better order: it moves operations, takes other words for copy, begin and add,
adds a sum or takes it away, and splits or joins what add does. It measures the permutation by time_orders.c on this CPU
and keeps the fastest. With --check it writes nothing and says whether the files are up to date.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Op = tuple[Any, ...]  # a name and numbers

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDER = ROOT / "src" / "arch" / "x86_64" / "avx512"


def macro(code: str) -> str:
    """ROUNDS, for keccak_permute.inc."""
    lines = " \\\n".join(f"    {line}" for line in code.splitlines())
    return f"#undef ROUNDS\n#define ROUNDS \\\n{lines}\n"


@dataclass(frozen=True)
class Variant:
    """An order and the code that is made of it."""

    name: str
    order: Path
    code: Path

    def text(self, rounds: Callable[[list[Op]], str]) -> str:
        made, source = Path(sys.argv[0]).name, self.order.relative_to(ROOT)
        head = f"/* Made by dev/x86_64/{made} from {source}. SPDX-License-Identifier: Apache-2.0 */\n"
        return head + macro(rounds(read(self.order.read_text())))


VARIANTS = [
    Variant("any", HERE / "keccak_order.txt", FOLDER / "keccak_rounds.inc"),
    Variant("zen5", HERE / "keccak_order_zen5.txt", FOLDER / "keccak_rounds_zen5.inc"),
]

ROUNDS = 4
PARITIES, SPARE, REGISTERS = 25, 30, 32
PLACES = [(0, 1), (1, 2), (3, 4), (2, 3)]  # keccak_rounds.h
RHO = [[0, 36, 3, 41, 18], [1, 44, 10, 45, 2], [62, 6, 43, 15, 61], [28, 55, 25, 21, 56], [27, 20, 39, 8, 14]]

IOTA: Op = ("iota",)


def place(turn: int, x: int, y: int) -> int:
    """The register of word x, y before a round."""
    p, q = PLACES[turn % ROUNDS]
    return x % 5 + 5 * ((p * (x % 5) + q * y) % 5)


def origin(x: int, y: int) -> tuple[int, int]:
    """The word that pi brings to x, y."""
    return (x + 3 * y) % 5, x


def copied(ops: list[Op]) -> list[int]:
    """By row, the word that is there twice."""
    return [x for y in range(5) for op, x, *rest in (o for o in ops if len(o) > 1) if op == "copy" and rest == [y]]


class Rules:
    """The operations that each operation has to follow, in an order with these copies and sums."""

    def __init__(self, ops: list[Op]) -> None:
        self.after: dict[Op, set[Op]] = {op: set() for op in ops}
        self.copied = copied(ops)
        for x in range(5):
            for y in range(5):
                self.add(("theta", x, y), ("turn", (x + 1) % 5))
            if ("sum", x) in self.after:
                self.add(("sum", x), ("turn", (x + 1) % 5))
        for y in range(5):
            self.row(y)
        last = [("chi", (self.copied[0] + step) % 5, 0) for step in (1, 4)]
        self.add(IOTA, ("chi", 0, 0), *last)  # they read words, not what iota makes of them
        for op in ops:
            if op[0] in ("begin", "add"):
                self.add(op, *(self.ready(op[1], y) for y in op[2:]))
        for x in range(5):
            begin, *adds = (op for op in ops if op[0] in ("begin", "add") and op[1] == x)
            self.add(begin, ("turn", x), *(("theta", (x + 1) % 5, y) for y in range(5)))
            if ("sum", (x + 1) % 5) in self.after:
                self.add(begin, ("sum", (x + 1) % 5))
            for op in adds:
                self.add(op, begin)

    def add(self, op: Op, *others: Op) -> None:
        self.after[op].update(other for other in others if other != op)

    @staticmethod
    def ready(x: int, y: int) -> Op:
        return IOTA if x == y == 0 else ("chi", x, y)

    @staticmethod
    def rotated(x: int, y: int) -> Op:
        """The operation that b[x,y] comes from: word 0 is not rotated."""
        return ("theta", 0, 0) if x == y == 0 else ("rho", x, y)

    def row(self, y: int) -> None:
        for x in range(5):
            if (x, y) != (0, 0):
                self.add(("rho", x, y), ("theta", *origin(x, y)))
        # A word is rotated into the register that another has left, the first one into a spare register.
        first = x = (self.copied[y] + 3) % 5
        while y > 0 and (vacated := origin(x, y)[0]) != first:
            self.add(("rho", vacated, y), ("rho", x, y))
            x = vacated
        b = [(self.copied[y] + 1 + i) % 5 for i in range(5)]
        copy, *e = ("copy", b[4], y), *(("chi", x, y) for x in b)
        r = [self.rotated(x, y) for x in b]
        self.add(copy, r[4], r[2], ("rho", x, y) if y > 0 else r[2])
        self.add(e[4], copy, r[0], r[1])
        self.add(e[2], copy, r[2], r[3])
        self.add(e[1], e[4], r[2], r[3])
        self.add(e[3], e[4], e[2], e[1])
        self.add(e[0], e[3], e[1])


class Registers:
    """The registers of turned parities ("turn", x), and of the first words of rows ("rho", y); whether they suffice."""

    def __init__(self, ops: list[Op]) -> None:
        self.of: dict[tuple[str, int], int] = {}
        self.fits = True
        rows = copied(ops)
        begins = {PARITIES + op[1]: i for i, op in enumerate(ops) if op[0] == "begin"}
        readers = [self.values_read(op, rows, ops[:i]) for i, op in enumerate(ops)]
        last = {value: i for i, values in enumerate(readers) for value in values}
        free = set(range(SPARE, REGISTERS))
        for i, op in enumerate(ops):
            value = self.value_made(op, rows)
            if op[0] == "begin":
                self.fits &= PARITIES + op[1] in free
                free.discard(PARITIES + op[1])
            elif value:
                if not free:
                    self.fits = False
                    return
                self.of[value] = max(free, key=lambda register: (begins.get(register, len(ops)), register))
                free.discard(self.of[value])
            free.update(self.of[v] if v in self.of else PARITIES + v[1] for v in readers[i] if last[v] == i)

    @staticmethod
    def value_made(op: Op, rows: list[int]) -> tuple[str, int] | None:
        if op[0] == "turn":
            return ("turn", op[1])
        return ("rho", op[2]) if op[0] == "rho" and op[1] == (rows[op[2]] + 3) % 5 else None

    @staticmethod
    def values_read(op: Op, rows: list[int], before: list[Op]) -> list[tuple[str, int]]:
        if op[0] == "theta" and ("sum", op[1]) in before:
            return [("turn", (op[1] + 1) % 5)]
        if op[0] in ("theta", "sum"):
            return [("parity", (op[1] + 4) % 5), ("turn", (op[1] + 1) % 5)]
        if op[0] == "turn":
            return [("parity", op[1])]
        in_use = op[0] == "chi" and (op[1] - rows[op[2]]) % 5 in (1, 2, 3)
        return [("rho", op[2])] if in_use else []


def instruction(op: Op, turn: int, rows: list[int], registers: dict[tuple[str, int], int], before: list[Op]) -> str:
    """An operation in round `turn`, behind others of the round, by the macros of keccak_instructions.h."""

    def e(x: int, y: int) -> int:
        return place(turn + 1, x, y)

    name, *at = op
    if name == "iota":
        return f"IOTA({e(0, 0)}, {turn})"
    x = at[0]
    if name == "turn":
        return f"ROTATE({registers['turn', x]}, {PARITIES + x}, 1)"
    if name == "sum":
        return f"XOR({registers['turn', (x + 1) % 5]}, {PARITIES + (x + 4) % 5})"
    if name == "theta" and ("sum", x) in before:
        return f"XOR({place(turn, x, at[1])}, {registers['turn', (x + 1) % 5]})"
    if name == "theta":
        return f"XOR2({place(turn, x, at[1])}, {PARITIES + (x + 4) % 5}, {registers['turn', (x + 1) % 5]})"
    if name == "begin":
        return f"COPY({PARITIES + x}, {e(x, at[1])})"
    if name == "add":
        words = ", ".join(str(e(x, y)) for y in at[1:])
        return f"{'XOR2' if len(at) == 3 else 'XOR'}({PARITIES + x}, {words})"
    y = at[1]
    b = [e(rows[y] + 1 + i, y) for i in range(5)]
    places = [b[0], b[1], registers["rho", y], b[3], b[4]]
    role = (x - rows[y] - 1) % 5
    if name == "rho":
        return f"ROTATE({places[role]}, {place(turn, *origin(x, y))}, {RHO[origin(x, y)[0]][origin(x, y)[1]]})"
    if name == "copy":
        return f"COPY({b[2]}, {b[4]})"
    if role == 2:
        return f"CHI_LAST({places[2]}, {places[3]}, {b[2]})"
    return f"CHI({places[role]}, {places[(role + 1) % 5]}, {places[(role + 2) % 5]})"


def rounds(ops: list[Op]) -> str:
    rows, registers = copied(ops), Registers(ops).of
    return "".join(
        f"{instruction(op, turn, rows, registers, ops[:i])}\n" for turn in range(ROUNDS) for i, op in enumerate(ops)
    )


def read(text: str) -> list[Op]:
    return [(name, *map(int, at)) for name, *at in (line.split() for line in text.splitlines())]


def written(ops: list[Op]) -> str:
    return "".join(" ".join(map(str, op)) + "\n" for op in ops)


# ---- The search ----


def moved(ops: list[Op], after: dict[Op, set[Op]], reaches: Sequence[int]) -> list[Op]:
    """One operation goes to another place that the rules allow, at most one of the reaches away."""
    ops = list(ops)
    at = random.randrange(len(ops))
    op = ops.pop(at)
    first = max((i + 1 for i, other in enumerate(ops) if other in after[op]), default=0)
    end = min((i for i, other in enumerate(ops) if op in after[other]), default=len(ops))
    reach = random.choice(reaches)
    ops.insert(random.randint(max(first, at - reach), max(first, min(end, at + reach))), op)
    return ops


def mended(ops: list[Op], after: dict[Op, set[Op]]) -> list[Op]:
    """The operations in an order that the rules allow."""
    waiting, present, ordered = list(ops), set(ops), dict[Op, None]()
    while waiting:
        op = next(op for op in waiting if after[op] & present <= ordered.keys())
        ordered[op] = None
        waiting.remove(op)
    return list(ordered)


def with_or_without_sum(ops: list[Op]) -> list[Op]:
    """Theta of a column gets a sum, before one of its first words, or loses it."""
    x = random.randrange(5)
    if ("sum", x) in ops:
        return [op for op in ops if op != ("sum", x)]
    at = random.choice([i for i, op in enumerate(ops) if op[:2] == ("theta", x)][:4])
    return [*ops[:at], ("sum", x), *ops[at:]]


def split_or_joined(ops: list[Op]) -> list[Op]:
    """Two words of a column are added one by one, or two that were so are added together."""
    at = random.choice([i for i, op in enumerate(ops) if op[0] == "add"])
    name, x, *words = ops[at]
    if len(words) == 2:
        return [*ops[:at], (name, x, words[0]), (name, x, words[1]), *ops[at + 1 :]]
    for i, op in enumerate(ops[at + 1 :], at + 1):
        if op[:2] == (name, x) and len(op) == 3:
            return [*ops[:at], *ops[at + 1 : i], (name, x, words[0], op[2]), *ops[i + 1 :]]
    return ops


def changed(ops: list[Op]) -> list[Op]:
    """Another word is copied, or a column's words are summed otherwise; the order is mended."""
    choice = random.random()
    if choice < 0.3:
        return with_or_without_sum(ops)
    if choice < 0.5:
        return split_or_joined(ops)
    if choice < 0.7:
        y = random.randrange(5)
        x = random.choice([x for x in range(5) if y > 0 or x != 2])  # word 0 is in no spare register
        ops = [("copy", x, y) if op[0] == "copy" and op[2] == y else op for op in ops]
    else:
        x, (y, z) = random.randrange(5), random.sample(range(5), 2)
        swap = {y: z, z: y}
        sums = ("begin", "add")
        ops = [(*op[:2], *(swap.get(i, i) for i in op[2:])) if op[0] in sums and op[1] == x else op for op in ops]
    return mended(ops, Rules(ops).after)


def candidate(ops: list[Op]) -> list[Op]:
    while True:
        found = changed(ops) if random.random() < 0.25 else ops
        after = Rules(found).after
        for _ in range(random.choice([1, 1, 1, 2, 3, 5])):
            found = moved(found, after, (2, 4, 8, 16, 40))
        if Registers(found).fits:
            return found


@dataclass(frozen=True)
class Timing:
    """How the code of orders is timed: the folder with keccak_permute.inc and keccak_instructions.h, the code of an
    order, the numbers of lanes that a permutation may have, and the words of a row in memory."""

    folder: Path
    rounds: Callable[[list[Op]], str]
    lanes: tuple[int, ...]
    stride: int

    def ticks(self, orders: list[list[Op]], lanes: int, rounds_timed: int) -> list[float]:
        """The ticks of each order, by time_orders.c."""
        with tempfile.TemporaryDirectory() as name:
            folder, text = Path(name), ""
            for i, ops in enumerate(orders):
                (folder / f"rounds_{i}.inc").write_text(macro(self.rounds(ops)))
                text += f"#undef PERMUTE\n#define PERMUTE order_{i}\n"
                text += f'#include "rounds_{i}.inc"\n#include "keccak_permute.inc"\n'
            names = ", ".join(f"order_{i}" for i in range(len(orders)))
            (folder / "orders.inc").write_text(f"{text}static void (*const orders[])(uint64_t *) = {{{names}}};\n")
            sources = [str(HERE / "time_orders.c"), str(ROOT / "src/symmetric/keccak/portable.c"), "-lm"]
            options = ["-O2", "-march=native", f"-DLANES={lanes}", f"-DSTRIDE={self.stride}"]
            folders = [f"-I{self.folder}", f"-I{ROOT / 'src'}", f"-I{folder}"]
            command = [str(folder / "time"), str(rounds_timed)]
            subprocess.run(["cc", *options, *folders, *sources, "-o", command[0]], check=True)
            return [float(line) for line in subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split()]


Change = Callable[[list[Op]], list[Op]]


def search(ops: list[Op], change: Change, timing: Timing, lanes: int, seconds: float) -> list[Op]:
    """The fastest order found: each time the best four of 48 go on, after they were measured twice."""
    best, end = [ops], time.monotonic() + seconds
    while time.monotonic() < end:
        orders = best + [change(random.choice(best)) for _ in range(48 - len(best))]
        for kept, rounds_timed in ((12, 60), (4, 150)):
            measured = sorted(zip(timing.ticks(orders, lanes, rounds_timed), range(len(orders)), strict=True))
            orders = [orders[i] for _, i in measured[:kept]]
        best = orders
        print(f"{measured[0][0]:.1f} ticks", flush=True)
    return best[0]


def main(about: str, variants: list[Variant], timing: Timing, change: Change, fits: Callable[[list[Op]], bool]) -> int:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    by_name = {variant.name: variant for variant in variants}
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--search", choices=by_name, help="look for a better one of these orders")
    parser.add_argument("--seconds", type=float, default=600, help="of the search")
    parser.add_argument(
        "--lanes", type=int, choices=timing.lanes, default=4, help="of the permutation that is measured"
    )
    args = parser.parse_args()
    if args.search:
        order = by_name[args.search].order
        order.write_text(written(search(read(order.read_text()), change, timing, args.lanes, args.seconds)))
    stale = []
    for variant in variants:
        if not fits(read(variant.order.read_text())):
            raise SystemExit(f"{variant.order.name} needs more registers than there are")
        text = variant.text(timing.rounds)
        if not args.check:
            variant.code.write_text(text)
        elif text != variant.code.read_text():
            stale.append(variant.code.relative_to(ROOT))
    for name in stale:
        print(f"{name} is not what dev/x86_64 makes", file=sys.stderr)
    return 1 if stale else 0


TIMING = Timing(FOLDER, rounds, lanes=(4, 8), stride=8)

if __name__ == "__main__":
    sys.exit(main(__doc__ or "", VARIANTS, TIMING, candidate, lambda ops: Registers(ops).fits))
