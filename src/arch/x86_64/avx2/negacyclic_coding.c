/* Packing, rounding and sampling of polynomials modulo X^256 + 1 for AVX2. SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/avx2/negacyclic.h"
#include "arch/x86_64/avx2/packing.h"
#include "base/bytes.h"

enum { LANES = 16, REGISTERS = LK_NEGACYCLIC_N / LANES, H1 = 4 };

static inline __m256i load(const lk_negacyclic_poly *f, size_t i)
{
    return _mm256_loadu_si256((const __m256i *)&f->c[LANES * i]);
}

static inline void store(lk_negacyclic_poly *f, size_t i, __m256i v)
{
    _mm256_storeu_si256((__m256i *)&f->c[LANES * i], v);
}

static inline __m256i low_bits(__m256i v, unsigned d)
{
    return _mm256_and_si256(v, _mm256_set1_epi16((short)((1 << d) - 1)));
}

void lk_negacyclic_pack_d13_avx2(uint8_t out[416], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) store_packed(out, i, low_bits(load(f, i), 13), 13);
}

void lk_negacyclic_unpack_d13_avx2(lk_negacyclic_poly *f, const uint8_t in[416])
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, load_packed(in, i, 13));
}

void lk_negacyclic_unpack_d10_avx2(lk_negacyclic_poly *f, const uint8_t in[320])
{
    for (size_t i = 0; i < REGISTERS; i++) store(f, i, low_bits(load_packed(in, i, 10), 10));
}

void lk_negacyclic_round_d10_avx2(uint8_t out[320], const lk_negacyclic_poly *f)
{
    for (size_t i = 0; i < REGISTERS; i++) {
        const __m256i rounded = _mm256_srli_epi16(_mm256_add_epi16(load(f, i), _mm256_set1_epi16(H1)), 3);
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
        const __m256i noisy = _mm256_sub_epi16(_mm256_add_epi16(load(v, i), h1), message);
        store_packed(out, i, low_bits(_mm256_srli_epi16(noisy, 10 - (int)d), d), d);
    }
}

void lk_negacyclic_encrypt_d3_avx2(uint8_t out[96], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 3);
}

void lk_negacyclic_encrypt_d4_avx2(uint8_t out[128], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 4);
}

void lk_negacyclic_encrypt_d6_avx2(uint8_t out[192], const lk_negacyclic_poly *v, const uint8_t m[32])
{
    encrypt(out, v, m, 6);
}

/* The message bit 9 becomes the sign of a word, then that of a byte; packing works in halves, whose order the permutation
 * repairs. */
static inline __m256i decrypt_register(const lk_negacyclic_poly *v, const uint8_t *in, size_t i, unsigned d)
{
    const __m256i h2 = _mm256_set1_epi16((short)(256 - (512 >> d) + H1));
    const __m256i c = _mm256_slli_epi16(low_bits(load_packed(in, i, d), d), 10 - (int)d);
    const __m256i noisy = _mm256_sub_epi16(_mm256_add_epi16(load(v, i), h2), c);
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

void lk_negacyclic_decrypt_d3_avx2(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[96])
{
    decrypt(m, v, in, 3);
}

void lk_negacyclic_decrypt_d4_avx2(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[128])
{
    decrypt(m, v, in, 4);
}

void lk_negacyclic_decrypt_d6_avx2(uint8_t m[32], const lk_negacyclic_poly *v, const uint8_t in[192])
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
        store(f, i, _mm256_sub_epi16(low_bits(sums, mu / 2), _mm256_srli_epi16(sums, half)));
    }
}

void lk_negacyclic_cbd_mu6_avx2(lk_negacyclic_poly *f, const uint8_t in[192])
{
    cbd(f, in, 6);
}

void lk_negacyclic_cbd_mu8_avx2(lk_negacyclic_poly *f, const uint8_t in[256])
{
    cbd(f, in, 8);
}

void lk_negacyclic_cbd_mu10_avx2(lk_negacyclic_poly *f, const uint8_t in[320])
{
    cbd(f, in, 10);
}
