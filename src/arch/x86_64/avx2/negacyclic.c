/* The kernels of Z_8192[X]/(X^256 + 1) for AVX2; coefficient i stands at place i.
 *
 * Multiplication is by NTTs modulo two primes (negacyclic_constants.h).
 *
 * Write e7 ... e0 for the bits of an exponent. The layer of e7 runs through memory; around it each half of the
 * polynomial, eight registers of 16 coefficients, stays in registers for the other six layers. A register's number is
 * (e6, e5, e4), a place in it (e3, ..., e0). The layers of e6, e5 and e4 pair whole registers. Each layer after that
 * first exchanges the register bit e6, or what took its place, with the layer's bit, so that it pairs whole registers
 * as well. The states on the way are written below as (register bit; bits of the place). The last, (e1; e6, e3, e2,
 * e0), stays as it is: nothing but base multiplication and the inverse sees it, and its factors gamma are those of the
 * last layer.
 *
 * Below, |a| is the bound of a value, and q either prime. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/exchange.h"
#include "arch/x86_64/avx2/negacyclic_factors.h"
#include "arch/x86_64/avx2/packing.h"
#include "arch/x86_64/negacyclic_constants.h"
#include "arch/x86_64/tables.h"
#include "base/bytes.h"

enum { LANES = 16, REGISTERS = N / LANES, HALF = REGISTERS / 2, QUARTER = REGISTERS / 4 };

/* A polynomial modulo both primes. */
typedef struct {
    int16_t at[PRIMES][REGISTERS][LANES];
} residues;

/* A product is computed from f as it is and, for its even and its odd values, from g arranged twice. */
typedef union {
    residues f;
    struct {
        residues even, odd;
    } g;
} evaluated;

static inline __m256i load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

