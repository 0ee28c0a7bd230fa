/* Multiplication modulo X^256 + 1 with little memory. A left-hand factor is the polynomial itself, a right-hand one its
 * coefficients in bytes. SPDX-License-Identifier: Apache-2.0 */
#include "ring/negacyclic/schoolbook.h"

#include <string.h>

#include "ring/schoolbook.h"

enum { N = LK_NEGACYCLIC_N };

void lk_negacyclic_evaluate_plain(void *restrict e, const lk_negacyclic_poly *restrict f, void *restrict scratch)
{
    (void)scratch;
    memcpy(e, f->c, sizeof f->c);
}

/* The low eight bits of a small residue are its value. */
void lk_negacyclic_evaluate_small_plain(void *restrict e, const lk_negacyclic_poly *restrict f, void *restrict scratch)
{
    uint8_t *low = e;
    (void)scratch;
    for (size_t i = 0; i < N; i++) low[i] = (uint8_t)f->c[i];
}

/* Coefficients k to k + 3 of the product: h_(k+t) is the sum of f_(k+t-j) g_j, where f_(-i) = -f_(N-i). All with j from
 * k + 4 on have that sign, none with j < k; and `turn` is f from -4 to 3. */
static inline void add_four(uint16_t *h, const uint16_t *f, const uint16_t turn[8], const int8_t *g, size_t k)
{
    uint32_t sums[4] = {0};
    lk_schoolbook_bytes(sums, f + N - 4, g + k + 4, N - 4 - k);
    for (size_t t = 0; t < 4; t++) sums[t] = 0 - sums[t];
    lk_schoolbook_bytes(sums, turn + 4, g + k, 4);
    lk_schoolbook_bytes(sums, f + k, g, k);
    for (size_t t = 0; t < 4; t++) h[k + t] = (uint16_t)(h[k + t] + sums[t]);
}

void lk_negacyclic_add_product(lk_negacyclic_poly *restrict h, const lk_negacyclic_poly *restrict f,
                               const void *restrict g)
{
    uint16_t turn[8];
    for (size_t i = 0; i < 4; i++) {
        turn[i] = (uint16_t)(0u - f->c[N - 4 + i]);
        turn[4 + i] = f->c[i];
    }
    for (size_t k = 0; k < N; k += 4) add_four(h->c, f->c, turn, g, k);
}

void lk_negacyclic_inner_product_plain(lk_negacyclic_poly *restrict h, const void *restrict f, const void *restrict g,
                                       size_t l, void *restrict scratch)
{
    const lk_negacyclic_poly *left = f;
    const int8_t *right = g;
    (void)scratch;
    memset(h->c, 0, sizeof h->c);
    for (size_t i = 0; i < l; i++) lk_negacyclic_add_product(h, &left[i], right + N * i);
}
