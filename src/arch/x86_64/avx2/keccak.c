/* Keccak with AVX2: four states in 256-bit registers, a single one in general registers with BMI's rotation and
 * and-not. SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/keccak_rounds.h"
#include "arch/x86_64/keccak_ymm.h"
#include "arch/x86_64/tables.h"
#include "symmetric/keccak/single.h"

enum { LANES = 4 };

/* Sets a row's words of the lanes that are all ones. */
static inline void set_lanes(uint64_t *row, __m256i lanes, __m256i x)
{
    store_row(row, _mm256_blendv_epi8(load_row(row), x, lanes));
}

static void permute_x1(uint64_t *states)
{
    uint64_t s[LK_KECCAK_WORDS];
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) s[w] = states[w * LANES];
    lk_keccak_single(s);
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) states[w * LANES] = s[w];
}

/* Of each word: the byte that comes to each place if all move up so many, around its end. */
static inline __m256i bytes_up(unsigned bytes)
{
    const uint64_t in_place = 0x0706050403020100, word = in_place << 8 * bytes | in_place >> (64 - 8 * bytes);
    const long long first = (long long)word, second = first + 0x0808080808080808;
    return _mm256_setr_epi64x(first, second, first, second);
}

/* Whole bytes are moved by one instruction, other rotations take three. */
static inline __m256i rotate(__m256i x, const int n)
{
    if (n == 0) return x;
    if (n % 8 == 0) return _mm256_shuffle_epi8(x, bytes_up(n / 8));
    return _mm256_or_si256(_mm256_slli_epi64(x, n), _mm256_srli_epi64(x, 64 - n));
}

#define XOR(x, y) _mm256_xor_si256(x, y)
#define XOR3(x, y, z) XOR(x, XOR(y, z))
#define CHI(x, y, z) XOR(x, _mm256_andnot_si256(y, z))
#define ROTL(x, n) rotate(x, n)
#define CONSTANT(rc) _mm256_set1_epi64x((long long)(rc))
#define LOAD(w) s[w] = load_row(states + (w)*LANES)
#define STORE(w) store_row(states + (w)*LANES, s[w])

static void permute_x4(uint64_t *states)
{
    __m256i s[LK_KECCAK_WORDS];
    FOR_ALL_WORDS(LOAD);
    for (size_t round = 0; round < 24; round += 4) FOUR_ROUNDS(__m256i, lk_keccak_round_constants + round);
    FOR_ALL_WORDS(STORE);
}

static size_t permute(uint64_t *states, size_t used)
{
    if (used == 1)
        permute_x1(states);
    else
        permute_x4(states);
    return used;
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    const __m256i lanes = lane_mask(in);
    for (size_t w = 0; w < 4; w++) set_lanes(states + w * LANES, lanes, _mm256_set1_epi64x(load_word(seed + 8 * w)));
    set_lanes(states + 4 * LANES, lanes, _mm256_loadu_si256((const __m256i *)ends));
    for (size_t w = 5; w < LK_KECCAK_WORDS; w++) set_lanes(states + w * LANES, lanes, _mm256_setzero_si256());
    set_lanes(states + last * LANES, lanes, _mm256_set1_epi64x(INT64_MIN));
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    absorb_ymm(states, LANES, blocks, words, fresh);
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    squeeze_ymm(blocks, states, LANES, words);
    return words[0] + words[1] + words[2] + words[3];
}

const lk_keccak_kernels lk_keccak_avx2 = {
    .lanes = 4,
    .permute = permute,
    .absorb_seed = absorb_seed,
    .absorb = absorb,
    .squeeze = squeeze,
};