static inline void store(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

static inline __m256i prime(size_t p)
{
    return _mm256_set1_epi16(p == 0 ? Q0 : Q1);
}

/* a w R^-1 mod q, |result| <= |a| / 16 + q / 2 for any a and |w| <= q / 2. */
static inline __m256i montgomery(__m256i a, __m256i w, __m256i w_qinv, __m256i q)
{
    const __m256i t = _mm256_mulhi_epi16(_mm256_mullo_epi16(a, w_qinv), q);
    return _mm256_sub_epi16(_mm256_mulhi_epi16(a, w), t);
}

static inline __m256i multiply(__m256i a, const lk_negacyclic_factors *z, __m256i q)
{
    return montgomery(a, load(z->w), load(z->w_qinv), q);
}

/* a mod q, |result| <= |a| / 16 + q / 2. */
static inline __m256i reduce(__m256i a, __m256i q)
{
    const __m256i quotient = _mm256_mulhrs_epi16(a, _mm256_set1_epi16(ROUNDING));
    return _mm256_sub_epi16(a, _mm256_mullo_epi16(quotient, q));
}

static inline void butterfly(__m256i *a, __m256i *b, const lk_negacyclic_factors *z, __m256i q)
{
    const __m256i t = multiply(*b, z, q);
    *b = _mm256_sub_epi16(*a, t);
    *a = _mm256_add_epi16(*a, t);
}

static inline void inverse_butterfly(__m256i *a, __m256i *b, const lk_negacyclic_factors *z, __m256i q)
{
    const __m256i difference = _mm256_sub_epi16(*a, *b);
    *a = _mm256_add_epi16(*a, *b);
    *b = multiply(difference, z, q);
}

typedef void exchange_fn(__m256i *a, __m256i *b);

/* ---- Evaluation ---- */

static inline void exchange_all(__m256i v[HALF], exchange_fn *exchange)
{
    for (size_t i = 0; i < QUARTER; i++) exchange(&v[i], &v[i + QUARTER]);
}

static inline void narrow_layer(__m256i v[HALF], const lk_negacyclic_factors narrow[4][3], size_t layer, __m256i q)
{
    for (size_t i = 0; i < QUARTER; i++) butterfly(&v[i], &v[i + QUARTER], &narrow[i][layer], q);
}

static inline void ntt_half(int16_t r[HALF][LANES], const lk_negacyclic_factors wide[7],
                            const lk_negacyclic_factors narrow[4][3], __m256i q)
{
    __m256i v[HALF];
    for (size_t i = 0; i < HALF; i++) v[i] = load(r[i]);
    for (size_t i = 0; i < 4; i++) butterfly(&v[i], &v[i + 4], &wide[0], q);
    for (size_t i = 0; i < 2; i++) butterfly(&v[i], &v[i + 2], &wide[1], q);
    for (size_t i = 4; i < 6; i++) butterfly(&v[i], &v[i + 2], &wide[2], q);
    for (size_t i = 0; i < 4; i++) butterfly(&v[2 * i], &v[2 * i + 1], &wide[3 + i], q);
    exchange_all(v, exchange_halves);
    narrow_layer(v, narrow, 0, q);
    exchange_all(v, exchange_quarters);
    for (size_t i = 0; i < QUARTER; i++) v[i] = reduce(v[i], q);
    narrow_layer(v, narrow, 1, q);
    exchange_all(v, exchange_eighths);
    narrow_layer(v, narrow, 2, q);
    for (size_t i = 0; i < HALF; i++) store(r[i], v[i]);
}

/* Residues modulo 8192 in [-4096, 4096). */
static inline __m256i load_centred(const lk_negacyclic_poly *f, size_t i)
{
    return _mm256_srai_epi16(_mm256_slli_epi16(load(&f->c[LANES * i]), 3), 3);
}

/* Each layer adds |v| / 16 + q / 2: after that of e3 |v| < 28100, where sums are reduced, and at the end |v| <
 * 16200. */
static void ntt(residues *out, const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < HALF; i++)
        for (size_t p = 0; p < PRIMES; p++) {
            __m256i a = load_centred(f, i), b = load_centred(f, i + HALF);
            butterfly(&a, &b, &lk_negacyclic_forward_avx2[p].first, prime(p));
            store(out->at[p][i], a);
            store(out->at[p][i + HALF], b);
        }
    for (size_t p = 0; p < PRIMES; p++) {
        const lk_negacyclic_ntt_factors *z = &lk_negacyclic_forward_avx2[p];
        for (size_t h = 0; h < 2; h++) ntt_half(&out->at[p][HALF * h], z->wide[h], z->narrow[h], prime(p));
    }
}

static void evaluate(void *e, const lk_negacyclic_poly *f, void *scratch)
{
    evaluated *out = e;
    (void)scratch;
    ntt(&out->f, f);
}

/* The low half of each 32-bit word from low, the high half from high. */
static inline __m256i halves(__m256i low, __m256i high)
{
    return _mm256_blend_epi16(low, high, 0xAA);
}

static inline __m256i swap_halves(__m256i v)
{
    return _mm256_or_si256(_mm256_slli_epi32(v, 16), _mm256_srli_epi32(v, 16));
}

/* Pairs (g0, gamma g1) and (g1, g0) of register i. All are below 5000 in absolute value. */
static inline void arrange(evaluated *out, size_t p, size_t i, __m256i g, __m256i gamma_g1)
{
    const __m256i reduced = reduce(g, prime(p));
    store(out->g.even.at[p][i], halves(reduced, gamma_g1));
    store(out->g.odd.at[p][i], swap_halves(reduced));
}

/* Registers i and i + 4 of a half have the same factors, of opposite sign: one multiplication serves the odd values of
 * both. */
static inline void arrange_pair(evaluated *out, size_t p, size_t i, const residues *r, const lk_negacyclic_factors *z)
{
    const __m256i a = load(r->at[p][i]), b = load(r->at[p][i + QUARTER]);
    const __m256i products = multiply(halves(_mm256_srli_epi32(a, 16), b), z, prime(p));
    arrange(out, p, i, a, _mm256_slli_epi32(products, 16));
    arrange(out, p, i + QUARTER, b, _mm256_sub_epi16(_mm256_setzero_si256(), products));
}

