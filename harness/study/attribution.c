/* Functions of calls: see attribution.h. SPDX-License-Identifier: Apache-2.0 */
#include "attribution.h"

#include <string.h>

#include "api/kem.h"
#include "scheme/saber/params.h"

enum { JOBS_MAX = 64 };

/* ---- Which hash computation a call of Keccak works for ---- */

/* A hash computation that was seen. It keeps its mark from one permutation to the next, whatever lane it is in: the
 * state's last word lies in the capacity, where nothing is absorbed. A state where it is zero is a new one. Its rate,
 * in words, is what is filled before the first permutation: the first block, or the last bit of its padding, ends
 * there. */
typedef struct {
    uint64_t mark;
    size_t rate, permutations;
} hash;

/* The computations of an operation, those that began last in each lane, and the ones that each Keccak call served. */
static struct {
    const lk_keccak_kernels *kernels;
    size_t jobs, calls, unknown;
    hash job[JOBS_MAX];
    size_t begun[LK_KECCAK_LANES_MAX];
    struct {
        uint8_t count, job[LK_KECCAK_LANES_MAX];
    } served[LK_STUDY_OPERATION_CALLS_MAX];
} seen;

static uint64_t mark_of(const uint64_t *states, size_t lane)
{
    return states[(LK_KECCAK_WORDS - 1) * seen.kernels->lanes + lane];
}

static size_t filled(const uint64_t *states, size_t lane)
{
    size_t words = LK_KECCAK_WORDS;
    while (words > 0 && states[(words - 1) * seen.kernels->lanes + lane] == 0) words--;
    return words;
}

static size_t find(uint64_t mark)
{
    for (size_t i = seen.jobs; i-- > 0;)
        if (seen.job[i].mark == mark) return i;
    seen.unknown++;
    return 0;
}

static void begin(size_t lane)
{
    if (seen.jobs == JOBS_MAX) {
        seen.unknown++;
        return;
    }
    seen.job[seen.jobs] = (hash){0, 0, 0};
    seen.begun[lane] = seen.jobs++;
}

static void serve(size_t number)
{
    if (seen.calls >= LK_STUDY_OPERATION_CALLS_MAX) return;
    seen.served[seen.calls].job[seen.served[seen.calls].count++] = (uint8_t)number;
}

static size_t watched_permute(uint64_t *states, size_t used)
{
    size_t number[LK_KECCAK_LANES_MAX];
    for (size_t i = 0; i < used; i++) {
        const int young = mark_of(states, i) == 0;
        number[i] = young ? seen.begun[i] : find(mark_of(states, i));
        if (young) seen.job[number[i]].rate = filled(states, i);
        serve(number[i]);
    }
    const size_t ran = seen.kernels->permute(states, used);
    for (size_t i = 0; i < used; i++) {
        seen.job[number[i]].mark = mark_of(states, i);
        seen.job[number[i]].permutations++;
    }
    seen.calls++;
    return ran;
}

static void serve_lanes(const uint64_t *states, const uint8_t *words, uint32_t fresh)
{
    for (size_t i = 0; i < seen.kernels->lanes; i++) {
        if (words[i] == 0) continue;
        if (fresh >> i & 1) begin(i);
        serve(fresh >> i & 1 ? seen.begun[i] : find(mark_of(states, i)));
    }
    seen.calls++;
}

static void watched_absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    serve_lanes(states, words, fresh);
    seen.kernels->absorb(states, blocks, words, fresh);
}

static size_t watched_squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    serve_lanes(states, words, 0);
    return seen.kernels->squeeze(blocks, states, words);
}

void lk_study_watch(lk_study_timed *watched, const lk_study_timed *timed)
{
    memset(&seen, 0, sizeof seen);
    seen.kernels = &timed->keccak;
    *watched = *timed;
    watched->keccak.permute = watched_permute;
    watched->keccak.absorb = watched_absorb;
    watched->keccak.squeeze = watched_squeeze;
    watched->backend.negacyclic = &watched->negacyclic;
    watched->backend.symmetric.keccak = &watched->keccak;
}

static size_t blocks_of(size_t bytes)
{
    return (bytes + LK_SHAKE128_RATE - 1) / LK_SHAKE128_RATE;
}

/* seed_A = SHAKE128(a0) counts as the beginning of GenMatrix. The streams of A and s differ in their lengths.
 * LK_STUDY_FUNCTIONS if it is none of Saber's. */
static size_t function_of_job(const hash *job, const lk_saber_params *p)
{
    if (job->rate == LK_SHA3_256_RATE / 8) return LK_STUDY_SHA3_256;
    if (job->rate == LK_SHA3_512_RATE / 8) return LK_STUDY_SHA3_512;
    if (job->rate != LK_SHAKE128_RATE / 8) return LK_STUDY_FUNCTIONS;
    if (job->permutations == blocks_of(p->matrix_bytes) || job->permutations == 1) return LK_STUDY_GEN_MATRIX;
    return job->permutations == blocks_of(p->noise_bytes) ? LK_STUDY_GEN_SECRET : LK_STUDY_FUNCTIONS;
}

