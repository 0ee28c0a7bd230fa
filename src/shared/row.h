/* The row of a parameter set, and how an operation on it is asked for. The schemes, the API and liblatkem-protocol
 * share them; hybrids are rows with functions of their own. Its layout belongs to one version of latkem: a row of
 * another version is never given out (latkem_hybrid_at). SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SHARED_ROW_H
#define LK_SHARED_ROW_H

#include <stddef.h>
#include <stdint.h>

struct lk_backend;
struct lk_arena;

/* The most requests that the official code of a scheme makes to its randombytes in one operation (Saber's keypair). */
enum { LK_REQUESTS_MAX = 3 };

/* Sizes of one parameter set in bytes. */
typedef struct {
    size_t ek, dk, ct, ss;
    size_t ct1; /* of a ciphertext in two parts: the first; 0: it has none (latkem/incremental.h) */
    size_t seed[LK_REQUESTS_MAX], coins[LK_REQUESTS_MAX]; /* random requests of key generation and encapsulation */
    size_t prepared_ek, prepared_dk;                      /* behind the header, of LK_PREPARED_HEADER bytes */
} lk_sizes;

/* The beginning of every parameter set's row. */
typedef struct {
    lk_sizes bytes;
    uint8_t hash;      /* an lk_hash (symmetric/job.h), of the family with which the set hashes */
    uint8_t kdf;       /* one of that family, which makes keys of secrets; of ML-KEM (J), Kyber and its exchanges */
    uint8_t exchanges; /* 1: there are key exchanges with the set (latkem/kex.h) */
    uint8_t group;     /* the most operations that one call takes, for the stack of a batch (api/sets.inc) */
    uint8_t key_group; /* of key generation, if they share more than lanes and so are as many on every backend; or 0 */
    uint16_t below; /* the stack that the small build's functions use in an operation at most, on 32-bit machines; or 0:
                        * not known (base/workspace.h) */
} lk_row;

/* The header of a prepared key, a cache line. */
#define LK_PREPARED_HEADER 64

/* Its continuation for rank k of ML-KEM: A, H(ek) and t; of a dk also s and z. Each piece fills cache lines. */
#define LK_MLKEM_PREPARED_EK(k) (64 + ((k) * (k) + (k)) * 512)
#define LK_MLKEM_PREPARED_DK(k) (2 * 64 + ((k) * (k) + 2 * (k)) * 512)

/* Inputs and outputs of operations: arrays, one object behind the other, one for each operation. */
typedef struct {
    union {
        const uint8_t *seed, *coins, *ct; /* of key generation, encapsulation, decapsulation */
    };
    union {
        const uint8_t *ek, *dk; /* the key of encapsulation, of decapsulation */
        const uint8_t *part;    /* of encapsulation in parts: the header, the vector */
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
    const struct lk_backend *b;
    const lk_row *row;
    size_t n;
    lk_io io;
    const uint8_t *const *keys; /* or NULL: n keys, each where it is, in place of io's; of sets with exchanges alone */
    const void *prepared;       /* a key, in place of ek or dk */
    union {
        void *prepared_out; /* storage, aligned like max_align_t */
        uint8_t *state;     /* of encapsulation in parts: the first writes it, the second reads it */
    };
    struct lk_arena *arena; /* or NULL: the caller's memory, in place of the stack (base/workspace.h) */
} lk_request;

/* keypair, encaps and decaps are for groups; prepare_ek, prepare_dk, check_ek and check_dk for one key, and a prepared
 * dk serves decaps alone. They return LK_DONE or the error of the first bad operation (LATKEM_ERR_EK, LATKEM_ERR_DK), zero the
 * outputs of the operations with errors and complete the others. */
typedef int lk_request_fn(const lk_request *request);

/* Their return value in place of 0, because a fault may let any function return for them and leave a 0 behind. Only the
 * entry points make 0 of it (lk_error_of). */
enum { LK_DONE = 0xC5 };

/* The functions of a row from outside the core. */
typedef struct {
    lk_request_fn *keypair, *encaps, *decaps;
    lk_request_fn *check_ek, *check_dk;
    lk_request_fn *prepare_ek, *prepare_dk;
} lk_functions;

/* A parameter set. */
struct latkem_kem {
    const char *name, *family;
    const lk_row *row;
    int level;
    int standard;
    uint8_t scheme;                     /* an lk_scheme (api/columns.h), where functions is NULL */
    uint8_t stack_kib, batch_stack_kib; /* latkem_stack_bytes and latkem_stack_bytes_batch */
    const lk_functions *functions;
};

#endif
