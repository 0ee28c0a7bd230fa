#!/bin/sh
# The small build on a Cortex-M4, in QEMU, takes no more than limits.txt allows and gives what the default build gives, also
# for an altered ciphertext. Nor does code for a Cortex-M0 take more stack than the library says. LATKEM_TEST_DEEP adds
# other levels of optimisation, each with its own default build; there Kyber and ML-KEM may take a little more.
# Usage: limits.sh SOURCE_DIR CMAKE. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=$2 here=$1/tests/packaging levels=-Os
if [ -n "${LATKEM_TEST_DEEP:-}" ]; then levels="-Os -O2 -O3"; fi
for program in arm-none-eabi-gcc qemu-system-arm; do
    if ! command -v $program >/dev/null; then
        echo "skipped: no $program on this machine"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CFLAGS # those of this machine
sets=$(sed 's/ *#.*//; s/ .*//; /^$/d' "$here/limits.txt" | paste -sd ';')

measure() { # small level cpu
    tree=$work/$1$2$3
    {
        "$cmake" -S "$source" -B "$tree" -DCMAKE_TOOLCHAIN_FILE="$source/tools/toolchains/cortex-m4.cmake" \
            -DCMAKE_C_FLAGS="-mcpu=$3 -mthumb" \
            -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_C_FLAGS_MINSIZEREL="$2 -DNDEBUG" -DBUILD_TESTING=OFF \
            -DLATKEM_BUILD_CLI=OFF -DLATKEM_OS_RANDOM=OFF -DLATKEM_WERROR=ON "-DLATKEM_SETS=$sets" "-DLATKEM_SMALL=$1" &&
            "$cmake" --build "$tree" --parallel &&
            arm-none-eabi-gcc -mcpu="$3" -mthumb -Os -std=gnu11 -Wall -Wextra -Werror -I"$source/include" \
                "$here/limits.c" "$tree/src/liblatkem.a" -nostartfiles -Wl,-T,"$here/limits.ld" -Wl,--gc-sections \
                -o "$tree/limits.elf"
    } >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    timeout 300 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting -icount shift=0 \
        -kernel "$tree/limits.elf" 2>&1
}

for level in $levels; do
    measure OFF "$level" cortex-m4 >"$work/default"
    measure ON "$level" cortex-m4 >"$work/small"
    measure ON "$level" cortex-m0 | awk '
        $2 != "results" && $3 > $7 { printf "limits: Cortex-M0: %s %s: stack is %d, said are %d\n", $1, $2, $3, $7; bad = 1 }
        END { if (NR == 0) bad = 1; exit bad }'
    echo "== $level"
    awk -v sets="$sets" -v level="$level" '
        function over(what, is, limit) {
            if (is > limit) { printf "limits: %s %s: %s is %d, limit %d\n", $1, $2, what, is, limit; bad = 1 }
        }
        BEGIN { expected = 4 * split(sets, names, ";") }
        /^#/ { next }
        FILENAME ~ /limits.txt$/ { keygen[$1] = $2; other[$1] = $3; within[$1] = $4; workspace[$1] = $5; ratio[$1] = $6; next }
        FILENAME ~ /default$/ { if ($2 == "results") results[$1] = $3; else instructions[$1 $2] = $4; next }
        !($1 in keygen) { print "limits: " $0; bad = 1; next }
        { lines++ }
        $2 == "results" {
            if ($3 != results[$1]) { print "limits: " $1 ": other results than the default build"; bad = 1 }
            next
        }
        {
            more = level == "-Os" ? 0 : $1 ~ /90s/ ? 252 : $1 ~ /KEM|Kyber/ ? 12 : 0
            over("stack", $3, ($2 == "keygen" ? keygen[$1] : other[$1]) + more)
            over("stack", $3, $7)
            over("stack with a workspace", $5, within[$1] + (more == 252 ? 508 : 0))
            over("workspace", $6, workspace[$1])
            over("instructions", 10 * $4, ratio[$1] * instructions[$1 $2])
            printf "%-18s %s: stack %d, with a workspace of %d %d, instructions %.2f of the default build\n", $1, $2, $3, $6,
                $5, $4 / instructions[$1 $2]
        }
        END { if (lines != expected) { print "limits: " lines " lines of " expected; bad = 1 } exit bad }' \
        "$here/limits.txt" "$work/default" "$work/small"
done
