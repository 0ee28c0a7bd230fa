#!/bin/sh
# The module exports one symbol, and needs libcrypto and libc alone. Usage: exports.sh MODULE.
# SPDX-License-Identifier: Apache-2.0
set -eu
exported=$(nm -D --defined-only "$1" | awk '{ print $3 }')
[ "$exported" = OSSL_provider_init ] || { echo "exports: $exported" >&2; exit 1; }
needed=$(objdump -p "$1" | awk '$1 == "NEEDED" { sub(/\.so.*/, "", $2); print $2 }' | sort | tr '\n' ' ')
[ "$needed" = "libc libcrypto " ] || { echo "exports: the module needs $needed" >&2; exit 1; }
