#!/bin/sh
# run_ct.sh for AArch64: memcheck for that machine runs under QEMU. It knows the instructions for AES and SHA-256, but not
# those for SHA-3, so that it sees the backends portable and neon; run_trace_aarch64.py covers those with SHA-3.
# Usage: run_ct_aarch64.sh SOURCE_DIR FOLDER, where tests/ct/arm64_valgrind.sh has filled FOLDER; COMPILERS, LEVELS, BACKENDS, SETS
# and TREE as for run_ct.sh.
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 folder=$2
here=$(dirname "$0")
tools=$folder/usr/libexec/valgrind

# valgrind itself only sets these and executes the tool, which QEMU's user mode cannot do.
export VALGRIND_LIB="$tools" VALGRIND_LAUNCHER="$folder/usr/bin/valgrind"
export VALGRIND="qemu-aarch64 -cpu cortex-a72 -L $folder $tools/memcheck-arm64-linux"
export BACKENDS="${BACKENDS:-portable neon}"
export OBJDUMP="${OBJDUMP:-aarch64-linux-gnu-objdump}"
if [ -n "${TREE:-}" ]; then export TREE="$TREE/aarch64"; fi
headers="-isystem $folder/usr/include"

for compiler in ${COMPILERS:-aarch64-linux-gnu-gcc-12 clang}; do
    target='' level=-O3
    case $compiler in
    *clang*) target=--target=aarch64-linux-gnu level=-O2 ;;
    esac
    COMPILERS=$compiler LEVELS=${LEVELS:-$level} CFLAGS="$target $headers" ASMFLAGS=$target sh "$here/run_ct.sh" "$source"
done
