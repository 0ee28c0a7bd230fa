# A microcontroller with newlib and no operating system. A program with tests/platforms/bare_arm.c runs in QEMU's user mode.
# SPDX-License-Identifier: Apache-2.0
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m4)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m4 -mthumb")
set(CMAKE_EXE_LINKER_FLAGS_INIT --specs=nosys.specs)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm)
