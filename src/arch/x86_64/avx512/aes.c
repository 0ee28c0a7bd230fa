/* AES-256 in counter mode, four blocks in one register (FIPS 197). SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#include "arch/x86_64/aes.h"
#include "arch/x86_64/tables.h"
#include "base/bytes.h"

enum { ROUNDS = 14, PARALLEL = 3 /* registers in flight: the schemes ask for 8, 12 or 36 blocks */ };

static void ctr(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12], uint32_t counter)
{
    const __m512i big_endian = _mm512_broadcast_i32x4(
        _mm_set_epi8(12, 13, 14, 15, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    const __m512i four = _mm512_broadcast_i32x4(_mm_set_epi32(4, 0, 0, 0));
    __m512i keys[ROUNDS + 1];
    __m512i next = _mm512_broadcast_i32x4(_mm_set_epi32((int)counter, (int)lk_load32_le(nonce + 8),
                                                        (int)lk_load32_le(nonce + 4), (int)lk_load32_le(nonce)));
    next = _mm512_add_epi32(next, _mm512_set_epi32(3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0));
    for (size_t i = 0; i <= ROUNDS; i++)
        keys[i] = _mm512_broadcast_i32x4(_mm_load_si128((const __m128i *)key->words + i));
    while (blocks > 0) {
        __m512i x[PARALLEL];
        const size_t n = blocks < 4 * PARALLEL ? blocks : 4 * PARALLEL;
        const uint64_t words = ((uint64_t)1 << 2 * n) - 1;
        for (size_t i = 0; i < PARALLEL; i++) {
            x[i] = _mm512_xor_si512(_mm512_shuffle_epi8(next, big_endian), keys[0]);
            next = _mm512_add_epi32(next, four);
        }
        for (size_t round = 1; round < ROUNDS; round++)
            for (size_t i = 0; i < PARALLEL; i++) x[i] = _mm512_aesenc_epi128(x[i], keys[round]);
        for (size_t i = 0; i < PARALLEL; i++) x[i] = _mm512_aesenclast_epi128(x[i], keys[ROUNDS]);
        for (size_t i = 0; 4 * i < n; i++) _mm512_mask_storeu_epi64(out + 64 * i, (__mmask8)(words >> 8 * i), x[i]);
        out += 16 * n;
        blocks -= n;
    }
}

const lk_aes_kernels lk_aes_vaes = {
    .instructions = 1,
    .expand_key = lk_aes256_expand_key_aesni,
    .ctr = ctr,
};
