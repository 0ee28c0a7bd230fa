"""Results of GoogleTest and of `latkem selftest`. SPDX-License-Identifier: Apache-2.0"""

from typing import Any

from latkem_evaluate.conformance import Result, merge, parse_gtest, parse_selftest


def gtest_report(suite: str, test: str, **fields: Any) -> dict[str, Any]:
    case = {"name": f"{test}/0", "value_param": "ML-KEM-512 on portable", "result": "COMPLETED"} | fields
    return {"testsuites": [{"name": f"Every/{suite}", "testsuite": [case]}]}


def test_pass() -> None:
    (result,) = parse_gtest(gtest_report("Rsp", "FullFile"))
    assert result == Result("Known answers", "ML-KEM-512", "portable", "pass")


def test_failure_brings_its_text() -> None:
    (result,) = parse_gtest(gtest_report("Altered", "Digest", failures=[{"failure": "differs"}]))
    assert (result.check, result.status, result.detail) == ("Rejection", "fail", "differs")


def test_skip_is_not_a_pass() -> None:
    (result,) = parse_gtest(gtest_report("Acvp", "KeyGen", result="SKIPPED"))
    assert (result.check, result.status) == ("Vector files", "not run")


def test_other_tests_are_left_out() -> None:
    assert list(parse_gtest(gtest_report("Support", "Hex"))) == []


def test_selftest_names_what_failed() -> None:
    checks = [{"name": "round trip", "ok": True, "fault": ""}, {"name": "batches", "ok": False, "fault": "wrong"}]
    report = {"results": [{"set": "Kyber512", "backend": "portable", "ok": False, "checks": checks}]}
    assert list(parse_selftest(report)) == [Result("Self-test", "Kyber512", "portable", "fail", "batches: wrong")]


def test_merge_keeps_the_worst() -> None:
    results = [{"status": status, "detail": status} for status in ("pass", "not run", "fail")]
    assert merge(results)["status"] == "fail"
    assert merge(results[:2])["status"] == "not run"
    assert merge(results[:1])["status"] == "pass"
    assert merge([])["status"] == "not run"
