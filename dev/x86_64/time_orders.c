/* Times Keccak with each order of instructions that keccak.py wrote to orders.inc, and prints the least ticks of the
 * time stamp counter that calls back to back took, each. A wrong permutation takes forever.
 * Usage: time_orders ROUNDS. SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

#include "keccak_instructions.h"
#include "symmetric/keccak/kernels.h"
#if LANES == 8
#define VECTOR "zmm"
#define BROADCAST "%{1to8%}"
#else
#define VECTOR "ymm"
#define BROADCAST "%{1to4%}"
#endif
#include "orders.inc"

enum { WORDS = LK_KECCAK_WORDS * STRIDE, CALLS = 64, COUNT = sizeof orders / sizeof orders[0] };

static _Alignas(64) uint64_t states[WORDS];

static int is_right(void (*permute)(uint64_t *))
{
    int right = 1;
    for (size_t i = 0; i < WORDS; i++) states[i] = i * 0x9E3779B97F4A7C15;
    permute(states);
    for (size_t l = 0; l < LANES; l++) {
        uint64_t one[LK_KECCAK_WORDS];
        for (size_t w = 0; w < LK_KECCAK_WORDS; w++) one[w] = (w * STRIDE + l) * 0x9E3779B97F4A7C15;
        lk_keccak_portable.permute(one, 1);
        for (size_t w = 0; w < LK_KECCAK_WORDS; w++) right &= one[w] == states[w * STRIDE + l];
    }
    return right;
}

static double ticks(void (*permute)(uint64_t *))
{
    unsigned core;
    permute(states);
    const uint64_t start = __rdtscp(&core);
    for (int i = 0; i < CALLS; i++) permute(states);
    return (double)(__rdtscp(&core) - start) / CALLS;
}

int main(int argc, char **argv)
{
    static double least[COUNT];
    for (size_t i = 0; i < COUNT; i++) least[i] = is_right(orders[i]) ? ticks(orders[i]) : INFINITY;
    for (int round = argc > 1 ? atoi(argv[1]) : 100; round > 0; round--)
        for (size_t i = 0; i < COUNT; i++)
            least[i] = fmin(least[i], ticks(orders[i]) + (isinf(least[i]) ? INFINITY : 0));
    for (size_t i = 0; i < COUNT; i++) printf("%.2f\n", least[i]);
    return 0;
}
