// The benches' facts about Saber, and about its core. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HW_SCHEME_H
#define LATKEM_HW_SCHEME_H

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>

#include "model/golden.h"

namespace scheme
{

// Latency that acceptance allows, for keygen, encaps and decaps.
inline const std::map<std::string, std::array<unsigned, 3>> limits = {
    {"LightSaber", {900, 1200, 1400}}, {"Saber", {1430, 1820, 2100}}, {"FireSaber", {2050, 2480, 2930}}};

inline const FurtherCycles further_cycles = {{"Unroll=1",
                                              {{"LightSaber", {{{1491, 1559}, {2100, 2168}, {2758, 2865}}}},
                                               {"Saber", {{{2826, 2894}, {3735, 3803}, {4651, 4806}}}},
                                               {"FireSaber", {{{4620, 4716}, {5825, 5911}, {7054, 7257}}}}}},
                                             {"Unroll=2",
                                              {{"LightSaber", {{{979, 1047}, {1332, 1400}, {1734, 1841}}}},
                                               {"Saber", {{{1690, 1758}, {2199, 2267}, {2739, 2894}}}},
                                               {"FireSaber", {{{2620, 2716}, {3265, 3351}, {4270, 4473}}}}}},
                                             {"Unroll=4",
                                              {{"LightSaber", {{{723, 791}, {948, 1016}, {1222, 1329}}}},
                                               {"Saber", {{{1162, 1230}, {1431, 1499}, {1971, 2126}}}},
                                               {"FireSaber", {{{1676, 1772}, {1985, 2071}, {2990, 3193}}}}}},
                                             {"Rounds=2",
                                              {{"LightSaber", {{{811, 879}, {1014, 1082}, {1382, 1501}}}},
                                               {"Saber", {{{1204, 1287}, {1534, 1616}, {1983, 2150}}}},
                                               {"FireSaber", {{{1782, 1903}, {2184, 2308}, {2802, 3017}}}}}},
                                             {"Butterflies=8",
                                              {{"LightSaber", {{{1296, 1364}, {1738, 1806}, {2416, 2523}}}},
                                               {"Saber", {{{2222, 2290}, {2806, 2874}, {3705, 3860}}}},
                                               {"FireSaber", {{{3372, 3468}, {4105, 4191}, {5252, 5455}}}}}}};

// Bits of a coefficient of s, in dk and in the banks of the polynomial unit, and how many bytes in a row of s are too
// many to be there by chance: a coefficient has two or three bits of entropy.
inline constexpr unsigned secret_bits = 13, secret_piece = 24;

// Edges after the last beat of a key pair at which s may still be there, in a core with this further parameter.
inline uint64_t s_stays(const std::string &further, const CoreSet &set)
{
    return further == "Rounds=2" && set.rank == 4 ? 22 : 0;
}

// Whether the core leaves a ciphertext in its memories.
inline constexpr bool leaves_ct = true;

// s in dk is of two's complements.
inline unsigned coefficient(int value)
{
    return static_cast<unsigned>(value) & ((1u << secret_bits) - 1);
}

// An s as dk may hold it: coefficients from -mu/2 to mu/2.
inline Words any_secret(const CoreSet &set, std::mt19937_64 &random)
{
    const int most = static_cast<int>(set.secret_max);
    std::vector<unsigned> s(256 * set.rank);
    for (auto &value : s) value = coefficient(static_cast<int>(random() % (2 * set.secret_max + 1)) - most);
    return packed(s, secret_bits);
}

// Whether ss of a response to this request is specified: s of dk is in range.
inline bool specifies_ss(const Words &request)
{
    if (operation_of(request) != Decaps) return true;
    const CoreSet &set = set_of(request);
    const auto s = unpacked(request, 1, set.secret, secret_bits);
    return std::all_of(s.begin(), s.end(), [&](unsigned value) {
        return coefficient(static_cast<int>(value + set.secret_max)) <= 2 * set.secret_max;
    });
}

// Time depends on no data.
inline constexpr bool has_further_blocks = false;
inline unsigned further_blocks(const Words &)
{
    return 0;
}

} // namespace scheme

#endif
