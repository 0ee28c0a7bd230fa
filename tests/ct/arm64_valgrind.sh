#!/bin/sh
# Puts Debian's valgrind for AArch64 and the C library it reads into a folder, for QEMU's user mode: memcheck runs there
# like any program. The packages are unpacked, nothing is installed; the system's own lists stay as they are.
# Usage: arm64_valgrind.sh FOLDER. SPDX-License-Identifier: Apache-2.0
set -eu
folder=$1
[ ! -x "$folder/usr/bin/valgrind" ] || exit 0
[ "$(dpkg --print-architecture)" != arm64 ] || exit 0
echo "unpacking valgrind for AArch64 into $folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
: >"$work/status"

as_arm64() {
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
        -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}

as_arm64 update >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
(cd "$work" && as_arm64 download valgrind libc6 libc6-dbg) >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
mkdir -p "$work/root"
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root"; done
mkdir -p "$folder"
cp -a "$work/root/." "$folder"
