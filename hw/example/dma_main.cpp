// The driver of a DMA engine, a model of the engine, and the core in a simulation. SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "Vcore.h"
#include "bench.h"
#include "dma.h"
#include "secrets.h"

namespace
{

constexpr uint64_t memory_base = 0x8'0000'1000; // where the engine sees the buffer

// A channel of an engine in direct register mode: what it moves, and its registers.
struct Channel {
    uint32_t control = 0, status = 1, length = 0; // halted
    uint64_t address = 0;
    size_t at = 0, count = 0; // words
    bool runs = false;

    uint32_t read(unsigned offset) const
    {
        const std::array<uint32_t, 4> values = {control, status, static_cast<uint32_t>(address), length};
        return values.at(offset == 0x00 ? 0 : offset == 0x04 ? 1 : offset == 0x18 ? 2 : 3);
    }

    void write(unsigned offset, uint32_t value)
    {
        if (offset == 0x00) control = value, status = value & 1 ? status & ~1u : status | 1;
        if (offset == 0x04) status &= ~(value & 0x7000);
        if (offset == 0x18) address = (address & ~0xffffffffull) | value;
        if (offset == 0x1c) address = (address & 0xffffffff) | static_cast<uint64_t>(value) << 32;
        if (offset != 0x28 || !(control & 1) || value == 0) return;
        runs = true;
        at = (address - memory_base) / 8;
        count = value / 8;
        length = 0;
    }

    void end()
    {
        runs = false;
        status |= 1 << 12;
    }
};

struct Engine {
    Bench<Vcore> bench;
    Channel sends, receives;
    std::vector<uint64_t> memory = std::vector<uint64_t>(CORE_WORDS);

    Channel &channel(unsigned offset)
    {
        return offset < 0x30 ? sends : receives;
    }

    // An edge: a word each way, now and then none.
    void step()
    {
        auto &core = *bench.model;
        core.s_axis_tvalid = core.s_axis_tvalid || (sends.runs && bench.chance(90));
        core.s_axis_tdata = core.s_axis_tvalid ? memory.at(sends.at) : 0;
        core.s_axis_tlast = core.s_axis_tvalid && sends.count == 1;
        core.m_axis_tready = receives.runs && bench.chance(90);
        core.eval();
        const bool sent = core.s_axis_tvalid && core.s_axis_tready, got = core.m_axis_tvalid && core.m_axis_tready;
        if (got) take(core.m_axis_tdata, core.m_axis_tlast);
        bench.step();
        if (!sent) return;
        core.s_axis_tvalid = 0;
        ++sends.at;
        if (--sends.count == 0) sends.end();
    }

    void take(uint64_t word, bool last)
    {
        if (receives.count > 0) {
            memory.at(receives.at++) = word;
            receives.length += 8;
            --receives.count;
        } else {
            receives.status |= 1 << 4; // no room: an internal error
        }
        if (last) receives.end();
    }
};

uint32_t read(void *port, unsigned offset)
{
    auto &engine = *static_cast<Engine *>(port);
    engine.step();
    return engine.channel(offset).read(offset % 0x30);
}

void write(void *port, unsigned offset, uint32_t value)
{
    auto &engine = *static_cast<Engine *>(port);
    engine.step();
    engine.channel(offset).write(offset % 0x30, value);
}

// The interrupt: both channels raise it as their control registers say.
void wait(void *port)
{
    auto &engine = *static_cast<Engine *>(port);
    while ((engine.receives.status & engine.receives.control & 0x7000) == 0) engine.step();
}

} // namespace

int main()
{
    Engine engine;
    auto &core = *engine.bench.model;
    core.zeroize_i = core.s_axis_tvalid = core.m_axis_tready = 0;
    engine.bench.reset();
    for (auto *interrupt : {wait, static_cast<void (*)(void *)>(nullptr)}) {
        core_dma dma = {{read, write, interrupt, &engine}, engine.memory.data(), memory_base};
        std::printf("DMA engine, %s\n", interrupt == nullptr ? "polled" : "interrupts");
        if (!exchange_all({core_dma_exchange, &dma}, engine.bench.random, engine.bench.edges)) return 1;
        // The driver left nothing in its buffer.
        for (const uint64_t word : engine.memory)
            if (word != 0) return 1;
    }
    return 0;
}