/* ---- Which product a kernel works for ---- */

/* A row of A comes from bytes of 13 bits a coefficient, b and b' from 10: their product is InnerProd. Evaluating the
 * secret, which all products share, counts with the first product that follows. Unpacking the stream of A is part of
 * GenMatrix, as in the document, and unpacking the secret of dk is packing. */
typedef struct {
    uint8_t functions[LK_STUDY_OPERATION_CALLS_MAX];
    size_t waiting[2 * LK_NEGACYCLIC_RANK_MAX], waits; /* the factors of the next product */
    size_t row, rows, inner_products;
    int unpacked_d13;
} products;

static int see_factor(products *p, size_t call, int secret)
{
    if (p->waits == sizeof p->waiting / sizeof p->waiting[0]) return 0;
    if (p->unpacked_d13 && !secret) p->functions[call - 1] = LK_STUDY_GEN_MATRIX;
    if (!secret) p->row = p->unpacked_d13 ? LK_STUDY_MATRIX_VECTOR_MUL : LK_STUDY_INNER_PROD;
    p->waiting[p->waits++] = call;
    return 1;
}

static void see_product(products *p, size_t call)
{
    for (size_t i = 0; i < p->waits; i++) p->functions[p->waiting[i]] = (uint8_t)p->row;
    p->functions[call] = (uint8_t)p->row;
    p->waits = 0;
    (*(p->row == LK_STUDY_INNER_PROD ? &p->inner_products : &p->rows))++;
}

/* Returns 0 at a kernel that has no function of Saber. */
static int see(products *p, size_t call, uint32_t what)
{
    int known = 1;
    p->functions[call] = LK_STUDY_PACKING;
    switch (what) {
    case LK_STUDY_negacyclic_evaluate:
    case LK_STUDY_negacyclic_evaluate_small:
        known = see_factor(p, call, what == LK_STUDY_negacyclic_evaluate_small);
        break;
    case LK_STUDY_negacyclic_inner_product: see_product(p, call); break;
    case LK_STUDY_negacyclic_cbd_mu6:
    case LK_STUDY_negacyclic_cbd_mu8:
    case LK_STUDY_negacyclic_cbd_mu10: p->functions[call] = LK_STUDY_GEN_SECRET; break;
    case LK_STUDY_random: p->functions[call] = LK_STUDY_RANDOMNESS; return 1;
    default: known = what < LK_STUDY_keccak_permute;
    }
    p->unpacked_d13 = what == LK_STUDY_negacyclic_unpack_d13;
    return known;
}

/* Encapsulation has one product with b; decapsulation another, with b'; both, like key generation, l rows of A. */
static int as_expected(const products *p, size_t operation, size_t l)
{
    return p->rows == l && p->inner_products == operation && p->waits == 0;
}

/* ---- The functions of an operation's calls ---- */

static int is_keccak(uint32_t what)
{
    return what >= LK_STUDY_keccak_permute && what <= LK_STUDY_keccak_squeeze;
}

/* A call that serves several lanes is shared by them equally. */
static const char *share(float weights[LK_STUDY_FUNCTIONS], size_t call, const lk_saber_params *p)
{
    for (size_t i = 0; i < seen.served[call].count; i++) {
        const size_t function = function_of_job(&seen.job[seen.served[call].job[i]], p);
        if (function == LK_STUDY_FUNCTIONS) return "a hash computation that is none of Saber's";
        weights[function] += 1.0f / (float)seen.served[call].count;
    }
    return NULL;
}

static const char *attribute(lk_study_attribution *a, products *found, const lk_saber_params *p)
{
    size_t keccak = 0;
    for (size_t i = 0; i < a->count; i++) {
        const char *problem = NULL;
        a->what[i] = lk_study_log.calls[i].what;
        if (is_keccak(a->what[i]))
            problem = share(a->weights[i], keccak++, p);
        else if (!see(found, i, a->what[i]))
            problem = "a kernel that has no function of Saber";
        if (problem) return problem;
    }
    for (size_t i = 0; i < a->count; i++)
        if (!is_keccak(a->what[i])) a->weights[i][found->functions[i]] = 1;
    return NULL;
}

const char *lk_study_attribute(lk_study_attribution *attribution, const latkem_kem *kem, size_t operation)
{
    static products found;
    const lk_saber_params *const p = (const lk_saber_params *)kem->row;
    memset(&found, 0, sizeof found);
    memset(attribution, 0, sizeof *attribution);
    attribution->count = lk_study_log.count;
    if (attribution->count > LK_STUDY_OPERATION_CALLS_MAX) return "more calls than expected";
    const char *const problem = attribute(attribution, &found, p);
    if (problem) return problem;
    if (seen.unknown) return "a Keccak state belongs to no hash computation";
    return as_expected(&found, operation, p->l) ? NULL : "unexpected products";
}
