/* The reduction; the proofs of ntt.c take its bound as given. SPDX-License-Identifier: Apache-2.0 */
#include "prove.h"
#include "ring/q3329/montgomery.h"

void prove_barrett(void)
{
    const int16_t a = nondet_i16(), r = lk_barrett(a);
    CLAIM(r >= 0 && r <= LK_Q3329, "the result is in [0, q]");
    CLAIM((a - r) % LK_Q3329 == 0, "and congruent to what was reduced");
}
