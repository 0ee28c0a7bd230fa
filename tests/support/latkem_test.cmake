# How a test program is made: latkem_test(name SOURCES file...) links the sources with the static library, whose internal
# symbols tests may reach, with GoogleTest's main and with the helpers of this folder, and registers each test with CTest.
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
include(GoogleTest)

find_package(nlohmann_json 3 REQUIRED)

set(LATKEM_VECTORS_DIR "${PROJECT_SOURCE_DIR}/../shared/vectors" CACHE PATH
    "Folder of known-answer vectors; tests that read it are skipped where it does not exist")
set(LATKEM_TEST_ROUNDS 10000 CACHE STRING "Rounds of the accumulated digests: 100, 1000 or 10000")

add_library(latkem_test_support STATIC
    ${CMAKE_CURRENT_LIST_DIR}/crypto.cpp
    ${CMAKE_CURRENT_LIST_DIR}/facts.cpp
    ${CMAKE_CURRENT_LIST_DIR}/kem_test.cpp
    ${CMAKE_CURRENT_LIST_DIR}/model.cpp
    ${CMAKE_CURRENT_LIST_DIR}/ntru.cpp
    ${CMAKE_CURRENT_LIST_DIR}/vectors.cpp)
target_include_directories(latkem_test_support PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_compile_features(latkem_test_support PUBLIC cxx_std_17)
target_compile_definitions(latkem_test_support PRIVATE LATKEM_VECTORS_DIR="${LATKEM_VECTORS_DIR}")
target_link_libraries(latkem_test_support PUBLIC latkem_static GTest::gtest nlohmann_json::nlohmann_json)

function(latkem_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE latkem_test_support GTest::gtest_main)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 900)
endfunction()
