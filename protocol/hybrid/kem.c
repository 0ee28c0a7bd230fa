/* The operations of the hybrids, for groups of them: ML-KEM's parts in one call, which its hash lanes share, the
 * curve's one after the other. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/batch.h>
#include <latkem/prepared.h>
#include <openssl/crypto.h>
#include <string.h>

#include "crypto/crypto.h"
#include "crypto/public.h"
#include "hybrid/hybrid.h"
#include "shared/trap.h"

/* The curve's side of one operation, and the seed of a hash set, expanded. */
typedef struct {
    uint8_t expanded[LKP_SEED + LKP_GROUP_RANDOM_MAX];
    uint8_t scalar[LKP_SCALAR_MAX], secret[LKP_SCALAR_MAX];
    uint8_t share[LKP_SHARE_MAX];
    int error;
} side;

/* Outputs of operations; either may be NULL. */
typedef struct {
    uint8_t *first;
    size_t first_len;
    uint8_t *second;
    size_t second_len;
} outputs;

/* A call on n operations. */
typedef struct {
    const lkp_hybrid *set;
    const latkem_kem *mlkem;
    const lk_request *request;
    size_t n;
    lkp_curve curve;
    side of[LKP_MOST];
    uint8_t ss[LKP_MOST * LKP_SS]; /* ML-KEM's */
    uint8_t *wires, *keys;         /* room for n eks or cts, and for n dks */
} work;

/* Returns an error of all operations, or 0. Those of one alone are at its side. */
typedef int operation(work *w);

/* ---- Where the parts are ---- */

/* ML-KEM's part of an object. */
typedef struct {
    size_t whole, at, len;
} place;

static place mlkem_in(const lkp_hybrid *set, size_t whole, size_t len)
{
    return (place){whole, set->group_first ? whole - len : 0, len};
}

static place mlkem_in_ek(const lkp_hybrid *set)
{
    return mlkem_in(set, set->row.bytes.ek, set->ek);
}

static place mlkem_in_ct(const lkp_hybrid *set)
{
    return mlkem_in(set, set->row.bytes.ct, set->ct);
}

/* Of a set without label. */
static place mlkem_in_dk(const lkp_hybrid *set)
{
    return mlkem_in(set, set->row.bytes.dk, set->dk);
}

/* The part behind ML-KEM's prepared dk: the scalar, and of a hash set its share. */
static size_t private_len(const lkp_hybrid *set)
{
    return set->group->scalar + (set->label ? set->group->share : 0);
}

/* The place of the group's part of object i. */
static size_t group_at(const lkp_hybrid *set, place mlkem, size_t i)
{
    return i * mlkem.whole + (set->group_first ? 0 : mlkem.len);
}

/* ML-KEM's parts of n objects side by side: one is where it is, more are copied to room. */
static const uint8_t *gather(uint8_t *room, const uint8_t *objects, place p, size_t n)
{
    if (n == 1) return objects + p.at;
    for (size_t i = 0; i < n; i++) memcpy(room + i * p.len, objects + i * p.whole + p.at, p.len);
    return room;
}

/* The place where ML-KEM writes n parts side by side, and their way to the objects from there. */
static uint8_t *target(uint8_t *room, uint8_t *objects, place p, size_t n)
{
    return n == 1 ? objects + p.at : room;
}

static void scatter(uint8_t *objects, const uint8_t *room, place p, size_t n)
{
    for (size_t i = 0; n > 1 && i < n; i++) memcpy(objects + i * p.whole + p.at, room + i * p.len, p.len);
}

/* ---- Randomness ---- */

/* A latkem_rng_fn that hands out bytes from places that are stride apart. */
typedef struct {
    const uint8_t *at;
    size_t stride;
} supply;

static int hand_out(void *ctx, uint8_t *out, size_t len)
{
    supply *s = ctx;
    memcpy(out, s->at, len);
    s->at += s->stride;
    return 0;
}

