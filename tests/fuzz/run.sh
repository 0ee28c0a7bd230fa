#!/usr/bin/env bash
# Builds the fuzz targets and runs each for a while: tests/fuzz/run.sh SECONDS [BUILD_DIR]
# The build folder (default build/fuzz) keeps the corpora from run to run, and what makes a target fail.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

seconds=${1:?usage: tests/fuzz/run.sh SECONDS [BUILD_DIR]}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${2:-$root/build/fuzz}
flags="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
mapfile -t targets < <(basename -s .cpp "$root"/tests/fuzz/fuzz_*.cpp)

cmake -G Ninja -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ "-DCMAKE_C_FLAGS=$flags" "-DCMAKE_CXX_FLAGS=$flags" \
    -DLATKEM_BUILD_CLI=OFF -DLATKEM_BUILD_PROTOCOL=ON -DLATKEM_BUILD_FUZZERS=ON -DLATKEM_TEST_PARTS=fuzz
cmake --build "$build" --target "${targets[@]}"

# Seeds: each set (its number counts modulo the number of sets) in each mode, and with the first and the last byte
# changed; and texts for the command's parser.
write_seeds() { # write_seeds FOLDER
    local set mode start
    mkdir -p "$1"
    for set in {0..15}; do
        for mode in {0..15} 16 32 48 64 68 80; do
            printf -v start '\\x%02x\\x%02x' "$set" "$mode"
            printf '%b' "$start" >"$1/$set-$mode"
            ((mode > 0)) || printf '%b' "$start\\0\\0\\x01" >"$1/$set-first"
            ((mode > 0)) || printf '%b' "$start\\0\\x80\\x01" >"$1/$set-last"
        done
    done
    printf '\0\1%s' 00ffAa >"$1/hex"
    printf '\0\1%s' ml-kem-768 >"$1/name"
    printf '\0\1%s' '-----BEGIN PUBLIC KEY-----' >"$1/pem"
    printf '\3\0%s\n' '-----BEGIN A-----' Zm9v '-----END A-----' >"$1/block"
}

# Key files: the vectors' as they are, behind the three bytes that say so; and each set in each form, with and without
# attributes and publicKey, right or with one fault of each kind.
write_key_files() { # write_key_files FOLDER
    local set form extras fault
    mkdir -p "$1"
    tar -xOJf "$root/tests/vectors/hybrid.tar.xz" hybrid/keyfiles.json | python3 -c '
import json, pathlib, sys
for number, row in enumerate(json.load(sys.stdin)["files"]):
    start = bytes([0, int(row["kind"] == "private"), 16])
    pathlib.Path(sys.argv[1], f"vector-{number}").write_bytes(start + bytes.fromhex(row["der"]))' "$1"
    for set in {0..3}; do
        for form in {0..6}; do
            for extras in {0..3}; do
                printf '%b' "\\x0$set\\x0$form\\x0$extras" >"$1/$set-$form-$extras"
            done
            for fault in {0..11}; do
                printf -v fault '%x' "$fault"
                printf '%b' "\\x0$set\\x0$form\\x04\\x0$fault\\x04\\x01" >"$1/$set-$form-fault-$fault"
            done
        done
    done
}

# Sessions of Noise: each protocol's four messages as they are, of another length, of raw bytes and with a byte changed; and
# its starts.
write_noise() { # write_noise FOLDER
    local protocol mode message start
    mkdir -p "$1"
    for protocol in {0..35}; do
        for mode in 0 2 8 16 17 18 24; do
            for message in {0..3}; do
                printf -v start '\\x%02x\\x%02x\\x0%d\\x07' "$protocol" "$mode" "$message"
                printf '%b' "$start" >"$1/$protocol-$mode-$message"
                ((mode > 0)) || printf '%b' "$start\\0\\x80\\x01" >"$1/$protocol-$mode-$message-last"
            done
        done
    done
}

failed=0
for target in "${targets[@]}"; do
    corpus=$build/corpus/$target
    case $target in
    fuzz_keyfile) write_key_files "$corpus" ;;
    fuzz_noise) write_noise "$corpus" ;;
    *) write_seeds "$corpus" ;;
    esac
    "$build/tests/fuzz/$target" -max_total_time="$seconds" -max_len=5000 -len_control=0 -timeout=10 \
        -print_final_stats=1 -artifact_prefix="$build/$target-" "$corpus" || { echo "$target: failed" >&2; failed=1; }
done
exit $failed
