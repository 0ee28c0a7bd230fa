#!/bin/sh
# latkem as a subproject leaves its host alone: no variables, options, languages, targets, tests or install rules of the host
# change, neither by add_subdirectory nor by FetchContent, with CMake as it is and as the oldest that latkem takes.
# Usage: subproject.sh SOURCE_DIR CMAKE...; CC and CFLAGS are those of the build.
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1
shift
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
here=$source/tests/packaging
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "subproject: $*" >&2
    exit 1
}

quietly() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        fail "$*"
    }
}

configure() { # cmake tree option...
    cmake=$1 tree=$2
    shift 2
    quietly "$cmake" -S "$here/host" -B "$tree" -DLATKEM_DIR="$source" -DLATKEM_SETS=ML-KEM-768 -DLATKEM_BACKENDS=portable \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" "$@"
    grep -q '^CMAKE_BUILD_TYPE:[A-Z]*=$' "$tree/CMakeCache.txt" || fail "the host's build type is set"
    if "$cmake" --build "$tree" --target help | grep -qE 'Experimental|Nightly|Continuous|package|uninstall'; then
        fail "the host has targets for testing or packaging"
    fi
}

for cmake; do
    "$cmake" --version | head -n 1
    for way in add_subdirectory fetch; do
        configure "$cmake" "$work/$way" -DWAY=$way
    done
    rm -rf "$work/fetch"
    # One build is enough: the ways differ in configuration alone.
    if [ ! -e "$work/built" ]; then
        quietly "$cmake" --build "$work/add_subdirectory" --parallel
        "$work/add_subdirectory/host"
        quietly "$cmake" --install "$work/add_subdirectory" --prefix "$work/prefix"
        [ "$(cd "$work/prefix" && find . -type f)" = ./host/main.c ] || fail "the host installs: $(find "$work/prefix" -type f)"
        configure "$cmake" "$work/install" -DWAY=add_subdirectory -DLATKEM_INSTALL=ON
        grep -q 'liblatkem' "$work/install/latkem/src/cmake_install.cmake" || fail "LATKEM_INSTALL=ON installs nothing"
        touch "$work/built"
    fi
    rm -rf "$work/add_subdirectory" "$work/install"
done
