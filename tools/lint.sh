#!/usr/bin/env bash
# Runs the linters over the whole tree, and what the areas state in their area.toml: clang-tidy over what changed
# (tools/tidy.py), with --deep over everything, and their own commands. --fix lays the sources out first; --area NAME runs
# what that area states alone. SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly venv=build/venv/bin
processors=$(nproc)
failed=0
steps=()
tidy_options=()
fix=
area=()

while [[ $# -gt 0 ]]; do
    case $1 in
    --deep) tidy_options=(--all) ;;
    --fix) fix=1 ;;
    --area) area=("${2:?--area takes a name}") && shift ;;
    *) echo "usage: tools/lint.sh [--deep] [--fix] [--area NAME]" >&2 && exit 2 ;;
    esac
    shift
done
stated=$(python3 tools/areas.py lint "${area[@]}") || exit 2

mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp')
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard '*.sh' .ci/run)

# Begins a command, beside others: as many in all as there are processors. Its output is shown when it has ended.
step() { # step NAME COMMAND...
    while (($(jobs -rp | wc -l) >= processors)); do wait -n || true; done
    run_step "$@" &
    steps+=($!)
}

run_step() { # run_step NAME COMMAND...
    local name=$1 begin=$SECONDS verdict=ok output
    shift
    output=$("$@" 2>&1) || verdict=FAILED
    printf '%s  %-14s %3d s   %s\n' "${output:+$output$'\n'}" "$name" $((SECONDS - begin)) "$verdict"
    [[ $verdict == ok ]]
}

# words_of NAME KIND VARIABLE puts what the areas state of that part into an array.
words_of() {
    mapfile -t "$3" < <(awk -F'|' -v name="$1" -v kind="$2" '$1 == name && $2 == kind { print $3 }' <<<"$stated")
}

# Tests are left out: GoogleTest's macros drown its findings.
tidy_tree() { # tidy_tree NAME
    local options=() patterns=()
    local -r tree=build/lint/$1
    words_of "$1" cmake options
    words_of "$1" tidy patterns
    if ! python3 tools/tidy.py --due "${tidy_options[@]}" "$tree" "${patterns[@]}"; then
        echo "    clang-tidy: no file of $1 has changed"
        return
    fi
    cmake -G Ninja -S . -B "$tree" "${options[@]}" -DBUILD_TESTING=OFF >"$tree.log" || return
    python3 tools/tidy.py "${tidy_options[@]}" "$tree" "${patterns[@]}"
}

# A part that areas state: a tree for clang-tidy, or a command.
part() { # part NAME
    local needs=() command=() layout=() program
    words_of "$1" needs needs
    words_of "$1" run command
    words_of "$1" fix layout
    for program in "${needs[@]}"; do
        command -v "$program" >/dev/null || { printf '  %-14s skipped: no %s\n' "$1" "$program" && return; }
    done
    if [[ -n $fix && ${#layout[@]} -gt 0 ]]; then "${layout[@]}"; fi
    if [[ ${#command[@]} -gt 0 ]]; then step "$1" "${command[@]}"; else step "$1" tidy_tree "$1"; fi
}

whole_tree() {
    if [[ -n $fix ]]; then
        clang-format -i "${sources[@]}"
        "$venv/ruff" format --quiet .
        "$venv/ruff" check --quiet --fix .
    fi
    echo "latkem lint: ${#sources[@]} C and C++ files, ${#scripts[@]} scripts"
    step layers python3 tools/check_layers.py
    step prose python3 tools/prose.py
    step clang-format clang-format --dry-run --Werror "${sources[@]}"
    step ruff "$venv/ruff" check --quiet .
    step ruff-format "$venv/ruff" format --check --quiet .
    step types "$venv/python" tools/check_types.py
    step shellcheck shellcheck -S warning "${scripts[@]}"
}

mkdir -p build/lint
if [[ ${#area[@]} -eq 0 ]]; then whole_tree; fi
mapfile -t parts < <(cut -d'|' -f1 <<<"$stated" | awk 'NF && !seen[$0]++')
for name in "${parts[@]}"; do part "$name"; done
for one in "${steps[@]}"; do wait "$one" || failed=1; done
exit $failed