static void evaluate_small(void *e, const lk_negacyclic_poly *f, void *scratch)
{
    residues *r = scratch;
    ntt(r, f);
    for (size_t p = 0; p < PRIMES; p++)
        for (size_t h = 0; h < 2; h++)
            for (size_t i = 0; i < QUARTER; i++)
                arrange_pair(e, p, HALF * h + i, r, &lk_negacyclic_forward_avx2[p].narrow[h][i][2]);
}

/* ---- Multiplication ---- */

/* x R^-1 mod q for sums in 32 bits, |result| <= |x| / R + q / 2: the high half of x - t q, where t q has the low
 * half. */
static inline __m256i montgomery_reduce(__m256i even, __m256i odd, __m256i qinv, __m256i q)
{
    const __m256i low = halves(even, _mm256_slli_epi32(odd, 16));
    const __m256i high = halves(_mm256_srli_epi32(even, 16), odd);
    return _mm256_sub_epi16(high, _mm256_mulhi_epi16(_mm256_mullo_epi16(low, qinv), q));
}

/* Four registers of the sum, from the first on. Sums are at most 4 16200 (5000 + 5000) < 2^30 in absolute value. */
static inline void multiply_base(residues *r, const evaluated *f, const evaluated *g, size_t l, size_t p, size_t first)
{
    __m256i even[QUARTER], odd[QUARTER];
    for (size_t i = 0; i < QUARTER; i++) even[i] = odd[i] = _mm256_setzero_si256();
    for (size_t j = 0; j < l; j++)
        for (size_t i = 0; i < QUARTER; i++) {
            const __m256i a = load(f[j].f.at[p][first + i]);
            even[i] = _mm256_add_epi32(even[i], _mm256_madd_epi16(a, load(g[j].g.even.at[p][first + i])));
            odd[i] = _mm256_add_epi32(odd[i], _mm256_madd_epi16(a, load(g[j].g.odd.at[p][first + i])));
        }
    const __m256i qinv = _mm256_set1_epi16(p == 0 ? QINV(Q0) : QINV(Q1));
    for (size_t i = 0; i < QUARTER; i++) store(r->at[p][first + i], montgomery_reduce(even[i], odd[i], qinv, prime(p)));
}

/* Sums are reduced after the layers of e1 and e3. */
static inline void inverse_narrow_layers(__m256i *a, __m256i *b, const lk_negacyclic_factors z[3], __m256i q)
{
    inverse_butterfly(a, b, &z[2], q);
    *a = reduce(*a, q);
    exchange_eighths(a, b);
    inverse_butterfly(a, b, &z[1], q);
    exchange_quarters(a, b);
    inverse_butterfly(a, b, &z[0], q);
    *a = reduce(*a, q);
    exchange_halves(a, b);
}

/* A layer doubles sums. In: |v| < 14000. Where sums are reduced before they are added up again, |v| < 28000 after the
 * layer of e1 and |v| < 23000 after those of e3 and e5. Out: |v| < 11000. */
static inline void inverse_ntt_half(int16_t r[HALF][LANES], const lk_negacyclic_factors wide[7],
                                    const lk_negacyclic_factors narrow[4][3], __m256i q)
{
    __m256i v[HALF];
    for (size_t i = 0; i < HALF; i++) v[i] = load(r[i]);
    for (size_t i = 0; i < QUARTER; i++) inverse_narrow_layers(&v[i], &v[i + QUARTER], narrow[i], q);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[2 * i], &v[2 * i + 1], &wide[3 + i], q);
    for (size_t i = 0; i < 2; i++) inverse_butterfly(&v[i], &v[i + 2], &wide[1], q);
    for (size_t i = 4; i < 6; i++) inverse_butterfly(&v[i], &v[i + 2], &wide[2], q);
    for (size_t i = 0; i < 2; i++) v[i] = reduce(v[i], q);
    for (size_t i = 4; i < 6; i++) v[i] = reduce(v[i], q);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[i], &v[i + 4], &wide[0], q);
    for (size_t i = 0; i < HALF; i++) store(r[i], v[i]);
}

