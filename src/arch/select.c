/* Chooses the backend.
 *
 * The library's only mutable global state is the three words below: two pointers to constant tables, what a caller has
 * forced and what the CPU turned out to run best, and what the CPU has. tests/abi/objects.sh and the proofs allow these
 * three by name. Threads that look for them at once find the same and write the same, so that nothing needs to be
 * compared and exchanged, which small processors cannot.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/backend.h"
#include "arch/compilers.h"
#include "arch/cpu.h"
#include "arch/portable/backend.h"
#if defined(__aarch64__)
#include "arch/aarch64/tables.h"
#endif
#if defined(LATKEM_AVX2) || defined(LATKEM_AVX512)
#include "arch/x86_64/tables.h"
#endif

/* The fastest last, but for a CPU with the feature that a backend is made for: there it is the last. The variants of a
 * backend differ in the families with CPU features that are finer than the backend's; the last variant that the CPU can
 * run is used. */
static const struct {
    const lk_backend *variants;
    size_t count;
    uint32_t made_for;
} backends[] = {
    {&lk_backend_portable, 1, 0},
#if defined(LATKEM_AVX2)
    {lk_backend_avx2, LK_AVX2_VARIANTS, 0},
#endif
#if defined(LATKEM_AVX512)
    {lk_backend_avx512, LK_AVX512_VARIANTS, 0},
#endif
#if defined(LATKEM_NEON)
    {lk_backend_neon, LK_NEON_VARIANTS, 0},
#endif
#if defined(LATKEM_NEON_SHA3_QUARTER)
    {lk_backend_neon_sha3_quarter, LK_SHA3_VARIANTS_COUNT, LK_CPU_ARM_SHA3_QUARTER},
#endif
#if defined(LATKEM_NEON_SHA3_HALF)
    {lk_backend_neon_sha3_half, LK_SHA3_VARIANTS_COUNT, LK_CPU_ARM_SHA3_HALF},
#endif
#if defined(LATKEM_NEON_SHA3_FULL)
    {lk_backend_neon_sha3_full, LK_SHA3_VARIANTS_COUNT, LK_CPU_ARM_SHA3_FULL},
#endif
#if defined(LATKEM_NEON_SHA3)
    {lk_backend_neon_sha3, LK_SHA3_VARIANTS_COUNT, 0},
#endif
};

enum { BACKENDS = sizeof backends / sizeof backends[0] };

static ATOMIC(const lk_backend *) forced;
static ATOMIC(const lk_backend *) found;
static ATOMIC(uint32_t) kept; /* the features */

static const lk_backend *best_variant(const lk_backend *variants, size_t count, uint32_t features)
{
    while (count-- > 0)
        if ((variants[count].needs & ~features) == 0) return &variants[count];
    return NULL;
}

const lk_backend *lk_backend_list_for(uint32_t features, size_t index)
{
    for (size_t turn = 0; turn < 2 * (size_t)BACKENDS; turn++) {
        const size_t i = turn % BACKENDS;
        const int last = (backends[i].made_for & features) != 0;
        const lk_backend *backend = best_variant(backends[i].variants, backends[i].count, features);
        if (last == (turn >= BACKENDS) && backend && index-- == 0) return backend;
    }
    return NULL;
}

/* The features. The CPU is asked once, because that takes longer than some operations. A build that has the portable
 * backend alone does not ask. */
static uint32_t features_once(void)
{
    const uint32_t asked = UINT32_C(1) << 31;
    uint32_t features = kept;
    if (BACKENDS == 1) return 0;
    if (!features) kept = features = lk_cpu_features() | asked;
    return features;
}

const lk_backend *lk_backend_list(size_t index)
{
    return lk_backend_list_for(features_once(), index);
}

static const lk_backend *fastest(void)
{
    const lk_backend *best = NULL, *next;
    for (size_t i = 0; (next = lk_backend_list(i)); i++) best = next;
    return best;
}

const lk_backend *lk_backend_current(void)
{
    const lk_backend *chosen = forced;
    if (!chosen) chosen = found;
    if (!chosen) found = chosen = fastest();
    return chosen;
}

void lk_backend_force(const lk_backend *backend)
{
    forced = backend;
    if (!backend) found = NULL;
}

int lk_backend_known(const lk_backend *backend)
{
    if (backend == lk_backend_current()) return 1;
    for (size_t i = 0; i < BACKENDS; i++)
        for (size_t j = 0; j < backends[i].count; j++)
            if (backend == &backends[i].variants[j]) return (backend->needs & ~features_once()) == 0;
    return 0;
}
