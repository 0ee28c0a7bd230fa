/* Groups of operations: the one place that knows of more than one.
 *
 * A scheme writes its algorithms for one operation, as phases. A phase does the arithmetic that it can do, then writes
 * down the hash jobs that the next phase needs. A group sends n operations through a phase one after the other, then
 * runs the jobs of all together, which fill the lanes of a vector backend. Memory is the group's too: its workspace,
 * the jobs, and the wiping of both. SPDX-License-Identifier: Apache-2.0 */
#ifndef LK_SCHEME_GROUP_H
#define LK_SCHEME_GROUP_H

#include <latkem/latkem.h>

#include "base/workspace.h"
#include "scheme/scheme.h"
#include "symmetric/job.h"

/* The members of lk_op. error is LATKEM_ERR_FAULT, or that of the operation's key: with one there are no further phases,
 * and the outputs are zeroed. A phase sets again to run once more before the next. flow is the sum of the values that the
 * phases have returned. */
#define LK_OP_MEMBERS                                                                                                  \
    lk_io io;                                                                                                          \
    int error;                                                                                                         \
    int again;                                                                                                         \
    uint32_t flow;

typedef struct {
    LK_OP_MEMBERS
} lk_op;

/* The beginning of a scheme's struct for one operation: op, or its members alone. */
#define LK_OP                                                                                                          \
    union {                                                                                                            \
        lk_op op;                                                                                                      \
        struct {                                                                                                       \
            LK_OP_MEMBERS                                                                                              \
        };                                                                                                             \
    }

/* A phase of one operation, op, which is the scheme's own struct. It appends jobs. At its end, and nowhere else, it returns
 * LK_PASSED of its own name, more or less if it has not made all of its rows; or 0 if it must run again. */
typedef uint32_t lk_phase(void *op, lk_jobs *jobs);

/* Whether there is an error already. */
static inline int lk_op_failed(const lk_op *op)
{
    return op->error != LATKEM_ERR_FAULT;
}

/* A number that no other phase has. */
#define LK_PASSED(phase) ((uint32_t)(uintptr_t)(phase))

/* lk_op_gives returns 0 if a job gives the shared secret of op, else another number. It is added to what its phase returns:
 * both addresses are read anew, so that neither a job that was not written nor one that gives elsewhere goes unseen. */
static inline uint32_t lk_op_gives(const lk_op *op, const lk_job *job)
{
    uint8_t *const volatile *at = &job->out, *const volatile *ss = &op->io.ss;
    return (uint32_t)((uintptr_t)*at - (uintptr_t)*ss);
}

/* LK_PHASE(name, my_op *op) begins the definition of the phase name, in which op is the operation and jobs the list to
 * which it appends. LK_PHASE_ALONE begins one that makes no jobs. */
#define LK_PHASE(phase, parameter)                                                                                     \
    static uint32_t phase##_of(parameter, lk_jobs *jobs);                                                              \
    static uint32_t phase(void *operation, lk_jobs *jobs)                                                              \
    {                                                                                                                  \
        return phase##_of(operation, jobs);                                                                            \
    }                                                                                                                  \
    static uint32_t phase##_of(parameter, lk_jobs *jobs)

#define LK_PHASE_ALONE(phase, parameter)                                                                               \
    static uint32_t phase##_of(parameter);                                                                             \
    static uint32_t phase(void *operation, lk_jobs *jobs)                                                              \
    {                                                                                                                  \
        (void)jobs;                                                                                                    \
        return phase##_of(operation);                                                                                  \
    }                                                                                                                  \
    static uint32_t phase##_of(parameter)

/* LK_TAKE(name, my_op *op) begins the definition of an lk_operation's take, with shared and arena. */
#define LK_TAKE(take, parameter)                                                                                       \
    static void take##_of(parameter, void *shared, lk_arena *arena);                                                   \
    static void take(void *operation, void *shared, lk_arena *arena)                                                   \
    {                                                                                                                  \
        take##_of(operation, shared, arena);                                                                           \
    }                                                                                                                  \
    static void take##_of(parameter, void *shared, lk_arena *arena)

/* The phases of an operation, in a table that ends with LK_END. The operations of a group go through a phase in their
 * order, or the last one first. The jobs of a phase run when all have gone through it. Those of LK_BESIDE, which runs once,
 * run together with those of the next phase: but in the small build, which has memory for few jobs. */
typedef enum { LK_FORWARD, LK_BACKWARD, LK_FORWARD_BESIDE } lk_way;

typedef struct {
    lk_phase *run;
    lk_way way;
} lk_step;

#define LK_STEP(phase, way)                                                                                            \
    {                                                                                                                  \
        phase, way                                                                                                     \
    }
#define LK_EACH(phase) LK_STEP(phase, LK_FORWARD)
#define LK_EACH_BACKWARD(phase) LK_STEP(phase, LK_BACKWARD)
#define LK_BESIDE(phase) LK_STEP(phase, LK_FORWARD_BESIDE)
#define LK_END LK_STEP(NULL, LK_FORWARD)

/* A scheme's description of an operation. shared is the scheme's struct with the data that the operations of a group
 * share. take_shared allocates for *shared; take allocates for one operation's struct (op_bytes long; its lk_op is
 * already set). */
typedef struct {
    lk_kind kind;    /* of preparations and checks of keys: the kind of their key */
    size_t op_bytes; /* LK_OP_BYTES_MAX at most */
    /* The most jobs of an operation until none is left to run; NULL: it has none. */
    size_t (*jobs_max)(const lk_row *row);
    void (*take_shared)(void *shared, lk_arena *arena);
    void (*take)(void *op, void *shared, lk_arena *arena);
    const lk_step *steps;
} lk_operation;

enum { LK_OP_BYTES_MAX = 256 };

/* lk_group_run does what request asks for. Returns LK_DONE or the error of the first operation that has one. */
int lk_group_run(const lk_operation *operation, const lk_request *request, void *shared);

#endif
