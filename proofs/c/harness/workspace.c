/* The workspace of an operation. SPDX-License-Identifier: Apache-2.0 */
#include "prove.h"

/* In place of shared/wipe.h: notes what is wiped, which is out of scope when the call returns. */
#define LK_SHARED_WIPE_H
static void *frame;
static size_t frame_wiped, below_wiped;

static void lk_wipe(void *p, size_t len)
{
    CLAIM(WRITABLE(p, len), "wipes its own memory alone");
    if (frame && __CPROVER_same_object(p, frame)) {
        CLAIM(p == frame, "wipes from the first piece on");
        frame_wiped = len;
    } else {
        below_wiped = len;
    }
}

#include "base/workspace.c"

/* An operation of two pieces, as large as may be. */
typedef struct {
    size_t bytes[2];
    uint8_t *pieces[2];
    size_t takes;
    int result;
} pieces;

static void take(void *ctx, lk_arena *arena)
{
    pieces *p = ctx;
    for (size_t i = 0; i < 2; i++) p->pieces[i] = lk_take(arena, p->bytes[i]);
    p->takes++;
    if (p->takes == 1) {
        CLAIM(!p->pieces[0] && !p->pieces[1], "the first arena only counts");
        return;
    }
    frame = p->pieces[0];
}

static int run(void *ctx)
{
    const pieces *p = ctx;
    CLAIM(p->takes == 2, "the pieces are taken before the operation runs");
    for (size_t i = 0; i < 2; i++) {
        CLAIM(WRITABLE(p->pieces[i], p->bytes[i]), "a piece lies in the workspace");
        CLAIM(__CPROVER_POINTER_OFFSET(p->pieces[i]) % LK_ALIGN == 0, "a piece is aligned");
        if (i > 0) CLAIM(p->pieces[i - 1] + p->bytes[i - 1] <= p->pieces[i], "pieces share no byte");
    }
    CLAIM(frame_wiped == 0 && below_wiped == 0, "nothing is wiped before the operation has run");
    return p->result;
}

static size_t aligned(size_t bytes)
{
    return (bytes + LK_ALIGN - 1) / LK_ALIGN * LK_ALIGN;
}

/* Memory of any alignment. */
static unsigned char *any_memory(size_t used)
{
    const size_t before = nondet_size();
    unsigned char *memory = malloc(LK_ALIGN + used + LK_ALIGN - 1);
    ASSUME(memory && before < LK_ALIGN);
    return memory + LK_ALIGN - before;
}

void prove_workspace(void)
{
    pieces p = {.bytes = {nondet_size(), nondet_size()}, .result = nondet_int()};
    for (size_t i = 0; i < 2; i++) ASSUME(p.bytes[i] <= LK_WORKSPACE_MAX);
    const size_t used = aligned(p.bytes[0]) + aligned(p.bytes[1]);
    ASSUME(used <= LK_WORKSPACE_MAX);
    lk_arena given = {any_memory(used), 0};
    CLAIM(lk_in_workspace(nondet_int() ? &given : NULL, 0, take, run, &p) == p.result,
          "returns what the operation returned");
    CLAIM(frame_wiped == used, "wipes all that the operation took");
    CLAIM(below_wiped == STACK_BELOW, "wipes below the frame");
}

void prove_workspace_counted(void)
{
    pieces p = {.bytes = {nondet_size(), nondet_size()}, .result = 1};
    for (size_t i = 0; i < 2; i++) ASSUME(p.bytes[i] <= LK_WORKSPACE_MAX);
    const size_t used = aligned(p.bytes[0]) + aligned(p.bytes[1]);
    ASSUME(used <= LK_WORKSPACE_MAX);
    lk_arena given = {NULL, 0};
    CLAIM(lk_in_workspace(&given, 0, take, run, &p) == 0, "the operation does not run");
    CLAIM(given.used == used && p.takes == 1, "counts what the operation takes");
    CLAIM(frame_wiped == 0 && below_wiped == 0, "uses no stack to be wiped");
}
