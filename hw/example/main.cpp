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

} // namespace

int main()
{
    Port port;
    auto &core = *port.bench.model;
    core.zeroize_i = core.s_axis_tvalid = core.m_axis_tready = 0;
    port.bench.reset();
    const core_link link = {exchange, &port};

    for (unsigned set : {CORE_MLKEM_512, CORE_MLKEM_768, CORE_MLKEM_1024}) {
        const latkem_kem *kem = latkem_kem_find(set == CORE_MLKEM_512   ? "ML-KEM-512"
                                                : set == CORE_MLKEM_768 ? "ML-KEM-768"
                                                                        : "ML-KEM-1024");
        std::vector<uint8_t> ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem)), ct(latkem_ct_bytes(kem));
        uint8_t seed[64], m[32], ss[32], ss_software[32];
        // Of a simulation: take secrets from the system's generator elsewhere.
        for (auto &byte : seed) byte = static_cast<uint8_t>(port.bench.random());
        for (auto &byte : m) byte = static_cast<uint8_t>(port.bench.random());

        bool good = core_keygen(&link, set, ek.data(), dk.data(), seed) == 0;
        const auto keygen = port.cycles;
        good = good && core_encaps(&link, set, ct.data(), ss, ek.data(), m) == 0;
        const auto encaps = port.cycles;
        good = good && latkem_decaps(kem, ss_software, ct.data(), ct.size(), dk.data(), dk.size()) == 0 &&
               memcmp(ss, ss_software, 32) == 0;
        good = good && latkem_encaps(kem, ct.data(), ss_software, ek.data(), ek.size()) == 0;
        good = good && core_decaps(&link, set, ss, ct.data(), dk.data()) == 0 && memcmp(ss, ss_software, 32) == 0;
        std::printf("%-11s  keygen %4u  encaps %4u  decaps %4u cycles  %s\n", latkem_kem_name(kem),
                    static_cast<unsigned>(keygen), static_cast<unsigned>(encaps), static_cast<unsigned>(port.cycles),
                    good ? "agrees with liblatkem" : "WRONG");
        if (!good) return 1;
    }
    return 0;
}
