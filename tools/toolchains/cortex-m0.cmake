# A microcontroller without instructions that compare and exchange; else as cortex-m4.cmake.
# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m4.cmake)
set(CMAKE_SYSTEM_PROCESSOR cortex-m0)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m0 -mthumb")
