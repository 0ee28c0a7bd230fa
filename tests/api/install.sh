#!/bin/sh
# Installs a build into an empty folder and builds and runs the examples with it: through find_package, and through
# pkg-config with the shared and the static library. CC, CXX, CFLAGS and CXXFLAGS are those of the build.
# Usage: install.sh BUILD_DIR EXAMPLES_DIR CMAKE
# SPDX-License-Identifier: Apache-2.0
set -eu
build=$1 examples=$2 cmake=$3
CC=${CC:-cc} CXX=${CXX:-c++} CFLAGS=${CFLAGS:-} CXXFLAGS=${CXXFLAGS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

"$cmake" --install "$build" --prefix "$prefix" >"$work/log"

# Nothing outside the prefix and nothing of the build tree may be needed.
if grep -rlF "$build" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h'; then
    echo "install: the files above name the build folder" >&2
    exit 1
fi
if [ -x "$prefix/bin/latkem" ] && [ ! -s "$prefix/share/man/man1/latkem.1" ]; then
    echo "install: the command is there without its manual page" >&2
    exit 1
fi

echo "find_package:"
"$cmake" -S "$examples/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="$CFLAGS" >"$work/log"
"$cmake" --build "$work/cmake" >"$work/log" || {
    cat "$work/log"
    exit 1
}
"$work/cmake/keys"

if ! command -v pkg-config >/dev/null; then
    echo "skipped: pkg-config is not installed"
    exit 0
fi
pc=$(find "$prefix" -name latkem.pc)
libdir=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH

examples_with() { # FLAG..., those of the linker
    # shellcheck disable=SC2086,SC2046 # flags are lists of words
    $CC $CFLAGS -std=c11 -Wall -Wextra -Werror "$examples/exchange.c" $(pkg-config --cflags latkem) "$@" -o "$work/exchange"
    # shellcheck disable=SC2086,SC2046
    $CXX $CXXFLAGS -std=c++17 -Wall -Wextra -Werror "$examples/server.cpp" $(pkg-config --cflags latkem) "$@" -o "$work/server"
    # shellcheck disable=SC2086,SC2046
    $CC $CFLAGS -std=c11 -Wall -Wextra -Werror "$examples/pqclean/program.c" "$examples/pqclean/pqclean.c" \
        $(pkg-config --cflags latkem) "$@" -o "$work/pqclean"
    "$work/exchange"
    "$work/pqclean"
    "$work/server"
}

if [ -n "$(find "$libdir" -name 'liblatkem.so*')" ]; then
    echo "pkg-config, shared:"
    LD_LIBRARY_PATH=$libdir
    export LD_LIBRARY_PATH
    # shellcheck disable=SC2046 # flags are lists of words
    examples_with $(pkg-config --libs latkem)
else
    echo "skipped: no shared library is installed"
fi

echo "pkg-config, static:"
mkdir "$work/static-only"
cp "$libdir/liblatkem.a" "$work/static-only/"
# shellcheck disable=SC2046 # flags are lists of words
examples_with -L"$work/static-only" $(pkg-config --static --libs-only-l latkem)

if [ ! -f "$libdir/pkgconfig/latkem-protocol.pc" ]; then
    echo "skipped: liblatkem-protocol is not installed"
    exit 0
fi

# shellcheck disable=SC2086 # flags are lists of words
if ! echo 'int main(void) { return 0; }' | $CC $CFLAGS -x c - -lcrypto -o "$work/links" 2>/dev/null; then
    echo "skipped: the system has no libcrypto for this machine"
    exit 0
fi

protocol_examples_with() { # FLAG..., those of the linker
    for example in hybrid hpke noise; do
        # shellcheck disable=SC2086,SC2046 # flags are lists of words
        $CC $CFLAGS -std=c11 -Wall -Wextra -Werror "$examples/$example.c" $(pkg-config --cflags latkem-protocol) "$@" \
            -o "$work/$example"
        "$work/$example"
    done
}

if [ -n "$(find "$libdir" -name 'liblatkem-protocol.so*')" ]; then
    echo "pkg-config, latkem-protocol, shared:"
    # shellcheck disable=SC2046 # flags are lists of words
    protocol_examples_with $(pkg-config --libs latkem-protocol)
fi

echo "pkg-config, latkem-protocol, static:"
cp "$libdir/liblatkem-protocol.a" "$work/static-only/"
# shellcheck disable=SC2046 # flags are lists of words
protocol_examples_with -L"$work/static-only" $(pkg-config --static --libs-only-l latkem-protocol)
