#!/bin/sh
# Secret-independence where valgrind cannot go (AVX-512, VAES, the SHA instructions): steps through each operation with
# different secrets and compares the instructions and the addresses (trace.c, compare_traces.py). Three planted leaks
# must be found first. For x86-64 Linux.
#
# In key generation all keys differ, so the matrix and its sampling do too; that of seven other seeds one at least takes
# as many blocks of SHAKE128 for every entry is nearly sure.
# Usage: run_trace.sh SOURCE_DIR [CMAKE]; COMPILERS, BACKENDS and SETS choose other lists.
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=${2:-cmake}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
no_backend=3 # trace's exit status
status=0

build() { # compiler folder
    "$cmake" -S "$source" -B "$2" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DLATKEM_BUILD_CLI=OFF -DBUILD_SHARED_LIBS=OFF &&
        "$cmake" --build "$2" --target latkem_static &&
        "$1" -std=c11 -O2 -mavx2 -static -Wall -Wextra -Werror -I"$source/include" "$source/tests/ct/trace.c" \
            "$source/tests/ct/traced.c" "$(find "$2" -name 'liblatkem*.a')" -o "$2/trace"
}

compare() { # folder backend set operation secret...: 0 the same, no_backend, else different
    folder=$1 backend=$2 set=$3 operation=$4
    shift 4
    files=
    for secret in "$@"; do files="$files $secret $folder/$secret.trace"; done
    # shellcheck disable=SC2086 # files are a list of words
    "$folder/trace" "$backend" "$set" "$operation" $files || return $?
    traces=
    for secret in "$@"; do traces="$traces $folder/$secret.trace"; done
    # shellcheck disable=SC2086
    python3 "$here/compare_traces.py" "$folder/trace" $traces
}

check() { # folder backend set operation secret...
    result=0
    compare "$@" >"$1/log" || result=$?
    if [ "$result" -eq $no_backend ]; then
        echo "$2: this CPU does not run it, NOT CHECKED"
    else
        echo "$3 on $2, $4: $(cat "$1/log")"
        [ "$result" -eq 0 ] || status=1
    fi
}

for compiler in ${COMPILERS:=gcc}; do
    echo "== $compiler"
    folder=$work/$compiler
    mkdir "$folder"
    if ! build "$compiler" "$folder" >"$folder/log" 2>&1; then
        cat "$folder/log"
        exit 1
    fi
    for leak in leak-branch leak-index leak-gather; do
        if compare "$folder" portable ML-KEM-512 $leak 1 2 >"$folder/log"; then
            cat "$folder/log"
            echo "run_trace: $leak is not found" >&2
            exit 1
        fi
    done
    for backend in ${BACKENDS:=avx2 avx512}; do
        for set in ${SETS:=ML-KEM-768 Kyber768-90s Saber NTRU-HPS-2048-509}; do
            check "$folder" "$backend" "$set" keypair 1 2 3 4 5 6 7 8
            for operation in encaps encaps_prepared decaps decaps_prepared; do
                check "$folder" "$backend" "$set" $operation 0 1
            done
        done
    done
done
exit $status
