#!/bin/sh
# The library as one file (tools/amalgamate.py) compiles without a warning by itself, by every compiler that is here, and gives
# the known answers, also with clang's sanitizer of undefined behaviour. A header that means something else in one file than
# in many is an error, not a wrong file.
# LATKEM_TEST_DEEP adds a file of each family alone.
# Usage: amalgamation.sh SOURCE_DIR. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-std=c11 -Wall -Wextra -Wpointer-arith -Wshadow -Wvla -Werror"

fail() {
    echo "amalgamation: $*" >&2
    exit 1
}

# latkem.c and latkem.h in $out, which programs may include as they include the library's headers.
make_file() { # sets option...
    out=$work/$(echo "$@" | tr -c 'A-Za-z0-9\n' _)
    python3 "$source/tools/amalgamate.py" --sets "$@" "$out"
    mkdir -p "$out/latkem"
    for header in "$source"/include/latkem/*.h; do
        echo '#include "../latkem.h"' >"$out/latkem/$(basename "$header")"
    done
}

compile() { # compiler option...
    if ! command -v "$1" >/dev/null; then
        echo "skipped: no $1 on this machine"
        return
    fi
    # shellcheck disable=SC2086 # options are a list of words
    "$@" $strict -c "$out/latkem.c" -o "$work/one.o" || fail "does not compile: $*"
    echo "$*: no warnings"
}

answers_of() { # compiler option...
    # shellcheck disable=SC2086 # options are a list of words
    "$@" $strict -DLATKEM_OS_RANDOM -I"$out" "$source/tests/platforms/known_answers.c" "$out/latkem.c" -o "$work/answers"
    "$work/answers" || fail "other answers than the known ones, by $*"
}

answers() {
    # shellcheck disable=SC2086 # a compiler with options
    answers_of ${CC:-cc} -O1
}

sanitized_answers() {
    if ! echo "int main(void) { return 0; }" | clang -fsanitize=undefined -x c - -o "$work/empty" 2>/dev/null; then
        echo "skipped: no clang with its sanitizer of undefined behaviour (Debian: libclang-rt-*-dev)"
        return
    fi
    answers_of clang -O0 -fsanitize=undefined -fno-sanitize-recover=all
}

refused() { # header text-added message: with that in it there must be no file, and that reason
    mkdir -p "$work/faulty/tools"
    cp -r "$source/src" "$source/include" "$source/spec" "$source/CMakeLists.txt" "$work/faulty/"
    cp "$source/tools/amalgamate.py" "$work/faulty/tools/"
    echo "$2" >>"$work/faulty/src/$1"
    if python3 "$work/faulty/tools/amalgamate.py" "$work/faulty/out" 2>"$work/log"; then fail "takes $1 with: $2"; fi
    grep "$3" "$work/log" || { cat "$work/log" && fail "refuses $1 for another reason than: $3"; }
}

make_file all
answers
sanitized_answers
compile arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os -DLATKEM_NO_OS_RANDOM
make_file ML-KEM-768
answers
make_file all --small
grep -q '^#define LATKEM_SMALL$' "$out/latkem.c" || fail "--small is not the small build"
answers
sanitized_answers
compile arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os -DLATKEM_NO_OS_RANDOM
if python3 "$source/tools/amalgamate.py" --sets ML-KEM-769 "$work/unknown" 2>"$work/log"; then fail "takes an unknown set"; fi
refused base/bytes.h 'static inline void lk_wipe(void) {}' 'lk_wipe is declared in'
refused base/bytes.h '#define ROTR32(x, n) (x)' 'ROTR32 is declared in'
if [ -n "${LATKEM_TEST_DEEP:-}" ]; then
    for sets in Kyber512-90s "LightSaber;Saber" NTRU-HPS-2048-509 "NTRU-HRSS-701;ML-KEM-1024"; do
        make_file "$sets"
        answers
        for compiler in gcc clang; do
            for level in -O0 -O1 -O2 -O3 -Os; do compile $compiler $level; done
        done
    done
fi
