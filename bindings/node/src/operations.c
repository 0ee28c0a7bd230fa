/* See operations.h. SPDX-License-Identifier: Apache-2.0 */
#include "operations.h"

#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/keyfile.h>

static size_t bytes_of(const latkem_kem *set, enum thing thing)
{
    switch (thing) {
    case EK: return latkem_ek_bytes(set);
    case DK: return latkem_dk_bytes(set);
    case CT: return latkem_ct_bytes(set);
    case SS: return latkem_ss_bytes(set);
    case SEED: return latkem_seed_bytes(set);
    case COINS: return latkem_coins_bytes(set);
    default: return 0;
    }
}

static int generate(call *c)
{
    return key_generate(&c->made, c->set);
}

static int from_seed(call *c)
{
    return key_from_seed(&c->made, c->set, c->spans[0]);
}

static int from_expanded(call *c)
{
    return key_from_expanded(&c->made, c->set, c->spans[0]);
}

static int from_ek(call *c)
{
    return key_from_ek(&c->made, c->set, c->spans[0]);
}

static int from_private_file(call *c)
{
    return key_from_private_file(&c->made, c->spans[0]);
}

static int from_public_file(call *c)
{
    return key_from_public_file(&c->made, c->spans[0]);
}

static int public_of(call *c)
{
    return key_public_of(&c->made, c->subject);
}

static int encapsulate(call *c)
{
    return key_encapsulate(c->subject, c->spans[0], c->spans[1]);
}

static int decapsulate(call *c)
{
    return key_decapsulate(c->subject, c->spans[0], c->spans[1]);
}

static int has_seed(call *c)
{
    return c->subject->has_seed;
}

static int copy_seed(call *c)
{
    memcpy(c->spans[0].at, c->subject->seed, sizeof c->subject->seed);
    return 0;
}

static int copy_dk(call *c)
{
    memcpy(c->spans[0].at, key_dk(c->subject), c->spans[0].len);
    return 0;
}

static int copy_ek(call *c)
{
    memcpy(c->spans[0].at, key_ek(c->subject), c->spans[0].len);
    return 0;
}

static int seed_file(call *c)
{
    return key_file(c->subject, LATKEM_FORM_SEED, c->spans[0]);
}

static int expanded_file(call *c)
{
    return key_file(c->subject, LATKEM_FORM_EXPANDED, c->spans[0]);
}

static int both_file(call *c)
{
    return key_file(c->subject, LATKEM_FORM_BOTH, c->spans[0]);
}

static int public_file(call *c)
{
    return key_file(c->subject, 0, c->spans[0]);
}

static int encapsulate_to(call *c)
{
    const span *const s = c->spans;
    return latkem_encaps(c->set, s[1].at, s[2].at, s[0].at, s[0].len);
}

static int encapsulate_derand(call *c)
{
    const span *const s = c->spans;
    return latkem_encaps_derand(c->set, s[2].at, s[3].at, s[0].at, s[0].len, s[1].at, s[1].len);
}

static int decapsulate_with(call *c)
{
    const span *const s = c->spans;
    return latkem_decaps(c->set, s[2].at, s[1].at, s[1].len, s[0].at, s[0].len);
}

static int generate_batch(call *c)
{
    return latkem_keypair_batch(c->set, c->count, c->spans[0].at, c->spans[1].at);
}

static int encapsulate_batch(call *c)
{
    return latkem_encaps_batch(c->set, c->count, c->spans[1].at, c->spans[2].at, c->spans[0].at);
}

static int decapsulate_batch(call *c)
{
    return latkem_decaps_batch(c->set, c->count, c->spans[2].at, c->spans[1].at, c->spans[0].at);
}

