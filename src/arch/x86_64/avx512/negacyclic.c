/* The kernels of Z_8192[X]/(X^256 + 1) for AVX-512; coefficient i is at place i.
 *
 * Multiplication is by NTTs modulo two primes (negacyclic_constants.h).
 *
 * A polynomial is eight registers of 32 coefficients, and a transform keeps it there through all seven layers. Write e7
 * ... e0 for the bits of an exponent: a register's number is (e7, e6, e5), a place in it (e4, ..., e0). The layers of
 * e7, e6 and e5 pair whole registers. Each layer after that first exchanges the register bit e7, or what took its
 * place, with the layer's bit, so that it pairs whole registers as well. The states on the way are written below as
 * (register bit; bits of the place). The last, (e1; e7, e4, e3, e2, e0), stays as it is: nothing but base
 * multiplication and the inverse sees it, and its factors gamma are those of the last layer.
 *
 * Below, |a| is the bound of a value, and q either prime. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/exchange.h"
#include "arch/x86_64/avx512/negacyclic_factors.h"
#include "arch/x86_64/avx512/packing.h"
#include "arch/x86_64/avx512/vec.h"
#include "arch/x86_64/negacyclic_arithmetic.h"
#include "arch/x86_64/negacyclic_coding.h"
#include "arch/x86_64/tables.h"
#include "base/bytes.h"

enum { HALF = REGISTERS / 2 };

/* A polynomial modulo both primes, in registers. Each step below goes through all of it before the next begins, because
 * the result of a butterfly takes longer than the butterflies of half a polynomial. */
typedef struct {
    __m512i v[PRIMES][REGISTERS];
} registers;

/* (r; x, y, ...) to (y; x, r, ...) */
static inline void exchange_quarters(__m512i *a, __m512i *b)
{
    const __m512i t = *a;
    *a = _mm512_permutex2var_epi64(t, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), *b);
    *b = _mm512_permutex2var_epi64(t, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), *b);
}

static inline void exchange_all(registers *r, exchange_fn *exchange)
{
    for (size_t i = 0; i < HALF; i++)
        for (size_t p = 0; p < PRIMES; p++) exchange(&r->v[p][i], &r->v[p][i + HALF]);
}

static inline void reduce_register(registers *r, size_t i)
{
    for (size_t p = 0; p < PRIMES; p++) r->v[p][i] = reduce(r->v[p][i], prime(p));
}

static inline void store(residues *out, const registers *r)
{
    for (size_t p = 0; p < PRIMES; p++)
        for (size_t i = 0; i < REGISTERS; i++) _mm512_storeu_si512(out->at[p][i], r->v[p][i]);
}

/* ---- Evaluation ---- */

/* A butterfly of registers a and b modulo both primes. */
static inline void wide_butterfly(registers *r, size_t a, size_t b, size_t factor)
{
    for (size_t p = 0; p < PRIMES; p++)
        butterfly(&r->v[p][a], &r->v[p][b], &lk_negacyclic_forward_avx512[p].wide[factor], prime(p));
}

static inline void narrow_layer(registers *r, size_t layer)
{
    for (size_t i = 0; i < HALF; i++)
        for (size_t p = 0; p < PRIMES; p++)
            butterfly(&r->v[p][i], &r->v[p][i + HALF], &lk_negacyclic_forward_avx512[p].narrow[i][layer], prime(p));
}

/* Each layer adds |v| / 16 + q / 2: after that of e3 |v| < 28100, where sums are reduced, and at the end |v| <
 * 16200. */
static void ntt(residues *out, const lk_negacyclic_poly *f)
{
    registers r;
    for (size_t i = 0; i < REGISTERS; i++) r.v[0][i] = r.v[1][i] = load_centred(f, i);
    for (size_t i = 0; i < 4; i++) wide_butterfly(&r, i, i + 4, 0);
    for (size_t i = 0; i < 2; i++) wide_butterfly(&r, i, i + 2, 1);
    for (size_t i = 4; i < 6; i++) wide_butterfly(&r, i, i + 2, 2);
    for (size_t i = 0; i < 4; i++) wide_butterfly(&r, 2 * i, 2 * i + 1, 3 + i);
    exchange_all(&r, exchange_halves);
    narrow_layer(&r, 0);
    exchange_all(&r, exchange_quarters);
    narrow_layer(&r, 1);
    exchange_all(&r, exchange_eighths);
    for (size_t i = 0; i < HALF; i++) reduce_register(&r, i);
    narrow_layer(&r, 2);
    exchange_all(&r, exchange_sixteenths);
    narrow_layer(&r, 3);
    store(out, &r);
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
        for (size_t i = 0; i < HALF; i++) arrange_pair(e, p, i, r, &lk_negacyclic_forward_avx512[p].narrow[i][3]);
}

/* ---- Multiplication ---- */

