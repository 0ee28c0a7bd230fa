# The benchmarks, built where they are asked for. SPDX-License-Identifier: Apache-2.0
option(LATKEM_BUILD_BENCH "Build the benchmarks" OFF)
option(LATKEM_BUILD_COST_MODEL "Build what the cost models run" OFF)

if(LATKEM_BUILD_BENCH OR LATKEM_BUILD_COST_MODEL)
  include(harness/area.cmake)
endif()
if(LATKEM_BUILD_BENCH)
  add_subdirectory(bench)
endif()
if(LATKEM_BUILD_COST_MODEL)
  add_subdirectory(bench/sections)
endif()
