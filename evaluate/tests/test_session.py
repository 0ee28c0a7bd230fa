"""A session key in Java, and on two machines: made-up times. SPDX-License-Identifier: Apache-2.0"""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import SETS, jdk, make_cost_model, make_raw

from latkem_evaluate import java
from latkem_evaluate.build import Build
from latkem_evaluate.java import Java
from latkem_evaluate.report import Report
from latkem_evaluate.sections.session_java import SessionJava, session_rows
from latkem_evaluate.sections.session_machines import SessionMachines
from latkem_evaluate.steps import CommandError, Runner

STEPS = ("keygen", "encrypt", "decrypt")


def times(prefix: str, median_ms: float) -> dict[str, float]:
    parts = {"min": 0.8, "mean": 1.1, "max": 2.0, "median": 1.0, "q1": 0.95, "q3": 1.05}
    return {f"{prefix}{name}_ms": part * median_ms for name, part in parts.items()}


def in_java(factor: float = 1.0, architecture: str = "x86_64", **more: Any) -> dict[str, Any]:
    """40, 50 and 60 µs; the C call takes 30 of them."""
    rows = [
        {"set": name, "backend": "swift", "step": step, **times("", factor * ms), **times("c_", factor * 0.03)}
        for name in SETS
        for step, ms in zip(STEPS, (0.04, 0.05, 0.06), strict=True)
    ]
    head = {
        "language": "java",
        "rounds": 30,
        "repetitions": 1000,
        "backend": "swift",
        "jvm": "JVM 0",
        "emulated": False,
    }
    machine = {"cpu": f"Synthetic {architecture}", "architecture": architecture}
    return head | {"machine": machine, "results": rows} | more


def report(**more: Any) -> Report:
    raw = make_raw() | {"aarch64": make_cost_model(), "session_key_java": in_java()} | more
    raw["machine"]["Architecture"] = "x86_64"
    return Report(raw)


def texts(section: SessionJava | SessionMachines) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in section.table().groups[0]]


def test_java_stands_beside_c_and_its_share_is_what_c_does_not_take() -> None:
    section = report().section(SessionJava)
    assert texts(section) == [["900", "40", "30", "10", "900", "50", "30", "20", "900", "60", "30", "30"]]
    assert [cell.small for cell in section.table().groups[0][0].cells if cell.small] == [
        f"{part}\N{NARROW NO-BREAK SPACE}%" for part in (25, 40, 50)
    ]
    assert section.answer.startswith(
        "A step in Java takes 0.06 of the time of the C program's in the median. "
        "Java adds 20.0 µs to the bare C call of a step in the median, 30.0 µs at most"
    )


def test_rows_are_in_microseconds_with_half_of_the_quartiles_range() -> None:
    row = session_rows(in_java()).iloc[0]
    assert row[["us", "q1", "q3", "error", "c_us"]].tolist() == pytest.approx([40, 38, 42, 2, 30])


def test_bars_of_java_are_the_c_call_and_the_share() -> None:
    bars = [bar for bar in report().section(SessionJava)._bars() if bar["set"] == SETS[0] and bar["panel"] == "keygen"]
    assert [(bar["bar"], bar["part"]) for bar in bars] == [
        ("C", "C program"),
        ("Java", "Java: bare C call"),
        ("Java", "Java's share"),
    ]
    assert [bar["value"] for bar in bars] == pytest.approx([900, 30, 10])


def test_without_the_native_library_all_of_it_is_java() -> None:
    document = in_java()
    for row in document["results"]:
        for key in [key for key in row if key.startswith("c_")]:
            del row[key]
    section = report(session_key_java=document).section(SessionJava)
    assert texts(section)[0][:4] == ["900", "40", "–", "–"]
    assert section.answer == ""


def test_emulated_java_stands_beside_no_real_c() -> None:
    html = report(session_key_java=in_java(emulated=True)).chapter(SessionJava)
    assert "Emulated" in html
    section = report(session_key_java=in_java(emulated=True)).section(SessionJava)
    assert {bar["bar"] for bar in section._bars()} == {"Java"}
    assert texts(section)[0][0] == "–"


@pytest.mark.usefixtures("undrawn")
def test_why_nothing_was_measured_is_said() -> None:
    absent = report(session_key_java={"absent": "there is no jar"})
    assert "Not measured: there is no jar" in absent.chapter(SessionJava)
    assert absent.problems == []
    assert 'id="session-java"' not in report(session_key_java={}).html()


def test_arm_is_set_beside_x64() -> None:
    beside = report(session_key_other=in_java(3, "aarch64"))
    section = beside.section(SessionMachines)
    assert section.table().columns == ["ARM", "x64", "ARM − x64", "faster"]
    assert texts(section)[0] == ["120", "40", "+80", "x64, 3.0×"]
    assert list(beside.charts_of(section)) == ["session-machines"]
    assert section.answer == "ARM takes 3.00 to 3.00 times as long as x64."
    assert "Synthetic aarch64" in beside.chapter(SessionMachines)


