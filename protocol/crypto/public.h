/* The one way to declare public what was computed from secrets. Each use says why. It does nothing but tell the check of
 * secret-independence (tests/protocol/ct). SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_PUBLIC_H
#define LKP_PUBLIC_H

#include <stddef.h>
#include <stdint.h>

#if defined(LATKEM_CT_CHECK)
#include <valgrind/memcheck.h>
#endif

static inline void lkp_declassify(const void *p, size_t len)
{
#if defined(LATKEM_CT_CHECK)
    VALGRIND_MAKE_MEM_DEFINED(p, len);
#else
    (void)p;
    (void)len;
#endif
}

/* lkp_declassify_dk declares ek || H(ek) public within ML-KEM's dk, s || ek || H(ek) || z (FIPS 203 algorithm 16): of a dk
 * that was made from a seed, and which is to be used. ek has half of what s, ek and its 32 last bytes take together. */
static inline void lkp_declassify_dk(const uint8_t *dk, size_t len)
{
    const size_t public_len = (len - 96) / 2 + 64;
    lkp_declassify(dk + len - 32 - public_len, public_len);
}

#endif
