/* AES-256 in counter mode with the AES instructions (FIPS 197). SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/tables.h"
#include "arch/compilers.h"
#include "base/bytes.h"

enum { ROUNDS = 14 };

/* x with every word the XOR of itself and the words before it. */
static inline uint32x4_t prefix_xor(uint32x4_t x)
{
    const uint32x4_t zero = vdupq_n_u32(0);
    x = veorq_u32(x, vextq_u32(zero, x, 3));
    return veorq_u32(x, vextq_u32(zero, x, 2));
}

/* SubBytes of four equal columns, which ShiftRows leaves as they are. */
static inline uint32x4_t sub_bytes(uint8x16_t columns)
{
    return vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0)));
}

/* Section 5.2; a key is kept as its 15 round keys in order. The S-box is applied to RotWord of the last word for even
 * round keys, to the word itself for odd ones. */
static void expand_key(lk_aes256_key *expanded, const uint8_t key[32])
{
    const uint8x16_t rotated = vreinterpretq_u8_u32(vdupq_n_u32(0x0C0F0E0D));
    uint32_t *keys = (uint32_t *)expanded->words;
    uint32x4_t even = vreinterpretq_u32_u8(vld1q_u8(key)), odd = vreinterpretq_u32_u8(vld1q_u8(key + 16));
    uint32x4_t rcon = vdupq_n_u32(1);
    vst1q_u32(keys, even);
    vst1q_u32(keys + 4, odd);
    for (size_t i = 2; i <= ROUNDS; i += 2) {
        const uint32x4_t turned = sub_bytes(vqtbl1q_u8(vreinterpretq_u8_u32(odd), rotated));
        even = veorq_u32(prefix_xor(even), veorq_u32(turned, rcon));
        vst1q_u32(keys + 4 * i, even);
        rcon = vshlq_n_u32(rcon, 1);
        if (i == ROUNDS) break;
        odd = veorq_u32(prefix_xor(odd), sub_bytes(vreinterpretq_u8_u32(vdupq_laneq_u32(even, 3))));
        vst1q_u32(keys + 4 * i + 4, odd);
    }
}

static inline uint8x16_t round_key(const lk_aes256_key *key, size_t round)
{
    return vld1q_u8((const uint8_t *)key->words + 16 * round);
}

/* The block of a counter. The bytes of the counter block's words are in reverse order, so that it can be added to. */
static inline uint8x16_t counter_block(uint32x4_t *next)
{
    const uint32x4_t one = {0, 0, 0, 1}, counter = *next;
    *next = vaddq_u32(counter, one);
    return vrev32q_u8(vreinterpretq_u8_u32(counter));
}

/* The last round has no MixColumns. */
static inline uint8x16_t last_round(uint8x16_t x, const lk_aes256_key *key)
{
    return veorq_u8(vaeseq_u8(x, round_key(key, ROUNDS - 1)), round_key(key, ROUNDS));
}

/* Encrypts the next eight counters, or four. */
static inline __attribute__((always_inline)) void encrypt_several(uint8_t *out, int eight, const lk_aes256_key *key,
                                                                  uint32x4_t *next)
{
    const size_t n = eight ? 8 : 4;
    uint8x16_t x[8];
    UNROLL for (size_t i = 0; i < n; i++) x[i] = counter_block(next);
    UNROLL for (size_t round = 0; round < ROUNDS - 1; round++)
    {
        const uint8x16_t k = round_key(key, round);
        UNROLL for (size_t i = 0; i < n; i++) x[i] = vaesmcq_u8(vaeseq_u8(x[i], k));
    }
    UNROLL for (size_t i = 0; i < n; i++) x[i] = last_round(x[i], key);
    UNROLL for (size_t i = 0; i < n; i++) vst1q_u8(out + 16 * i, x[i]);
}

static inline void encrypt_one(uint8_t *out, const lk_aes256_key *key, uint32x4_t *next)
{
    uint8x16_t x = counter_block(next);
    UNROLL for (size_t round = 0; round < ROUNDS - 1; round++) x = vaesmcq_u8(vaeseq_u8(x, round_key(key, round)));
    vst1q_u8(out, last_round(x, key));
}

/* Eight blocks in flight, then four: the schemes ask for multiples of four. */
static void ctr(uint8_t *out, size_t blocks, const lk_aes256_key *key, const uint8_t nonce[12], uint32_t counter)
{
    uint32x4_t next = {lk_load32_be(nonce), lk_load32_be(nonce + 4), lk_load32_be(nonce + 8), counter};
    for (; blocks >= 8; blocks -= 8, out += 128) encrypt_several(out, 1, key, &next);
    for (; blocks >= 4; blocks -= 4, out += 64) encrypt_several(out, 0, key, &next);
    for (; blocks > 0; blocks--, out += 16) encrypt_one(out, key, &next);
}

const lk_aes_kernels lk_aes_armv8 = {
    .instructions = 1,
    .expand_key = expand_key,
    .ctr = ctr,
};