/* The sum x with x = r0 modulo Q0 and x = r1 modulo Q1, modulo R, is r0 + k Q0 with k = (r1 - r0) / Q0 modulo Q1. As
 * |x| <= 2^20 20, |k| < 2740, and a residue below Q1 - 2740 in absolute value is the right one. */
static inline __m256i combine(__m256i r0, __m256i r1)
{
    const __m256i w = _mm256_set1_epi16(Q0_INVERSE), w_qinv = _mm256_set1_epi16((int16_t)(QINV(Q1) * Q0_INVERSE));
    const __m256i k = montgomery(_mm256_sub_epi16(r1, r0), w, w_qinv, prime(1));
    return _mm256_add_epi16(r0, _mm256_mullo_epi16(k, prime(0)));
}

/* The layer of e7, where scaling makes |v| < 5500, for registers i and i + 8 of the result. */
static inline void last_layer(lk_negacyclic_poly *h, const residues *r, size_t i)
{
    __m256i a[PRIMES], b[PRIMES];
    for (size_t p = 0; p < PRIMES; p++) {
        a[p] = load(r->at[p][i]);
        b[p] = load(r->at[p][i + HALF]);
        inverse_butterfly(&a[p], &b[p], &lk_negacyclic_inverse_avx2[p].first, prime(p));
        a[p] = multiply(a[p], &lk_negacyclic_scale_avx2[p], prime(p));
    }
    store(&h->c[LANES * i], combine(a[0], a[1]));
    store(&h->c[LANES * (i + HALF)], combine(b[0], b[1]));
}

static void inner_product(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch)
{
    residues *r = scratch;
    for (size_t p = 0; p < PRIMES; p++) {
        const lk_negacyclic_ntt_factors *z = &lk_negacyclic_inverse_avx2[p];
        for (size_t i = 0; i < REGISTERS; i += QUARTER) multiply_base(r, f, g, l, p, i);
        for (size_t half = 0; half < 2; half++)
            inverse_ntt_half(&r->at[p][HALF * half], z->wide[half], z->narrow[half], prime(p));
    }
    for (size_t i = 0; i < HALF; i++) last_layer(h, r, i);
}

/* ---- Packing, rounding and sampling ---- */

enum { H1 = 4 };

static inline __m256i load_at(const lk_negacyclic_poly *f, size_t i)
{
    return _mm256_loadu_si256((const __m256i *)&f->c[LANES * i]);
}

static inline void store_at(lk_negacyclic_poly *f, size_t i, __m256i v)
{
    _mm256_storeu_si256((__m256i *)&f->c[LANES * i], v);
}

static inline __m256i low_bits(__m256i v, unsigned d)
{
    return _mm256_and_si256(v, _mm256_set1_epi16((short)((1 << d) - 1)));
}

static void pack_d13(uint8_t out[416], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, low_bits(load_at(f, i), 13), 13);
}

static void unpack_d13(lk_negacyclic_poly *f, const uint8_t in[416])
{
    for (size_t i = 0; i < REGISTERS; i++) store_at(f, i, load_packed(in, i, 13));
}

static void unpack_d10(lk_negacyclic_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < REGISTERS; i++) store_at(f, i, low_bits(load_packed(in, i, 10), 10));
}

static void round_d10(uint8_t out[320], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i rounded = _mm256_srli_epi16(_mm256_add_epi16(load_at(f, i), _mm256_set1_epi16(H1)), 3);
        store_packed(out, i, low_bits(rounded, 10), 10);
    }
}

/* ---- The message part of a ciphertext ---- */

/* Each word with a bit of 16. */
static inline __m256i own_bits(void)
{
    return _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
}

