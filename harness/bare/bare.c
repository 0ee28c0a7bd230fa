/* See bare.h. SPDX-License-Identifier: Apache-2.0 */
#include "bare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <latkem/latkem.h>
#include <latkem/prepared.h>

/* A key pair in bytes and prepared, its ciphertext, the last shared secret, and room for the results of calls. */
struct bare {
    const latkem_kem *kem;
    uint8_t *ek, *dk, *ct, *ss, *made_ek, *made_dk, *made_ct;
    void *prepared_ek, *prepared_dk;
};

/* All buffers are pieces of one. Each begins a line of the cache, as the packages' keys do. */
static void *take(uint8_t **rest, size_t len)
{
    uint8_t *const piece = *rest;
    if (piece) *rest = piece + (len + 63) / 64 * 64;
    return piece;
}

static uint8_t *room_for(const latkem_kem *kem)
{
    const size_t bytes = latkem_ek_bytes(kem) + latkem_dk_bytes(kem) + latkem_ct_bytes(kem);
    const size_t prepared = latkem_prepared_ek_bytes(kem) + latkem_prepared_dk_bytes(kem);
    uint8_t *const room = calloc(1, 2 * bytes + prepared + latkem_ss_bytes(kem) + (size_t)64 * 10);
    return room ? room + (64 - (uintptr_t)room % 64) : NULL;
}

static bool allocate(struct bare *w)
{
    const size_t ek = latkem_ek_bytes(w->kem), dk = latkem_dk_bytes(w->kem), ct = latkem_ct_bytes(w->kem);
    uint8_t *rest = room_for(w->kem);
    w->ek = take(&rest, ek), w->dk = take(&rest, dk), w->ct = take(&rest, ct);
    w->made_ek = take(&rest, ek), w->made_dk = take(&rest, dk), w->made_ct = take(&rest, ct);
    w->ss = take(&rest, latkem_ss_bytes(w->kem));
    w->prepared_ek = take(&rest, latkem_prepared_ek_bytes(w->kem));
    w->prepared_dk = take(&rest, latkem_prepared_dk_bytes(w->kem));
    return rest != NULL;
}

static int make_keys(const struct bare *w)
{
    const size_t ek = latkem_ek_bytes(w->kem), dk = latkem_dk_bytes(w->kem);
    int result = latkem_keypair(w->kem, w->ek, w->dk);
    if (result == LATKEM_OK) result = latkem_prepare_ek(w->kem, w->prepared_ek, w->ek, ek);
    if (result == LATKEM_OK) result = latkem_prepare_dk(w->kem, w->prepared_dk, w->dk, dk);
    if (result == LATKEM_OK) result = latkem_encaps(w->kem, w->ct, w->ss, w->ek, ek);
    return result;
}

struct bare *bare_open(const char *set)
{
    const latkem_kem *const kem = latkem_kem_find(set);
    struct bare *const w = kem ? calloc(1, sizeof *w) : NULL;
    if (!w) return NULL;
    w->kem = kem;
    if (allocate(w) && make_keys(w) == LATKEM_OK) return w;
    free(w);
    return NULL;
}

static int with_bytes(const struct bare *w, enum bare_operation operation)
{
    const size_t ek = latkem_ek_bytes(w->kem), dk = latkem_dk_bytes(w->kem), ct = latkem_ct_bytes(w->kem);
    switch (operation) {
    case BARE_KEYGEN: return latkem_keypair(w->kem, w->made_ek, w->made_dk);
    case BARE_ENCAPS: return latkem_encaps(w->kem, w->made_ct, w->ss, w->ek, ek);
    default: return latkem_decaps(w->kem, w->ss, w->ct, ct, w->dk, dk);
    }
}

static int with_prepared(const struct bare *w, enum bare_operation operation)
{
    switch (operation) {
    case BARE_KEYGEN: return latkem_keypair(w->kem, w->made_ek, w->made_dk);
    case BARE_ENCAPS: return latkem_encaps_prepared(w->kem, w->made_ct, w->ss, w->prepared_ek);
    default: return latkem_decaps_prepared(w->kem, w->ss, w->ct, latkem_ct_bytes(w->kem), w->prepared_dk);
    }
}

int bare_repeat(const struct bare *w, enum bare_operation operation, int prepared, int calls)
{
    int result = LATKEM_OK;
    for (int i = 0; i < calls && result == LATKEM_OK; i++)
        result = (prepared ? with_prepared : with_bytes)(w, operation);
    return result;
}

const uint8_t *bare_secret(const struct bare *w, int *len)
{
    *len = (int)latkem_ss_bytes(w->kem);
    return w->ss;
}
