# Included by the areas that have the Saber study: also by those without C++. SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
add_subdirectory(${PROJECT_SOURCE_DIR}/harness/study ${PROJECT_BINARY_DIR}/harness/study)
