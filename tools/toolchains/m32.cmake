# 32-bit x86 on an x86-64 machine. SPDX-License-Identifier: Apache-2.0
set(CMAKE_C_COMPILER gcc-12)
set(CMAKE_CXX_COMPILER g++-12)
# The kernel headers of i386 are those of x86-64; a plain gcc-NN-multilib does not link them into the search path.
set(CMAKE_C_FLAGS_INIT "-m32 -idirafter /usr/include/x86_64-linux-gnu")
set(CMAKE_CXX_FLAGS_INIT "-m32 -idirafter /usr/include/x86_64-linux-gnu")
