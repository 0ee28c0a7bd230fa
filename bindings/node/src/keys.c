/* See keys.h. SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <latkem/derand.h>
#include <latkem/keyfile.h>
#include <latkem/prepared.h>
#include <stdlib.h>

/* The part behind ek in an expanded key that holds it: H(ek) and z (FIPS 203 algorithm 16; Kyber and Saber alike). */
enum { BEHIND_EK = 64 };

void free_wiped(void *p, size_t len)
{
    if (p) wipe(p, len);
    free(p);
}

static int is_of(const latkem_kem *set, const char *family)
{
    return strcmp(latkem_kem_family(set), family) == 0;
}

static size_t key_bytes(const latkem_kem *set, int is_private)
{
    return sizeof(key) + latkem_ek_bytes(set) + (is_private ? latkem_dk_bytes(set) : 0);
}

static size_t prepared_bytes(const key *k)
{
    return k->is_private ? latkem_prepared_dk_bytes(k->set) : latkem_prepared_ek_bytes(k->set);
}

size_t key_footprint(const key *k)
{
    return key_bytes(k->set, k->is_private) + prepared_bytes(k);
}

uint8_t *key_ek(key *k)
{
    return k->bytes;
}

uint8_t *key_dk(key *k)
{
    return k->bytes + latkem_ek_bytes(k->set);
}

static key *key_new(const latkem_kem *set, int is_private)
{
    key *const new = malloc(key_bytes(set, is_private));
    if (new) *new = (key){.set = set, .is_private = is_private};
    return new;
}

void key_free(key *old)
{
    if (!old) return;
    free_wiped(old->prepared, prepared_bytes(old));
    free_wiped(old, key_bytes(old->set, old->is_private));
}

/* give hands a key out, unless there was an error. */
static int give(key **new, key *made, int error)
{
    if (error)
        key_free(made);
    else
        *new = made;
    return error;
}

/* The system's generator, which notes ML-KEM's one request, d || z. */
static int note_seed(void *context, uint8_t *out, size_t len)
{
    key *const k = context;
    if (latkem_system_rng(NULL, out, len) != 0 || len != sizeof k->seed) return -1;
    memcpy(k->seed, out, len);
    k->has_seed = 1;
    return 0;
}

int key_generate(key **new, const latkem_kem *set)
{
    key *const k = key_new(set, 1);
    if (!k) return ERR_MEMORY;
    k->has_ek = 1;
    return give(new, k,
                latkem_keypair_rng(set, key_ek(k), key_dk(k), is_of(set, "ML-KEM") ? note_seed : latkem_system_rng, k));
}

int key_from_seed(key **new, const latkem_kem *set, span seed)
{
    key *const k = key_new(set, 1);
    if (!k) return ERR_MEMORY;
    k->has_ek = 1;
    k->has_seed = is_of(set, "ML-KEM");
    if (k->has_seed) memcpy(k->seed, seed.at, sizeof k->seed);
    return give(new, k, latkem_keypair_derand(set, key_ek(k), key_dk(k), seed.at, seed.len));
}

/* take_expanded copies a dk, and the ek in it; NTRU's has none. */
static void take_expanded(key *k, const uint8_t *dk)
{
    const size_t dk_len = latkem_dk_bytes(k->set), ek_len = latkem_ek_bytes(k->set);
    memcpy(key_dk(k), dk, dk_len);
    k->has_ek = !is_of(k->set, "NTRU");
    if (k->has_ek) memcpy(key_ek(k), dk + dk_len - BEHIND_EK - ek_len, ek_len);
}

int key_from_expanded(key **new, const latkem_kem *set, span dk)
{
    key *const k = key_new(set, 1);
    if (!k) return ERR_MEMORY;
    take_expanded(k, dk.at);
    return give(new, k, latkem_check_dk(set, key_dk(k), dk.len));
}

