# The small build on a microcontroller; else as cortex-m4.cmake. SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/cortex-m4.cmake)
set(LATKEM_SMALL ON CACHE BOOL "")
