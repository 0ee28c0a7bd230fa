#!/bin/sh
# Builds liblatkem-protocol and protocol_ct and runs it under memcheck, as tests/ct/run_ct.sh does for the core.
# Usage: run.sh SOURCE_DIR [CMAKE]; tests/ct/memcheck.sh has the variables that choose builds.
# SPDX-License-Identifier: Apache-2.0
set -eu
here=$(dirname "$0")
VALGRIND="${VALGRIND:-valgrind} --suppressions=$here/libcrypto.supp"
. "$here/../../ct/memcheck.sh"

link_program() { # compiler level folder
    "$1" -std=c11 "$2" -gdwarf-4 -Wall -Wextra -Werror -I"$here/../../../include" "$here/protocol_ct.c" \
        "$3/protocol/liblatkem-protocol.a" "$3/src/liblatkem.a" -lcrypto -o "$3/protocol_ct"
}

check_program() { # compiler level folder
    memcheck "$3/protocol_ct"
}

# The core's kernels are checked elsewhere.
check_builds protocol_ct "$1" "${2:-cmake}" latkem_protocol_static -DLATKEM_BUILD_PROTOCOL=ON -DLATKEM_BACKENDS=portable
