/* The lane scheduler, on an unknown permutation: a state is what it was made of.
 *
 * Every word of a lane's state is here a token: its computation, and how many blocks it has absorbed and permutations
 * seen. The kernels compare each block with the message as FIPS 202 pads it, and give bytes that name their
 * computation. SPDX-License-Identifier: Apache-2.0 */
#include "symmetric/keccak/lanes.c"

#include "prove.h"
#include "symmetric/keccak/blocks.c"
#include "symmetric/keccak/queue.c"

enum { JOBS_MAX = 7, LANES_MAX = 5, BODY_MAX = 700, OUT_MAX = 700, NOBODY = JOBS_MAX };

/* A computation: what is stated of it beforehand, and what was seen of it. */
typedef struct {
    lk_hash hash;
    size_t rate, head_len, body_len, out_len, blocks;
    uint8_t suffix;
    size_t taken;        /* blocks after which its sink has enough; 0: it has none */
    size_t leaders[2];   /* that have to be complete before, or NOBODY */
    size_t stage;        /* of its job */
    const uint8_t *seed; /* of a stream that is one of several, or NULL */
    unsigned begun, squeezed, complete;
    uint8_t head[LK_JOB_HEAD_MAX], body[BODY_MAX], out[OUT_MAX + 1];
} computation;

static computation all[JOBS_MAX];
static lk_job jobs[JOBS_MAX + 1];
static size_t count, lanes; /* of computations; of the backend */

/* ---- What FIPS 202 says ---- */

static const struct {
    size_t rate;
    uint8_t suffix;
} stated[] = {
    [LK_SHA3_256] = {136, 0x06}, [LK_SHA3_512] = {72, 0x06}, [LK_SHAKE128] = {168, 0x1F}, [LK_SHAKE256] = {136, 0x1F}};

static size_t length(const computation *c)
{
    return c->head_len + c->body_len;
}

/* Byte i of the message with its suffix, and zeros behind it. */
static uint8_t padded(const computation *c, size_t i)
{
    if (i < c->head_len) return c->head[i];
    if (i < length(c)) return c->body[i - c->head_len];
    return i == length(c) ? c->suffix : 0;
}

/* The words of block b: all, or those up to the suffix. */
static size_t words_of(const computation *c, size_t b)
{
    return b + 1 < c->blocks ? c->rate / 8 : (length(c) - b * c->rate) / 8 + 1;
}

/* Byte i of block s of the stream: another in each computation, block and place nearby. */
static uint8_t stream(const computation *c, size_t s, size_t i)
{
    return (uint8_t)(37 * (size_t)(c - all) + 101 * s + i + 1);
}

/* ---- States ---- */

typedef struct {
    size_t id, absorbed, permuted;
} token;

static const uint64_t top = (uint64_t)1 << 63;

static uint64_t pack(token t)
{
    return (uint64_t)0x2a << 32 | t.permuted << 16 | t.absorbed << 8 | t.id;
}

static token token_in(uint64_t word)
{
    const token t = {word & 255, word >> 8 & 255, word >> 16 & 255};
    CLAIM(word == pack(t) && t.id < count, "the state is that of a computation");
    return t;
}

/* That of lane l, which all its words show. */
static token state_of(const uint64_t *states, size_t l)
{
    EACH(w, LK_KECCAK_WORDS) CLAIM(states[w * lanes + l] == states[l], "all words of a state go where it goes");
    return token_in(states[l]);
}

static void set_state(uint64_t *states, size_t l, uint64_t word)
{
    for (size_t w = 0; w < LK_KECCAK_WORDS; w++) states[w * lanes + l] = word;
}

/* ---- Kernels and sinks ---- */

static void begin(computation *c)
{
    CLAIM(c->begun++ == 0, "a computation begins once");
    for (size_t i = 0; i < 2; i++)
        CLAIM(c->leaders[i] == NOBODY || all[c->leaders[i]].complete, "it begins after the end of its leaders");
}

/* The nonce of a stream that is one of several names its owner. */
static unsigned nonce_of(const computation *c)
{
    const unsigned id = (unsigned)(c - all);
    return c->body_len == 33 ? id : id | (0xA0 + id) << 8;
}

