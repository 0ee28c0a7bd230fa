/* The portable kernels of Z_3329[X]/(X^256 + 1) (FIPS 203 sections 4.2 and 4.3); NTT-domain order is the standard's.
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "base/families.h"
#include "ring/q3329/montgomery.h"
#include "shared/ct.h"

enum { Q = LK_Q3329, N = LK_Q3329_N, R2_MOD_Q = 1353 /* R^2 mod q */ };

/* ---- Base multiplication and reductions ---- */

/* Sums are at most 4 (4095 (8q - 1) + 4095 q) < 2^31 / 4 and so |h| < 2q + q / 2. */
static inline void sum_of_products(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    for (size_t i = 0; i < N / 2; i++) {
        int32_t even = 0, odd = 0;
        for (size_t j = 0; j < k; j++) {
            const int16_t f0 = f[j].c[2 * i], f1 = f[j].c[2 * i + 1];
            const int16_t g0 = g[j].c[2 * i], g1 = g[j].c[2 * i + 1];
            even += f0 * g0 + f1 * cache[j].c[i];
            odd += f0 * g1 + f1 * g0;
        }
        h->c[2 * i] = lk_montgomery_reduce(even);
        h->c[2 * i + 1] = lk_montgomery_reduce(odd);
    }
}

/* The rank is a constant in each call, which lets the compiler unroll the sum. */
static void inner_product(lk_poly *h, const lk_poly *f, const lk_poly *g, const lk_mulcache *cache, size_t k)
{
    switch (k) {
    case 2: sum_of_products(h, f, g, cache, 2); break;
    case 3: sum_of_products(h, f, g, cache, 3); break;
    case 4: sum_of_products(h, f, g, cache, 4); break;
    default: sum_of_products(h, f, g, cache, k); break;
    }
}

static void tomont(lk_poly *f)
{
    const lk_twiddle scale = lk_twiddle_of(R2_MOD_Q);
    for (size_t i = 0; i < N; i++) f->c[i] = lk_montgomery(f->c[i], scale);
}

static void add(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < N; i++) f->c[i] = (int16_t)(f->c[i] + g->c[i]);
}

static void sub_from(lk_poly *f, const lk_poly *g)
{
    for (size_t i = 0; i < N; i++) f->c[i] = (int16_t)(g->c[i] - f->c[i]);
}

static void reduce(lk_poly *f)
{
    for (size_t i = 0; i < N; i++) {
        const int16_t r = (int16_t)(lk_barrett(f->c[i]) - Q);
        f->c[i] = (int16_t)(r + ((r >> 15) & Q));
    }
}

/* ---- Encoding and compression ---- */

static void encode_d12(uint8_t out[384], const lk_poly *f)
{
    for (size_t i = 0; i < N / 2; i++) {
        const unsigned a = (unsigned)f->c[2 * i], b = (unsigned)f->c[2 * i + 1];
        out[3 * i] = (uint8_t)a;
        out[3 * i + 1] = (uint8_t)(a >> 8 | b << 4);
        out[3 * i + 2] = (uint8_t)(b >> 4);
    }
}

static uint32_t decode_d12(lk_poly *f, const uint8_t in[384])
{
    uint32_t above = 0;
    for (size_t i = 0; i < N / 2; i++) {
        const unsigned b0 = in[3 * i], b1 = in[3 * i + 1], b2 = in[3 * i + 2];
        const unsigned x = b0 | (b1 & 15) << 8, y = b1 >> 4 | b2 << 4;
        above |= (Q - 1 - x) | (Q - 1 - y);
        f->c[2 * i] = (int16_t)x;
        f->c[2 * i + 1] = (int16_t)y;
    }
    return above >> 31;
}

/* Compress_d(x) = round(2^d x / q) mod 2^d without a division: the reciprocal m = round(2^s / q) 2^d is exact for every
 * canonical x (tests/unit tries them all). */
static inline unsigned compress(int16_t x, unsigned d, uint32_t m, unsigned s)
{
    return (unsigned)(((uint64_t)(uint16_t)x * m + ((uint64_t)1 << (s - 1))) >> s) & ((1u << d) - 1);
}

#define COMPRESS_D1(x) compress(x, 1, 315, 19)
#define COMPRESS_D4(x) compress(x, 4, 315, 16)
#define COMPRESS_D5(x) compress(x, 5, 630, 16)
#define COMPRESS_D10(x) compress(x, 10, 2580335, 23)
#define COMPRESS_D11(x) compress(x, 11, 2580335, 22)

