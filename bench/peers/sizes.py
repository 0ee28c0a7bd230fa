#!/usr/bin/env python3
"""Prints what ML-KEM takes of a program: latkem, with and without vector code, beside the rivals of `make peers`.

A program that does nothing is linked, and one that calls key generation, encapsulation and decapsulation, both with
--gc-sections; the difference is what the library brings along, code and read-only data, without libc. The libraries are
those that bench/peers was built with (-O3); latkem is built as Release and as MinSizeRel, with the sets and backends of
the row. Of a library in Rust there is nothing to link by itself. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / "build/peers/target/release/build"
SETS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")
ONE = "ML-KEM-768"
LATKEM = ("latkem_kem_find", "latkem_keypair", "latkem_encaps", "latkem_decaps")
BACKENDS = ("portable", "portable;avx2", "all")

# Bytes at most of a row, for one set alone and for all three. mlkem-native's three sets with AVX2 take 84 KB.
LIMITS = {
    "latkem, MinSizeRel, portable": (24 * 1024, None),
    "latkem, Release, portable and avx2": (None, 90 * 1024),
}

# The definitions in Rust of PQClean's crates.
FROM_RUST = "void PQCRYPTO_RUST_randombytes(void) {}\n"

# Library: its archives below BUILT, and what is called for a set. A function that serves all sets cannot be had for
# one.
RIVALS = {
    "pqcrypto-mlkem (clean C)": ("pqcrypto-*/out/lib*.a", "PQCLEAN_MLKEM{n}_CLEAN_crypto_kem_{keypair,enc,dec}"),
    "pqcrypto-mlkem (avx2)": ("pqcrypto-*/out/lib*.a", "PQCLEAN_MLKEM{n}_AVX2_crypto_kem_{keypair,enc,dec}"),
    "oqs": ("oqs-sys-*/out/lib/liboqs.a", "OQS_KEM_ml_kem_{n}_{keypair,encaps,decaps}"),
    "wolfcrypt": (
        "wolfssl-sys-*/out/lib/libwolfssl.a",
        "wc_MlKemKey_{New,MakeKey,Encapsulate,Decapsulate,DecodePublicKey,DecodePrivateKey,EncodePublicKey,EncodePrivateKey}",
    ),
    "aws-lc-rs": (
        "aws-lc-sys-*/out/libaws_lc_*_crypto.a",
        "{prefix}EVP_PKEY_{keygen,encapsulate,decapsulate,kem_new_raw_key}",
    ),
    "openssl": (
        "openssl-sys-*/out/openssl-build/install/lib/libcrypto.a",
        "EVP_PKEY_{keygen,encapsulate,decapsulate,new_raw_public_key_ex}",
    ),
}


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"sizes: {' '.join(map(str, command))}: {done.stderr.strip()[-400:]}")
    return done.stdout


def linked(folder: Path, functions: list[str], archives: list[Path]) -> int:
    """Bytes of code and read-only data of a program that may call the functions."""
    source, program = folder / "main.c", folder / "main"
    declared = "".join(f"int {name}();\n" for name in functions)
    calls = "".join(f"    if (argc == {10 + i}) return {name}();\n" for i, name in enumerate(functions))
    source.write_text(
        f"{FROM_RUST}{declared}int main(int argc, char **argv)\n{{\n    (void)argv;\n{calls}    return 0;\n}}\n"
    )
    group = ["-Wl,--start-group", *map(str, archives), "-Wl,--end-group"]
    flags = ["-w", "-O2", "-no-pie", "-Wl,--gc-sections", "-Wl,-z,muldefs"]
    run("cc", *flags, "-o", program, source, *group, "-lm", "-lpthread", "-ldl")
    return int(run("size", program).splitlines()[1].split()[0])


def expanded(pattern: str, numbers: list[str], prefix: str) -> list[str]:
    """The names that a pattern matches."""
    head, _, rest = pattern.replace("{prefix}", prefix).rpartition("{")
    words = rest.rstrip("}").split(",")
    each = numbers if "{n}" in head else [""]
    return [head.replace("{n}", n) + word for n in each for word in words]


def latkem(folder: Path, sets: list[str], backends: str, kind: str) -> Path:
    build = folder / f"latkem-{kind}-{len(sets)}-{backends.replace(';', '-')}"
    off = [f"-D{name}=OFF" for name in ("BUILD_TESTING", "LATKEM_BUILD_CLI", "LATKEM_BUILD_PROTOCOL")]
    chosen = [f"-DLATKEM_SETS={';'.join(sets)}", f"-DLATKEM_BACKENDS={backends}", f"-DCMAKE_BUILD_TYPE={kind}"]
    run("cmake", "-S", ROOT, "-B", build, *off, *chosen)
    run("cmake", "--build", build, "--parallel", "2")
    return build / "src/liblatkem.a"


def judged(size: int | None, limit: int | None) -> str:
    if limit is None or size is None:
        return ""
    return f"{'met' if size <= limit else 'MISSED'}: at most {limit / 1024:.0f}"


def row(name: str, one: int | None, whole: int) -> None:
    verdicts = [judged(size, limit) for size, limit in zip((one, whole), LIMITS.get(name, (None, None)), strict=True)]
    text = "" if one is None else f"{one / 1024:.1f}"
    print(f"{name:42} {text or '-':>10} {whole / 1024:>10.1f}  {''.join(verdicts)}".rstrip())


def rivals(folder: Path, empty: int) -> None:
    for name, (pattern, functions) in RIVALS.items():
        archives = sorted(BUILT.glob(pattern), key=lambda path: path.stat().st_mtime)
        newest = list({path.name: path for path in archives}.values())
        if not newest:
            print(f"{name:42} not built: make peers FEATURES=all")
            continue
        prefix = newest[0].name.removeprefix("lib").removesuffix("crypto.a")
        sizes = []
        for sets in ([ONE], list(SETS)):
            called = expanded(functions, [each.rpartition("-")[2] for each in sets], prefix)
            sizes.append(linked(folder, called, newest) - empty)
        row(name, sizes[0] if "{n}" in functions else None, sizes[1])


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = linked(folder, [], [])
        print(f"{'KiB of code and read-only data':42} {ONE:>10} {'all three':>10}")
        for kind in ("Release", "MinSizeRel"):
            for backends in BACKENDS:
                chosen = ([ONE], list(SETS))
                one, whole = (linked(folder, list(LATKEM), [latkem(folder, s, backends, kind)]) for s in chosen)
                row(f"latkem, {kind}, {backends.replace(';', ' and ')}", one - empty, whole - empty)
        rivals(folder, empty)
    return 0


if __name__ == "__main__":
    sys.exit(main())
