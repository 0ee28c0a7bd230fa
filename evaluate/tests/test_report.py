"""The page and the files beside it, from synthetic results. SPDX-License-Identifier: Apache-2.0"""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import make_raw

from latkem_evaluate.cli import main
from latkem_evaluate.report import Report
from latkem_evaluate.results import Results
from latkem_evaluate.sections import SECTIONS
from latkem_evaluate.sections.conformance import Conformance
from latkem_evaluate.sections.kernels import Kernels
from latkem_evaluate.sections.operations import Operations
from latkem_evaluate.sections.peers import Peers
from latkem_evaluate.sections.stack import Stack
from latkem_evaluate.sections.trust import Trust


class Page(HTMLParser):
    """The ids, addresses and nesting of a page."""

    VOID = ("meta", "link", "br", "hr", "img", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.note(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def note(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            if name in ("src", "href", "xlink:href", "srcset"):
                self.addresses.append(value or "")


@pytest.fixture(scope="module")
def html() -> str:
    return Report(make_raw()).html()


def section(html: str, name: str) -> str:
    """The text of the chapter, or of a fold of one."""
    return html[html.index(f'id="{name}"') :].partition("</section>")[0]


def test_page_is_whole_and_self_contained(html: str) -> None:
    page = Page(html)
    assert page.open == []
    assert [name for name, count in page.ids.items() if count > 1] == []
    targets = {address.removeprefix("#") for address in page.addresses if address.startswith("#")}
    assert targets <= set(page.ids)
    assert all(address.startswith(("#", "data:")) for address in page.addresses)
    assert not re.search(r"@import|url\((?!#)", html)


def test_every_colour_of_the_charts_follows_the_page(html: str) -> None:
    for svg in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        assert set(re.findall(r"#[0-9a-f]{6}\b", svg)) <= {"#000000", "#fefefe"}
        for variable in re.findall(r"var\((--[\w-]+)\)", svg):
            assert f"{variable}:" in html


def test_speedup_stands_where_there_is_something_to_compare(html: str) -> None:
    assert "speed-up" in section(html, "wire")
    assert "2.0" in section(html, "wire")
    alone = Report(make_raw(("portable",)))
    assert "speed-up</th>" not in alone.chapter(Operations) + alone.chapter(Kernels)


def test_cycles_are_shown_or_their_absence_explained(raw: dict[str, Any]) -> None:
    assert "kcycles" in Report(raw).chapter(Operations)
    for document in (raw["benchmarks"]["operations"][0], raw["benchmarks"]["kernels"][0]):
        document["context"]["cycles"] = "not available: synthetic"
        for row in document["rows"]:
            del row["cycles"]
    without = Report(raw)
    assert "cycles</th>" not in without.chapter(Operations) + without.chapter(Kernels)
    assert "not available: synthetic" in without.chapter(Trust)


def test_noise_is_flagged_in_row_and_summary(html: str) -> None:
    assert section(html, "wire").count('<abbr class="flag"') == 2
    assert "2 of 20 rows are <b>noisy" in section(html, "trust")
    assert "wire decaps ML-KEM-768 portable" in section(html, "trust")


def test_failed_conformance_is_loud(raw: dict[str, Any]) -> None:
    raw["conformance"][0] |= {"status": "fail", "detail": "digest differs"}
    report = Report(raw)
    assert report.failed
    assert report.answers.lead.startswith("1 of 20 conformance checks FAILED")
    assert "digest differs" in report.chapter(Conformance)


def test_conformance_is_one_matrix(raw: dict[str, Any]) -> None:
    raw["conformance"][0] |= {"status": "fail", "detail": "digest differs"}
    del raw["conformance"][-1]
    (rows,) = Report(raw).section(Conformance).table().groups
    assert [row.label for row in rows] == ["ML-KEM-512", "ML-KEM-768"]
    assert [[(cell.kind, cell.text) for cell in row.cells] for row in rows] == [
        [("fail", "K"), ("pass", "")],
        [("pass", ""), ("not-run", "S")],
    ]


def test_missing_results_are_no_pass(raw: dict[str, Any]) -> None:
    raw["conformance"] = []
    report = Report(raw)
    assert report.section(Conformance).counts == {"pass": 0, "fail": 0, "not run": 20}
    assert dict(report.answers.tiles)["conformance"].kind == "bad"


def test_every_section_is_a_chapter_of_its_own_template(html: str) -> None:
    keys = [section.key for section in Report(make_raw()).sections]
    assert len(keys) == len(SECTIONS) - 5  # no exchanges of these sets, AArch64, hardware, proofs, studies
    assert re.findall(r'<div class="body" id="([\w-]+)"', html) == keys
    assert re.findall(r'<a href="#([\w-]+)">', html.partition("</nav>")[0]) == keys


def test_answers_come_first_level_by_level(raw: dict[str, Any]) -> None:
    raw["library"]["sets"][1]["level"] = 3
    report = Report(raw)
    lines = report.answers.levels
    assert {level: [line.name for line in found] for level, found in lines.items()} == {
        1: ["ML-KEM-512"],
        3: ["ML-KEM-768"],
    }
    assert [cell.text for cell in lines[1][0].times] == ["0.50"] * 3
    assert lines[1][0].speedup.text == "2.00×"
    assert (lines[1][0].rival.text, lines[1][0].rival.small) == ("1.50×", "rival (C)")
    assert report.answers.shown_first == 3


def test_the_first_screen_names_the_machine(html: str) -> None:
    first = html.partition("<main>")[0]
    assert "Synthetic CPU" in first
    assert "conformance checks passed" in first


def test_a_race_within_its_quartiles_is_not_told_apart(raw: dict[str, Any]) -> None:
    raw["peers"]["ratios"][0] |= {"ratio_q1": 0.9, "ratio_rounds": 1.0, "ratio_q3": 1.1}
    assert Report(raw).answers.levels[1][0].rival.text == "not told apart"


def test_stack_says_what_fits(raw: dict[str, Any]) -> None:
    raw["stack"]["stack"][0]["bytes"] = 70 * 1024
    raw["stack"]["stack"][1]["bytes"] = 140 * 1024
    stack = Report(raw).section(Stack)
    assert "2 of 4 fit 64 KiB, 3 of 4 fit 128 KiB" in stack.answer
    ((row,),) = stack.summary().groups
    assert [cell.text for cell in row.cells] == ["2 of 4", "3 of 4", "140.0", "keygen of ML-KEM-768, portable"]
    cells = [row.cells[:2] for group in stack.table().groups for row in group]
    assert [fits.text for fits, _ in cells] == ["128 KiB", "64 KiB", "more than 128 KiB", "64 KiB"]
    assert cells[0][1].text == "70.0"


def test_every_table_scrolls_in_its_box(html: str) -> None:
    tables = html.count("<table")
    assert tables > 10
    assert len(re.findall(r'<div class="scroll"[^>]*>\s*<table', html)) == tables


def test_peers_or_how_to_get_them(html: str, raw: dict[str, Any]) -> None:
    assert "1.5" in section(html, "peers")
    assert "on 2000-01-01 with latkem 0.0.0" in section(html, "peers")
    peers = Report(raw).section(Peers)
    assert [(scheme.title, peers.tiers(scheme)) for scheme in peers.schemes] == [("ML-KEM", ["wire"])]
    raw["peers"] = None
    without = Report(raw).chapter(Peers)
    assert "make peers" in without
    assert "<table" not in without


def test_bars_say_whether_they_are_met(html: str) -> None:
    rows = re.findall(r"<tr><th[^>]*>(in reach|too far)<.*?</tr>", section(html, "peers"), re.DOTALL)
    assert rows == ["in reach", "too far"]
    assert section(html, "peers").count(">met<") == section(html, "peers").count(">not met<") == 1


def test_a_bar_s_worst_case_may_be_an_object(raw: dict[str, Any]) -> None:
    worst = {"ratio": 0.777, "set": "ML-KEM-768", "operation": "decaps", "rival": "rival (C)"}
    raw["peers"]["bars"] = [{"name": "bar", "limit": 0.8, "worst": worst, "met": True}]
    text = Report(raw).chapter(Peers)
    assert "0.777" in text
    assert "ML-KEM-768 decaps, rival (C)" in text


def test_ratios_are_drawn_scheme_by_scheme(raw: dict[str, Any]) -> None:
    raw["library"]["sets"].append(raw["library"]["sets"][0] | {"name": "Saber"})
    for library in ("latkem", "rival"):
        raw["peers"]["rows"].append(raw["peers"]["rows"][0] | {"library": library, "set": "Saber"})
    raw["peers"]["ratios"] += [raw["peers"]["ratios"][0] | {"set": name} for name in ("Saber", "unknown set")]
    report = Report(raw)
    peers = report.section(Peers)
    assert [key[0].title for key in peers.compared()] == ["ML-KEM", "Saber"]
    assert peers.ratios_of(*peers.compared()[1])["middle"].round(2).tolist() == [1.5]
    del raw["peers"]["ratios"], raw["peers"]["bars"]
    assert Report(raw).section(Peers).compared() == []
    assert "1.50×" in Report(raw).chapter(Peers)


def test_hybrids_race_in_the_handshake(raw: dict[str, Any]) -> None:
    name = "X25519MLKEM768"
    for tier, ns in (("wire", 3000.0), ("handshake", 800.0)):
        own, rival = (row | {"set": name, "tier": tier} for row in raw["peers"]["rows"][:2])
        raw["peers"]["rows"] += [own, rival | {"median_ns": ns}]
        by = {"ratio_rounds": 1000.0 / ns, "ratio_q1": 1000.0 / ns, "ratio_q3": 1000.0 / ns}
        raw["peers"]["ratios"].append(raw["peers"]["ratios"][0] | {"set": name, "tier": tier} | by)
    report = Report(raw)
    peers = report.section(Peers)
    assert [(scheme.title, peers.tiers(scheme)) for scheme in peers.schemes] == [
        ("ML-KEM", ["wire"]),
        ("TLS hybrid", ["wire", "handshake"]),
    ]
    leads = {key: lead.middle for key, lead in peers.leads().items() if key[0] == name}
    assert list(leads.values()) == pytest.approx([0.8])
    text = report.chapter(Peers)
    assert "Handshake tier:" in text
    assert "slower in 1" in peers.answer


def test_text_from_outside_is_escaped(raw: dict[str, Any]) -> None:
    raw["machine"]["CPU"] = "<script>x</script>"
    raw["problems"] = ["<b>bold</b>"]
    html = Report(raw).html()
    assert "<script" not in html
    assert "&lt;b&gt;bold" in html


def test_results_file_makes_the_report_again(raw: dict[str, Any], tmp_path: Path) -> None:
    source = tmp_path / "results.json"
    source.write_text(json.dumps(raw))
    out = tmp_path / "out"
    assert main(["--from", str(source), "--out", str(out), "--no-open"]) == 0
    assert json.loads((out / "results.json").read_text()) == raw
    assert (out / "results.csv").read_text().count("\n") == 1 + 16 + 4
    names = {path.name for path in (out / "charts").iterdir()}
    assert {"exchange-swift.svg", "study-portable.png", "session-key.svg"} <= names
    assert {"latency-wire.svg", "latency-wire.png", "profile-encaps-swift.svg", "peers-wire-ml-kem.png"} <= names
    first = (out / "index.html").read_text()
    assert main(["--from", str(source), "--out", str(out), "--no-open"]) == 0
    assert (out / "index.html").read_text() == first


@pytest.mark.usefixtures("undrawn")
def test_a_contradicted_ranking_makes_the_exit_status(raw: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    source, other = tmp_path / "results.json", tmp_path / "other.json"
    for path, name in ((source, "ML-KEM-512"), (other, "ML-KEM-768")):
        changed = json.loads(json.dumps(raw))
        for row in changed["benchmarks"]["operations"][0]["rows"]:
            if f"/{name}/" in row["name"]:
                row["ns"] = [3 * ns for ns in row["ns"]]
        path.write_text(json.dumps(changed))
    arguments = ["--from", str(source), "--out", str(tmp_path / "out"), "--no-open", "--against"]
    assert main([*arguments, str(source)]) == 0
    assert main([*arguments, str(other)]) == 1
    assert "level 1, encaps: ML-KEM-768 before ML-KEM-512" in capsys.readouterr().out


@pytest.mark.usefixtures("undrawn")
def test_problems_make_the_exit_status(raw: dict[str, Any], tmp_path: Path) -> None:
    raw["problems"] = ["Profiling: crashed"]
    source = tmp_path / "results.json"
    source.write_text(json.dumps(raw))
    assert main(["--from", str(source), "--out", str(tmp_path / "out"), "--no-open"]) == 1


def test_hybrids_are_no_rows_of_what_is_not_measured_of_them(raw: dict[str, Any]) -> None:
    core = Results(raw).set_names
    raw["library"]["sets"].append(raw["library"]["sets"][0] | {"name": "X-Wing", "standing": "draft"})
    assert Results(raw).set_names == core
