# The examples, beside the libraries that they use. SPDX-License-Identifier: Apache-2.0
option(LATKEM_BUILD_EXAMPLES "Build the examples" OFF)
if(LATKEM_BUILD_EXAMPLES)
  enable_language(CXX)
  add_subdirectory(examples)
endif()