static inline int16_t decompress(unsigned y, unsigned d)
{
    return (int16_t)((y * Q + (1u << (d - 1))) >> d);
}

static void compress_d1(uint8_t out[32], const lk_poly *f)
{
    for (size_t i = 0; i < N / 8; i++) {
        unsigned byte = 0;
        for (size_t j = 0; j < 8; j++) byte |= COMPRESS_D1(f->c[8 * i + j]) << j;
        out[i] = (uint8_t)byte;
    }
}

static void compress_d4(uint8_t out[128], const lk_poly *f)
{
    for (size_t i = 0; i < N / 2; i++) out[i] = (uint8_t)(COMPRESS_D4(f->c[2 * i]) | COMPRESS_D4(f->c[2 * i + 1]) << 4);
}

static void compress_d5(uint8_t out[160], const lk_poly *f)
{
    for (size_t i = 0; i < N / 8; i++, out += 5) {
        uint64_t bits = 0;
        for (size_t j = 0; j < 8; j++) bits |= (uint64_t)COMPRESS_D5(f->c[8 * i + j]) << (5 * j);
        lk_store32_le(out, (uint32_t)bits);
        out[4] = (uint8_t)(bits >> 32);
    }
}

static void compress_d10(uint8_t out[320], const lk_poly *f)
{
    for (size_t i = 0; i < N / 4; i++, out += 5) {
        uint64_t bits = 0;
        for (size_t j = 0; j < 4; j++) bits |= (uint64_t)COMPRESS_D10(f->c[4 * i + j]) << (10 * j);
        lk_store32_le(out, (uint32_t)bits);
        out[4] = (uint8_t)(bits >> 32);
    }
}

/* Eight coefficients are 88 bits: the first five and 9 bits of the sixth fill a 64-bit word. */
static void compress_d11(uint8_t out[352], const lk_poly *f)
{
    for (size_t i = 0; i < N / 8; i++, out += 11) {
        uint64_t t[8];
        for (size_t j = 0; j < 8; j++) t[j] = COMPRESS_D11(f->c[8 * i + j]);
        lk_store64_le(out, t[0] | t[1] << 11 | t[2] << 22 | t[3] << 33 | t[4] << 44 | t[5] << 55);
        const uint64_t rest = t[5] >> 9 | t[6] << 2 | t[7] << 13;
        out[8] = (uint8_t)rest;
        out[9] = (uint8_t)(rest >> 8);
        out[10] = (uint8_t)(rest >> 16);
    }
}

/* The mask goes through a barrier, or a compiler may branch on the message bit. */
static void decompress_d1(lk_poly *f, const uint8_t in[32])
{
    for (size_t i = 0; i < N; i++) {
        const uint32_t bit = (uint32_t)in[i / 8] >> (i % 8) & 1;
        f->c[i] = (int16_t)(((uint32_t)0 - lk_barrier(bit)) & ((Q + 1) / 2));
    }
}

static void decompress_d4(lk_poly *f, const uint8_t in[128])
{
    for (size_t i = 0; i < N / 2; i++) {
        f->c[2 * i] = decompress(in[i] & 15, 4);
        f->c[2 * i + 1] = decompress(in[i] >> 4, 4);
    }
}

static void decompress_d5(lk_poly *f, const uint8_t in[160])
{
    for (size_t i = 0; i < N / 8; i++, in += 5) {
        const uint64_t bits = lk_load32_le(in) | (uint64_t)in[4] << 32;
        for (size_t j = 0; j < 8; j++) f->c[8 * i + j] = decompress(bits >> (5 * j) & 31, 5);
    }
}

static void decompress_d10(lk_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < N / 4; i++, in += 5) {
        const uint64_t bits = lk_load32_le(in) | (uint64_t)in[4] << 32;
        for (size_t j = 0; j < 4; j++) f->c[4 * i + j] = decompress(bits >> (10 * j) & 1023, 10);
    }
}

