/* The permutation that the portable backend has for the compiler's target, against the definition in C.
 * SPDX-License-Identifier: Apache-2.0 */
#include "arch/backend.h"
#include "symmetric/keccak/single.h"
#include <latkem/backend.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int condition, const char *what, size_t number)
{
    if (condition) return;
    printf("%s, %u\n", what, (unsigned)number);
    failures++;
}

/* The multiplier is that of Knuth's MMIX; its upper bits are the better ones. */
static void fill(uint64_t *words, size_t count)
{
    static uint64_t seed = 1;
    for (size_t i = 0; i < 64 * count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        words[i / 64] = words[i / 64] << 1 | seed >> 63;
    }
}

/* Random states between two words, a state of zeros, and each of one bit. */
static void permutation(size_t (*permute)(uint64_t *states, size_t used))
{
    for (size_t i = 0; i < 100 + 1 + 64 * LK_KECCAK_WORDS; i++) {
        uint64_t around[1 + LK_KECCAK_WORDS + 1], expected[1 + LK_KECCAK_WORDS + 1];
        fill(around, LK_KECCAK_WORDS + 2);
        if (i >= 100) memset(around + 1, 0, LK_KECCAK_WORDS * sizeof around[0]);
        if (i > 100) around[1 + (i - 101) / 64] = (uint64_t)1 << (i - 101) % 64;
        memcpy(expected, around, sizeof around);
        lk_keccak_single(expected + 1);
        expect(permute(around + 1, 1) == 1, "it does not return `used`", i);
        expect(memcmp(around, expected, sizeof expected) == 0, "another state", i);
    }
}

/* The library calls the permutation native, and no other kernel. */
static void origin(void)
{
    const char *name;
    size_t found = 0;
    for (size_t i = 0; (name = latkem_kernel_at(i)); i++) {
        const int is_native = strcmp(latkem_kernel_origin(i, latkem_backend_name()), "native") == 0;
        expect(is_native == (strcmp(name, "keccak/permute") == 0), name, i);
        found += (size_t)is_native;
    }
    expect(found == 1, "native kernels", found);
}

int main(void)
{
    size_t (*const permute)(uint64_t * states, size_t used) = lk_backend_current()->symmetric.keccak->permute;
    expect(permute == LK_KECCAK_OF_TARGET, "the backend has another permutation", 0);
    permutation(permute);
    origin();
    return failures > 0;
}