/* A private key's parts in a file, on the heap. */
typedef struct {
    uint8_t seed[LATKEM_MLKEM_SEED_BYTES], dk[LATKEM_MLKEM_DK_MAX];
    size_t seed_len, dk_len;
} parts;

static int key_from_parts(key **new, span der, parts *p)
{
    const latkem_kem *set;
    int form;
    const int error = latkem_private_key_read(&set, &form, p->seed, &p->seed_len, p->dk, &p->dk_len, der.at, der.len);
    if (error) return error;
    key *const k = key_new(set, 1);
    if (!k) return ERR_MEMORY;
    take_expanded(k, p->dk);
    k->has_seed = p->seed_len > 0;
    if (k->has_seed) memcpy(k->seed, p->seed, sizeof k->seed);
    return give(new, k, 0);
}

int key_from_private_file(key **new, span der)
{
    if (der.len == 0) return LATKEM_ERR_FORMAT; /* its pointer may be NULL */
    parts *const p = malloc(sizeof *p);
    if (!p) return ERR_MEMORY;
    p->seed_len = sizeof p->seed;
    p->dk_len = sizeof p->dk;
    const int error = key_from_parts(new, der, p);
    free_wiped(p, sizeof *p);
    return error;
}

static int key_of_valid_ek(key **new, const latkem_kem *set, const uint8_t *ek)
{
    key *const k = key_new(set, 0);
    if (!k) return ERR_MEMORY;
    k->has_ek = 1;
    memcpy(key_ek(k), ek, latkem_ek_bytes(set));
    return give(new, k, 0);
}

int key_from_ek(key **new, const latkem_kem *set, span ek)
{
    const int error = latkem_check_ek(set, ek.at, ek.len);
    return error ? error : key_of_valid_ek(new, set, ek.at);
}

int key_from_public_file(key **new, span der)
{
    const latkem_kem *set;
    uint8_t ek[LATKEM_MLKEM_EK_MAX];
    size_t ek_len = sizeof ek;
    if (der.len == 0) return LATKEM_ERR_FORMAT;
    const int error = latkem_public_key_read(&set, ek, &ek_len, der.at, der.len);
    return error ? error : key_of_valid_ek(new, set, ek);
}

int key_public_of(key **new, const key *private)
{
    return private->has_ek ? key_of_valid_ek(new, private->set, private->bytes) : ERR_PART;
}

/* The prepared form of a key is made at its first use. It is read by whole vectors, so that it begins on a cache line. */
static int prepare(key *k)
{
    enum { LINE = 64 };
    if (k->prepared) return 0;
    const size_t bytes = prepared_bytes(k);
    void *const new = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    if (!new) return ERR_MEMORY;
    const int error = k->is_private ? latkem_prepare_dk(k->set, new, key_dk(k), latkem_dk_bytes(k->set))
                                    : latkem_prepare_ek(k->set, new, key_ek(k), latkem_ek_bytes(k->set));
    if (error)
        free_wiped(new, bytes);
    else
        k->prepared = new;
    return error;
}

int key_encapsulate(key *k, span ct, span ss)
{
    const int error = prepare(k);
    return error ? error : latkem_encaps_prepared(k->set, ct.at, ss.at, k->prepared);
}

int key_decapsulate(key *k, span ct, span ss)
{
    const int error = prepare(k);
    return error ? error : latkem_decaps_prepared(k->set, ss.at, ct.at, ct.len, k->prepared);
}

int key_file(key *k, int form, span der)
{
    size_t len = der.len;
    int error;
    if (form == 0)
        error = latkem_public_key_write(k->set, der.at, &len, key_ek(k), latkem_ek_bytes(k->set));
    else if (form == LATKEM_FORM_EXPANDED)
        error = latkem_private_key_write(k->set, form, der.at, &len, key_dk(k), latkem_dk_bytes(k->set));
    else if (k->has_seed)
        error = latkem_private_key_write(k->set, form, der.at, &len, k->seed, sizeof k->seed);
    else
        error = ERR_PART;
    return error ? error : (int)len;
}
