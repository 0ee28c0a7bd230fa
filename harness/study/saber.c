/* The rounds of the Saber study: rounds with timers on the kernels alternate with rounds without. The cost of the
 * timers is measured on a kernel that does nothing, and subtracted. SPDX-License-Identifier: Apache-2.0 */
#include "saber.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <latkem/derand.h>

#include "api/kem.h"
#include "attribution.h"
#include "harness/kernels/counter.h"

enum { PER_ROUND = 4, CALIBRATION_ROUNDS = 101, CALIBRATION_CALLS = 1000, KEYS = 16, CLOCK_NANOSECONDS = 50000000 };

const char *const lk_study_function_names[LK_STUDY_FUNCTIONS] = {
    "GenMatrix", "GenSecret", "MatrixVectorMul", "InnerProd", "packing", "SHA3-256", "SHA3-512", "randomness"};
const char *const lk_study_operation_names[LK_STUDY_OPERATIONS] = {"keygen", "encaps", "decaps"};

enum { KEYGEN, ENCAPS, DECAPS };

/* ---- What the timer costs ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof values[0], compare);
    return values[count / 2];
}

static double ticks_of(void (*kernel)(void))
{
    void (*const volatile call)(void) = kernel;
    const uint64_t start = lk_study_ticks();
    for (size_t i = 0; i < CALIBRATION_CALLS; i++) call();
    return (double)lk_study_span(start);
}

static uint32_t clock_span(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)(now.tv_sec - start->tv_sec) * 1000000000 + (uint32_t)(now.tv_nsec - start->tv_nsec);
}

static double nanoseconds_per_tick(void)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const uint64_t first = lk_study_ticks();
    uint32_t time;
    do time = clock_span(&start);
    while (time < CLOCK_NANOSECONDS);
    return (double)time / (double)lk_study_span(first);
}

void lk_study_calibrate(lk_study_timer *timer)
{
    double inside[CALIBRATION_ROUNDS], altogether[CALIBRATION_ROUNDS];
    for (size_t i = 0; i < CALIBRATION_ROUNDS; i++) {
        lk_study_log.count = 0;
        const double timed = ticks_of(lk_study_timed_nothing);
        altogether[i] = (timed - ticks_of(lk_study_nothing)) / CALIBRATION_CALLS;
        double reported = 0;
        for (size_t j = 0; j < CALIBRATION_CALLS; j++) reported += (double)lk_study_log.calls[j].ticks;
        inside[i] = reported / CALIBRATION_CALLS;
    }
#if defined(LK_COUNTER)
    timer->source = LK_COUNTER;
#else
    timer->source = "CLOCK_MONOTONIC";
#endif
    timer->nanoseconds = nanoseconds_per_tick();
    timer->inside = median(inside, CALIBRATION_ROUNDS);
    timer->altogether = median(altogether, CALIBRATION_ROUNDS);
}

/* ---- The operations ---- */

/* Keys and ciphertexts to step through, and room for outputs. */
typedef struct {
    const latkem_kem *kem;
    size_t ek_bytes, dk_bytes, ct_bytes, ss_bytes;
    uint8_t *memory, *eks, *dks, *cts, *sss; /* KEYS + 1 of each; the last is for outputs */
} workload;

static int make_keys(const workload *w)
{
    int result = LATKEM_OK;
    for (size_t i = 0; i < KEYS && result == LATKEM_OK; i++) {
        uint8_t *const ek = w->eks + i * w->ek_bytes;
        result = latkem_keypair(w->kem, ek, w->dks + i * w->dk_bytes);
        if (result == LATKEM_OK)
            result = latkem_encaps(w->kem, w->cts + i * w->ct_bytes, w->sss + i * w->ss_bytes, ek, w->ek_bytes);
    }
    return result;
}

static int start(workload *w, const latkem_kem *kem)
{
    const size_t ek = latkem_ek_bytes(kem), dk = latkem_dk_bytes(kem), ct = latkem_ct_bytes(kem),
                 ss = latkem_ss_bytes(kem), n = KEYS + 1;
    uint8_t *const m = calloc(n, ek + dk + ct + ss);
    *w = (workload){kem, ek, dk, ct, ss, m, m, m + n * ek, m + n * (ek + dk), m + n * (ek + dk + ct)};
    return m ? make_keys(w) : LATKEM_ERR_ARGUMENT;
}

