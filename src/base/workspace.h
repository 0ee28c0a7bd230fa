/* One workspace per operation, as large as the operation needs, wiped at one exit.
 *
 * An operation takes its pieces from an arena in a function of its own. On an arena without memory that function only
 * adds up their size; lk_with_workspace then provides that much stack, takes the pieces of it and runs the operation.
 * So a small parameter set does not pay for a large one's stack, and there is no list of buffers to wipe.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_BASE_WORKSPACE_H
#define LK_BASE_WORKSPACE_H

#include <stddef.h>
#include <stdint.h>

/* Alignment of every piece, in bytes: a cache line and a 512-bit vector, or in the small build a word of 64 bits. */
#if defined(LATKEM_SMALL)
#define LK_ALIGN 8
#else
#define LK_ALIGN 64
#endif

/* Bytes of stack that the callees of an operation's run use at most in the small build on 32-bit machines, if it hashes with
 * Keccak: as painted on Cortex-M0 and -M4 (gcc, -Os, -O2 and -O3). 0: another build. */
#if defined(LATKEM_SMALL) && UINTPTR_MAX == UINT32_MAX
enum { LK_BELOW_KECCAK = 512 };
#else
enum { LK_BELOW_KECCAK = 0 };
#endif

/* The bytes that a piece of so many takes, a constant. */
#define LK_ALIGNED(bytes) (((bytes) + LK_ALIGN - 1) / LK_ALIGN * LK_ALIGN)

/* The largest workspace, in bytes. The operations of every set fit, in the groups that it allows (tests/api). */
#define LK_WORKSPACE_MAX 91648

typedef struct lk_arena {
    unsigned char *base; /* NULL: only count */
    size_t used;
} lk_arena;

/* lk_take returns the next bytes of the arena, aligned to LK_ALIGN, or NULL if the arena only counts. clang's analyser
 * is not shown how, because it would carry NULL from the run that counts to the one that has memory. */
#if defined(__clang_analyzer__)
void *lk_take(lk_arena *arena, size_t bytes);
#else
static inline void *lk_take(lk_arena *arena, size_t bytes)
{
    void *piece = arena->base ? arena->base + arena->used : NULL;
    arena->used += (bytes + LK_ALIGN - 1) & ~(size_t)(LK_ALIGN - 1);
    return piece;
}
#endif

/* lk_with_workspace calls take(ctx, arena) twice: with an arena that only counts, then with one of as much
 * uninitialised stack. Then it calls run(ctx), wipes that stack and what the callees of run used below it, and returns what run
 * returned. An operation that needs more than LK_WORKSPACE_MAX is a mistake of the library's, and ends the program.
 *
 * In lk_in_workspace, below is the stack that the callees of run use at most, or 0: as much as any operation's. It does so in the
 * caller's memory: given->base, of any alignment, with LK_ALIGN - 1 bytes more than
 * are counted. A given arena without memory is for counting alone: its `used` becomes the count, run is not called, and
 * the result is 0. With NULL it is lk_with_workspace. */
int lk_in_workspace(lk_arena *given, size_t below, void (*take)(void *ctx, lk_arena *arena), int (*run)(void *ctx),
                    void *ctx);

static inline int lk_with_workspace(void (*take)(void *ctx, lk_arena *arena), int (*run)(void *ctx), void *ctx)
{
    return lk_in_workspace(NULL, 0, take, run, ctx);
}

#endif
