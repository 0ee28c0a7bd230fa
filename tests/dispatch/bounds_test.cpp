// The operations keep the bounds of the contracts of all kernels that they call, and the kernels of every backend do.
// SPDX-License-Identifier: Apache-2.0
#include "bounded.h"
#include "operations.h"

namespace
{

class OperationBounds : public Operations
{
  protected:
    void SetUp() override
    {
        Operations::SetUp();
        original_ = lk_backend_current();
        lk_backend_force(check_bounds(*original_));
    }
    void TearDown() override
    {
        lk_backend_force(original_);
        Operations::TearDown();
    }
    void run_all()
    {
        run_keypair();
        run_encaps();
        run_decaps();
        run_decaps_rejecting();
        run_check_ek();
        run_check_dk();
        make_keys(1);
        run_encaps_prepared();
        run_decaps_prepared();
        run_keypair_batch();
        run_encaps_batch();
        run_decaps_batch();
    }

  private:
    const lk_backend *original_ = nullptr;
};

TEST_P(OperationBounds, AreKept)
{
    run_all();
    EXPECT_GE(kernels_checked(), 4u);
    EXPECT_EQ(broken_bounds(), std::set<std::string>());
}

LATKEM_FOR_EVERY_CASE(OperationBounds);

} // namespace
