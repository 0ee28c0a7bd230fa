"""The contract as the library's headers state it: constants, and the order of the fields in tables of kernels.

Nothing of it is written here a second time: a bound that is changed in the header is the bound that is proved.

SPDX-License-Identifier: Apache-2.0
"""

import ast
import operator
import re
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src"
HEADERS = {
    "q3329": "ring/q3329/kernels.h",
    "negacyclic": "ring/negacyclic/kernels.h",
    "cyclic": "ring/cyclic/kernels.h",
    "ternary": "ring/ternary/kernels.h",
    "keccak": "symmetric/keccak/kernels.h",
    "aes": "symmetric/aes/kernels.h",
    "sha2": "symmetric/sha2/kernels.h",
}
# The facts about pointers in each header that places.py takes for granted.
WRITTEN = "A buffer that a kernel writes overlaps nothing else that it is given;"
OVERLAP = f"{WRITTEN} buffers that it only reads may overlap."
LIMITS = {"INT32_MAX": (1 << 31) - 1}  # of <stdint.h>
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
}


def _text(header: str) -> str:
    """A header without its comments."""
    return re.sub(r"/\*.*?\*/", " ", (SOURCES / header).read_text(), flags=re.DOTALL)


def _value(node: ast.expr, known: dict[str, int]) -> int:
    """A constant expression of C that is one of Python too."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return known[node.id]
    if isinstance(node, ast.BinOp):
        return int(_OPERATORS[type(node.op)](_value(node.left, known), _value(node.right, known)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, known)
    raise ValueError(f"not a constant: {ast.unparse(node)}")


def parse_constants(text: str) -> dict[str, int]:
    """The enumerators of a header without comments."""
    known = dict(LIMITS)
    for body in re.findall(r"\benum\s*\{(.*?)\}", text, flags=re.DOTALL):
        following = 0
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, expression = (part.strip() for part in item.partition("="))
            known[name] = _value(ast.parse(expression, mode="eval").body, known) if expression else following
            following = known[name] + 1
    return {name: value for name, value in known.items() if name not in LIMITS}


@cache
def constants(family: str) -> dict[str, int]:
    """The enumerators of a family's kernels.h."""
    return parse_constants(_text(HEADERS[family]))


def bound(family: str, name: str) -> int:
    return constants(family)[f"LK_{family.upper()}_{name}"]


def _words(comment: str) -> str:
    """A comment in one line."""
    return re.sub(r"\s*\n\s*(\* ?)?", " ", comment)


@cache
def check_overlap(family: str) -> None:
    """That the header says what the theorems take for granted."""
    first = re.search(r"/\*(.*?)\*/", (SOURCES / HEADERS[family]).read_text(), flags=re.DOTALL)
    if first is None or OVERLAP not in _words(first[1]):
        raise ValueError(f"{HEADERS[family]} does not say: {OVERLAP}")


@cache
def stated(family: str, kernel: str, words: str) -> str:
    """The words, which a theorem claims because the comment ahead of a kernel in the header has them."""
    kernels = (SOURCES / HEADERS[family]).read_text()
    ahead = re.search(rf"/\*((?:(?!\*/).)*)\*/[\w\s]*\(\*{kernel}\)", kernels, flags=re.DOTALL)
    if ahead is None or words not in _words(ahead[1]):
        raise ValueError(f"{HEADERS[family]} does not say of {kernel}: {words}")
    return words


@cache
def fields(header: str, struct: str) -> list[str]:
    """The fields of a struct with fields of 8 bytes each: pointers, sizes, and a number before a pointer."""
    found = re.search(rf"typedef struct {struct} \{{(.*?)\}} {struct};", _text(header), flags=re.DOTALL)
    if found is None:
        raise ValueError(f"{header} has no {struct}")
    names: list[str] = []
    for declaration in filter(None, (part.strip() for part in found[1].split(";"))):
        function = re.search(r"\(\s*\*\s*(\w+)\s*\)\s*\(", declaration)
        names += [function[1]] if function else re.findall(r"(\w+)\s*(?:,|$)", declaration)
    return names


@cache
def backend_fields() -> list[str]:
    """The fields of lk_backend; that of the symmetric kernels is a table by value."""
    inner = fields("symmetric/kernels.h", "lk_symmetric")
    outer = fields("arch/backend.h", "lk_backend")
    return [name for field in outer for name in (inner if field == "symmetric" else [field])]


def kernel_fields(family: str) -> list[str]:
    return fields(HEADERS[family], f"lk_{family}_kernels")
