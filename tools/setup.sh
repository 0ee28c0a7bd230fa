#!/usr/bin/env bash
# Installs what the areas of the tree need and this machine lacks: Debian packages with apt-get, Python packages in the
# virtual environment build/venv. Each area's area.toml says what they need and why (tools/areas.py). Says what it
# installs and why; where it may not, prints the command to run. SPDX-License-Identifier: Apache-2.0
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root
readonly venv=$root/build/venv
readonly python=${PYTHON:-python3}
readonly oldest_python=3.11 # it reads TOML, and the pinned packages have wheels for it

declare -A version_of # of each installed Debian package
declare -A reason     # why a package of the profile is needed
declare -A optional   # packages that not every release or architecture has
wanted=()             # the profile's packages, in order
missing=()
requirements=() # files of pinned Python packages
lacking=()      # programs that are not here and that are not installed from here
scripts=()      # commands that put something under build/ where it can be had
profile=        # set by main

say() { printf 'setup: %s\n' "$*"; }
die() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

read_installed() {
    local name status version
    while read -r name status version; do
        [[ $status == installed ]] && version_of[$name]=$version
    done < <(dpkg-query -W -f='${Package} ${db:Status-Status} ${Version}\n')
}

want() { # want REASON PACKAGE
    wanted+=("$2")
    reason[$2]=$1
}

want_python() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null || want "a virtual environment for the Python packages" python3-venv
}