static void decompress_d11(lk_poly *f, const uint8_t in[352])
{
    for (size_t i = 0; i < N / 8; i++, in += 11) {
        const uint64_t low = lk_load64_le(in);
        const uint64_t high = low >> 55 | (uint64_t)in[8] << 9 | (uint64_t)in[9] << 17 | (uint64_t)in[10] << 25;
        for (size_t j = 0; j < 5; j++) f->c[8 * i + j] = decompress(low >> (11 * j) & 2047, 11);
        for (size_t j = 0; j < 3; j++) f->c[8 * i + 5 + j] = decompress(high >> (11 * j) & 2047, 11);
    }
}

/* ---- Sampling ---- */

/* Bits are first added in pairs within the word; then each nibble holds the two sums of one coefficient. */
static void cbd_eta2(lk_poly *f, const uint8_t in[128])
{
    for (size_t i = 0; i < N / 8; i++) {
        const uint32_t bits = lk_load32_le(in + 4 * i);
        const uint32_t sums = (bits & 0x55555555) + (bits >> 1 & 0x55555555);
        for (size_t j = 0; j < 8; j++)
            f->c[8 * i + j] = (int16_t)((int32_t)(sums >> (4 * j) & 3) - (int32_t)(sums >> (4 * j + 2) & 3));
    }
}

/* As above with three bits to a sum and 24 bits to four coefficients. */
static void cbd_eta3(lk_poly *f, const uint8_t in[192])
{
    for (size_t i = 0; i < N / 4; i++) {
        const uint32_t bits = lk_load16_le(in + 3 * i) | (uint32_t)in[3 * i + 2] << 16;
        const uint32_t sums = (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
        for (size_t j = 0; j < 4; j++)
            f->c[4 * i + j] = (int16_t)((int32_t)(sums >> (6 * j) & 7) - (int32_t)(sums >> (6 * j + 3) & 7));
    }
}

/* While there is room for both values of a triple they are stored without asking; the count says which of them stay. */
static size_t rej_uniform_vartime(lk_poly *f, size_t have, const uint8_t *in, size_t len)
{
    for (size_t i = 0; i < len && have < N; i += 3) {
        const unsigned d1 = in[i] | (in[i + 1] & 15u) << 8, d2 = in[i + 1] >> 4 | (unsigned)in[i + 2] << 4;
        f->c[have] = (int16_t)d1;
        have += d1 < Q;
        if (have == N) break;
        f->c[have] = (int16_t)d2;
        have += d2 < Q;
    }
    return have;
}

const lk_q3329_kernels lk_q3329_portable = {
    .ntt = lk_q3329_ntt_c,
    .invntt_tomont = lk_q3329_invntt_tomont_c,
    .mulcache = LK_USED(!LK_IS_SMALL, lk_q3329_mulcache_c),
    .inner_product = LK_USED(!LK_IS_SMALL, inner_product),
    .tomont = tomont,
    .add = add,
    .sub_from = sub_from,
    .reduce = reduce,
    .encode_d12 = encode_d12,
    .decode_d12 = decode_d12,
    .compress_d1 = compress_d1,
    .compress_d4 = LK_USED(LK_HAS_D10_D4, compress_d4),
    .compress_d5 = LK_USED(LK_HAS_D11_D5, compress_d5),
    .compress_d10 = LK_USED(LK_HAS_D10_D4, compress_d10),
    .compress_d11 = LK_USED(LK_HAS_D11_D5, compress_d11),
    .decompress_d1 = decompress_d1,
    .decompress_d4 = LK_USED(LK_HAS_D10_D4, decompress_d4),
    .decompress_d5 = LK_USED(LK_HAS_D11_D5, decompress_d5),
    .decompress_d10 = LK_USED(LK_HAS_D10_D4, decompress_d10),
    .decompress_d11 = LK_USED(LK_HAS_D11_D5, decompress_d11),
    .cbd_eta2 = cbd_eta2,
    .cbd_eta3 = LK_USED(LK_HAS_ETA3, cbd_eta3),
    .rej_uniform_vartime = LK_USED(!LK_IS_SMALL, rej_uniform_vartime),
    .rej_uniform_lanes_vartime = NULL,
    .ntt_order = NULL,
    .decode_d12_mac = LK_IF(LK_IS_SMALL, lk_q3329_decode_d12_mac_c),
    .rej_uniform_mac_vartime = LK_IF(LK_IS_SMALL, lk_q3329_rej_uniform_mac_vartime_c),
    .cbd_eta2_add = LK_IF(LK_IS_SMALL, lk_q3329_cbd_eta2_add_c),
};
