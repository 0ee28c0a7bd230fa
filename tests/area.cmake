# The tests, built where they can be. SPDX-License-Identifier: Apache-2.0
option(LATKEM_BUILD_FUZZERS "Build the libFuzzer targets (clang)" OFF)

# Tests are ours alone, and built where they can be. Packages of this machine do not serve another.
set(LATKEM_BUILD_TESTS OFF)
if(LATKEM_TESTING)
  check_language(CXX)
  find_package(GTest QUIET)
  find_package(nlohmann_json 3 QUIET)
  if(CMAKE_CXX_COMPILER AND nlohmann_json_FOUND AND
     (LATKEM_GTEST_SOURCE OR (GTest_FOUND AND NOT CMAKE_CROSSCOMPILING)))
    set(LATKEM_BUILD_TESTS ON)
  else()
    message(STATUS "latkem: the tests are not built: they need a C++ compiler, nlohmann-json and GoogleTest, or its sources "
                   "(LATKEM_GTEST_SOURCE)")
  endif()
endif()

if(LATKEM_BUILD_TESTS)
  get_property(some_sets GLOBAL PROPERTY LATKEM_SOME_SETS)
  if(some_sets OR LATKEM_SMALL)
    message(STATUS "latkem: skipped: tests of kernels, of dispatch and of the command are for all parameter sets and backends")
    set(LATKEM_TEST_PARTS api kat)
  endif()
  include(harness/area.cmake)
  add_subdirectory(tests)
endif()