static inline void inverse_wide_butterfly(registers *r, size_t a, size_t b, size_t factor)
{
    for (size_t p = 0; p < PRIMES; p++)
        inverse_butterfly(&r->v[p][a], &r->v[p][b], &lk_negacyclic_inverse_avx512[p].wide[factor], prime(p));
}

static inline void inverse_narrow_layer(registers *r, size_t layer)
{
    for (size_t i = 0; i < HALF; i++)
        for (size_t p = 0; p < PRIMES; p++)
            inverse_butterfly(&r->v[p][i], &r->v[p][i + HALF], &lk_negacyclic_inverse_avx512[p].narrow[i][layer],
                              prime(p));
}

/* A layer doubles sums. In: |v| < 14000. If sums are reduced before they are added up again, |v| < 28000 after the
 * layer of e1 and |v| < 23000 after those of e3 and e5; before that of e7 |v| < 11000. Out: |v| < 5500. */
static inline void inverse_ntt(registers *r)
{
    inverse_narrow_layer(r, 3);
    for (size_t i = 0; i < HALF; i++) reduce_register(r, i);
    exchange_all(r, exchange_sixteenths);
    inverse_narrow_layer(r, 2);
    exchange_all(r, exchange_eighths);
    inverse_narrow_layer(r, 1);
    for (size_t i = 0; i < HALF; i++) reduce_register(r, i);
    exchange_all(r, exchange_quarters);
    inverse_narrow_layer(r, 0);
    exchange_all(r, exchange_halves);
    for (size_t i = 0; i < 4; i++) inverse_wide_butterfly(r, 2 * i, 2 * i + 1, 3 + i);
    for (size_t i = 0; i < 4; i++) reduce_register(r, 2 * i);
    for (size_t i = 0; i < 2; i++) inverse_wide_butterfly(r, i, i + 2, 1);
    for (size_t i = 4; i < 6; i++) inverse_wide_butterfly(r, i, i + 2, 2);
    for (size_t i = 0; i < 4; i++) inverse_wide_butterfly(r, i, i + 4, 0);
    for (size_t i = 0; i < HALF; i++)
        for (size_t p = 0; p < PRIMES; p++) r->v[p][i] = multiply(r->v[p][i], &lk_negacyclic_scale_avx512[p], prime(p));
}

static void inner_product(lk_negacyclic_poly *h, const void *f, const void *g, size_t l, void *scratch)
{
    residues *products = scratch;
    registers r;
    for (size_t p = 0; p < PRIMES; p++)
        for (size_t i = 0; i < REGISTERS; i += HALF) multiply_base(products, f, g, l, p, i);
    for (size_t p = 0; p < PRIMES; p++)
        for (size_t i = 0; i < REGISTERS; i++) r.v[p][i] = _mm512_loadu_si512(products->at[p][i]);
    inverse_ntt(&r);
    for (size_t i = 0; i < REGISTERS; i++) _mm512_storeu_si512(&h->c[LANES * i], combine(r.v[0][i], r.v[1][i]));
}

/* ---- The message part of a ciphertext ---- */

static inline void encrypt_to(uint8_t *out, const lk_negacyclic_poly *v, const uint8_t m[32], unsigned d)
{
    const __m512i h1 = _mm512_set1_epi16(H1), one = _mm512_set1_epi16(512);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i sum = _mm512_add_epi16(load_at(v, i), h1);
        const __m512i noisy = _mm512_mask_sub_epi16(sum, lk_load32_le(m + 4 * i), sum, one);
        store_packed(out, i, low_bits(_mm512_srli_epi16(noisy, 10 - d), d), d);
    }
}

/* The values come out of the string multiplied by 2^(10 - d), with the bits of others below and above. */
static inline void decrypt(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t *in, unsigned d)
{
    const __m512i h2 = _mm512_set1_epi16((short)(256 - (512 >> d) + H1));
    const __m512i mask = _mm512_set1_epi16((short)(1024 - (1024 >> d)));
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i c = _mm512_and_si512(load_shifted(in, i, d, 10 - d), mask);
        const __m512i noisy = _mm512_sub_epi16(_mm512_add_epi16(load_at(v, i), h2), c);
        lk_store32_le(m + 4 * i, _mm512_test_epi16_mask(noisy, _mm512_set1_epi16(512)));
    }
}

/* ---- Sampling ---- */

/* The number of ones in five bits. */
static const _Alignas(64) int16_t ones[LANES] = {
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5,
};

static inline void cbd(lk_negacyclic_poly *f, const uint8_t *in, unsigned mu)
{
    const __m512i table = _mm512_load_si512(ones);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i bits = load_packed(in, i, mu);
        const __m512i lower = _mm512_permutexvar_epi16(low_bits(bits, mu / 2), table);
        const __m512i upper = low_bits(_mm512_srli_epi16(bits, mu / 2), mu / 2);
        store_at(f, i, _mm512_sub_epi16(lower, _mm512_permutexvar_epi16(upper, table)));
    }
}

const lk_negacyclic_kernels lk_negacyclic_avx512 = {
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
