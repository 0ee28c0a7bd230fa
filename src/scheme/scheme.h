/* What every scheme offers to the API. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_SCHEME_H
#define LK_SCHEME_SCHEME_H

#include <stddef.h>
#include <stdint.h>

#include "arch/backend.h"

/* The most operations that one call takes, of any scheme. */
#define LK_GROUP_MAX LK_KECCAK_LANES_MAX

/* What a group of operations is made of. */
typedef enum { LK_KEYPAIR, LK_ENCAPS, LK_DECAPS } lk_operation;

/* The most requests that the official code of a scheme makes to its randombytes in one operation (Saber's keypair). */
enum { LK_REQUESTS_MAX = 3 };

/* Sizes of one parameter set in bytes. */
typedef struct {
    size_t ek, dk, ct, ss;
    size_t seed[LK_REQUESTS_MAX], coins[LK_REQUESTS_MAX]; /* random requests of key generation and encapsulation */
    size_t prepared_ek, prepared_dk;
} lk_sizes;

/* Encapsulations or decapsulations to be done. */
typedef struct {
    const lk_backend *b;
    const void *params;
    size_t n;
    const uint8_t *keys;  /* n eks or dks, or */
    const void *prepared; /* one prepared key, and n is 1 */
    const uint8_t *coins; /* encapsulation */
    const uint8_t *cts;   /* decapsulation */
    uint8_t *cts_out;     /* encapsulation */
    uint8_t *sss;
} lk_request;

/* lk_group_of_lanes is the group of operations that share a backend's lanes, or fewer, if no more than most fit the stack. */
static inline size_t lk_group_of_lanes(const lk_backend *b, size_t most)
{
    const size_t lanes = b->symmetric.keccak->lanes;
    return lanes < most ? lanes : most;
}

/* What a scheme named X gives: lk_X_sizes and so on, declared in its params.h. There is no table of them in the scheme:
 * api/columns.h has one for each operation, so that a linker drops the operations which a program never calls.
 *
 * Every function works on a group of n operations, 1 <= n <= group(), on contiguous arrays, with public lengths
 * already checked. params is the row of the parameter set. Where a key can be bad, functions return 0 or the error of
 * the first bad element (LATKEM_ERR_EK, LATKEM_ERR_DK), zero the outputs of bad elements and complete the others. */
typedef void lk_sizes_fn(const void *params, lk_sizes *sizes);
typedef void lk_keypair_fn(const lk_backend *b, const void *params, size_t n, uint8_t *eks, uint8_t *dks,
                           const uint8_t *seeds);
typedef int lk_request_fn(const lk_request *request); /* encaps, decaps */
typedef int lk_check_fn(const lk_backend *b, const void *params, const uint8_t *key);

/* The operations of a kind that one call takes: as many as it pays to make together on a backend, and no more than fit the
 * stack of a batch (api/sets.inc) with their randomness; LK_GROUP_MAX at most. */
typedef size_t lk_group_fn(const lk_backend *b, const void *params, lk_operation operation);

/* One key; prepared is aligned like max_align_t. A prepared dk serves decaps alone. */
typedef int lk_prepare_fn(const lk_backend *b, const void *params, void *prepared, const uint8_t *key);

#endif
