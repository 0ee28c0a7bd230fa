#!/bin/sh
# Compiles and runs the C examples of the README and of docs/incremental.md, and checks the README's table of sets against the libraries'
# figures. Usage: readme.sh SOURCE_DIR LIBRARY [PROTOCOL_LIBRARY]. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 library=$2 protocol=${3:-}
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for page in README.md docs/incremental.md; do
    sed -n '/^```c$/,/^```$/p' "$source/$page" | sed '/^```/d' >"$work/example.c"
    [ -s "$work/example.c" ] || { echo "readme: no C example found in $page" >&2; exit 1; }
    # shellcheck disable=SC2086 # CFLAGS is a list of words
    $CC $CFLAGS -std=c11 -Wall -Wextra -Werror -I"$source/include" "$work/example.c" "$library" -o "$work/example"
    "$work/example" || { echo "readme: the C example of $page fails" >&2; exit 1; }
done

cat >"$work/table.c" <<'END'
#include <latkem/batch.h>
#include <latkem/hybrid.h>
#include <stdio.h>

static void row(const latkem_kem *kem, const char *status)
{
    printf("| %s | %s | %d | %zu | %zu | %zu | %zu | %zu |\n", latkem_kem_name(kem), status, latkem_kem_level(kem),
           latkem_ek_bytes(kem), latkem_dk_bytes(kem), latkem_ct_bytes(kem), latkem_stack_bytes(kem) / 1024,
           latkem_stack_bytes_batch(kem) / 1024);
}

int main(void)
{
    const latkem_kem *kem;
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++) row(kem, latkem_kem_is_standard(kem) ? "FIPS 203" : "research");
#if defined(HYBRIDS)
    for (size_t i = 0; (kem = latkem_hybrid_at(i)); i++) row(kem, latkem_kem_is_standard(kem) ? "RFC 10024" : "draft");
#endif
    return 0;
}
END
statuses='FIPS 203|research' libraries=$library
if [ -n "$protocol" ]; then
    statuses="$statuses|RFC 10024|draft" libraries="-DHYBRIDS $protocol $library -lcrypto"
else
    echo "skipped: the rows of the hybrids, without liblatkem-protocol"
fi
# shellcheck disable=SC2086
$CC $CFLAGS -std=c11 -I"$source/include" "$work/table.c" $libraries -o "$work/table"
"$work/table" >"$work/expected"
grep -E "^\| [A-Za-z0-9-]+ \| ($statuses) \|" "$source/README.md" | diff "$work/expected" - || {
    echo "readme: the table of sets is not the libraries'" >&2
    exit 1
}