static void absorb_seed(uint64_t *states, uint32_t in, const uint8_t seed[32], const uint64_t *ends, size_t last)
{
    CLAIM(in != 0 && in >> lanes == 0, "streams begin in lanes that are there");
    for (size_t l = 0; l < lanes; l++) {
        if (!(in >> l & 1)) continue;
        const token t = {ends[l] & 255, 1, 0};
        CLAIM(t.id < count, "a stream is that of a computation");
        computation *c = &all[t.id];
        begin(c);
        CLAIM(c->seed == seed, "a stream begins with its own seed");
        CLAIM(ends[l] == (nonce_of(c) | (uint64_t)c->suffix << 8 * (c->body_len - 32)), "its nonce and suffix follow");
        CLAIM(last == c->rate / 8 - 1, "its padding ends with the rate");
        set_state(states, l, pack(t));
        states[last * lanes + l] |= top;
    }
}

static void absorb_lane(uint64_t *states, size_t l, const uint8_t *block, size_t words, int is_fresh)
{
    token t = {block[0], 0, 0};
    if (!is_fresh) t = state_of(states, l);
    CLAIM(t.id < count && t.absorbed == t.permuted, "a block of a computation, after the permutation of the last one");
    computation *c = &all[t.id];
    if (is_fresh) begin(c);
    CLAIM(!c->seed, "a stream that is one of several begins with its seed");
    CLAIM(t.absorbed < c->blocks && words == words_of(c, t.absorbed), "as many words as the message has");
    EACH(i, 8 * words) CLAIM(block[i] == padded(c, t.absorbed * c->rate + i), "its own message is absorbed");
    t.absorbed++;
    set_state(states, l, pack(t));
}

static void absorb(uint64_t *states, const uint8_t *const *blocks, const uint8_t *words, uint32_t fresh)
{
    for (size_t l = 0; l < lanes; l++) {
        CLAIM(words[l] > 0 || !(fresh >> l & 1), "a fresh lane has a block");
        if (words[l] > 0) absorb_lane(states, l, blocks[l], words[l], fresh >> l & 1);
    }
}

/* The end of the padding is in the last word of the rate, of the last block alone. */
static void permute_lane(uint64_t *states, size_t l)
{
    token t = token_in(states[l] & ~top);
    const computation *c = &all[t.id];
    const int ends = t.absorbed == c->blocks && t.permuted + 1 == c->blocks;
    EACH(w, LK_KECCAK_WORDS)
    {
        const uint64_t end = ends && w == c->rate / 8 - 1 ? top : 0;
        CLAIM(states[w * lanes + l] == (pack(t) | end), "the last block ends with the padding");
    }
    t.permuted++;
    set_state(states, l, pack(t));
}

static size_t permute(uint64_t *states, size_t used)
{
    CLAIM(used >= 1 && used <= lanes, "a number of lanes that is there");
    for (size_t l = 0; l < used; l++) permute_lane(states, l);
    for (size_t l = used; l < lanes; l++) set_state(states, l, 0); /* what becomes of them does not matter */
    return used;
}

/* The computation that has the next block of its stream in a lane. */
static computation *give_block(const uint64_t *states, size_t l)
{
    const token t = state_of(states, l);
    computation *c = &all[t.id];
    CLAIM(t.absorbed == c->blocks, "the whole message is absorbed before anything is given");
    CLAIM(c->squeezed == t.permuted - t.absorbed, "each block of the stream is given once");
    c->squeezed++;
    return c;
}

static size_t wanted(const computation *c, size_t s)
{
    const size_t left = c->out_len - s * c->rate;
    return c->taken > 0 || left > c->rate ? c->rate : left;
}

static size_t squeeze(uint8_t *const *blocks, const uint64_t *states, const uint8_t *words)
{
    size_t sum = 0;
    for (size_t l = 0; l < lanes; l++) {
        sum += words[l];
        if (words[l] == 0) continue;
        computation *c = give_block(states, l);
        const size_t s = c->squeezed - 1;
        CLAIM(words[l] == (wanted(c, s) + 7) / 8, "as many words as are wanted");
        for (size_t i = 0; i < 8u * words[l]; i++) blocks[l][i] = stream(c, s, i);
        if (c->taken == 0) c->complete = (s + 1) * c->rate >= c->out_len;
    }
    return sum;
}

static int take(lk_sink_state *state)
{
    computation *c = state->out;
    CLAIM(!c->complete, "a sink gets nothing after its end");
    c->complete = ++state->have == c->taken;
    return (int)c->complete;
}

static int take_block(lk_sink_state *state, const uint8_t *block, size_t len)
{
    const computation *c = state->out;
    CLAIM(len == c->rate, "a sink gets whole blocks");
    EACH(i, len) CLAIM(block[i] == stream(c, state->have, i), "a sink gets its own stream, in order");
    return take(state);
}

