"""Instructions on general registers. SPDX-License-Identifier: Apache-2.0"""

from collections.abc import Callable

from proofs.machine import terms as T
from proofs.machine.meanings import Meanings
from proofs.machine.memory import Violation
from proofs.machine.processor import Step, constant
from proofs.machine.terms import Node
from proofs.machine.x86_64 import flags
from proofs.machine.x86_64.flags import Flags, top
from proofs.machine.x86_64.operands import Operands, Rule
from proofs.machine.x86_64.registers import RAX, RCX, RDI, RDX, RSI

MEANINGS: Meanings[Rule] = Meanings()
define, form = MEANINGS.define, MEANINGS.form

Outcome = tuple[Node | None, Flags | None]  # the result, and the flags after it, None being: as before
Meaning = Callable[..., Outcome]  # of the flags before, and of the sources


def _computation(meaning: Meaning, first: int, writes: bool) -> Callable[[Operands], Step]:
    """Sources are the operands from `first` on, the destination is operand 0."""

    def build(o: Operands) -> Step:
        machine = o.machine
        sources = [o.read(i) for i in range(first, o.count)]
        write = o.write(0) if writes else None

        def step() -> None:
            result, after = meaning(machine.flags, *[read() for read in sources])
            if write is not None and result is not None:
                write(result)
            if after is not None:
                machine.flags = after

        return step

    return build


def updates(*names: str) -> Callable[[Meaning], Meaning]:
    """The destination is the first source."""
    return lambda f: _defined(names, f, 0, True)


def makes(*names: str) -> Callable[[Meaning], Meaning]:
    """The destination is only written."""
    return lambda f: _defined(names, f, 1, True)


def compares(*names: str) -> Callable[[Meaning], Meaning]:
    """Only flags are written."""
    return lambda f: _defined(names, f, 0, False)


def _defined(names: tuple[str, ...], f: Meaning, first: int, writes: bool) -> Meaning:
    for name in names:
        define(name, meaning=_computation(f, first, writes))
    return f


# ---- moves ----


@makes("mov")
def mov(before: Flags, a: Node) -> Outcome:
    return a, None


@form("movzx")
def movzx(o: Operands) -> Step:
    read, write, w = o.read(1), o.write(0), o.width(0)
    return lambda: write(T.zext(read(), w))


@form("movsx")
@form("movsxd")
def movsx(o: Operands) -> Step:
    read, write, w = o.read(1), o.write(0), o.width(0)
    return lambda: write(T.sext(read(), w))


@form("lea")
def lea(o: Operands) -> Step:
    address, write, w = o.address_term(), o.write(0), o.width(0)
    return lambda: write(T.extract(address(), 0, w))


@form("xchg")
def xchg(o: Operands) -> Step:
    read, write = (o.read(0), o.read(1)), (o.write(0), o.write(1))

    def step() -> None:
        a, b = read[0](), read[1]()
        write[0](b)
        write[1](a)

    return step


@updates("bswap")
def bswap(before: Flags, a: Node) -> Outcome:
    return T.concat(T.split(a, 8)[::-1]), None


@form("cwde")
@form("cdqe")
def cdqe(o: Operands) -> Step:
    """eax or rax from its lower half, with its sign."""
    w = {"cwde": 16, "cdqe": 32}[o.mnemonic]
    gpr = o.machine.general

    def step() -> None:
        gpr[RAX] = T.zext(T.sext(T.extract(gpr[RAX], 0, w), 2 * w), 64)

    return step


@form("cdq")
@form("cqo")
def cqo(o: Operands) -> Step:
    """edx or rdx from the sign of eax or rax."""
    w = {"cdq": 32, "cqo": 64}[o.mnemonic]
    gpr = o.machine.general

    def step() -> None:
        gpr[RDX] = T.zext(T.sext(T.extract(gpr[RAX], w - 1, 1), w), 64)

    return step


@form("nop")
@form("endbr64")
def nop(o: Operands) -> Step:
    return lambda: None


# ---- sums ----


