"""The table of meanings: from a mnemonic to the function that turns an instruction's operands into a step.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable

from proofs.machine.x86_64.operands import Operands, Step

Rule = Callable[[Operands], Step]
RULES: dict[str, Rule] = {}


def define(name: str, rule: Rule) -> None:
    if name in RULES:
        raise ValueError(f"{name} has two meanings")
    RULES[name] = rule


def rule(*names: str) -> Callable[[Rule], Rule]:
    """A meaning that is written as a whole: operands in, step out."""

    def decorate(f: Rule) -> Rule:
        for name in names:
            define(name, f)
        return f

    return decorate
