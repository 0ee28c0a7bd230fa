# What `cmake --install` writes beside the libraries. SPDX-License-Identifier: Apache-2.0
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

# The prefix in latkem.pc is relative to the file, so that an installation may be moved.
file(RELATIVE_PATH LATKEM_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" LATKEM_PC_PREFIX "${LATKEM_PC_PREFIX}")
set(LATKEM_PC_LIBS_PRIVATE)
if(WIN32 AND LATKEM_OS_RANDOM)
  set(LATKEM_PC_LIBS_PRIVATE -lbcrypt)
endif()
configure_file(latkem.pc.in ${PROJECT_BINARY_DIR}/latkem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/latkem.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
