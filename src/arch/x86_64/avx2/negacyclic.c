/* The kernels of Z_8192[X]/(X^256 + 1) for AVX2; coefficient i is at place i.
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
#include "arch/x86_64/avx2/vec.h"
#include "arch/x86_64/negacyclic_arithmetic.h"
#include "arch/x86_64/negacyclic_coding.h"
#include "arch/x86_64/tables.h"
#include "base/bytes.h"

enum { HALF = REGISTERS / 2, QUARTER = REGISTERS / 4 };

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
    for (size_t i = 0; i < HALF; i++) v[i] = v_load(r[i]);
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
    for (size_t i = 0; i < HALF; i++) v_store(r[i], v[i]);
}

/* Each layer adds |v| / 16 + q / 2: after that of e3 |v| < 28100, where sums are reduced, and at the end |v| <
 * 16200. */
static void ntt(residues *out, const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < HALF; i++)
        for (size_t p = 0; p < PRIMES; p++) {
            __m256i a = load_centred(f, i), b = load_centred(f, i + HALF);
            butterfly(&a, &b, &lk_negacyclic_forward_avx2[p].first, prime(p));
            v_store(out->at[p][i], a);
            v_store(out->at[p][i + HALF], b);
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

/* A layer doubles sums. In: |v| < 14000. If sums are reduced before they are added up again, |v| < 28000 after the
 * layer of e1 and |v| < 23000 after those of e3 and e5. Out: |v| < 11000. */
static inline void inverse_ntt_half(int16_t r[HALF][LANES], const lk_negacyclic_factors wide[7],
                                    const lk_negacyclic_factors narrow[4][3], __m256i q)
{
    __m256i v[HALF];
    for (size_t i = 0; i < HALF; i++) v[i] = v_load(r[i]);
    for (size_t i = 0; i < QUARTER; i++) inverse_narrow_layers(&v[i], &v[i + QUARTER], narrow[i], q);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[2 * i], &v[2 * i + 1], &wide[3 + i], q);
    for (size_t i = 0; i < 2; i++) inverse_butterfly(&v[i], &v[i + 2], &wide[1], q);
    for (size_t i = 4; i < 6; i++) inverse_butterfly(&v[i], &v[i + 2], &wide[2], q);
    for (size_t i = 0; i < 2; i++) v[i] = reduce(v[i], q);
    for (size_t i = 4; i < 6; i++) v[i] = reduce(v[i], q);
    for (size_t i = 0; i < 4; i++) inverse_butterfly(&v[i], &v[i + 4], &wide[0], q);
    for (size_t i = 0; i < HALF; i++) v_store(r[i], v[i]);
}

/* The layer of e7, where scaling makes |v| < 5500, for registers i and i + 8 of the result. */
static inline void last_layer(lk_negacyclic_poly *h, const residues *r, size_t i)
{
    __m256i a[PRIMES], b[PRIMES];
    for (size_t p = 0; p < PRIMES; p++) {
        a[p] = v_load(r->at[p][i]);
        b[p] = v_load(r->at[p][i + HALF]);
        inverse_butterfly(&a[p], &b[p], &lk_negacyclic_inverse_avx2[p].first, prime(p));
        a[p] = multiply(a[p], &lk_negacyclic_scale_avx2[p], prime(p));
    }
    v_store(&h->c[LANES * i], combine(a[0], a[1]));
    v_store(&h->c[LANES * (i + HALF)], combine(b[0], b[1]));
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

/* ---- The message part of a ciphertext ---- */

/* Each word with a bit of 16. */
static inline __m256i own_bits(void)
{
    return _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
}

static inline void encrypt_to(uint8_t *out, const lk_negacyclic_poly *v, const uint8_t m[32], unsigned d)
{
    const __m256i h1 = _mm256_set1_epi16(H1), one = _mm256_set1_epi16(512);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i bits = _mm256_and_si256(_mm256_set1_epi16((short)lk_load16_le(m + 2 * i)), own_bits());
        const __m256i message = _mm256_and_si256(_mm256_cmpeq_epi16(bits, own_bits()), one);
        const __m256i noisy = _mm256_sub_epi16(_mm256_add_epi16(load_at(v, i), h1), message);
        store_packed(out, i, low_bits(_mm256_srli_epi16(noisy, 10 - (int)d), d), d);
    }
}

/* The message bit 9 becomes the sign of a word, then that of a byte; packing works in halves; the permutation repairs
 * their order. */
static inline __m256i decrypt_register(const lk_negacyclic_poly *v, const uint8_t *in, size_t i, unsigned d)
{
    const __m256i h2 = _mm256_set1_epi16((short)(256 - (512 >> d) + H1));
    const __m256i c = _mm256_slli_epi16(load_packed(in, i, d), 10 - (int)d);
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

const lk_negacyclic_kernels lk_negacyclic_avx2 = {
    .evaluated_bytes = sizeof(evaluated),
    .scratch_bytes = sizeof(residues),
    .small_bytes = sizeof(evaluated),
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
