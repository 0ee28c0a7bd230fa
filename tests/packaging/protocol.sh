#!/bin/sh
# liblatkem-protocol as its users get it. Installed, find_package and pkg-config build an example with it, shared and
# static. Built without it, nothing of it is installed, and a request for it gets a message that says so. As a
# subproject it is off unless asked for. Usage: protocol.sh SOURCE_DIR BUILD_DIR CMAKE; CC and CFLAGS are those of the
# build. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 build=$2 cmake=$3
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
here=$source/tests/packaging example=$source/examples/hybrid.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "protocol: $*" >&2
    exit 1
}

quietly() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "$*"
    }
}

find_and_build() { # prefix tree
    "$cmake" -S "$here/protocol_user" -B "$2" -DCMAKE_PREFIX_PATH="$1" -DPROGRAM="$example" -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_C_FLAGS="$CFLAGS" >"$work/log" 2>&1 && "$cmake" --build "$2" >>"$work/log" 2>&1
}

# Installed.
prefix=$work/prefix
quietly "$cmake" --install "$build" --prefix "$prefix"
for header in hpke.h hybrid.h keyfile.h noise.h; do
    [ -s "$prefix/include/latkem/$header" ] || fail "$header is not installed"
done
echo "find_package:"
find_and_build "$prefix" "$work/found" || { cat "$work/log" >&2 && fail "find_package builds no program"; }
"$work/found/protocol_user"

if ! command -v pkg-config >/dev/null; then
    echo "skipped: pkg-config is not installed"
else
    pc=$(find "$prefix" -name latkem-protocol.pc)
    libdir=$(dirname "$(dirname "$pc")")
    PKG_CONFIG_PATH=$(dirname "$pc")
    export PKG_CONFIG_PATH
    compile() { # FLAG..., those of the linker
        # shellcheck disable=SC2086,SC2046 # flags are lists of words
        $CC $CFLAGS -std=c11 -Wall -Wextra -Werror "$example" $(pkg-config --cflags latkem-protocol) "$@" -o "$work/example"
    }
    if [ -n "$(find "$libdir" -name 'liblatkem-protocol.so*')" ]; then
        echo "pkg-config, shared:"
        # shellcheck disable=SC2046 # flags are lists of words
        compile $(pkg-config --libs latkem-protocol)
        LD_LIBRARY_PATH=$libdir "$work/example"
    else
        echo "skipped: no shared library is installed"
    fi
    echo "pkg-config, static:"
    mkdir "$work/static-only"
    cp "$libdir/liblatkem.a" "$libdir/liblatkem-protocol.a" "$work/static-only/"
    # shellcheck disable=SC2046 # flags are lists of words
    compile -L"$work/static-only" $(pkg-config --static --libs-only-l latkem-protocol)
    "$work/example"
fi

# Left out.
quietly "$cmake" -S "$source" -B "$work/without" -DLATKEM_BUILD_PROTOCOL=OFF -DBUILD_TESTING=OFF -DLATKEM_BUILD_CLI=OFF \
    -DBUILD_SHARED_LIBS=OFF -DLATKEM_BACKENDS=portable -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS"
quietly "$cmake" --build "$work/without" --parallel
quietly "$cmake" --install "$work/without" --prefix "$work/core"
find "$work/core" -type f | sed "s|$work/core/||" >"$work/installed"
grep -q 'liblatkem.a$' "$work/installed" || fail "LATKEM_BUILD_PROTOCOL=OFF installs no library at all"
if grep -E 'protocol|hpke|hybrid|keyfile|noise' "$work/installed"; then fail "LATKEM_BUILD_PROTOCOL=OFF installs the files above"; fi
if find_and_build "$work/core" "$work/not_found"; then fail "an installation without the component has it"; fi
tr -s '\n ' ' ' <"$work/log" | grep -q 'this installation of latkem has no component protocol' ||
    { cat "$work/log" >&2 && fail "find_package does not say that the component is missing"; }
echo "LATKEM_BUILD_PROTOCOL=OFF: nothing of it is installed, and find_package says so"

# In another project.
targets() { # option...
    quietly "$cmake" -S "$here/host" -B "$work/host" -DLATKEM_DIR="$source" -DWAY=add_subdirectory -DCMAKE_C_COMPILER="$CC" "$@"
    "$cmake" --build "$work/host" --target help >"$work/targets"
}
targets
if grep -q latkem_protocol "$work/targets"; then fail "a subproject builds it unasked"; fi
targets -DLATKEM_BUILD_PROTOCOL=ON
grep -q latkem_protocol "$work/targets" || fail "a subproject does not build it when asked to"
echo "in another project: built when asked for"