static inline void encrypt(uint8_t *out, const lk_negacyclic_poly *v, const uint8_t m[32], unsigned d)
{
    const __m256i h1 = _mm256_set1_epi16(H1), one = _mm256_set1_epi16(512);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i bits = _mm256_and_si256(_mm256_set1_epi16((short)lk_load16_le(m + 2 * i)), own_bits());
        const __m256i message = _mm256_and_si256(_mm256_cmpeq_epi16(bits, own_bits()), one);
        const __m256i noisy = _mm256_sub_epi16(_mm256_add_epi16(load_at(v, i), h1), message);
        store_packed(out, i, low_bits(_mm256_srli_epi16(noisy, 10 - (int)d), d), d);
    }
}

static void encrypt_d3(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 3);
}

static void encrypt_d4(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 4);
}

static void encrypt_d6(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 6);
}

/* The message bit 9 becomes the sign of a word, then that of a byte; packing works in halves, whose order the
 * permutation repairs. */
static inline __m256i decrypt_register(const lk_negacyclic_poly *v, const uint8_t *in, size_t i, unsigned d)
{
    const __m256i h2 = _mm256_set1_epi16((short)(256 - (512 >> d) + H1));
    const __m256i c = _mm256_slli_epi16(low_bits(load_packed(in, i, d), d), 10 - (int)d);
    const __m256i noisy = _mm256_sub_epi16(_mm256_add_epi16(load_at(v, i), h2), c);
    return _mm256_srai_epi16(_mm256_slli_epi16(noisy, 6), 15);
}

static inline void decrypt(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t *in, unsigned d)
{
    for (size_t i = 0; i < REGISTERS; i += 2) {
        const __m256i low = decrypt_register(v, in, i, d), high = decrypt_register(v, in, i + 1, d);
        const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8);
        lk_store32_le(m + 2 * i, (uint32_t)_mm256_movemask_epi8(bytes));
    }
}

static void decrypt_d3(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    decrypt(m, v, in, 3);
}

static void decrypt_d4(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    decrypt(m, v, in, 4);
}

static void decrypt_d6(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192])
{
    decrypt(m, v, in, 6);
}

/* ---- Sampling ---- */

/* The ones in each half of a coefficient's bits are added up in the place of that half. */
static inline void cbd(lk_negacyclic_poly *f, const uint8_t *in, unsigned mu)
{
    const int half = (int)mu / 2;
    const __m256i lowest = _mm256_set1_epi16((short)(1 | 1 << half));
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i bits = load_packed(in, i, mu);
        __m256i sums = _mm256_and_si256(bits, lowest);
        for (int k = 1; k < half; k++)
            sums = _mm256_add_epi16(sums, _mm256_and_si256(_mm256_srli_epi16(bits, k), lowest));
        store_at(f, i, _mm256_sub_epi16(low_bits(sums, mu / 2), _mm256_srli_epi16(sums, half)));
    }
}

static void cbd_mu6(lk_negacyclic_poly *f, const uint8_t in[192])
{
    cbd(f, in, 6);
}

static void cbd_mu8(lk_negacyclic_poly *f, const uint8_t in[256])
{
    cbd(f, in, 8);
}

static void cbd_mu10(lk_negacyclic_poly *f, const uint8_t in[320])
{
    cbd(f, in, 10);
}

const lk_negacyclic_kernels lk_negacyclic_avx2 = {
    .evaluated_bytes = sizeof(evaluated),
    .scratch_bytes = sizeof(residues),
    .evaluate = evaluate,
    .evaluate_small = evaluate_small,
    .inner_product = inner_product,
    .pack_d13 = pack_d13,
    .unpack_d13 = unpack_d13,
    .unpack_d10 = unpack_d10,
    .round_d10 = round_d10,
    .encrypt_d3 = encrypt_d3,
    .encrypt_d4 = encrypt_d4,
    .encrypt_d6 = encrypt_d6,
    .decrypt_d3 = decrypt_d3,
    .decrypt_d4 = decrypt_d4,
    .decrypt_d6 = decrypt_d6,
    .cbd_mu6 = cbd_mu6,
    .cbd_mu8 = cbd_mu8,
    .cbd_mu10 = cbd_mu10,
};
