# The JNI library of Java and Android. SPDX-License-Identifier: Apache-2.0
option(LATKEM_BUILD_JNI "Build the JNI library of bindings/java" OFF)
if(LATKEM_BUILD_JNI)
  add_subdirectory(bindings/java)
endif()
