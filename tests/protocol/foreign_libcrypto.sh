#!/bin/sh
# Puts Debian's libcrypto for another machine into a folder, headers in include/ and libraries in lib/, as
# -DOPENSSL_ROOT_DIR=FOLDER wants them. The packages are unpacked, nothing is installed; the system's own lists stay as they
# are. The folder is made last: where it is, it is whole.
# Usage: foreign_libcrypto.sh ARCHITECTURE FOLDER, with Debian's name of the architecture (arm64, s390x, i386).
# SPDX-License-Identifier: Apache-2.0
set -eu
architecture=$1 folder=$2
[ ! -e "$folder" ] || exit 0
echo "unpacking libcrypto for $architecture into $folder"
work=$(mktemp -d) made=$folder.made
trap 'rm -rf "$work" "$made"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"
: >"$work/status"

as_foreign() {
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root \
        -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}

# A mirror that is out of step lacks some lists; what the others name will do.
as_foreign update >"$work/log" 2>&1 || true
(cd "$work/packages" && as_foreign download libssl-dev libssl3) >>"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$work/root"; done

# Debian keeps what differs between machines in folders of their own.
triplet=$(basename "$(dirname "$(find "$work/root/usr/lib" -name libcrypto.so)")")
mkdir -p "$made/include"
cp -R "$work/root/usr/include/openssl" "$made/include"
cp -R "$work/root/usr/include/$triplet/openssl" "$made/include"
cp -a "$work/root/usr/lib/$triplet" "$made/lib"
mv "$made" "$folder"
