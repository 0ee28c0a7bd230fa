/* SHA-256 with the SHA-256 instructions (FIPS 180-4 section 6.2.2). SPDX-License-Identifier: Apache-2.0 */
#include <arm_neon.h>

#include "arch/aarch64/sha256.h"
#include "arch/aarch64/tables.h"
#include "arch/compilers.h"

/* Four rounds with message words w. */
static inline void four_rounds(uint32x4_t *abcd, uint32x4_t *efgh, uint32x4_t w, const uint32_t *k)
{
    const uint32x4_t sum = vaddq_u32(w, vld1q_u32(k)), before = *abcd;
    *abcd = vsha256hq_u32(before, *efgh, sum);
    *efgh = vsha256h2q_u32(*efgh, before, sum);
}

void lk_sha256_compress_armv8(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
    for (; blocks > 0; blocks--, data += 64) {
        const uint32x4_t abcd_before = abcd, efgh_before = efgh;
        uint32x4_t w[4];
        UNROLL for (size_t i = 0; i < 4; i++)
        {
            w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
            four_rounds(&abcd, &efgh, w[i], lk_sha256_k + 4 * i);
        }
        UNROLL for (size_t t = 16; t < 64; t += 16) UNROLL for (size_t i = 0; i < 4; i++)
        {
            w[i] = vsha256su1q_u32(vsha256su0q_u32(w[i], w[(i + 1) % 4]), w[(i + 2) % 4], w[(i + 3) % 4]);
            four_rounds(&abcd, &efgh, w[i], lk_sha256_k + t + 4 * i);
        }
        abcd = vaddq_u32(abcd, abcd_before);
        efgh = vaddq_u32(efgh, efgh_before);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

const lk_sha2_kernels lk_sha2_sha256 = {
    .sha256_compress = lk_sha256_compress_armv8,
    .sha512_compress = lk_sha512_compress_c,
};
