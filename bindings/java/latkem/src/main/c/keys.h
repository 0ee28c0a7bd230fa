/* Decapsulation keys in native memory. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_JNI_KEYS_H
#define LATKEM_JNI_KEYS_H

#include "glue.h"

/* The seed of an ML-KEM key. Other sets' are not kept. */
enum { KEPT_SEED_BYTES = 64 };

typedef struct {
    const latkem_kem *kem;
    _Atomic(void *) prepared; /* the expanded key, NULL until it is expanded */
    int has_seed;
    uint8_t seed[KEPT_SEED_BYTES];
    uint8_t dk[];
} key;

static inline key *key_of(jlong handle)
{
    return (key *)(intptr_t)handle;
}

/* key_new returns a key without content, or NULL if there is no memory; key_free wipes one. NULL is fine. */
key *key_new(const latkem_kem *kem);
void key_free(key *k);

/* key_or_error returns the handle of a key that was made without an error; else it frees the key. */
jlong key_or_error(key *k, int error);

#endif
