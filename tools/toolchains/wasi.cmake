# WebAssembly with WASI's C library; Node runs the programs. SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME WASI)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}) # Platform/WASI.cmake, for CMake before 3.31
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_CROSSCOMPILING_EMULATOR "node;--no-warnings;${CMAKE_CURRENT_LIST_DIR}/../../tests/platforms/wasi.mjs")
# The C library's code and wasm-ld's default would leave a program 64 KiB of stack.
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-z,stack-size=262144)
