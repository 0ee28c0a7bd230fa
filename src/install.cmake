# The files that `cmake --install` writes beside the libraries. SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)

install(TARGETS latkem EXPORT latkem-targets)
set(not_the_core)
foreach(header IN LISTS LATKEM_PROTOCOL_HEADERS)
  list(APPEND not_the_core PATTERN ${header} EXCLUDE)
endforeach()
install(DIRECTORY ${LATKEM_PUBLIC_HEADERS}/latkem DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${not_the_core})
install(EXPORT latkem-targets NAMESPACE latkem:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/latkem)
configure_file(latkem-config.cmake.in ${PROJECT_BINARY_DIR}/latkem-config.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/latkem-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/latkem-config.cmake ${PROJECT_BINARY_DIR}/latkem-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/latkem)

# latkem_install_pc(TEMPLATE): a .pc file with the folders of this installation. They are relative to the file, so that an
# installation may be moved; a folder that CMake was given as an absolute path stays where it is.
function(latkem_install_pc template)
  set(LATKEM_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" LATKEM_PC_PREFIX "\${pcfiledir}/${up}")
  endif()
  foreach(kind LIBDIR INCLUDEDIR)
    set(LATKEM_PC_${kind} ${CMAKE_INSTALL_${kind}})
    if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
      set(LATKEM_PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
    endif()
  endforeach()
  get_filename_component(name ${template} NAME_WLE)
  configure_file(${template} ${PROJECT_BINARY_DIR}/${name} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(LATKEM_PC_LIBS_PRIVATE)
if(WIN32 AND LATKEM_OS_RANDOM)
  set(LATKEM_PC_LIBS_PRIVATE -lbcrypt)
endif()
latkem_install_pc(latkem.pc.in)
