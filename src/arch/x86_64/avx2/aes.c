/* AES-256 in counter mode with the AES instructions (FIPS 197). SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/aes.h"
#include "arch/x86_64/tables.h"
#include "base/bytes.h"

enum { ROUNDS = 14, PARALLEL = 4 /* blocks in flight: the schemes ask for multiples of four */ };

/* x with every word the XOR of itself and the words before it. */
static inline __m128i prefix_xor(__m128i x)
{
    x = _mm_xor_si128(x, _mm_slli_si128(x, 4));
    return _mm_xor_si128(x, _mm_slli_si128(x, 8));
}

/* The next round key: before is the one two back, chosen the S-box's input in each column (ShiftRows leaves four equal
 * columns as they are), rcon the round constant in each. */
static inline __m128i next_key(__m128i before, __m128i chosen, __m128i rcon)
{
    return _mm_xor_si128(prefix_xor(before), _mm_aesenclast_si128(chosen, rcon));
}

/* Section 5.2. The S-box is applied to RotWord of the last word for even round keys, to the word itself for odd
 * ones. */
void lk_aes256_expand_key_aesni(lk_aes256_key *expanded, const uint8_t key[32])
{
    const __m128i rotated = _mm_set1_epi32(0x0C0F0E0D), last = _mm_set1_epi32(0x0F0E0D0C);
    __m128i *keys = (__m128i *)expanded->words;
    __m128i even = _mm_loadu_si128((const __m128i *)key), odd = _mm_loadu_si128((const __m128i *)(key + 16));
    __m128i rcon = _mm_set1_epi32(1);
    _mm_store_si128(keys, even);
    _mm_store_si128(keys + 1, odd);
    for (size_t i = 2; i <= ROUNDS; i += 2) {
        even = next_key(even, _mm_shuffle_epi8(odd, rotated), rcon);
        _mm_store_si128(keys + i, even);
        rcon = _mm_slli_epi32(rcon, 1);
        if (i == ROUNDS) break;
        odd = next_key(odd, _mm_shuffle_epi8(even, last), _mm_setzero_si128());
        _mm_store_si128(keys + i + 1, odd);
    }
}

static void ctr(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12], uint32_t counter)
{
    const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m128i one = _mm_set_epi32(1, 0, 0, 0);
    const __m128i *keys = (const __m128i *)key->words;
    __m128i next = _mm_set_epi32((int)counter, (int)lk_load32_le(nonce + 8), (int)lk_load32_le(nonce + 4),
                                 (int)lk_load32_le(nonce));
    while (blocks > 0) {
        __m128i x[PARALLEL];
        const size_t n = blocks < PARALLEL ? blocks : PARALLEL;
        for (size_t i = 0; i < PARALLEL; i++) {
            x[i] = _mm_xor_si128(_mm_shuffle_epi8(next, big_endian), keys[0]);
            next = _mm_add_epi32(next, one);
        }
        for (size_t round = 1; round < ROUNDS; round++)
            for (size_t i = 0; i < PARALLEL; i++) x[i] = _mm_aesenc_si128(x[i], keys[round]);
        for (size_t i = 0; i < PARALLEL; i++) x[i] = _mm_aesenclast_si128(x[i], keys[ROUNDS]);
        for (size_t i = 0; i < n; i++) _mm_storeu_si128((__m128i *)(out + 16 * i), x[i]);
        out += 16 * n;
        blocks -= n;
    }
}

const lk_aes_kernels lk_aes_aesni = {
    .instructions = 1,
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = ctr,
};
