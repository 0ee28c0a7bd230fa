/* Packing, rounding and sampling of polynomials modulo X^256 + 1 for AVX-512. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx512/negacyclic.h"
#include "arch/x86_64/avx512/packing.h"
#include "base/bytes.h"

enum { LANES = 32, REGISTERS = LK_NEGACYCLIC_N / LANES, H1 = 4 };

static inline __m512i load(const lk_negacyclic_poly *f, size_t i)
{
    return _mm512_loadu_si512(&f->c[LANES * i]);
}

static inline void store(lk_negacyclic_poly *f, size_t i, __m512i v)
{
    _mm512_storeu_si512(&f->c[LANES * i], v);
}

static inline __m512i low_bits(__m512i v, unsigned d)
{
    return _mm512_and_si512(v, _mm512_set1_epi16((short)((1 << d) - 1)));
}

void lk_negacyclic_pack_d13_avx512(uint8_t out[416], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out + 52 * i, low_bits(load(f, i), 13), 13);
}

void lk_negacyclic_unpack_d13_avx512(lk_negacyclic_poly *f, const uint8_t in[416])
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, load_packed(in + 52 * i, 13, 0));
}

void lk_negacyclic_unpack_d10_avx512(lk_negacyclic_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, low_bits(load_packed(in + 40 * i, 10, 0), 10));
}

void lk_negacyclic_round_d10_avx512(uint8_t out[320], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i rounded = _mm512_srli_epi16(_mm512_add_epi16(load(f, i), _mm512_set1_epi16(H1)), 3);
        store_packed(out + 40 * i, low_bits(rounded, 10), 10);
    }
}

/* ---- The message part of a ciphertext ---- */

static inline void encrypt(uint8_t *out, const lk_negacyclic_poly *v, const uint8_t m[32], unsigned d)
{
    const __m512i h1 = _mm512_set1_epi16(H1), one = _mm512_set1_epi16(512);
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i sum = _mm512_add_epi16(load(v, i), h1);
        const __m512i noisy = _mm512_mask_sub_epi16(sum, lk_load32_le(m + 4 * i), sum, one);
        store_packed(out + 4 * d * i, low_bits(_mm512_srli_epi16(noisy, 10 - d), d), d);
    }
}

void lk_negacyclic_encrypt_d3_avx512(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 3);
}

void lk_negacyclic_encrypt_d4_avx512(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 4);
}

void lk_negacyclic_encrypt_d6_avx512(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 6);
}

/* The values come out of the string multiplied by 2^(10 - d), with the bits of others below and above. */
static inline void decrypt(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t *in, unsigned d)
{
    const __m512i h2 = _mm512_set1_epi16((short)(256 - (512 >> d) + H1));
    const __m512i mask = _mm512_set1_epi16((short)(1024 - (1024 >> d)));
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m512i c = _mm512_and_si512(load_packed(in + 4 * d * i, d, 10 - d), mask);
        const __m512i noisy = _mm512_sub_epi16(_mm512_add_epi16(load(v, i), h2), c);
        lk_store32_le(m + 4 * i, _mm512_test_epi16_mask(noisy, _mm512_set1_epi16(512)));
    }
}

void lk_negacyclic_decrypt_d3_avx512(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    decrypt(m, v, in, 3);
}

void lk_negacyclic_decrypt_d4_avx512(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    decrypt(m, v, in, 4);
}

void lk_negacyclic_decrypt_d6_avx512(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192])
{
    decrypt(m, v, in, 6);
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
        const __m512i bits = load_packed(in + 4 * mu * i, mu, 0);
        const __m512i lower = _mm512_permutexvar_epi16(low_bits(bits, mu / 2), table);
        const __m512i upper = low_bits(_mm512_srli_epi16(bits, mu / 2), mu / 2);
        store(f, i, _mm512_sub_epi16(lower, _mm512_permutexvar_epi16(upper, table)));
    }
}

void lk_negacyclic_cbd_mu6_avx512(lk_negacyclic_poly *f, const uint8_t in[192])
{
    cbd(f, in, 6);
}

void lk_negacyclic_cbd_mu8_avx512(lk_negacyclic_poly *f, const uint8_t in[256])
{
    cbd(f, in, 8);
}

void lk_negacyclic_cbd_mu10_avx512(lk_negacyclic_poly *f, const uint8_t in[320])
{
    cbd(f, in, 10);
}
