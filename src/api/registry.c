/* The parameter sets, their names and sizes-> SPDX-License-Identifier: Apache-2.0 */
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/latkem.h>

#include "api/kem.h"
#include "scheme/mlkem/params.h"
#include "scheme/ntru/params.h"
#include "scheme/saber/params.h"

/* Each row's parameters are in the params.c of its scheme. */
#define LK_MLKEM_PARAMS lk_mlkem_params
#define LK_SABER_PARAMS lk_saber_params
#define LK_NTRU_PARAMS lk_ntru_params
#define SET(name, family, level, standard, scheme, params, stack_kib, batch_stack_kib, small_stack_kib)                \
    extern const scheme##_PARAMS params;
#include "api/sets.inc"
#undef SET

/* In the small build the second figure is for exchanges, which are two operations after each other and a hash. 64-bit machines
 * wipe more below an operation, and pointers are longer. */
#define STACK(kib, small_kib) (LK_IS_SMALL ? (small_kib) + (sizeof(void *) > 4 ? 5 : 0) : (kib))
#define SET(name, family, level, standard, scheme, params, stack_kib, batch_stack_kib, small_stack_kib)                \
    {name,                                                                                                             \
     family,                                                                                                           \
     &(params).row,                                                                                                    \
     level,                                                                                                            \
     standard,                                                                                                         \
     scheme,                                                                                                           \
     STACK(stack_kib, small_stack_kib),                                                                                \
     STACK(batch_stack_kib, (small_stack_kib) + 2),                                                                    \
     NULL},
static const latkem_kem kems[] = {
#include "api/sets.inc"
};
#undef SET

const latkem_kem *latkem_kem_at(size_t index)
{
    return index < sizeof kems / sizeof kems[0] ? &kems[index] : NULL;
}

/* In place of strcmp, which is larger than all else here in some C libraries for microcontrollers. */
static int is_same(const char *a, const char *b)
{
    for (; *a == *b; a++, b++)
        if (!*a) return 1;
    return 0;
}

const latkem_kem *latkem_kem_find(const char *name)
{
    const latkem_kem *kem = NULL;
    if (!name) return NULL;
    for (size_t i = 0; (kem = latkem_kem_at(i)); i++)
        if (is_same(kem->name, name)) break;
    return kem;
}

const char *latkem_kem_name(const latkem_kem *kem)
{
    return kem ? kem->name : NULL;
}

const char *latkem_kem_family(const latkem_kem *kem)
{
    return kem ? kem->family : NULL;
}

int latkem_kem_level(const latkem_kem *kem)
{
    return kem ? kem->level : 0;
}

int latkem_kem_is_standard(const latkem_kem *kem)
{
    return kem ? kem->standard : 0;
}

size_t latkem_ek_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->ek;
}

size_t latkem_dk_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->dk;
}

size_t latkem_ct_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->ct;
}

size_t latkem_ss_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->ss;
}

size_t latkem_stack_bytes(const latkem_kem *kem)
{
    return kem ? 1024 * (size_t)kem->stack_kib : 0;
}

size_t latkem_stack_bytes_batch(const latkem_kem *kem)
{
    return kem ? 1024 * (size_t)kem->batch_stack_kib : 0;
}

size_t latkem_seed_bytes(const latkem_kem *kem)
{
    return lk_total(lk_sizes_of(kem)->seed);
}

size_t latkem_coins_bytes(const latkem_kem *kem)
{
    return lk_total(lk_sizes_of(kem)->coins);
}
