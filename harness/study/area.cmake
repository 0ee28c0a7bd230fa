# Included by the areas that have the Saber study: also by those without C++. SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)
add_subdirectory(harness/study)