@updates("add")
def add(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.add(a, b)
    return r, flags.of_sum(a, b, r)


@updates("adc")
def adc(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.add(T.add(a, b), T.zext(before("c"), T.W[a]))
    return r, flags.of_sum(a, b, r)


@updates("sub")
def sub(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.sub(a, b)
    return r, flags.of_difference(a, b, r)


@updates("sbb")
def sbb(before: Flags, a: Node, b: Node) -> Outcome:
    borrow = before("c")
    if a == b:
        r = T.sext(borrow, T.W[a])
        return r, flags.changed(flags.of_logic(r), c=lambda: borrow)
    r = T.sub(T.sub(a, b), T.zext(borrow, T.W[a]))
    return r, flags.of_difference_with_borrow(a, b, r)


@compares("cmp")
def cmp(before: Flags, a: Node, b: Node) -> Outcome:
    return None, flags.of_difference(a, b, T.sub(a, b))


@updates("inc")
def inc(before: Flags, a: Node) -> Outcome:
    one = T.const(1, T.W[a])
    r = T.add(a, one)
    return r, flags.changed(flags.of_sum(a, one, r), c=lambda: before("c"))


@updates("dec")
def dec(before: Flags, a: Node) -> Outcome:
    one = T.const(1, T.W[a])
    r = T.sub(a, one)
    return r, flags.changed(flags.of_difference(a, one, r), c=lambda: before("c"))


@updates("neg")
def neg(before: Flags, a: Node) -> Outcome:
    zero = T.const(0, T.W[a])
    r = T.sub(zero, a)
    return r, flags.of_difference(zero, a, r)


# ---- bits ----


@updates("and")
def and_(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.and_(a, b)
    return r, flags.of_logic(r)


@updates("or")
def or_(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.or_(a, b)
    return r, flags.of_logic(r)


@updates("xor")
def xor(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.xor(a, b)
    return r, flags.of_logic(r)


@compares("test")
def test(before: Flags, a: Node, b: Node) -> Outcome:
    return None, flags.of_logic(T.and_(a, b))


@updates("not")
def not_(before: Flags, a: Node) -> Outcome:
    return T.not_(a), None


@makes("andn")
def andn(before: Flags, a: Node, b: Node) -> Outcome:
    r = T.and_(T.not_(a), b)
    return r, flags.changed(flags.of_logic(r), p=flags.unknown)


@makes("popcnt")
def popcnt(before: Flags, a: Node) -> Outcome:
    """z says that there are none; the others are 0."""
    return T.popcnt(a), Flags(lambda letter: T.is_zero(a) if letter == "z" else T.const(0, 1))


@makes("bzhi")
def bzhi(before: Flags, a: Node, n: Node) -> Outcome:
    """The lowest n bits, n being a byte; all where it is no less than the width."""
    w = T.W[a]
    n = T.zext(T.extract(n, 0, 8), w)
    r = T.and_(a, T.not_(T.shlv(T.const(-1, w), n)))
    return r, flags.changed(flags.of_logic(r), c=lambda: T.not_(T.ult(n, T.const(w, w))), p=flags.unknown)


def _ones(mask: Node) -> list[int]:
    value = constant(mask, "the mask of pdep or pext")
    return [i for i in range(T.W[mask]) if value >> i & 1]


@makes("pext")
def pext(before: Flags, a: Node, mask: Node) -> Outcome:
    """The bits of a where the mask has ones, side by side; of a mask that is data the result is unknown."""
    if not T.is_const(mask):
        return T.fresh(T.W[a]), None
    return T.zext(T.concat([T.extract(a, i, 1) for i in _ones(mask)] or [T.const(0, 1)]), T.W[a]), None


@makes("pdep")
def pdep(before: Flags, a: Node, mask: Node) -> Outcome:
    """The lowest bits of a, spread over the places where the mask has ones; unknown of a mask that is data."""
    if not T.is_const(mask):
        return T.fresh(T.W[a]), None
    bits = [T.const(0, 1)] * T.W[a]
    for source, place in enumerate(_ones(mask)):
        bits[place] = T.extract(a, source, 1)
    return T.concat(bits), None


def _bit_number(o: Operands) -> Callable[[], int]:
    if o.is_memory(0) and not o.is_immediate(1):
        raise Violation("a bit of memory by number, which may be anywhere")
    read, w = o.read(1), o.width(0)
    return lambda: constant(read(), "the number of a bit") % w


@form("bt")
@form("bts")
@form("btr")
def bt(o: Operands) -> Step:
    """The bit goes to c; it is then set or reset."""
    read, number, machine = o.read(0), _bit_number(o), o.machine
    write = o.write(0) if o.mnemonic != "bt" else lambda n: None

    def step() -> None:
        a, i = read(), number()
        undefined = flags.unknown
        machine.flags = flags.changed(
            machine.flags, c=lambda: T.extract(a, i, 1), s=undefined, o=undefined, p=undefined
        )
        one = T.const(1 << i, T.W[a])
        if o.mnemonic == "bts":
            write(T.or_(a, one))
        elif o.mnemonic == "btr":
            write(T.and_(a, T.not_(one)))

    return step


# ---- shifts ----


def _count(n: Node | None, w: int) -> Node:
    """A count as the CPU takes it, modulo 64 or 32, as wide as what it shifts."""
    n = T.const(1, 8) if n is None else T.extract(n, 0, 8)
    return T.zext(T.and_(n, T.const(63 if w == 64 else 31, 8)), w) if w > 8 else T.and_(n, T.const(31, 8))


def _shift_flags(before: Flags, count: Node, r: Node, carry: Callable[[], Node], overflow: Callable[[], Node]) -> Flags:
    """None change for a count of 0; o is defined for 1; c unless more bits are shifted than there are."""
    w = T.W[r]
    if not T.is_const(count):
        sure = w >= 32
    elif T.val(count):
        sure = T.val(count) <= w
    else:
        return before
    after = flags.changed(
        Flags(lambda letter: flags.of_result(r, letter)),
        c=carry if sure else flags.unknown,
        o=lambda: T.ite(T.eq(count, T.const(1, w)), overflow(), flags.unknown()),
    )
    return flags.chosen(T.is_zero(count), before, after)


def _last_out_at_top(a: Node, count: Node) -> Node:
    w = T.W[a]
    return T.extract(T.lshrv(a, T.sub(T.const(w, w), count)), 0, 1)


def _last_out_at_bottom(a: Node, count: Node) -> Node:
    return T.extract(T.ashrv(a, T.sub(count, T.const(1, T.W[a]))), 0, 1)


@updates("shl")
def shl(before: Flags, a: Node, n: Node | None = None) -> Outcome:
    count = _count(n, T.W[a])
    r = T.shlv(a, count)

    def carry() -> Node:
        return _last_out_at_top(a, count)

    return r, _shift_flags(before, count, r, carry, lambda: T.xor(top(r), carry()))


@updates("shr")
def shr(before: Flags, a: Node, n: Node | None = None) -> Outcome:
    count = _count(n, T.W[a])
    r = T.lshrv(a, count)
    return r, _shift_flags(before, count, r, lambda: _last_out_at_bottom(a, count), lambda: top(a))


@updates("sar")
def sar(before: Flags, a: Node, n: Node | None = None) -> Outcome:
    count = _count(n, T.W[a])
    r = T.ashrv(a, count)
    return r, _shift_flags(before, count, r, lambda: _last_out_at_bottom(a, count), lambda: T.const(0, 1))


def _rotated(a: Node, count: Node) -> Node:
    """To the left; a count of 0 shifts to the right by the width, which leaves 0."""
    w = T.W[a]
    if T.is_const(count):
        return T.rol(a, T.val(count))
    count = T.and_(count, T.const(w - 1, w))
    return T.or_(T.shlv(a, count), T.lshrv(a, T.sub(T.const(w, w), count)))


def _rotate_flags(before: Flags, count: Node, carry: Callable[[], Node], overflow: Callable[[], Node]) -> Flags:
    """A rotation changes c and o; o is defined for 1."""
    one = T.eq(count, T.const(1, T.W[count]))
    after = flags.changed(before, c=carry, o=lambda: T.ite(one, overflow(), flags.unknown()))
    return flags.chosen(T.is_zero(count), before, after)


@updates("rol")
def rol(before: Flags, a: Node, n: Node | None = None) -> Outcome:
    count = _count(n, T.W[a])
    r = _rotated(a, count)
    return r, _rotate_flags(before, count, lambda: T.extract(r, 0, 1), lambda: T.xor(top(r), T.extract(r, 0, 1)))


@updates("ror")
def ror(before: Flags, a: Node, n: Node | None = None) -> Outcome:
    w = T.W[a]
    count = _count(n, w)
    r = _rotated(a, T.sub(T.const(0, w), count))
    return r, _rotate_flags(before, count, lambda: top(r), lambda: T.xor(top(r), T.extract(r, w - 2, 1)))


@makes("rorx")
def rorx(before: Flags, a: Node, n: Node) -> Outcome:
    return T.rol(a, -T.val(n) % T.W[a]), None


@makes("shlx")
def shlx(before: Flags, a: Node, n: Node) -> Outcome:
    return T.shlv(a, T.and_(n, T.const(T.W[a] - 1, T.W[a]))), None


@makes("shrx")
def shrx(before: Flags, a: Node, n: Node) -> Outcome:
    return T.lshrv(a, T.and_(n, T.const(T.W[a] - 1, T.W[a]))), None


@makes("sarx")
def sarx(before: Flags, a: Node, n: Node) -> Outcome:
    return T.ashrv(a, T.and_(n, T.const(T.W[a] - 1, T.W[a]))), None


@updates("shld")
def shld(before: Flags, a: Node, b: Node, n: Node) -> Outcome:
    """The upper half of a : b, shifted to the left."""
    w = T.W[a]
    count = _count(n, w)
    r = T.or_(T.shlv(a, count), T.lshrv(b, T.sub(T.const(w, w), count)))
    return r, _shift_flags(before, count, r, lambda: _last_out_at_top(a, count), lambda: T.xor(top(a), top(r)))


@updates("shrd")
def shrd(before: Flags, a: Node, b: Node, n: Node) -> Outcome:
    """The lower half of b : a, shifted to the right."""
    w = T.W[a]
    count = _count(n, w)
    r = T.or_(T.lshrv(a, count), T.shlv(b, T.sub(T.const(w, w), count)))
    return r, _shift_flags(before, count, r, lambda: _last_out_at_bottom(a, count), lambda: T.xor(top(a), top(r)))


# ---- products and quotients ----


def _product_flags(fits: Callable[[], Node]) -> Flags:
    """c and o say that the lower half is not the whole product; the others are undefined."""
    return Flags(lambda letter: T.not_(fits()) if letter in "co" else flags.unknown())


@form("imul")
def imul(o: Operands) -> Step:
    """With two operands and three: the lower half of the product."""
    if o.count == 1:
        return _wide_product(o, T.smulh)
    machine, write = o.machine, o.write(0)
    a, b = (o.read(i) for i in (o.count - 2, o.count - 1))

    def step() -> None:
        x, y = a(), b()
        r = T.mul(x, y)
        w = T.W[r]
        write(r)
        machine.flags = _product_flags(lambda: T.eq(T.smulh(x, y), T.sext(top(r), w)))

    return step


@form("mul")
def mul(o: Operands) -> Step:
    return _wide_product(o, T.umulh)


def _wide_product(o: Operands, high: Callable[[Node, Node], Node]) -> Step:
    """rdx : rax, or edx : eax, becomes the whole product of rax or eax and the operand."""
    machine, read, w = o.machine, o.read(0), o.width(0)
    gpr = machine.general
    if w < 32:
        raise Violation("a product of less than 32 bits")

    def step() -> None:
        a, b = T.extract(gpr[RAX], 0, w), read()
        low, up = T.mul(a, b), high(a, b)
        gpr[RAX], gpr[RDX] = T.zext(low, 64), T.zext(up, 64)
        small = T.const(0, w) if high is T.umulh else T.sext(top(low), w)
        machine.flags = _product_flags(lambda: T.eq(up, small))

    return step


@form("div")
def div(o: Operands) -> Step:
    """Quotient and remainder of edx : eax or rdx : rax: of constants alone, because a division's time depends on
    its operands."""
    machine, read, w = o.machine, o.read(0), o.width(0)
    gpr = machine.general
    if w < 32:
        raise Violation("a division of less than 32 bits")

    def step() -> None:
        low, up = (constant(T.extract(gpr[r], 0, w), "a dividend") for r in (RAX, RDX))
        divisor = constant(read(), "a divisor")
        if up >= divisor:
            raise Violation("the quotient does not fit")
        quotient, remainder = divmod(up << w | low, divisor)
        gpr[RAX], gpr[RDX] = T.const(quotient, 64), T.const(remainder, 64)
        machine.flags = flags.undefined

    return step


# ---- conditions ----


def _condition_rules(code: str) -> None:
    def set_(o: Operands) -> Step:
        machine, write = o.machine, o.write(0)
        return lambda: write(T.zext(flags.condition(code, machine.flags), 8))

    def cmov(o: Operands) -> Step:
        machine, write, old, new = o.machine, o.write(0), o.read(0), o.read(1)
        return lambda: write(T.ite(flags.condition(code, machine.flags), new(), old()))

    def jump(o: Operands) -> Step:
        machine, target = o.machine, o.ins.near_branch_target

        def step() -> None:
            if constant(flags.condition(code, machine.flags), "the branch"):
                machine.pc = target

        return step

    define("set" + code, meaning=set_)
    define("cmov" + code, meaning=cmov)
    define("j" + code, meaning=jump)


for _code in flags.CONDITIONS:
    _condition_rules(_code)


# ---- control ----


@form("push")
def push(o: Operands) -> Step:
    read = o.read(0) if not o.is_immediate(0) else lambda: T.const(o.immediate(0), 64)
    return lambda: o.push(read())


@form("pop")
def pop(o: Operands) -> Step:
    write = o.write(0)
    return lambda: write(o.pop())


@form("leave")
def leave(o: Operands) -> Step:
    """rsp from rbp, then rbp from the stack."""
    gpr = o.machine.general

    def step() -> None:
        gpr[4] = gpr[5]
        gpr[5] = o.pop()

    return step


def _target(o: Operands) -> Callable[[], int]:
    if o.is_branch(0):
        target = o.ins.near_branch_target
        return lambda: target
    read = o.read(0)
    return lambda: constant(read(), "the target of a jump")


@form("jmp")
def jmp(o: Operands) -> Step:
    machine, target = o.machine, _target(o)

    def step() -> None:
        machine.pc = target()

    return step


@form("call")
def call(o: Operands) -> Step:
    machine, target, back = o.machine, _target(o), T.const(o.ins.next_ip, 64)

    def step() -> None:
        to = target()
        o.push(back)
        machine.pc = to

    return step


@form("ret")
def ret(o: Operands) -> Step:
    machine = o.machine
    if o.count:
        raise Violation("a return that drops arguments")

    def step() -> None:
        machine.pc = constant(o.pop(), "the return address")

    return step


# ---- strings ----


def _string_rule(name: str, size: int, copies: bool) -> None:
    """stos writes the lower bits of rax to [rdi], movs copies from [rsi], upwards; with rep, rcx times."""

    def build(o: Operands) -> Step:
        gpr, memory = o.machine.general, o.machine.memory

        def once() -> None:
            to = constant(gpr[RDI], "the address")
            if copies:
                at = constant(gpr[RSI], "the address")
                memory.store(to, memory.load(at, size))
                gpr[RSI] = T.const(at + size, 64)
            else:
                memory.store(to, T.extract(gpr[RAX], 0, 8 * size))
            gpr[RDI] = T.const(to + size, 64)

        def step() -> None:
            if not o.repeated:
                return once()
            for _ in range(constant(gpr[RCX], "the count")):
                once()
            gpr[RCX] = T.const(0, 64)

        return step

    define(name, meaning=build)


for _letter, _size in (("b", 1), ("w", 2), ("d", 4), ("q", 8)):
    _string_rule("stos" + _letter, _size, False)
for _letter, _size in (("b", 1), ("w", 2), ("q", 8)):  # the decoder calls the move of 4 bytes what it calls a vector's
    _string_rule("movs" + _letter, _size, True)
