# Linux of this machine with musl in place of glibc. SPDX-License-Identifier: Apache-2.0
set(CMAKE_C_COMPILER musl-gcc)
