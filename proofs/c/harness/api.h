/* The layer below the API's calls, for their proofs: a set of few bytes, a scheme that does anything that its
 * contract allows (shared/row.h), a generator that may fail, a workspace; and the caller's memory, in which every
 * argument lies anywhere. SPDX-License-Identifier: Apache-2.0 */
#ifndef LATKEM_PROVE_API_H
#define LATKEM_PROVE_API_H

#define LK_API_COLUMNS_H
#include "scheme/scheme.h"

#include "api/kem.h"
#include "base/workspace.h"
#include "prove.h"
#include "shared/buffers.h"

enum {
    EK_BYTES = 2,
    DK_BYTES = 3,
    CT_BYTES = 2,
    SS_BYTES = 1,
    SEED_BYTES = 3,
    COINS_BYTES = 1,
    PREPARED_BYTES = 2,
    LANES = 2,
    MANY = 3
};

static const lk_row row = {.bytes = {.ek = EK_BYTES,
                                     .dk = DK_BYTES,
                                     .ct = CT_BYTES,
                                     .ss = SS_BYTES,
                                     .seed = {2, 1},
                                     .coins = {COINS_BYTES},
                                     .prepared_ek = PREPARED_BYTES,
                                     .prepared_dk = PREPARED_BYTES},
                           .exchanges = 1,
                           .group = 8};
static const latkem_kem set = {.row = &row};
static const lk_keccak_kernels keccak = {.lanes = LANES};
static const lk_backend backend = {.symmetric = {.keccak = &keccak}};

const lk_backend *lk_backend_current(void)
{
    return &backend;
}

int lk_backend_known(const lk_backend *b)
{
    return b == &backend;
}

/* ---- The caller's memory ---- */

static uint8_t memory[MEMORY], before[MEMORY], writes[MEMORY];

/* A pointer of a call, and the bytes that it is for. */
typedef struct {
    uint8_t *at;
    size_t from, bytes;
} place;

/* NULL, or anywhere with that much room. */
static place any_place(size_t bytes)
{
    const size_t from = nondet_below(MEMORY + 1 - bytes);
    return (place){nondet_int() ? memory + from : NULL, from, bytes};
}

static void begin_call(void)
{
    ANY(memory);
    memcpy(before, memory, MEMORY);
}

static int is_in(place p, size_t i)
{
    return p.at && i >= p.from && i - p.from < p.bytes;
}

static int share(place a, place b)
{
    return a.at && b.at && a.bytes > 0 && b.bytes > 0 && a.from < b.from + b.bytes && b.from < a.from + a.bytes;
}

/* ---- The scheme and the generator ---- */

static unsigned calls, draws;
static int first_error, draw_failed; /* 0: none */

/* An output of an operation: anything, or zeros. */
static void put(uint8_t *at, size_t bytes, int error)
{
    CLAIM(WRITABLE(at, bytes), "the scheme may write its output");
    for (size_t i = 0; i < bytes; i++) {
        at[i] = error ? 0 : nondet_byte();
        if (__CPROVER_same_object(at, memory)) writes[at + i - memory]++;
    }
}

static void get(const uint8_t *at, size_t bytes)
{
    CLAIM(READABLE(at, bytes), "the scheme may read its input");
}

/* The error of an operation's key or ciphertext. Those of arguments and of the generator are the API's. */
static int any_error(void)
{
    const int error = nondet_int();
    ASSUME(error <= 0 && error != LATKEM_ERR_ARGUMENT && error != LATKEM_ERR_LENGTH && error != LATKEM_ERR_RNG);
    return error;
}

static void check_request(const lk_request *r, lk_kind kind)
{
    calls++;
    CLAIM(r->b == &backend && r->row == &row, "the backend in force, and the set's row");
    CLAIM(r->n >= 1 && r->n <= lk_group(&backend, &row, kind), "as many operations as one call takes");
}

static void note(int *first, int error)
{
    if (!*first) *first = error;
}

static int settle(int error)
{
    note(&first_error, error);
    return error ? error : LK_DONE;
}

static int keypair(const lk_request *r)
{
    int first = 0;
    check_request(r, LK_KEYPAIR);
    get(r->io.seed, r->n * SEED_BYTES);
    for (size_t i = 0; i < LANES && i < r->n; i++) {
        const int error = any_error();
        put(r->io.ek_out + i * EK_BYTES, EK_BYTES, error);
        put(r->io.dk_out + i * DK_BYTES, DK_BYTES, error);
        note(&first, error);
    }
    return settle(first);
}

/* The key of operation i. */
static const uint8_t *key_at(const lk_request *r, size_t i, size_t bytes)
{
    return r->keys ? r->keys[i] : r->io.ek + i * bytes;
}

static int encaps(const lk_request *r)
{
    int first = 0;
    check_request(r, LK_ENCAPS);
    get(r->io.coins, r->n * COINS_BYTES);
    CLAIM(!r->prepared || r->n == 1, "a prepared key is for one operation");
    if (r->prepared) get(r->prepared, PREPARED_BYTES);
    for (size_t i = 0; i < LANES && i < r->n; i++) {
        const int error = any_error();
        if (!r->prepared) get(key_at(r, i, EK_BYTES), EK_BYTES);
        put(r->io.ct_out + i * CT_BYTES, CT_BYTES, error);
        put(r->io.ss + i * SS_BYTES, SS_BYTES, error);
        note(&first, error);
    }
    return settle(first);
}

