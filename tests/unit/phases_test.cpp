// The verdict of group.c on operations that did not run as written: a phase left out or left early, a job lost,
// shortened or never begun, an output that goes elsewhere. On every backend, of one operation and of one among several.
// SPDX-License-Identifier: Apache-2.0
#include "backends.h"
#include "harness/model/crypto.h"

extern "C" {
#include "scheme/group.h"
}

namespace
{

constexpr size_t ss_bytes = 32, ct_bytes = 48;

// The fault, and the operation that has it.
enum class Fault {
    none,
    phase_left_early,
    phase_again_without_end,
    job_lost,
    job_counted_once,
    job_shortened,
    job_never_begins,
    output_elsewhere,
    bad_key
};
Fault fault;
size_t faulty;
uint8_t elsewhere[ss_bytes];

struct Operation {
    lk_op op;
    size_t number;
};

bool fails(const Operation *operation, Fault which)
{
    return fault == which && operation->number == faulty;
}

uint32_t first_phase(void *op, lk_jobs *jobs)
{
    auto *operation = static_cast<Operation *>(op);
    if (fails(operation, Fault::bad_key)) operation->op.error = LATKEM_ERR_DK;
    if (lk_op_failed(&operation->op)) return 0;
    if (fails(operation, Fault::output_elsewhere)) operation->op.io.ss = elsewhere;
    lk_job *job = lk_jobs_next(jobs);
    lk_job_make(job, LK_SHA3_256, operation->op.io.ss, ss_bytes, operation->op.io.ct, ct_bytes);
    if (fails(operation, Fault::job_lost)) jobs->count--;
    if (fails(operation, Fault::job_counted_once)) jobs->counted--;
    if (fails(operation, Fault::job_shortened)) job->out_len = 16;
    if (fails(operation, Fault::job_never_begins)) job->leaders = 1;
    if (fails(operation, Fault::phase_left_early)) return 0;
    return LK_PASSED(first_phase);
}

uint32_t second_phase(void *op, lk_jobs *)
{
    return fails(static_cast<Operation *>(op), Fault::phase_again_without_end) ? 0 : LK_PASSED(second_phase);
}

size_t one_job(const lk_row *)
{
    return 1;
}

void take_shared(void *, lk_arena *)
{
}

void take(void *op, void *shared, lk_arena *)
{
    static_cast<Operation *>(op)->number = (*static_cast<size_t *>(shared))++;
}

const lk_step steps[] = {LK_EACH(first_phase), LK_EACH_BACKWARD(second_phase), LK_END};
const lk_operation operation = {LK_DECAPS, sizeof(Operation), one_job, take_shared, take, steps};

class Phases : public testing::TestWithParam<const lk_backend *>
{
  protected:
    // Runs n operations; one has the fault; the secrets are all ones before.
    int run(size_t n)
    {
        row_.bytes.ct = ct_bytes;
        row_.bytes.ss = ss_bytes;
        row_.hash = LK_SHA3_256;
        row_.group = LK_GROUP_MAX;
        cts_ = random_.bytes(n * ct_bytes);
        secrets_ = Bytes(n * ss_bytes, 0xff);
        lk_request request = {};
        request.b = GetParam();
        request.row = &row_;
        request.n = n;
        const uint8_t key = 0; // those of this row have no bytes
        request.io.dk = &key;
        request.io.ct = cts_.data();
        request.io.ss = secrets_.data();
        size_t taken = 0 - n; // the operations are taken twice, the first time to count their memory
        return lk_group_run(&operation, &request, &taken);
    }

    void expect_secrets(size_t n, size_t zero)
    {
        for (size_t i = 0; i < n; i++) {
            const Bytes hash = i == zero ? Bytes(ss_bytes) : sha3_256(slice(cts_, i * ct_bytes, ct_bytes));
            EXPECT_EQ(to_hex(slice(secrets_, i * ss_bytes, ss_bytes)), to_hex(hash)) << i;
        }
    }

    Random random_{41};
    lk_row row_ = {};
    Bytes cts_, secrets_;
};

TEST_P(Phases, WithoutAFaultIsDone)
{
    fault = Fault::none;
    for (size_t n = 1; n <= GetParam()->symmetric.keccak->lanes; n++) {
        EXPECT_EQ(run(n), LK_DONE);
        expect_secrets(n, n);
    }
}

// An operation's own fault is its own; the others are complete.
TEST_P(Phases, OneThatDidNotRunAsItIsToldIsRefused)
{
    for (Fault which : {Fault::phase_left_early, Fault::phase_again_without_end, Fault::output_elsewhere})
        for (size_t n = 1; n <= GetParam()->symmetric.keccak->lanes; n++)
            for (size_t i = 0; i < n; i++) {
                fault = which;
                faulty = i;
                EXPECT_EQ(run(n), LATKEM_ERR_FAULT) << static_cast<int>(which);
                expect_secrets(n, i);
            }
}

// Jobs belong to the group: none of its operations is valid if one is not complete.
TEST_P(Phases, AllAreRefusedIfAJobIsNotDone)
{
    for (Fault which : {Fault::job_lost, Fault::job_counted_once, Fault::job_shortened, Fault::job_never_begins})
        for (size_t n = 1; n <= GetParam()->symmetric.keccak->lanes; n++) {
            fault = which;
            faulty = n - 1;
            EXPECT_EQ(run(n), LATKEM_ERR_FAULT) << static_cast<int>(which);
            EXPECT_EQ(to_hex(secrets_), to_hex(Bytes(n * ss_bytes))) << static_cast<int>(which);
        }
}

TEST_P(Phases, ABadKeyIsNoFault)
{
    fault = Fault::bad_key;
    for (size_t n = 1; n <= GetParam()->symmetric.keccak->lanes; n++) {
        faulty = n / 2;
        EXPECT_EQ(run(n), LATKEM_ERR_DK);
        expect_secrets(n, faulty);
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Phases, testing::ValuesIn(tested_backends()), backend_name);

} // namespace
