/* Backends: one set of kernels each, "portable", "avx2", "avx512", "neon", "neon-sha3" or, where a core's share of
 * vector pipes with SHA-3 instructions is known, "neon-sha3-full", "neon-sha3-half" or "neon-sha3-quarter". The library
 * chooses the one that is fastest on the CPU, at the first use; tests and benchmarks may force one. Conventions as in
 * latkem.h.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_BACKEND_H
#define LATKEM_BACKEND_H

#include <latkem/latkem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* latkem_backend_name returns the name of the backend in force. */
LATKEM_API const char *latkem_backend_name(void);

/* latkem_backend_use puts a backend in force for the whole process, from the next call on; NULL restores the library's
 * own choice. Errors: LATKEM_ERR_BACKEND (unknown name or CPU without the features; the choice stays as it was). */
LATKEM_API int latkem_backend_use(const char *name);

/* latkem_backend_at returns the name of the backend at an index from 0, or NULL past the end. The list has those that
 * this library holds and this CPU can run, the library's own choice last. */
LATKEM_API const char *latkem_backend_at(size_t index);

/* latkem_kernel_at returns the name of the kernel at an index from 0, "FAMILY/KERNEL", or NULL past the end. Kernels are the
 * functions that backends differ in. Names and indices may change with every version. */
LATKEM_API const char *latkem_kernel_at(size_t index);

/* latkem_kernel_origin says what a backend, by its name, runs on this CPU for the kernel at an index. "native" is code
 * written for the machine, "recompiled" the portable C compiled for the backend's instructions. The others are
 * "portable", and "none" if the library does without the kernel. Returns NULL if there is no such kernel, or no such
 * backend on this machine. */
LATKEM_API const char *latkem_kernel_origin(size_t index, const char *backend);

#ifdef __cplusplus
}
#endif
#endif
