// The driver and the core together, in a simulation: keys by the core, ciphertexts to and from liblatkem.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>
#include <vector>

#include "Vcore.h"
#include "bench.h"
#include "driver.h"
#include "latkem/latkem.h"

namespace
{

struct Port {
    Bench<Vcore> bench;
    uint64_t cycles = 0; // of the last request
};

// Here stands a DMA engine in a device. One word a cycle each way.
size_t exchange(void *context, const uint64_t *request, size_t count, uint64_t *response, size_t room)
{
    auto &port = *static_cast<Port *>(context);
    auto &core = *port.bench.model;
    const std::vector<uint64_t> words(request, request + count);
    const uint64_t begin = port.bench.edges;
    size_t sent = 0, got = 0;
    for (bool last = false; !last;) {
        core.s_axis_tvalid = sent < count;
        core.s_axis_tdata = sent < count ? words[sent] : 0;
        core.s_axis_tlast = sent + 1 == count;
        core.m_axis_tready = 1;
        core.eval();
        sent += core.s_axis_tvalid && core.s_axis_tready;
        if (core.m_axis_tvalid) {
            if (got < room) response[got++] = core.m_axis_tdata;
            last = core.m_axis_tlast;
        }
        port.bench.step();
    }
    port.cycles = port.bench.edges - begin;
    return got;
}

// One set: 0 for success, the core's status or -1 for none.
int exchange_secrets(Port &port, unsigned set)
{
    const core_link link = {exchange, &port};
    const core_sizes *sizes = core_sizes_of(set);
    const latkem_kem *kem = latkem_kem_at(set);
    std::vector<uint8_t> ek(sizes->ek), dk(sizes->dk), ct(sizes->ct), seed(sizes->seed), coins(CORE_COINS);
    uint8_t ss[CORE_SS], ss_software[CORE_SS];
    // Of a simulation: take secrets from the system's generator elsewhere.
    for (auto &byte : seed) byte = static_cast<uint8_t>(port.bench.random());
    for (auto &byte : coins) byte = static_cast<uint8_t>(port.bench.random());

    const int status = core_keygen(&link, sizes, ek.data(), dk.data(), seed.data());
    if (status != 0) return status;
    const auto keygen = port.cycles;
    bool good = core_encaps(&link, sizes, ct.data(), ss, ek.data(), coins.data()) == 0;
    const auto encaps = port.cycles;
    good = good && latkem_decaps(kem, ss_software, ct.data(), ct.size(), dk.data(), dk.size()) == 0 &&
           memcmp(ss, ss_software, sizeof ss) == 0;
    good = good && latkem_encaps(kem, ct.data(), ss_software, ek.data(), ek.size()) == 0;
    good = good && core_decaps(&link, sizes, ss, ct.data(), dk.data()) == 0 && memcmp(ss, ss_software, sizeof ss) == 0;
    std::printf("%-11s  keygen %4u  encaps %4u  decaps %4u cycles  %s\n", latkem_kem_name(kem),
                static_cast<unsigned>(keygen), static_cast<unsigned>(encaps), static_cast<unsigned>(port.cycles),
                good ? "agrees with liblatkem" : "WRONG");
    return good ? 0 : -1;
}

} // namespace

int main()
{
    constexpr int unknown = 1; // the status of a set that the core was built without
    Port port;
    auto &core = *port.bench.model;
    core.zeroize_i = core.s_axis_tvalid = core.m_axis_tready = 0;
    port.bench.reset();
    bool any = false;
    for (unsigned set = 0; latkem_kem_at(set) != nullptr; ++set) {
        const int status = core_sizes_of(set) == nullptr ? unknown : exchange_secrets(port, set);
        if (status != 0 && status != unknown) return 1;
        any = any || status == 0;
    }
    return any ? 0 : 1;
}
