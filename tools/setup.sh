#!/usr/bin/env bash
# Installs what a part of the project needs and this machine lacks: Debian packages with apt-get, Python packages in the
# virtual environment build/venv. Says what it installs and why; where it may not, prints the command to run.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

readonly usage="usage: tools/setup.sh PROFILE

  build      compile the library and the command
  test       'make test', with the builds for other machines
  deep       'make test DEEP=1': all compilers, Windows, 32-bit, big-endian
  evaluate   'make evaluate': the benchmarks and the report
  aarch64    'make bench-aarch64': the cross compiler, QEMU and llvm-mca
  schedule   'make schedule-aarch64': SLOTHY
  lint       the linters

Quick when nothing is missing. LATKEM_NO_INSTALL=1 installs nothing and prints the commands instead."

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly root
readonly venv=$root/build/venv
readonly arm64=$root/build/arm64
readonly python=${PYTHON:-python3}
readonly oldest_python=3.11 # the oldest that the pinned packages have wheels for

declare -A version_of # of each installed Debian package
declare -A reason     # why a package of the profile is needed
declare -A optional   # packages that not every release or architecture has
wanted=()             # the profile's packages, in order
missing=()
requirements=() # files of pinned Python packages
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

want() { # want REASON PACKAGE...
    local why=$1 name
    shift
    for name in "$@"; do
        wanted+=("$name")
        reason[$name]=$why
    done
}

want_if_offered() { # want_if_offered REASON PACKAGE...
    want "$@"
    local name
    for name in "${@:2}"; do optional[$name]=1; done
}

# A package that is met by a program from elsewhere, such as a newer CMake in /usr/local.
want_program() { # want_program REASON PROGRAM PACKAGE
    command -v "$2" >/dev/null || want "$1" "$3"
}

want_python() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null || want "a virtual environment for the Python packages" python3-venv
}

# The major version of a package that stands for the release's default compiler.
major_of() {
    local version=${version_of[$1]:-}
    [[ -n $version ]] || version=$(LC_ALL=C apt-cache policy "$1" | awk '/Candidate:/ { print $2 }')
    version=${version#*:}
    echo "${version%%.*}"
}

profile_build() {
    want_program "configures the build" cmake cmake
    want_program "runs the build" ninja ninja-build
    want_program "compiles the library" gcc gcc
    want_program "compiles the command and the tests" g++ g++
    want "the C library's headers" libc6-dev
    want "the command's options" libcli11-dev
    want "JSON output and input" nlohmann-json3-dev
    want "the ciphers of the command's sealed files" libssl-dev
}

profile_evaluate() {
    profile_build
    want "the conformance suite" libgtest-dev
    want "the benchmarks" libbenchmark-dev
    want_python
    requirements+=(evaluate/requirements.txt)
}

profile_test() {
    profile_build
    requirements+=(evaluate/requirements.txt evaluate/requirements-test.txt)
    want "the tests" libgtest-dev
    want "the tests, built for other machines" googletest
    want_python
    want_program "secret-independence tests" valgrind valgrind
    want_if_offered "the newest compiler, whose code for secrets is checked" clang-19
    want_program "the test of the installed library" pkg-config pkg-config
    want_aarch64_if_offered "$(major_of gcc)"
    want_platforms_if_offered "$(major_of gcc)"
}

# The versioned cross compilers go together with a multilib compiler.
want_platforms_if_offered() { # want_platforms_if_offered MAJOR-VERSION-OF-GCC
    want_if_offered "the build for firmware" gcc-arm-none-eabi libnewlib-arm-none-eabi
    want_if_offered "the build with musl" musl-tools
    want_if_offered "the build for 32-bit Arm" "gcc-$1-arm-linux-gnueabihf" libc6-dev-armhf-cross
    want_if_offered "the build for RISC-V" "gcc-$1-riscv64-linux-gnu" libc6-dev-riscv64-cross
    want_if_offered "the build for WebAssembly" clang-19 lld-19 llvm-19 wasi-libc libclang-rt-19-dev-wasm32
    want_program "runs the build for WebAssembly" node nodejs
}

profile_deep() {
    profile_test
    profile_evaluate
    local gcc clang
    gcc=$(major_of gcc)
    clang=$(major_of clang)
    want_program "the second compiler and the fuzz targets" clang clang
    want_if_offered "sanitizers and the fuzzer of clang" "libclang-rt-$clang-dev"
    want_if_offered "the 32-bit build (the versioned packages go together with cross compilers)" \
        "gcc-$gcc-multilib" "g++-$gcc-multilib"
    want_if_offered "the big-endian build" "gcc-$gcc-s390x-linux-gnu" "g++-$gcc-s390x-linux-gnu" libc6-dev-s390x-cross
    want_if_offered "the build for Windows" gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix lld-19
    want_if_offered "the build with clang-cl" clang-tools
    want_if_offered "runs the build for Windows" wine wine64
}

# The cross compilers are the versioned packages, which go together with a multilib compiler.
want_aarch64_if_offered() { # want_aarch64_if_offered MAJOR-VERSION-OF-GCC
    want_if_offered "the AArch64 build" "gcc-$1-aarch64-linux-gnu" "g++-$1-aarch64-linux-gnu" libc6-dev-arm64-cross
    want_if_offered "runs the AArch64 build" qemu-user
    want_if_offered "the cost model of AArch64" llvm-19
}

# memcheck for AArch64, which runs under QEMU. Not every system's package sources have the packages of that machine.
fetch_arm64_valgrind() {
    if [[ -n ${LATKEM_NO_INSTALL:-} || $(dpkg --print-architecture) == arm64 || -x $arm64/usr/bin/valgrind ]]; then return; fi
    say "unpacking valgrind for AArch64 into build/arm64"
    "$root/tools/arm64_valgrind.sh" "$arm64" || say "it could not be had; going on without it"
}

profile_aarch64() {
    profile_build
    want_aarch64_if_offered "$(major_of gcc)"
}

profile_schedule() {
    want_python
    requirements+=(dev/aarch64/requirements.txt)
}

profile_lint() {
    profile_evaluate # clang-tidy reads how the command and the benchmarks are compiled
    want_program "the layout of C and C++" clang-format clang-format
    want_program "checks of C and C++" clang-tidy clang-tidy
    want_program "checks of shell scripts" shellcheck shellcheck
    want_aarch64_if_offered "$(major_of gcc)"
    want_python
    requirements+=(tools/requirements-lint.txt)
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

check_python() {
    "$python" -c "import sys; sys.exit(sys.version_info < (${oldest_python/./, }))" ||
        die "$("$python" --version) is too old: the report needs Python $oldest_python or newer (set PYTHON to use another)"
}

make_venv() {
    "$venv/bin/python" -c '' 2>/dev/null && return
    check_python
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

main() {
    profile=${1:-}
    case $#:$profile in
    1:build | 1:test | 1:deep | 1:evaluate | 1:aarch64 | 1:schedule | 1:lint) ;;
    1:-h | 1:--help) echo "$usage" && exit 0 ;;
    *) echo "$usage" >&2 && exit 2 ;;
    esac
    if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
        read_installed
        "profile_$profile"
        install_packages
        if [[ $profile == deep ]]; then fetch_arm64_valgrind; fi
    else
        say "this is no Debian or Ubuntu system: packages are not checked"
        major_of() { echo; }
        "profile_$profile"
    fi
    install_python_packages
}

main "$@"
