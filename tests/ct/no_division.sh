#!/bin/sh
# No division instruction, and no call of a division routine, is in the objects that handle secrets: the time of a
# division depends on its operands. A program that divides is disassembled first, to show that the search can find one.
#
# Left out are the objects of src/api/ (arguments and errors), src/arch/cpu* and src/arch/select* (choice of the
# backend), which see no secret value but through pointers.
# Usage: no_division.sh OBJECT...; CC, CFLAGS and OBJDUMP are those of the build.
# SPDX-License-Identifier: Apache-2.0
set -eu
CC=${CC:-cc} CFLAGS=${CFLAGS:-} OBJDUMP=${OBJDUMP:-objdump}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Mnemonics of x86, Arm, s390x, RISC-V and POWER, and the names of compilers' and C libraries' division routines.
x86='v?f?i?div[a-z0-9]*'
arm='[usf]div[a-z0-9.]*'
s390x='d|dr|dl|dlr|dlg|dlgr|dsg|dsgr|dsgf|dsgfr|[de][de]br?|dxbr|v?fdd?b?|wfddb'
riscv_power='(div|rem)[a-z0-9.]*|fdiv[a-z0-9.]*'
routine='__u?(div|mod|divmod)[a-z]*[0-9]|__aeabi_[a-z]*div[a-z]*|l?l?div'

# Lines "object function instruction" of the divisions in an object.
divisions() {
    "$OBJDUMP" -dr --no-show-raw-insn "$1" | awk -v object="$1" -v mnemonic="^($x86|$arm|$s390x|$riscv_power)$" \
        -v routine="^($routine)([-+@].*)?$" '
        /^[0-9a-f]+ <.*>:$/ { function_name = $2; next }
        / R_[A-Z0-9_]+/ { if ($NF ~ routine) print object, function_name, "call of", $NF; next }
        $1 ~ /^[0-9a-f]+:$/ && $2 ~ mnemonic { print object, function_name, $0 }'
}

for type in 'unsigned int' 'int' 'unsigned long long'; do
    echo "$type control($type a, $type b); $type control($type a, $type b) { return a / b; }" >"$work/control.c"
    # shellcheck disable=SC2086 # flags are a list of words
    $CC $CFLAGS -c "$work/control.c" -o "$work/control.o"
    if [ -z "$(divisions "$work/control.o")" ]; then
        echo "no_division: the search does not find a division of $type" >&2
        exit 1
    fi
done

searched=0
: >"$work/found"
for object in "$@"; do
    case $object in
    */api/* | */arch/cpu* | */arch/select*) continue ;;
    *.o | *.obj) ;;
    *) continue ;;
    esac
    divisions "$object" >>"$work/found"
    searched=$((searched + 1))
done
if [ "$searched" -eq 0 ]; then
    echo "no_division: no object to search" >&2
    exit 1
fi
if [ -s "$work/found" ]; then
    cat "$work/found"
    echo "no_division: divisions found" >&2
    exit 1
fi
echo "no_division: none in $searched objects"
