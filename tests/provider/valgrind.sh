#!/bin/sh
# A thousand handshakes of every group under valgrind: no invalid read or write, nothing that grows or is lost.
# Usage: valgrind.sh FOLDER, with provider_memory_test in it. SPDX-License-Identifier: Apache-2.0
set -eu
LATKEM_TEST_DEEP=1 valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect \
    "$1/provider_memory_test" --gtest_brief=1 --gtest_filter='*DoesNotGrow*'
