"""The chapter of TLS handshakes, and how they are made: made-up rates. SPDX-License-Identifier: Apache-2.0"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import handshakes, make_raw

from latkem_evaluate import handshakes as runs
from latkem_evaluate.build import Build
from latkem_evaluate.facts import ROOT, sets
from latkem_evaluate.handshakes import GROUPS, Handshakes, contestants, ml_kem_of
from latkem_evaluate.report import Report
from latkem_evaluate.sections.tls import Tls
from latkem_evaluate.steps import CommandError, Runner

OLD, NEW = "OpenSSL 3.0.19 27 Jan 2026", "OpenSSL 3.5.0 8 Apr 2025"


def report(document: dict[str, Any] | None = None) -> Report:
    return Report(make_raw() if document is None else make_raw() | {"tls": document})


def both() -> dict[str, Any]:
    """Of OpenSSL that has ML-KEM itself."""
    rates = {"X25519": 2000.0, "X25519MLKEM768__latkem": 1800.0, "X25519MLKEM768": 1600.0, "secp256r1": 1000.0}
    return handshakes(**rates) | {"openssl": NEW}


def cells(section: Tls) -> list[tuple[str, str, list[str]]]:
    rows = [row for group in section.table().groups for row in group]
    return [(row.label, row.note, [cell.text for cell in row.cells]) for row in rows]


def test_rates_ratios_and_times_stand_side_by_side() -> None:
    section = report().section(Tls)
    assert cells(section) == [
        ("X25519", "OpenSSL", ["2\u202f000", "–", "500"]),
        ("X25519MLKEM768", "latkem", ["1\u202f600", "0.80×", "620"]),
        ("MLKEM512", "latkem", ["2\u202f500", "1.25×", "400"]),
        ("secp256r1", "OpenSSL", ["1\u202f000", "0.50×", "1000"]),
    ]
    small = [cell.small for cell in section.table().groups[2][0].cells]
    assert small == ["2\u202f480–2\u202f520", "1.24–1.26", "396–404"]


def test_the_answer_is_the_ratio_of_one_group_with_its_range() -> None:
    assert report().section(Tls).answer == (
        "With latkem, X25519MLKEM768 makes 0.80 (0.79–0.81) times as many handshakes a second as X25519. "
        "OpenSSL 3.0.0, medians and quartiles."
    )


def test_latkem_is_beside_openssl_s_own_where_it_has_one() -> None:
    section = report(both()).section(Tls)
    assert [(label, by) for label, by, _ in cells(section)] == [
        ("X25519", "OpenSSL"),
        ("X25519MLKEM768", "latkem"),
        ("X25519MLKEM768", "OpenSSL"),
        ("secp256r1", "OpenSSL"),
    ]
    assert "0.90 (0.89–0.91) times" in section.answer
    assert "; with OpenSSL's own ML-KEM, 0.80 (0.79–0.81). OpenSSL 3.5.0" in section.answer
    assert list(section.shares()["group"]) == ["X25519MLKEM768"]
    assert "its own ML-KEM" in report(both()).chapter(Tls)


def test_ml_kem_s_share_is_of_the_fastest_backend() -> None:
    """Three operations of 0.5 µs; a handshake takes 625 µs. ML-KEM-768's decapsulation is noisy."""
    (rows,) = report().section(Tls).share_table().groups
    assert [(row.label, row.note) for row in rows] == [("X25519MLKEM768", "ML-KEM-768"), ("MLKEM512", "ML-KEM-512")]
    assert [cell.text for cell in rows[1].cells] == ["0.500", "0.500", "0.500", "1.50", "400", "0.4\u202f%"]
    assert rows[0].cells[4].text == "625"


def test_without_the_operations_there_is_no_share() -> None:
    raw = make_raw()
    document = raw["benchmarks"]["operations"][0]
    document["rows"] = [row for row in document["rows"] if "wire/encaps" not in row["name"]]
    assert Report(raw).section(Tls).shares().empty
    assert "ML-KEM's part" not in Report(raw).chapter(Tls)


def test_the_chart_has_a_bar_for_each_implementation() -> None:
    (chart,) = report(both()).section(Tls).charts()
    assert [text for text in ("0.90", "0.80", "1.00", "0.50<") if text not in chart.inline_svg()] == []
    assert re.findall(r">(latkem|OpenSSL)<", chart.inline_svg()) == ["latkem", "OpenSSL"]


