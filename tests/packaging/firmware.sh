#!/bin/sh
# Programs with ML-KEM-768 on Cortex-M4 take at most so many bytes of code and constants: one that only decapsulates 14,000,
# one with all three operations in the small build 14,000. The C library's functions are among them, its start-up and the
# program's buffers not: `size` of a program linked with --gc-sections from its main. Nothing of key generation or encapsulation
# stays in the one that decapsulates.
# Usage: firmware.sh SOURCE_DIR CMAKE. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=$2
prefix=arm-none-eabi-
if ! command -v ${prefix}gcc >/dev/null; then
    echo "skipped: no ${prefix}gcc on this machine"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpu="-mcpu=cortex-m4 -mthumb"

link() { # small program
    {
        "$cmake" -S "$source" -B "$work/$1" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_SYSTEM_PROCESSOR=arm \
            -DCMAKE_C_COMPILER=${prefix}gcc -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DCMAKE_C_FLAGS="$cpu" \
            -DCMAKE_BUILD_TYPE=MinSizeRel -DBUILD_TESTING=OFF -DBUILD_SHARED_LIBS=OFF -DLATKEM_BUILD_CLI=OFF \
            -DLATKEM_SETS=ML-KEM-768 -DLATKEM_OS_RANDOM=OFF -DLATKEM_WERROR=ON -DLATKEM_SMALL="$1" &&
            "$cmake" --build "$work/$1" --parallel
    } >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    # shellcheck disable=SC2086 # options are a list of words
    ${prefix}gcc $cpu -Os -I"$source/include" "$source/tests/packaging/$2.c" "$work/$1/src/liblatkem.a" -nostartfiles \
        -Wl,-e,main -Wl,--gc-sections -o "$work/$2.elf"
}

judge() { # program limit
    bytes=$(${prefix}size "$work/$1.elf" | awk 'NR == 2 { print $1 + $2 }')
    echo "firmware: $1: $bytes bytes of code and constants, limit $2"
    [ "$bytes" -le "$2" ]
}

link OFF decaps
judge decaps 14000
if ${prefix}nm "$work/decaps.elf" | grep -E 'keypair|encaps|_prepare_|latkem_system_rng'; then
    echo "firmware: the program keeps the above, which it never calls" >&2
    exit 1
fi
link ON three
judge three 14000
