#!/bin/sh
# Both libraries under the layouts that distributions choose. Each .pc file and find_package name the folders of the
# installation, and a program compiles, links and runs with each alone, shared and static: also when the tree was installed
# below DESTDIR or was moved. One build is configured again for each layout. LATKEM_TEST_DEEP adds the rarer layouts, and
# find_package for all of them. Usage: layouts.sh SOURCE_DIR CMAKE; CC and CFLAGS are those of the build.
# SPDX-License-Identifier: Apache-2.0
set -eu
source=$1 cmake=$2
CC=${CC:-cc} CFLAGS=${CFLAGS:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

if ! command -v pkg-config >/dev/null; then
    echo "skipped: pkg-config is not installed"
    exit 77
fi

fail() {
    echo "layouts: $layout: $*" >&2
    failed=1
}

done_with() { [ $failed = 1 ] || echo "$layout: ok"; }

quietly() {
    "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        echo "layouts: $layout: $*" >&2
        exit 1
    }
}

build() { # cmake-argument...
    quietly "$cmake" -S "$source" -B "$work/tree" -DBUILD_TESTING=OFF -DLATKEM_BUILD_CLI=OFF -DLATKEM_BUILD_PROTOCOL=ON \
        -DLATKEM_BACKENDS=portable -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" "$@"
    quietly "$cmake" --build "$work/tree" --parallel
}

# The value of a variable of a .pc file, with the same file alone in the search path.
value() { pkg-config --variable="$1" "$2"; } # variable module

same() { [ "$(realpath -m "$1")" = "$(realpath -m "$2")" ]; } # path path

run_with() { # what flag...: a program of the module
    what=$1
    shift
    # shellcheck disable=SC2086 # flags are a list of words
    if ! $CC $CFLAGS -std=c11 -Wall -Wextra -Wmissing-include-dirs -Werror "$source/examples/$program.c" "$@" -o "$work/program" \
        >"$work/log" 2>&1 || ! LD_LIBRARY_PATH=$libdir "$work/program" >>"$work/log" 2>&1; then
        fail "$module, $what: $(cat "$work/log")"
    fi
}

check_pc() { # folder-of-pc-files libdir includedir
    PKG_CONFIG_PATH=$1 libdir=$2
    export PKG_CONFIG_PATH
    for module in latkem latkem-protocol; do
        program=hybrid
        [ $module = latkem ] && program=exchange
        same "$(value libdir $module)" "$2" || fail "$module: libdir is $(value libdir $module)"
        same "$(value includedir $module)" "$3" || fail "$module: includedir is $(value includedir $module)"
        # shellcheck disable=SC2046 # flags are lists of words
        run_with "shared" $(pkg-config --cflags --libs $module)
        mkdir -p "$work/static" && cp "$2"/*.a "$work/static/"
        # shellcheck disable=SC2046
        run_with "static" $(pkg-config --cflags $module) -L"$work/static" $(pkg-config --static --libs-only-l $module)
    done
}

check_found() { # folder-of-latkem-config.cmake
    rm -rf "$work/found"
    if ! "$cmake" -S "$source/tests/packaging/protocol_user" -B "$work/found" -Dlatkem_DIR="$1" \
        -DPROGRAM="$source/examples/hybrid.c" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" >"$work/log" 2>&1 ||
        ! "$cmake" --build "$work/found" >>"$work/log" 2>&1 || ! "$work/found/protocol_user" >>"$work/log" 2>&1; then
        fail "find_package: $(cat "$work/log")"
    fi
}

# The command looks for the libraries where they are installed. It is configured and not built.
check_command() { # folder-that-it-looks-in cmake-argument...
    layout=command expected=$1
    shift
    quietly "$cmake" -S "$source" -B "$work/command" -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" "$@"
    install=$work/command/cli/cmake_install.cmake
    if [ ! -e "$install" ]; then
        echo "skipped: the command is not built here"
        return
    fi
    found=$(sed -n 's/.* RPATH "\\*\(.*\)".*/\1/p' "$install" | head -n 1)
    [ "$found" = "$expected" ] || fail "it looks for the libraries in $found, not in $expected"
}

# An installed layout; folders as CMake is given them, relative to the prefix or absolute.
check() { # name libdir includedir [cmake-argument...]
    layout=$1 lib=$2 include=$3 prefix=$work/$1
    shift 3
    build -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR="$lib" -DCMAKE_INSTALL_INCLUDEDIR="$include" "$@"
    quietly "$cmake" --install "$work/tree"
    case $lib in /*) ;; *) lib=$prefix/$lib ;; esac
    case $include in /*) ;; *) include=$prefix/$include ;; esac
    check_pc "$lib/pkgconfig" "$lib" "$include"
    if [ -n "${LATKEM_TEST_DEEP:-}" ]; then check_found "$lib/cmake/latkem"; fi
    done_with
}

# An installation in one place that is used in another, as packages built on other machines are.
check_moved() { # libdir
    mv "$work/$layout" "$work/moved"
    layout=moved
    check_pc "$work/moved/$1/pkgconfig" "$work/moved/$1" "$work/moved/include"
    check_found "$work/moved/$1/cmake/latkem"
    done_with
}

check_staged() { # for /usr, below DESTDIR; once with it as the root of another system
    layout=staged
    build -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib64 -DCMAKE_INSTALL_INCLUDEDIR=include
    DESTDIR=$work/root quietly "$cmake" --install "$work/tree"
    check_pc "$work/root/usr/lib64/pkgconfig" "$work/root/usr/lib64" "$work/root/usr/include"
    PKG_CONFIG_SYSROOT_DIR=$work/root
    export PKG_CONFIG_SYSROOT_DIR
    flags=$(pkg-config --cflags-only-I latkem | tr -d ' ')
    same "${flags#-I}" "$work/root/usr/include" || fail "with a sysroot, --cflags is $flags"
    unset PKG_CONFIG_SYSROOT_DIR
    done_with
}

check multiarch lib/x86_64-linux-gnu include
check_moved lib/x86_64-linux-gnu
check absolute "$work/nix/lib" "$work/nix-dev/include"
check_staged
check_command "\$ORIGIN/../lib64" -DCMAKE_INSTALL_LIBDIR=lib64
check_command /opt/latkem/lib -DCMAKE_INSTALL_LIBDIR=/opt/latkem/lib
if [ -n "${LATKEM_TEST_DEEP:-}" ]; then
    check_command "\$ORIGIN/../../lib" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_BINDIR=bin/latkem
    check_command /usr/lib -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_BINDIR=/opt/latkem/bin
    check plain lib include
    check deep-headers lib64 include/latkem-0.2
    check absolute-libraries "$work/apart/lib" include
    check absolute-headers lib "$work/apart/include"
fi
exit $failed
