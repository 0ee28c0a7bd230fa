#!/bin/sh
# The shared library can be loaded anywhere: its code is position independent, without relocations, and its segments are
# aligned for the pages of the machine; its stack is not executable; it exports only latkem_*. Its objects have three
# variables, the words of arch/select.c. Assembly leaves x18 alone, which belongs to the platform on AArch64. Libraries,
# objects and a source with each of these faults are tried first.
# Usage: objects.sh LIBRARY PAGE_BYTES SOURCE_DIR OBJECT...; CC, CFLAGS, NM and READELF are those of the build.
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 page=$2 source=$3
shift 3
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

variables() { # object...: the names and sizes of what can be written, and "nameless" if there is more than that and padding
    "$NM" --format=sysv "$@" 2>"$work/log" | tr -d ' ' |
        awk -F'|' '/^Symbolsfrom/ { object++ }
            $7 ~ /^\.t?(bss|data)(\.|$)|COM/ && $7 !~ /^\.data\.rel\.ro/ { print object ":" $7, $2, $5, $1 }' |
        sort >"$work/variables"
    "$READELF" -SW "$@" | sed 's/^ *\[ *[0-9]*\] *//' |
        awk '$7 ~ /W/ && $1 !~ /^\.data\.rel\.ro/ { print $5 }' >"$work/writable"
    named=0 written=0 last='' end=0
    while read -r section place size name; do
        place=$((0x$place)) size=$((0x$size)) alignment=8
        echo "$name $size"
        if [ "$section" != "$last" ]; then end=0; fi
        if [ $size -lt 8 ]; then alignment=$size; fi
        if [ $(((end + alignment - 1) / alignment * alignment)) -eq $place ]; then named=$((named + place - end)); fi
        named=$((named + size)) end=$((place + size)) last=$section
    done <"$work/variables"
    while read -r size; do written=$((written + 0x$size)); done <"$work/writable"
    if [ "$written" -gt "$named" ]; then echo "nameless"; fi
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

expect_variable() { # name compiler-argument...
    name=$1
    shift
    # shellcheck disable=SC2086 # flags are a list of words
    $CC $CFLAGS -c -o "$work/control.o" "$@"
    if ! variables "$work/control.o" | grep -qx "$name"; then
        echo "objects: the variable $name is not found" >&2
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
echo 'int next(void); int next(void) { static int count, start = 5; return count++ + start++; }' >"$work/static.c"
echo '_Thread_local int mine, begun = 5; int common;' >"$work/global.c"
printf '\t.data\n\t.quad 1\n\t.section .note.GNU-stack, "", %%progbits\n' >"$work/data.S"
echo 'char small = 1; long large = 2; int use(void); int use(void) { return small + (int)large; }' >"$work/padded.c"
for name in '.*count.* 4' '.*start.* 4'; do expect_variable "$name" -fdata-sections "$work/static.c"; done
for name in 'mine 4' 'begun 4' 'common 4'; do expect_variable "$name" -fcommon "$work/global.c"; done
expect_variable nameless "$work/data.S"
expect_variable 'large 8' "$work/padded.c"
if variables "$work/control.o" | grep -qx nameless; then
    echo "objects: padding is taken for a variable" >&2
    exit 1
fi
if ! uses_x18 "$work/assembly" >"$work/log"; then
    echo "objects: the use of x18 is not found" >&2
    exit 1
fi

found=$(
    faults "$library"
    variables "$@" | grep -vxE '(forced|found) [48]|kept 4' || true
    uses_x18 "$source/src/arch/aarch64" || true
)
if [ -n "$found" ]; then
    echo "objects: $library: $found" >&2
    exit 1
fi
echo "objects: no fault"
