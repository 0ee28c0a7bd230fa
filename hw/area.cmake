# The tests of the hardware cores. SPDX-License-Identifier: Apache-2.0
option(LATKEM_BUILD_HW "Build the simulations of hw/" OFF)
if(LATKEM_BUILD_HW)
  enable_language(CXX)
  enable_testing()
  add_subdirectory(hw/dv)
endif()
