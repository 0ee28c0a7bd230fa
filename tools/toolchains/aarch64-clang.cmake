# AArch64 with clang, on the headers, libraries and tools of the cross gcc; else as aarch64.cmake.
# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/aarch64.cmake)
set(CMAKE_C_COMPILER clang)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_C_FLAGS_INIT --target=aarch64-linux-gnu)
set(CMAKE_CXX_FLAGS_INIT --target=aarch64-linux-gnu)
set(CMAKE_ASM_FLAGS_INIT --target=aarch64-linux-gnu)
foreach(tool AR NM OBJDUMP RANLIB READELF STRIP)
  string(TOLOWER aarch64-linux-gnu-${tool} CMAKE_${tool})
endforeach()
