/* Keys of latkem for Node and browsers, which add-on and WebAssembly share. Of the library they see the public headers.
 *
 * A key is one block on the heap and, from its first use on, the block of its prepared form; both are wiped when they are
 * freed. Functions return 0 or an error of enum latkem_error. No key is used by two threads: JavaScript shares no object
 * between them. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_NODE_KEYS_H
#define LATKEM_NODE_KEYS_H

#include <latkem/latkem.h>
#include <string.h>

enum { ERR_MEMORY = -100, ERR_PART = -101 /* the key does not hold what is asked of it */ };

typedef struct {
    uint8_t *at;
    size_t len;
} span;

typedef struct {
    const latkem_kem *set;
    void *prepared;
    int is_private, has_seed, has_ek;
    uint8_t seed[LATKEM_MLKEM_SEED_BYTES];
    uint8_t bytes[]; /* ek, and behind it the dk of a private key */
} key;

/* wipe sets bytes to zero in a way that the optimiser keeps. free_wiped also frees them; NULL is fine. */
static inline void wipe(void *p, size_t len)
{
    memset(p, 0, len);
    __asm__ volatile("" : : "r"(p) : "memory");
}

void free_wiped(void *p, size_t len);

/* Makers give a new key, or none with an error. */
int key_generate(key **new, const latkem_kem *set);
int key_from_seed(key **new, const latkem_kem *set, span seed);
int key_from_expanded(key **new, const latkem_kem *set, span dk);
int key_from_private_file(key **new, span der);
int key_from_ek(key **new, const latkem_kem *set, span ek);
int key_from_public_file(key **new, span der);
int key_public_of(key **new, const key *private);
void key_free(key *old);

/* key_footprint returns the bytes that a key takes once it is prepared. */
size_t key_footprint(const key *k);

/* key_ek and key_dk return the place of a part in a key. */
uint8_t *key_ek(key *k);
uint8_t *key_dk(key *k);

/* Outputs have the right length. The file's is a capacity, and its length is returned. */
int key_encapsulate(key *k, span ct, span ss);
int key_decapsulate(key *k, span ct, span ss);
int key_file(key *k, int form, span der); /* form: of keyfile.h, or 0 for the public key's */

#endif
