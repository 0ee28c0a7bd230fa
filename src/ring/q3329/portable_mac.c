/* The kernels of the small build, which has no memory for A, for decoded vectors or for noise: each value is multiplied or
 * added as it comes (FIPS 203 algorithms 6 to 8 and 11). SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "ring/q3329/montgomery.h"

enum { Q = LK_Q3329, N = LK_Q3329_N, WAITING = 16 /* the place of a value that waits for its pair */ };

/* Adds R^-1 (f0 + f1 X) times pair i of g modulo X^2 - gamma (algorithm 12); gamma is zeta for even i and -zeta for odd i. */
static void add_product(lk_poly *h, const lk_poly *g, size_t i, int32_t f0, int32_t f1)
{
    const int32_t g0 = g->c[2 * i], g1 = g->c[2 * i + 1], zeta = lk_q3329_zetas[64 + i / 2];
    const int32_t f1_gamma = lk_montgomery_reduce(f1 * (i % 2 ? -zeta : zeta));
    h->c[2 * i] = (int16_t)(h->c[2 * i] + lk_montgomery_reduce(f0 * g0 + f1_gamma * g1));
    h->c[2 * i + 1] = (int16_t)(h->c[2 * i + 1] + lk_montgomery_reduce(f0 * g1 + f1 * g0));
}

uint32_t lk_q3329_decode_d12_mac_c(lk_poly *h, const uint8_t in[384], const lk_poly *g)
{
    uint32_t above = 0;
    for (size_t i = 0; i < N / 2; i++, in += 3) {
        const unsigned x = in[0] | (in[1] & 15u) << 8, y = in[1] >> 4 | (unsigned)in[2] << 4;
        above |= (Q - 1 - x) | (Q - 1 - y);
        add_product(h, g, i, (int32_t)x, (int32_t)y);
    }
    return above >> 31;
}

size_t lk_q3329_rej_uniform_mac_vartime_c(lk_poly *h, const lk_poly *g, size_t have, const uint8_t *in, size_t len)
{
    size_t count = have & (((size_t)1 << WAITING) - 1), first = have >> WAITING;
    for (const uint8_t *end = in + len; in < end && count < N; in += 3) {
        unsigned d = in[0] | (in[1] & 15u) << 8;
        for (unsigned next = in[1] >> 4 | (unsigned)in[2] << 4, i = 0; i < 2 && count < N; i++, d = next) {
            if (d >= Q) continue;
            if (count % 2) add_product(h, g, count / 2, (int32_t)first, (int32_t)d);
            first = d;
            count++;
        }
    }
    return count % 2 ? count | first << WAITING : count;
}

/* Bits are added in pairs within the word; then each nibble holds the two sums of one coefficient. */
void lk_q3329_cbd_eta2_add_c(lk_poly *h, const uint8_t in[128])
{
    for (size_t i = 0; i < N; i += 8) {
        const uint32_t bits = lk_load32_le(in + i / 2), sums = (bits & 0x55555555) + (bits >> 1 & 0x55555555);
        for (size_t j = 0; j < 8; j++)
            h->c[i + j] = (int16_t)(h->c[i + j] + (int32_t)(sums >> (4 * j) & 3) - (int32_t)(sums >> (4 * j + 2) & 3));
    }
}
