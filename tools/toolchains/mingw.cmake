# 64-bit Windows with gcc of mingw-w64; programs run under Wine. SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Programs need no DLLs of the compiler beside them.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static-libgcc)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
set(nlohmann_json_DIR ${CMAKE_CURRENT_LIST_DIR}/mingw)
