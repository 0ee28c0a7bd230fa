/* The NTT, its inverse and the cache of base multiplication in portable C (FIPS 203 section 4.3). Bounds are in
 * kernels.h; those between layers are stated where they are used. SPDX-License-Identifier: Apache-2.0 */
#include "ring/q3329/montgomery.h"

enum { N = LK_Q3329_N, R2_OVER_128_MOD_Q = 1441 /* R^2 / 128 mod q: scales by 1/128 and by R */ };

const int16_t lk_q3329_zetas[128] = {
    -1044, -758,  -359,  -1517, 1493,  1422,  287,   202,   -171,  622,  1577,  182,   962,   -1202, -1474, 1468,
    573,   -1325, 264,   383,   -829,  1458,  -1602, -130,  -681,  1017, 732,   608,   -1542, 411,   -205,  -1571,
    1223,  652,   -552,  1015,  -1293, 1491,  -282,  -1544, 516,   -8,   -320,  -666,  -1618, -1162, 126,   1469,
    -853,  -90,   -271,  830,   107,   -1421, -247,  -951,  -398,  961,  -1508, -725,  448,   -1065, 677,   -1275,
    -1103, 430,   555,   843,   -1251, 871,   1550,  105,   422,   587,  177,   -235,  -291,  -460,  1574,  1653,
    -246,  778,   1159,  -147,  -777,  1483,  -602,  1119,  -1590, 644,  -872,  349,   418,   329,   -156,  -75,
    817,   1097,  603,   610,   1322,  -1285, -1465, 384,   -1215, -136, 1218,  -1335, -874,  220,   -1187, -1659,
    -1185, -1530, -1278, 794,   -1510, -854,  -870,  478,   -108,  -308, 996,   991,   958,   -1460, 1522,  1628,
};

/* zetas_qinv[i] = lk_q3329_zetas[i] q^-1 mod R. */
static const int16_t zetas_qinv[128] = {
    -20,    31498,  14745,  787,    13525,  -12402, 28191,  -16694, -20907, 27758,  -3799,  -15690, 10690,
    1358,   -11202, 31164,  -5827,  17363,  -26360, -29057, 5571,   -1102,  21438,  -26242, -28073, 24313,
    -10532, 8800,   18426,  8859,   26675,  -16163, -5689,  -6516,  1496,   30967,  -23565, 20179,  20710,
    25080,  -12796, 26616,  16064,  -12442, 9134,   -650,   -25986, 27837,  19883,  -28250, -15887, -8898,
    -28309, 9075,   -30199, 18249,  13426,  14017,  -29156, -12757, 16832,  4311,   -24155, -17915, -335,
    11182,  -11477, 13387,  -32227, -14233, 20494,  -21655, -27738, 13131,  945,    -4587,  -14883, 23092,
    6182,   5493,   32010,  -32502, 10631,  30317,  29175,  -18741, -28762, 12639,  -18486, 20100,  17560,
    18525,  -14430, 19529,  -5276,  -12619, -31183, 20297,  25435,  2146,   -7382,  15355,  24391,  -32384,
    -20927, -6280,  10946,  -14903, 24214,  -11044, 16989,  14469,  10335,  -21498, -7934,  -20198, -22502,
    23210,  10906,  -17442, 31636,  -23860, 28644,  -20257, 23998,  7756,   -17422, 23132,
};

static inline lk_twiddle zeta(size_t i)
{
    const lk_twiddle t = {lk_q3329_zetas[i], zetas_qinv[i]};
    return t;
}

/* One layer of algorithm 9 with pairs at distance len = 2^log_len; bounds grow by q. */
static inline void ntt_layer(int16_t *c, unsigned log_len)
{
    const size_t len = (size_t)1 << log_len;
    size_t m = N / 2 >> log_len;
    for (size_t start = 0; start < N; start += 2 * len) {
        const lk_twiddle w = zeta(m++);
        for (size_t j = start; j < start + len; j++) {
            const int16_t t = lk_montgomery(c[j + len], w);
            c[j + len] = (int16_t)(c[j] - t);
            c[j] = (int16_t)(c[j] + t);
        }
    }
}

void lk_q3329_ntt_c(lk_poly *f)
{
    ntt_layer(f->c, 7);
    ntt_layer(f->c, 6);
    ntt_layer(f->c, 5);
    ntt_layer(f->c, 4);
    ntt_layer(f->c, 3);
    ntt_layer(f->c, 2);
    ntt_layer(f->c, 1);
}

/* One layer of algorithm 10. Differences are products again, below q; sums double, and are brought back to [0, q] where
 * reduce is set. In: |c| <= 4q. */
static inline void invntt_layer(int16_t *c, unsigned log_len, int reduce)
{
    const size_t len = (size_t)1 << log_len;
    size_t m = (N >> log_len) - 1;
    for (size_t start = 0; start < N; start += 2 * len) {
        const lk_twiddle w = zeta(m--);
        for (size_t j = start; j < start + len; j++) {
            const int16_t t = c[j], sum = (int16_t)(t + c[j + len]);
            c[j + len] = lk_montgomery((int16_t)(c[j + len] - t), w);
            c[j] = reduce ? lk_barrett(sum) : sum;
        }
    }
}

/* The scaling comes first and makes any input fit; after it |f| < q, after layers 2 and 4 |f| < 4q, in the third sums
 * are reduced, and so again: at the end |f| <= 2q. */
void lk_q3329_invntt_tomont_c(lk_poly *f)
{
    const lk_twiddle scale = lk_twiddle_of(R2_OVER_128_MOD_Q);
    for (size_t i = 0; i < N; i++) f->c[i] = lk_montgomery(f->c[i], scale);
    invntt_layer(f->c, 1, 0);
    invntt_layer(f->c, 2, 0);
    invntt_layer(f->c, 3, 1);
    invntt_layer(f->c, 4, 0);
    invntt_layer(f->c, 5, 0);
    invntt_layer(f->c, 6, 1);
    invntt_layer(f->c, 7, 0);
}

/* gamma_i of algorithm 12 is zeta for even i and -zeta for odd i. */
void lk_q3329_mulcache_c(lk_mulcache *cache, const lk_poly *g)
{
    for (size_t i = 0; i < N / 4; i++) {
        const lk_twiddle gamma = zeta(64 + i);
        cache->c[2 * i] = lk_montgomery(g->c[4 * i + 1], gamma);
        cache->c[2 * i + 1] = (int16_t)-lk_montgomery(g->c[4 * i + 3], gamma);
    }
}
