// The 100 entries of the NIST known-answer files, made again with the library.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_NIST_H
#define LATKEM_TESTS_NIST_H

#include <numeric>

#include "kem_test.h"

struct NistEntry {
    Bytes seed;
    KeyPair keys;
    Encapsulation encapsulation;
};

// The outer generator draws the seeds of all entries before the first entry starts.
inline std::vector<Bytes> nist_seeds()
{
    Bytes entropy(48);
    std::iota(entropy.begin(), entropy.end(), uint8_t{0});
    Drbg outer(entropy);
    std::vector<Bytes> seeds;
    for (int i = 0; i < 100; i++) seeds.push_back(outer.bytes(48));
    return seeds;
}

inline NistEntry nist_entry(const latkem_kem *kem, const Bytes &seed)
{
    NistEntry entry{seed,
                    {Bytes(latkem_ek_bytes(kem)), Bytes(latkem_dk_bytes(kem))},
                    {Bytes(latkem_ct_bytes(kem)), Bytes(latkem_ss_bytes(kem))}};
    auto &[ek, dk] = entry.keys;
    auto &[ct, ss] = entry.encapsulation;
    Drbg drbg(seed);
    EXPECT_EQ(latkem_keypair_rng(kem, ek.data(), dk.data(), Drbg::callback, &drbg), LATKEM_OK);
    EXPECT_EQ(latkem_encaps_rng(kem, ct.data(), ss.data(), ek.data(), ek.size(), Drbg::callback, &drbg), LATKEM_OK);
    return entry;
}

#endif
