#!/bin/sh
# Installs a build into an empty folder and uses it from outside: through find_package, and through pkg-config with the
# shared and the static library. CC and CFLAGS are those of the build.
# Usage: install.sh BUILD_DIR CONSUMER_DIR CMAKE
# SPDX-License-Identifier: Apache-2.0
set -eu
build=$1 consumer=$2 cmake=$3
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$cmake" --install "$build" --prefix "$prefix" >"$work/log"

# Nothing outside the prefix and nothing of the build tree may be needed.
if grep -rlF "$build" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h'; then
    echo "install: the files above name the build folder" >&2
    exit 1
fi

"$cmake" -S "$consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="$CFLAGS" >"$work/log"
"$cmake" --build "$work/consumer" >"$work/log" || {
    cat "$work/log"
    exit 1
}
echo "find_package:"
"$work/consumer/consumer"

if ! command -v pkg-config >/dev/null; then
    echo "skipped: pkg-config is not installed"
    exit 0
fi
pc=$(find "$prefix" -name latkem.pc)
libdir=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH

if [ -n "$(find "$libdir" -name 'liblatkem.so*')" ]; then
    echo "pkg-config, shared:"
    # shellcheck disable=SC2086,SC2046 # flags are lists of words
    $CC $CFLAGS "$consumer/main.c" $(pkg-config --cflags --libs latkem) -o "$work/shared"
    LD_LIBRARY_PATH=$libdir "$work/shared"
else
    echo "skipped: no shared library is installed"
fi

echo "pkg-config, static:"
mkdir "$work/static-only"
cp "$libdir/liblatkem.a" "$work/static-only/"
# shellcheck disable=SC2086,SC2046 # flags are lists of words
$CC $CFLAGS "$consumer/main.c" $(pkg-config --cflags latkem) -L"$work/static-only" \
    $(pkg-config --static --libs-only-l latkem) -o "$work/static"
"$work/static"
