# How a test program is made: latkem_test(name [ARGUMENTS argument...] [SHARED name...] [SOURCES file...]) links the
# sources with the static library, because tests may reach its internal symbols, with GoogleTest's main and with the
# helpers of this folder, and registers it with CTest, with these arguments, in parts that share out its tests. A process
# for each of some thousand tests would take longer than the tests. latkem_shared_tests(name file...) compiles once the
# sources that several programs name as SHARED.
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

find_package(nlohmann_json 3 REQUIRED)

set(LATKEM_VECTORS_DIR "" CACHE PATH "Folder of known-answer files that take the place of those in tests/vectors")
set(LATKEM_TEST_SHARDS 6 CACHE STRING "Parts in which CTest runs each test program")
set(LATKEM_TEST_ROUNDS 10000 CACHE STRING "Rounds of the accumulated digests: 100, 1000 or 10000")

add_library(latkem_test_support STATIC
    ${CMAKE_CURRENT_LIST_DIR}/kem_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/tested_kem.cpp
    ${CMAKE_CURRENT_LIST_DIR}/vectors.cpp)
target_include_directories(latkem_test_support PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_compile_features(latkem_test_support PUBLIC cxx_std_17)
target_compile_definitions(latkem_test_support PUBLIC $<$<BOOL:${LATKEM_SMALL}>:LATKEM_SMALL>)
# Of this file alone: programs with other definitions than the precompiled headers' could not use them.
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/vectors.cpp TARGET_DIRECTORY latkem_test_support PROPERTIES
    COMPILE_DEFINITIONS
    "LATKEM_VECTORS_DIR=\"${LATKEM_VECTORS_DIR}\";LATKEM_UNPACKED_VECTORS=\"${PROJECT_BINARY_DIR}/vectors\"")
target_link_libraries(latkem_test_support PUBLIC latkem_model latkem_static GTest::gtest nlohmann_json::nlohmann_json)
# They take longer to compile than most tests; every test program uses this one copy.
target_precompile_headers(latkem_test_support PRIVATE
    <algorithm> <array> <cstring> <functional> <memory> <ostream> <random> <string> <vector> <gtest/gtest.h>)

# The first program that Wine runs makes its folder, in which a second one meanwhile fails.
set(LATKEM_TEST_FIXTURES)
if(CMAKE_CROSSCOMPILING_EMULATOR STREQUAL "wine")
    set(LATKEM_TEST_FIXTURES FIXTURES_REQUIRED wine_folder)
    add_test(NAME wine_folder COMMAND wine cmd /c exit)
    set_tests_properties(wine_folder PROPERTIES FIXTURES_SETUP wine_folder)
endif()

function(latkem_shared_tests name)
    add_library(${name} OBJECT ${ARGN})
    target_link_libraries(${name} PRIVATE latkem_test_support latkem_harness)
    target_precompile_headers(${name} REUSE_FROM latkem_test_support)
endfunction()

function(latkem_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;SHARED;ARGUMENTS")
    list(TRANSFORM arg_SHARED REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
    add_executable(${name} ${arg_SOURCES} ${arg_SHARED})
    target_link_libraries(${name} PRIVATE latkem_test_support GTest::gtest_main)
    target_precompile_headers(${name} REUSE_FROM latkem_test_support)
    math(EXPR last "${LATKEM_TEST_SHARDS} - 1")
    foreach(shard RANGE ${last})
        add_test(NAME ${name}.${shard}
            COMMAND ${name} --gtest_brief=1 --gtest_output=xml:${PROJECT_BINARY_DIR}/gtest/${name}.${shard}.xml
                    ${arg_ARGUMENTS})
        set_tests_properties(${name}.${shard} PROPERTIES
            ENVIRONMENT "GTEST_TOTAL_SHARDS=${LATKEM_TEST_SHARDS};GTEST_SHARD_INDEX=${shard}" TIMEOUT 1200
            ${LATKEM_TEST_FIXTURES})
    endforeach()
endfunction()
