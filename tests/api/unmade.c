/* Every operation of every set on every backend, succeeding and with each of its errors, for the memory sanitizer: buffers and
 * the library's workspace are unmade before each call. No branch, no address and no output depends on them. Outputs are made
 * whole, with an error too. Of AVX-512 only what calls the kernels is followed (unmade.ignore). Built and run by unmade.sh.
 *
 * Usage: unmade lists the backends; unmade BACKEND [SET...] tries one, with all sets or those with names that begin so;
 * unmade leak reads an unmade byte, as the sanitizer must report. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/backend.h>
#include <latkem/batch.h>
#include <latkem/derand.h>
#include <latkem/incremental.h>
#include <latkem/kex.h>
#include <latkem/prepared.h>
#include <sanitizer/msan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a batch: more than a group of any set, with a last group of one. */
enum { BATCH = 9, BUFFERS_MAX = 64 };

static const latkem_kem *kem;
static const char *operation = "none";
static int failures;
static unsigned calls;

/* ---- Buffers, which all end with the set ---- */

static void *buffers[BUFFERS_MAX];
static size_t buffers_used;

static uint8_t *unmade(size_t len)
{
    void *buffer = buffers_used < BUFFERS_MAX ? aligned_alloc(64, (len + 63) / 64 * 64) : NULL;
    if (!buffer) abort();
    __msan_allocated_memory(buffer, len);
    buffers[buffers_used++] = buffer;
    return buffer;
}

static void release(size_t down_to)
{
    while (buffers_used > down_to) free(buffers[--buffers_used]);
}

/* Random-looking bytes, the same in every run. */
static void fill(uint8_t *out, size_t len)
{
    static uint32_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525 + 1013904223;
        out[i] = (uint8_t)(state >> 24);
    }
}

static uint8_t *random_bytes(size_t len)
{
    uint8_t *bytes = unmade(len);
    fill(bytes, len);
    return bytes;
}

/* n copies of an object; the one at a place has another byte; a place from n on alters none. */
static uint8_t *copies(const uint8_t *object, size_t len, size_t n, size_t place, size_t byte, uint8_t value)
{
    uint8_t *all = unmade(n * len);
    for (size_t i = 0; i < n; i++) memcpy(all + i * len, object, len);
    if (place < n) all[place * len + byte] ^= value;
    return all;
}

/* ---- Randomness ---- */

/* Fails at request number fail_at, after half of it. */
typedef struct {
    unsigned requests, fail_at;
} generator;

static int draw(void *ctx, uint8_t *out, size_t len)
{
    generator *g = ctx;
    const int fails = ++g->requests == g->fail_at;
    fill(out, fails ? len / 2 : len);
    return fails;
}

/* ---- Results ---- */

/* The sanitizer ends the program for an output that is not made. */
static void made(int error, int expected, const uint8_t *out, size_t len)
{
    calls++;
    __msan_check_mem_is_initialized(out, len);
    if (error != expected) {
        printf("%s on %s, %s: %s\n", latkem_kem_name(kem), latkem_backend_name(), operation, latkem_strerror(error));
        failures++;
    }
}

static void made_two(int error, int expected, const uint8_t *out1, size_t len1, const uint8_t *out2, size_t len2)
{
    made(error, expected, out1, len1);
    made(error, expected, out2, len2);
}

/* ---- Operations ---- */

typedef struct {
    uint8_t *ek, *dk, *ct, *ss, *seed, *coins, *prepared_ek, *prepared_dk;
} objects;

static size_t sizes[4]; /* of ek, dk, ct, ss */
enum { EK, DK, CT, SS };

static int is_mlkem(void)
{
    return strncmp(latkem_kem_name(kem), "ML-KEM", 6) == 0;
}

