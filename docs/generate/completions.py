#!/usr/bin/env python3
"""Writes cli/completions/ (bash, zsh, fish) from the help of the command: `completions.py build/release/cli/latkem`.

A command, option or choice that the help names is completed: usage lines give choices as `--format raw|der|pem`.
--check changes nothing and fails where a file differs. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from man import Help, help_of

FOLDER = Path(__file__).resolve().parent.parent.parent / "cli/completions"
HEAD = "Completion of latkem, written by docs/generate/completions.py from the help of the command."
BACKENDS = "latkem list 2>/dev/null | sed -n 's/^backends: \\(.*\\);.*/\\1/p' | tr -d ,"
CHOICES = r"[a-z0-9-]+(?:\|[a-z0-9-]+)+"


@dataclass(frozen=True)
class Value:
    """The value of an option or an argument: choices to complete, or a word such as FILE that says what it is."""

    word: str
    choices: tuple[str, ...] = ()

    @property
    def is_file(self) -> bool:
        return self.word == "FILE"

    @property
    def is_backend(self) -> bool:
        return self.word == "BACKEND"


@dataclass(frozen=True)
class Option:
    names: tuple[str, ...]
    value: Value | None  # None: a flag
    meaning: str


@dataclass(frozen=True)
class Command:
    name: str
    summary: str
    options: tuple[Option, ...]
    arguments: tuple[Value, ...]
    repeats: bool  # the last argument may be given again and again


def parse_option(names: str, meaning: str, usage: str) -> Option:
    spelled = tuple(re.findall(r"--?[a-z][a-z0-9-]*", names))
    word = re.search(r" ([A-Z]+)$", names)
    if not word:
        return Option(spelled, None, meaning)
    if "--backend" in spelled:
        return Option(spelled, Value("BACKEND"), meaning)
    choices = re.search(rf"{spelled[-1]} ({CHOICES})", usage)
    return Option(spelled, Value(word[1], tuple(choices[1].split("|")) if choices else ()), meaning)


def parse_arguments(usage: str, known: dict[str, tuple[str, ...]]) -> tuple[Value, ...]:
    """The words of a usage line that are no options nor values of options."""
    found: list[Value] = []
    of_option = False
    for word in re.sub(r"[\[\]()]", "", usage).split():
        if word.startswith("-"):
            of_option = True
        elif word not in ("|", "...", ".."):
            if not of_option:
                choices = tuple(word.split("|")) if re.fullmatch(CHOICES, word) else known.get(word, ())
                found.append(Value(word, choices))
            of_option = False
    return tuple(found)


def without_flags(usage: str, options: tuple[Option, ...]) -> str:
    """A usage line without the options that take no value, behind which an argument may follow."""
    flags = [name for option in options if option.value is None for name in option.names]
    return re.sub("|".join(rf"{flag}(?![a-z-])" for flag in sorted(flags, key=len, reverse=True)), "", usage)


def parse_command(program: str, name: str, known: dict[str, tuple[str, ...]]) -> Command:
    text = Help(help_of(program, name))
    usage = re.sub(r"\s+", " ", text.parts["Usage"]).removeprefix(f"latkem {name}")
    options = tuple(parse_option(names, meaning, usage) for names, meaning in text.table("Options"))
    arguments = parse_arguments(without_flags(usage, options), known)
    repeats = re.search(r"(?<![-A-Z])[A-Z]+ \.\.\.", usage) is not None
    return Command(name, text.summary.rstrip("."), options, arguments, repeats)


def parse(program: str) -> list[Command]:
    sets = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True).stdout
    names = Help(help_of(program)).commands()
    known = {"SET": tuple(one["name"] for one in json.loads(sets)["sets"]), "COMMAND": tuple(names)}
    return [parse_command(program, name, known) for name in names]


def indented(lines: list[str], by: int = 4) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in lines)


# bash ----------------------------------------------------------------------------------------------------------------


def bash_words(value: Value) -> str:
    if value.is_file:
        return "files=1"
    if value.is_backend:
        return f"words=$({BACKENDS})"
    return f"words='{' '.join(value.choices)}'"


def bash_case(rows: list[tuple[str, str]]) -> list[str]:
    """Patterns with one action each, those of the same action together."""
    actions: dict[str, list[str]] = {}
    for pattern, action in rows:
        actions.setdefault(action, []).append(pattern)
    return [f"{' | '.join(patterns)}) {action} ;;" for action, patterns in actions.items()]


def bash(commands: list[Command]) -> str:
    values, arguments, options = [], [], []
    for command in commands:
        for option in command.options:
            values += [(f"{command.name}:{name}", bash_words(option.value)) for name in option.names if option.value]
        for i, value in enumerate(command.arguments):
            last = command.repeats and i == len(command.arguments) - 1
            arguments.append((f"{command.name}:{'*' if last else i}", bash_words(value)))
        spelled = [name for option in command.options for name in option.names]
        options.append((command.name, f"words+=' {' '.join(spelled)}'"))
    names = " ".join(command.name for command in commands)
    return (
        f"# {HEAD}\n# SPDX-License-Identifier: Apache-2.0\n# shellcheck shell=bash\n"
        "\n# The words that may follow an option, or nothing if it takes no value.\n"
        "_latkem_value() {\n    case $1 in\n" + indented(bash_case(values)) + "    *) return 1 ;;\n    esac\n}\n"
        "\n_latkem() {\n"
        "    local words='' files='' verb=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} place=0 i\n"
        "    COMPREPLY=()\n"
        "    if ((COMP_CWORD == 1)); then\n"
        f"        words='{names} --help --version'\n"
        '    elif ! _latkem_value "$verb:${COMP_WORDS[COMP_CWORD - 1]}"; then\n'
        "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "            if [[ ${COMP_WORDS[i]} == -?* ]]; then\n"
        '                if _latkem_value "$verb:${COMP_WORDS[i]}"; then ((i++)); fi\n'
        "            else\n"
        "                ((place++))\n"
        "            fi\n"
        "        done\n"
        "        words='' files=''\n"
        '        case "$verb:$place" in\n' + indented(bash_case(arguments), 8) + "        esac\n"
        "        case $verb in\n" + indented(bash_case(options), 8) + "        esac\n"
        "    fi\n"
        "    if [[ $files && $current != -?* ]]; then\n"
        "        compopt -o default 2>/dev/null\n"
        "    else\n"
        '        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")\n'
        "    fi\n"
        "}\n\ncomplete -F _latkem latkem\n"
    )


# zsh -----------------------------------------------------------------------------------------------------------------


def zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:])", r"\\\1", text).replace("'", "'\\''")


def zsh_action(value: Value) -> str:
    if value.is_file:
        return "_files"
    if value.is_backend:
        return "_latkem_backends"
    return f"({' '.join(value.choices)})" if value.choices else " "


def zsh_option(option: Option) -> list[str]:
    value = f":{option.value.word}:{zsh_action(option.value)}" if option.value else ""
    return [f"'{name}[{zsh_text(option.meaning)}]{value}'" for name in option.names]


def zsh_command(command: Command) -> str:
    specs = [spec for option in command.options for spec in zsh_option(option)]
    for i, value in enumerate(command.arguments):
        last = command.repeats and i == len(command.arguments) - 1
        specs.append(f"'{'*' if last else i + 1}:{value.word}:{zsh_action(value)}'")
    rows = " \\\n".join(f"                {spec}" for spec in specs)
    return f"        {command.name})\n            _arguments \\\n{rows} ;;\n"


def zsh(commands: list[Command]) -> str:
    described = indented([f"'{one.name}:{zsh_text(one.summary)}'" for one in commands], 8)
    return (
        f"#compdef latkem\n# {HEAD}\n# SPDX-License-Identifier: Apache-2.0\n"
        "\n_latkem_backends() {\n    local -a backends\n"
        f"    backends=(${{(f)\"$({BACKENDS} | tr ' ' '\\n')\"}})\n"
        "    compadd -a backends\n}\n"
        "\n_latkem_commands() {\n    local -a commands\n    commands=(\n" + described + "    )\n"
        "    _describe command commands\n}\n"
        "\n_latkem() {\n    local curcontext=$curcontext context state line\n"
        "    _arguments -C '(- *)'{-h,--help}'[print this help]' '(- *)--version[print the version]' \\\n"
        "        '1:command:_latkem_commands' '*::argument:->arguments' && return\n"
        '    case "$words[1]" in\n' + "".join(zsh_command(command) for command in commands) + "    esac\n}\n"
        '\n_latkem "$@"\n'
    )


# fish ----------------------------------------------------------------------------------------------------------------


def fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(value: Value | None) -> str:
    if value is None:
        return ""
    if value.is_file:
        return " -r -F"
    if value.is_backend:
        return " -x -a '(__latkem_backends)'"
    return " -x" + (f" -a {fish_text(' '.join(value.choices))}" if value.choices else "")


def fish_command(command: Command) -> list[str]:
    start = f"complete -c latkem -n '__fish_seen_subcommand_from {command.name}'"
    lines = []
    for option in command.options:
        names = "".join(f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}" for n in option.names)
        lines.append(f"{start}{names}{fish_value(option.value)} -d {fish_text(option.meaning)}")
    for value in command.arguments:
        lines.append(start + (" -F" if value.is_file else f" -a {fish_text(' '.join(value.choices))}"))
    return lines


def fish(commands: list[Command]) -> str:
    lines = [f"# {HEAD}", "# SPDX-License-Identifier: Apache-2.0", ""]
    lines += ["function __latkem_backends", f"    {BACKENDS} | tr ' ' '\\n'", "end", "", "complete -c latkem -f"]
    lines += ["complete -c latkem -n __fish_use_subcommand -s h -l help -d 'print this help'"]
    lines += ["complete -c latkem -n __fish_use_subcommand -l version -d 'print the version'"]
    for command in commands:
        lines.append(f"complete -c latkem -n __fish_use_subcommand -a {command.name} -d {fish_text(command.summary)}")
    for command in commands:
        lines += ["", *fish_command(command)]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the latkem command of a build")
    parser.add_argument("--check", action="store_true", help="fail where a file is wrong, and change nothing")
    args = parser.parse_args()
    commands = parse(args.program)
    failed = 0
    for name, text in (("latkem.bash", bash(commands)), ("_latkem", zsh(commands)), ("latkem.fish", fish(commands))):
        path = FOLDER / name
        if not args.check:
            path.write_text(text)
        elif path.read_text() != text:
            print(f"completions: {name} is not what the help says; run docs/generate/completions.py {args.program}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
