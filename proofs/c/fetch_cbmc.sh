#!/bin/sh
# Puts Debian 13's CBMC into build/proofs/cbmc with the loader and libraries that it needs, for systems with older ones.
# Packages are unpacked, nothing is installed; the system's own lists stay as they are. CBMC is pinned by its hash; the
# libraries come from the signed release. The folder is made last: where it is, it is whole. Usage: fetch_cbmc.sh, from
# anywhere. SPDX-License-Identifier: Apache-2.0
set -eu
version=6.6.0-4
hash=02560859a17049c976961c232c4fc58f0747b57f9b751a466b1f368a438b0e41
libraries="libc6 libgcc-s1 libstdc++6 minisat zlib1g"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
folder=$(cd "$(dirname "$0")/../.." && pwd)/build/proofs/cbmc
[ ! -e "$folder" ] || exit 0
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "CBMC is fetched for x86-64 Linux alone" && exit 1; }
[ -e "$keyring" ] || { echo "$keyring is missing: install debian-archive-keyring" && exit 1; }
echo "unpacking CBMC $version into $folder"
work=$(mktemp -d) made=$folder.made
trap 'rm -rf "$work" "$made"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages" "$made"
: >"$work/status"
echo "deb [signed-by=$keyring] http://deb.debian.org/debian trixie main" >"$work/sources.list"

as_newer() {
    apt-get -q -o APT::Architecture=amd64 -o APT::Architectures=amd64 -o APT::Sandbox::User=root \
        -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
        -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- "$@"
}

as_newer update >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
# shellcheck disable=SC2086 # the libraries are several words
(cd "$work/packages" && as_newer download "cbmc=$version" $libraries) >>"$work/log" 2>&1 ||
    { cat "$work/log" && exit 1; }
echo "$hash  $work/packages/cbmc_${version}_amd64.deb" | sha256sum --check --quiet
for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$work/root"; done

mkdir -p "$made/lib"
cp -L "$work/root/usr/bin/cbmc" "$made/cbmc.bin"
for name in ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6 libminisat.so.2 libz.so.1; do
    cp -L "$(find "$work/root" -name "$name" | head -n 1)" "$made/lib/$name"
done
cat >"$made/cbmc" <<'END'
#!/bin/sh
here=$(dirname "$0")
exec "$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib" "$here/cbmc.bin" "$@"
END
chmod +x "$made/cbmc"
"$made/cbmc" --version >/dev/null
mv "$made" "$folder"