/* With the system's generator or with the timed one. */
static int run(const workload *w, size_t operation, latkem_rng_fn *random, size_t i)
{
    uint8_t *const ek = w->eks + KEYS * w->ek_bytes, *const ct = w->cts + KEYS * w->ct_bytes,
                   *const ss = w->sss + KEYS * w->ss_bytes;
    switch (operation) {
    case KEYGEN: return latkem_keypair_rng(w->kem, ek, w->dks + KEYS * w->dk_bytes, random, NULL);
    case ENCAPS: return latkem_encaps_rng(w->kem, ct, ss, w->eks + i * w->ek_bytes, w->ek_bytes, random, NULL);
    default:
        return latkem_decaps(w->kem, ss, w->cts + i * w->ct_bytes, w->ct_bytes, w->dks + i * w->dk_bytes, w->dk_bytes);
    }
}

/* Whether the secret of the last run is that of another operation with the same key: a pair's after key generation. */
static int verified(const workload *w, size_t operation, size_t i)
{
    uint8_t *const ct = w->cts + KEYS * w->ct_bytes, *const ss = w->sss + KEYS * w->ss_bytes;
    const size_t key = operation == KEYGEN ? KEYS : i;
    uint8_t again[64];
    if (operation == DECAPS) return memcmp(ss, w->sss + i * w->ss_bytes, w->ss_bytes) == 0;
    if (operation == KEYGEN && latkem_encaps(w->kem, ct, ss, w->eks + key * w->ek_bytes, w->ek_bytes) != LATKEM_OK)
        return 0;
    return w->ss_bytes <= sizeof again &&
           latkem_decaps(w->kem, again, ct, w->ct_bytes, w->dks + key * w->dk_bytes, w->dk_bytes) == LATKEM_OK &&
           memcmp(again, ss, w->ss_bytes) == 0;
}

/* ---- Rounds ---- */

/* Ticks of one operation, and of its functions with the number of their calls, whole or shared. */
typedef struct {
    double total, calls[LK_STUDY_FUNCTIONS], ticks[LK_STUDY_FUNCTIONS];
} turn;

/* One operation's rounds without and with timers. */
typedef struct {
    lk_study_attribution attribution;
    turn *without, *with;
} record;

typedef struct {
    const lk_backend *original;
    lk_study_timed timed;
    workload workload;
    record records[LK_STUDY_OPERATIONS];
    unsigned rounds;
} study;

static int measure(turn *out, const study *s, size_t operation, const lk_backend *backend, size_t step)
{
    latkem_rng_fn *const random = backend == s->original ? latkem_system_rng : lk_study_random;
    int result = LATKEM_OK;
    lk_backend_force(backend);
    const uint64_t begin = lk_study_ticks();
    for (size_t i = 0; i < PER_ROUND && result == LATKEM_OK; i++)
        result = run(&s->workload, operation, random, (step + i) % KEYS);
    out->total = (double)lk_study_span(begin) / PER_ROUND;
    lk_backend_force(s->original);
    return result;
}

/* The calls are those of several operations in a row. */
static const char *split(turn *out, const lk_study_attribution *a)
{
    if (lk_study_log.count != PER_ROUND * a->count) return "the calls of an operation are not the same each time";
    for (size_t i = 0; i < lk_study_log.count; i++) {
        const lk_study_call *const call = &lk_study_log.calls[i];
        const size_t place = i % a->count;
        if (call->what != a->what[place]) return "the calls of an operation are not the same each time";
        for (size_t f = 0; f < LK_STUDY_FUNCTIONS; f++) {
            const double weight = (double)a->weights[place][f] / PER_ROUND;
            out->calls[f] += weight;
            out->ticks[f] += weight * (double)call->ticks;
        }
    }
    return NULL;
}

static const char *run_plain(study *s, size_t operation, unsigned number)
{
    const int result = measure(&s->records[operation].without[number], s, operation, s->original,
                               (size_t)PER_ROUND * number);
    return result == LATKEM_OK ? NULL : latkem_strerror(result);
}

static const char *run_timed(study *s, size_t operation, unsigned number)
{
    record *const r = &s->records[operation];
    const size_t step = (size_t)PER_ROUND * number;
    lk_study_log.count = 0;
    const int result = measure(&r->with[number], s, operation, &s->timed.backend, step);
    if (result != LATKEM_OK) return latkem_strerror(result);
    const char *const problem = split(&r->with[number], &r->attribution);
    if (problem) return problem;
    return verified(&s->workload, operation, (step + PER_ROUND - 1) % KEYS) ? NULL : "the shared secrets differ";
}