static objects make_objects(void)
{
    sizes[EK] = latkem_ek_bytes(kem), sizes[DK] = latkem_dk_bytes(kem);
    sizes[CT] = latkem_ct_bytes(kem), sizes[SS] = latkem_ss_bytes(kem);
    return (objects){unmade(sizes[EK]),
                     unmade(sizes[DK]),
                     unmade(sizes[CT]),
                     unmade(sizes[SS]),
                     random_bytes(latkem_seed_bytes(kem)),
                     random_bytes(latkem_coins_bytes(kem)),
                     unmade(latkem_prepared_ek_bytes(kem)),
                     unmade(latkem_prepared_dk_bytes(kem))};
}

static void succeed(objects *o)
{
    uint8_t *ss = unmade(sizes[SS]);
    operation = "single operations";
    made_two(latkem_keypair_derand(kem, o->ek, o->dk, o->seed, latkem_seed_bytes(kem)), 0, o->ek, sizes[EK], o->dk,
             sizes[DK]);
    made_two(latkem_encaps_derand(kem, o->ct, o->ss, o->ek, sizes[EK], o->coins, latkem_coins_bytes(kem)), 0, o->ct,
             sizes[CT], o->ss, sizes[SS]);
    made(latkem_decaps(kem, ss, o->ct, sizes[CT], o->dk, sizes[DK]), 0, ss, sizes[SS]);
    made(memcmp(ss, o->ss, sizes[SS]), 0, ss, sizes[SS]);
    made(latkem_check_ek(kem, o->ek, sizes[EK]), 0, o->ek, sizes[EK]);
    made(latkem_check_dk(kem, o->dk, sizes[DK]), 0, o->dk, sizes[DK]);
    uint8_t *rejected = copies(o->ct, sizes[CT], 1, 0, 5, 1);
    ss = unmade(sizes[SS]);
    made(latkem_decaps(kem, ss, rejected, sizes[CT], o->dk, sizes[DK]), 0, ss, sizes[SS]);

    operation = "prepared keys";
    made(latkem_prepare_ek(kem, o->prepared_ek, o->ek, sizes[EK]), 0, NULL, 0);
    made(latkem_prepare_dk(kem, o->prepared_dk, o->dk, sizes[DK]), 0, NULL, 0);
    uint8_t *ct = unmade(sizes[CT]), *again = unmade(sizes[SS]);
    ss = unmade(sizes[SS]);
    made_two(latkem_encaps_prepared(kem, ct, ss, o->prepared_ek), 0, ct, sizes[CT], ss, sizes[SS]);
    made(latkem_decaps_prepared(kem, again, ct, sizes[CT], o->prepared_dk), 0, again, sizes[SS]);
    made(memcmp(ss, again, sizes[SS]), 0, ss, sizes[SS]);

    operation = "the system's generator";
    uint8_t *ek = unmade(sizes[EK]), *dk = unmade(sizes[DK]);
    made_two(latkem_keypair(kem, ek, dk), 0, ek, sizes[EK], dk, sizes[DK]);
    ct = unmade(sizes[CT]), ss = unmade(sizes[SS]);
    made_two(latkem_encaps(kem, ct, ss, ek, sizes[EK]), 0, ct, sizes[CT], ss, sizes[SS]);
}

/* ---- Errors of single operations ---- */

static void fail_by_randomness(const objects *o)
{
    operation = "a generator that fails";
    for (unsigned at = 1; at < 5; at++) {
        generator g = {0, at};
        uint8_t *ek = unmade(sizes[EK]), *dk = unmade(sizes[DK]);
        int error = latkem_keypair_rng(kem, ek, dk, draw, &g);
        made_two(error, g.requests == at ? LATKEM_ERR_RNG : 0, ek, sizes[EK], dk, sizes[DK]);
        g = (generator){0, at};
        uint8_t *ct = unmade(sizes[CT]), *ss = unmade(sizes[SS]);
        error = latkem_encaps_rng(kem, ct, ss, o->ek, sizes[EK], draw, &g);
        made_two(error, g.requests == at ? LATKEM_ERR_RNG : 0, ct, sizes[CT], ss, sizes[SS]);
        g = (generator){0, at};
        ct = unmade(sizes[CT]), ss = unmade(sizes[SS]);
        error = latkem_encaps_prepared_rng(kem, ct, ss, o->prepared_ek, draw, &g);
        made_two(error, g.requests == at ? LATKEM_ERR_RNG : 0, ct, sizes[CT], ss, sizes[SS]);
    }
}

