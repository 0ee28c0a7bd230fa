"""tools/prose.py: sentences of every kind that it has to find, and others that it has to leave alone.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[1] / "prose.py"
sys.path.insert(0, str(TOOL.parent))
import prose  # noqa: E402

PLANTED = [
    ("nominal", "The unit waits. What is known late enables registers."),
    ("nominal", "Where speed needs a constant, the name has it."),
    ("nominal", "It has two rows: Whoever adds one names it."),
    ("whose", "A core whose pipes are many is fast."),
    ("whose", "It has three words, of which two are pointers."),
    ("stands", "The table stands in a.c."),
    ("tells", "The code tells the two apart."),
    ("tells", "The caller is told of it."),
    ("for", "The lane is free, for its job is complete."),
    ("for", "Nobody reads it, for it is wiped."),
    ("archaic", "The model reckons the cycles."),
    ("archaic", "It waits, lest it be early."),
    ("archaic", "The key is to be wiped."),
    ("archaic", "A key takes .92 of the time."),
    ("archaic", "A key takes less time, now .92."),
]
BLAMELESS = [
    "What is a group? A list of operations.",
    "It says what is known, and where.",
    "The outstanding job, a standard, understood.",
    "The intelligence foretold nothing.",
    "One list, for callers that need it, is enough.",
    "A limit is kept, for example in a table, where it is read.",
    "Version 1.88 takes 0.92 of a.b.92 and x.5.",
]
COMMENTS = {
    "a.c": ["/* {} */\nint i;\n", "int i; // {}\n", "/* One line and\n * another. {} */\n"],
    "A.java": ["/** {} */\n", "    // {}\n"],
    "a.sv": ["// {}\nmodule a;\n"],
    "a.py": ['"""{}"""\n', "x = 1  # {}\n", 'def f():\n    """One line.\n\n    {}\n    """\n', 'X = 1\n"""{}"""\n'],
    "a.sh": ["#!/bin/sh\n# {}\n", "x=1 # {}\n"],
    "a.toml": ["# {}\nx = 1\n", "x = 1 # {}\n"],
    "Makefile": ["# {}\n"],
    "a.md": ["# Title\n\n{}\n", "- One item.\n- {}\n", "| a |\n|---|\n| {} |\n", "> {}\n"],
}
NO_WORDS = {
    "a.c": ['const char *s = "{}";\n', 'const char *s = "/* {} */";\n'],
    "a.py": ['x = "{}"\n', 'f("# {}")\n'],
    "a.sh": ['echo "# {}"\n', "echo a#{}\n"],
    "a.md": ["```\n{}\n```\n", "    {}\n", "# {}\n", "`{}`\n", "| {} |\n|---|\n", "<!-- {} -->\n"],
}


def names(name: str, source: str) -> list[str]:
    return [pattern for _, pattern, _ in prose.found_in(prose.texts_of(name, source))]


@pytest.mark.parametrize(("pattern", "sentence"), PLANTED)
def test_each_pattern_is_found_once(pattern: str, sentence: str) -> None:
    assert names("a.md", sentence) == [pattern]


def test_each_pattern_is_planted() -> None:
    assert {pattern for pattern, _ in PLANTED} == set(prose.PATTERNS)


@pytest.mark.parametrize("sentence", BLAMELESS)
def test_blameless_sentences_pass(sentence: str) -> None:
    assert names("a.md", sentence) == []


@pytest.mark.parametrize(("name", "form"), [(name, form) for name, forms in COMMENTS.items() for form in forms])
def test_every_kind_of_text_is_read(name: str, form: str) -> None:
    assert names(name, form.format("The table stands here.")) == ["stands"]


@pytest.mark.parametrize(("name", "form"), [(name, form) for name, forms in NO_WORDS.items() for form in forms])
def test_code_is_not_read(name: str, form: str) -> None:
    assert names(name, form.format("The table stands here.")) == []


def test_a_pattern_may_run_over_lines() -> None:
    assert names("a.c", "/* Two words, of\n * which one is read. */\n") == ["whose"]
    assert names("a.sv", "// Two words, of\n// which one is read.\n") == ["whose"]


def words(count: int) -> str:
    return " ".join(["Word", *["word"] * (count - 1)]) + "."


@pytest.mark.parametrize(
    ("source", "longest"),
    [
        (words(30) + " " + words(31), 31),
        (words(30) + "\n\n" + words(29), 30),
        ("- " + words(20) + "\n- " + words(21), 21),
        ("- " + words(20)[:-1] + "\n- " + words(21), 21),
        ("| a |\n|---|\n| " + words(12) + " | " + words(13) + " |\n", 13),
        ("One [link of words](a.md) and `code in a line` here.", 7),
        ("One sentence is here. latkem begins the next one.", 5),
        ("See e.g. Knuth for it. No more.", 5),
        ("The rows are those of b. " + words(12), 12),
        (words(3), 0),
    ],
)
def test_sentences_are_measured(source: str, longest: int) -> None:
    assert prose.lengths(prose.texts_of("a.md", source)).longest == longest


def test_nine_sentences_in_ten() -> None:
    source = " ".join([words(10)] * 9 + [words(40)])
    assert prose.lengths(prose.texts_of("a.md", source)) == prose.Lengths(10, 40)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "tools").mkdir()
    (tmp_path / "src").mkdir()
    write(tmp_path, "tools/prose.toml", "[patterns]\nsrc = { stands = 1 }\n\n[pages]\n")
    write(tmp_path, "src/a.c", "/* The table stands here. */\n")
    write(tmp_path, "README.md", words(28) + "\n")
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, TOOL, "--root", root, *arguments], capture_output=True, text=True)


def test_a_tree_within_its_budgets_passes(tree: Path) -> None:
    assert run(tree).returncode == 0, run(tree).stderr


def test_a_tree_without_pages_is_no_success(tree: Path) -> None:
    (tree / "README.md").unlink()
    assert "no page" in run(tree).stderr
    assert run(tree).returncode == 1


def test_a_finding_more_fails(tree: Path) -> None:
    write(tree, "src/b.c", "/* Another stands here. */\n")
    result = run(tree)
    assert result.returncode == 1
    assert "src: 2 of 'stands', 1 allowed" in result.stderr


def test_an_area_without_a_row_has_no_budget(tree: Path) -> None:
    (tree / "cli").mkdir()
    write(tree, "cli/a.sh", "# Nothing tells.\n")
    assert "cli: 1 of 'tells', 0 allowed" in run(tree).stderr


@pytest.mark.parametrize("text", [words(46) + " " + " ".join([words(10)] * 20), " ".join([words(29)] * 20)])
def test_a_long_sentence_fails(tree: Path, text: str) -> None:
    write(tree, "README.md", text)
    result = run(tree)
    assert result.returncode == 1
    assert "README.md: p90" in result.stderr


def test_a_page_has_a_budget_of_its_own(tree: Path) -> None:
    write(tree, "README.md", words(50))
    row = '"README.md" = { p90 = 50, longest = 50 }\n'
    write(tree, "tools/prose.toml", f"[patterns]\nsrc = {{ stands = 1 }}\n\n[pages]\n{row}")
    assert run(tree).returncode == 0
    write(tree, "README.md", words(51))
    assert "50 and 50 allowed" in run(tree).stderr


def test_budgets_fall_and_never_rise(tree: Path) -> None:
    budgets = tree / "tools/prose.toml"
    write(tree, "src/a.c", "/* The table is here. */\n")
    assert "can be lowered" in run(tree).stdout
    assert run(tree, "--write").returncode == 0
    assert "src" not in budgets.read_text()
    assert "can be lowered" not in run(tree).stdout
    lowest = budgets.read_text()
    write(tree, "src/a.c", "/* The table stands here. */\n")
    write(tree, "README.md", words(50))
    assert run(tree, "--write").returncode == 0
    assert budgets.read_text() == lowest
    assert run(tree).returncode == 1


def test_a_count_above_its_budget_is_not_written(tree: Path) -> None:
    row = '"README.md" = { p90 = 50, longest = 50 }\n'
    write(tree, "tools/prose.toml", f'[patterns]\n"src" = {{ stands = 1 }}\n\n[pages]\n{row}')
    write(tree, "src/b.c", "/* Another stands here. */\n")
    write(tree, "README.md", words(60))
    assert run(tree, "--write").returncode == 0
    budget = prose.read_budgets(tree / "tools/prose.toml")
    assert budget == prose.Measure({"src": prose.Counter(stands=1)}, {"README.md": prose.Lengths(50, 50)})


def test_every_name_of_an_area_can_be_written(tree: Path) -> None:
    budget = prose.Measure({".ci": prose.Counter(stands=2)}, {"a/b.md": prose.Lengths(30, 50)})
    write(tree, "tools/prose.toml", prose.written(budget))
    assert prose.read_budgets(tree / "tools/prose.toml") == budget


def test_findings_are_shown_with_their_line(tree: Path) -> None:
    write(tree, "README.md", "Short.\n\n" + words(29))
    assert "src/a.c:1: stands: The table stands here." in run(tree, "--show", "src").stdout
    assert "README.md:3: 29 words: Word" in run(tree, "--show", "README.md").stdout


def test_help_teaches() -> None:
    text = run(Path(), "--help").stdout
    assert all(name in text for name in prose.PATTERNS)
    assert "--write" in text
