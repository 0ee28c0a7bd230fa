/* SHA-512 with the SHA-512 instructions (FIPS 180-4 section 6.4.2). The state before a block is read again after it: in
 * registers it would be one too many, and compilers would leave it on the stack. SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/sha256.h"
#include "arch/aarch64/tables.h"
#include "arch/compilers.h"

/* Two rounds with message words w. In place of moving a to h by two, they leave the new a and b in *gh and the new e
 * and f in *cd. */
static inline void two_rounds(uint64x2_t ab, uint64x2_t *cd, uint64x2_t ef, uint64x2_t *gh, uint64x2_t w,
                              const uint64_t *k)
{
    const uint64x2_t sum = vaddq_u64(w, vld1q_u64(k));
    const uint64x2_t t1 = vsha512hq_u64(vaddq_u64(vextq_u64(sum, sum, 1), *gh), vextq_u64(ef, *gh, 1),
                                        vextq_u64(*cd, ef, 1));
    *gh = vsha512h2q_u64(t1, *cd, ab);
    *cd = vaddq_u64(*cd, t1);
}

static inline void eight_rounds(uint64x2_t s[4], const uint64x2_t w[4], const uint64_t *k)
{
    uint64x2_t ab = s[0], cd = s[1], ef = s[2], gh = s[3];
    two_rounds(ab, &cd, ef, &gh, w[0], k);
    two_rounds(gh, &ab, cd, &ef, w[1], k + 2);
    two_rounds(ef, &gh, ab, &cd, w[2], k + 4);
    two_rounds(cd, &ef, gh, &ab, w[3], k + 6);
    s[0] = ab, s[1] = cd, s[2] = ef, s[3] = gh;
}

/* W[t] and W[t + 1] from the sixteen words before. */
static inline uint64x2_t schedule(const uint64x2_t w[8], size_t i)
{
    const uint64x2_t w7 = vextq_u64(w[(i + 4) % 8], w[(i + 5) % 8], 1);
    return vsha512su1q_u64(vsha512su0q_u64(w[i], w[(i + 1) % 8]), w[(i + 7) % 8], w7);
}

static void sha512_compress(uint64_t state[8], const uint8_t *data, size_t blocks)
{
    for (; blocks > 0; blocks--, data += 128) {
        uint64x2_t s[4], w[8];
        UNROLL for (size_t i = 0; i < 4; i++) s[i] = vld1q_u64(state + 2 * i);
        UNROLL for (size_t i = 0; i < 8; i++) w[i] = vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(data + 16 * i)));
        eight_rounds(s, w, lk_sha512_k);
        eight_rounds(s, w + 4, lk_sha512_k + 8);
        for (size_t t = 16; t < 80; t += 16) {
            UNROLL for (size_t i = 0; i < 8; i++) w[i] = schedule(w, i);
            eight_rounds(s, w, lk_sha512_k + t);
            eight_rounds(s, w + 4, lk_sha512_k + t + 8);
        }
        UNROLL for (size_t i = 0; i < 4; i++) vst1q_u64(state + 2 * i, vaddq_u64(s[i], vld1q_u64(state + 2 * i)));
    }
}

const lk_sha2_kernels lk_sha2_sha512 = {
    .sha256_compress = lk_sha256_compress_c,
    .sha512_compress = sha512_compress,
};

const lk_sha2_kernels lk_sha2_sha256_sha512 = {
    .sha256_compress = lk_sha256_compress_armv8,
    .sha512_compress = sha512_compress,
};
