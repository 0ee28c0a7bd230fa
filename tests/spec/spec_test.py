#!/usr/bin/env python3
"""spec/sets.json and spec/published.json have every field, each well-formed, and the sizes of a set follow from its
parameters as its document says. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path

SPEC = Path(__file__).resolve().parent.parent.parent / "spec"
FACTS = json.loads((SPEC / "sets.json").read_text())
SETS, HYBRIDS = FACTS["sets"], FACTS["hybrids"]
PUBLISHED = json.loads((SPEC / "published.json").read_text())

FIELDS = {
    "name", "family", "document", "status", "level", "reference_name", "ids", "parameters", "sizes", "requests", "kat",
    "altered_sha256", "accumulated",
}  # fmt: skip
EXCHANGES = {"uake_sha256", "ake_sha256"}
SIZES = ["ek", "dk", "ct", "ss", "seed", "coins"]
IDS = {
    "oid": r"2\.16\.840\.1\.101\.3\.4\.4\.\d+",
    "tls_group": r"0x[0-9a-f]{4}",
    "hpke_kem": r"0x[0-9a-f]{4}",
}


def module_lwe(n: int, q: int, k: int, eta1: int, eta2: int, du: int, dv: int) -> tuple[int, int, int]:
    """FIPS 203 algorithms 16 and 17; Kyber's objects are the same."""
    assert (n, q, eta2) == (256, 3329, 2)
    assert eta1 in (2, 3)
    return 384 * k + 32, 768 * k + 96, 32 * (du * k + dv)


def module_lwr(n: int, q: int, p: int, T: int, l: int, mu: int) -> tuple[int, int, int]:  # noqa: E741
    assert (n, q, p) == (256, 8192, 1024)
    assert mu in (6, 8, 10)
    ek = 320 * l + 32
    return ek, 416 * l + ek + 64, 320 * l + 32 * (T.bit_length() - 1)


