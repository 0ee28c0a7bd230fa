/* What every scheme offers to the API. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_SCHEME_H
#define LK_SCHEME_SCHEME_H

#include <stddef.h>
#include <stdint.h>

#include "arch/backend.h"
#include "symmetric/job.h"

/* The most operations that one call takes, of any scheme. */
#define LK_GROUP_MAX LK_KECCAK_LANES_MAX

/* What a group of operations is made of. */
typedef enum { LK_KEYPAIR, LK_ENCAPS, LK_DECAPS } lk_kind;

/* The most requests that the official code of a scheme makes to its randombytes in one operation (Saber's keypair). */
enum { LK_REQUESTS_MAX = 3 };

/* Sizes of one parameter set in bytes. */
typedef struct {
    size_t ek, dk, ct, ss;
    size_t seed[LK_REQUESTS_MAX], coins[LK_REQUESTS_MAX]; /* random requests of key generation and encapsulation */
    size_t prepared_ek, prepared_dk;
} lk_sizes;

/* What begins the row of every parameter set. */
typedef struct {
    lk_sizes bytes;
    lk_hash hash;      /* of the family with which the set hashes */
    uint8_t group;     /* the most operations that one call takes, for the stack of a batch (api/sets.inc) */
    uint8_t key_group; /* of key generation, if they share more than lanes and so are as many on every backend; or 0 */
} lk_row;

/* What goes into operations and comes out: arrays, one object behind the other, of which each operation has its own. */
typedef struct {
    union {
        const uint8_t *seed, *coins, *ct; /* of key generation, encapsulation, decapsulation */
    };
    union {
        const uint8_t *ek, *dk; /* the key of encapsulation, of decapsulation */
    };
    union {
        uint8_t *ek_out, *ct_out; /* key generation, encapsulation */
    };
    union {
        uint8_t *dk_out, *ss; /* key generation, the others */
    };
} lk_io;

/* Operations to be done: n, 1 <= n <= lk_group(), one alone with a prepared key. Public lengths are checked already. */
typedef struct {
    const lk_backend *b;
    const lk_row *row;
    size_t n;
    lk_io io;
    const void *prepared; /* a key, in place of ek or dk */
    void *prepared_out;   /* storage, aligned like max_align_t */
} lk_request;

/* What a scheme named X gives: lk_X_keypair and so on, declared in its params.h. There is no table of them in the
 * scheme: api/columns.h has one for each operation, so that a linker drops the operations which a program never calls.
 *
 * keypair, encaps and decaps are for groups; prepare_ek, prepare_dk, check_ek and check_dk for one key, and a prepared
 * dk serves decaps alone. They return 0 or the error of the first bad key (LATKEM_ERR_EK, LATKEM_ERR_DK), zero the
 * outputs of the operations with bad keys and complete the others. */
typedef int lk_request_fn(const lk_request *request);

/* lk_group returns how many operations of a kind one call takes: as many as it pays to make together on a backend. */
static inline size_t lk_group(const lk_backend *b, const lk_row *row, lk_kind kind)
{
    const size_t lanes = b->symmetric.keccak->lanes;
    if (kind == LK_KEYPAIR && row->key_group) return row->key_group;
    return lanes < row->group ? lanes : row->group;
}

/* lk_total adds up the random requests of an operation. */
static inline size_t lk_total(const size_t requests[LK_REQUESTS_MAX])
{
    size_t total = 0;
    for (size_t i = 0; i < LK_REQUESTS_MAX; i++) total += requests[i];
    return total;
}

#endif
