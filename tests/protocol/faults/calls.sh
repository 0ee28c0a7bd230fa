#!/bin/sh
# Makes a copy of liblatkem-protocol in which each call of libcrypto goes through a function lkt_NAME (trampolines.c),
# and the list of these calls, as CALL(NAME, KIND) with the kinds of calls.txt. The library's calls are read from its
# own symbols: no call can be forgotten, and one that calls.txt or the file of this libcrypto lists must be there. Usage:
# calls.sh LIBRARY LIBCRYPTO FOLDER NM OBJCOPY FILE; both are written into the folder. SPDX-License-Identifier: Apache-2.0
set -eu
library=$1 libcrypto=$2 folder=$3 nm=$4 objcopy=$5
kinds=$folder/kinds
cat "$(dirname "$0")/calls.txt" "$(dirname "$0")/$6" >"$kinds"

case $libcrypto in
*.a) dynamic= ;;
*) dynamic=-D ;;
esac
# shellcheck disable=SC2086 # no option, or one
"$nm" $dynamic --defined-only "$libcrypto" | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u >"$folder/offered"
"$nm" -u "$library" | awk '$1 == "U" { print $2 }' | LC_ALL=C sort -u >"$folder/wanted"
LC_ALL=C comm -12 "$folder/offered" "$folder/wanted" >"$folder/calls"
sed '/^#/d; /^ *$/d' "$kinds" | awk '{ print $1 }' | LC_ALL=C sort -u >"$folder/told"

if [ "$(LC_ALL=C comm -23 "$folder/told" "$folder/calls")" ]; then
    echo "calls.txt tells of functions that liblatkem-protocol does not call:" >&2
    LC_ALL=C comm -23 "$folder/told" "$folder/calls" >&2
    exit 1
fi
if sed '/^#/d; /^ *$/d' "$kinds" | grep -vE '^[A-Za-z0-9_]+ (spared|refuses|negative) .'; then
    echo "calls.txt: above, a line without a kind or a reason" >&2
    exit 1
fi
awk 'FNR == NR { if ($1 !~ /^#/ && NF) kind[$1] = kind[$1] $2 "_"; next }
    kind[$1] !~ /spared/ { printf "CALL(%s, \"%s\")\n", $1, kind[$1] }' "$kinds" "$folder/calls" >"$folder/calls.inc"
sed -n 's/^CALL(\([^,]*\),.*/\1 lkt_\1/p' "$folder/calls.inc" >"$folder/renamed"
"$objcopy" --redefine-syms="$folder/renamed" "$library" "$folder/libfaulty.a"
