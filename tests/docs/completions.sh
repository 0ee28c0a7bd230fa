#!/usr/bin/env bash
# The completions of bash, zsh and fish load, and give the words that they should; a shell that is not there is skipped.
# Usage: completions.sh FOLDER LATKEM
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016,SC2317 # the functions are called by the name of the shell; its code is in quotes
set -euo pipefail
readonly folder=$1 command=$2
failed=0

fail() {
    echo "completions: $*: FAILED"
    failed=1
}

PATH=$(dirname "$command"):$PATH # they ask latkem for the backends

# The output of each shell, one word a line, for a line that is being typed: its last word is what there is of a word.
words_of_bash() {
    bash --norc -c '
        source "$1/latkem.bash"
        complete -p latkem >/dev/null || exit 1
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _latkem
        if ((${#COMPREPLY[@]})); then printf "%s\n" "${COMPREPLY[@]}"; fi' bash "$folder" "$@"
}

words_of_fish() {
    fish --no-config -c '
        source $argv[1]/latkem.fish
        complete -C "$argv[2]"' "$folder" "$*" | cut -f 1
}

gives() { # WORD_THAT_MUST_BE_GIVEN WORD_THAT_MUST_NOT LINE...
    local -r wanted=$1 unwanted=$2
    shift 2
    local given
    given=$("words_of_$shell" "$@") || fail "$shell cannot complete '$*'"
    grep -qxF -- "$wanted" <<<"$given" || fail "$shell does not complete '$*' to $wanted, but to: ${given//$'\n'/ }"
    if grep -qxF -- "$unwanted" <<<"$given"; then fail "$shell completes '$*' to $unwanted"; fi
}

check_lines() {
    local name
    for name in $("$command" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do gives "$name" raw latkem ''; done
    gives inspect keygen latkem i
    gives X-Wing raw latkem keygen ''
    gives SecP384r1MLKEM1024 ML-KEM-768 latkem encaps S
    gives ML-KEM-768 convert latkem speed Kyber512 M
    gives pem seed latkem keygen X-Wing --format ''
    gives der raw latkem convert --format d
    gives both raw latkem keygen ML-KEM-768 --private-form ''
    gives chacha20-poly1305 pem latkem seal X-Wing --cipher ''
    gives portable raw latkem speed --backend ''
    gives X-Wing raw latkem encaps --ek alice.pub ''
    gives --public --ek latkem convert --
    gives --seed-file --ct latkem open X-Wing --dk alice.pem --
    gives --json --ek latkem inspect alice.pem --
    gives selftest raw latkem help s
    gives reply raw latkem kex uake r
    gives Kyber768 raw latkem kex ake start K
}

for shell in bash fish; do
    if command -v "$shell" >/dev/null; then
        check_lines
    else
        echo "completions: $shell is skipped: not on this machine"
    fi
done
if command -v zsh >/dev/null; then
    zsh -n "$folder/_latkem" || fail "zsh cannot read _latkem"
    zsh -f -c 'autoload -Uz compinit && fpath=("$1" $fpath) && compinit -D -u && [[ $_comps[latkem] == _latkem ]]' zsh \
        "$folder" || fail "zsh does not find _latkem"
else
    echo "completions: zsh is skipped: not on this machine"
fi
if ((!failed)); then echo "completions: ok"; fi
exit $failed
