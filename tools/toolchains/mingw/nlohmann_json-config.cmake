# nlohmann-json for a foreign C library. It is headers alone, but they lie among those of this machine's C library, which
# must not be found. SPDX-License-Identifier: Apache-2.0
set(nlohmann_json_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${nlohmann_json_headers})
file(CREATE_LINK /usr/include/nlohmann ${nlohmann_json_headers}/nlohmann SYMBOLIC)
if(NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${nlohmann_json_headers})
endif()
