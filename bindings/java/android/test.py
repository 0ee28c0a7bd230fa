#!/usr/bin/env python3
"""Builds, and tests what was built: files as Android wants them, libraries at work and, with --deep, the app's screens.

A line for each check, and at the end "N passed, N failed, N skipped". Pictures of the screens are left in
bindings/java/android/build/pictures.

SPDX-License-Identifier: Apache-2.0
Usage: test.py [--deep] [--only NAME]
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "checks"))

import files
import libraries
import screens

import build


def outcome(check: Callable[[], None]) -> tuple[str, str]:
    """Passed, failed or skipped, and why."""
    try:
        check()
    except libraries.Skipped as why:
        return "skipped", str(why)
    except (AssertionError, SystemExit) as why:
        return "failed", str(why)
    return "passed", ""


def report(check: Callable[[], None]) -> str:
    about = (check.__doc__ or "").splitlines()[0]
    print(f"android: {check.__name__}: {about}", flush=True)
    start = time.monotonic()
    result, why = outcome(check)
    print(f"android:   {result} in {time.monotonic() - start:.0f} s{': ' if why else ''}{why}", flush=True)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deep", action="store_true", help="the screens, R8 and the arm64 JVM too")
    parser.add_argument("--only", metavar="NAME", help="the check of this name alone")
    options = parser.parse_args()
    build.main()
    checks = files.CHECKS + libraries.CHECKS
    deep = files.DEEP + libraries.DEEP + screens.CHECKS
    chosen = [check for check in checks + deep if check.__name__ == options.only] if options.only else checks
    results = Counter(report(check) for check in (chosen + deep if options.deep and not options.only else chosen))
    print(f"{results['passed']} passed, {results['failed']} failed, {results['skipped']} skipped")
    return 1 if results["failed"] or not results else 0


if __name__ == "__main__":
    sys.exit(main())
