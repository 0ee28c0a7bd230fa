// Every secret value of an operation, in the forms in which memory may hold it, to be searched for.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_SECRETS_H
#define LATKEM_TESTS_SECRETS_H

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/model/facts.h"
#include "harness/model/hex.h"
#include "harness/model/ntru.h"

// A find is a run of a secret's bytes of its window length. A window must be too long to occur by chance: where values are
// small and repeat often it is longer.
class Secrets
{
  public:
    struct Sample {
        std::string name;
        Bytes bytes;
    };

    void add(const std::string &name, const Bytes &secret, size_t window = 16, size_t step = 1);

    // Coefficients in 16-bit words.
    void add(const std::string &name, const std::vector<int16_t> &coefficients, size_t window);

    // Coefficients modulo q, a power of 2, in 16-bit words of whatever upper bits. All must have the same q.
    void add_residues(const std::string &name, const ntru::Poly &coefficients, int q, size_t window);

    // Small coefficients in all forms in which kernels hold them: packed, as bytes, as residues, and as planes of bits.
    void add_trits(const std::string &name, const ntru::Poly &trits, int q);

    // The name of the first secret found and its place, or nothing.
    std::string search(const uint8_t *memory, size_t size) const;

    // One window of each secret as memory may hold it.
    const std::vector<Sample> &samples() const
    {
        return samples_;
    }

  private:
    using Key = std::pair<uint64_t, uint64_t>;
    struct Hash {
        size_t operator()(const Key &k) const;
    };
    // A part of a secret, as they are numbered.
    struct Window {
        size_t secret, begin, size;
    };
    using Windows = std::unordered_multimap<Key, Window, Hash>;

    static Key key(const uint8_t *bytes);
    void insert(Windows &windows, const std::string &name, const Bytes &secret, size_t window, size_t step);
    std::string search(const Windows &windows, const uint8_t *memory, size_t size) const;

    void add_plane(const std::string &name, const std::vector<bool> &bits);

    std::vector<Sample> secrets_;
    Windows windows_, residues_;
    uint16_t mask_ = 0xffff;
    std::vector<Sample> samples_;
};

// The secrets of key generation, of dk alone, of encapsulation and of decapsulation.
void add_key_generation(Secrets &secrets, const SetFacts &set, const Bytes &seed);
void add_decapsulation_key(Secrets &secrets, const SetFacts &set, const Bytes &dk);
void add_encapsulation(Secrets &secrets, const SetFacts &set, const Bytes &ek, const Bytes &coins);
void add_decapsulation(Secrets &secrets, const SetFacts &set, const Bytes &dk, const Bytes &ct);

#endif
