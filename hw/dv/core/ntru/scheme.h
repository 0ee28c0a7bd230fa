// The benches' facts about NTRU, and about its core. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_SCHEME_H
#define LATKEM_HW_SCHEME_H

#include <array>
#include <map>
#include <random>
#include <string>

#include "model/golden.h"

namespace scheme
{

// Latency that acceptance allows, for keygen, encaps and decaps.
inline const std::map<std::string, std::array<unsigned, 3>> limits = {{"NTRU-HPS-2048-509", {12000, 1350, 3450}},
                                                                      {"NTRU-HPS-2048-677", {16000, 1750, 4500}},
                                                                      {"NTRU-HPS-4096-821", {19000, 2150, 5450}},
                                                                      {"NTRU-HRSS-701", {15000, 1000, 5050}}};

inline const FurtherCycles further_cycles = {{"Streams=1",
                                              {{"NTRU-HPS-2048-509", {{{20302, 20435}, {1299, 1432}, {6180, 6276}}}},
                                               {"NTRU-HPS-2048-677", {{{26925, 27090}, {1733, 1878}, {8189, 8285}}}},
                                               {"NTRU-HPS-4096-821", {{{32579, 32776}, {2054, 2252}, {9875, 10003}}}},
                                               {"NTRU-HRSS-701", {{{26583, 26748}, {1588, 1754}, {9172, 9268}}}}}},
                                             {"Rounds=2",
                                              {{"NTRU-HPS-2048-509", {{{11629, 11762}, {1290, 1423}, {3344, 3440}}}},
                                               {"NTRU-HPS-2048-677", {{{15383, 15548}, {1709, 1868}, {4422, 4531}}}},
                                               {"NTRU-HPS-4096-821", {{{18589, 18786}, {2044, 2242}, {5322, 5472}}}},
                                               {"NTRU-HRSS-701", {{{14633, 14798}, {886, 1052}, {4926, 5041}}}}}}};

// All of dk is secret, packed: bytes.
inline constexpr unsigned secret_bits = 8, secret_piece = 8;

// Edges after the last beat of a key pair at which s may still be there.
inline uint64_t s_stays(const std::string &, const CoreSet &)
{
    return 0;
}

// Whether the core leaves a ciphertext in its memories.
inline constexpr bool leaves_ct = true;

// Any bytes are a dk.
inline Words any_secret(const CoreSet &set, std::mt19937_64 &random)
{
    Words dk(set.secret);
    for (auto &word : dk) word = random();
    return dk;
}

// Whether ss of a response to this request is specified: it always is.
inline bool specifies_ss(const Words &)
{
    return true;
}

// Time depends on no data.
inline constexpr bool has_further_blocks = false;
inline unsigned further_blocks(const Words &)
{
    return 0;
}

} // namespace scheme

#endif
