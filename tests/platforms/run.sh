#!/usr/bin/env bash
# Builds the library for platforms that the other tests do not reach, with the platform's C compiler alone, and runs known
# answers there where there is an emulator. One line for each target; a target without its compiler is skipped.
# Usage: run.sh [TARGET...]; a target is a name in tools/toolchains. Build folders and logs are in build/platforms.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly root
readonly all=(cortex-m0 cortex-m4 cortex-m4-small wasi musl armv7 riscv64 mingw clang-cl msvc)

# The first word of what a toolchain file sets a variable to.
value_of() { # TARGET VARIABLE
    cat >"$trees/print.cmake" <<EOF
include($root/tools/toolchains/$1.cmake)
list(GET $2 0 program)
message("\${program}")
EOF
    (cd "$trees" && cmake -P print.cmake 2>&1) # toolchain files may write
}

build() { # TARGET
    local -r tree=$trees/$1
    cmake -G Ninja -S "$root/tests/platforms" -B "$tree" -DLATKEM_WERROR=ON -DCMAKE_BUILD_TYPE=MinSizeRel \
        -DCMAKE_TOOLCHAIN_FILE="$root/tools/toolchains/$1.cmake" && cmake --build "$tree"
}

run() { ctest --test-dir "$trees/$1" --output-on-failure --no-tests=error; } # TARGET

# "ok", "FAILED: why" or what is skipped and why.
check() { # TARGET
    local compiler emulator
    compiler=$(value_of "$1" CMAKE_C_COMPILER)
    if ! command -v "$compiler" >/dev/null; then echo "skipped: no $compiler on this machine" && return; fi
    build "$1" >"$trees/$1.log" 2>&1 || { echo "FAILED: does not build, see build/platforms/$1.log" && return; }
    emulator=$(value_of "$1" CMAKE_CROSSCOMPILING_EMULATOR | sed s/NOTFOUND//)
    if [[ -n $emulator ]] && ! command -v "$emulator" >/dev/null; then
        echo "builds; running skipped: no $emulator on this machine" && return
    fi
    run "$1" >>"$trees/$1.log" 2>&1 || { echo "FAILED: see build/platforms/$1.log" && return; }
    echo "ok"
}

readonly trees=$root/build/platforms
mkdir -p "$trees"
export WINEPREFIX=$trees/wine WINEDEBUG=-all
failed=0
targets=("$@")
[[ $# -gt 0 ]] || targets=("${all[@]}")
for target in "${targets[@]}"; do
    if ! [[ -f $root/tools/toolchains/$target.cmake ]]; then
        echo "platforms: no toolchain file for $target" >&2
        exit 2
    fi
    begin=$SECONDS
    verdict=$(check "$target")
    printf '%-16s %4d s   %s\n' "$target" $((SECONDS - begin)) "$verdict"
    if [[ $verdict == FAILED* ]]; then failed=1; fi
done
exit $failed