/* Inputs of a wrong length are not read: they are not made. */
static void fail_by_length(const objects *o)
{
    operation = "a wrong length";
    uint8_t *any = unmade(sizes[DK] + 1);
    for (int more = -1; more <= 1; more += 2) {
        uint8_t *out1 = unmade(sizes[DK]), *out2 = unmade(sizes[DK]);
        made_two(latkem_keypair_derand(kem, out1, out2, any, latkem_seed_bytes(kem) + (size_t)more), LATKEM_ERR_LENGTH,
                 out1, sizes[EK], out2, sizes[DK]);
        out1 = unmade(sizes[CT]), out2 = unmade(sizes[SS]);
        made_two(latkem_encaps(kem, out1, out2, any, sizes[EK] + (size_t)more), LATKEM_ERR_LENGTH, out1, sizes[CT],
                 out2, sizes[SS]);
        out1 = unmade(sizes[CT]), out2 = unmade(sizes[SS]);
        made_two(latkem_encaps_derand(kem, out1, out2, o->ek, sizes[EK], any, latkem_coins_bytes(kem) + (size_t)more),
                 LATKEM_ERR_LENGTH, out1, sizes[CT], out2, sizes[SS]);
        out1 = unmade(sizes[SS]);
        made(latkem_decaps(kem, out1, any, sizes[CT] + (size_t)more, o->dk, sizes[DK]), LATKEM_ERR_LENGTH, out1,
             sizes[SS]);
        out1 = unmade(sizes[SS]);
        made(latkem_decaps(kem, out1, o->ct, sizes[CT], any, sizes[DK] + (size_t)more), LATKEM_ERR_LENGTH, out1,
             sizes[SS]);
        out1 = unmade(sizes[SS]);
        made(latkem_decaps_prepared(kem, out1, any, sizes[CT] + (size_t)more, o->prepared_dk), LATKEM_ERR_LENGTH, out1,
             sizes[SS]);
        made(latkem_check_ek(kem, any, sizes[EK] + (size_t)more), LATKEM_ERR_LENGTH, NULL, 0);
        made(latkem_check_dk(kem, any, sizes[DK] + (size_t)more), LATKEM_ERR_LENGTH, NULL, 0);
        uint8_t *prepared = unmade(latkem_prepared_dk_bytes(kem));
        made(latkem_prepare_ek(kem, prepared, any, sizes[EK] + (size_t)more), LATKEM_ERR_LENGTH, prepared,
             latkem_prepared_ek_bytes(kem));
        prepared = unmade(latkem_prepared_dk_bytes(kem));
        made(latkem_prepare_dk(kem, prepared, any, sizes[DK] + (size_t)more), LATKEM_ERR_LENGTH, prepared,
             latkem_prepared_dk_bytes(kem));
    }
}