/* Which of the two goes first changes, for the second finds its inputs in the cache. */
static const char *run_round(study *s, size_t operation, unsigned number)
{
    const char *problem = number % 2 == 0 ? run_plain(s, operation, number) : NULL;
    if (!problem) problem = run_timed(s, operation, number);
    return !problem && number % 2 == 1 ? run_plain(s, operation, number) : problem;
}

/* ---- Means ---- */

static int compare_turns(const void *a, const void *b)
{
    return compare(&((const turn *)a)->total, &((const turn *)b)->total);
}

/* The means over the quieter half of the rounds. */
static turn quieter_half(turn *turns, unsigned count)
{
    turn mean = {0};
    const unsigned half = (count + 1) / 2;
    qsort(turns, count, sizeof turns[0], compare_turns);
    for (unsigned i = 0; i < half; i++) {
        mean.total += turns[i].total / half;
        for (size_t f = 0; f < LK_STUDY_FUNCTIONS; f++) {
            mean.calls[f] += turns[i].calls[f] / half;
            mean.ticks[f] += turns[i].ticks[f] / half;
        }
    }
    return mean;
}

static void conclude(lk_study_profile *profile, const record *r, unsigned rounds, const lk_study_timer *timer)
{
    const turn without = quieter_half(r->without, rounds), with = quieter_half(r->with, rounds);
    const double nanoseconds = timer->nanoseconds;
    profile->total = without.total * nanoseconds;
    profile->interposed = profile->corrected = with.total * nanoseconds;
    for (size_t f = 0; f < LK_STUDY_FUNCTIONS; f++) {
        profile->corrected -= timer->altogether * with.calls[f] * nanoseconds;
        profile->functions[f] = (with.ticks[f] - timer->inside * with.calls[f]) * nanoseconds;
    }
    profile->other = profile->corrected;
    for (size_t f = 0; f < LK_STUDY_FUNCTIONS; f++) profile->other -= profile->functions[f];
}

/* ---- The study ---- */

static const lk_backend *find_backend(const char *name)
{
    const lk_backend *found = NULL, *backend;
    for (size_t i = 0; (backend = lk_backend_list(i)) != NULL; i++)
        if (strcmp(backend->name, name) == 0) found = backend;
    return found;
}

/* Runs an operation once, watched. */
static const char *prepare(study *s, size_t operation)
{
    record *const r = &s->records[operation];
    lk_study_timed watched;
    r->without = calloc(s->rounds, sizeof(turn));
    r->with = calloc(s->rounds, sizeof(turn));
    if (!r->without || !r->with) return "no memory";
    lk_study_watch(&watched, &s->timed);
    lk_study_log.count = 0;
    lk_backend_force(&watched.backend);
    const int result = run(&s->workload, operation, lk_study_random, 0);
    lk_backend_force(s->original);
    return result == LATKEM_OK ? lk_study_attribute(&r->attribution, s->workload.kem, operation)
                               : latkem_strerror(result);
}

/* The operations take turns, so that a disturbance does not fall on one of them alone. */
static const char *run_study(study *s, const latkem_kem *kem)
{
    const int result = start(&s->workload, kem);
    const char *problem = result == LATKEM_OK ? NULL : latkem_strerror(result);
    for (size_t i = 0; i < LK_STUDY_OPERATIONS && !problem; i++) problem = prepare(s, i);
    for (unsigned round = 0; round < s->rounds; round++)
        for (size_t i = 0; i < LK_STUDY_OPERATIONS && !problem; i++) problem = run_round(s, i, round);
    return problem;
}

static void finish(study *s)
{
    for (size_t i = 0; i < LK_STUDY_OPERATIONS; i++) {
        free(s->records[i].without);
        free(s->records[i].with);
    }
    free(s->workload.memory);
    free(s);
    lk_backend_force(NULL);
}

const char *lk_study_saber(lk_study_profile profiles[LK_STUDY_OPERATIONS], const lk_study_timer *timer,
                           const latkem_kem *kem, const char *backend, unsigned rounds)
{
    const lk_backend *const original = find_backend(backend);
    if (!kem || kem->scheme != LK_SABER) return "not a parameter set of Saber";
    if (!original || rounds == 0) return "no such backend, or no rounds";
    study *const s = calloc(1, sizeof *s);
    if (!s) return "no memory";
    s->original = original;
    s->rounds = rounds;
    lk_backend_force(original);
    lk_study_time(&s->timed, original);
    const char *const problem = run_study(s, kem);
    for (size_t i = 0; i < LK_STUDY_OPERATIONS && !problem; i++) conclude(&profiles[i], &s->records[i], rounds, timer);
    finish(s);
    return problem;
}
