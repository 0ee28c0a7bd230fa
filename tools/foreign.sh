#!/bin/sh
# Unpacks Debian's packages for another machine into a folder. Nothing is installed, and the system's own lists stay as
# they are. The folder is made last: where it is, it is whole.
# Usage: foreign.sh ARCHITECTURE FOLDER PACKAGE..., with Debian's name of the architecture (arm64, s390x, i386).
# SPDX-License-Identifier: Apache-2.0
set -eu
architecture=$1 folder=$2
shift 2
[ ! -e "$folder" ] || exit 0
echo "unpacking packages for $architecture into $folder"
work=$(mktemp -d) made=$folder.made
trap 'rm -rf "$work" "$made"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages" "$made"
: >"$work/status"

as_foreign() {
    apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root \
        -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}

# A mirror that is out of step lacks some lists; the names in the others suffice.
as_foreign update >"$work/log" 2>&1 || true
(cd "$work/packages" && as_foreign download "$@") >>"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$made"; done
mv "$made" "$folder"