/* The place of ML-KEM's seeds, and behind each the group's randomness: dk of a hash set is SHAKE256's message
 * (draft-connolly-cfrg-xwing-kem, expandDecapsulationKey). */
static int take_seeds(work *w, supply *seeds, const uint8_t *given)
{
    const size_t len = LKP_SEED + w->set->group->random;
    int error = 0;
    *seeds = (supply){given, len};
    if (w->set->label) *seeds = (supply){(const uint8_t *)w->of + offsetof(side, expanded), sizeof(side)};
    for (size_t i = 0; w->set->label && i < w->n && !error; i++) {
        const lkp_piece seed = {given + i * w->set->row.bytes.dk, w->set->row.bytes.dk};
        error = lkp_xof(w->set->library.libctx, &lkp_shake256, w->of[i].expanded, len, &seed, 1);
    }
    return error;
}

/* The scalar of each operation, from the bytes `skip` behind the start of its randomness. */
static void take_scalars(work *w, supply from, size_t skip, int refused)
{
    for (size_t i = 0; i < w->n; i++)
        if (lkp_scalar(w->set->group, w->of[i].scalar, from.at + i * from.stride + skip) != 0) w->of[i].error = refused;
}

/* ---- Errors ---- */

typedef int check_fn(const latkem_kem *kem, const uint8_t *key, size_t len);

/* Finds the operation with the key that ML-KEM's batch refused. Other errors are everybody's. */
static void blame(work *w, int error, check_fn *check, const uint8_t *keys, size_t len)
{
    const int of_a_key = error == LATKEM_ERR_EK || error == LATKEM_ERR_DK;
    for (size_t i = 0; error && i < w->n; i++) {
        const int own = of_a_key && w->n > 1 ? check(w->mlkem, keys + i * len, len) : error;
        if (!w->of[i].error) w->of[i].error = own;
    }
}

/* Zeroes the outputs of the operations with errors, and returns the first error, or LK_DONE; the generator's goes before,
 * since it ends a batch. */
static int settle(const work *w, const outputs *out)
{
    int first = 0;
    for (size_t i = 0; i < w->n; i++) {
        const int error = w->of[i].error;
        if (!error) continue;
        if (out->first) memset(out->first + i * out->first_len, 0, out->first_len);
        if (out->second) memset(out->second + i * out->second_len, 0, out->second_len);
        if (!first || error == LATKEM_ERR_RNG) first = error;
    }
    return first ? first : LK_DONE;
}

/* Whether one operation alone has failed: there is nothing to be done for others. */
static int is_over(const work *w)
{
    return w->n == 1 && w->of[0].error;
}

/* ---- The two parts put together ---- */

/* An operation's exchange. The error for a refused share depends on its owner. */
static void exchange(work *w, size_t i, uint8_t *share, const uint8_t *peer, int refused)
{
    side *s = &w->of[i];
    if (s->error) return;
    const int error = lkp_exchange(&w->curve, share, peer ? s->secret : NULL, s->scalar, peer);
    s->error = error == LKP_BAD_SHARE ? refused : error;
}

static int combine(const work *w, size_t i, uint8_t *ss, const uint8_t *ct_share, const uint8_t *ek_share)
{
    const lkp_hybrid *set = w->set;
    const lkp_group *g = set->group;
    const uint8_t *mlkem = w->ss + i * LKP_SS, *secret = w->of[i].secret;
    if (set->label) {
        const lkp_piece pieces[] = {{mlkem, LKP_SS},
                                    {secret, g->secret},
                                    {ct_share, g->share},
                                    {ek_share, g->share},
                                    {set->label, strlen(set->label)}};
        return lkp_hash(set->library.libctx, &lkp_sha3_256, ss, pieces, sizeof pieces / sizeof pieces[0]);
    }
    memcpy(ss + (set->group_first ? g->secret : 0), mlkem, LKP_SS);
    memcpy(ss + (set->group_first ? 0 : LKP_SS), secret, g->secret);
    return 0;
}

