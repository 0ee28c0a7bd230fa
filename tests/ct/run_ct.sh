#!/bin/sh
# Builds the core and ct_check and runs it under memcheck (memcheck.sh). No division may be in the library
# (no_division.sh).
# Valgrind shows programs a CPU with AVX2 and the AES instructions at most: where this CPU has AVX2, the avx2 backend must
# be among the checked. run_trace.sh covers the others.
# Usage: run_ct.sh SOURCE_DIR [CMAKE]; BACKENDS chooses other backends, SETS a few sets, CFLAGS adds flags, OPTIONS those of
# CMake; memcheck.sh has the other variables.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
. "$here/memcheck.sh"

if [ -z "${BACKENDS:-}" ]; then
    BACKENDS=portable
    if grep -qw avx2 /proc/cpuinfo; then BACKENDS="portable avx2"; fi
fi

# shellcheck disable=SC2086 # CFLAGS are a list of words
link_program() { # compiler level folder
    "$1" ${CFLAGS:-} -std=c11 "$2" -gdwarf-4 -Wall -Wextra -Werror -I"$here/../../include" "$here/ct_check.c" \
        "$(find "$3" -name 'liblatkem*.a')" -o "$3/ct_check"
}

# shellcheck disable=SC2046,SC2086 # objects, backends, sets and VALGRIND are lists of words
check_program() { # compiler level folder
    good=0
    CC=$1 CFLAGS="$2 ${CFLAGS:-}" "$here/no_division.sh" $(find "$3/src" -name '*.o') || good=1
    printf '%s\n' $BACKENDS | xargs -P "$JOBS" -I BACKEND \
        $VALGRIND --quiet --error-exitcode=1 "$3/ct_check" BACKEND -- ${SETS:-} || good=1
    return $good
}

# shellcheck disable=SC2086 # options are a list of words
check_builds ct_check "$1" "${2:-cmake}" latkem_static ${OPTIONS:-}
