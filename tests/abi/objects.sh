#!/bin/sh
# The shared library can be loaded anywhere: its code is position independent, without relocations, and its segments are
# aligned for the pages of the machine; its stack is not executable; it exports only latkem_*. Assembly leaves x18 alone,
# which belongs to the platform on AArch64. Libraries and a source with each of these faults are tried first.
# Usage: objects.sh LIBRARY PAGE_BYTES SOURCE_DIR; CC, CFLAGS, NM and READELF are those of the build.
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 page=$2 source=$3
CC=${CC:-cc} CFLAGS=${CFLAGS:-} NM=${NM:-nm} READELF=${READELF:-readelf}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

faults() { # library: one line for each kind of fault
    if "$READELF" -dW "$1" | grep -q TEXTREL; then echo "text-relocations"; fi
    if "$READELF" -lW "$1" | grep GNU_STACK | grep -q 'RWE'; then echo "executable-stack"; fi
    "$READELF" -lW "$1" | awk '$1 == "LOAD" { print $NF }' | while read -r alignment; do
        if [ $((alignment)) -lt "$page" ]; then echo "segment-alignment"; fi
    done | sort -u
    if "$NM" -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | grep -qv '^latkem_'; then echo "exports"; fi
}

uses_x18() { # folder
    grep -rnwE '[xw]18' --include='*.S' "$1"
}

expect_fault() { # fault compiler-argument...
    fault=$1
    shift
    # shellcheck disable=SC2086 # flags are a list of words
    $CC $CFLAGS -shared -nostdlib -o "$work/control.so" "$@" 2>"$work/log" || { cat "$work/log" && exit 1; }
    if ! faults "$work/control.so" | grep -qx "$fault"; then
        echo "objects: a library with the fault $fault is not found" >&2
        exit 1
    fi
}

echo 'int latkem_one(void); int latkem_one(void) { return 1; }' >"$work/good.c"
echo 'int other(void); int other(void) { return 1; }' >"$work/other.c"
cat >"$work/text.S" <<'EOF'
        .text
        .globl latkem_text
latkem_text:
        .quad latkem_text
        .section .note.GNU-stack, "", %progbits
EOF
mkdir "$work/assembly"
echo ' add x17, x17, w18, uxtw' >"$work/assembly/x18.S"
expect_fault text-relocations -Wl,-z,notext "$work/text.S"
expect_fault executable-stack -fPIC -Wl,-z,execstack "$work/good.c"
expect_fault segment-alignment -fPIC -Wl,-z,max-page-size=2048,-z,common-page-size=2048 "$work/good.c"
expect_fault exports -fPIC "$work/other.c"
if ! uses_x18 "$work/assembly" >"$work/log"; then
    echo "objects: the use of x18 is not found" >&2
    exit 1
fi

found=$(faults "$library"; uses_x18 "$source/src/arch/aarch64" || true)
if [ -n "$found" ]; then
    echo "objects: $library: $found" >&2
    exit 1
fi
echo "objects: no fault"
