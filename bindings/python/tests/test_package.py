"""The installed package: its version, types and commands. SPDX-License-Identifier: Apache-2.0"""

import importlib.metadata
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import latkem
import vectors


def run(*options: str) -> str:
    return subprocess.run([sys.executable, "-m", "latkem", *options], check=True, capture_output=True, text=True).stdout


def test_version() -> None:
    header = (vectors.ROOT / "include" / "latkem" / "latkem.h").read_text()
    stated = re.search(r'#define LATKEM_VERSION "(.*)"', header)
    assert stated
    assert latkem.__version__ == importlib.metadata.version("latkem") == stated[1]


def test_needs_nothing() -> None:
    assert importlib.metadata.requires("latkem") is None


def test_contents() -> None:
    folder = Path(latkem.__file__).parent
    assert {"py.typed", "_core.pyi", "_core.abi3.so"} <= {path.name for path in folder.iterdir()}
    assert all(hasattr(latkem, name) for name in latkem.__all__)


def test_types_are_those_of_the_extension() -> None:
    """Every public name of the extension and of its classes is in the stub, and the other way round."""
    stub = Path(latkem.__file__).with_name("_core.pyi").read_text()
    declared = set(re.findall(r"^(?:class|def) (\w+)|^(\w+): ", stub, re.MULTILINE))
    names = {first or second for first, second in declared} - {"WritableBuffer"}
    assert names == {name for name in vars(latkem._core) if not name.startswith("_")}
    for cls in (latkem.Kem, latkem.PrivateKey, latkem.PublicKey, latkem.MLKEM768PrivateKey):
        body = re.search(rf"^class {cls.__name__}\b.*?(?=^\S|\Z)", stub, re.MULTILINE | re.DOTALL)
        assert body
        stated = {name for name in re.findall(r"def (\w+)\(", body[0]) if not name.startswith("_")}
        own = {name for name in vars(cls) if not name.startswith("_")}
        assert own <= stated <= set(dir(cls))


def test_signatures() -> None:
    """help() and inspect show the parameters, with their defaults."""
    shown: dict[Callable[..., object], str] = {
        latkem.Kem.decapsulate: "(self, /, private_key, ciphertext)",
        latkem.PrivateKey.private_bytes: "(self, /, encoding='PEM', form='seed')",
        latkem.MLKEM768PrivateKey.from_seed_bytes: "(data)",
        latkem.load_public_key: "(data)",
        latkem.use_backend: "(name)",
    }
    assert {call: str(inspect.signature(call)) for call in shown} == shown


def test_commands() -> None:
    assert run() == f"latkem {latkem.__version__}, backend {latkem.backend()} of {', '.join(latkem.backends())}\n"
    table = run("bench", "--quick").splitlines()
    assert [line.split()[:2] for line in table[2:5]] == [
        ["ML-KEM-512", operation] for operation in ("generate", "encapsulate", "decapsulate")
    ]
