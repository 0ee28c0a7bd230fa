#!/usr/bin/env python3
"""Writes Keccak-f[1600] for Cortex-M with Thumb-2: keccak_rounds.inc and keccak_halves.inc of src/arch/armv7em.

A word has two halves, its even bits and its odd ones. So a rotation of the word is a rotation of each half and, by odd
distances, an exchange of the two. A round reads one state and writes another; the next round goes back. Its steps:

    sums     the parities of the columns; one row's half is in registers since the round before
    theta    from them the ten words to add (D of FIPS 202), which go to the stack
    rows     five words of the old state, in the order of pi, become half a row of the new one: theta, chi, iota

No instruction only rotates, because the second operand of any other rotates for free (Becker and Kannwischer, ePrint
2022/1243). Instead each value in a register or in memory has a turn: rotated right by so much it is the half of FIPS
202. A sum takes the turn of one operand, and the other is rotated to it. `Turns` chooses them so that they are the same
after every round. So the loop's body is one round.

The program always proves its text: `Proof` executes it on polynomials over GF(2), from the first instruction to the
last. Then it prints what the text takes. With --check it writes nothing and says whether the files are up to date.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "src" / "arch" / "armv7em"
HEADER = "/* Made by dev/armv7em/keccak.py. SPDX-License-Identifier: Apache-2.0 */\n"

ROUNDS, BITS = 24, 32
SEED = 296  # of those below 2000 it has the most instructions of two bytes
RHO = [[0, 36, 3, 41, 18], [1, 44, 10, 45, 2], [62, 6, 43, 15, 61], [28, 55, 25, 21, 56], [27, 20, 39, 8, 14]]  # [x][y]

# The halves of rows in memory, five words each: (y, 0) has the even bits of row y, (y, 1) the odd ones. The order is
# that in which they are made; from one to the next as few words of D change as can.
ROWS = [(2, 0), (3, 1), (1, 0), (4, 1), (0, 0), (2, 1), (3, 0), (1, 1), (4, 0), (0, 1)]

Half = tuple[int, int, int]  # x, y and 0 for the even bits or 1 for the odd ones
HALVES = [(x, y, z) for y, z in ROWS for x in range(5)]
PLACE = {half: i for i, half in enumerate(HALVES)}  # in words of 32 bits

# The frame on the stack, in bytes: D, where the states are, the next round constants.
FROM, TO, CONSTANT, FRAME = 40, 44, 48, 56


def source(x: int, y: int, z: int) -> tuple[Half, int]:
    """The half that rho and pi bring to a half of the new state, and by how much it turns left."""
    sx, sy = (x + 3 * y) % 5, x
    distance = RHO[sx][sy]
    if distance % 2 == 0:
        return (sx, sy, z), distance // 2
    return (sx, sy, 1 - z), (distance + 1 - 2 * z) // 2


def round_constants() -> list[tuple[int, int]]:
    """The halves of RC of each round (FIPS 202 section 3.2.5)."""
    constants, register = [], 1
    for _ in range(ROUNDS):
        halves = [0, 0]
        for j in range(7):
            position = (1 << j) - 1
            halves[position % 2] |= (register & 1) << position // 2
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
        constants.append((halves[0], halves[1]))
    return constants


class Turns:
    """The turns of all values of a round, by half: `state` before and after it, `sum` of the columns, `d` of theta's
    words, `row` of the words before chi. Those of the even and odd halves of word 0 are 0: rho leaves it as it is. From
    there they follow; `pick` chooses where there is a choice."""

    def __init__(self, pick: random.Random) -> None:
        self.state: dict[Half, int] = {(0, 0, 0): 0, (0, 0, 1): 0}
        self.row: dict[Half, int] = dict(self.state)
        self.sum: dict[tuple[int, int], int] = {}
        self.d: dict[tuple[int, int], int] = {}
        columns, halves = [(x, z) for x in range(5) for z in range(2)], list(HALVES)
        while len(self.state) < len(HALVES):
            pick.shuffle(columns)
            pick.shuffle(halves)
            for x, z in columns:
                self._choose(pick, self.sum, (x, z), [self.state.get((x, y, z)) for y in range(5)])
            for x, z in columns:
                left, right = self.sum.get(((x + 4) % 5, z)), self.sum.get(((x + 1) % 5, 1 - z))
                self._choose(pick, self.d, (x, z), [left, None if right is None else right - (z == 0)])
            for half in halves:
                (x, y, z), distance = source(*half)
                turns = [self.state.get((x, y, z)), self.d.get((x, z))]
                self._choose(pick, self.row, half, [None if turn is None else turn - distance for turn in turns])
            for x, y, z in halves:
                self._choose(pick, self.state, (x, y, z), [self.row.get((x, y, z)), self.row.get(((x + 2) % 5, y, z))])

    @staticmethod
    def _choose(pick: random.Random, of: dict, key: tuple[int, ...], turns: list[int | None]) -> None:
        known = [turn % BITS for turn in turns if turn is not None]
        if key not in of and known:
            of[key] = pick.choice(known)


# Registers. A row that is made is in E, in ascending order as stm wants it; E[4] is written before b[4] was read last.
E = ["r1", "r2", "r3", "r4", "r5"]
EVEN_SUMS = ["r6", "r7", "r8", "r9", "r10"]
SPARE = ["r11", "r12", "lr"]
OLD = "r0"  # where the old state is
ORDER = [*(f"r{i}" for i in range(13)), "lr"]

Value = tuple[str, int]  # a register, and the turn of its content


class Writer:
    """The text of the permutation."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.lines: list[str] = []
        self.place: dict[tuple[int, int], int] = {}  # of D on the stack, in words
        self.d: dict[int, str] = {}  # by column, the register of the word of D that the present row takes
        self.held: dict[int, int] = {}  # and which half of it is there
        self.last = self.spare = ""  # free registers: the fifth word of a row, and one more

    def say(self, comment: str) -> None:
        self.lines.append(f"/* {comment} */")

    def op(self, name: str, *operands: str) -> None:
        self.lines.append(f"{name} {', '.join(operands)}")

    def turned(self, name: str, to: str, one: Value, other: Value) -> Value:
        """to <- one op other, with the turn of one."""
        distance = (other[1] - one[1]) % BITS
        if distance:
            self.op(name, to, one[0], other[0], f"ror #{distance}")
        elif to == one[0] and {to, other[0]} <= set(ORDER[:8]):
            self.op(f"{name}s", to, other[0])  # two bytes
        else:
            self.op(name, to, one[0], other[0])
        return to, one[1]

    def xor(self, to: str, one: Value, other: Value, turn: int) -> Value:
        """to <- one ^ other with a turn that one of them has."""
        first, second = (one, other) if one[1] % BITS == turn else (other, one)
        if first[1] % BITS == second[1] % BITS and to == second[0]:
            first, second = second, first
        return self.turned("eor", to, (first[0], turn), second)

    def sums(self) -> dict[tuple[int, int], str]:
        """The parities of all columns, from the words in memory; returns their registers."""
        self.say("sums")
        sums = {(x, z): (E if z else EVEN_SUMS)[x] for x in range(5) for z in range(2)}
        have = {(x, z): self.turns.state[x, y, z] for x, y, z in HALVES if (y, z) == ROWS[-1]}
        waiting = HALVES[: -len(E)]
        places = [*EVEN_SUMS, *SPARE]
        while waiting:
            last = len(waiting) == len(SPARE) + 1
            places = [OLD, *SPARE] if last else places
            self.op("ldm", OLD + "!" * (not last), f"{{{', '.join(places)}}}")
            for register, (x, y, z) in zip(places, waiting, strict=False):
                turn = self.turns.state[x, y, z]
                if (x, z) in have:
                    wanted = self.turns.sum[x, z]
                    both = (sums[x, z], have[x, z]), (register, turn)
                    _, have[x, z] = self.xor(sums[x, z], *both, wanted if turn == wanted else have[x, z])
                else:
                    have[x, z] = turn
            waiting, places = waiting[len(places) :], SPARE
        assert have == self.turns.sum
        return sums

    def theta(self, sums: dict[tuple[int, int], str]) -> list[str]:
        """D, to the stack, and in registers the five words that the first row takes; returns the free registers.

        Sums and words of D are a ring, because a word of D is made of two sums and a sum is for two words. So each word
        takes the register of a sum that is not needed any more."""
        self.say("theta")
        self.held = {x: z for (x, _, z), _ in (source(x, *ROWS[0]) for x in range(5))}
        ring = min(self.rings(sums), key=lambda ring: sum(ring[d] in E for d in self.held.items()))
        for (x, z), register in ring.items():
            left, right = ((x + 4) % 5, z), ((x + 1) % 5, 1 - z)
            one = sums[left], self.turns.sum[left]
            other = sums[right], self.turns.sum[right] - (z == 0)
            self.xor(register, one, other, self.turns.d[x, z])
        registers = sorted(ring.values(), key=ORDER.index)
        self.op("stm", "sp", f"{{{', '.join(registers)}}}")
        self.place = {d: registers.index(register) for d, register in ring.items()}
        self.d = {x: ring[x, z] for x, z in self.held.items()}
        free = [register for register in ORDER if register not in (OLD, *E, *self.d.values())]
        for x, register in self.d.items():
            if register in E:
                self.d[x] = free.pop()
                self.op("mov", self.d[x], register)
        return free

    @staticmethod
    def rings(sums: dict[tuple[int, int], str]) -> Iterator[dict[tuple[int, int], str]]:
        """The ways to place D in registers, in the order in which its words are made: the first in a spare register."""
        for begin in sums:
            for step in (2, 3):
                ring, (x, z) = {}, begin
                register = SPARE[0]
                while (x, z) not in ring:
                    ring[x, z] = register
                    # The sum that this word of D shares with the next.
                    x, z = (x + step) % 5, 1 - z
                    register = sums[(x + (4 if step == 2 else 1)) % 5, z if step == 2 else 1 - z]
                yield ring

    def row(self, y: int, z: int) -> None:
        """Half a row of the new state."""
        self.say(f"row {y}, {'odd' if z else 'even'} bits")
        b = [*E[:4], self.last]
        sources = [source(x, y, z) for x in range(5)]
        for register, (half, _) in zip(b, sources, strict=True):
            self.op("ldr", register, f"[{OLD}, #{4 * PLACE[half]}]")
        for (sx, _, sz), _ in sources:
            if self.held[sx] != sz:
                self.held[sx] = sz
                self.op("ldr", self.d[sx], f"[sp, #{4 * self.place[sx, sz]}]")
        turns = []
        for x, ((sx, sy, sz), distance) in enumerate(sources):
            turn = (self.turns.row[x, y, z] + distance) % BITS
            word, d = (b[x], self.turns.state[sx, sy, sz]), (self.d[sx], self.turns.d[sx, sz])
            turns.append(self.xor(b[x], word, d, turn)[1] - distance)
        # e[x] = b[x] ^ (~b[x+1] & b[x+2]). With e[x+1] for b[x+1] it is the same.
        inverted = list(zip(b, turns, strict=True))
        for x in (4, 1, 3, 0, 2):
            one, two = (x + 1) % 5, (x + 2) % 5
            to = E[4] if x == 4 else self.last if x == 2 else self.spare
            masked = self.turned("bic", to, (b[two], turns[two]), inverted[one])
            inverted[x] = self.xor(E[x], (b[x], turns[x]), masked, self.turns.state[x, y, z])

    def iota(self, z: int) -> None:
        self.op("ldr", self.spare, f"[sp, #{CONSTANT}]")
        self.op("ldr", self.last, f"[{self.spare}, #{4 * z}]")
        self.xor(E[0], (E[0], self.turns.state[0, 0, z]), (self.last, 0), self.turns.state[0, 0, z])

    def loop(self) -> None:
        """A round; r0 and the registers E are as at its end."""
        self.lines.append("1:")
        self.last, to, self.spare = self.theta(self.sums())
        self.op("ldrd", OLD, to, f"[sp, #{FROM}]")
        self.op("strd", to, OLD, f"[sp, #{FROM}]")
        for y, z in ROWS:
            self.row(y, z)
            if y == 0:
                self.iota(z)
            self.op("stm", f"{to}!", f"{{{', '.join(E)}}}")
        self.say("the next round")
        self.op("ldr", OLD, f"[sp, #{FROM}]")
        self.op("adds", self.spare, "#8")
        self.op("str", self.spare, f"[sp, #{CONSTANT}]")
        self.op("adr", self.last, "3f")
        self.op("cmp", self.spare, self.last)
        self.op("bne.w", "1b")

    def permutation(self) -> None:
        self.op("push", "{r4, r5, r6, r7, r8, r9, r10, r11, lr}")
        self.op("sub", "sp", f"#{FRAME}")
        self.op("adr", "r3", "2f")
        self.op("strd", OLD, "r1", f"[sp, #{FROM}]")
        self.op("str", "r3", f"[sp, #{CONSTANT}]")
        self.op("add", "r2", OLD, f"#{4 * (len(HALVES) - len(E))}")
        self.op("ldm", "r2", f"{{{', '.join(E)}}}")
        self.loop()
        # Returns 0 if the constants are used up.
        self.op("subs", OLD, self.spare, self.last)
        self.op("add", "sp", f"#{FRAME}")
        self.op("pop", "{r4, r5, r6, r7, r8, r9, r10, r11, pc}")
        self.lines += [".balign 4", "2:"]
        for even, odd in round_constants():
            self.op(".word", hex(even), hex(odd))
        self.lines.append("3:")


