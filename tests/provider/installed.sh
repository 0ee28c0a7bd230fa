#!/bin/sh
# The module and its configuration as they are installed, under a prefix that is chosen at the end.
# Usage: installed.sh BUILD_DIR CMAKE. SPDX-License-Identifier: Apache-2.0
set -eu
build=$1 cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$cmake" "-DCMAKE_INSTALL_PREFIX=$work/there" -P "$build/provider/cmake_install.cmake" >"$work/log"
configuration=$work/there/share/latkem/openssl-latkem.cnf
OPENSSL_CONF=$configuration openssl list -providers >"$work/list"
grep -q 'name: latkem provider' "$work/list" || { echo "installed: OpenSSL does not load $configuration" >&2; exit 1; }
OPENSSL_CONF=$configuration openssl genpkey -algorithm ML-KEM-768 -out "$work/key.pem"
mv "$work/there" "$work/elsewhere"
if OPENSSL_CONF=$work/elsewhere/share/latkem/openssl-latkem.cnf openssl genpkey -algorithm ML-KEM-768 >"$work/out" 2>&1; then
    echo "installed: another module was loaded than the installed one" >&2
    exit 1
fi
