#!/bin/sh
# Puts Debian's libcrypto for another machine into a folder, headers in include/ and libraries in lib/, as
# -DOPENSSL_ROOT_DIR=FOLDER wants them. The folder is made last: where it is, it is whole.
# Usage: foreign_libcrypto.sh ARCHITECTURE FOLDER, with Debian's name of the architecture (arm64, s390x, i386).
# SPDX-License-Identifier: Apache-2.0
set -eu
architecture=$1 folder=$2
[ ! -e "$folder" ] || exit 0
work=$(mktemp -d) made=$folder.made
trap 'rm -rf "$work" "$made"' EXIT
sh "$(dirname "$0")/../../tools/foreign.sh" "$architecture" "$work/root" libssl-dev libssl3

# Debian keeps what differs between machines in folders of their own.
triplet=$(basename "$(dirname "$(find "$work/root/usr/lib" -name libcrypto.so)")")
mkdir -p "$made/include"
cp -R "$work/root/usr/include/openssl" "$made/include"
cp -R "$work/root/usr/include/$triplet/openssl" "$made/include"
cp -a "$work/root/usr/lib/$triplet" "$made/lib"
mv "$made" "$folder"
