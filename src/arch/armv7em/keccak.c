/* The rounds are assembly, which dev/armv7em/keccak.py writes. They have a state in halves, in the order and with the
 * rotations that they want between two rounds. SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/keccak/kernels.h"

#if defined(LK_KECCAK_OF_TARGET)

#include "arch/compilers.h"
#include "shared/ct.h"

enum { HALVES = 2 * LK_KECCAK_WORDS };

/* Of a word in a state of halves: the places of its even bits and of its odd ones, by how much they are rotated right to
 * come to their places there, and by how much to come back, which makes 32. */
typedef struct {
    uint8_t even, odd, even_turn, odd_turn, even_back, odd_back;
} place;

static const place places[LK_KECCAK_WORDS] = {
#include "arch/armv7em/keccak_halves.inc"
};

#define NOINLINE __attribute__((noinline))
#define UNSEEN __attribute__((unused)) /* by the compiler */

/* All rounds on a state of halves; `other` is memory for a second one. Returns 0, for the caller to see that all ran. The
 * compiler makes no frame, because the text saves and returns by itself. `used` says that there may be callers which it
 * does not see, so it leaves out no argument. */
__attribute__((naked, used)) static size_t rounds(UNSEEN uint32_t state[HALVES], UNSEEN void *other)
{
    __asm__(".syntax unified\n"
#include "arch/armv7em/keccak_rounds.inc"
    );
}

static ALWAYS_INLINE uint32_t rotated(uint32_t x, unsigned distance)
{
    return x >> distance | x << (-distance & 31);
}

/* Exchanges the bits of one that are `distance` above a bit of the mask with the bits of other in the mask. */
static ALWAYS_INLINE void exchange(uint32_t *one, uint32_t *other, unsigned distance, uint32_t mask)
{
    const uint32_t differ = (*one >> distance ^ *other) & mask;
    *other ^= differ;
    *one ^= differ << distance;
}

/* Takes the halves of all words apart. Each exchange swaps a bit of a bit's place, of five within a half, with that of
 * the half: at the end the lowest one of six has become the half. Returns where the state is, for the caller to compare.
 * Not inlined, as `put_together`, because gcc would compute the address of each half anew from the stack pointer. */
static NOINLINE size_t take_apart(uint32_t *state, const uint64_t *words)
{
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) {
        const place at = places[w];
        uint32_t even = (uint32_t)words[w], odd = (uint32_t)(words[w] >> 32);
        exchange(&even, &odd, 16, 0x0000FFFF);
        exchange(&even, &odd, 8, 0x00FF00FF);
        exchange(&even, &odd, 4, 0x0F0F0F0F);
        exchange(&even, &odd, 2, 0x33333333);
        exchange(&even, &odd, 1, 0x55555555);
        state[at.even] = rotated(even, at.even_turn);
        state[at.odd] = rotated(odd, at.odd_turn);
    }
    return lk_barrier_size((size_t)(uintptr_t)state);
}

static NOINLINE void put_together(uint64_t *words, const uint32_t *state)
{
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) {
        const place at = places[w];
        uint32_t even = rotated(state[at.even], at.even_back), odd = rotated(state[at.odd], at.odd_back);
        exchange(&even, &odd, 1, 0x55555555);
        exchange(&even, &odd, 2, 0x33333333);
        exchange(&even, &odd, 4, 0x0F0F0F0F);
        exchange(&even, &odd, 8, 0x00FF00FF);
        exchange(&even, &odd, 16, 0x0000FFFF);
        words[w] = even | (uint64_t)odd << 32;
    }
}

size_t lk_keccak_permute_armv7em(uint64_t *states, size_t used)
{
    uint32_t state[HALVES];
    const size_t astray = take_apart(state, states) - (size_t)(uintptr_t)state;
    const size_t left = rounds(state, states);
    put_together(states, state);
    return used + left + astray;
}

#endif
