/* The portable kernels modulo 3329 that add up lazily, for Eva: the bounds are those of kernels.h. The fractions of an
 * integer are what intervals do not see, so the bound of lk_barrett is taken as given (barrett.c proves it).
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

/*@ assigns \result \from a;
    ensures 0 <= \result <= 3329; */
static inline int16_t lk_barrett(int16_t a);

#include "__fc_builtin.h"
#include "ring/q3329/portable.c"
#define N N_again /* both files have one */
#include "ring/q3329/portable_ntt.c"

enum { RANK = LK_Q3329_RANK_MAX };

static lk_poly f[RANK], g[RANK], h;
static lk_mulcache cache[RANK];

static void fill(lk_poly *p, int low, int high)
{
    for (unsigned i = 0; i < LK_Q3329_N; i++) p->c[i] = (int16_t)Frama_C_interval(low, high);
}

static void claim_within(const lk_poly *p, int low, int high)
{
    for (unsigned i = 0; i < LK_Q3329_N; i++) {
        //@ assert low <= p->c[i] <= high;
    }
}

void prove_ntt(void)
{
    fill(&h, -LK_Q3329_NTT_IN, LK_Q3329_NTT_IN);
    lk_q3329_ntt_c(&h);
    claim_within(&h, -LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT);
}

void prove_invntt(void)
{
    fill(&h, INT16_MIN, INT16_MAX);
    lk_q3329_invntt_tomont_c(&h);
    claim_within(&h, -LK_Q3329_INVNTT_OUT, LK_Q3329_INVNTT_OUT);
}

void prove_product(void)
{
    for (unsigned j = 0; j < RANK; j++) {
        fill(&f[j], 0, LK_Q3329_DECODED_MAX);
        fill(&g[j], -LK_Q3329_NTT_OUT, LK_Q3329_NTT_OUT);
        lk_q3329_mulcache_c(&cache[j], &g[j]);
    }
    inner_product(&h, f, g, cache, (size_t)Frama_C_interval(1, RANK));
    claim_within(&h, -LK_Q3329_PRODUCT_OUT, LK_Q3329_PRODUCT_OUT);
}

void prove_tomont(void)
{
    fill(&h, INT16_MIN, INT16_MAX);
    tomont(&h);
    claim_within(&h, -LK_Q3329_TOMONT_OUT, LK_Q3329_TOMONT_OUT);
}