/* ---- Key generation ---- */

static int make_keypairs(work *w)
{
    const lkp_hybrid *set = w->set;
    const lk_io *io = &w->request->io;
    const place ek = mlkem_in_ek(set), dk = mlkem_in_dk(set);
    supply seeds;
    int error = take_seeds(w, &seeds, io->seed);
    if (error) return error;
    take_scalars(w, seeds, LKP_SEED, LATKEM_ERR_RNG);
    for (size_t i = 0; i < w->n; i++) exchange(w, i, io->ek_out + group_at(set, ek, i), NULL, 0);
    if (is_over(w)) return 0;

    uint8_t *eks = target(w->wires, io->ek_out, ek, w->n);
    uint8_t *dks = set->label ? w->keys : target(w->keys, io->dk_out, dk, w->n);
    error = latkem_keypair_batch_rng(w->mlkem, w->n, eks, dks, hand_out, &seeds);
    scatter(io->ek_out, eks, ek, w->n);
    if (set->label) {
        memcpy(io->dk_out, io->seed, w->n * set->row.bytes.dk);
        return error;
    }
    scatter(io->dk_out, dks, dk, w->n);
    for (size_t i = 0; i < w->n; i++) memcpy(io->dk_out + group_at(set, dk, i), w->of[i].scalar, set->group->scalar);
    return error;
}

/* ---- Encapsulation ---- */

static const uint8_t *ek_share(const work *w, size_t i)
{
    const lkp_hybrid *set = w->set;
    if (!w->request->prepared) return w->request->io.ek + group_at(set, mlkem_in_ek(set), i);
    return (const uint8_t *)w->request->prepared + set->row.bytes.prepared_ek - set->group->share;
}

static void encapsulate_mlkem(work *w, supply coins)
{
    const lk_io *io = &w->request->io;
    const place ct = mlkem_in_ct(w->set);
    uint8_t *cts = target(w->keys, io->ct_out, ct, w->n);
    if (w->request->prepared) {
        w->of[0].error = latkem_encaps_prepared_rng(w->mlkem, cts, w->ss, w->request->prepared, hand_out, &coins);
        return;
    }
    const uint8_t *eks = gather(w->wires, io->ek, mlkem_in_ek(w->set), w->n);
    const int error = latkem_encaps_batch_rng(w->mlkem, w->n, cts, w->ss, eks, hand_out, &coins);
    blame(w, error, latkem_check_ek, eks, w->set->ek);
    scatter(io->ct_out, cts, ct, w->n);
}

static int encapsulate(work *w)
{
    const lkp_hybrid *set = w->set;
    const lk_io *io = &w->request->io;
    const place ct = mlkem_in_ct(set);
    const supply coins = {io->coins, LKP_COINS + set->group->random};
    take_scalars(w, coins, LKP_COINS, LATKEM_ERR_RNG);
    for (size_t i = 0; i < w->n; i++) exchange(w, i, io->ct_out + group_at(set, ct, i), ek_share(w, i), LATKEM_ERR_EK);
    if (!is_over(w)) encapsulate_mlkem(w, coins);
    for (size_t i = 0; i < w->n; i++)
        if (!w->of[i].error)
            w->of[i].error = combine(w, i, io->ss + i * set->row.bytes.ss, io->ct_out + group_at(set, ct, i),
                                     ek_share(w, i));
    return 0;
}

/* ---- Decapsulation ---- */

/* The scalars, from wherever they are: a prepared dk, a seed, or dk itself. That of a prepared dk has its share behind
 * it. */