def permutation(seed: int) -> tuple[list[str], Turns]:
    """The text and its turns."""
    writer = Writer(Turns(random.Random(seed)))
    writer.permutation()
    return writer.lines, writer.turns


def included(lines: list[str]) -> str:
    """The lines as strings of C."""
    return "".join(f"{line}\n" if line.startswith("/*") else f'"{line}\\n"\n' for line in lines)


def halves(turns: dict[Half, int]) -> str:
    """A row of C's table for each word: places, turns to the right into the state and back."""
    out = ""
    for y in range(5):
        for x in range(5):
            both = (x, y, 0), (x, y, 1)
            row = [PLACE[h] for h in both] + [-turns[h] % BITS for h in both] + [turns[h] for h in both]
            out += f"{{{', '.join(map(str, row))}}},\n"
    return out


def read_lines(text: str) -> list[str]:
    """The lines of `included`, without comments."""
    return re.findall(r'^"(.*)\\n"$', text, re.MULTILINE)


def read_halves(text: str) -> dict[Half, tuple[int, int]]:
    """Of each half its place and its turn."""
    found = {}
    for w, word in enumerate(re.findall(r"^\{(.*)\},$", text, re.MULTILINE)):
        even, odd, *into, even_back, odd_back = map(int, word.split(", "))
        if into != [-even_back % BITS, -odd_back % BITS]:
            raise NotProved(f"word {w} is turned otherwise than back")
        found[w % 5, w // 5, 0], found[w % 5, w // 5, 1] = (even, even_back), (odd, odd_back)
    return found


# ---- The proof ----

Bit = frozenset[int]  # a product of bits of atoms: bit i of atom n is BITS * n + i
Polynomial = frozenset[Bit]  # their sum: bit 0 of a word; the others have the same sum of the atoms' bits further up
Word = int | Polynomial  # an address or a count, or what depends on the state


# Numbers of atoms: what a caller has in registers, and the words of the table. Those of states are from 1000 on.
FIRST_UNKNOWN, FIRST_CONSTANT = 100, 200


class NotProved(Exception):
    """The text does something else, or something that is not known here."""


def atom(n: int) -> Polynomial:
    return frozenset({frozenset({BITS * n})})


def rotated(word: Polynomial, right: int) -> Polynomial:
    return frozenset(frozenset(i - i % BITS + (i + right) % BITS for i in bits) for bits in word)


def xor(*words: Polynomial) -> Polynomial:
    out: Polynomial = frozenset()
    for word in words:
        out ^= word
    return out


def and_not(one: Polynomial, other: Polynomial) -> Polynomial:
    out = set(one)
    for a in one:
        for b in other:
            out ^= {a | b}
    return frozenset(out)


def expected_round(state: dict[Half, Polynomial], constant: tuple[Polynomial, Polynomial]) -> dict[Half, Polynomial]:
    """A round on halves (FIPS 202 sections 3.2.1 to 3.2.5)."""
    c = {(x, z): xor(*(state[x, y, z] for y in range(5))) for x in range(5) for z in range(2)}
    d = {}
    for x in range(5):
        d[x, 0] = xor(c[(x + 4) % 5, 0], rotated(c[(x + 1) % 5, 1], BITS - 1))
        d[x, 1] = xor(c[(x + 4) % 5, 1], c[(x + 1) % 5, 0])
    b = {}
    for x, y, z in HALVES:
        (sx, sy, sz), left = source(x, y, z)
        b[x, y, z] = rotated(xor(state[sx, sy, sz], d[sx, sz]), BITS - left)
    new = {(x, y, z): xor(b[x, y, z], and_not(b[(x + 2) % 5, y, z], b[(x + 1) % 5, y, z])) for x, y, z in HALVES}
    for z in range(2):
        new[0, 0, z] = xor(new[0, 0, z], constant[z])
    return new


class Processor:
    """Executes the text. Addresses and counts are numbers. All that comes from the state is a polynomial: `eor` and
    `bic` alone work on it, and it is never an address and never decides a branch. Memory is words of 32 bits, which are
    written before they are read. The instructions are counted, and their cycles as the manual of Cortex-M4 has them,
    with memory that never waits and three cycles for a branch."""

    STATES, STACK, TABLE, RETURN = (0x20000000, 0x20001000), 0x20010000, 0x8000, 0x1001

    def __init__(self, lines: list[str]) -> None:
        self.code = [line for line in lines if not line.startswith(".")]
        self.table = [int(word, 0) for line in lines if line.startswith(".word") for word in line[6:].split(", ")]
        self.labels = {"2f": self.TABLE, "3f": self.TABLE + 4 * len(self.table)}
        self.memory: dict[int, Word] = {}
        self.registers: dict[str, Word] = {f"r{i}": self._unknown(i) for i in range(13)}
        self.registers |= {"r0": self.STATES[0], "r1": self.STATES[1], "sp": self.STACK, "lr": self.RETURN}
        self.kept = {register: self.registers[register] for register in ("sp", *(f"r{i}" for i in range(4, 12)))}
        self.lowest = self.STACK
        self.instructions = self.cycles = self.rounds = 0
        self.equal = False
        self.before = ""

    @staticmethod
    def _unknown(n: int) -> Polynomial:
        return atom(FIRST_UNKNOWN + n)

    def number(self, operand: str) -> int:
        value = int(operand[1:], 0) if operand.startswith("#") else self.registers[operand]
        if not isinstance(value, int):
            raise NotProved(f"{operand} is not a number")
        return value

    def polynomial(self, operand: str) -> Polynomial:
        value = self.registers[operand]
        if isinstance(value, int):
            raise NotProved(f"{operand} is an address")
        return value

    def read(self, address: int) -> Word:
        index, rest = divmod(address - self.TABLE, 4)
        if rest == 0 and 0 <= index < len(self.table):
            return atom(FIRST_CONSTANT + index)
        self.check(address)
        if address not in self.memory:
            raise NotProved(f"{address:#x} is read and was not written")
        return self.memory[address]

    def write(self, address: int, value: Word) -> None:
        self.check(address)
        self.memory[address] = value

    def check(self, address: int) -> None:
        """An interrupt may write below the stack pointer at any time."""
        inside = any(begin <= address < begin + 4 * len(HALVES) for begin in self.STATES)
        if address % 4 or not (inside or self.number("sp") <= address < self.STACK):
            raise NotProved(f"{address:#x} is not the state's or the frame's")

    def cut(self) -> None:
        """The beginning of a round."""

    def run(self) -> None:
        """From the first instruction to the return."""
        at = 0
        while at >= 0:
            if self.code[at] == "1:":
                self.cut()
            else:
                self.instructions += 1
            name, _, rest = self.code[at].partition(" ")
            operands = re.findall(r"\{[^}]*\}|\[[^]]*\]|[^, ]+", rest)
            at = self.step(at, name, operands)
            self.before = name

    def step(self, at: int, name: str, operands: list[str]) -> int:
        """Executes an instruction; returns which one is next."""
        if name == "bne.w":
            if self.before != "cmp" or operands != ["1b"]:
                raise NotProved("a branch that is not known")
            self.cycles += 1 + 2 * (not self.equal)
            return at + 1 if self.equal else self.code.index("1:")
        if name in ("eor", "eors", "bic"):
            self.logic(name, operands)
        elif name in ("ldr", "str", "ldrd", "strd", "ldm", "stm", "push", "pop"):
            self.access(name, operands)
        elif name == "adr":
            self.cycles += 1
            self.registers[operands[0]] = self.labels[operands[1]]
        elif name == "mov":
            self.cycles += 1
            self.registers[operands[0]] = self.registers[operands[1]]
        elif name == "cmp":
            self.cycles += 1
            self.equal = self.number(operands[0]) == self.number(operands[1])
        elif name in ("add", "adds", "sub", "subs"):
            self.cycles += 1
            sign = 1 if name.startswith("add") else -1
            self.registers[operands[0]] = self.number(operands[-2]) + sign * self.number(operands[-1])
        elif not name.endswith(":"):
            raise NotProved(f"{name} is not known")
        return -1 if name == "pop" else at + 1

    def logic(self, name: str, operands: list[str]) -> None:
        """eor and bic of registers, the last one rotated."""
        self.cycles += 1
        if operands[-2] == "ror":
            *operands, _, by = operands
        else:
            by = "#0"
        one, other = self.polynomial(operands[-2]), rotated(self.polynomial(operands[-1]), int(by[1:]))
        self.registers[operands[0]] = and_not(one, other) if name == "bic" else xor(one, other)

    def access(self, name: str, operands: list[str]) -> None:
        """Loads and stores. One that follows another of one word is in its shadow."""
        if name in ("push", "pop"):
            operands = ["sp!", *operands]
        if name in ("ldm", "stm", "push", "pop"):
            base, registers = operands[0].rstrip("!"), operands[1][1:-1].split(", ")
            if registers != sorted(registers, key=[*ORDER, "pc"].index):
                raise NotProved(f"{operands[1]} is not in order")
            if operands[0].endswith("!") and base in registers:
                raise NotProved(f"{base} has two values")
            size = 4 * len(registers)
            address = self.number(base) - size * (name == "push")
            if name == "push":
                self.registers[base] = address
        else:
            *registers, place = operands
            base, _, offset = place[1:-1].partition(", ")
            address = self.number(base) + (self.number(offset) if offset else 0)
        self.cycles += len(registers) + (name not in ("ldr", "str") or (name == "ldr" and self.before != "ldr"))
        self.lowest = min(self.lowest, self.number("sp"))
        words = list(zip(registers, range(address, address + 4 * len(registers), 4), strict=True))
        if name in ("str", "strd", "stm", "push"):
            for register, at in words:
                self.write(at, self.registers[register])
        else:
            self.registers |= {register: self.read(at) for register, at in words}
        if name != "push" and operands[0].endswith("!"):
            self.registers[base] = address + 4 * len(words)


class Proof(Processor):
    """That the text is Keccak-f[1600] of one state. At the beginning of a round the words of the state are compared
    with a round of the last state's, and become new atoms. So each round is shown for all states."""

    def __init__(self, lines: list[str], halves: dict[Half, tuple[int, int]]) -> None:
        super().__init__(lines)
        self.halves = halves
        self.state: dict[Half, Polynomial] = {}
        self.begun = False
        self.name_state(self.STATES[0])
        if sorted(place for place, _ in halves.values()) != list(range(len(HALVES))):
            raise NotProved("two halves have one place")
        if self.table != [half for constant in round_constants() for half in constant]:
            raise NotProved("the round constants differ")

    def name_state(self, address: int) -> None:
        for half, (place, turn) in self.halves.items():
            named = atom(1000 * (self.rounds + 1) + place)
            self.memory[address + 4 * place] = named
            self.state[half] = rotated(named, turn)

    def compare(self, address: int) -> None:
        """The state at an address is the last one's after a round."""
        constant = FIRST_CONSTANT + 2 * self.rounds
        for half, wanted in expected_round(self.state, (atom(constant), atom(constant + 1))).items():
            place, turn = self.halves[half]
            value = self.read(address + 4 * place)
            if isinstance(value, int) or rotated(value, turn) != wanted:
                raise NotProved(f"round {self.rounds}: half {half}")
        self.rounds += 1

    def cut(self) -> None:
        """Registers that have a word of the state have its new name too."""
        address = self.number("r0")
        if self.begun:
            self.compare(address)
        self.begun = True
        words = {self.read(address + 4 * place): place for place, _ in self.halves.values()}
        copies = {register: words[value] for register, value in self.registers.items() if value in words}
        self.name_state(address)
        self.registers |= {register: self.read(address + 4 * place) for register, place in copies.items()}

    def run(self) -> None:
        super().run()
        self.compare(self.STATES[0])
        if self.rounds != ROUNDS or self.number("r0") != 0 or self.number("pc") != self.RETURN:
            raise NotProved(f"it ends after {self.rounds} rounds, with {self.registers['r0']}")
        if any(self.registers[register] != value for register, value in self.kept.items()):
            raise NotProved("it does not give registers back")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("--search", type=int, default=0, metavar="N", help="the best of N seeds for the turns")
    args = parser.parse_args()
    if args.search:
        print(max(range(args.search), key=lambda seed: sum("s " in line for line in permutation(seed)[0])))
        return 0
    lines, turns = permutation(SEED)
    made = {"rounds": HEADER + included(lines), "halves": HEADER + halves(turns.state)}
    paths = {name: FOLDER / f"keccak_{name}.inc" for name in made}
    if not args.check:
        for name, path in paths.items():
            path.write_text(made[name])
    found = {name: path.read_text() for name, path in paths.items()}
    try:
        proof = Proof(read_lines(found["rounds"]), read_halves(found["halves"]))
        proof.run()
    except NotProved as reason:
        print(f"{paths['rounds'].relative_to(ROOT)} is not Keccak: {reason}", file=sys.stderr)
        return 1
    used = proof.STACK - proof.lowest
    print(f"{proof.instructions} instructions, {proof.cycles} cycles of a Cortex-M4, {used} bytes of stack")
    stale = [path for name, path in paths.items() if found[name] != made[name]]
    for path in stale:
        print(f"{path.relative_to(ROOT)} is not what dev/armv7em/keccak.py makes", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