def ntru(n: int, q: int) -> tuple[int, int, int]:
    ek = ((n - 1) * (q.bit_length() - 1) + 7) // 8
    return ek, 2 * ((n - 1 + 4) // 5) + ek + 32, ek


SIZES_OF: dict[str, Callable[..., tuple[int, int, int]]] = {
    "ML-KEM": module_lwe,
    "Kyber": module_lwe,
    "Kyber-90s": module_lwe,
    "Saber": module_lwr,
    "NTRU": ntru,
}


def digests(facts: dict) -> Iterator[str]:
    yield facts["kat"]["rsp_sha256"]
    yield facts["altered_sha256"]
    yield from facts.get("exchanges", {}).values()
    for row in facts["accumulated"]:
        yield from (row["with_dk"], row["without_dk"])


class Sets(unittest.TestCase):
    def each(self, check: Callable[[dict], None]) -> None:
        for facts in SETS:
            with self.subTest(set=facts.get("name")):
                check(facts)

    def test_have_every_field(self) -> None:
        def check(facts: dict) -> None:
            has_exchanges = facts["document"] == "Kyber round 3"
            assert set(facts) == FIELDS | ({"exchanges"} if has_exchanges else set())
            assert set(facts.get("exchanges", EXCHANGES)) == EXCHANGES
            assert list(facts["sizes"]) == SIZES
            assert set(facts["requests"]) == {"keypair", "encaps"}
            assert set(facts["kat"]) == {"header", "rsp_sha256"}
            assert [row["rounds"] for row in facts["accumulated"]] == [100, 1000, 10000]

        self.each(check)

    def test_fields_are_what_they_may_be(self) -> None:
        def check(facts: dict) -> None:
            assert facts["status"] in ("standard", "research")
            assert facts["level"] in (1, 3, 5)
            assert f"\n| {facts['document']} |" in (SPEC / "README.md").read_text()
            for digest in digests(facts):
                assert re.fullmatch("[0-9a-f]{64}", digest)

        self.each(check)

    def test_standard_sets_have_identifiers(self) -> None:
        def check(facts: dict) -> None:
            assert set(facts["ids"]) == (set(IDS) if facts["status"] == "standard" else set())
            for name, value in facts["ids"].items():
                assert re.fullmatch(IDS[name], value)

        self.each(check)

    def test_sizes_follow_from_parameters(self) -> None:
        def check(facts: dict) -> None:
            sizes, requests = facts["sizes"], facts["requests"]
            assert (sizes["ek"], sizes["dk"], sizes["ct"]) == SIZES_OF[facts["family"]](**facts["parameters"])
            assert sizes["ss"] == 32
            assert (sizes["seed"], sizes["coins"]) == (sum(requests["keypair"]), sum(requests["encaps"]))

        self.each(check)

    def test_nothing_is_told_of_two_sets(self) -> None:
        told = [value for facts in SETS for value in (facts["name"], *facts["ids"].items(), *digests(facts))]
        assert len(told) == len(set(told))

    def test_families_stand_together(self) -> None:
        families = [facts["family"] for facts in SETS]
        assert families == sorted(families, key=families.index)


class Pages(unittest.TestCase):
    def test_object_identifiers_are_those_of_the_sets(self) -> None:
        page = (SPEC.parent / "docs/keyfiles.md").read_text()
        rows = dict(re.findall(r"^\| (\S+) \| (\d[\d.]+) \|", page, re.M))
        assert rows == {facts["name"]: facts["ids"]["oid"] for facts in SETS + HYBRIDS if "oid" in facts["ids"]}


# Bytes of a group's private key, share, secret and randomness for one private key.
GROUPS = {"X25519": (32, 32, 32, 32), "P-256": (32, 65, 32, 96), "P-384": (48, 97, 48, 48)}
HYBRID_FIELDS = {
    *("name", "family", "document", "status", "level", "ids", "parts", "combiner", "sizes", "requests", "answer")
}
HYBRID_IDS = IDS | {"oid": r"\d+(\.\d+)+"}


class Hybrids(unittest.TestCase):
    def each(self, check: Callable[[dict, dict, str], None]) -> None:
        """With ML-KEM's facts and the group's name."""
        sets = {facts["name"]: facts for facts in SETS}
        for facts in HYBRIDS:
            with self.subTest(set=facts.get("name")):
                (mlkem,) = (name for name in facts["parts"] if name in sets)
                (group,) = (name for name in facts["parts"] if name in GROUPS)
                check(facts, sets[mlkem], group)

    def test_have_every_field(self) -> None:
        def check(facts: dict, mlkem: dict, group: str) -> None:
            hashes = facts["combiner"] != "concatenation"
            assert set(facts) == HYBRID_FIELDS | ({"label"} if hashes else set())
            assert facts["combiner"] in ("concatenation", "SHA3-256")
            assert facts["status"] in ("standard", "draft")
            assert facts["level"] == mlkem["level"]
            assert f"\n| {facts['document']} |" in (SPEC / "README.md").read_text()
            for name, value in facts["ids"].items():
                assert re.fullmatch(HYBRID_IDS[name], value)
            assert list(facts["answer"]) == ["ek_sha256", "ct_sha256", "ss_sha256"]
            assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in facts["answer"].values())

        self.each(check)

    def test_sizes_follow_from_parts(self) -> None:
        def check(facts: dict, mlkem: dict, group: str) -> None:
            private, share, secret, random = GROUPS[group]
            of, sizes = mlkem["sizes"], facts["sizes"]
            both = {"ek": of["ek"] + share, "ct": of["ct"] + share, "coins": of["coins"] + random}
            joined = {"dk": of["dk"] + private, "ss": of["ss"] + secret, "seed": of["seed"] + random}
            hashed = {"dk": 32, "ss": 32, "seed": 32}
            assert sizes == both | (hashed if "label" in facts else joined)
            assert list(sizes) == SIZES
            assert facts["requests"]["encaps"] == [of["coins"], random]
            assert facts["requests"]["keypair"] == ([32] if "label" in facts else [of["seed"], random])

        self.each(check)

    def test_nothing_is_told_of_two_sets(self) -> None:
        told = [value for facts in SETS + HYBRIDS for value in (facts["name"], *facts["ids"].items())]
        told += [digest for facts in HYBRIDS for digest in facts["answer"].values()]
        assert len(told) == len(set(told))


OPERATIONS = {"keygen", "encaps", "decaps"}
STEPS = ("keygen", "encryption", "decryption")
UNITS = {"microseconds", "cycles", "thousands of cycles"}
PUBLISHED_FIELDS = {
    *("sources", "operations", "modules", "saber_study", "fpga", "speedups_over_reference_c", "model_cycles"),
    "cortex_m4",
}
# A speed-up is the quotient of the two times as they were before they were rounded. This one is not.
OTHER_QUOTIENT = [("Kyber512", "Apple A12", 60.4, 34.9, 1.78)]


def half_digit(number: float) -> float:
    """Half a unit of its last digit."""
    fraction = str(number).partition(".")[2]
    return 0.5 if fraction in ("", "0") else 0.5 / 10 ** len(fraction)


