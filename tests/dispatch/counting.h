// A copy of a backend in which every kernel counts its calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_COUNTING_H
#define LATKEM_TESTS_COUNTING_H

#include <set>
#include <string>

#include "harness/kernels/internals.h"

using Names = std::set<std::string>; // "family.kernel"

// Returns the copy, which stays valid; there is only one, and counting begins anew.
const lk_backend *count_kernels(const lk_backend &original);

// The kernels called since counting began.
Names called_kernels();

// Begins anew with the same backend.
void forget_calls();

#endif
