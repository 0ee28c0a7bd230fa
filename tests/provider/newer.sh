#!/bin/sh
# The tests of the provider in programs that have OpenSSL 3.5 and 4.0 linked in: the module is that of a build tree, compiled
# with the headers of an older OpenSSL. Usage: newer.sh SOURCE_DIR TREE. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 tree=$2
newer=$source/build/newer
CARGO_TARGET_DIR=$newer/target cargo run --quiet --release --manifest-path "$source/tests/provider/newer/Cargo.toml" -- \
    "$newer" >"$newer.log" 2>&1 || { tail -n 30 "$newer.log" >&2; exit 1; }

build() { # build FOLDER PROGRAM SOURCE..: all symbols of OpenSSL are the program's, so that the module finds them
    folder=$1 program=$2
    shift 2
    g++ -std=c++17 -O1 -DPROVIDER_FOLDER="\"$tree/provider\"" -include algorithm -include cstring -include functional \
        -include memory -include vector -I"$folder/install/include" -I"$source/include" -I"$source" -I"$source/tests/support" \
        "$@" -o "$program" -Wl,--export-dynamic "$tree/tests/liblatkem_test_support.a" "$tree/protocol/liblatkem-protocol.a" \
        "$tree/harness/liblatkem_model.a" "$tree/src/liblatkem.a" "$folder/install/lib/libssl.a" \
        -Wl,--whole-archive "$folder/install/lib/libcrypto.a" -Wl,--no-whole-archive -lgtest -lgtest_main -ldl -pthread
}

cd "$source/tests/provider"
for version in 3.5 4.0; do
    build "$newer/$version" "$newer/provider_test-$version" files_test.cpp handshake.cpp handshake_test.cpp kem_test.cpp \
        openssl.cpp provider_test.cpp crossing_test.cpp
    "$newer/provider_test-$version" --gtest_brief=1
done
