/* A group of operations and its memory. SPDX-License-Identifier: Apache-2.0 */
#include "scheme/group.h"

#include <string.h>

#include "shared/ct.h"
#include "shared/trap.h"
#include "symmetric/run.h"

typedef struct {
    const lk_operation *operation;
    const lk_request *request;
    void *shared;
    unsigned char *ops;
    lk_jobs jobs;
    lk_run run;
    uint16_t begun;    /* the jobs in the list that run already */
    uint16_t measured; /* and those that are in `asked` */
    uint32_t asked;    /* the measure of all jobs so far */
} group;

/* The first if there is no operation i, by arithmetic: a processor that goes on too far must not take secrets behind the
 * operations for one more. The small build is for processors that do not. */
static lk_op *op_at(const group *g, size_t i)
{
    const size_t there = LK_IS_SMALL ? SIZE_MAX : (size_t)0 - (size_t)(lk_barrier_size(i) < g->request->n);
    return (lk_op *)(void *)(g->ops + g->operation->op_bytes * (i & there));
}

/* From what belongs to an operation to what belongs to the next. */
static void advance(lk_io *io, lk_kind kind, const lk_request *r)
{
    const lk_sizes *bytes = &r->row->bytes;
    if (kind == LK_KEYPAIR) {
        io->seed += lk_total(bytes->seed);
        io->ek_out += bytes->ek;
        io->dk_out += bytes->dk;
        return;
    }
    io->ct += kind == LK_ENCAPS ? lk_total(bytes->coins) : bytes->ct;
    if (!r->keys) io->ek += kind == LK_ENCAPS ? bytes->ek : bytes->dk;
    if (kind == LK_ENCAPS) io->ct_out += bytes->ct;
    io->ss += bytes->ss;
}

static void take(void *ctx, lk_arena *arena)
{
    group *g = ctx;
    const lk_operation *operation = g->operation;
    const lk_request *r = g->request;
    union {
        lk_op op;
        unsigned char bytes[LK_OP_BYTES_MAX];
    } counted;
    lk_op *op = &counted.op;
    lk_io io = r->io;
    if (operation->jobs_max) {
        g->jobs.list = lk_take(arena, r->n * operation->jobs_max(r->row) * sizeof(lk_job));
        g->run = lk_run_take(arena, &r->b->symmetric, r->row->hash);
    }
    operation->take_shared(g->shared, arena);
    g->ops = lk_take(arena, r->n * operation->op_bytes);
    for (size_t i = 0; i < r->n; i++) {
        if (g->ops) op = op_at(g, i);
        if (i > 0) advance(&io, operation->kind, r);
        op->io = io;
        if (r->keys) op->io.ek = r->keys[i];
        op->error = LATKEM_ERR_FAULT;
        op->flow = 0;
        operation->take(op, g->shared, arena);
    }
}

/* All operations go through a phase. Returns 1 if one of them asks to go through it again. */
static int go_through(group *g, const lk_step *step)
{
    const size_t n = g->request->n;
    int again = 0;
    for (size_t i = 0; i < n; i++) {
        lk_op *op = op_at(g, step->way == LK_BACKWARD ? n - 1 - i : i);
        if (lk_op_failed(op)) continue;
        op->again = 0;
        op->flow += step->run(op, &g->jobs);
        again |= op->again;
    }
    return again;
}

/* Counts what the jobs that a phase has written down ask for, whether they run at once or wait. A job is counted once: the
 * sums differ if one that an earlier phase left in the list comes again, be it that it runs or not. */
static void measure_jobs(group *g)
{
    for (; g->measured < g->jobs.counted; g->measured++) {
        g->asked += g->jobs.list[g->measured].measure;
        g->jobs.list[g->measured].measure = LK_JOB_COUNTED;
    }
}

/* Runs the jobs that are written down. Those of later phases may go on beside the next. */
static void run_jobs(group *g)
{
    if (!g->operation->jobs_max) return;
    lk_run_add(&g->run, g->jobs.list + g->begun, g->jobs.count - g->begun);
    if (!lk_run_stage(&g->run)) {
        g->jobs.count = g->jobs.counted = 0;
        g->measured = 0;
    }
    g->begun = (uint16_t)g->jobs.count;
}

/* Whether the jobs of a phase wait for those of the next. */
static int waits(const lk_step *step)
{
    return !LK_IS_SMALL && step->way == LK_FORWARD_BESIDE;
}

/* The sum over the phases of an operation if each ran to its end. */
static uint32_t expected_flow(const group *g)
{
    uint32_t flow = 0;
    for (const lk_step *step = g->operation->steps; step->run; step++) flow += LK_PASSED(step->run);
    return flow;
}

/* An output of the operations, one piece behind the other, or none of it: NULL. */
typedef struct {
    uint8_t *at;
    size_t bytes;
} output;

static output first_output(const group *g)
{
    const lk_sizes *bytes = &g->request->row->bytes;
    uint8_t *at = g->request->io.ct_out;
    switch (g->operation->kind) {
    case LK_KEYPAIR: return (output){at, bytes->ek};
    case LK_ENCAPS1: return (output){at, bytes->ct1};
    case LK_ENCAPS2: return (output){at, bytes->ct - bytes->ct1};
    default: return (output){at, bytes->ct};
    }
}

static output second_output(const group *g)
{
    const lk_sizes *bytes = &g->request->row->bytes;
    return (output){g->request->io.ss, g->operation->kind == LK_KEYPAIR ? bytes->dk : bytes->ss};
}

static uint8_t *piece(const output *o, size_t i)
{
    return o->at ? o->at + o->bytes * i : NULL;
}

static void zero(const output *o, size_t i)
{
    if (o->at) memset(piece(o, i), 0, o->bytes);
}

/* Zeroes the outputs of operations with errors, and of all that did not run as written: their phases and jobs do not
 * add up, or their outputs went elsewhere than the request wants. Returns the first error, or LK_DONE: the one place
 * that makes it. */
static int settle(const group *g)
{
    const lk_request *r = g->request;
    const uint32_t left = g->operation->jobs_max ? g->asked - lk_run_done(&g->run) : 0, flow = expected_flow(g) - left;
    const output first = first_output(g), second = second_output(g);
    size_t good = 0;
    int error = 0;
    for (size_t i = 0; i < r->n; i++) {
        const lk_op *op = op_at(g, i);
        if (op->flow == flow && !lk_op_failed(op) && op->io.ct_out == piece(&first, i) &&
            op->io.ss == piece(&second, i)) {
            good++;
        } else {
            if (!error) error = op->error;
            zero(&first, i);
            zero(&second, i);
        }
    }
    return good == r->n && !error ? LK_DONE : error;
}

static int run(void *ctx)
{
    group *g = ctx;
    if (g->operation->jobs_max) lk_run_begin(&g->run);
    for (const lk_step *step = g->operation->steps; step->run; step++) {
        int again = 1;
        while (again) {
            again = go_through(g, step);
            measure_jobs(g);
            if (!waits(step)) run_jobs(g);
        }
    }
    return settle(g);
}

int lk_group_run(const lk_operation *operation, const lk_request *request, void *shared)
{
    group g = {.operation = operation, .request = request, .shared = shared};
    LK_CHECK(request->n >= 1 && request->n <= lk_group(request->b, request->row, operation->kind));
    return lk_in_workspace(request->arena, request->row->below, take, run, &g);
}
