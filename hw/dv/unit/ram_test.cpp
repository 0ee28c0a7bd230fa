// latkem_ram: reads follow writes by one edge. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "Vlatkem_ram.h"
#include "bench.h"

TEST(Ram, ReadsWhatWasWrittenAnEdgeBefore)
{
    Bench<Vlatkem_ram> bench;
    for (uint64_t i = 0; i < 512; ++i) {
        bench.model->we_i = 1;
        bench.model->waddr_i = i;
        bench.model->wdata_i = i * 0x9e3779b97f4a7c15;
        bench.step();
    }
    bench.model->we_i = 0;
    for (uint64_t i = 0; i < 512; ++i) {
        bench.model->raddr_i = i;
        bench.step();
        ASSERT_EQ(bench.model->rdata_o, i * 0x9e3779b97f4a7c15) << i;
    }
}

TEST(Ram, ReadsTheOldWordAtTheEdgeThatWrites)
{
    Bench<Vlatkem_ram> bench;
    for (uint64_t value : {1, 2}) {
        bench.model->we_i = 1;
        bench.model->waddr_i = bench.model->raddr_i = 7;
        bench.model->wdata_i = value;
        bench.step();
    }
    ASSERT_EQ(bench.model->rdata_o, 1u);
}
