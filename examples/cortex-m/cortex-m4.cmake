# A toolchain file: cmake -DCMAKE_TOOLCHAIN_FILE=cortex-m4.cmake. SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program would need the board's start-up
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m4 -mthumb")
