#!/bin/sh
# Builds liblatkem-protocol and protocol_ct with compilers at levels and runs it under valgrind's memcheck, as tests/ct/run_ct.sh
# does for the core. Two planted leaks must be reported by each build, else nothing can be concluded from its silence.
# Usage: run.sh SOURCE_DIR [CMAKE]; COMPILERS and LEVELS choose other lists than "gcc clang" and "-O2 -O3", TREE is a folder
# that keeps what is built for the next run, JOBS says how many processes compile at a time.
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=${2:-cmake}
here=$(dirname "$0")
JOBS=${JOBS:-$(nproc)}
found=99 # valgrind's exit status for errors
status=0

if [ -n "${TREE:-}" ]; then
    work=$TREE
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

for tool in valgrind "$cmake" ninja ${COMPILERS:=gcc clang}; do
    if ! command -v "$tool" >/dev/null; then
        echo "protocol ct: $tool is not installed" >&2
        exit 1
    fi
done

build() { # compiler level folder; the core's kernels are checked elsewhere
    "$cmake" -G Ninja -S "$source" -B "$3" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="$2 -gdwarf-4 -DNDEBUG" -DLATKEM_CT_CHECK=ON -DLATKEM_BUILD_PROTOCOL=ON \
        -DLATKEM_BACKENDS=portable -DBUILD_TESTING=OFF -DLATKEM_BUILD_CLI=OFF &&
        "$cmake" --build "$3" --target latkem_protocol_static -j "$JOBS" &&
        "$1" -std=c11 "$2" -gdwarf-4 -Wall -Wextra -Werror -I"$source/include" "$here/protocol_ct.c" \
            "$3/protocol/liblatkem-protocol.a" "$3/src/liblatkem.a" -lcrypto -o "$3/protocol_ct"
}

memcheck() { # program argument...
    valgrind --quiet --error-exitcode=$found --suppressions="$here/libcrypto.supp" "$@"
}

for compiler in $COMPILERS; do
    for level in ${LEVELS:=-O2 -O3}; do
        echo "== $compiler $level"
        folder=$work/$compiler$level
        mkdir -p "$folder"
        if ! build "$compiler" "$level" "$folder" >"$folder/log" 2>&1; then
            cat "$folder/log"
            exit 1
        fi
        for leak in leak-branch leak-index; do
            result=0
            memcheck "$folder/protocol_ct" "$leak" >"$folder/log" 2>&1 || result=$?
            if [ "$result" -ne $found ]; then
                cat "$folder/log"
                echo "protocol ct: $leak is not reported" >&2
                exit 1
            fi
        done
        memcheck "$folder/protocol_ct" || status=1
    done
done
exit $status
