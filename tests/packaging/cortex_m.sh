#!/bin/sh
# The example for a Cortex-M4, built by make and by CMake as its users do, runs in QEMU: secrets agree, every run has another
# key, the workspace suffices; a stack that is too small ends in a fault, and so does a write below it. The code of
# docs/firmware.md is in it.
# Usage: cortex_m.sh SOURCE_DIR CMAKE. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=$2 example=$1/examples/cortex-m
for program in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $program >/dev/null; then
        echo "skipped: no $program on this machine"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CFLAGS                # those of this machine
export CC=arm-none-eabi-gcc # make hands its compiler on to tools/amalgamate.py

fail() {
    cat "$work/log" >&2
    echo "cortex_m: $*" >&2
    exit 1
}

firmware() { # folder option...
    folder=$work/$1 && shift
    timeout 60 make -C "$example" "BUILD=$folder" CFLAGS_MORE=-Werror "$@" >"$work/log" 2>&1
}

agrees() { # name
    grep -q '^the secrets agree' "$work/log" || fail "$1: the secrets do not agree"
    echo "$1:$(sed -n 's/^bytes of/, &/p' "$work/log" | tr -d '\n')"
}

key() { sed -n 's/^key: //p' "$work/log" | grep -E '^[0-9a-f]{32}$'; }

# The page's code is the example's.
sed -n '/^```c$/,/^```$/p' "$source/docs/firmware.md" | grep -vE '^```|^$' >"$work/log"
[ -s "$work/log" ] || fail "docs/firmware.md has no C code"
while IFS= read -r line; do
    grep -qFx -e "$line" "$example/firmware.c" || fail "docs/firmware.md has a line that the example lacks: $line"
done <"$work/log"

firmware default run || fail "make run fails"
agrees "make"
firmware small SMALL=1 run || fail "make SMALL=1 run fails"
agrees "make SMALL=1"
first=$(key) || fail "no key is printed"
firmware small SMALL=1 run || fail "make run fails the second time"
[ "$first" != "$(key)" ] || fail "two runs have the same key"

rm "$work/small/firmware.elf"
if firmware small SMALL=1 STACK=1024 run; then fail "1 KB of stack suffices"; fi
grep -q '^a fault' "$work/log" || fail "a stack that is too small ends otherwise than in a fault"

writes() { # word: a program that writes to this word of the stack, and nothing else
    printf '%s\n' '#include "board.h"' '#include <stdint.h>' 'extern volatile uint32_t stack_begin[];' \
        "int main(void) { stack_begin[$1] = 0; return 0; }" >"$work/writes.c"
    $CC -mcpu=cortex-m4 -mthumb -Os -I"$example" -nostartfiles -Wl,-T,"$example/mps2_an386.ld" \
        "$work/writes.c" "$example/mps2_an386.c" -o "$work/writes.elf" >"$work/log" 2>&1 || fail "word $1: does not build"
    timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -semihosting -kernel "$work/writes.elf" >"$work/log"
}
writes 0 || fail "the stack's last word cannot be written"
if writes -1; then fail "the word below the stack can be written"; fi
grep -q '^a fault' "$work/log" || fail "writing below the stack ends otherwise than in a fault"

{
    "$cmake" -S "$example" -B "$work/cmake" -DCMAKE_TOOLCHAIN_FILE=cortex-m4.cmake -DCMAKE_BUILD_TYPE=MinSizeRel \
        -DLATKEM="$source" -DLATKEM_WERROR=ON && "$cmake" --build "$work/cmake" --parallel
} >"$work/log" 2>&1 || fail "does not build with CMake"
timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -semihosting -kernel "$work/cmake/firmware" >"$work/log" ||
    fail "what CMake has built fails"
agrees "CMake"
