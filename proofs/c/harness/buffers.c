/* The checks of a call's buffers. SPDX-License-Identifier: Apache-2.0 */
#include "shared/buffers.h"
#include "prove.h"

enum { MOST = 4 };

/* Addresses and lengths of anything: an array ends where the address space does, at the latest. */
static lk_buffer any_buffer(void)
{
    const uintptr_t at = nondet_u64();
    const lk_buffer buffer = {(const void *)at, nondet_size(), nondet_size()};
    ASSUME(buffer.bytes <= UINTPTR_MAX - at);
    return buffer;
}

static int holds(lk_buffer b, uintptr_t address)
{
    const uintptr_t at = (uintptr_t)b.at;
    return address >= at && address - at < b.bytes;
}

void prove_overlap(void)
{
    const lk_buffer a = any_buffer(), b = any_buffer();
    const uintptr_t x = (uintptr_t)a.at, y = (uintptr_t)b.at;
    const uintptr_t address = nondet_u64(), later = x > y ? x : y;
    const int overlap = lk_overlap(a, b);
    CLAIM(overlap || !holds(a, address) || !holds(b, address), "buffers that share a byte overlap");
    CLAIM(!overlap || (holds(a, later) && holds(b, later)), "buffers that overlap share a byte");
}

void prove_check_buffers(void)
{
    lk_buffer buffers[MOST];
    const size_t count = nondet_below(MOST + 1), outputs = nondet_below(count + 1);
    int missing = 0, wrong = 0, shared = 0;
    for (size_t i = 0; i < MOST; i++) buffers[i] = any_buffer();
    for (size_t i = 0; i < count; i++) {
        missing |= !buffers[i].at && buffers[i].bytes > 0;
        wrong |= buffers[i].given != buffers[i].bytes;
        for (size_t out = 0; out < i && out < outputs; out++) shared |= lk_overlap(buffers[out], buffers[i]);
    }
    const int expected = missing ? LATKEM_ERR_ARGUMENT : wrong ? LATKEM_ERR_LENGTH : shared ? LATKEM_ERR_ARGUMENT : 0;
    CLAIM(lk_check_buffers(buffers, count, outputs) == expected, "NULL first, then lengths, then what is shared");
}
