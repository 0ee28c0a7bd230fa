// The benches' facts about ML-KEM and Kyber round 3, and about their core. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_SCHEME_H
#define LATKEM_HW_SCHEME_H

#include <array>
#include <map>
#include <random>
#include <string>

#include "model/golden.h"
#include "model/sponge.h"

namespace scheme
{

// Latency that acceptance allows, for keygen, encaps and decaps.
inline const std::map<std::string, std::array<unsigned, 3>> limits = {
    {"ML-KEM-512", {760, 960, 1350}}, {"ML-KEM-768", {1160, 1360, 1880}}, {"ML-KEM-1024", {1750, 1980, 2480}},
    {"Kyber512", {760, 1080, 1350}},  {"Kyber768", {1160, 1480, 1880}},   {"Kyber1024", {1750, 2100, 2480}}};

inline const FurtherCycles further_cycles = {{"Rounds=2",
                                              {{"ML-KEM-512", {{{680, 763}, {878, 982}, {1274, 1419}}}},
                                               {"ML-KEM-768", {{{1032, 1103}, {1261, 1397}, {1778, 1955}}}},
                                               {"ML-KEM-1024", {{{1474, 1547}, {1752, 1920}, {2363, 2588}}}},
                                               {"Kyber512", {{{680, 763}, {933, 1001}, {1296, 1415}}}},
                                               {"Kyber768", {{{1032, 1103}, {1327, 1409}, {1800, 1951}}}},
                                               {"Kyber1024", {{{1474, 1547}, {1828, 1932}, {2385, 2584}}}}}},
                                             {"Butterflies=8",
                                              {{"ML-KEM-512", {{{1086, 1154}, {1454, 1558}, {2061, 2206}}}},
                                               {"ML-KEM-768", {{{1701, 1769}, {2165, 2301}, {2974, 3151}}}},
                                               {"ML-KEM-1024", {{{2474, 2542}, {3023, 3191}, {4038, 4263}}}},
                                               {"Kyber512", {{{1086, 1154}, {1555, 1623}, {2099, 2206}}}},
                                               {"Kyber768", {{{1701, 1769}, {2284, 2352}, {3012, 3151}}}},
                                               {"Kyber1024", {{{2474, 2542}, {3137, 3215}, {4076, 4263}}}}}}};

// Bits of a coefficient of s, in dk and in the banks of the polynomial unit, and how many bytes in a row of s are too
// many to be there by chance: s is transformed, so its coefficients are as good as random.
inline constexpr unsigned secret_bits = 12, secret_piece = 8;

// Edges after the last beat of a key pair at which s may still be there, in a core with this further parameter: with two
// rounds of Keccak a cycle H(ek) is there before s is overwritten.
inline uint64_t s_stays(const std::string &further, const CoreSet &set)
{
    return further == "Rounds=2" && set.rank == 2 ? 16 : 0;
}

// Whether the core leaves a ciphertext in its memories.
inline constexpr bool leaves_ct = false;

// An s as dk may hold it: 12-bit values count modulo q.
inline Words any_secret(const CoreSet &set, std::mt19937_64 &random)
{
    Words s(set.secret);
    for (auto &word : s) word = random();
    return s;
}

// Whether ss of a response to this request is specified.
inline bool specifies_ss(const Words &)
{
    return true;
}

// Blocks of SHAKE128 beyond three that the entries of a request's matrix take: all that its time may depend on. rho is
// the one of the answer or of ek.
inline constexpr bool has_further_blocks = true;
inline unsigned further_blocks(const Words &request)
{
    const CoreSet &set = set_of(request);
    const unsigned operation = operation_of(request);
    const Words source = operation == Keygen ? golden_response(request) : request;
    const auto rho = bytes_of(source, 1 + set.ek - 4 + (operation == Encaps ? 0 : set.secret), 4);
    unsigned further = 0;
    for (unsigned a = 0; a < set.rank; ++a)
        for (unsigned b = 0; b < set.rank; ++b)
            further += entry_blocks(rho, static_cast<uint8_t>(a), static_cast<uint8_t>(b)) - 3;
    return further;
}

} // namespace scheme

#endif
