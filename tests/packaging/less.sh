#!/bin/sh
# LATKEM_SETS, LATKEM_BACKENDS and LATKEM_SMALL: what is chosen works, what is not is not there, and what is not known is an
# error that names what is. LATKEM_TEST_DEEP adds each family of kernels alone on every backend.
# Usage: less.sh SOURCE_DIR CMAKE NM; CC and CFLAGS are those of the build. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=$2 nm=$3
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "less: $*" >&2
    exit 1
}

small=OFF

configure() { # sets backends
    "$cmake" -S "$source" -B "$work/tree" -DBUILD_TESTING=OFF -DBUILD_SHARED_LIBS=OFF -DLATKEM_BUILD_CLI=OFF \
        -DLATKEM_WERROR=ON -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_C_FLAGS_RELEASE=-O1 \
        "-DLATKEM_SETS=$1" "-DLATKEM_BACKENDS=$2" -DLATKEM_SMALL=$small >"$work/log" 2>&1
}

refuses() { # what-it-names sets backends
    if configure "$2" "$3"; then fail "takes LATKEM_SETS=$2 LATKEM_BACKENDS=$3"; fi
    tr '\n' ' ' <"$work/log" | grep -q "$1" || fail "does not name the known ones for $2, $3: $(cat "$work/log")"
}

gives() { # sets backends list-that-chosen-prints pattern-of-symbols-left-out
    rm -rf "$work/tree"
    { configure "$1" "$2" && "$cmake" --build "$work/tree" --parallel >"$work/log" 2>&1; } || {
        cat "$work/log" >&2
        fail "does not build: $1, $2"
    }
    library=$work/tree/src/liblatkem.a
    # The whole archive, so that nothing in it may lack what was left out.
    # shellcheck disable=SC2086 # flags are a list of words
    $CC $CFLAGS -I"$source/include" "$source/tests/packaging/chosen.c" -Wl,--whole-archive "$library" \
        -Wl,--no-whole-archive -o "$work/chosen"
    listed=$("$work/chosen") || fail "does not work: $1, $2"
    case $listed in
    "$3 "*) echo "$listed" ;;
    *) fail "$1, $2 gives: $listed" ;;
    esac
    if "$nm" "$library" | grep -E " [DdRrTt] .*($4)"; then fail "the symbols above were to be left out: $1, $2"; fi
}

known="ML-KEM-512.*ML-KEM-768"
refuses "$known" "ML-KEM-768;ML-KEM-769" all
refuses "$known" "ml-kem-768" all
refuses "$known" "" all
refuses "portable.*avx2" all "avx1024"
# The order is the library's, whatever the order of the list.
gives "Saber;ML-KEM-768" portable "ML-KEM-768 Saber portable" 'ntru|_cyclic|ternary|aes|sha2|sha512|avx|neon'
gives "ML-KEM-768" all "ML-KEM-768 portable" 'round3|cbd_eta3|compress_d(5|11)$|saber|ntru|cyclic|ternary|aes|sha2|sha512'
small=ON
refuses "portable code alone" all "portable;avx2"
gives "Saber;ML-KEM-768" all "ML-KEM-768 Saber small" 'ntru|_cyclic|ternary|aes|sha2|sha512|avx|neon|lk_blocks|lk_queue'
small=OFF
if [ -n "${LATKEM_TEST_DEEP:-}" ]; then
    gives "ML-KEM-1024" all "ML-KEM-1024 portable" 'round3|cbd_eta3|compress_d(4|10)$'
    gives "Kyber768-90s" all "Kyber768-90s portable" 'saber|ntru|cyclic|ternary'
    gives "FireSaber" all "FireSaber portable" 'mlkem|q3329|ntru|_cyclic|aes|sha2|sha512'
    gives "NTRU-HRSS-701" all "NTRU-HRSS-701 portable" 'mlkem|q3329|saber|negacyclic|sha2|sha512'
    gives "all" "avx512;neon-sha3" "ML-KEM-512" 'no_such_symbol'
fi