static void fail_by_argument(const objects *o)
{
    operation = "NULL and overlaps";
    uint8_t *out1 = unmade(sizes[DK]), *out2 = unmade(sizes[DK]);
    made_two(latkem_keypair_derand(kem, out1, out2, NULL, latkem_seed_bytes(kem)), LATKEM_ERR_ARGUMENT, out1, sizes[EK],
             out2, sizes[DK]);
    out1 = unmade(sizes[DK]);
    made(latkem_keypair(kem, NULL, out1), LATKEM_ERR_ARGUMENT, out1, sizes[DK]);
    out1 = unmade(sizes[CT]), out2 = unmade(sizes[SS]);
    made_two(latkem_encaps(kem, out1, out2, NULL, sizes[EK]), LATKEM_ERR_ARGUMENT, out1, sizes[CT], out2, sizes[SS]);
    out1 = unmade(sizes[CT] + sizes[SS]);
    made(latkem_encaps(kem, out1, out1 + sizes[CT] - 1, o->ek, sizes[EK]), LATKEM_ERR_ARGUMENT, out1,
         sizes[CT] + sizes[SS] - 1);
    out1 = unmade(sizes[SS]);
    made(latkem_decaps(kem, out1, o->ct, sizes[CT], NULL, sizes[DK]), LATKEM_ERR_ARGUMENT, out1, sizes[SS]);
    out1 = unmade(sizes[CT]);
    made(latkem_decaps(kem, out1, out1, sizes[CT], o->dk, sizes[DK]), LATKEM_ERR_ARGUMENT, out1, sizes[SS]);
}

/* Keys that are refused, and their storage afterwards. For sets without other checks of keys only the length counts. */
static void fail_by_key(const objects *o)
{
    operation = "a bad key";
    const int bad_ek = is_mlkem() ? LATKEM_ERR_EK : 0, bad_dk = is_mlkem() ? LATKEM_ERR_DK : 0;
    uint8_t *ek = copies(o->ek, sizes[EK], 1, 0, 0, 0), *dk = copies(o->dk, sizes[DK], 1, 0, sizes[DK] - 40, 1);
    if (bad_ek) memset(ek, 0xff, 3);
    uint8_t *ct = unmade(sizes[CT]), *ss = unmade(sizes[SS]);
    made_two(latkem_encaps(kem, ct, ss, ek, sizes[EK]), bad_ek, ct, sizes[CT], ss, sizes[SS]);
    made(latkem_check_ek(kem, ek, sizes[EK]), bad_ek, NULL, 0);
    ss = unmade(sizes[SS]);
    made(latkem_decaps(kem, ss, o->ct, sizes[CT], dk, sizes[DK]), bad_dk, ss, sizes[SS]);
    (void)latkem_check_dk(kem, dk, sizes[DK]);
    uint8_t *prepared = unmade(latkem_prepared_ek_bytes(kem));
    made(latkem_prepare_ek(kem, prepared, ek, sizes[EK]), bad_ek, prepared, bad_ek ? latkem_prepared_ek_bytes(kem) : 0);
    ct = unmade(sizes[CT]), ss = unmade(sizes[SS]);
    made_two(latkem_encaps_prepared(kem, ct, ss, prepared), bad_ek ? LATKEM_ERR_PREPARED : 0, ct, sizes[CT], ss,
             sizes[SS]);
    prepared = unmade(latkem_prepared_dk_bytes(kem));
    made(latkem_prepare_dk(kem, prepared, dk, sizes[DK]), bad_dk, prepared, bad_dk ? latkem_prepared_dk_bytes(kem) : 0);
    ss = unmade(sizes[SS]);
    made(latkem_decaps_prepared(kem, ss, o->ct, sizes[CT], prepared), bad_dk ? LATKEM_ERR_PREPARED : 0, ss, sizes[SS]);
    ss = unmade(sizes[SS]);
    made(latkem_decaps_prepared(kem, ss, o->ct, sizes[CT], o->prepared_ek), LATKEM_ERR_PREPARED, ss, sizes[SS]);
}

/* ---- Batches ---- */

static void run_batch(size_t n)
{
    generator g = {0, 0};
    uint8_t *eks = unmade(n * sizes[EK]), *dks = unmade(n * sizes[DK]);
    made_two(latkem_keypair_batch_rng(kem, n, eks, dks, draw, &g), 0, eks, n * sizes[EK], dks, n * sizes[DK]);
    uint8_t *cts = unmade(n * sizes[CT]), *sss = unmade(n * sizes[SS]), *again = unmade(n * sizes[SS]);
    made_two(latkem_encaps_batch_rng(kem, n, cts, sss, eks, draw, &g), 0, cts, n * sizes[CT], sss, n * sizes[SS]);
    made(latkem_decaps_batch(kem, n, again, cts, dks), 0, again, n * sizes[SS]);
    made(memcmp(again, sss, n * sizes[SS]), 0, again, n * sizes[SS]);
}