# The major version of a package that is the release's default compiler.
major_of() {
    local version=${version_of[$1]:-}
    [[ -n $version ]] || version=$(LC_ALL=C apt-cache policy "$1" | awk '/Candidate:/ { print $2 }')
    version=${version#*:}
    echo "${version%%.*}"
}

# A package's name with the versions that it asks for: gcc-{gcc}-multilib is gcc-12-multilib where gcc is 12.
named() {
    local name=$1
    while [[ $name =~ \{([a-z+-]+)\} ]]; do name=${name/"${BASH_REMATCH[0]}"/$(major_of "${BASH_REMATCH[1]}")}; done
    echo "$name"
}

# go takes the word version, and not the option.
has_program() { # NAME OLDEST-VERSION
    local version
    command -v "$1" >/dev/null || return 1
    [[ -n $2 ]] || return 0
    version=$({ "$1" --version || "$1" version; } 2>/dev/null | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1) || return 1
    [[ $(printf '%s\n' "$2" "$version" | sort -V | head -n 1) == "$2" ]]
}

# Nothing is installed before what nobody can install here is there.
need_programs() {
    [[ ${#lacking[@]} -gt 0 ]] || return 0
    local each
    for each in "${lacking[@]}"; do say "'$profile' needs $each" >&2; done
    exit 1
}

# The packages that the areas state for the profile. A package is met by its program from elsewhere, such as a newer
# CMake in /usr/local.
read_profile() {
    local lines kind name why program how
    lines=$("$python" "$root/tools/areas.py" packages "$profile") || exit 2
    while IFS='|' read -r kind name why program how; do
        case $kind in
        program) has_program "$name" "$program" || lacking+=("$name${program:+ $program or newer} ($why): $how") ;;
        pip) requirements+=("$name") ;;
        script) scripts+=("$name") ;;
        apt)
            if [[ -n $program ]] && command -v "$program" >/dev/null; then continue; fi
            if [[ -z $debian && -n $program && $how != optional ]]; then lacking+=("$program ($why)"); fi
            name=$(named "$name")
            want "$why" "$name"
            if [[ $how == optional ]]; then optional[$name]=1; fi
            ;;
        esac
    done <<<"$lines"
    if [[ ${#requirements[@]} -gt 0 ]]; then want_python; fi
}

find_missing() {
    local name
    missing=()
    for name in "${wanted[@]}"; do
        [[ -n ${version_of[$name]:-} ]] || missing+=("$name")
    done
}

# No pipe: a reader that stops early would make apt-cache fail.
offered() { [[ $(LC_ALL=C apt-cache policy "$1") == *'Candidate: '[^\(]* ]]; }

drop_unoffered() {
    local name kept=()
    for name in "${missing[@]}"; do
        if [[ -z ${optional[$name]:-} ]] || offered "$name"; then
            kept+=("$name")
        else
            say "this system's package sources have no $name (${reason[$name]}); going on without it"
        fi
    done
    missing=("${kept[@]}")
}

# How to run a command as root, in as_root; status 1 where that is not allowed.
find_root() {
    as_root=()
    [[ -z ${LATKEM_NO_INSTALL:-} ]] || return 1
    [[ $EUID -eq 0 ]] && return 0
    sudo -n true 2>/dev/null || return 1
    as_root=(sudo -n)
}

apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@"; }

refresh_lists() {
    say "reading the package lists: apt-get update"
    apt_get update >/dev/null || say "apt-get update failed; trying with the lists that are here"
}

have_lists() { compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; }

announce() {
    local name
    say "'$profile' needs packages that this machine lacks:"
    for name in "${missing[@]}"; do printf '    %-26s %s\n' "$name" "${reason[$name]}"; done
}

install_packages() {
    find_missing
    [[ ${#missing[@]} -gt 0 ]] || return 0
    local allowed=1
    find_root || allowed=0
    if ((allowed)) && ! have_lists; then refresh_lists; fi
    if have_lists; then drop_unoffered; fi
    [[ ${#missing[@]} -gt 0 ]] || return 0
    announce
    local -r command="apt-get install -y --no-install-recommends ${missing[*]}"
    ((allowed)) || die "installing is not allowed here; run this, then try again:

    sudo apt-get update && sudo $command
"
    say "installing them: $command"
    local -r options=(-y --no-install-recommends)
    apt_get install "${options[@]}" "${missing[@]}" || { refresh_lists && apt_get install "${options[@]}" "${missing[@]}"; } ||
        die "apt-get could not install them (see above); run this, then try again:

    sudo apt-get update && sudo $command
"
}

make_venv() {
    "$venv/bin/python" -c '' 2>/dev/null && return
    say "making the Python environment build/venv"
    rm -rf "$venv"
    "$python" -m venv "$venv"
}

# Installs one file of pinned packages, once: a copy of the file in the environment says that it was done.
install_requirements() {
    local -r file=$root/$1 done_file=$venv/${1//\//-}
    cmp -s "$file" "$done_file" && return
    local -r pip=("$venv/bin/python" -m pip --disable-pip-version-check --no-input install
        --quiet --only-binary=:all: -r "$file")
    [[ -z ${LATKEM_NO_INSTALL:-} ]] || die "installing is not allowed here; run this, then try again:

    ${pip[*]} && cp $file $done_file
"
    say "installing the packages of $1 into build/venv"
    "${pip[@]}" || die "pip could not install them (see above; is there a network?); run this, then try again:

    ${pip[*]}
"
    cp "$file" "$done_file"
}

install_python_packages() {
    [[ ${#requirements[@]} -gt 0 ]] || return 0
    make_venv
    local file
    for file in "${requirements[@]}"; do install_requirements "$file"; done
}

run_scripts() {
    local script
    for script in "${scripts[@]}"; do
        (cd "$root" && $script) || say "'$script' failed; going on without it"
    done
}

# Bash alone reads no TOML. If Python is too old, the build goes on and says for itself what it lacks.
need_python() {
    if [[ -z $(command -v "$python") && -n $debian ]]; then
        want "reads what the areas of the tree need" python3
        install_packages
        wanted=()
    fi
    "$python" -c "import sys; sys.exit(sys.version_info < (${oldest_python/./, }))" && return
    local -r lack="Python $oldest_python or newer is needed to read what the areas of the tree need (PYTHON chooses another)"
    [[ $profile == build ]] || die "$lack"
    say "$lack; packages are not checked"
    exit 0
}

usage() {
    printf 'usage: tools/setup.sh PROFILE\n\n'
    "$python" "$root/tools/areas.py" profiles | while IFS='|' read -r name about; do printf '  %-10s %s\n' "$name" "$about"; done
    printf '\nQuick when nothing is missing. LATKEM_NO_INSTALL=1 installs nothing and prints the commands instead.\n'
}

main() {
    profile=${1:-}
    debian=
    if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
        debian=1
        read_installed
    fi
    need_python
    case $#:$profile in
    1:-h | 1:--help) usage && exit 0 ;;
    esac
    if [[ $# -ne 1 ]] || ! "$python" "$root/tools/areas.py" packages "$profile" >/dev/null 2>&1; then
        usage >&2
        exit 2
    fi
    if [[ -n $debian ]]; then
        read_profile
        need_programs
        install_packages
        [[ -n ${LATKEM_NO_INSTALL:-} ]] || run_scripts
    else
        say "this is no Debian or Ubuntu system: programs are looked for, packages are not"
        major_of() { echo; }
        read_profile
        need_programs
    fi
    install_python_packages
}

main "$@"
