/* The key exchanges. SPDX-License-Identifier: Apache-2.0 */
#include "api/kex.c"
#include "api.h"
#include "scheme/kex.c"

lk_kdf lk_kdf_take(lk_arena *arena, const lk_backend *b, const lk_row *r)
{
    (void)arena;
    CLAIM(b == &backend && r == &row, "the KDF of the set");
    return (lk_kdf){NULL};
}

void lk_kdf_run(const lk_kdf *kdf, uint8_t *out, const uint8_t *secrets, size_t bytes)
{
    (void)kdf;
    get(secrets, bytes);
    put(out, LATKEM_KEX_KEY_BYTES, 0);
}

/* The error of arguments: missing ones come first, then lengths, then shared bytes. */
static int error_of(int missing, int length, int shared)
{
    return missing ? LATKEM_ERR_ARGUMENT : length ? LATKEM_ERR_LENGTH : shared ? LATKEM_ERR_ARGUMENT : 0;
}

static void start_of(const latkem_kem *kem)
{
    const place message = any_place(kem ? EK_BYTES + CT_BYTES : 0), state = any_place(kem ? DK_BYTES + SS_BYTES : 0),
                ek = any_place(EK_BYTES);
    const size_t ek_len = nondet_size();
    latkem_rng_fn *fill = any_generator();
    begin_call();
    const int missing = !kem || !fill || !message.at || !state.at || !ek.at;
    const int shared = share(message, state) || share(message, ek) || share(state, ek);
    judge(latkem_ake_start_rng(kem, message.at, state.at, ek.at, ek_len, fill, NULL),
          error_of(missing, ek_len != EK_BYTES, shared), 0, message, state);
}
PROVE(start)

/* UAKE has no key of A's. */
static void reply_of(const latkem_kem *kem)
{
    const place out = any_place(kem ? KIND * CT_BYTES : 0), key = any_place(LATKEM_KEX_KEY_BYTES);
    const place message = any_place(EK_BYTES + CT_BYTES), dk = any_place(DK_BYTES), ek = any_place(EK_BYTES);
    const size_t message_len = nondet_size(), dk_len = nondet_size(),
                 ek_len = KIND == LK_AKE ? nondet_size() : EK_BYTES;
    latkem_rng_fn *fill = any_generator();
    begin_call();
    const int missing = !kem || !out.at || !key.at || !message.at || !dk.at || (KIND == LK_AKE && !ek.at);
    const int length = message_len != EK_BYTES + CT_BYTES || dk_len != DK_BYTES || ek_len != EK_BYTES;
    const int shared = share(out, key) || share(out, message) || share(out, dk) || share(key, message) ||
                       share(key, dk) || (KIND == LK_AKE && (share(out, ek) || share(key, ek)));
    const int error = error_of(missing, length, shared), wrong = !error && !fill ? LATKEM_ERR_ARGUMENT : error;
    judge(KIND == LK_AKE
              ? latkem_ake_reply_rng(kem, out.at, key.at, message.at, message_len, dk.at, dk_len, ek.at, ek_len, fill,
                                     NULL)
              : latkem_uake_reply_rng(kem, out.at, key.at, message.at, message_len, dk.at, dk_len, fill, NULL),
          wrong, 0, out, key);
}
PROVE(reply)

/* The state serves once, whatever comes of it. */
static void finish_of(const latkem_kem *kem)
{
    const place key = any_place(LATKEM_KEX_KEY_BYTES), state = any_place(kem ? DK_BYTES + SS_BYTES : 0);
    const place message = any_place(KIND * CT_BYTES), dk = any_place(DK_BYTES);
    const size_t message_len = nondet_size(), state_len = nondet_size(),
                 dk_len = KIND == LK_AKE ? nondet_size() : DK_BYTES;
    begin_call();
    const int missing = !kem || !key.at || !state.at || !message.at || (KIND == LK_AKE && !dk.at);
    const int length = message_len != KIND * CT_BYTES || state_len != DK_BYTES + SS_BYTES || dk_len != DK_BYTES;
    const int shared = share(key, state) || share(key, message) || share(state, message) ||
                       (KIND == LK_AKE && (share(key, dk) || share(state, dk)));
    const int result = KIND == LK_AKE
                           ? latkem_ake_finish(kem, key.at, message.at, message_len, state.at, state_len, dk.at, dk_len)
                           : latkem_uake_finish(kem, key.at, message.at, message_len, state.at, state_len);
    const place wiped = {state.at, state.from, state_len == DK_BYTES + SS_BYTES ? state.bytes : 0}, none = {NULL, 0, 0};
    const size_t i = nondet_below(MEMORY);
    if (is_in(wiped, i))
        CLAIM(memory[i] == 0, "the state is wiped");
    else
        judge_byte(i, result, error_of(missing, length, shared), 0, key, none);
}
PROVE(finish)