def is_quotient(reference: float, optimised: float, speedup: float) -> bool:
    """Within the rounding of all three; the last may have been cut off in place of rounded."""
    low = (reference - half_digit(reference)) / (optimised + half_digit(optimised))
    high = (reference + half_digit(reference)) / (optimised - half_digit(optimised))
    return low - 0.01 <= speedup <= high + 0.01


class Published(unittest.TestCase):
    def figures(self) -> list[dict]:
        lists = ("operations", "modules", "speedups_over_reference_c", "model_cycles")
        several = [figure for kind in lists for figure in PUBLISHED[kind]]
        return [*several, PUBLISHED["saber_study"], PUBLISHED["fpga"], PUBLISHED["cortex_m4"]]

    def test_there_is_nothing_else(self) -> None:
        assert set(PUBLISHED) == PUBLISHED_FIELDS

    def test_figures_have_sources_and_sources_figures(self) -> None:
        assert {figure["source"] for figure in self.figures()} == set(PUBLISHED["sources"])

    def test_operations_are_of_sets_on_stated_cores(self) -> None:
        for study in PUBLISHED["operations"]:
            places = [(row["set"], row["cpu"]) for row in study["rows"]]
            assert study["unit"] in UNITS
            assert len(places) == len(set(places))
            assert {cpu for _, cpu in places} == set(study["cpus"])
            assert {name for name, _ in places} <= {facts["name"] for facts in SETS}
            for row in study["rows"]:
                assert {len(row[key]) for key in ("reference", "optimised", "speedup")} == {3}

    def test_times_in_microseconds_have_a_clock(self) -> None:
        for study in PUBLISHED["operations"]:
            assert study["unit"] != "microseconds" or all("MHz" in cpu for cpu in study["cpus"].values())

    def test_speedups_are_quotients(self) -> None:
        keys = ("reference", "optimised", "speedup")
        rows = [row for study in PUBLISHED["operations"] for row in study["rows"]]
        triples = [
            (row["set"], row["cpu"], *of) for row in rows for of in zip(*(row[key] for key in keys), strict=True)
        ]
        triples += [
            (row["module"], "", *(row[key] for key in keys)) for of in PUBLISHED["modules"] for row in of["rows"]
        ]
        assert [triple for triple in triples if not is_quotient(*triple[2:])] == OTHER_QUOTIENT

    def test_functions_take_no_longer_than_the_whole(self) -> None:
        functions = PUBLISHED["saber_study"]["functions"]
        assert set(functions) == {"columns", *STEPS}
        for step in STEPS:
            *parts, whole = functions[step]
            assert whole[0].startswith("indcpa_kem_")
            for place in (1, 2):
                assert sum(part[place] for part in parts) < whole[place]

    def test_the_rounds_of_a_change_bear_its_mean(self) -> None:
        change = PUBLISHED["saber_study"]["matrix_vector_mul"]
        before, after = change["before"], change["after"]
        assert len(before) == len(after) == 30
        assert abs(100 * (1 - sum(after) / sum(before)) - change["mean_improvement_percent"]) < 0.1
        assert max(after) < min(before)

    def test_shares_are_parts_of_a_step(self) -> None:
        dominant = PUBLISHED["saber_study"]["dominant"]
        assert set(dominant["functions"]) == set(STEPS)
        assert all(0 < row[step] < 1 for row in dominant["shares"] for step in STEPS)

    def test_cores_of_the_fpga_study_are_of_sets(self) -> None:
        rows = PUBLISHED["fpga"]["rows"]
        names = [row["set"] for row in rows]
        assert len(names) == len(set(names))
        assert {*names, *(row["set"] for row in PUBLISHED["fpga"]["improvements"])} <= {facts["name"] for facts in SETS}
        assert all(row["level"] in (1, 3, 5) and len(row["us"]) == 3 for row in rows)

    def test_speedups_of_others_have_three_operations(self) -> None:
        for row in PUBLISHED["speedups_over_reference_c"]:
            assert set(row) == {"source", "cpu", "set", *OPERATIONS}

    def test_rows_of_boards_are_of_all_sets(self) -> None:
        rows = PUBLISHED["cortex_m4"]["rows"]
        assert {row["set"] for row in rows} == {facts["name"] for facts in SETS}
        assert len({(row["set"], row["implementation"]) for row in rows}) == len(rows)
        for row in rows:
            assert set(row) == {"set", "release", "implementation", "stack", "cycles", "code"}
            assert len(row["stack"]) == len(row["cycles"]) == 3

    def test_sources_say_what_they_are(self) -> None:
        for source in PUBLISHED["sources"].values():
            assert {"cited_as", "authors"} <= set(source)
            assert set(source) <= {"cited_as", "authors", "title", "link"}


if __name__ == "__main__":
    unittest.main()
