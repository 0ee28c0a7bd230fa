# shellcheck shell=sh
# The part that run_ct.sh and protocol/ct/run.sh share, which source it: check_builds builds a library and a program with
# compilers at levels and runs the program under valgrind's memcheck. Two planted leaks must be reported by each build, else
# nothing can be concluded from its silence. Debug information is DWARF 4, the newest that valgrind reads from clang.
#
# The sourcing script has two functions: link_program COMPILER LEVEL FOLDER makes the program in FOLDER, and check_program
# COMPILER LEVEL FOLDER judges a build.
# COMPILERS and LEVELS choose other lists than "gcc clang" and "-O2 -O3", VALGRIND is the command that runs memcheck. TREE is
# a folder that keeps what is built for the next run, JOBS says how many processes run at a time.
# SPDX-License-Identifier: Apache-2.0
JOBS=${JOBS:-$(nproc)}
: "${VALGRIND:=valgrind}" "${COMPILERS:=gcc clang}" "${LEVELS:=-O2 -O3}"
found=99 # valgrind's exit status for errors

memcheck() { # program argument...: several words are the command
    # shellcheck disable=SC2086
    $VALGRIND --quiet --error-exitcode=$found "$@"
}

need_tools() { # program cmake
    for tool in "$VALGRIND" "$2" ninja $COMPILERS; do
        tool=${tool%% *}
        if ! command -v "$tool" >/dev/null; then
            echo "$1: $tool is not installed" >&2
            exit 1
        fi
    done
}

build_library() { # source cmake target compiler level folder option...
    source=$1 cmake=$2 target=$3 compiler=$4 level=$5 folder=$6
    shift 6
    "$cmake" -G Ninja -S "$source" -B "$folder" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="$level -gdwarf-4 -DNDEBUG" -DLATKEM_CT_CHECK=ON -DBUILD_TESTING=OFF \
        -DLATKEM_BUILD_CLI=OFF "$@" && "$cmake" --build "$folder" --target "$target" -j "$JOBS"
}

expect_leaks() { # program folder
    for leak in leak-branch leak-index; do
        result=0
        memcheck "$2/$1" "$leak" >"$2/log" 2>&1 || result=$?
        if [ "$result" -ne $found ]; then
            cat "$2/log"
            echo "$1: $leak is not reported" >&2
            exit 1
        fi
    done
}

# Ends the script.
check_builds() { # program source cmake target option...
    program=$1 source=$2 cmake=$3 target=$4 status=0
    shift 4
    need_tools "$program" "$cmake"
    if [ -n "${TREE:-}" ]; then
        work=$TREE
    else
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
    fi
    for compiler in $COMPILERS; do
        for level in $LEVELS; do
            echo "== $compiler $level"
            folder=$work/$compiler$level
            mkdir -p "$folder"
            if ! { build_library "$source" "$cmake" "$target" "$compiler" "$level" "$folder" "$@" &&
                link_program "$compiler" "$level" "$folder"; } >"$folder/log" 2>&1; then
                cat "$folder/log"
                exit 1
            fi
            expect_leaks "$program" "$folder"
            check_program "$compiler" "$level" "$folder" || status=1
        done
    done
    exit $status
}
