#!/usr/bin/env bash
# The default configuration goes through where the command or the tests cannot be built, and says so; a command that was asked
# for and cannot be built is an error. Nothing is compiled. Usage: configure.sh [SOURCE_DIR]
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
root=$(cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
readonly root
work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "configure: $*: FAILED"
    failed=1
}

configure_again() { # CMAKE-ARGUMENT...: 0 if it goes through
    cmake -G Ninja -S "$root" -B "$work/tree" "$@" >"$work/log" 2>&1
}

configure() { # CMAKE-ARGUMENT...: likewise, in a fresh folder
    rm -rf "$work/tree"
    configure_again "$@"
}

says() { tr -s '[:space:]' ' ' <"$work/log" | grep -qF -- "$1"; }

goes_on() { # WHY CMAKE-ARGUMENT...
    local -r why=$1
    shift
    configure "$@" || { fail "$* does not go through" && return; }
    says "the command is not built: $why" || fail "$* does not say why the command is not built"
    if [[ -d $work/tree/cli ]]; then fail "$* builds the command"; fi
}

is_refused() { # WHY CMAKE-ARGUMENT...
    local -r why=$1
    shift
    if configure "$@"; then fail "$* goes through"; fi
    says "The latkem command cannot be built: $why" || fail "$* does not say why"
}

without() { printf -- '-DCMAKE_DISABLE_FIND_PACKAGE_%s=ON\n' "$1"; }

readonly no_tests=-DBUILD_TESTING=OFF
goes_on "CLI11 is not found" "$(without CLI11)" $no_tests
goes_on "OpenSSL 3.0 or newer is not found" "$(without OpenSSL)" $no_tests
is_refused "OpenSSL 3.0 or newer is not found" "$(without OpenSSL)" $no_tests -DLATKEM_BUILD_CLI=ON
goes_on "liblatkem-protocol, which it needs, is left out" -DLATKEM_BUILD_PROTOCOL=OFF $no_tests
is_refused "liblatkem-protocol, which it needs, is left out" -DLATKEM_BUILD_PROTOCOL=OFF $no_tests -DLATKEM_BUILD_CLI=ON
goes_on "nlohmann-json is not found" "$(without nlohmann_json)" "$(without GTest)"
says "the tests are not built" || fail "a machine without GoogleTest is not told that the tests are not built"
goes_on "LATKEM_OS_RANDOM is off" -DLATKEM_OS_RANDOM=OFF $no_tests

# Follow the advice, in the same folder, that comes with a libcrypto of another machine.
readonly other=$work/other
mkdir -p "$other/include/openssl" "$other/lib"
echo '#define OPENSSL_VERSION_STR "3.0.0"' >"$other/include/openssl/opensslv.h"
"${CC:-cc}" -shared -x c /dev/null -o "$other/lib/libcrypto.so"
goes_on "liblatkem-protocol, which it needs, is left out" "-DOPENSSL_ROOT_DIR=$other" $no_tests
says "programs do not link with $other/lib/libcrypto.so" || fail "another machine's libcrypto is taken for this one's"
configure_again -UOPENSSL_ROOT_DIR || fail "a second libcrypto does not go through"
if says "liblatkem-protocol is not built"; then fail "a second libcrypto is not looked for"; fi

readonly mingw=$root/tools/toolchains/mingw.cmake
if command -v x86_64-w64-mingw32-gcc-posix >/dev/null; then
    goes_on "it is written for POSIX systems" "-DCMAKE_TOOLCHAIN_FILE=$mingw"
    is_refused "it is written for POSIX systems" "-DCMAKE_TOOLCHAIN_FILE=$mingw" -DLATKEM_BUILD_CLI=ON
else
    echo "configure: Windows is skipped: no x86_64-w64-mingw32-gcc-posix on this machine"
fi
if ((!failed)); then echo "configure: ok"; fi
exit $failed
