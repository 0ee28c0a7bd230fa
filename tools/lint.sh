#!/usr/bin/env bash
# Runs the linters over the whole tree; with --fix, lays the sources out first. SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=build/venv/bin
tree=build/lint
failed=0

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
tidy() {
    cmake -G Ninja -S . -B "$tree" -DLATKEM_BUILD_CLI=ON -DLATKEM_BUILD_BENCH=ON -DBUILD_TESTING=OFF >"$tree.log" || return
    git ls-files --cached --others --exclude-standard 'src/*.c' 'cli/*.cpp' 'bench/*.cpp' |
        xargs -P "$(nproc)" -n 1 clang-tidy -p "$tree" --quiet 2>>"$tree.log"
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
step clang-tidy tidy
step ruff "$venv/ruff" check --quiet .
step ruff-format "$venv/ruff" format --check --quiet .
step shellcheck shellcheck -S warning "${scripts[@]}"
exit $failed
