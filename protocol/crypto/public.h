/* The public part of an expanded key. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKP_PUBLIC_H
#define LKP_PUBLIC_H

#include "shared/ct.h"

/* lkp_declassify_dk declares ek || H(ek) public within ML-KEM's dk, s || ek || H(ek) || z (FIPS 203 algorithm 16): of a
 * dk that was made from a seed, and will be used. ek has half of what s, ek and its 32 last bytes take together. */
static inline void lkp_declassify_dk(const uint8_t *dk, size_t len)
{
    const size_t public_len = (len - 96) / 2 + 64;
    lk_declassify(dk + len - 32 - public_len, public_len);
}

#endif
