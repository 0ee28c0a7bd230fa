# Builds liblatkem_study in each tree in which the jar of latkem was built, and puts it among the classes.
# cmake -D... -P study.cmake; Maven calls it. BUILD: the trees. CLASSES: where to write to.
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22)

file(GLOB trees ${BUILD}/*/CMakeCache.txt)
if(NOT trees)
  message(FATAL_ERROR "build the module latkem first: mvn -pl session-key -am package")
endif()
foreach(cache IN LISTS trees)
  get_filename_component(tree ${cache} DIRECTORY)
  get_filename_component(system ${tree} NAME)
  message(STATUS "latkem: the study's library for ${system}")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${tree} --target latkem_study --parallel --config Release
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${output}")
  endif()
  file(GLOB library ${tree}/bindings/java/session-key/*latkem_study.*)
  file(COPY ${library} DESTINATION ${CLASSES}/org/latkem/study/native/${system})
endforeach()
