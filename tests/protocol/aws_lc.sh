#!/bin/sh
# The tests of liblatkem-protocol on AWS-LC, which is built from the sources in its crate and installed as its users have
# it. Usage: aws_lc.sh SOURCE_DIR. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1
folder=$source/build/aws-lc
mkdir -p "$folder"

quietly() {
    "$@" >"$folder/log" 2>&1 || {
        tail -n 30 "$folder/log" >&2
        exit 1
    }
}

manifest=$source/tests/protocol/aws_lc/Cargo.toml
crate=$(cargo metadata --quiet --format-version 1 --manifest-path "$manifest" | python3 -c '
import json, pathlib, sys
packages = json.load(sys.stdin)["packages"]
print(next(pathlib.Path(p["manifest_path"]).parent for p in packages if p["name"] == "aws-lc-sys"))')

# The crate has the files that Go and Perl generate.
quietly cmake -S "$crate/aws-lc" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$folder/install" \
    -DDISABLE_GO=ON -DDISABLE_PERL=ON -DBUILD_LIBSSL=OFF -DBUILD_TESTING=OFF -DBUILD_TOOL=OFF
quietly cmake --build "$folder/build" --parallel "$(nproc)"
quietly cmake --install "$folder/build"

quietly cmake -S "$source" -B "$folder/latkem" -DCMAKE_BUILD_TYPE=Release -DLATKEM_WERROR=ON -DLATKEM_BUILD_PROTOCOL=ON \
    -DLATKEM_LIBCRYPTO=AWS-LC -DCMAKE_PREFIX_PATH="$folder/install" -DLATKEM_TEST_PARTS=protocol
quietly cmake --build "$folder/latkem" --parallel "$(nproc)"
ctest --test-dir "$folder/latkem" --output-on-failure -R '^(protocol|hybrid)_'

# The shared library has AWS-LC inside, and shows nothing of it.
if nm -D --defined-only "$folder/latkem/protocol/liblatkem-protocol.so" | grep -v ' latkem_'; then
    echo "liblatkem-protocol.so exports these" >&2
    exit 1
fi

# A program that finds the installed latkem finds AWS-LC too.
quietly cmake --install "$folder/latkem" --prefix "$folder/prefix"
quietly cmake -S "$source/tests/packaging/protocol_user" -B "$folder/user" -DPROGRAM="$source/examples/hybrid.c" \
    -DCMAKE_PREFIX_PATH="$folder/prefix;$folder/install"
quietly cmake --build "$folder/user"
quietly "$folder/user/protocol_user"
