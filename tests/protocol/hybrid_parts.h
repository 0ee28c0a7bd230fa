// The parts of a hybrid's objects, and every kind of bad one. SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_PROTOCOL_HYBRID_PARTS_H
#define LATKEM_TESTS_PROTOCOL_HYBRID_PARTS_H

#include "kem_test.h"

extern "C" {
#include "hybrid/group.h"
}

// A number that is a little more or less, big-endian.
Bytes plus(Bytes number, int difference);

Bytes small(size_t size, uint8_t value);

// 0, the order, numbers above it; none of X25519, because its scalars are all good.
std::vector<Bytes> bad_scalars(const lkp_group &group);

// A point with a y so small that y + p has no more bytes. Of P-256 and P-384.
Bytes share_of_small_y(const lkp_group &group);

// Every u of small order, with the top bit that RFC 7748 ignores and without.
std::vector<Bytes> small_order_of_x25519();

struct BadShare {
    std::string kind;
    Bytes share;
};

// One share of each kind that must be refused, as long as a good one.
std::vector<BadShare> bad_shares(const lkp_group &group);

// Of hybrids alone.
class HybridTest : public KemTest
{
  protected:
    void SetUp() override;

    bool hashes() const
    {
        return !facts_->label.empty();
    }
    bool x25519() const
    {
        return facts_->group == "X25519";
    }
    const lkp_group &group() const;
    const latkem_kem *mlkem() const
    {
        return latkem_kem_find(facts_->mlkem.c_str());
    }

    // The first byte of ML-KEM's part and of the group's, in an object with so many bytes in ML-KEM's part.
    size_t mlkem_at(size_t whole, size_t part) const
    {
        return facts_->group_first ? whole - part : 0;
    }
    size_t group_at(size_t part) const
    {
        return facts_->group_first ? 0 : part;
    }

    // The object with another group's part.
    Bytes with_group_part(Bytes object, size_t mlkem_part, const Bytes &part) const;

    // ek with another coefficient of t.
    Bytes with_coefficient(Bytes ek, size_t index, unsigned value) const;

    const HybridFacts *facts_ = nullptr;
};

#endif