static int take_private(work *w, supply *seeds)
{
    const lkp_group *g = w->set->group;
    const uint8_t *dks = w->request->io.dk;
    if (w->request->prepared) {
        const uint8_t *scalar = (const uint8_t *)w->request->prepared + w->set->row.bytes.prepared_dk -
                                private_len(w->set);
        memcpy(w->of[0].scalar, scalar, g->scalar);
        if (w->set->label) memcpy(w->of[0].share, scalar + g->scalar, g->share);
        return 0;
    }
    if (w->set->label) {
        const int error = take_seeds(w, seeds, dks);
        if (!error) take_scalars(w, *seeds, LKP_SEED, LATKEM_ERR_DK);
        return error;
    }
    for (size_t i = 0; i < w->n; i++) {
        memcpy(w->of[i].scalar, dks + group_at(w->set, mlkem_in_dk(w->set), i), g->scalar);
        if (!lkp_scalar_valid(g, w->of[i].scalar)) w->of[i].error = LATKEM_ERR_DK;
    }
    return 0;
}

/* ML-KEM's private keys: of a hash set they grow from their seeds again. */
static int mlkem_private(work *w, supply seeds, const uint8_t **dks)
{
    *dks = w->keys;
    if (w->set->label) {
        const int error = latkem_keypair_batch_rng(w->mlkem, w->n, w->wires, w->keys, hand_out, &seeds);
        for (size_t i = 0; i < w->n; i++) lkp_declassify_dk(w->keys + i * w->set->dk, w->set->dk);
        return error;
    }
    *dks = gather(w->keys, w->request->io.dk, mlkem_in_dk(w->set), w->n);
    return 0;
}

static int decapsulate_mlkem(work *w, supply seeds)
{
    const place ct = mlkem_in_ct(w->set);
    const uint8_t *dks;
    if (w->request->prepared) {
        w->of[0].error = latkem_decaps_prepared(w->mlkem, w->ss, w->request->io.ct + ct.at, ct.len,
                                                w->request->prepared);
        return 0;
    }
    int error = mlkem_private(w, seeds, &dks);
    if (error) return error;
    error = latkem_decaps_batch(w->mlkem, w->n, w->ss, gather(w->wires, w->request->io.ct, ct, w->n), dks);
    blame(w, error, latkem_check_dk, dks, w->set->dk);
    return 0;
}

static int decapsulate(work *w)
{
    const lkp_hybrid *set = w->set;
    const lk_io *io = &w->request->io;
    const uint8_t *ct_shares = io->ct + group_at(set, mlkem_in_ct(set), 0);
    const int wants_share = set->label && !w->request->prepared;
    supply seeds = {NULL, 0};
    int error = take_private(w, &seeds);
    for (size_t i = 0; i < w->n && !error; i++)
        exchange(w, i, wants_share ? w->of[i].share : NULL, ct_shares + i * set->row.bytes.ct, LATKEM_ERR_CT);
    if (error || is_over(w)) return error;
    error = decapsulate_mlkem(w, seeds);
    for (size_t i = 0; i < w->n && !error; i++)
        if (!w->of[i].error)
            w->of[i].error = combine(w, i, io->ss + i * set->row.bytes.ss, ct_shares + i * set->row.bytes.ct,
                                     w->of[i].share);
    return error;
}

/* ---- Checks and preparation of one key ---- */

static int check_share(work *w)
{
    const int error = lkp_share_check(&w->curve, ek_share(w, 0));
    return error == LKP_BAD_SHARE ? LATKEM_ERR_EK : error;
}

static int check_public(work *w)
{
    const int error = check_share(w);
    return error ? error : latkem_check_ek(w->mlkem, w->request->io.ek + mlkem_in_ek(w->set).at, w->set->ek);
}

static int check_private(work *w)
{
    supply seeds;
    const int error = take_private(w, &seeds);
    if (error || w->of[0].error || w->set->label) return error;
    return latkem_check_dk(w->mlkem, w->request->io.dk + mlkem_in_dk(w->set).at, w->set->dk);
}

