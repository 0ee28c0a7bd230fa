"""The speed of packages in other languages: their programs speed.py share this.

Each measures ML-KEM with key objects that are kept, beside the C calls in a loop and the language's own library. It
runs a program that prints a document in JSON: the language, its runtime, latkem's backend, the versions of the other
libraries, the fewest rounds, the operations of a block, and rows. A row is a set, an operation, a library, and the
quartiles of the blocks in nanoseconds an operation. All blocks took turns in one process, each after one that was not
timed.

bars.json has the limits: latkem's part of the other's time at most, for ML-KEM-768 on avx512 or in WebAssembly.
SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BARE: list[str | Path] = [ROOT / "harness" / "bare" / "bare.c", "-I", ROOT / "harness" / "bare", "-I", ROOT / "include"]
"""The C calls in a loop, for a compiler."""
OPERATIONS = ("keygen", "encaps", "decaps")
BARS_SET, BARS_BACKENDS = "ML-KEM-768", ("avx512", "wasm")
FULL, QUICK = ["8", "ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"], ["1", "ML-KEM-768"]
"""Arguments of the programs: seconds for a set, and the sets."""


class Absent(Exception):
    """Why a language cannot be measured here."""


def cpu() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        found = None
    return found[1] if found else "unknown CPU"


def bars(document: dict) -> list[dict]:
    """Each limit of the language, the ratio to it, and whether it is met."""
    if document["backend"] not in BARS_BACKENDS:
        return []
    times = {(row["library"], row["operation"]): row["median_ns"] for row in document["rows"] if row["set"] == BARS_SET}
    found = []
    for bar in json.loads(Path(__file__).with_name("bars.json").read_text()):
        for name in OPERATIONS if bar["language"] == document["language"] else ():
            if (bar["library"], name) in times:
                ratio = times["latkem", name] / times[bar["library"], name]
                where = {"set": BARS_SET, "operation": name, "library": bar["library"], "limit": bar[name]}
                found.append(where | {"ratio": ratio, "met": ratio <= bar[name]})
    return found


def show(document: dict) -> None:
    """The times in microseconds, and the limits."""
    title = f"{document['language']}: {document['runtime']}, backend {document['backend']}, {document['cpu']}"
    print(f"{title}; medians of {document['rounds']} blocks of {document['block']}")
    for row in document["rows"]:
        print(f"  {row['set']:12}{row['operation']:8}{row['library']:22}{row['median_ns'] / 1e3:10.2f} µs")
    for bar in document["bars"]:
        verdict = "met" if bar["met"] else "missed"
        place = f"{bar['set']} {bar['operation']}: {bar['ratio']:.2f} of {bar['library']}"
        print(f"  {place}, at most {bar['limit']:.2f}: {verdict}")


def documents_of(
    languages: Sequence[str], measure: Callable[[list[str], bool], list[str]], args: argparse.Namespace
) -> list:
    try:
        texts = measure(QUICK if args.quick else FULL, args.built)
    except Absent as reason:
        return [{"language": language, "absent": str(reason)} for language in languages]
    found = [json.loads(text) | {"cpu": cpu()} for text in texts]
    return [document | {"bars": bars(document)} for document in found]


def main(languages: Sequence[str], measure: Callable[[list[str], bool], list[str]]) -> int:
    """measure takes the arguments of the program and whether to take an earlier build, and returns documents."""
    parser = argparse.ArgumentParser(description=f"Measure latkem for {' and '.join(languages)}.")
    parser.add_argument("--quick", action="store_true", help="a second, and ML-KEM-768 alone")
    parser.add_argument("--built", action="store_true", help="measure the package that an earlier run built")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the documents there; no limit is a failure then"
    )
    args = parser.parse_args()
    documents = documents_of(languages, measure, args)
    for document in documents:
        if "absent" in document:
            print(f"skipped {document['language']}: {document['absent']}")
        else:
            show(document)
    if args.json:
        args.json.write_text(json.dumps(documents) + "\n")
        return 0
    return 0 if all(bar["met"] for document in documents for bar in document.get("bars", [])) else 1


def run(*command: str | Path, folder: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """The output of a command; what it says of an error is shown."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n'{' '.join(map(str, command))[:200]}' failed")
    return done.stdout
