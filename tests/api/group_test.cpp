// Groups of operations in a library that asks how large they are (LK_CHECK), as debug builds do: one that is larger than
// lk_group() ends the program, and no call makes one. The exchanges' own tests are in the same program.
// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "kem_test.h"

extern "C" {
#include "api/columns.h"
}

namespace
{

class Group : public KemTest
{
  protected:
    lk_request request(size_t n) const
    {
        lk_request r{};
        r.b = lk_backend_current();
        r.row = kem->row;
        r.n = n;
        return r;
    }
};

// By SIGILL or SIGTRAP; s390x compares and traps at once, which is an exception of its own.
bool trapped(int status)
{
    return WIFSIGNALED(status) &&
           (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP || WTERMSIG(status) == SIGFPE);
}

TEST_P(Group, NoCallMakesALargerOne)
{
    Stream stream(std::string("groups ") + set().name);
    for (size_t n = 1; n <= kem->row->group + size_t{2}; n++) {
        const Bytes seeds = stream.bytes(n * sizes().seed), coins = stream.bytes(n * sizes().coins);
        Bytes eks(n * sizes().ek), dks(n * sizes().dk), cts(n * sizes().ct), sss(n * sizes().ss), again = sss;
        RecordingRng for_keys{seeds}, for_cts{coins};
        EXPECT_EQ(latkem_keypair_batch_rng(kem, n, eks.data(), dks.data(), RecordingRng::fill, &for_keys), LATKEM_OK);
        EXPECT_EQ(latkem_encaps_batch_rng(kem, n, cts.data(), sss.data(), eks.data(), RecordingRng::fill, &for_cts),
                  LATKEM_OK);
        EXPECT_EQ(latkem_decaps_batch(kem, n, again.data(), cts.data(), dks.data()), LATKEM_OK);
        EXPECT_EQ(to_hex(again), to_hex(sss)) << n;
    }
}

// None at all is no group either.
TEST_P(Group, ALargerOneEndsTheProgram)
{
    const std::tuple<lk_request_fn *, lk_kind> operations[] = {
        {lk_keypair_of(kem), LK_KEYPAIR}, {lk_encaps_of(kem), LK_ENCAPS}, {lk_decaps_of(kem), LK_DECAPS}};
    for (const auto &[run, kind] : operations) {
        const size_t most = kem->functions ? kem->row->group : lk_group(lk_backend_current(), kem->row, kind);
        for (size_t n : {size_t{0}, most + 1, size_t{255}}) {
            const lk_request larger = request(n);
            EXPECT_EXIT(run(&larger), trapped, "") << n << " of kind " << kind;
        }
    }
}

LATKEM_FOR_EVERY_CASE(Group);

} // namespace
