# clang-cl that hides what it is: the branches of the sources that are MSVC's, which does not run here. The portable backend
# alone, as with MSVC. SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/clang-cl.cmake)
set(platform_options /U__clang__ /D__STDC_NO_ATOMICS__=1) # not while CMake identifies the compiler
set(LATKEM_X86_64 OFF CACHE BOOL "The backends for x86-64")
