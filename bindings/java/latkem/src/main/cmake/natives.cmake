# Builds the native libraries of the jar, for this machine and for others with a compiler here, puts them among the
# classes, and writes the class that knows their digests. cmake -D... -P natives.cmake; Maven calls it.
# SOURCE: latkem. BUILD: folder to build in. CLASSES, GENERATED: where to write to. JDK: where jni.h is.
# NATIVES: which; empty: all that can be built. SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)

cmake_host_system_information(RESULT os QUERY OS_NAME)
cmake_host_system_information(RESULT machine QUERY OS_PLATFORM)
string(TOLOWER "${os}" os)
string(REGEX REPLACE "^(amd64|AMD64)$" "x86_64" machine "${machine}")
string(REGEX REPLACE "^arm64$" "aarch64" machine "${machine}")
set(host ${os}-${machine})

# The compiler of another system, or nothing.
function(find_cross_compiler system result)
  set(compiler)
  if(system STREQUAL "linux-aarch64")
    find_program(AARCH64_GCC NAMES aarch64-linux-gnu-gcc aarch64-linux-gnu-gcc-14 aarch64-linux-gnu-gcc-13 aarch64-linux-gnu-gcc-12)
    set(compiler ${AARCH64_GCC})
  endif()
  set(${result} ${compiler} PARENT_SCOPE)
endfunction()

# The options needed beside those for this machine, in OPTIONS; FALSE if the system cannot be built for here.
function(options_for system result)
  if(system STREQUAL host)
    set(${result} -DLATKEM_CROSS=OFF PARENT_SCOPE)
    return()
  endif()
  find_cross_compiler(${system} compiler)
  if(NOT compiler)
    set(${result} FALSE PARENT_SCOPE)
    return()
  endif()
  string(REGEX REPLACE ".*-" "" processor ${system})
  set(${result} -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=${processor} -DCMAKE_C_COMPILER=${compiler} PARENT_SCOPE)
endfunction()

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}:\n${output}")
  endif()
endfunction()

# CMake forgets all other options if it gets another compiler than last time: such a tree is made anew.
function(forget_other_compiler tree options)
  if("${options}" MATCHES "CMAKE_C_COMPILER=([^;]+)" AND EXISTS ${tree}/CMakeCache.txt)
    file(STRINGS ${tree}/CMakeCache.txt same REGEX "^CMAKE_C_COMPILER:[A-Z]+=${CMAKE_MATCH_1}$")
    if(NOT same)
      file(REMOVE_RECURSE ${tree})
    endif()
  endif()
endfunction()

function(build system options)
  message(STATUS "latkem: the native library for ${system}")
  find_program(NINJA ninja)
  set(generator)
  if(NINJA)
    set(generator -G Ninja)
  endif()
  forget_other_compiler(${BUILD}/${system} "${options}")
  run(${CMAKE_COMMAND} ${generator} -S ${SOURCE} -B ${BUILD}/${system} -DCMAKE_BUILD_TYPE=Release -DLATKEM_BUILD_JNI=ON
      -DLATKEM_BUILD_PROTOCOL=OFF -DBUILD_TESTING=OFF -DBUILD_SHARED_LIBS=OFF -DJAVA_HOME=${JDK} ${options})
  run(${CMAKE_COMMAND} --build ${BUILD}/${system} --target latkem_jni --parallel --config Release)
endfunction()

set(wanted ${NATIVES})
if(NOT wanted)
  set(wanted ${host} linux-aarch64)
  list(REMOVE_DUPLICATES wanted)
endif()
set(rows)
foreach(system IN LISTS wanted)
  options_for(${system} options)
  if(NOT options AND NATIVES)
    message(FATAL_ERROR "no compiler for ${system} is found")
  elseif(NOT options)
    message(STATUS "latkem: no compiler for ${system} is found: the jar goes without (Debian: gcc-aarch64-linux-gnu)")
    continue()
  endif()
  build(${system} "${options}")
  file(GLOB library ${BUILD}/${system}/bindings/java/latkem/*latkem_jni.*)
  file(COPY ${library} DESTINATION ${CLASSES}/org/latkem/native/${system})
  file(SHA256 ${library} digest)
  string(APPEND rows "        SHA_256.put(\"${system}\", \"${digest}\");\n")
endforeach()

file(CONFIGURE OUTPUT ${GENERATED}/org/latkem/NativeDigests.java @ONLY CONTENT
"/* The digests of the native libraries in the jar, written when they were built. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.util.HashMap;
import java.util.Map;

final class NativeDigests {
    static final Map<String, String> SHA_256 = new HashMap<>();

    static {
@rows@    }

    private NativeDigests() {}
}
")
