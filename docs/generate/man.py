#!/usr/bin/env python3
"""Writes docs/man/latkem.1 from the help of the command: `man.py build/release/cli/latkem`.

The words are the help's; this page only lays them out. --check changes nothing and fails where the page differs or
lacks a command or option of the help. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "man/latkem.1"
ESCAPES = str.maketrans({"\\": "\\e", "-": "\\-", "~": "\\(ti", "^": "\\(ha", "'": "\\(aq"})


def help_of(program: str, *words: str) -> str:
    return subprocess.run([program, "help", *words], capture_output=True, text=True, check=True).stdout


def roff(text: str) -> str:
    """Text as troff takes it: its own characters escaped, and no line that looks like a request."""
    return re.sub(r"^\.", r"\\&.", text.translate(ESCAPES), flags=re.M)


class Help:
    """The parts of the help of a command, or of the program: paragraphs, some with a title at their beginning."""

    TITLES = ("Usage", "Arguments", "Options", "Commands", "Examples", "Exit status")

    def __init__(self, text: str) -> None:
        self.summary, *paragraphs = text.rstrip().split("\n\n")
        self.parts: dict[str, str] = {}
        self.prose: list[str] = []
        for paragraph in paragraphs:
            title, _, rest = paragraph.partition(":")
            if title in self.TITLES:
                self.parts[title] = rest.lstrip(" ").strip("\n")
            else:
                self.prose.append(paragraph)

    def table(self, title: str) -> list[tuple[str, str]]:
        """The rows of Options and their like: a name and what it means."""
        rows = [re.split(r" {2,}", line.strip(), maxsplit=1) for line in self.parts.get(title, "").splitlines()]
        return [(name, meaning) for name, meaning in rows]

    def commands(self) -> list[str]:
        return [name for name, _ in self.table("Commands")]

    def options(self) -> list[str]:
        return [word for names, _ in self.table("Options") for word in re.findall(r"--?[a-z][a-z0-9-]*", names)]


def bold_names(names: str) -> str:
    """Commands and options in bold, their values in italics: latkem keygen SET --ek FILE."""
    fonts = re.sub(r"[A-Z]+", r"\\fI\g<0>\\fR", names)
    fonts = re.sub(r"--?[a-z][a-z0-9-]*|^latkem( [a-z]+)?", lambda match: f"\\fB{roff(match[0])}\\fR", fonts)
    return fonts.replace(",", ", ")


def tagged(rows: list[tuple[str, str]]) -> str:
    return "".join(f".TP\n{bold_names(names)}\n{roff(meaning)}\n" for names, meaning in rows)


def verbatim(text: str) -> str:
    return f".RS 2\n.nf\n{roff(re.sub('^  ', '', text, flags=re.M))}\n.fi\n.RE\n"


def prose(paragraphs: list[str]) -> str:
    """Paragraphs are filled, but for those that the help indents."""
    filled = (verbatim(text) if text.startswith("  ") else f"{roff(text)}\n" for text in paragraphs)
    return "".join(f".PP\n{text}" for text in filled)


def command_section(name: str, text: Help) -> str:
    usage = re.sub(r"\s+", " ", text.parts["Usage"])
    return (
        f".SS {name}\n{roff(text.summary)}\n.PP\n{bold_names(usage)}\n"
        + tagged([row for row in text.table("Arguments") + text.table("Options") if "--help" not in row[0]])
        + prose(text.prose)
        + f".PP\nExamples:\n{verbatim(text.parts['Examples'])}"
        + f".PP\nExit status:\n{verbatim(text.parts['Exit status'])}"
    )


def page(program: str) -> str:
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    main = Help(help_of(program))
    name, purpose = main.summary.split(": ")
    synopsis = "\n.br\n".join(bold_names(f"latkem {command} ...") for command in main.commands())
    return (
        '.\\" Written by docs/generate/man.py from the help of the command. SPDX-License-Identifier: Apache-2.0\n'
        f'.TH LATKEM 1 "" "latkem {version}" "User Commands"\n'
        f".SH NAME\n{name} \\- {roff(purpose)}\n"
        f".SH SYNOPSIS\n{synopsis}\n"
        f".SH DESCRIPTION\n{prose(main.prose)}"
        f".SH OPTIONS\n{tagged(main.table('Options'))}"
        ".SH COMMANDS\n"
        + "".join(command_section(name, Help(help_of(program, name))) for name in main.commands())
        + f".SH EXAMPLES\n{verbatim(main.parts['Examples'])}"
    )


def lacks(program: str, text: str) -> list[str]:
    """Commands and options of the help that a page does not have."""
    missing = []
    for name in Help(help_of(program)).commands():
        section = re.search(rf"^\.SS {name}\n(.*?)(?=^\.S[SH] )", text, re.M | re.S)
        options = Help(help_of(program, name)).options() if section else [name]
        told = re.findall(r"^\.TP\n\\fB(.*?)\\fR", section[1], re.M) if section else []
        missing += [f"{name} {o}" for o in options if o not in ("-h", "--help") and roff(o) not in told]
    return missing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the latkem command of a build")
    parser.add_argument("--check", action="store_true", help="fail where the page is wrong, and change nothing")
    args = parser.parse_args()
    wanted = page(args.program)
    if not args.check:
        PAGE.write_text(wanted)
        return 0
    kept = PAGE.read_text()
    for what in lacks(args.program, kept):
        print(f"man: docs/man/latkem.1 lacks {what}")
    if kept != wanted:
        print(f"man: docs/man/latkem.1 is not what the help says; run docs/generate/man.py {args.program}")
    return int(kept != wanted)


if __name__ == "__main__":
    sys.exit(main())
