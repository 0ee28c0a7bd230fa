/* A backend: one table of kernels per family. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_ARCH_BACKEND_H
#define LK_ARCH_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "ring/cyclic/kernels.h"
#include "ring/negacyclic/kernels.h"
#include "ring/q3329/kernels.h"
#include "ring/ternary/kernels.h"
#include "symmetric/kernels.h"

typedef struct lk_backend {
    const char *name;
    uint32_t needs; /* features that the CPU must have (cpu.h) */
    lk_symmetric symmetric;
    const lk_q3329_kernels *q3329;
    const lk_negacyclic_kernels *negacyclic;
    const lk_cyclic_kernels *cyclic;
    const lk_ternary_kernels *ternary;
} lk_backend;

/* lk_backend_current returns the backend in force. An operation asks once and passes it down. Safe from any thread; the
 * first call chooses. */
const lk_backend *lk_backend_current(void);

/* lk_backend_force puts a backend in force, also one that is not in the library's list: tests and the kernel profiler
 * interpose on tables this way. NULL restores the library's own choice. */
void lk_backend_force(const lk_backend *backend);

/* lk_backend_list returns the index-th backend of the library that this CPU can run, its own choice last, NULL past the
 * end. */
const lk_backend *lk_backend_list(size_t index);

/* lk_backend_list_for returns the same for a CPU with the given features (cpu.h). */
const lk_backend *lk_backend_list_for(uint32_t features, size_t index);

/* lk_backend_known returns 1 for the tables of the library, variants of a backend among them, that this CPU can run,
 * and for the backend in force; else 0. It compares addresses and follows no pointer. */
int lk_backend_known(const lk_backend *backend);

#endif