@pytest.mark.usefixtures("undrawn")
def test_what_is_missing_is_said() -> None:
    absent = report({"absent": "there is no libssl here"})
    assert absent.section(Tls).answer == "Not measured: there is no libssl here."
    assert "Not measured: there is no libssl here" in absent.chapter(Tls)
    assert absent.problems == []
    assert 'id="tls"' not in report({}).html()


def test_openssl_s_own_is_measured_from_3_5_on() -> None:
    assert contestants(OLD) == [*GROUPS]
    for version in (NEW, "OpenSSL 3.10.1", "OpenSSL 4.0.0-dev"):
        names = contestants(version)
        assert names[:3] == ["X25519", "X25519MLKEM768@?provider=latkem", "X25519MLKEM768"]
        assert [name for name in names if "@" not in name] == [*GROUPS]
    source = (ROOT / "provider/bench/handshakes.c").read_text()
    most = re.search(r"GROUPS_MAX = (\d+)", source)
    assert most is not None
    assert len(contestants(NEW)) <= int(most[1])


def test_the_set_in_a_group_is_one_of_its_parts() -> None:
    hybrids = [group for group in GROUPS if ml_kem_of(group) and group in sets()]
    assert len(hybrids) == 3
    assert all(ml_kem_of(group) in sets()[group]["parts"] for group in hybrids)
    assert [ml_kem_of(group) for group in ("MLKEM512", "X25519", "secp384r1")] == ["ML-KEM-512", "", ""]


class Programs(Runner):
    """Builds nothing. Writes what latkem_handshakes would, or fails in the step that is asked for."""

    def __init__(self, folder: Path, openssl: str = OLD, fails: str = "") -> None:
        super().__init__(folder, folder / "log")
        self.openssl, self.fails = openssl, fails
        self.commands: dict[str, list[str]] = {}
        self.environment: dict[str, str] = {}

    def run(self, name: str, command: Any, **more: Any) -> int:
        self.commands[name] = list(command)
        if name == self.fails:
            raise CommandError(command, 1, self.logs / "none.log")
        if "output" in more:
            self.environment = more["environment"]
            more["output"].write_text(json.dumps(handshakes(X25519=1.0) | {"openssl": self.openssl}))
        return 0


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """A tree with the program, configured on a machine with libssl."""
    program = tmp_path / "build/provider/latkem_handshakes"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    (tmp_path / "build/CMakeCache.txt").write_text("OPENSSL_SSL_LIBRARY:FILEPATH=/usr/lib/libssl.so\n")
    return Build(tmp_path, tmp_path / "build")


def measure(build: Build, programs: Programs, quick: bool = True) -> dict:
    return Handshakes(build, programs, build.source, 3, quick).measure(lambda part: None)


@pytest.mark.parametrize(("quick", "openssl", "rounds"), [(True, OLD, 13), (False, OLD, 22), (False, NEW, 13)])
def test_the_program_is_run_on_its_core_with_the_provider(
    build: Build, monkeypatch: pytest.MonkeyPatch, quick: bool, openssl: str, rounds: int
) -> None:
    monkeypatch.setattr(runs.shutil, "which", lambda name: f"/bin/{name}")
    programs = Programs(build.source, openssl)
    assert measure(build, programs, quick)["openssl"] == openssl
    assert json.loads((build.source / "handshakes.json").read_text())["openssl"] == openssl
    program = str(build.directory / "provider/latkem_handshakes")
    turn = "40" if quick else "200"
    assert programs.commands["handshakes"] == [
        *("taskset", "-c", "3", program, str(rounds), turn),
        *contestants(openssl),
    ]
    assert programs.environment == {"OPENSSL_CONF": str(build.directory / "provider/openssl-latkem.cnf")}
    assert "-DLATKEM_BUILD_PROVIDER=ON" in programs.commands["handshakes-configure"]


@pytest.mark.parametrize("entry", ["OPENSSL_SSL_LIBRARY:FILEPATH=OPENSSL_SSL_LIBRARY-NOTFOUND\n", ""])
def test_without_libssl_nothing_is_built(build: Build, entry: str) -> None:
    (build.directory / "CMakeCache.txt").write_text(entry)
    programs = Programs(build.source)
    assert measure(build, programs) == {"absent": "there is no libssl here (Debian: libssl-dev)"}
    assert programs.commands == {}


@pytest.mark.parametrize("step", ["handshakes-configure", "handshakes-build"])
def test_a_build_that_fails_is_the_reason(build: Build, step: str) -> None:
    assert "could not be built" in measure(build, Programs(build.source, fails=step))["absent"]


def test_handshakes_that_fail_are_a_problem(build: Build) -> None:
    with pytest.raises(CommandError):
        measure(build, Programs(build.source, fails="handshakes"))
