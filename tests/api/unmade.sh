#!/bin/sh
# Builds the library and unmade.c with clang's memory sanitizer, and runs every operation and error on every backend of this
# CPU. A planted read must be reported, else nothing can be concluded from its silence.
# Usage: unmade.sh SOURCE_DIR FOLDER; CC is the compiler, clang-19 if not set. SPDX-License-Identifier: Apache-2.0
set -eu
source=$(cd "$1" && pwd) folder=$2
CC=${CC:-clang-19}
export CCACHE_DISABLE=1 # it does not see which files are ignored

# shellcheck disable=SC2086 # flags are a list of words
build() {
    flags="-O1 -g1 -fsanitize=memory -fno-omit-frame-pointer"
    cmake -G Ninja -S "$source" -B "$folder" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF \
        -DCMAKE_C_FLAGS_DEBUG="$flags -fsanitize-ignorelist=$source/tests/api/unmade.ignore" \
        -DLATKEM_BUILD_CLI=OFF -DLATKEM_BUILD_PROTOCOL=OFF &&
        cmake --build "$folder" --target latkem_static &&
        "$CC" $flags -std=c11 -Wall -Wextra -Werror -I"$source/include" "$source/tests/api/unmade.c" \
            "$folder/src/liblatkem.a" -o "$folder/unmade"
}

mkdir -p "$folder"
if ! echo "int main(void) { return 0; }" | "$CC" -fsanitize=memory -x c - -o "$folder/empty" 2>"$folder/log"; then
    echo "skipped: $CC has no memory sanitizer here"
    exit 0
fi
if ! build >"$folder/log" 2>&1; then
    cat "$folder/log"
    exit 1
fi
if "$folder/unmade" leak >"$folder/log" 2>&1 || ! grep -q "use-of-uninitialized-value" "$folder/log"; then
    echo "unmade: a read of a byte that was never made is not reported" >&2
    exit 1
fi
for backend in $("$folder/unmade"); do
    sets=
    # Of NTRU this backend stores with vpmovqb, which the sanitizer does not see.
    if [ "$backend" = avx512 ]; then sets="ML-KEM Kyber LightSaber Saber FireSaber"; fi
    # shellcheck disable=SC2086 # a list of words
    "$folder/unmade" "$backend" $sets
done
