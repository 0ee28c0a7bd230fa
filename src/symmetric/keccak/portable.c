/* Keccak in portable C, one lane. SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/bytes.h"
#include "base/families.h"
#include "symmetric/keccak/single.h"

const uint64_t lk_keccak_round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000, 0x000000000000808B,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008A, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000A, 0x000000008000808B, 0x800000000000008B, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

#if defined(LK_KECCAK_OF_TARGET)
#define PERMUTE LK_KECCAK_OF_TARGET
#else
#define PERMUTE permute

static size_t permute(uint64_t *states, size_t used)
{
    lk_keccak_single(states);
    return used;
}
#endif

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    if (!in) return;
    memset(states, 0, LK_KECCAK_WORDS * sizeof *states);
    for (size_t w = 0; w < 4; w++) states[w] = lk_load64_le(seed + 8 * w);
    states[4] = ends[0];
    states[last] = (uint64_t)1 << 63;
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    if (words[0] == 0) return;
    if (fresh) memset(states, 0, LK_KECCAK_WORDS * sizeof *states);
    for (size_t w = 0; w < words[0]; w++) states[w] ^= lk_load64_le(blocks[0] + 8 * w);
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    size_t w = 0;
    for (; w < words[0]; w++) lk_store64_le(blocks[0] + 8 * w, states[w]);
    return w;
}

const lk_keccak_kernels lk_keccak_portable = {
    .lanes = 1,
    .permute = PERMUTE,
    .absorb_seed = LK_USED(!LK_IS_SMALL, absorb_seed),
    .absorb = LK_USED(!LK_IS_SMALL, absorb),
    .squeeze = LK_USED(!LK_IS_SMALL, squeeze),
};
