# The tests of the public API that hold for any set, those of liblatkem-protocol's hybrids too.
# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
set(here ${CMAKE_CURRENT_LIST_DIR})
latkem_shared_tests(api_suites
    ${here}/calls.cpp ${here}/memory_test.cpp ${here}/misuse_test.cpp ${here}/prepared_test.cpp
    ${here}/randomness_test.cpp ${here}/rng_test.cpp ${here}/secrets.cpp ${here}/system_rng.cpp)
# It gives threads a stack of its own, which Windows does not let a program do.
if(NOT WIN32)
  target_sources(api_suites PRIVATE ${here}/stack_test.cpp)
endif()
