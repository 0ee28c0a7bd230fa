"""The program image: an ELF shared object as the dynamic loader leaves it, at an address of ours.

SPDX-License-Identifier: Apache-2.0
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import Relocation, RelocationSection
from elftools.elf.sections import SymbolTableSection
from elftools.elf.segments import Segment as Loaded

from proofs.machine import terms as T
from proofs.machine.memory import Memory, Violation

BASE = 0x10000000  # not 0, so that no pointer into the image looks like a null pointer with an offset
IMPORTS = 0x7F0000000000  # where functions of other libraries seem to lie
PAGE = 4096

# The words that choosing a backend writes, and the only ones that operations may, with their bytes: src/arch/select.c.
CHOICE = {"select.c:forced": 8, "select.c:found": 8, "select.c:kept": 4}

# Relocation types (x86-64 and AArch64 psABI): base + addend, and symbol + addend.
_RELATIVE = {"x64": {8}, "AArch64": {1027}}
_SYMBOLIC = {"x64": {1, 6, 7}, "AArch64": {257, 1025, 1026}}
_WRITABLE = 1  # SHF_WRITE
NOTHING: Mapping[str, int] = {}


class Symbol(NamedTuple):
    address: int
    size: int


class Segment(NamedTuple):
    start: int
    data: bytearray
    writable: bool
    executable: bool


class Image:
    """`named` has all symbols of a name: kernels of all backends share their names, each local to its file, and the
    backends' tables of pointers distinguish them. `symbols` has the names, alone or as `file.c:name`, that are unique.
    `stubs` jump to functions of other libraries. `variables` are the sections that stay writable.
    """

    def __init__(self, path: str | Path, base: int = BASE) -> None:
        self.path, self.base = Path(path), base
        with self.path.open("rb") as file:
            elf = ELFFile(file)
            self.machine: str = elf.get_machine_arch()
            self.segments = [self._segment(s) for s in elf.iter_segments("PT_LOAD")]
            self.imports: dict[int, str] = {}
            self._relocate(elf)
            self._make_read_only(elf)
            self.named = self._read_symbols(elf)
            self.stubs = [
                Symbol(base + s["sh_addr"], s["sh_size"]) for s in elf.iter_sections() if s.name.startswith(".plt")
            ]
            self.variables = self._read_variables(elf)
        self.symbols = {name: symbols[0] for name, symbols in self.named.items() if len(symbols) == 1}
        self._functions = sorted((s.address, s.size, name) for name, symbols in self.named.items() for s in symbols)

    # ---- what the loader does ----

    def _segment(self, s: Loaded) -> Segment:
        data = bytearray(s.data()) + bytes(s["p_memsz"] - s["p_filesz"])
        return Segment(self.base + s["p_vaddr"], data, bool(s["p_flags"] & 2), bool(s["p_flags"] & 1))

    def _relocate(self, elf: ELFFile) -> None:
        dynamic = _symbols(elf, ".dynsym")
        for section in (elf.get_section_by_name(name) for name in (".rela.dyn", ".rela.plt")):
            for r in section.iter_relocations() if isinstance(section, RelocationSection) else ():
                self._write_word(self.base + r["r_offset"], self._target(r, dynamic))

    def _target(self, r: Relocation, dynamic: SymbolTableSection) -> int:
        kind = r["r_info_type"]
        if kind in _RELATIVE[self.machine]:
            return self.base + int(r["r_addend"])
        if kind not in _SYMBOLIC[self.machine]:
            raise ValueError(f"relocation of type {kind}")
        symbol = dynamic.get_symbol(r["r_info_sym"])
        if symbol["st_shndx"] != "SHN_UNDEF":
            return self.base + int(symbol["st_value"]) + int(r["r_addend"])
        return self._import(symbol.name)

    def _import(self, name: str) -> int:
        for address, known in self.imports.items():
            if known == name:
                return address
        address = IMPORTS + 16 * len(self.imports)
        self.imports[address] = name
        return address

    def _write_word(self, at: int, value: int) -> None:
        segment = self._find(at)
        segment.data[at - segment.start : at - segment.start + 8] = (value & (1 << 64) - 1).to_bytes(8, "little")

    def _make_read_only(self, elf: ELFFile) -> None:
        """Memory that was relocated and is constant from then on (PT_GNU_RELRO) becomes a segment of its own."""
        for relro in elf.iter_segments("PT_GNU_RELRO"):
            start = self.base + relro["p_vaddr"]
            end = (start + relro["p_memsz"] + PAGE - 1) // PAGE * PAGE
            whole = self._find(start)
            self.segments.remove(whole)
            cut = min(end - whole.start, len(whole.data))
            self.segments.append(whole._replace(data=whole.data[:cut], writable=False))
            if cut < len(whole.data):
                self.segments.append(whole._replace(start=whole.start + cut, data=whole.data[cut:]))

    def _read_variables(self, elf: ELFFile) -> list[Symbol]:
        """Of what is writable, that which the loader does not write itself, in order."""
        sections = (s for s in elf.iter_sections() if s["sh_flags"] & _WRITABLE and not s.name.startswith(".got"))
        places = sorted(Symbol(self.base + s["sh_addr"], s["sh_size"]) for s in sections if s["sh_size"])
        return [place for place in places if self._find(place.address).writable]

    def _read_symbols(self, elf: ELFFile) -> dict[str, list[Symbol]]:
        table = _symbols(elf, ".symtab")
        found: dict[str, set[Symbol]] = defaultdict(set)
        file = ""
        for s in table.iter_symbols():
            kind = s["st_info"]["type"]
            if kind == "STT_FILE":
                file = s.name
            elif (
                kind in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE")
                and isinstance(s["st_shndx"], int)
                and s.name[:1] != "$"
            ):
                symbol = Symbol(self.base + s["st_value"], s["st_size"])
                found[s.name].add(symbol)
                if s["st_info"]["bind"] == "STB_LOCAL":
                    found[f"{file}:{s.name}"].add(symbol)
        return {name: sorted(symbols) for name, symbols in found.items()}

    # ---- what the interpreters ask ----

    def _find(self, at: int) -> Segment:
        for segment in self.segments:
            if segment.start <= at < segment.start + len(segment.data):
                return segment
        raise Violation(f"nothing of {self.path.name} lies at {at:#x}")

    @property
    def constants(self) -> list[range]:
        """The addresses of what cannot be written."""
        return [range(s.start, s.start + len(s.data)) for s in self.segments if not s.writable]

    def code(self, at: int, size: int) -> bytes:
        """Up to `size` bytes of instructions."""
        segment = self._find(at)
        if not segment.executable:
            raise Violation(f"execution of data at {at:#x}")
        return bytes(segment.data[at - segment.start : at - segment.start + size])

    def is_code(self, at: int) -> bool:
        return any(s.executable and s.start <= at < s.start + len(s.data) for s in self.segments)

    def word(self, at: int) -> int:
        """8 bytes of constants: a pointer in a table."""
        segment = self._find(at)
        return int.from_bytes(segment.data[at - segment.start : at - segment.start + 8], "little")

    def address(self, symbol: str) -> int:
        return self.symbols[symbol].address

    def where(self, at: int) -> str:
        """An address as function + offset, for people."""
        for address, size, name in self._functions:
            if address <= at < address + size:
                return f"{name}+{at - address:#x}"
        return f"{at:#x}"

    def map_into(self, memory: Memory, may_write: Mapping[str, int] = NOTHING) -> None:
        """Constants, and the variables that `may_write` names, with their sizes. No other variable can be written;
        nothing is known of what it has, which another call may have left there."""
        named = sorted(self._variable(name, size) for name, size in may_write.items())
        for s in self.segments:
            for start, end, is_variable in _cut(Symbol(s.start, len(s.data)), self.variables):
                if is_variable:
                    self._map_variables(memory, Symbol(start, end - start), named)
                else:
                    memory.region(start, end - start, False, f"{self.path.name}'s constants")
                    memory.back(start, bytes(s.data[start - s.start : end - s.start]))

    def _variable(self, name: str, size: int) -> Symbol:
        found = self.symbols[name]
        if found.size != size:
            raise Violation(f"{name} has {found.size} bytes instead of {size}")
        return found

    def _map_variables(self, memory: Memory, place: Symbol, named: list[Symbol]) -> None:
        for start, end, may_be_written in _cut(place, named):
            memory.region(start, end - start, may_be_written, f"{self.path.name}'s variables")
            if may_be_written:
                segment = self._find(start)
                memory.back(start, bytes(segment.data[start - segment.start : end - segment.start]))

    def put_constants(self, memory: Memory, at: int, data: bytes) -> None:
        """Writes bytes as constants."""
        memory.put(at, [T.const(b, 8) for b in data])


def _symbols(elf: ELFFile, name: str) -> SymbolTableSection:
    section = elf.get_section_by_name(name)
    if not isinstance(section, SymbolTableSection):
        raise ValueError(f"{name} is missing: the library was stripped")
    return section


def _cut(whole: Symbol, places: Iterable[Symbol]) -> Iterator[tuple[int, int, bool]]:
    """The places within a range and what lies between them, in order: start, end, whether it is one of the places."""
    at, whole_end = whole.address, whole.address + whole.size
    for address, size in places:
        if whole.address <= address < whole_end:
            if at < address:
                yield at, address, False
            at = address + size
            yield address, at, True
    if at < whole_end:
        yield at, whole_end, False
