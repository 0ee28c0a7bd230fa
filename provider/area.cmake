# The OpenSSL provider: built where it is asked for. SPDX-License-Identifier: Apache-2.0
option(LATKEM_BUILD_PROVIDER "Build latkemprovider.so, which gives OpenSSL 3 and 4 programs ML-KEM and hybrids" OFF)
if(LATKEM_BUILD_PROVIDER)
  if(NOT LATKEM_BUILD_PROTOCOL)
    message(FATAL_ERROR "The provider needs liblatkem-protocol (LATKEM_BUILD_PROTOCOL).")
  endif()
  add_subdirectory(provider)
endif()