static uint32_t take_lanes(lk_sink_state *const *streams, uint32_t mask, const uint64_t *words, size_t among,
                           size_t rate)
{
    uint32_t complete = 0;
    CLAIM(among == lanes && mask != 0 && mask >> lanes == 0, "lanes that are there");
    for (size_t l = 0; l < lanes; l++) {
        if (!(mask >> l & 1)) continue;
        const computation *c = give_block(words, l);
        CLAIM(streams[l]->out == c && rate == c->rate && streams[l]->have + 1 == c->squeezed,
              "a sink gets its own stream");
        complete |= (uint32_t)take(streams[l]) << l;
    }
    return complete;
}

static const lk_sink by_block = {take_block, NULL, 100}, by_lanes = {take_block, take_lanes, 100};
static lk_keccak_kernels kernels = {1, 1, 0, permute, absorb_seed, absorb, squeeze};

/* ---- Jobs ---- */

/* A message begins with its computation's number, which identifies its blocks. */
static computation *state_message(size_t id, lk_hash hash, size_t head_len, size_t body_len, size_t out_len)
{
    computation *c = &all[id];
    c->hash = hash;
    c->rate = stated[hash].rate;
    c->suffix = stated[hash].suffix;
    c->head_len = head_len;
    c->body_len = body_len;
    c->out_len = out_len;
    c->blocks = length(c) / c->rate + 1;
    c->taken = 0;
    c->leaders[0] = c->leaders[1] = NOBODY;
    c->stage = 0;
    c->seed = NULL;
    c->begun = c->squeezed = c->complete = 0;
    for (size_t i = 0; i < head_len; i++) c->head[i] = (uint8_t)(i == 0 ? id : 3 * i + 50 * id + 7);
    for (size_t i = 0; i < body_len; i++) c->body[i] = (uint8_t)(i + head_len == 0 ? id : 5 * i + 70 * id + 9);
    c->out[out_len] = 0xA5;
    return c;
}

static void make_job(size_t id)
{
    computation *c = &all[id];
    lk_job_make(&jobs[id], c->hash, c->out, c->out_len, c->body, c->body_len);
    lk_job_head(&jobs[id], c->head, c->head_len);
}

static void make_sink(size_t id, const lk_sink *sink, size_t taken)
{
    all[id].taken = taken;
    lk_job_sink(&jobs[id], sink, NULL, &all[id], 0);
}

static void lead(size_t leader, size_t follower, size_t several)
{
    lk_job_then(&jobs[leader], &jobs[follower], several);
    for (size_t i = follower; i < follower + several; i++) all[i].leaders[all[i].leaders[0] == NOBODY ? 0 : 1] = leader;
}

static void check(size_t id)
{
    const computation *c = &all[id];
    CLAIM(c->begun == 1 && c->complete, "no computation is lost");
    if (c->taken > 0) return;
    CLAIM(c->squeezed == (c->out_len + c->rate - 1) / c->rate, "a job gives as many blocks as it has");
    EACH(i, c->out_len) CLAIM(c->out[i] == stream(c, i / c->rate, i % c->rate), "every job gets its own hash");
    CLAIM(c->out[c->out_len] == 0xA5, "and nothing behind it is written");
}

/* In memory of exactly the size that it asks for. */
static void *begin_lanes(size_t number, size_t narrow)
{
    lanes = kernels.lanes = number;
    kernels.narrow = narrow;
    lk_arena counted = {NULL, 0};
    (void)lk_lanes_take(&counted, &kernels);
    lk_arena arena = {aligned_alloc(LK_ALIGN, counted.used), 0};
    void *scratch = lk_lanes_take(&arena, &kernels);
    memset(arena.base, 0xEE, counted.used);
    lk_lanes_begin(&kernels, scratch);
    return scratch;
}

/* ---- One job, of every length ---- */

static void run_one(void)
{
    count = 1;
    make_job(0);
    void *scratch = begin_lanes(1, 0);
    lk_lanes_add(&kernels, jobs, 1, scratch);
    CLAIM(lk_lanes_stage(&kernels, scratch) == 0, "there is no later stage");
    check(0);
    free(scratch);
}

void try_messages(void)
{
    const lk_hash hash = (lk_hash)choose(4);
    const size_t head = choose(LK_JOB_HEAD_MAX + 1), body = choose(451);
    if (head + body == 0) return; /* has no number to begin with */
    state_message(0, hash, head, body, 32);
    run_one();
}

