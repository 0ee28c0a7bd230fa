/* The key of a set: none, public, or private with its public part. SPDX-License-Identifier: Apache-2.0 */
#ifndef LKV_KEY_H
#define LKV_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "context.h"

typedef struct {
    const lkv_context *context;
    const lkv_set *set;
    const latkem_kem *kem;
    int has_public, has_private, has_seed;
    uint8_t
        *secret; /* seed, if the set keeps one, and dk; in libcrypto's secure heap, where a program has that; or NULL */
    uint8_t ek[];
} lkv_key;

/* Parts of a key, from outside. at is NULL for a part that is not there. */
typedef struct {
    const void *at;
    size_t len;
} lkv_bytes;

typedef struct {
    lkv_bytes ek, dk, seed;
} lkv_parts;

/* lkv_key_new returns an empty key of the row at an index, or NULL with an error in the queue. lkv_key_free wipes it and
 * takes NULL. */
lkv_key *lkv_key_new(const lkv_context *context, size_t set);
void lkv_key_free(lkv_key *key);

/* lkv_key_copy returns a new key with the public part, or with both. */
lkv_key *lkv_key_copy(const lkv_key *key, int with_private);

/* lkv_key_has returns whether a key has all selected parts (OSSL_KEYMGMT_SELECT_). */
int lkv_key_has(const lkv_key *key, int selection);

/* All that follow return 1, or 0 with an error in the queue; an empty key is then empty still. */

/* lkv_key_generate makes a key, of a seed if there is one. */
int lkv_key_generate(lkv_key *key, lkv_bytes seed);

/* lkv_key_set gives an empty key its parts. They are checked, also against each other. A private hybrid comes with its
 * public part, because the curve's part of that is not in it. */
int lkv_key_set(lkv_key *key, const lkv_parts *parts);

/* lkv_key_test encapsulates and decapsulates. */
int lkv_key_test(const lkv_key *key);

/* lkv_key_equal compares the public parts. */
int lkv_key_equal(const lkv_key *a, const lkv_key *b);

/* The private parts. */
uint8_t *lkv_key_seed(const lkv_key *key);
uint8_t *lkv_key_dk(const lkv_key *key);
size_t lkv_key_seed_bytes(const lkv_key *key);

#endif
