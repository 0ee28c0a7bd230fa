#!/bin/sh
# Builds the library and ct_check with gcc and clang at -O2 and -O3 and runs them under valgrind's memcheck. Two planted
# leaks must be reported by each build, else nothing can be concluded from its silence. No division may be in it
# (no_division.sh).
# Debug information is DWARF 4, the newest that valgrind reads from clang.
# Valgrind shows programs a CPU with AVX2 and the AES instructions at most: where this CPU has AVX2, the avx2 backend must
# be among the checked. run_trace.sh covers the others.
# Usage: run_ct.sh SOURCE_DIR [CMAKE]; COMPILERS and LEVELS choose other lists than "gcc clang" and "-O2 -O3", BACKENDS
# other backends, SETS a few sets, CFLAGS adds flags, VALGRIND is the command that runs memcheck. TREE is a folder that keeps
# what is built for the next run, JOBS says how many processes run at a time.
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

for tool in "${VALGRIND:=valgrind}" "$cmake" ninja ${COMPILERS:=gcc clang}; do
    tool=${tool%% *}
    if ! command -v "$tool" >/dev/null; then
        echo "run_ct: $tool is not installed" >&2
        exit 1
    fi
done

if [ -z "${BACKENDS:-}" ]; then
    BACKENDS=portable
    if grep -qw avx2 /proc/cpuinfo; then BACKENDS="portable avx2"; fi
fi

# shellcheck disable=SC2086 # CFLAGS and VALGRIND are lists of words
build() { # compiler level folder
    "$cmake" -G Ninja -S "$source" -B "$3" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="$2 -gdwarf-4 -DNDEBUG" -DLATKEM_CT_CHECK=ON -DBUILD_TESTING=OFF -DLATKEM_BUILD_CLI=OFF &&
        "$cmake" --build "$3" --target latkem_static -j "$JOBS" &&
        "$1" ${CFLAGS:-} -std=c11 "$2" -gdwarf-4 -Wall -Wextra -Werror -I"$source/include" "$source/tests/ct/ct_check.c" \
            "$(find "$3" -name 'liblatkem*.a')" -o "$3/ct_check"
}

# shellcheck disable=SC2086
memcheck() { # program argument...
    $VALGRIND --quiet --error-exitcode=$found "$@"
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
            memcheck "$folder/ct_check" "$leak" >"$folder/log" 2>&1 || result=$?
            if [ "$result" -ne $found ]; then
                cat "$folder/log"
                echo "run_ct: $leak is not reported" >&2
                exit 1
            fi
        done
        # shellcheck disable=SC2046 # objects are a list of words
        CC=$compiler CFLAGS="$level ${CFLAGS:-}" "$here/no_division.sh" $(find "$folder/src" -name '*.o') || status=1
        # shellcheck disable=SC2086 # backends, sets and VALGRIND are lists of words
        printf '%s\n' $BACKENDS | xargs -P "$JOBS" -I BACKEND \
            $VALGRIND --quiet --error-exitcode=$found "$folder/ct_check" BACKEND -- ${SETS:-} || status=1
    done
done
exit $status
