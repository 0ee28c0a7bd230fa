#!/bin/sh
# A shared library exports every function that the public headers mark as its own and nothing else.
# Usage: exports.sh LIBRARY INCLUDE_DIR [NM [OBJDUMP [MARK]]]; OBJDUMP reads DLLs, MARK is the macro that marks functions.
# SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 include=$2 nm=${3:-nm} objdump=${4:-objdump} mark=${5:-LATKEM_API}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Version nodes are listed as absolute symbols (A) and are no functions.
case $library in
*.dll) "$objdump" -p "$library" | sed -n '/^\[Ordinal.Name Pointer\] Table/,/^$/s/.* //p' | grep -v '^Table$' ;;
*) "$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' ;;
esac | sort -u >"$work/exported"
cat "$include"/latkem/*.h | tr '\n' ' ' | sed "s/${mark}/\n&/g" | grep -v '^#define' |
    sed -n "s/^${mark}[^(]*[ *]\(latkem_[a-z0-9_]*\)(.*/\1/p" | sort -u >"$work/declared"

if ! [ -s "$work/declared" ]; then
    echo "exports: no function of $mark found in $include/latkem" >&2
    exit 1
fi
if ! diff "$work/declared" "$work/exported"; then
    echo "exports: above, '<' is declared but not exported, '>' is exported but not declared" >&2
    exit 1
fi
echo "exports: $(wc -l <"$work/exported") functions"
