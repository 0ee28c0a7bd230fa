// The library's internal contracts for C++.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_KERNELS_INTERNALS_H
#define LATKEM_HARNESS_KERNELS_INTERNALS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern "C" {
#include "arch/backend.h"
#include "base/bytes.h"
#include "base/sink.h"
#include "base/workspace.h"
#include "ring/cyclic/kernels.h"
#include "ring/negacyclic/kernels.h"
#include "ring/q3329/kernels.h"
#include "ring/ternary/kernels.h"
#include "shared/ct.h"
#include "shared/wipe.h"
#include "symmetric/aes/kernels.h"
#include "symmetric/job.h"
#include "symmetric/keccak/kernels.h"
#include "symmetric/keccak/lanes.h"
#include "symmetric/run.h"
#include "symmetric/sha2/kernels.h"
}

#endif
