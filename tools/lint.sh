#!/usr/bin/env bash
# Runs the linters over the whole tree, but clang-tidy over what changed (tools/tidy.py); with --deep over everything; with
# --fix, lays the sources out first. SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=build/venv/bin
tree=build/lint
failed=0
tidy_options=()
if [[ ${1:-} == --deep ]]; then tidy_options=(--all); fi

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp')
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard '*.sh' .ci/run)

step() { # step NAME COMMAND...
    local name=$1 begin=$SECONDS
    shift
    if "$@"; then
        printf '  %-14s %3d s   ok\n' "$name" $((SECONDS - begin))
    else
        printf '  %-14s %3d s   FAILED\n' "$name" $((SECONDS - begin))
        failed=1
    fi
}

# Tests are left out: GoogleTest's macros drown its findings.
tidy_here() {
    cmake -G Ninja -S . -B "$tree" -DLATKEM_BUILD_CLI=ON -DLATKEM_BUILD_BENCH=ON -DLATKEM_BUILD_COST_MODEL=ON \
        -DBUILD_TESTING=OFF >"$tree.log" || return
    python3 tools/tidy.py "${tidy_options[@]}" "$tree" 'src/*.c' 'cli/*.cpp' 'bench/*.cpp' ':!src/arch/aarch64'
}

tidy_aarch64() {
    cmake -G Ninja -S . -B "$tree-aarch64" -DCMAKE_TOOLCHAIN_FILE=tools/toolchains/aarch64-clang.cmake \
        -DLATKEM_BUILD_CLI=OFF -DBUILD_TESTING=OFF >"$tree-aarch64.log" || return
    python3 tools/tidy.py "${tidy_options[@]}" "$tree-aarch64" 'src/arch/aarch64/*.c'
}

mkdir -p build
if [[ ${1:-} == --fix ]]; then
    clang-format -i "${sources[@]}"
    "$venv/ruff" format --quiet .
    "$venv/ruff" check --quiet --fix .
fi
echo "latkem lint: ${#sources[@]} C and C++ files, ${#scripts[@]} scripts"
step layers python3 tools/check_layers.py
step clang-format clang-format --dry-run --Werror "${sources[@]}"
step clang-tidy tidy_here
if command -v aarch64-linux-gnu-gcc-12 >/dev/null; then
    step tidy-aarch64 tidy_aarch64
else
    echo "  tidy-aarch64   skipped: no aarch64-linux-gnu-gcc-12, whose headers it reads"
fi
step ruff "$venv/ruff" check --quiet .
step ruff-format "$venv/ruff" format --check --quiet .
step shellcheck shellcheck -S warning "${scripts[@]}"
exit $failed
