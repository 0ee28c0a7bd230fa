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
    return html[html.index(f'<section id="{name}"') :].partition("</section>")[0]


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
    assert "2.00×" in section(html, "wire")
    alone = Report(make_raw(("portable",))).html()
    assert "speed-up</th>" not in alone


def test_cycles_are_shown_or_their_absence_explained(raw: dict[str, Any]) -> None:
    assert "kcycles" in Report(raw).html()
    document = raw["benchmarks"]["operations"][0]
    document["context"]["cycles"] = "not available: synthetic"
    for row in [*document["benchmarks"], *raw["benchmarks"]["kernels"][0]["benchmarks"]]:
        row.pop("cycles", None)
    without = Report(raw).html()
    assert "cycles</th>" not in without
    assert "not available: synthetic" in without


def test_noise_is_flagged_in_row_and_summary(html: str) -> None:
    assert section(html, "wire").count('class="flag"') == 2
    assert "too noisy" in section(html, "noise")
    assert "ML-KEM-768" in section(html, "noise")


def test_failed_conformance_is_loud(raw: dict[str, Any]) -> None:
    raw["conformance"][0] |= {"status": "fail", "detail": "digest differs"}
    report = Report(raw)
    assert report.headline.startswith("1 of 20 conformance checks FAILED")
    assert "digest differs" in section(report.html(), "conformance")


def test_missing_results_are_no_pass(raw: dict[str, Any]) -> None:
    raw["conformance"] = []
    report = Report(raw)
    assert report.conformance_counts == {"pass": 0, "fail": 0, "not-run": 20}
    assert report.tiles[0].kind == "bad"


def test_peers_only_where_there_are_rivals(html: str, raw: dict[str, Any]) -> None:
    assert "1.50×" in section(html, "peers")
    peers = Report(raw).peers
    assert [(scheme.title, peers.tiers(scheme)) for scheme in peers.schemes] == [("ML-KEM", ["wire"])]
    raw["peers"] = None
    assert 'id="peers"' not in Report(raw).html()


def test_bars_say_whether_they_are_met(html: str) -> None:
    rows = re.findall(r"<tr><th[^>]*>(in reach|too far)<.*?</tr>", section(html, "peers"), re.DOTALL)
    assert rows == ["in reach", "too far"]
    assert section(html, "peers").count(">met<") == section(html, "peers").count(">not met<") == 1


def test_a_bar_s_worst_case_may_be_an_object(raw: dict[str, Any]) -> None:
    worst = {"ratio": 0.777, "set": "ML-KEM-768", "operation": "decaps", "rival": "rival (C)"}
    raw["peers"]["bars"] = [{"name": "bar", "limit": 0.8, "worst": worst, "met": True}]
    text = section(Report(raw).html(), "peers")
    assert "0.777" in text
    assert "ML-KEM-768 decaps, rival (C)" in text


def test_ratios_are_drawn_scheme_by_scheme(raw: dict[str, Any]) -> None:
    raw["library"]["sets"].append(raw["library"]["sets"][0] | {"name": "Saber"})
    for library in ("latkem", "rival"):
        raw["peers"]["rows"].append(raw["peers"]["rows"][0] | {"library": library, "set": "Saber"})
    raw["peers"]["ratios"] += [raw["peers"]["ratios"][0] | {"set": name} for name in ("Saber", "unknown set")]
    report = Report(raw)
    assert [key[0].title for key in report.peers.compared()] == ["ML-KEM", "Saber"]
    assert report.peers.ratios_of(*report.peers.compared()[1])["middle"].round(2).tolist() == [1.5]
    del raw["peers"]["ratios"], raw["peers"]["bars"]
    assert Report(raw).peers.compared() == []
    assert "1.50×" in section(Report(raw).html(), "peers")


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


def test_problems_make_the_exit_status(raw: dict[str, Any], tmp_path: Path) -> None:
    raw["problems"] = ["Profiling: crashed"]
    source = tmp_path / "results.json"
    source.write_text(json.dumps(raw))
    assert main(["--from", str(source), "--out", str(tmp_path / "out"), "--no-open"]) == 1
