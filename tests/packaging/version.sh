#!/bin/sh
# The libraries have the version of latkem.h: their files' names and SONAMEs (major.minor while the major version is 0,
# docs/abi.md), their .pc files, find_package. tools/version.py has the places in the sources.
# Usage: version.sh SOURCE_DIR BUILD_DIR LIBRARY READELF [LIBRARY...]. SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 build=$2 library=$3 readelf=$4
version=$(sed -n 's/^#define LATKEM_VERSION "\([0-9]*\.[0-9]*\.[0-9]*\)"$/\1/p' "$source/include/latkem/latkem.h")
failed=0

expect() { # what wanted found
    [ "$2" = "$3" ] && return
    echo "version: $1 is '$3', not '$2'" >&2
    failed=1
}

case $version in
0.*) so=${version%.*} ;;
*) so=${version%%.*} ;;
esac
check_library() {
    name=$(basename "$1")
    name=${name%%.so*}
    expect "$name's SONAME" "$name.so.$so" "$("$readelf" -dW "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
    expect "$name's file" "$name.so.$version" "$(basename "$(readlink -f "$1")")"
    [ -e "$build/latkem.pc" ] || return 0
    expect "${name#lib}.pc" "$version" "$(sed -n 's/^Version: //p' "$build/${name#lib}.pc")"
}

check_library "$library"
shift 4
for another; do check_library "$another"; done
if [ -e "$build/latkem.pc" ]; then
    expect "find_package" "$version" "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' "$build/latkem-config-version.cmake")"
fi
echo "version: $version"
exit $failed
