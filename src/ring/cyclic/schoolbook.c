/* Multiplication modulo X^n - 1 with little memory: a polynomial is its own evaluated form.
 * SPDX-License-Identifier: Apache-2.0 */
#include "ring/cyclic/schoolbook.h"

#include <string.h>

#include "ring/schoolbook.h"

void lk_cyclic_evaluate_plain(void *restrict e, const lk_cyclic_poly *restrict f, size_t n, void *restrict scratch)
{
    (void)scratch;
    memcpy(e, f->c, lk_cyclic_places(n) * sizeof *f->c);
}

/* Coefficients k to k + 3 of the product: h_(k+t) is the sum of f_(k+t-j) g_j, where f_(-i) = f_(n-i), and `turn` is f from
 * -4 to 3. All n are 4 i + 1: with j < k, j < k + 4 and the others there are whole fours, and one is left. Of the last
 * four coefficients only the first counts, and g is 0 behind its last. */
static inline void four(uint32_t sums[4], const uint16_t *f, const uint16_t turn[8], const uint16_t *g, size_t n,
                        size_t k)
{
    lk_schoolbook_words(sums, f + k, g, k);
    lk_schoolbook_words(sums, turn + 4, g + k, 4);
    if (k + 4 > n) return;
    lk_schoolbook_words(sums, f + n - 4, g + k + 4, n - k - 5);
    for (size_t t = 0; t < 4; t++) sums[t] += (uint32_t)f[k + 1 + t] * g[n - 1];
}

void lk_cyclic_product_plain(lk_cyclic_poly *restrict h, const void *restrict f, const void *restrict g, size_t n,
                             void *restrict scratch)
{
    const uint16_t *left = f, *right = g;
    uint16_t turn[8];
    (void)scratch;
    memcpy(turn, left + n - 4, 4 * sizeof *turn);
    memcpy(turn + 4, left, 4 * sizeof *turn);
    memset(h->c + n, 0, (lk_cyclic_places(n) - n) * sizeof *h->c);
    for (size_t k = 0; k < n; k += 4) {
        uint32_t sums[4] = {0};
        four(sums, left, turn, right, n, k);
        for (size_t t = 0; t < 4 && k + t < n; t++) h->c[k + t] = (uint16_t)sums[t];
    }
}
