#!/bin/sh
# Compiles and runs the C example of the README, and checks the README's table of sets against the library's figures.
# Usage: readme.sh SOURCE_DIR LIBRARY. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 library=$2
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '/^```/d' >"$work/example.c"
[ -s "$work/example.c" ] || { echo "readme: no C example found" >&2; exit 1; }
# shellcheck disable=SC2086 # CFLAGS is a list of words
$CC $CFLAGS -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/example.c" "$library" -o "$work/example"
"$work/example"

cat >"$work/table.c" <<'END'
#include <latkem/batch.h>
#include <stdio.h>
int main(void)
{
    const latkem_kem *kem;
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++)
        printf("| %s | %s | %d | %zu | %zu | %zu | %zu | %zu |\n", latkem_kem_name(kem),
               latkem_kem_is_standard(kem) ? "FIPS 203" : "research", latkem_kem_level(kem), latkem_ek_bytes(kem),
               latkem_dk_bytes(kem), latkem_ct_bytes(kem), latkem_stack_bytes(kem) / 1024,
               latkem_stack_bytes_batch(kem) / 1024);
    return 0;
}
END
# shellcheck disable=SC2086
$CC $CFLAGS -std=c11 -I"$source/include" "$work/table.c" "$library" -o "$work/table"
"$work/table" >"$work/expected"
grep -E '^\| (ML-KEM|Kyber|LightSaber|Saber|FireSaber|NTRU)' "$source/README.md" | diff "$work/expected" - || {
    echo "readme: the table of sets is not the library's" >&2
    exit 1
}