static void fail_in_batch(const objects *o, size_t n, size_t bad)
{
    const int bad_ek = is_mlkem() ? LATKEM_ERR_EK : 0, bad_dk = is_mlkem() ? LATKEM_ERR_DK : 0;
    uint8_t *eks = copies(o->ek, sizes[EK], n, n, 0, 0), *cts = unmade(n * sizes[CT]), *sss = unmade(n * sizes[SS]);
    if (bad_ek) memset(eks + bad * sizes[EK], 0xff, 3);
    generator g = {0, 0};
    made_two(latkem_encaps_batch_rng(kem, n, cts, sss, eks, draw, &g), bad_ek, cts, n * sizes[CT], sss, n * sizes[SS]);
    uint8_t *dks = copies(o->dk, sizes[DK], n, bad, sizes[DK] - 40, 1), *again = unmade(n * sizes[SS]);
    made(latkem_decaps_batch(kem, n, again, copies(o->ct, sizes[CT], n, (bad + 1) % n, 5, 1), dks), bad_dk, again,
         n * sizes[SS]);
    g = (generator){0, (unsigned)bad + 1};
    cts = unmade(n * sizes[CT]), sss = unmade(n * sizes[SS]);
    made_two(latkem_encaps_batch_rng(kem, n, cts, sss, eks, draw, &g), LATKEM_ERR_RNG, cts, n * sizes[CT], sss,
             n * sizes[SS]);
    g = (generator){0, (unsigned)bad + 1};
    uint8_t *new_eks = unmade(n * sizes[EK]), *new_dks = unmade(n * sizes[DK]);
    made_two(latkem_keypair_batch_rng(kem, n, new_eks, new_dks, draw, &g), LATKEM_ERR_RNG, new_eks, n * sizes[EK],
             new_dks, n * sizes[DK]);
}

static void run_batches(const objects *o)
{
    const size_t before = buffers_used;
    for (size_t n = 1; n <= BATCH; n++) {
        operation = "a batch";
        run_batch(n);
        release(before);
    }
    for (size_t bad = 0; bad < BATCH; bad++) {
        operation = "a batch with a bad element";
        fail_in_batch(o, BATCH, bad);
        release(before);
    }
}

/* ---- Key exchanges ---- */

static void exchange(const objects *o, int ake)
{
    const size_t m1_len = latkem_kex_message1_bytes(kem), state_len = latkem_kex_state_bytes(kem);
    const size_t m2_len = ake ? latkem_ake_message2_bytes(kem) : latkem_uake_message2_bytes(kem);
    uint8_t *m1 = unmade(m1_len), *state = unmade(state_len), *m2 = unmade(m2_len), *b = unmade(32), *a = unmade(32);
    operation = ake ? "ake" : "uake";
    made_two((ake ? latkem_ake_start : latkem_uake_start)(kem, m1, state, o->ek, sizes[EK]), 0, m1, m1_len, state,
             state_len);
    made_two(ake ? latkem_ake_reply(kem, m2, b, m1, m1_len, o->dk, sizes[DK], o->ek, sizes[EK])
                 : latkem_uake_reply(kem, m2, b, m1, m1_len, o->dk, sizes[DK]),
             0, m2, m2_len, b, 32);
    made_two(ake ? latkem_ake_finish(kem, a, m2, m2_len, state, state_len, o->dk, sizes[DK])
                 : latkem_uake_finish(kem, a, m2, m2_len, state, state_len),
             0, a, 32, state, state_len);
    made(memcmp(a, b, 32), 0, a, 32);
}

