/* Contract of the Keccak kernels.
 *
 * A backend works on a group of `lanes` interleaved Keccak-f[1600] states: 64-bit word w (FIPS 202: A[x,y], w = x + 5y)
 * of lane l is at states[w * lanes + l], in the machine's byte order. states is aligned to LK_ALIGN, is secret, and
 * holds 25 * lanes words. All kernels run in time that depends only on their counts and masks, which are public. A
 * buffer that a kernel writes overlaps nothing else that it is given; buffers that it only reads may overlap.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SYMMETRIC_KECCAK_KERNELS_H
#define LK_SYMMETRIC_KECCAK_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LK_KECCAK_WORDS = 25,
    LK_SHA3_256_RATE = 136, /* bytes (FIPS 202 section 6) */
    LK_SHA3_512_RATE = 72,
    LK_SHAKE128_RATE = 168,
    LK_SHAKE256_RATE = 136,
    LK_KECCAK_RATE_MAX = LK_SHAKE128_RATE,
    LK_KECCAK_LANES_MAX = 8
};

typedef struct lk_keccak_kernels {
    /* States in a group, 1 to LK_KECCAK_LANES_MAX: as many as the widest permutation takes. */
    size_t lanes;

    /* 1 if two states take much less time together than one after the other, else 0. With 1 it pays to cut the
     * hashes of one operation into parts that run beside each other. */
    size_t pairs;

    /* Fewer lanes than `lanes` with a permutation that takes much less time, or 0 if there are none. If so many lanes
     * are enough to complete all jobs with the longest one, no more are used. */
    size_t narrow;

    /* Applies Keccak-f[1600] to lanes 0 .. used-1 (FIPS 202 section 3.3), 1 <= used <= lanes. The other lanes may have
     * any content afterwards, so a backend may choose the cheapest permutation that covers used. Returns used, for the
     * caller to see that it ran. */
    size_t (*permute)(uint64_t *states, size_t used);

    /* The kernels below are NULL in the small build, which reads and writes the state in place (one.c).
     *
     * Begins streams: for each lane l with its bit set in `in`, makes the state that has absorbed the seed, a nonce and
     * the padding. Words 0 to 3 are the seed's, little-endian, word 4 is ends[l], with nonce and suffix, word `last`,
     * of 5 to 24, has the last bit of the padding, which is the highest, and all others are zero. ends has an entry for
     * each lane. */
    void (*absorb_seed)(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last);

    /* Here and below the arrays have an entry for each lane; blocks[l] may be NULL where words[l] = 0. For each lane l
     * with words[l] > 0, XORs the words[l] little-endian 64-bit words at blocks[l] into the lane's first words; where
     * bit l of fresh is set, the lane counts as all zero before. blocks[l] has any alignment and exactly 8 * words[l]
     * readable bytes; a lane with words[l] = 0 is left as it is (its fresh bit is clear). words[l] <= 21. */
    void (*absorb)(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh);

    /* For each lane l with words[l] > 0, writes the lane's first words[l] words, little-endian, to blocks[l], which has
     * any alignment and 8 * words[l] writable bytes. words[l] <= 21. Returns the sum of words, for the caller to see that it ran. */
    size_t (*squeeze)(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words);
} lk_keccak_kernels;

/* The list of the kernels, each with the group under which reports add it up. */
#define LK_KECCAK_LIST(X)                                                                                              \
    X(keccak, permute, "keccak"), X(keccak, absorb_seed, "keccak"), X(keccak, absorb, "keccak"),                       \
        X(keccak, squeeze, "keccak")

/* The definition (portable.c), for one lane. */
extern const lk_keccak_kernels lk_keccak_portable;

/* LK_KECCAK_OF_TARGET is the permutation in assembly that the definition has in place of the C, where the compiler's target
 * has one. That is on microcontrollers, which do not choose at run time: Armv7-M and later with all of Thumb-2 (Cortex-M3,
 * M4, M7, M33, M55). */
#if defined(__GNUC__) && defined(__ARM_ARCH_PROFILE) && defined(__ARM_ARCH_ISA_THUMB) && !defined(__ARM_BIG_ENDIAN)
#if __ARM_ARCH_PROFILE == 'M' && __ARM_ARCH_ISA_THUMB == 2
#define LK_KECCAK_OF_TARGET lk_keccak_permute_armv7em

size_t lk_keccak_permute_armv7em(uint64_t *states, size_t used);
#endif
#endif

/* RC of each round (section 3.2.5). */
extern const uint64_t lk_keccak_round_constants[24];

#endif
