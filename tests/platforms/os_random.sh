#!/bin/sh
# How each system is asked for randomness: src/api/os_random.c is compiled as for that system, by macros and by headers
# that come before this machine's, and run against os_random.c, which plays the system. For Linux. Usage: os_random.sh
# [SOURCE_DIR]; CC is the compiler. SPDX-License-Identifier: Apache-2.0
set -eu
cd "${1:-$(dirname "$0")/../..}"
CC=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
systems=tests/platforms/systems
failed=0

compile() { # compiler-argument...: as for a system
    $CC -std=c11 -Wall -Wextra -Werror -Isrc -Iinclude "$@" -c src/api/os_random.c -o "$work/os_random.o"
}

check() { # SYSTEM FUNCTION compiler-argument...
    system=$1 function=$2
    shift 2
    if compile "$@" && $CC "$work/test.o" "$work/os_random.o" -o "$work/test" && "$work/test" "$function"; then
        echo "os_random: $system: ok"
    else
        echo "os_random: $system: FAILED"
        failed=1
    fi
}

$CC -std=c11 -Wall -Wextra -Werror -c tests/platforms/os_random.c -o "$work/test.o"
no_getrandom=-I$systems/no_getrandom
check "Linux" getrandom
check "glibc 2.24" syscall "$no_getrandom" -I$systems/old_glibc
check "Android 8.1" syscall "$no_getrandom" -D__ANDROID__ -D__ANDROID_API__=27
check "Android 9" getrandom -D__ANDROID__ -D__ANDROID_API__=28
check "headers of Linux 3.16" device "$no_getrandom" -I$systems/old_glibc -I$systems/old_kernel
check "BSD" getentropy -U__linux__ -D_DEFAULT_SOURCE "$no_getrandom"
check "macOS" getentropy -U__linux__ -U__unix__ -D_DEFAULT_SOURCE -D__APPLE__
check "WASI" getentropy -U__linux__ -U__unix__ -D__wasi__ "$no_getrandom"
check "Emscripten" getentropy -U__linux__ -D_DEFAULT_SOURCE -D__EMSCRIPTEN__
check "Windows" BCryptGenRandom -U__linux__ -D_WIN32 -D__stdcall= -idirafter tests/platforms/msvc
check "LATKEM_OS_RANDOM=OFF" none -DLATKEM_NO_OS_RANDOM

if compile -U__linux__ -U__unix__ 2>"$work/log" || ! grep -q 'LATKEM_OS_RANDOM=OFF' "$work/log"; then
    echo "os_random: a system that nobody knows is not refused"
    failed=1
fi
exit $failed