static void fail_in_exchange(const objects *o, int ake)
{
    const size_t m1_len = latkem_kex_message1_bytes(kem), state_len = latkem_kex_state_bytes(kem);
    const size_t m2_len = ake ? latkem_ake_message2_bytes(kem) : latkem_uake_message2_bytes(kem);
    operation = ake ? "ake with an error" : "uake with an error";
    for (unsigned at = 1; at < 5; at++) {
        generator g = {0, at};
        uint8_t *m1 = unmade(m1_len), *state = unmade(state_len), *m2 = unmade(m2_len), *key = unmade(32);
        int error = (ake ? latkem_ake_start_rng : latkem_uake_start_rng)(kem, m1, state, o->ek, sizes[EK], draw, &g);
        made_two(error, g.requests == at ? LATKEM_ERR_RNG : 0, m1, m1_len, state, state_len);
        m1 = random_bytes(m1_len);
        g = (generator){0, at};
        error = ake ? latkem_ake_reply_rng(kem, m2, key, m1, m1_len, o->dk, sizes[DK], o->ek, sizes[EK], draw, &g)
                    : latkem_uake_reply_rng(kem, m2, key, m1, m1_len, o->dk, sizes[DK], draw, &g);
        made_two(error, g.requests == at ? LATKEM_ERR_RNG : 0, m2, m2_len, key, 32);
    }
    uint8_t *any = unmade(m1_len), *m2 = unmade(m2_len), *key = unmade(32), *state = random_bytes(state_len);
    made_two(ake ? latkem_ake_reply(kem, m2, key, any, m1_len - 1, o->dk, sizes[DK], o->ek, sizes[EK])
                 : latkem_uake_reply(kem, m2, key, any, m1_len - 1, o->dk, sizes[DK]),
             LATKEM_ERR_LENGTH, m2, m2_len, key, 32);
    key = unmade(32);
    made_two(ake ? latkem_ake_finish(kem, key, any, m2_len - 1, state, state_len, o->dk, sizes[DK])
                 : latkem_uake_finish(kem, key, any, m2_len - 1, state, state_len),
             LATKEM_ERR_LENGTH, key, 32, state, state_len);
}

/* ---- Encapsulation in parts ---- */

typedef struct {
    uint8_t *header, *vector, *state, *ct1, *ct2, *ss;
} parts;

static size_t header_len, vector_len, state_len, ct1_len, ct2_len;

static parts make_parts(void)
{
    header_len = latkem_header_bytes(kem), vector_len = latkem_vector_bytes(kem);
    state_len = latkem_encaps_state_bytes(kem), ct1_len = latkem_ct1_bytes(kem), ct2_len = latkem_ct2_bytes(kem);
    return (parts){unmade(header_len), unmade(vector_len), unmade(state_len),
                   unmade(ct1_len),    unmade(ct2_len),    unmade(sizes[SS])};
}

static void made_first_part(int error, int expected, const parts *p)
{
    made_two(error, expected, p->ct1, ct1_len, p->ss, sizes[SS]);
    made(error, expected, p->state, state_len);
}

static void encapsulate_in_parts(const objects *o)
{
    parts p = make_parts();
    uint8_t *ek = unmade(sizes[EK]), *ss = unmade(sizes[SS]);
    operation = "parts";
    made_two(latkem_ek_split(kem, p.header, p.vector, o->ek, sizes[EK]), 0, p.header, header_len, p.vector, vector_len);
    made(latkem_ek_join(kem, ek, p.header, header_len, p.vector, vector_len), 0, ek, sizes[EK]);
    made_first_part(latkem_encaps1(kem, p.state, p.ct1, p.ss, p.header, header_len), 0, &p);
    made(latkem_encaps2(kem, p.ct2, p.state, p.vector, vector_len), 0, p.ct2, ct2_len);
    made(0, 0, p.state, state_len);
    made(latkem_decaps_parts(kem, ss, p.ct1, ct1_len, p.ct2, ct2_len, o->dk, sizes[DK]), 0, ss, sizes[SS]);
    made(memcmp(ss, p.ss, sizes[SS]), 0, ss, sizes[SS]);
}

