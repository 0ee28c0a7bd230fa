# liblatkem-protocol: built where libcrypto is, or where it is asked for. SPDX-License-Identifier: Apache-2.0
set(LATKEM_BUILD_PROTOCOL AUTO CACHE STRING
    "Build liblatkem-protocol: ON, OFF, or AUTO, which is ON where it can be built")
set_property(CACHE LATKEM_BUILD_PROTOCOL PROPERTY STRINGS AUTO ON OFF)

# In a 32-bit build on a 64-bit machine, or for want of another, what is found may be another machine's.
function(latkem_protocol_links result)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES OpenSSL::Crypto)
  check_c_source_compiles("
      #include <openssl/evp.h>
      int main(void) { return EVP_MD_fetch(NULL, \"SHA256\", NULL) == NULL; }" LATKEM_LIBCRYPTO_LINKS)
  set(${result} ${LATKEM_LIBCRYPTO_LINKS} PARENT_SCOPE)
endfunction()

# From here on LATKEM_BUILD_PROTOCOL is ON or OFF. Other projects want the core alone.
if(LATKEM_BUILD_PROTOCOL STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
  set(LATKEM_BUILD_PROTOCOL OFF)
elseif(LATKEM_BUILD_PROTOCOL)
  set(obstacle)
  find_package(OpenSSL 3.0 QUIET COMPONENTS Crypto)
  get_property(some_sets GLOBAL PROPERTY LATKEM_SOME_SETS)
  if(NOT OpenSSL_FOUND)
    set(obstacle "OpenSSL 3.0 or newer is not found (Debian: libssl-dev)")
  elseif(some_sets)
    set(obstacle "it needs all parameter sets (LATKEM_SETS)")
  else()
    latkem_protocol_links(links)
    if(NOT links)
      set(obstacle "programs do not link with ${OPENSSL_CRYPTO_LIBRARY}; OPENSSL_ROOT_DIR is where another libcrypto is")
    endif()
  endif()
  if(NOT LATKEM_BUILD_PROTOCOL STREQUAL "AUTO")
    if(obstacle)
      message(FATAL_ERROR "liblatkem-protocol cannot be built: ${obstacle}. -DLATKEM_BUILD_PROTOCOL=OFF leaves it out.")
    endif()
  elseif(CMAKE_CROSSCOMPILING AND NOT obstacle AND NOT EXISTS "${OPENSSL_ROOT_DIR}")
    set(obstacle "it would be for another machine; -DOPENSSL_ROOT_DIR says where that machine's libcrypto is")
  endif()
  set(LATKEM_BUILD_PROTOCOL ON)
  if(obstacle)
    message(STATUS "latkem: liblatkem-protocol is not built: ${obstacle}")
    set(LATKEM_BUILD_PROTOCOL OFF)
  endif()
endif()

if(LATKEM_BUILD_PROTOCOL)
  add_subdirectory(protocol)
endif()