static const operation table[] = {
    {"generate", SET, 0, {NO_THING}, generate, 1, 0},
    {"fromSeed", SET, 1, {SEED}, from_seed, 1, 0},
    {"fromExpanded", SET, 1, {DK}, from_expanded, 1, 0},
    {"fromPublicBytes", SET, 1, {EK}, from_ek, 1, 0},
    {"fromPkcs8", NOTHING, 1, {DER}, from_private_file, 1, 0},
    {"fromSpki", NOTHING, 1, {DER}, from_public_file, 1, 0},
    {"publicOf", PRIVATE, 0, {NO_THING}, public_of, 1, 0},
    {"encapsulate", PUBLIC, 0, {CT, SS}, encapsulate, 0, 0},
    {"decapsulate", PRIVATE, 1, {CT, SS}, decapsulate, 0, 0},
    {"hasSeed", PRIVATE, 0, {NO_THING}, has_seed, 0, 0},
    {"copySeed", PRIVATE, 0, {SEED}, copy_seed, 0, 0},
    {"copyExpanded", PRIVATE, 0, {DK}, copy_dk, 0, 0},
    {"copyPublic", PUBLIC, 0, {EK}, copy_ek, 0, 0},
    {"seedFile", PRIVATE, 0, {DER}, seed_file, 0, 0},
    {"expandedFile", PRIVATE, 0, {DER}, expanded_file, 0, 0},
    {"bothFile", PRIVATE, 0, {DER}, both_file, 0, 0},
    {"publicFile", PUBLIC, 0, {DER}, public_file, 0, 0},
    {"encapsulateTo", SET, 1, {EK, CT, SS}, encapsulate_to, 0, 0},
    {"encapsulateDerand", SET, 2, {EK, COINS, CT, SS}, encapsulate_derand, 0, 0},
    {"decapsulateWith", SET, 2, {DK, CT, SS}, decapsulate_with, 0, 0},
    {"generateBatch", SET, 0, {EK, DK}, generate_batch, 0, 1},
    {"encapsulateBatch", SET, 1, {EK, CT, SS}, encapsulate_batch, 0, 1},
    {"decapsulateBatch", SET, 2, {DK, CT, SS}, decapsulate_batch, 0, 1},
};

const operation *operation_at(size_t index)
{
    return index < sizeof table / sizeof *table ? &table[index] : NULL;
}

int operation_spans(const operation *row)
{
    int count = 0;
    while (count < SPANS_MAX && row->things[count] != NO_THING) count++;
    return count;
}

static int subject_fits(const operation *row, const call *c)
{
    if (row->subject == NOTHING) return 1;
    if (row->subject == SET) return c->set != NULL;
    return c->subject && c->subject->is_private == (row->subject == PRIVATE);
}

/* The first buffer of a batch gives its number of elements, which the others must have. A file is of any length. */
static int lengths_fit(const operation *row, call *c)
{
    const int spans = operation_spans(row);
    const size_t first = bytes_of(c->set, row->things[0]);
    c->count = row->is_batch && first > 0 ? c->spans[0].len / first : 1;
    for (int i = 0; i < spans; i++) {
        const size_t each = bytes_of(c->set, row->things[i]);
        if (each > 0 && (c->spans[i].len / each != c->count || c->spans[i].len % each > 0)) return 0;
    }
    return 1;
}

int operate(const operation *row, call *c)
{
    if (c->subject) c->set = c->subject->set;
    if (!subject_fits(row, c)) return LATKEM_ERR_ARGUMENT;
    if (!lengths_fit(row, c)) return LATKEM_ERR_LENGTH;
    return c->count == 0 ? 0 : row->run(c); /* the buffers of an empty batch may be NULL */
}

const char *set_text(size_t index, int is_family)
{
    const latkem_kem *set = latkem_kem_at(index);
    return is_family ? latkem_kem_family(set) : latkem_kem_name(set);
}

int set_number(size_t index, int which)
{
    const latkem_kem *set = latkem_kem_at(index);
    if (which == 0) return latkem_kem_level(set);
    if (which == 1) return latkem_kem_is_standard(set);
    static const enum thing things[] = {NO_THING, NO_THING, EK, DK, CT, SS, SEED, COINS};
    return (int)bytes_of(set, things[which]);
}

int set_index(const key *k)
{
    int index = 0;
    while (latkem_kem_at((size_t)index) != k->set) index++;
    return index;
}
