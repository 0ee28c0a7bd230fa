#!/bin/sh
# The public headers as others read them. Each compiles alone, in C and in C++, whatever LATKEM_API and LATKEM_PROTOCOL_API
# were defined as before, and with both as nothing plain declarations are left, which generators of bindings understand.
# Usage: headers.sh SOURCE_DIR; CC and CXX are the compilers. SPDX-License-Identifier: Apache-2.0
set -eu
include=$1/include
CC=${CC:-cc} CXX=${CXX:-c++}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "headers: $*" >&2
    failed=1
}

compile() { # header option...
    echo "#include <latkem/$1>" >"$work/user.c"
    cp "$work/user.c" "$work/user.cpp"
    shift
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror "-I$include" "$@" -fsyntax-only "$work/user.c" &&
        $CXX -std=c++17 -Wall -Wextra -Wpedantic -Werror "-I$include" "$@" -fsyntax-only "$work/user.cpp"
}

for path in "$include"/latkem/*.h; do
    header=$(basename "$path")
    compile "$header" || fail "$header does not compile alone"
    for api in "" extern '__attribute__((visibility("hidden")))' '__attribute__((weak))'; do
        compile "$header" "-DLATKEM_API=$api" "-DLATKEM_PROTOCOL_API=$api" || fail "$header does not compile with LATKEM_API=$api"
    done
done

# The declarations alone: the C library's headers are empty ones.
mkdir "$work/empty"
for header in "$include"/latkem/*.h; do
    echo "#include <latkem/$(basename "$header")>"
    sed -n 's/^ *# *include <\([a-z]*\.h\)>.*/\1/p' "$header" | while read -r name; do : >"$work/empty/$name"; done
done >"$work/all.c"
$CC -std=c11 -E -P -nostdinc -I"$work/empty" "-I$include" -DLATKEM_API= -DLATKEM_PROTOCOL_API= "$work/all.c" >"$work/declarations"
grep -q 'latkem_hpke_end(' "$work/declarations" || fail "there are no declarations"
if grep -E '__attribute__|__declspec|LATKEM_[A-Z]*API' "$work/declarations"; then fail "the above is left in the declarations"; fi
exit $failed