static void fail_in_parts(const objects *o)
{
    parts p = make_parts();
    generator g = {0, 1};
    uint8_t *ek = unmade(sizes[EK]), *bad_ek = copies(o->ek, sizes[EK], 1, 0, 0, 0);
    memset(bad_ek, 0xff, 3);
    operation = "parts with an error";
    made_two(latkem_ek_split(kem, p.header, p.vector, bad_ek, sizes[EK]), LATKEM_ERR_EK, p.header, header_len, p.vector,
             vector_len);
    made(latkem_ek_split(kem, p.header, p.vector, o->ek, sizes[EK]), 0, p.header, header_len);
    made_first_part(latkem_encaps1_rng(kem, p.state, p.ct1, p.ss, p.header, header_len, draw, &g), LATKEM_ERR_RNG, &p);
    made(latkem_encaps2(kem, p.ct2, p.state, p.vector, vector_len), LATKEM_ERR_STATE, p.ct2, ct2_len);
    p = (parts){p.header, p.vector, unmade(state_len), unmade(ct1_len), unmade(ct2_len), unmade(sizes[SS])};
    made_first_part(latkem_encaps1(kem, p.state, p.ct1, p.ss, unmade(header_len), header_len - 1), LATKEM_ERR_LENGTH,
                    &p);
    made_first_part(latkem_encaps1(kem, p.state, p.ct1, p.ss, p.header, header_len), 0, &p);
    p.vector[0] ^= 1;
    made(latkem_encaps2(kem, p.ct2, p.state, p.vector, vector_len), LATKEM_ERR_EK, p.ct2, ct2_len);
    made(latkem_ek_join(kem, ek, p.header, header_len, p.vector, vector_len), LATKEM_ERR_EK, ek, sizes[EK]);
    p.vector[0] ^= 1;
    p.state[state_len - 1] ^= 1;
    p.ct2 = unmade(ct2_len);
    made(latkem_encaps2(kem, p.ct2, p.state, p.vector, vector_len), LATKEM_ERR_STATE, p.ct2, ct2_len);
}

static void try_set(void)
{
    objects o = make_objects();
    const size_t before = buffers_used;
    void (*const fails[])(const objects *) = {fail_by_randomness, fail_by_length, fail_by_argument, fail_by_key,
                                              run_batches};
    succeed(&o);
    release(before);
    for (size_t i = 0; i < sizeof fails / sizeof *fails; i++) {
        fails[i](&o);
        release(before);
    }
    for (int ake = 0; ake < 2 && latkem_kex_state_bytes(kem) > 0; ake++) {
        exchange(&o, ake);
        release(before);
        fail_in_exchange(&o, ake);
        release(before);
    }
    if (latkem_encaps_state_bytes(kem) > 0) {
        encapsulate_in_parts(&o);
        fail_in_parts(&o);
    }
    release(0);
}

/* Whether a name begins like one of the wanted; none wanted are all. */
static int is_wanted(const char *name, char **wanted)
{
    if (!*wanted) return 1;
    for (; *wanted; wanted++)
        if (strncmp(name, *wanted, strlen(*wanted)) == 0) return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "leak") == 0) return *unmade(1) == 1;
    for (size_t b = 0; argc == 1 && latkem_backend_at(b); b++) puts(latkem_backend_at(b));
    if (argc == 1) return 0;
    if (latkem_backend_use(argv[1]) != 0) {
        puts("unmade: the first argument is no backend of this CPU");
        return 2;
    }
    for (size_t i = 0; (kem = latkem_kem_at(i)) != NULL; i++)
        if (is_wanted(latkem_kem_name(kem), argv + 2)) try_set();
    printf("%s: %u results, %d wrong\n", argv[1], calls, failures);
    return failures > 0 || calls == 0;
}
