// The parts of a hybrid's objects, and every kind of bad one: see hybrid_parts.h. SPDX-License-Identifier: Apache-2.0
#include "hybrid_parts.h"

Bytes plus(Bytes number, int difference)
{
    for (size_t i = number.size(); i-- > 0;) {
        const int sum = number[i] + difference;
        number[i] = static_cast<uint8_t>(sum);
        difference = sum >> 8; // floor
    }
    return number;
}

Bytes small(size_t size, uint8_t value)
{
    Bytes number(size - 1);
    number.push_back(value);
    return number;
}

std::vector<Bytes> bad_scalars(const lkp_group &group)
{
    if (!group.order) return {};
    const Bytes n(group.order, group.order + group.scalar);
    return {Bytes(group.scalar), n, plus(n, 1), plus(n, 256), Bytes(group.scalar, 0xff)};
}

Bytes share_of_small_y(const lkp_group &group)
{
    if (&group == &lkp_p256)
        return Bytes{4} + from_hex("d7325d7646cd60d80a92738ceb345f844cffaf35841022cab176f692de8de1d7") + small(32, 5);
    return Bytes{4} +
           from_hex("2261b2bf605c22f2f3aef6338719b2c486388ad5240719a5"
                    "257315969ef01ba27f0a104c89704773a81fdabee6ab5c78") +
           small(48, 1);
}

std::vector<Bytes> small_order_of_x25519()
{
    std::vector<Bytes> all = {from_hex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
                              from_hex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")};
    for (uint8_t first : {0x00, 0x01}) all.push_back(Bytes{first} + Bytes(31));
    for (uint8_t first : {0xec, 0xed, 0xee}) all.push_back(Bytes{first} + Bytes(30, 0xff) + Bytes{0x7f});
    for (size_t i = 0, n = all.size(); i < n; i++) {
        all.push_back(all[i]);
        all.back()[31] ^= 0x80;
    }
    return all;
}

std::vector<BadShare> bad_shares(const lkp_group &group)
{
    std::vector<BadShare> all;
    if (&group == &lkp_x25519) {
        for (const Bytes &u : small_order_of_x25519()) all.push_back({"small order: " + to_hex(u), u});
        return all;
    }
    const Bytes good = share_of_small_y(group), p(group.prime, group.prime + group.secret), zero(group.secret);
    const Bytes x = slice(good, 1, group.secret), y = slice(good, 1 + group.secret, group.secret);
    const uint8_t parity = y.back() & 1;
    all = {{"off the curve, by x", Bytes{4} + plus(x, 1) + y},
           {"off the curve, by y", Bytes{4} + x + plus(y, 1)},
           {"on another curve", Bytes{4} + zero + zero},
           {"x is p", Bytes{4} + p + y},
           {"x is all ones", Bytes{4} + Bytes(group.secret, 0xff) + y},
           {"y is p", Bytes{4} + x + p},
           {"y + p", Bytes{4} + x + plus(p, y.back())},
           {"y is all ones", Bytes{4} + x + Bytes(group.secret, 0xff)},
           {"infinity", Bytes(group.share)},
           {"compressed", Bytes{static_cast<uint8_t>(2 | parity)} + x + zero},
           {"compressed, y behind it", Bytes{static_cast<uint8_t>(2 | parity)} + x + y},
           {"compressed, at the end", zero + Bytes{static_cast<uint8_t>(2 | parity)} + x},
           {"all ones", Bytes(group.share, 0xff)}};
    for (int tag : {0, 1, 2, 3, 5, 6, 7, 8, 0x84, 0xff})
        all.push_back({"tag " + std::to_string(tag), Bytes{static_cast<uint8_t>(tag)} + x + y});
    return all;
}

void HybridTest::SetUp()
{
    KemTest::SetUp();
    for (const HybridFacts &facts : all_hybrid_facts())
        if (&facts.set == &set()) facts_ = &facts;
    ASSERT_NE(facts_, nullptr);
}

const lkp_group &HybridTest::group() const
{
    return x25519() ? lkp_x25519 : facts_->group == "P-256" ? lkp_p256 : lkp_p384;
}

Bytes HybridTest::with_group_part(Bytes object, size_t mlkem_part, const Bytes &part) const
{
    std::copy(part.begin(), part.end(), object.begin() + static_cast<std::ptrdiff_t>(group_at(mlkem_part)));
    return object;
}

// Three bytes have two coefficients of 12 bits (FIPS 203 algorithm 5).
Bytes HybridTest::with_coefficient(Bytes ek, size_t index, unsigned value) const
{
    uint8_t *pair = ek.data() + mlkem_at(ek.size(), latkem_ek_bytes(mlkem())) + index / 2 * 3;
    if (index % 2 == 0) {
        pair[0] = static_cast<uint8_t>(value);
        pair[1] = static_cast<uint8_t>((pair[1] & 0xf0) | value >> 8);
    } else {
        pair[1] = static_cast<uint8_t>((pair[1] & 0x0f) | (value & 0xf) << 4);
        pair[2] = static_cast<uint8_t>(value >> 4);
    }
    return ek;
}
