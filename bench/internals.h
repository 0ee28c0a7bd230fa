// The library's internal contracts for C++ programs that link the static library.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_BENCH_INTERNALS_H
#define LATKEM_BENCH_INTERNALS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern "C" {
#include "arch/backend.h"
#include "base/workspace.h"
}

#endif
