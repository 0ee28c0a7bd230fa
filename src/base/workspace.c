/* Stack frames of graded sizes. SPDX-License-Identifier: Apache-2.0 */
#include "base/workspace.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/wipe.h"

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __declspec(noinline)
#endif

typedef struct {
    void (*take)(void *ctx, lk_arena *arena);
    int (*run)(void *ctx);
    void *ctx;
} operation;

/* Functions that an operation calls spill registers, secrets among them, below its frame. They use less than 1.5 KiB
 * there, or 3.5 KiB where there are wide vectors to spill (gcc and clang, -O2 and -O3, -fstack-usage). */
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
    static NOINLINE int frame_##size(size_t bytes, const operation *o)                                                 \
    {                                                                                                                  \
        _Alignas(LK_ALIGN) unsigned char memory[size];                                                                 \
        lk_arena arena = {memory, 0};                                                                                  \
        o->take(o->ctx, &arena);                                                                                       \
        const int result = o->run(o->ctx);                                                                             \
        lk_wipe(memory, bytes);                                                                                        \
        wipe_below();                                                                                                  \
        return result;                                                                                                 \
    }

/* Ascending. Close to each other where a set needs nearly all that an operation may take (api/sets.inc). */
#define FRAMES(F)                                                                                                      \
    F(512)                                                                                                             \
    F(1024)                                                                                                            \
    F(4096)                                                                                                            \
    F(6144)                                                                                                            \
    F(8192)                                                                                                            \
    F(10240)                                                                                                           \
    F(12288)                                                                                                           \
    F(14336)                                                                                                           \
    F(16384)                                                                                                           \
    F(20480)                                                                                                           \
    F(24576)                                                                                                           \
    F(28672)                                                                                                           \
    F(32768)                                                                                                           \
    F(36864)                                                                                                           \
    F(40960)                                                                                                           \
    F(45056)                                                                                                           \
    F(49152)                                                                                                           \
    F(54272)                                                                                                           \
    F(61440)                                                                                                           \
    F(65536)                                                                                                           \
    F(71680)                                                                                                           \
    F(73728)                                                                                                           \
    F(77824)                                                                                                           \
    F(83968)                                                                                                           \
    F(84736)                                                                                                           \
    F(90112)

FRAMES(FRAME)

#define ROW(size) {size, frame_##size},
static const struct {
    size_t size;
    int (*run)(size_t bytes, const operation *o);
} frames[] = {FRAMES(ROW)};

enum { COUNT = sizeof frames / sizeof frames[0] };

/* Memory beyond the last frame is the caller's: rather no library than that. */
static _Noreturn void too_large(void)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_trap();
#else
    abort();
#endif
}

int lk_with_workspace(void (*take)(void *ctx, lk_arena *arena), int (*run)(void *ctx), void *ctx)
{
    const operation o = {take, run, ctx};
    lk_arena counted = {NULL, 0};
    size_t i = 0;
    take(ctx, &counted);
    while (i < COUNT && frames[i].size < counted.used) i++;
    if (i == COUNT) too_large();
    return frames[i].run(counted.used, &o);
}
