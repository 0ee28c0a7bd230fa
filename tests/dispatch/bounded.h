// A copy of a backend in which every kernel's bounds are checked.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_BOUNDED_H
#define LATKEM_TESTS_BOUNDED_H

#include <set>
#include <string>

#include "harness/kernels/internals.h"

// Returns the copy, which stays valid; there is only one, and checking begins anew.
const lk_backend *check_bounds(const lk_backend &original);

// "FAMILY/KERNEL takes" and "FAMILY/KERNEL gives" for what was beyond its bound.
std::set<std::string> broken_bounds();

// The number of kernels that have bounds and were called.
size_t kernels_checked();

#endif