void try_outputs(void)
{
    const lk_hash hash = (lk_hash)choose(4);
    const size_t out = choose(601), body = choose(3) * 90;
    if (out == 0 || (hash == LK_SHA3_256 && out > 32) || (hash == LK_SHA3_512 && out > 64)) return;
    state_message(0, hash, 1, body, out);
    run_one();
}

/* ---- Several jobs ---- */

static const struct {
    lk_hash hash;
    size_t head, body, out;
    const lk_sink *sink;
    size_t taken;
} shapes[] = {
    {LK_SHA3_256, 0, 135, 32, NULL, 0}, {LK_SHAKE256, 33, 0, 192, NULL, 0},    {LK_SHAKE128, 34, 0, 0, &by_lanes, 3},
    {LK_SHA3_512, 1, 300, 64, NULL, 0}, {LK_SHA3_512, 32, 33, 64, NULL, 0},    {LK_SHAKE256, 33, 0, 128, NULL, 0},
    {LK_SHAKE256, 0, 600, 13, NULL, 0}, {LK_SHAKE128, 34, 0, 0, &by_block, 1}, {LK_SHAKE256, 33, 110, 0, &by_lanes, 2},
};

static void make_shape(size_t id, size_t shape)
{
    state_message(id, shapes[shape].hash, shapes[shape].head, shapes[shape].body, shapes[shape].out);
    make_job(id);
    if (shapes[shape].sink) make_sink(id, shapes[shape].sink, shapes[shape].taken);
}

/* Links leaders and followers; returns the last job that follows none. */
enum { ALONE, FIRST_LEADS_ONE, FIRST_LEADS_ALL, CHAIN, TWO_LEAD_ONE, LAST_FOLLOWS, RELATIONS };

static size_t relate(size_t relation)
{
    const size_t last = count - 1;
    switch (relation) {
    case FIRST_LEADS_ONE: lead(0, 1, 1); return last;
    case FIRST_LEADS_ALL: lead(0, 1, last); return 0;
    case CHAIN:
        lead(0, 1, 1);
        lead(1, 2, 1);
        return last;
    case TWO_LEAD_ONE:
        lead(0, 2, 1);
        lead(1, 2, 1);
        return last;
    case LAST_FOLLOWS: lead(last - 1, last, 1); return last - 1;
    default: return last;
    }
}

static void put_off(size_t id, size_t stage)
{
    lk_job_later(&jobs[id], stage);
    all[id].stage = stage;
}

/* Makes one or two jobs of later stages, in order; those that follow them are so too. Returns the last stage. */
static size_t put_off_some(size_t relation, size_t late, size_t latest)
{
    put_off(late, latest);
    if (latest == 2 && relation <= FIRST_LEADS_ONE) put_off(late - 1, 1);
    for (size_t id = 1; id < count; id++)
        if (relation == FIRST_LEADS_ALL || (relation == LAST_FOLLOWS && id > late)) all[id].stage = latest;
    return latest;
}

/* Adds all jobs, or all but the last, which comes with the second stage. */
static void run_jobs(size_t relation, size_t latest, int adds_later)
{
    void *scratch = begin_lanes(lanes, kernels.narrow);
    const size_t free_one = relate(relation), last = count - 1;
    const size_t at_first = adds_later && relation <= FIRST_LEADS_ONE ? last : count;
    size_t added = at_first;
    latest = put_off_some(relation, at_first < count ? last - 1 : free_one, latest);
    lk_lanes_add(&kernels, jobs, at_first, scratch);
    for (size_t stage = 0; stage <= latest || added < count; stage++) {
        if (stage == 1 && added < count) {
            lk_lanes_add(&kernels, &jobs[last], 1, scratch);
            added = count;
            all[last].stage = 1;
        }
        CLAIM(lk_lanes_stage(&kernels, scratch) == (stage < latest), "it is known whether there are later stages");
        for (size_t id = 0; id < added; id++)
            if (all[id].stage <= stage) check(id);
    }
    free(scratch);
}

void try_jobs(void)
{
    count = JOBS;
    for (size_t id = 0; id < count; id++) make_shape(id, choose(KINDS));
    const size_t relation = choose(RELATIONS), latest = choose(3), adds_later = choose(2);
    lanes = choose(LANES_MAX) + 1;
    kernels.narrow = choose(3);
    if (kernels.narrow >= lanes) return;
    run_jobs(relation, latest, (int)adds_later);
}

/* ---- Streams that are one job: two such jobs and another, which may lead one or both ---- */

