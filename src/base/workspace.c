/* Stack frames of graded sizes. SPDX-License-Identifier: Apache-2.0 */
#include "base/workspace.h"

#include <stdint.h>

#include "base/wipe.h"

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __declspec(noinline)
#endif

typedef int body_fn(void *ctx, lk_arena *arena);

/* Functions that the body calls spill registers, secrets among them, below its frame. They use less than 1.5 KiB there, or
 * 3.5 KiB where there are wide vectors to spill (gcc and clang, -O2 and -O3, -fstack-usage). */
#if defined(__x86_64__) || defined(_M_X64)
enum { STACK_BELOW = 4096 };
#else
enum { STACK_BELOW = 2048 };
#endif

static NOINLINE void wipe_below(void)
{
    unsigned char below[STACK_BELOW];
    lk_wipe(below, sizeof below);
}

/* One function per frame size, kept apart so that only the chosen frame is ever on the stack. */
#define FRAME(size)                                                                                                    \
    static NOINLINE int frame_##size(size_t bytes, body_fn *body, void *ctx)                                           \
    {                                                                                                                  \
        _Alignas(LK_ALIGN) unsigned char memory[size];                                                                 \
        lk_arena arena = {memory, 0};                                                                                  \
        const int result = body(ctx, &arena);                                                                          \
        lk_wipe(memory, bytes);                                                                                        \
        wipe_below();                                                                                                  \
        return result;                                                                                                 \
    }

FRAME(512)
FRAME(4096)
FRAME(6144)
FRAME(8192)
FRAME(10240)
FRAME(12288)
FRAME(14336)
FRAME(16384)
FRAME(20480)
FRAME(24576)
FRAME(32768)
FRAME(40960)
FRAME(49152)
FRAME(65536)
FRAME(98304)
FRAME(131072)
FRAME(196608)

static const struct {
    size_t size;
    int (*run)(size_t bytes, body_fn *body, void *ctx);
} frames[] = {
    {512, frame_512},       {4096, frame_4096},     {6144, frame_6144},   {8192, frame_8192},   {10240, frame_10240},
    {12288, frame_12288},   {14336, frame_14336},   {16384, frame_16384}, {20480, frame_20480}, {24576, frame_24576},
    {32768, frame_32768},   {40960, frame_40960},   {49152, frame_49152}, {65536, frame_65536}, {98304, frame_98304},
    {131072, frame_131072}, {196608, frame_196608},
};

int lk_with_workspace(body_fn *body, void *ctx)
{
    lk_arena counted = {NULL, 0};
    size_t i = 0;
    (void)body(ctx, &counted);
    while (frames[i].size < counted.used) i++;
    return frames[i].run(counted.used, body, ctx);
}