static int decaps(const lk_request *r)
{
    int first = 0;
    check_request(r, LK_DECAPS);
    get(r->io.ct, r->n * CT_BYTES);
    CLAIM(!r->prepared || r->n == 1, "a prepared key is for one operation");
    if (r->prepared) get(r->prepared, PREPARED_BYTES);
    for (size_t i = 0; i < LANES && i < r->n; i++) {
        const int error = any_error();
        if (!r->prepared) get(key_at(r, i, DK_BYTES), DK_BYTES);
        put(r->io.ss + i * SS_BYTES, SS_BYTES, error);
        note(&first, error);
    }
    return settle(first);
}

static int check_ek(const lk_request *r)
{
    check_request(r, LK_ENCAPS);
    get(r->io.ek, EK_BYTES);
    return settle(any_error());
}

static int check_dk(const lk_request *r)
{
    check_request(r, LK_DECAPS);
    get(r->io.dk, DK_BYTES);
    return settle(any_error());
}

static int prepare(const lk_request *r, lk_kind kind, size_t key_bytes)
{
    const int error = any_error();
    check_request(r, kind);
    get(r->io.ek, key_bytes);
    put(r->prepared_out, PREPARED_BYTES, error);
    return settle(error);
}

static int prepare_ek(const lk_request *r)
{
    return prepare(r, LK_ENCAPS, EK_BYTES);
}

static int prepare_dk(const lk_request *r)
{
    return prepare(r, LK_DECAPS, DK_BYTES);
}

/* In place of api/columns.h: constants, where a choice among all functions takes too long. */
#define FUNCTION_OF(operation)                                                                                         \
    static lk_request_fn *lk_##operation##_of(const latkem_kem *kem)                                                   \
    {                                                                                                                  \
        CLAIM(kem == &set, "the scheme of the set is asked");                                                          \
        return operation;                                                                                              \
    }
FUNCTION_OF(keypair)
FUNCTION_OF(encaps)
FUNCTION_OF(decaps)
FUNCTION_OF(check_ek)
FUNCTION_OF(check_dk)
FUNCTION_OF(prepare_ek)
FUNCTION_OF(prepare_dk)

/* The proof `name` is that of name_of(kem), with the set and without one: constants, with which CBMC is quick. */
#define PROVE(name)                                                                                                    \
    void prove_##name(void)                                                                                            \
    {                                                                                                                  \
        if (nondet_int())                                                                                              \
            name##_of(&set);                                                                                           \
        else                                                                                                           \
            name##_of(NULL);                                                                                           \
    }

size_t latkem_ek_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->ek;
}

size_t latkem_dk_bytes(const latkem_kem *kem)
{
    return lk_sizes_of(kem)->dk;
}

int latkem_system_rng(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    get(out, len);
    return nondet_int();
}

/* NULL or a generator. */
static latkem_rng_fn *any_generator(void)
{
    return nondet_int() ? latkem_system_rng : NULL;
}

int lk_draw(const lk_backend *b, lk_rng rng, uint8_t *out, const size_t requests[LK_REQUESTS_MAX], size_t n)
{
    draws++;
    CLAIM(b == &backend && rng.fill, "a generator is asked");
    CLAIM(WRITABLE(out, n * lk_total(requests)), "there is room for what it gives");
    draw_failed = nondet_int() ? LATKEM_ERR_RNG : 0;
    return draw_failed;
}

/* Enough for the pieces of all calls here. The true one is proved in base/workspace.c. */
int lk_in_workspace(lk_arena *given, size_t below, void (*take)(void *ctx, lk_arena *arena), int (*run)(void *ctx),
                    void *ctx)
{
    _Alignas(LK_ALIGN) static unsigned char bytes[4 * LK_ALIGN];
    lk_arena counted = {NULL, 0}, arena = {bytes, 0};
    CLAIM(!given, "the workspace is on the stack");
    take(ctx, &counted);
    CLAIM(counted.used <= sizeof bytes, "the workspace is large enough");
    take(ctx, &arena);
    return run(ctx);
}

/* ---- What a call has done ---- */

/* The outcome of the outputs, and of nothing else. wrong: the error of the arguments, or 0; is_batch: of a call for
 * many objects, which leaves the outputs alone if the arguments are wrong, and zeroes those of bad objects alone. i:
 * any byte of memory. */
static void judge_byte(size_t i, int result, int wrong, int is_batch, place out1, place out2)
{
    if (wrong) CLAIM(calls == 0 && draws == 0, "nothing is begun with wrong arguments");
    if (wrong) CLAIM(result == wrong, "wrong arguments are refused with their error");
    if (!wrong) CLAIM(result == (draw_failed ? draw_failed : first_error), "the generator's or the first key's error");
    if (!is_in(out1, i) && !is_in(out2, i))
        CLAIM(memory[i] == before[i], "nothing but the outputs is written");
    else if (wrong && is_batch)
        CLAIM(memory[i] == before[i], "a batch with wrong arguments is left alone");
    else if (wrong || draw_failed || (result && !is_batch))
        CLAIM(memory[i] == 0, "without a result the outputs are zero");
    else
        CLAIM(writes[i] == 1, "each byte of the outputs is written once");
}

static void judge(int result, int wrong, int is_batch, place out1, place out2)
{
    judge_byte(nondet_below(MEMORY), result, wrong, is_batch, out1, out2);
}

#endif
