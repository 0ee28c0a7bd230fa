# Included by the areas that share the harness. SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
enable_language(CXX)
add_subdirectory(harness)
include(harness/study/area.cmake)
