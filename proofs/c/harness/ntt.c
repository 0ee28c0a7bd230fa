/* The portable NTT modulo 3329 and what goes with it, for Eva: bounds of kernels.h, from which these are taken.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/*@ assigns \result \from a;
    ensures 0 <= \result <= 3329; */
static inline int16_t lk_barrett(int16_t a);

#include "__fc_builtin.h"
#include "ring/q3329/portable_ntt.c"

enum { ANY_MAX = 32767 };

static lk_poly f;

static void fill(int low, int high)
{
    for (unsigned i = 0; i < LK_Q3329_N; i++) f.c[i] = (int16_t)Frama_C_interval(low, high);
}

/*@ requires 0 <= high;
    ensures \true; */
static void claim_within(const int16_t *c, unsigned n, int high)
{
    for (unsigned i = 0; i < n; i++) {
        //@ assert within: -high <= c[i] <= high;
    }
}

void prove_ntt(void)
{
    fill(-LK_Q3329_NTT_IN, LK_Q3329_NTT_IN);
    lk_q3329_ntt_c(&f);
    claim_within(f.c, LK_Q3329_N, LK_Q3329_NTT_OUT);
}

void prove_invntt(void)
{
    fill(-ANY_MAX - 1, ANY_MAX);
    lk_q3329_invntt_tomont_c(&f);
    claim_within(f.c, LK_Q3329_N, LK_Q3329_INVNTT_OUT);
}
