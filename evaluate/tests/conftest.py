"""Synthetic results: round numbers that no machine measured, in the form of the real programs' output.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from latkem_evaluate.charts import Chart

SETS = ("ML-KEM-512", "ML-KEM-768")
BACKENDS = ("portable", "swift")


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages and files have no charts, which take seconds to draw."""
    monkeypatch.setattr(Chart, "inline_svg", lambda self: "")
    monkeypatch.setattr(Chart, "save", lambda self, folder: None)


def timed(name: str, ns: Sequence[float | None], items: int = 1, **more: Any) -> dict[str, Any]:
    """A row of a program that times rows."""
    return {"name": name, "calls": 10, "items": items, "ns": ns} | more


def rounds_document(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A process of such a program."""
    facts = {"rounds": 3, "seconds": 10.0, "retaken_blocks": 2, "lost_blocks": 0, "stolen_seconds": 0.1}
    return {"context": {"cycles": "perf_event"}} | facts | {"rows": rows}


def document(kind: str, backends: tuple[str, ...]) -> dict[str, Any]:
    """Quiet rows, on "swift" twice as fast; ML-KEM-768's decapsulation is noisy."""
    rows = []
    for backend in backends:
        ns = 1000.0 if backend == "portable" else 500.0
        if kind == "kernel":
            quiet = [ns - 1, ns, ns + 1]
            rows += [timed(f"kernel/q3329/{k}/{backend}", quiet, cycles=[2 * ns] * 3) for k in ("ntt", "compress_d10")]
            continue
        for set_name in SETS:
            for operation in ("keygen", "encaps", "decaps"):
                spread = 200 if (operation, set_name) == ("decaps", "ML-KEM-768") else 2
                name = f"op/wire/{operation}/{set_name}/{backend}"
                rows.append(timed(name, [ns, ns + spread / 2, ns + spread], cycles=[3 * ns] * 3))
            rows.append(timed(f"op/batch/keygen/{set_name}/{backend}", [ns] * 3, items=64, cycles=[ns] * 3))
    return rounds_document(rows)


def profile(set_name: str, operation: str, backend: str) -> dict[str, Any]:
    kernels = [
        {"family": "keccak", "name": "permute", "calls": 30.0, "ns": 600.0, "share": 0.6},
        {"family": "q3329", "name": "ntt", "calls": 6.0, "ns": 300.0, "share": 0.3},
    ]
    head = {"set": set_name, "operation": operation, "backend": backend, "total_ns": 1000.0}
    return head | {"kernels": kernels, "other_share": 0.1}


FUNCTIONS = {
    "GenMatrix": 0.3,
    "GenSecret": 0.1,
    "MatrixVectorMul": 0.25,
    "InnerProd": 0.05,
    "packing": 0.05,
    "SHA3-256": 0.12,
    "SHA3-512": 0.02,
    "randomness": 0.06,
    "other": 0.05,
}


def study(set_name: str, operation: str, backend: str) -> dict[str, Any]:
    functions = [{"name": name, "ns": 1000 * share, "share": share} for name, share in FUNCTIONS.items()]
    head = {"set": set_name, "operation": operation, "backend": backend, "total_ns": 1000.0}
    return head | {"interposed_ns": 1100.0, "corrected_ns": 1000.0, "functions": functions}


def session_key(set_name: str, step: str, backend: str) -> dict[str, Any]:
    times = {"min_ms": 0.5, "mean_ms": 1.0, "max_ms": 4.0, "median_ms": 0.9, "q1_ms": 0.8, "q3_ms": 1.1}
    return {"set": set_name, "backend": backend, "step": step} | times


def cost(name: str, backend: str) -> dict[str, Any]:
    """On "neon" half of what "portable" takes."""
    count = 4000.0 if backend == "portable" else 2000.0
    cycles = {"cortex-a72": count / 2, "cortex-a55": count, "apple-m1": 0.241 * count}
    native = float(backend != "portable")
    return {"name": name, "instructions": count, "classes": {}, "functions": {}, "cycles": cycles, "native": native}


def make_cost_model() -> dict[str, Any]:
    backends = ("portable", "neon")
    names = [f"op/{op}/{s}" for s in SETS for op in ("keygen", "encaps", "decaps")]
    names += [f"kernel/q3329/{kernel}" for kernel in ("ntt", "mulcache", "inner_product_k3")]
    return {"context": {"compiler": "cc 0"}, "costs": [cost(f"{name}/{b}", b) for name in names for b in backends]}


def peer(library: str, backend: str, ns: float, tier: str = "wire") -> dict[str, Any]:
    subject = {"library": library, "version": "1.2.3", "backend": backend, "set": "ML-KEM-512", "tier": tier}
    return subject | {
        "operation": "encaps",
        "checks": "ek",
        "rng": "system",
        "median_ns": ns,
        "q1_ns": ns - 1,
        "q3_ns": ns + 1,
        "min_ns": ns - 2,
        "n": 9,
    }


def ratio(rival: str, set_name: str = "ML-KEM-512") -> dict[str, Any]:
    """latkem takes two thirds of the rival's time."""
    head = {"set": set_name, "operation": "encaps", "tier": "wire", "backend": "portable", "rival": rival}
    return head | {"ratio": 0.667, "ratio_rounds": 0.667, "ratio_q1": 0.66, "ratio_q3": 0.67}


def java_row(library: str, ns: float, operation: str = "encaps", tier: str = "bytes") -> dict[str, Any]:
    times = {"q1_ns": ns - 10, "median_ns": ns, "q3_ns": ns + 10}
    return {"tier": tier, "set": "Saber", "operation": operation, "library": library, "calls": 9} | times


def java_ratio(rival: str, value: float) -> dict[str, Any]:
    place = {"tier": "bytes", "set": "Saber", "operation": "encaps", "rival": rival}
    return place | {"q1": value - 0.01, "median": value, "q3": value + 0.01, "ratio": value}


def java_results() -> dict[str, Any]:
    """latkem takes 1.1 µs, its C calls 1 µs, the rival 11 µs."""
    context = {"jvm": "Synthetic VM 99", "latkem": "0.0.0", "backend": "swift", "bouncy_castle": "9.9"}
    rows = [java_row("latkem", 1100.0), java_row("Bouncy Castle", 11000.0), java_row("C", 1000.0)]
    ratios = [java_ratio("Bouncy Castle", 0.1), java_ratio("C", 1.1)]
    return {"context": context, "turns": 41, "rows": rows, "ratios": ratios}


def handshakes(**per_second: float) -> dict[str, Any]:
    """The program's JSON with the first group as the reference; "__" becomes "@?provider="."""
    rates = {name.replace("__", "@?provider="): rate for name, rate in per_second.items()}
    first = next(iter(rates.values()))
    groups = {
        name: {
            "per_second": [0.99 * rate, rate, 1.01 * rate],
            "ratio": [0.99 * rate / first, rate / first, 1.01 * rate / first] if rate != first else [1.0] * 3,
        }
        for name, rate in rates.items()
    }
    return {"openssl": "OpenSSL 3.0.0 1 Jan 2000", "rounds": 9, "groups": groups}


def binding(language: str, own: float, **others: float) -> dict[str, Any]:
    """A language's package beside libraries and C, in all operations of one set. The first other library has a limit of
    half its time."""
    rows = [
        {"set": "ML-KEM-768", "operation": operation, "library": library.replace("_", "/")}
        | {"q1_ns": ns - 10, "median_ns": ns, "q3_ns": ns + 10}
        for library, ns in {"latkem": own, **others}.items()
        for operation in ("keygen", "encaps", "decaps")
    ]
    facts = {"runtime": f"{language} 99", "backend": "swift", "version": "0.0.0", "cpu": "Synthetic CPU"}
    rival, ns = next((name, ns) for name, ns in others.items() if name != "C")
    ratio, library = own / ns, rival.replace("_", "/")
    bar = {
        "set": "ML-KEM-768",
        "operation": "encaps",
        "library": library,
        "limit": 0.5,
        "ratio": ratio,
        "met": ratio <= 0.5,
    }
    more = {"libraries": {library: "9.9"}, "rounds": 15, "block": 20, "rows": rows, "bars": [bar]}
    return {"language": language} | facts | more


def bindings() -> list[dict[str, Any]]:
    """Two languages, and one that is not there."""
    return [
        binding("Snake", 2000.0, C=1500.0, venom=8000.0),
        binding("Gopher", 3000.0, C=3100.0, burrow_std=4000.0),
        {"language": "Crab", "absent": "there is no claw"},
    ]


def matrix_vector_mul() -> dict[str, Any]:
    """Without the flag a tenth less, unoptimised a twentieth; a whole operation takes five products."""
    rows = []
    for optimisation, ns, gain in (("optimised", 1000.0, 0.9), ("unoptimised", 10000.0, 0.95)):
        for arithmetic in ("divisions", "shifts"):
            for form, factor in (("flag", 1.0), ("split", gain)):
                name = f"mvm/{form}/{arithmetic}/{optimisation}/Saber"
                rows.append({"name": name, "ns": [ns * factor, None, ns * factor]})
    rows.append({"name": "op/encaps/Saber", "ns": [5000.0] * 3})
    return {"rounds": 3, "rows": rows}


def make_raw(backends: tuple[str, ...] = BACKENDS) -> dict[str, Any]:
    sizes = {"level": 1, "ek_bytes": 800, "dk_bytes": 1632, "ct_bytes": 768, "ss_bytes": 32, "seed_bytes": 64}
    checks = ("Known answers", "Accumulated", "Rejection", "Vector files", "Self-test")
    pairs = [(set_name, backend) for backend in backends for set_name in SETS]
    return {
        "mode": "quick",
        "plan": {"accumulated_rounds": 1000},
        "command": "make evaluate QUICK=1",
        "started": "2000-01-01T00:00:00+00:00",
        "core": 1,
        "machine": {"CPU": "Synthetic CPU", "Virtual machine": "no", "Load before the run": "0.00"},
        "build": {"Compiler": "cc 0", "Source": "no git commit"},
        "library": {
            "version": "0.0.0",
            "backends": list(backends),
            "sets": [{"name": name, "standard": True} | sizes for name in SETS],
        },
        "seconds": {"Building": 60.0},
        "problems": [],
        "conformance": [
            {"check": check, "set": set_name, "backend": backend, "status": "pass", "detail": ""}
            for check in checks
            for set_name, backend in pairs
        ],
        "benchmarks": {
            "operations": [document("op", backends)],
            "kernels": [document("kernel", backends)],
        },
        "profile": {"profiles": [profile(s, op, b) for s, b in pairs for op in ("keygen", "encaps", "decaps")]},
        "study": {"study": [study(s, op, b) for s, b in pairs for op in ("keygen", "encaps", "decaps")]},
        "matrix_vector_mul": matrix_vector_mul(),
        "java": java_results(),
        "tls": handshakes(X25519=2000.0, X25519MLKEM768=1600.0, MLKEM512=2500.0, secp256r1=1000.0),
        "bindings": bindings(),
        "session_key": {
            "rounds": 30,
            "repetitions": 1000,
            "results": [session_key(s, step, b) for s, b in pairs for step in ("keygen", "encrypt", "decrypt")],
        },
        "stack": {
            "stack": [{"set": s, "operation": "keygen", "tier": "wire", "backend": b, "bytes": 4321} for s, b in pairs]
        },
        "code_size": [{"name": "liblatkem.a", "text": 12345, "data": 8, "bss": 8}],
        "aarch64": None,
        "studies": None,
        "hardware": None,
        "proofs": None,
        "peers": {
            "context": {"date": "2000-01-01T00:00:00Z", "latkem_version": "0.0.0"},
            "rows": [
                peer("latkem", "portable", 1000.0),
                peer("rival", "C", 1500.0),
                peer("latkem", "portable", 900.0, "batch"),
            ],
            "ratios": [ratio("rival (C)")],
            "bars": [
                {"name": "in reach", "limit": 0.8, "worst": 0.667, "where": "ML-KEM-512 encaps", "met": True},
                {"name": "too far", "limit": 0.5, "worst": 0.667, "where": "ML-KEM-512 encaps", "met": False},
            ],
        },
    }


@pytest.fixture
def raw() -> dict[str, Any]:
    return make_raw()


def jdk(folder: Path, release: str) -> Path:
    """Its java program."""
    java = folder / "bin/java"
    java.parent.mkdir(parents=True, exist_ok=True)
    java.touch()
    (folder / "release").write_text(release)
    return java
