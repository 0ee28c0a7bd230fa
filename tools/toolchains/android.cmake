# Android 5.0 (API 21) and newer with Debian's clang and lld, without an NDK: shared libraries of C that need bionic's
# libc.so alone. -DANDROID_ABI=arm64-v8a, x86_64 or armeabi-v7a, as with the NDK's toolchain file.
#
# android/include declares what latkem uses of bionic, android/libc.ifs lists it, and llvm-ifs makes of that list the
# libc.so to link with: a function that is not in the list does not link. SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Linux) # CMake's own "Android" asks for an NDK
set(ANDROID_ABI arm64-v8a CACHE STRING "arm64-v8a, x86_64 or armeabi-v7a")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ANDROID_ABI)
set(android_triple_arm64-v8a aarch64-linux-android21)
set(android_triple_x86_64 x86_64-linux-android21)
set(android_triple_armeabi-v7a armv7a-linux-androideabi21)
set(android_triple ${android_triple_${ANDROID_ABI}})
set(android_machine_arm64-v8a --arch=AArch64 --bitwidth=64)
set(android_machine_x86_64 --arch=x86_64 --bitwidth=64)
set(android_machine_armeabi-v7a --arch=ARM --bitwidth=32)
if(NOT android_triple)
  message(FATAL_ERROR "ANDROID_ABI is ${ANDROID_ABI}; give arm64-v8a, x86_64 or armeabi-v7a")
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${android_triple})
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_ASM_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET ${android_triple})
set(CMAKE_ASM_COMPILER_TARGET ${android_triple})
set(CMAKE_AR llvm-ar-19 CACHE FILEPATH "")
set(CMAKE_RANLIB llvm-ranlib-19 CACHE FILEPATH "")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # programs would need bionic's start files

# Functions for atomics that ask for the CPU's features are in the NDK's runtime library, which is not here.
set(android_files ${CMAKE_CURRENT_LIST_DIR}/android)
set(android_headers -nostdlibinc -isystem ${android_files}/include)
list(JOIN android_headers " " CMAKE_C_FLAGS_INIT)
set(LATKEM_JNI_H /usr/include/android/nativehelper CACHE PATH "Of Debian's android-libnativehelper-dev")
if(ANDROID_ABI STREQUAL arm64-v8a)
  string(APPEND CMAKE_C_FLAGS_INIT " -mno-outline-atomics")
endif()

# The libc to link with, made once in each build folder.
set(android_libc ${CMAKE_BINARY_DIR}/android/libc.so)
set(android_libraries ${android_libc})
if(ANDROID_ABI STREQUAL armeabi-v7a)
  string(APPEND android_libraries " ${CMAKE_BINARY_DIR}/android/arm_runtime.o")
endif()
if(NOT EXISTS ${android_libc} OR ${android_files}/libc.ifs IS_NEWER_THAN ${android_libc})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/android)
  execute_process(COMMAND llvm-ifs-19 ${android_machine_${ANDROID_ABI}} --endianness=little
                          --output-elf=${android_libc} ${android_files}/libc.ifs
                  COMMAND_ERROR_IS_FATAL ANY)
  if(ANDROID_ABI STREQUAL armeabi-v7a)
    execute_process(COMMAND clang-19 --target=${android_triple} ${android_headers} -O2 -fPIC -fno-builtin
                            -fvisibility=hidden -ffunction-sections -c ${android_files}/arm_runtime.c
                            -o ${CMAKE_BINARY_DIR}/android/arm_runtime.o
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
set(CMAKE_C_STANDARD_LIBRARIES_INIT ${android_libraries})

# Pages of 16 KiB are Android 15's; loaders before API 23 read the old hash table alone.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-fuse-ld=lld-19 -nostdlib -Wl,--hash-style=both -Wl,-z,max-page-size=16384 \
-Wl,-z,common-page-size=16384 -Wl,--build-id=sha1")
