"""Options of the tests of latkem for Python. SPDX-License-Identifier: Apache-2.0"""

import sys
from pathlib import Path
from typing import Any

import latkem
import pytest

sys.path += [str(Path(__file__).resolve().parents[3] / "harness" / name) for name in ("memory", "packages")]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="the long forms of the tests too")


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--slow"))


@pytest.fixture(params=latkem.Kem.names())
def kem(request: pytest.FixtureRequest) -> latkem.Kem:
    name: Any = request.param
    return latkem.Kem(name)


@pytest.fixture(params=["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"])
def mlkem(request: pytest.FixtureRequest) -> latkem.Kem:
    name: Any = request.param
    return latkem.Kem(name)
