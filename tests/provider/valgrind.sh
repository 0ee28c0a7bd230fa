#!/bin/sh
# A thousand handshakes of every group under valgrind: no invalid read or write, nothing that grows or is lost; and a program
# that leaves the provider to OpenSSL's end. Usage: valgrind.sh TREE. SPDX-License-Identifier: Apache-2.0
set -eu
tests=$1/tests/provider
OPENSSL_CONF=$1/provider/openssl-latkem.cnf valgrind --quiet --error-exitcode=9 --leak-check=full "$tests/provider_exit"
LATKEM_TEST_DEEP=1 valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect \
    "$tests/provider_memory_test" --gtest_brief=1 --gtest_filter='*DoesNotGrow*'