static int prepare_public(work *w)
{
    const lkp_hybrid *set = w->set;
    uint8_t *storage = w->request->prepared_out;
    int error = check_share(w);
    if (!error) error = latkem_prepare_ek(w->mlkem, storage, w->request->io.ek + mlkem_in_ek(set).at, set->ek);
    if (!error) memcpy(storage + set->row.bytes.prepared_ek - set->group->share, ek_share(w, 0), set->group->share);
    return error;
}

static int prepare_private(work *w)
{
    const lkp_hybrid *set = w->set;
    uint8_t *storage = w->request->prepared_out, *scalar = storage + set->row.bytes.prepared_dk - private_len(set);
    const uint8_t *dk;
    supply seeds = {NULL, 0};
    int error = take_private(w, &seeds);
    if (!error && set->label) exchange(w, 0, w->of[0].share, NULL, 0);
    if (error || is_over(w)) return error;
    error = mlkem_private(w, seeds, &dk);
    if (!error) error = latkem_prepare_dk(w->mlkem, storage, dk, set->dk);
    memcpy(scalar, w->of[0].scalar, set->group->scalar);
    if (set->label) memcpy(scalar + set->group->scalar, w->of[0].share, set->group->share);
    return error;
}

/* ---- Memory ---- */

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __declspec(noinline)
#endif

/* Wipes all but the wires, which are public. */
static int run_in(uint8_t *wires, uint8_t *keys, operation *run, const lk_request *request, const outputs *out)
{
    const lkp_hybrid *set = (const lkp_hybrid *)request->row;
    work w = {.set = set,
              .request = request,
              .n = request->n,
              .curve = {.group = set->group, .library = &set->library},
              .wires = wires,
              .keys = keys};
    w.mlkem = latkem_kem_find(set->mlkem);
    int error = run(&w);
    for (size_t i = 0; error && i < w.n; i++) w.of[i].error = error;
    lkp_curve_close(&w.curve);
    error = settle(&w, out);
    OPENSSL_cleanse(&w, sizeof w);
    OPENSSL_cleanse(keys, request->n * set->dk);
    lkp_wipe_below();
    return error;
}

/* Two functions, so that one operation does not take the stack of a group. */
static NOINLINE int run_one(operation *run, const lk_request *request, const outputs *out)
{
    uint8_t wires[LKP_EK_MAX], keys[LKP_DK_MAX];
    return run_in(wires, keys, run, request, out);
}

static NOINLINE int run_group(operation *run, const lk_request *request, const outputs *out)
{
    uint8_t wires[LKP_EKS_MAX], keys[LKP_DKS_MAX];
    return run_in(wires, keys, run, request, out);
}

static int perform(operation *run, const lk_request *request, outputs out)
{
    LK_CHECK(request->n >= 1 && request->n <= request->row->group);
    return request->n == 1 ? run_one(run, request, &out) : run_group(run, request, &out);
}

/* ---- The functions of the rows ---- */

static const outputs none;

static int keypair(const lk_request *r)
{
    const lk_sizes *s = &r->row->bytes;
    return perform(make_keypairs, r, (outputs){r->io.ek_out, s->ek, r->io.dk_out, s->dk});
}

static int encaps(const lk_request *r)
{
    const lk_sizes *s = &r->row->bytes;
    return perform(encapsulate, r, (outputs){r->io.ct_out, s->ct, r->io.ss, s->ss});
}

static int decaps(const lk_request *r)
{
    return perform(decapsulate, r, (outputs){NULL, 0, r->io.ss, r->row->bytes.ss});
}

static int check_ek(const lk_request *r)
{
    return perform(check_public, r, none);
}

static int check_dk(const lk_request *r)
{
    return perform(check_private, r, none);
}

static int prepare_ek(const lk_request *r)
{
    return perform(prepare_public, r, none);
}

static int prepare_dk(const lk_request *r)
{
    return perform(prepare_private, r, none);
}

const lk_functions lkp_hybrid_functions = {keypair, encaps, decaps, check_ek, check_dk, prepare_ek, prepare_dk};
