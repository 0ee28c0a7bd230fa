// The examples' work with a core: keys, ciphertexts to and from liblatkem. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_SECRETS_H
#define LATKEM_HW_SECRETS_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "driver.h"
#include "latkem/latkem.h"

// One set: 0 for success, the core's status or -1 for none. `edges` counts the clock's.
inline int exchange_secrets(const core_link &link, unsigned set, std::mt19937_64 &random, const uint64_t &edges)
{
    const core_sizes *sizes = core_sizes_of(set);
    const latkem_kem *kem = latkem_kem_at(set);
    std::vector<uint8_t> ek(sizes->ek), dk(sizes->dk), ct(sizes->ct), seed(sizes->seed), coins(sizes->coins);
    uint8_t ss[CORE_SS], ss_software[CORE_SS];
    // Of a simulation: take secrets from the system's generator elsewhere.
    for (auto &byte : seed) byte = static_cast<uint8_t>(random());
    for (auto &byte : coins) byte = static_cast<uint8_t>(random());

    uint64_t begin = edges;
    const auto lap = [&] {
        const auto cycles = static_cast<unsigned>(edges - begin);
        begin = edges;
        return cycles;
    };
    const int status = core_keygen(&link, sizes, ek.data(), dk.data(), seed.data());
    if (status != 0) return status;
    const unsigned keygen = lap();
    bool good = core_encaps(&link, sizes, ct.data(), ss, ek.data(), coins.data()) == 0;
    const unsigned encaps = lap();
    good = good && latkem_decaps(kem, ss_software, ct.data(), ct.size(), dk.data(), dk.size()) == 0 &&
           memcmp(ss, ss_software, sizeof ss) == 0;
    good = good && latkem_encaps(kem, ct.data(), ss_software, ek.data(), ek.size()) == 0;
    good = good && core_decaps(&link, sizes, ss, ct.data(), dk.data()) == 0 && memcmp(ss, ss_software, sizeof ss) == 0;
    std::printf("%-11s  keygen %5u  encaps %5u  decaps %5u cycles  %s\n", latkem_kem_name(kem), keygen, encaps, lap(),
                good ? "agrees with liblatkem" : "WRONG");
    return good ? 0 : -1;
}

// All sets that the core has; whether there is one, and none is wrong.
inline bool exchange_all(const core_link &link, std::mt19937_64 &random, const uint64_t &edges)
{
    constexpr int unknown = 1; // the status of a set that the core was built without
    bool any = false;
    for (unsigned set = 0; latkem_kem_at(set) != nullptr; ++set) {
        const int status = core_sizes_of(set) == nullptr ? unknown : exchange_secrets(link, set, random, edges);
        if (status != 0 && status != unknown) return false;
        any = any || status == 0;
    }
    return any;
}

#endif