static const struct {
    lk_hash hash;
    size_t nonce_len, out;
    const lk_sink *sink;
    size_t taken;
} families[] = {{LK_SHAKE128, 2, 0, &by_lanes, 3},
                {LK_SHAKE256, 1, 200, NULL, 0},
                {LK_SHAKE128, 2, 0, &by_block, 1},
                {LK_SHAKE256, 1, 0, &by_lanes, 2}};
enum { FAMILIES = sizeof families / sizeof *families };

static void make_streams(lk_job *job, size_t id, size_t streams, size_t family)
{
    static const uint8_t seeds[JOBS_MAX][32];
    const size_t nonce_len = families[family].nonce_len;
    lk_job_streams(job, families[family].hash, seeds[id], nonce_len);
    for (size_t i = id; i < id + streams; i++) {
        computation *c = state_message(i, families[family].hash, 0, 32 + nonce_len, families[family].out);
        c->seed = seeds[id];
        c->taken = families[family].taken;
        lk_job_stream(job, nonce_of(c));
    }
    if (families[family].sink)
        lk_job_sink(job, families[family].sink, NULL, &all[id], sizeof *all);
    else
        lk_job_out(job, all[id].out, families[family].out);
    job->stride = sizeof *all;
}

void try_streams(void)
{
    const size_t shape = choose(KINDS), led = choose(3), number = choose(LANES_MAX) + 1, narrow = choose(3);
    const size_t first = choose(3) + 1, second = choose(3) + 1, late = choose(2);
    if (narrow >= number) return;
    count = 1 + first + second;
    make_shape(0, shape);
    make_streams(&jobs[1], 1, first, choose(FAMILIES));
    make_streams(&jobs[2], 1 + first, second, choose(FAMILIES));
    if (led > 0) lk_job_then(&jobs[0], &jobs[1], led);
    for (size_t id = 1; id < count; id++) all[id].leaders[0] = (id <= first ? led > 0 : led > 1) ? 0 : NOBODY;
    if (late && led < 2) lk_job_later(&jobs[2], 1);
    void *scratch = begin_lanes(number, narrow);
    lk_lanes_add(&kernels, jobs, 3, scratch);
    CLAIM(lk_lanes_stage(&kernels, scratch) == (late && led < 2), "it is known whether there is a later stage");
    for (size_t id = 0; id <= first; id++) check(id);
    if (late && led < 2) CLAIM(lk_lanes_stage(&kernels, scratch) == 0, "the last");
    for (size_t id = 0; id < count; id++) check(id);
    free(scratch);
}

/* ---- Parts of a computation, beside another job: the second is added when the stage of the first has ended ---- */

/* A hash in two parts, or a stream. */
static void cut(size_t at, int is_stream, uint64_t *state)
{
    computation *c = &all[0];
    if (!is_stream) {
        lk_job_hash_part(&jobs[0], c->out, c->body, (lk_range){0, at, c->body_len}, state);
        lk_job_hash_part(&jobs[2], c->out, c->body, (lk_range){at, c->body_len, c->body_len}, state);
    } else {
        lk_job_make(&jobs[0], c->hash, c->out, at, c->body, c->body_len);
        lk_job_part(&jobs[0], state, LK_JOB_GOES_ON);
        lk_job_make(&jobs[2], c->hash, c->out + at, c->out_len - at, NULL, 0);
        lk_job_part(&jobs[2], state, LK_JOB_RESUMES);
    }
}

void try_parts(void)
{
    uint64_t state[LK_JOB_STATE_WORDS];
    const size_t shape = choose(KINDS), bytes = choose(420), at = choose(420);
    const int is_stream = (int)choose(2);
    const size_t number = choose(2) + 1;
    if (bytes <= at || at < LK_SHA3_256_RATE || (is_stream && at % LK_SHA3_256_RATE != 0)) return;
    count = 2;
    state_message(0, is_stream ? LK_SHAKE256 : LK_SHA3_256, 0, is_stream ? 200 : bytes, is_stream ? bytes : 32);
    make_shape(1, shape);
    cut(at, is_stream, state);
    lk_job_later(&jobs[1], 1);
    void *scratch = begin_lanes(number, 0);
    lk_lanes_add(&kernels, jobs, 2, scratch);
    CLAIM(lk_lanes_stage(&kernels, scratch) == 1, "the other job is of a later stage");
    lk_lanes_add(&kernels, &jobs[2], 1, scratch);
    CLAIM(lk_lanes_stage(&kernels, scratch) == 0, "the last");
    check(0);
    check(1);
    free(scratch);
}

int main(void)
{
    return try_all(ENTRY);
}
