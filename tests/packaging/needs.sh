#!/bin/sh
# The two shared libraries' requests to the loader: the core the C library alone, the other one the core, libcrypto and
# the C library. Usage: needs.sh READELF CORE PROTOCOL. SPDX-License-Identifier: Apache-2.0
set -eu
readelf=$1 core=$2 protocol=$3
failed=0

expect() { # library pattern what
    needed=$("$readelf" -dW "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    echo "$(basename "$1") needs: $needed" | tr '\n' ' ' && echo
    for name in $needed; do
        if echo "$name" | grep -qE "^($2)\.so|^ld-linux|^ld64?\.so|^libc\.so"; then continue; fi
        echo "needs: $(basename "$1") needs $name, not $3 alone" >&2
        failed=1
    done
}

expect "$core" "libc" "the C library"
expect "$protocol" "liblatkem|libcrypto" "the core, libcrypto and the C library"
for name in liblatkem libcrypto; do
    if "$readelf" -dW "$protocol" | grep -q "NEEDED.*\[$name\.so"; then continue; fi
    echo "needs: $(basename "$protocol") does not say that it needs $name" >&2
    failed=1
done
exit $failed
