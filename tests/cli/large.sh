#!/bin/sh
# The command of a 32-bit build takes files of more than 4 GiB: it seals and opens one, and says of one that it is no key.
# Usage: large.sh SOURCE_DIR BUILD_DIR LIBCRYPTO; the last is where i386's is (tests/protocol/foreign_libcrypto.sh).
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 build=$2 libcrypto=$3 bytes=4294967299
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -d "$libcrypto" ] || ! echo '#include <string>' | g++-12 -m32 -idirafter /usr/include/x86_64-linux-gnu -x c++ \
    -fsyntax-only - 2>"$work/log"; then
    echo "skipped: no libcrypto or C++ library of i386 on this machine"
    exit 0
fi
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_TOOLCHAIN_FILE="$source/tools/toolchains/m32.cmake" -DBUILD_TESTING=OFF \
    -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DLATKEM_BUILD_PROTOCOL=ON -DLATKEM_BUILD_CLI=ON -DOPENSSL_ROOT_DIR="$libcrypto"
cmake --build "$build" --target latkem_cli
latkem=$build/cli/latkem
LD_LIBRARY_PATH=$libcrypto/lib
export LD_LIBRARY_PATH

truncate -s $bytes "$work/large"
if "$latkem" inspect "$work/large" >"$work/log" 2>&1 || grep -i 'value too large' "$work/log"; then
    echo "large: inspect: $(cat "$work/log")" >&2
    exit 1
fi
"$latkem" keygen X-Wing --ek "$work/ek" --dk "$work/dk"
opened=$("$latkem" seal X-Wing --ek "$work/ek" --in "$work/large" --out - |
    "$latkem" open X-Wing --dk "$work/dk" --in - --out - | wc -c)
echo "large: of $bytes bytes $opened were opened"
[ "$opened" -eq $bytes ]
