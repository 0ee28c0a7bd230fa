#!/bin/sh
# Secret-independence where valgrind cannot go (AVX-512, VAES, the SHA instructions): runs each operation with 64 secrets and
# compares the blocks that are executed and the addresses (instrument.py, trace.c). Three planted leaks must be found first.
# For x86-64 Linux.
# Usage: run_trace.sh SOURCE_DIR [CMAKE]; COMPILERS, LEVELS, BACKENDS, SETS, OPERATIONS, EXCHANGES and PARTS choose
# others than those below. TREE is a folder that keeps what is built for the next run, JOBS says how many processes run at a time.
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$(cd "$1" && pwd) cmake=${2:-cmake}
JOBS=${JOBS:-$(nproc)}
: "${COMPILERS:=gcc}" "${LEVELS:=-O3}" "${BACKENDS:=avx2 avx512}"
: "${SETS:=$(sed -n 's/^ *"name": "\([^"]*\)".*/\1/p' "$source/spec/sets.json")}"
: "${OPERATIONS:=keypair encaps encaps_prepared decaps decaps_prepared}"
EXCHANGES=${EXCHANGES-uake_start uake_reply uake_finish ake_reply ake_finish} # of Kyber's sets
PARTS=${PARTS-encaps1 encaps2 decaps_parts} # of ML-KEM's
status=0

if [ -n "${TREE:-}" ]; then
    work=$TREE
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

build() { # compiler level folder
    "$cmake" -G Ninja -S "$source" -B "$3" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="$2 -DNDEBUG" -DCMAKE_C_COMPILER_LAUNCHER="python3;$source/tests/ct/instrument.py" \
        -DBUILD_TESTING=OFF -DLATKEM_BUILD_CLI=OFF -DBUILD_SHARED_LIBS=OFF &&
        "$cmake" --build "$3" --target latkem_static -j "$JOBS" &&
        python3 "$source/tests/ct/instrument.py" "$1" -std=c11 -O2 -mavx2 -Wall -Wextra -Werror -I"$source/include" \
            -c "$source/tests/ct/traced.c" -o "$3/traced.o" &&
        "$1" -std=c11 -D_GNU_SOURCE -O2 -static -Wall -Wextra -Werror -I"$source/include" "$source/tests/ct/trace.c" \
            "$3/traced.o" "$(find "$3" -name 'liblatkem*.a')" -o "$3/trace"
}

# Runs trace and names the functions of the addresses that it prints. Status 3 is a CPU without the backend.
# shellcheck disable=SC2016 # expanded by the shell that runs it
trace='
    folder=$1 backend=$2 set=$3
    shift 3
    result=0
    lines=$("$folder/trace" "$backend" "$set" "$@" 2>&1) || result=$?
    if [ $result -eq 3 ]; then lines="$set on $backend: this CPU does not run it, NOT CHECKED" result=0; fi
    echo "$lines" | while IFS= read -r line; do
        case $line in
        *" after 0x"*) echo "$line $(addr2line -f -e "$folder/trace" "0x${line##* after 0x}" | head -n 1)" ;;
        *) echo "$line" ;;
        esac
    done
    exit $result'

for compiler in $COMPILERS; do
    for level in $LEVELS; do
        echo "== $compiler $level"
        folder=$work/$compiler$level
        mkdir -p "$folder"
        if ! build "$compiler" "$level" "$folder" >"$folder/log" 2>&1; then
            cat "$folder/log"
            exit 1
        fi
        for leak in leak-branch leak-index leak-gather; do
            if ! sh -c "$trace" trace "$folder" portable ML-KEM-512 $leak | grep -q 'DEPENDS ON A SECRET'; then
                echo "run_trace: $leak is not found" >&2
                exit 1
            fi
        done
        # shellcheck disable=SC2086 # operations are a list of words
        for backend in $BACKENDS; do
            for set in $SETS; do
                case $set in
                Kyber*) echo "$folder $backend $set" $OPERATIONS $EXCHANGES ;;
                ML-KEM*) echo "$folder $backend $set" $OPERATIONS $PARTS ;;
                *) echo "$folder $backend $set" $OPERATIONS ;;
                esac
            done
        done | xargs -L 1 -P "$JOBS" sh -c "$trace" trace || status=1
    done
done
exit $status
