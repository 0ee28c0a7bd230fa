/* The portable backend. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_PORTABLE_BACKEND_H
#define LK_ARCH_PORTABLE_BACKEND_H

#include "arch/backend.h"

extern const lk_backend lk_backend_portable;

#endif
