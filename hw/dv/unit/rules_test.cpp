// A broken assertion of a module about its ports is seen: the model stops. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vlatkem_at_most_one.h"
#include "Vlatkem_holds.h"
#include "bench.h"

namespace
{

class Holds : public testing::Test
{
  protected:
    Holds()
    {
        give(false, false, 0);
        bench.model->clear_i = 0;
        bench.reset();
    }

    void give(bool offered, bool taken, unsigned what)
    {
        bench.model->offered_i = offered;
        bench.model->taken_i = taken;
        bench.model->what_i = what;
    }

    // One edge with these inputs.
    void pass(bool offered, bool taken, unsigned what)
    {
        give(offered, taken, what);
        bench.step();
    }

    Bench<Vlatkem_holds> bench;
};

} // namespace

TEST_F(Holds, WhatIsTakenMayGoOrChange)
{
    pass(true, false, 1);
    pass(true, false, 1);
    pass(true, true, 1);
    pass(false, false, 0);
    pass(true, true, 1);
    pass(true, true, 0);
    pass(false, true, 1);
}

TEST_F(Holds, SeesWhatIsTakenBack)
{
    pass(true, false, 1);
    EXPECT_DEATH(pass(false, false, 1), "");
    EXPECT_DEATH(pass(false, true, 1), "");
}

TEST_F(Holds, SeesWhatChanges)
{
    pass(true, false, 1);
    EXPECT_DEATH(pass(true, true, 0), "");
}

TEST_F(Holds, AClearEndsAnOffer)
{
    for (unsigned late : {0, 1}) {
        bench.model->clear_i = late == 0;
        pass(true, false, 1);
        bench.model->clear_i = late == 1;
        pass(false, false, 0);
        bench.model->clear_i = 0;
        pass(false, false, 0);
    }
}

TEST(AtMostOne, SeesTwo)
{
    Bench<Vlatkem_at_most_one> bench;
    bench.model->selects_i = 0;
    bench.reset();
    for (unsigned selects : {0, 1, 2, 0}) {
        bench.model->selects_i = selects;
        bench.step();
    }
    bench.model->selects_i = 3;
    EXPECT_DEATH(bench.step(), "");
}
