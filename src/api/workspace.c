/* Operations in the caller's memory. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/workspace.h>

#include "api/kem.h"
#include "base/workspace.h"
#include "shared/buffers.h"
#include "shared/wipe.h"

/* ---- How much ---- */

static size_t counted(const latkem_kem *kem, const lk_backend *b, lk_request_fn *function)
{
    lk_arena arena = {NULL, 0};
    const lk_request request = {.b = b, .row = kem->row, .n = 1, .arena = &arena};
    (void)function(&request);
    return arena.used;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t counted_on(const latkem_kem *kem, const lk_backend *b)
{
    return most(counted(kem, b, lk_keypair_of(kem)),
                most(counted(kem, b, lk_encaps_of(kem)), counted(kem, b, lk_decaps_of(kem))));
}

/* Not those of liblatkem-protocol. */
static int is_of_the_core(const latkem_kem *kem)
{
    return kem && !kem->functions;
}

size_t latkem_workspace_bytes(const latkem_kem *kem)
{
    const lk_backend *b, *left = lk_backend_current(); /* which the list may lack */
    size_t used = 0;
    if (!is_of_the_core(kem)) return 0;
    for (size_t i = 0; (b = lk_backend_list(i)); i++) {
        used = most(used, counted_on(kem, b));
        if (b == left) left = NULL;
    }
    if (left) used = most(used, counted_on(kem, left));
    return used + LK_ALIGN - 1;
}

/* ---- Operations ---- */

/* Further bytes behind a workspace are no part of it. */
static lk_buffer workspace_of(const latkem_kem *kem, const void *at, size_t len)
{
    const size_t bytes = latkem_workspace_bytes(kem);
    return (lk_buffer){at, bytes, len < bytes ? len : bytes};
}

static int check(const latkem_kem *kem, const lk_buffer *buffers, size_t count, size_t outputs)
{
    return is_of_the_core(kem) ? lk_check_buffers(buffers, count, outputs) : LATKEM_ERR_ARGUMENT;
}

/* An initialiser, because a function's value would take the stack of a second request. */
#define REQUEST(kem, arena_, ...)                                                                                      \
    {                                                                                                                  \
        .b = lk_backend_current(), .row = (kem)->row, .n = 1, .arena = arena_, .io = { __VA_ARGS__ }                   \
    }

/* lk_answer, and nothing stays in the workspace: the operation may have used a part, and wiped that alone. */
static int answer(int result, void *workspace, lk_buffer is, uint8_t *out1, size_t len1, uint8_t *out2, size_t len2)
{
    if (workspace) lk_wipe(workspace, is.given);
    return lk_answer(result, out1, len1, out2, len2);
}

int latkem_keypair_derand_in(void *workspace, size_t workspace_len, const latkem_kem *kem, uint8_t *ek, uint8_t *dk,
                             const uint8_t *seed, size_t seed_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {workspace_of(kem, workspace, workspace_len),
                                 lk_buffer_of(ek, s->ek),
                                 lk_buffer_of(dk, s->dk),
                                 {seed, lk_total(s->seed), seed_len}};
    int result = check(kem, buffers, 4, 3);
    if (!result) {
        lk_arena arena = {workspace, 0};
        lk_request request = REQUEST(kem, &arena, .seed = seed, .ek_out = ek, .dk_out = dk);
        result = lk_ask(lk_keypair_of(kem), &request, 1, lk_again(ek, 0, 0), lk_again(dk, 0, 0));
    }
    return answer(result, workspace, buffers[0], ek, s->ek, dk, s->dk);
}

int latkem_encaps_derand_in(void *workspace, size_t workspace_len, const latkem_kem *kem, uint8_t *ct, uint8_t *ss,
                            const uint8_t *ek, size_t ek_len, const uint8_t *coins, size_t coins_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {workspace_of(kem, workspace, workspace_len),
                                 lk_buffer_of(ct, s->ct),
                                 lk_buffer_of(ss, s->ss),
                                 {ek, s->ek, ek_len},
                                 {coins, lk_total(s->coins), coins_len}};
    int result = check(kem, buffers, 5, 3);
    if (!result) {
        lk_arena arena = {workspace, 0};
        lk_request request = REQUEST(kem, &arena, .coins = coins, .ek = ek, .ct_out = ct, .ss = ss);
        result = lk_ask(lk_encaps_of(kem), &request, 1, lk_again(ct, 0, 0), lk_again(ss, 0, 0));
    }
    return answer(result, workspace, buffers[0], ct, s->ct, ss, s->ss);
}

int latkem_decaps_in(void *workspace, size_t workspace_len, const latkem_kem *kem, uint8_t *ss, const uint8_t *ct,
                     size_t ct_len, const uint8_t *dk, size_t dk_len)
{
    const lk_sizes *s = lk_sizes_of(kem);
    const lk_buffer buffers[] = {
        workspace_of(kem, workspace, workspace_len), lk_buffer_of(ss, s->ss), {ct, s->ct, ct_len}, {dk, s->dk, dk_len}};
    int result = check(kem, buffers, 4, 2);
    if (!result) {
        lk_arena arena = {workspace, 0};
        lk_request request = REQUEST(kem, &arena, .ct = ct, .dk = dk, .ss = ss);
        result = lk_ask(lk_decaps_of(kem), &request, 1, NULL, lk_again(ss, 0, 0));
    }
    return answer(result, workspace, buffers[0], ss, s->ss, NULL, 0);
}
