// The driver of the registers, with and without interrupts, and the core behind them in a simulation.
// SPDX-License-Identifier: Apache-2.0
#include "Vcore.h"
#include "bench.h"
#include "registers.h"
#include "secrets.h"

namespace
{

using Soc = Bench<Vcore>;

// One access at a time. An error of the bus is none of this driver's: it ends the program.
void check(unsigned response)
{
    if (response == 0) return;
    std::puts("an access ended in an error");
    std::exit(1);
}

void write(void *port, unsigned offset, uint32_t value)
{
    auto &soc = *static_cast<Soc *>(port);
    auto &bus = *soc.model;
    bus.s_axil_awaddr = offset;
    bus.s_axil_wdata = value;
    bus.s_axil_wstrb = 15;
    bus.s_axil_awvalid = bus.s_axil_wvalid = bus.s_axil_bready = 1;
    while (!bus.s_axil_bvalid) {
        const bool address = bus.s_axil_awready, data = bus.s_axil_wready;
        soc.step();
        if (address) bus.s_axil_awvalid = 0;
        if (data) bus.s_axil_wvalid = 0;
    }
    check(bus.s_axil_bresp);
    soc.step();
    bus.s_axil_bready = 0;
    bus.s_axil_wdata = 0;
}

uint32_t read(void *port, unsigned offset)
{
    auto &soc = *static_cast<Soc *>(port);
    auto &bus = *soc.model;
    bus.s_axil_araddr = offset;
    bus.s_axil_arvalid = bus.s_axil_rready = 1;
    while (!bus.s_axil_rvalid) {
        const bool address = bus.s_axil_arready;
        soc.step();
        if (address) bus.s_axil_arvalid = 0;
    }
    const uint32_t value = bus.s_axil_rdata;
    check(bus.s_axil_rresp);
    soc.step();
    bus.s_axil_rready = 0;
    return value;
}

void wait(void *port)
{
    auto &soc = *static_cast<Soc *>(port);
    while (!soc.model->irq_o) soc.step();
}

} // namespace

int main()
{
    Soc soc;
    auto &bus = *soc.model;
    bus.zeroize_i = 0;
    bus.s_axil_awvalid = bus.s_axil_wvalid = bus.s_axil_bready = bus.s_axil_arvalid = bus.s_axil_rready = 0;
    soc.reset();
    for (auto *interrupt : {wait, static_cast<void (*)(void *)>(nullptr)}) {
        core_bus access = {read, write, interrupt, &soc};
        if (!core_registers_found(&access)) return 1;
        std::printf("registers, %s\n", interrupt == nullptr ? "polled" : "interrupts");
        // A request that is cut off is forgotten, and all others are answered.
        write(&soc, 0x10, 1);
        write(&soc, 0x14, 0);
        core_registers_zeroize(&access);
        if (read(&soc, 0x0c) & 1) return 1;
        if (!exchange_all({core_registers_exchange, &access}, soc.random, soc.edges)) return 1;
    }
    return 0;
}