@pytest.mark.parametrize("factor", [1.05, 0.95])
def test_steps_whose_quartiles_meet_are_not_told_apart(factor: float) -> None:
    section = report(session_key_other=in_java(factor, "aarch64")).section(SessionMachines)
    assert {row[3] for row in texts(section)} == {"not told apart"}


def test_a_c_file_is_set_beside_this_machines_c() -> None:
    other = in_java(3, "aarch64") | {"language": "c"}
    section = report(session_key_other=other).section(SessionMachines)
    assert texts(section)[0][:2] == ["120", "900"]


def test_machines_of_one_architecture_are_told_apart_by_name() -> None:
    section = report(session_key_other=in_java(2, "x86_64")).section(SessionMachines)
    assert section.table().columns[:2] == ["this machine", "the other machine"]


@pytest.mark.parametrize("where", ["head", "row"])
def test_emulated_times_are_never_beside_real_ones(where: str) -> None:
    other = in_java(3, "aarch64")
    (other if where == "head" else other["results"][-1])["emulated"] = True
    refused = report(session_key_other=other)
    section = refused.section(SessionMachines)
    assert section.both.empty
    assert list(refused.charts_of(section)) == ["session-counts"]
    assert "emulated times are not set beside real ones" in refused.chapter(SessionMachines)


def test_without_another_machine_the_counts_of_aarch64_stand_alone() -> None:
    alone = report(session_key_other=None)
    section = alone.section(SessionMachines)
    assert list(alone.charts_of(section)) == ["session-counts"]
    assert set(section.counts["panel"]) == set(STEPS)
    assert section.counts["value"].max() == 2.0
    assert "They are not times" in alone.chapter(SessionMachines)


def test_counts_of_sets_that_this_build_lacks_are_left_out() -> None:
    kept = make_cost_model()
    kept["costs"].append(kept["costs"][-1] | {"name": "op/keygen/FireSaber/neon"})
    alone = report(session_key_other=None, aarch64=kept)
    section = alone.section(SessionMachines)
    assert "FireSaber" not in set(section.counts["set"])
    assert alone.charts_of(section)


def test_charts_follow_the_page() -> None:
    for more in ({}, {"session_key_other": in_java(3, "aarch64")}):
        for kind in (SessionJava, SessionMachines):
            chapter = report(**more).chapter(kind)
            assert "<svg" in chapter
            assert "#0b6e8a" not in chapter


class Programs(Runner):
    """Writes what the jar would, or fails."""

    def __init__(self, folder: Path, fails: bool) -> None:
        super().__init__(folder, folder / "log")
        self.fails = fails
        self.commands: list[list[str]] = []

    def run(self, name: str, command: Any, **more: Any) -> int:
        self.commands.append(list(command))
        if self.fails:
            raise CommandError(command, 1, self.logs / "none.log")
        if "--json" in command:
            Path(command[-1]).write_text(json.dumps(in_java()))
        return 0


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """A tree with a jar, on a machine with Java and Maven."""
    monkeypatch.setattr(java, "candidates", lambda root: [jdk(tmp_path / "jdk", 'JAVA_VERSION="17.0.1"')])
    monkeypatch.setattr(java.shutil, "which", lambda name: f"/bin/{name}")
    target = tmp_path / "bindings/java/session-key/target"
    target.mkdir(parents=True)
    (target / "latkem-session-key-0.0.0.jar").touch()
    return Build(tmp_path, tmp_path / "build")


def run_session_key(build: Build, programs: Programs, quick: bool = True) -> dict:
    return Java(build, programs, build.source, quick).session_key(lambda part: None)


@pytest.mark.parametrize("quick", [True, False])
def test_the_jar_is_run(build: Build, quick: bool) -> None:
    programs = Programs(build.source, fails=False)
    assert run_session_key(build, programs, quick) == in_java()
    assert ("--rounds" in programs.commands[0]) is quick


def test_a_build_or_a_run_that_fails_is_the_reason(build: Build) -> None:
    programs = Programs(build.source, fails=True)
    built = Java(build, programs, build.source, quick=False)
    assert built.wants_a_build
    built.package(lambda part: None)
    assert "could not be built" in built.session_key(lambda part: None)["absent"]
    assert "ended with status 1" in run_session_key(build, programs)["absent"]
    assert len(programs.commands) == 2


def test_a_quick_run_builds_nothing(build: Build) -> None:
    programs = Programs(build.source, fails=False)
    assert not Java(build, programs, build.source, quick=True).wants_a_build
    for found in build.source.rglob("*.jar"):
        found.unlink()
    assert "make java" in run_session_key(build, programs)["absent"]
    assert programs.commands == []


def test_without_java_nothing_is_run(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "candidates", lambda root: [])
    programs = Programs(build.source, fails=False)
    assert "there is no Java here" in run_session_key(build, programs)["absent"]
    assert not Java(build, programs, build.source, quick=False).wants_a_build
    assert programs.commands == []
