// Bytes of the operating system's random generator.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_CLI_RANDOM_H
#define LATKEM_CLI_RANDOM_H

#include "buffer.h"

// Throws Failure when the generator fails.
Buffer random_bytes(size_t size);

#endif
