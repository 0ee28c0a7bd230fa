# CMake's facts about WASI: programs, static libraries and nothing to load at run time.
# SPDX-License-Identifier: Apache-2.0
set(WASI 1)
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS FALSE)
