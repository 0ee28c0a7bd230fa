// The facts of each parameter set (spec/sets.json) with which the tests compare.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_HARNESS_MODEL_FACTS_H
#define LATKEM_HARNESS_MODEL_FACTS_H

#include <cstddef>
#include <string>
#include <vector>

enum class Family { mlkem, kyber, kyber_90s, saber, ntru, hybrid };

struct Sizes {
    size_t ek, dk, ct, ss, seed, coins;
};

// Keys are vectors of `rank` polynomials of n coefficients modulo q.
struct Ring {
    size_t rank; // k of FIPS 203, l of Saber; NTRU's keys are single polynomials
    size_t n;
    unsigned q;
    unsigned noise_bits; // of randomness for a coefficient of the secret: 2 eta1 of FIPS 203, mu of Saber
    unsigned du, dv;     // bits of a coefficient in the two parts of a ciphertext; Saber's dv is log2 T
};

struct AccumulatedDigest {
    unsigned rounds;
    const char *with_dk, *without_dk; // SHAKE128 of ek, dk or not, ct, ss and the ss of a random ct, 32 bytes
};

// Numbers that others gave a set or a hybrid; those that it does not have are empty or 0.
struct Ids {
    std::string oid; // in dotted form
    unsigned tls_group, hpke_kem;
};

struct SetFacts {
    const char *name;
    const char *reference_name; // what the official code calls the set
    const char *family_name;
    Family family;
    int level;
    Ring ring;
    bool is_standard;
    Sizes sizes;
    std::vector<size_t> keypair_requests, encaps_requests; // what the official code asks its randombytes for
    const char *rsp_header;                                // the name in the first line of the .rsp file
    const char *rsp_sha256;                                // of the NIST .rsp file of 100 entries
    const char *altered_sha256; // of the expected secrets of altered ciphertexts, see kat/altered_test.cpp
    std::vector<AccumulatedDigest> accumulated;
    const char *uake_sha256, *ake_sha256; // of an exchange, see kat/kex_test.cpp; NULL: the set has none
    Ids ids;
};

// FIPS 203 checks keys; the round-3 submissions take any key of the right length.
inline bool checks_keys(const SetFacts &set)
{
    return set.family == Family::mlkem;
}

// NTRU decapsulates without the encapsulation key, so its dk holds neither that nor its hash.
inline bool dk_holds_ek(const SetFacts &set)
{
    return set.family != Family::ntru;
}

// A hybrid; those of its SetFacts that do not apply are empty.
struct HybridFacts {
    SetFacts set;
    std::string mlkem, group; // its parts
    bool group_first;
    std::string label; // in hex; none: the secrets are side by side
};

const std::vector<SetFacts> &all_facts();
const std::vector<HybridFacts> &all_hybrid_facts();

// Of a set or a hybrid.
const SetFacts *find_facts(const std::string &name);

#endif
