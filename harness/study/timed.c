/* Timers around kernels: see timed.h. A timer does the same for every kernel, so that what it costs can be taken off.
 * SPDX-License-Identifier: Apache-2.0 */
#include "timed.h"

#include "api/kem.h"
#include "harness/kernels/counter.h"
#if !defined(LK_COUNTER)
#include <time.h>
#endif

lk_study_call_log lk_study_log;

static const lk_negacyclic_kernels *negacyclic;
static const lk_keccak_kernels *keccak;

uint64_t lk_study_ticks(void)
{
#if defined(LK_COUNTER)
    return lk_counter();
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint32_t)time.tv_nsec;
#endif
}

uint32_t lk_study_span(uint64_t start)
{
    const uint64_t ticks = lk_study_ticks() - start;
    return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

static void note(uint32_t what, uint64_t start)
{
    const uint32_t ticks = lk_study_span(start);
    const size_t place = lk_study_log.count++;
    if (place < LK_STUDY_CALLS_MAX) lk_study_log.calls[place] = (lk_study_call){what, ticks};
}

#define TIMED(family, name, parameters, arguments)                                                                     \
    static void family##_##name parameters                                                                             \
    {                                                                                                                  \
        const uint64_t start = lk_study_ticks();                                                                       \
        family->name arguments;                                                                                        \
        note(LK_STUDY_##family##_##name, start);                                                                       \
    }

/* Of a kernel that returns a number. */
#define TIMED_NUMBER(family, name, parameters, arguments)                                                              \
    static size_t family##_##name parameters                                                                           \
    {                                                                                                                  \
        const uint64_t start = lk_study_ticks();                                                                       \
        const size_t number = family->name arguments;                                                                  \
        note(LK_STUDY_##family##_##name, start);                                                                       \
        return number;                                                                                                 \
    }

#define EVALUATES(name) TIMED(negacyclic, name, (void *e, const lk_negacyclic_poly *f, void *scratch), (e, f, scratch))
#define ENCODES(name) TIMED(negacyclic, name, (uint8_t * out, const lk_negacyclic_poly *f), (out, f))
#define DECODES(name) TIMED(negacyclic, name, (lk_negacyclic_poly * f, const uint8_t *in), (f, in))
#define ENCRYPTS(name)                                                                                                 \
    TIMED(negacyclic, name, (uint8_t * out, const lk_negacyclic_poly *v, const uint8_t *m), (out, v, m))
#define DECRYPTS(name)                                                                                                 \
    TIMED(negacyclic, name, (uint8_t * m, const lk_negacyclic_poly *v, const uint8_t *in), (m, v, in))

EVALUATES(evaluate)
EVALUATES(evaluate_small)
TIMED(negacyclic, inner_product, (lk_negacyclic_poly * h, const void *f, const void *g, size_t l, void *scratch),
      (h, f, g, l, scratch))
TIMED(negacyclic, add_product, (lk_negacyclic_poly * h, const lk_negacyclic_poly *f, const void *g), (h, f, g))
ENCODES(pack_d13)
ENCODES(round_d10)
DECODES(unpack_d13)
DECODES(unpack_d10)
DECODES(cbd_mu6)
DECODES(cbd_mu8)
DECODES(cbd_mu10)
ENCRYPTS(encrypt_d3)
ENCRYPTS(encrypt_d4)
ENCRYPTS(encrypt_d6)
DECRYPTS(decrypt_d3)
DECRYPTS(decrypt_d4)
DECRYPTS(decrypt_d6)
TIMED_NUMBER(keccak, permute, (uint64_t * states, size_t used), (states, used))
TIMED(keccak, absorb_seed, (uint64_t * states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last),
      (states, in, seed, ends, last))
TIMED(keccak, absorb, (uint64_t * states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh),
      (states, blocks, words, fresh))
TIMED_NUMBER(keccak, squeeze, (uint8_t *const *blocks, const uint64_t *states, const uint8_t *words),
             (blocks, states, words))

/* A kernel of the lists without a wrapper above does not compile. A backend may be without a kernel. */
#define WRAP(family, name, group) copy->family.name = copy->family.name ? family##_##name : NULL

void lk_study_time(lk_study_timed *copy, const lk_backend *original)
{
    negacyclic = original->negacyclic;
    keccak = original->symmetric.keccak;
    copy->backend = *original;
    copy->negacyclic = *negacyclic;
    copy->keccak = *keccak;
    LK_NEGACYCLIC_LIST(WRAP);
    LK_KECCAK_LIST(WRAP);
    copy->backend.negacyclic = &copy->negacyclic;
    copy->backend.symmetric.keccak = &copy->keccak;
}

int lk_study_random(void *ctx, uint8_t *out, size_t len)
{
    const uint64_t start = lk_study_ticks();
    const int result = latkem_system_rng(ctx, out, len);
    note(LK_STUDY_random, start);
    return result;
}

void lk_study_nothing(void)
{
    __asm__ volatile("" ::: "memory");
}

static void (*const volatile nothing)(void) = lk_study_nothing;

void lk_study_timed_nothing(void)
{
    const uint64_t start = lk_study_ticks();
    nothing();
    note(LK_STUDY_nothing, start);
}
