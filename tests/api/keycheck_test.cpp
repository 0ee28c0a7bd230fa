// Checks of keys (FIPS 203 sections 7.2 and 7.3), and that the operations of the round-3 schemes, which have none, make none.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/model/kem.h"
#include "kem_test.h"

namespace
{

constexpr unsigned q = 3329;

unsigned coefficient(const Bytes &ek, size_t i)
{
    const size_t at = i / 2 * 3;
    return i % 2 == 0 ? ek[at] | (ek[at + 1] & 15u) << 8 : ek[at + 1] >> 4 | static_cast<unsigned>(ek[at + 2]) << 4;
}

void set_coefficient(Bytes &ek, size_t i, unsigned value)
{
    const size_t at = i / 2 * 3;
    if (i % 2 == 0) {
        ek[at] = static_cast<uint8_t>(value);
        ek[at + 1] = static_cast<uint8_t>((ek[at + 1] & 0xf0) | value >> 8);
    } else {
        ek[at + 1] = static_cast<uint8_t>((ek[at + 1] & 0x0f) | (value & 15) << 4);
        ek[at + 2] = static_cast<uint8_t>(value >> 4);
    }
}

class KeyCheck : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        Stream stream(std::string("key checks ") + set().name);
        keys_ = keypair(stream);
        coins_ = stream.bytes(sizes().coins);
        ct_ = encaps(keys_.ek, coins_).ct;
    }

    size_t coefficients() const
    {
        return 256 * set().ring.rank;
    }

    // Every function that takes an ek gives `expected`, and zeroed outputs if that is an error.
    void expect_ek(const Bytes &ek, int expected)
    {
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), expected);
        expect_encapsulation(
            expected, [&](uint8_t *ct, uint8_t *ss) { return latkem_encaps(kem, ct, ss, ek.data(), ek.size()); });
        expect_encapsulation(expected, [&](uint8_t *ct, uint8_t *ss) {
            return latkem_encaps_derand(kem, ct, ss, ek.data(), ek.size(), coins_.data(), coins_.size());
        });
        expect_encapsulation(expected,
                             [&](uint8_t *ct, uint8_t *ss) { return latkem_encaps_batch(kem, 1, ct, ss, ek.data()); });
        RecordingRng rng{coins_};
        expect_encapsulation(expected, [&](uint8_t *ct, uint8_t *ss) {
            return latkem_encaps_rng(kem, ct, ss, ek.data(), ek.size(), RecordingRng::fill, &rng);
        });
        Prepared prepared(latkem_prepared_ek_bytes(kem));
        EXPECT_EQ(latkem_prepare_ek(kem, prepared.data(), ek.data(), ek.size()), expected);
        EXPECT_EQ(static_cast<bool>(all_zero(prepared.bytes())), expected != LATKEM_OK);
    }

    template <typename Encaps> void expect_encapsulation(int expected, Encaps encaps) const
    {
        Bytes ct(sizes().ct, 0xee), ss(sizes().ss, 0xee);
        EXPECT_EQ(encaps(ct.data(), ss.data()), expected);
        EXPECT_EQ(static_cast<bool>(all_zero(ct + ss)), expected != LATKEM_OK);
    }

    // Every function that takes a dk gives `expected`, and zeroed outputs if that is an error.
    void expect_dk(const Bytes &dk, int expected) const
    {
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), expected);
        Bytes ss(sizes().ss, 0xee);
        EXPECT_EQ(latkem_decaps(kem, ss.data(), ct_.data(), ct_.size(), dk.data(), dk.size()), expected);
        EXPECT_EQ(static_cast<bool>(all_zero(ss)), expected != LATKEM_OK);
        ss.assign(ss.size(), 0xee);
        EXPECT_EQ(latkem_decaps_batch(kem, 1, ss.data(), ct_.data(), dk.data()), expected);
        EXPECT_EQ(static_cast<bool>(all_zero(ss)), expected != LATKEM_OK);
        Prepared prepared(latkem_prepared_dk_bytes(kem));
        EXPECT_EQ(latkem_prepare_dk(kem, prepared.data(), dk.data(), dk.size()), expected);
        EXPECT_EQ(static_cast<bool>(all_zero(prepared.bytes())), expected != LATKEM_OK);
    }

    // An encapsulation under ek, which need not be reduced, opens under the dk that belongs to it.
    void expect_agreement(const Bytes &ek) const
    {
        const Bytes dk = dk_secret_vector(set(), keys_.dk) + ek + hash_h(set(), ek) + dk_rejection_seed(keys_.dk);
        const Encapsulation e = encaps(ek, coins_);
        EXPECT_EQ(to_hex(decaps(dk, e.ct)), to_hex(e.ss));
        EXPECT_NE(to_hex(e.ct), to_hex(ct_));
    }

    KeyPair keys_;
    Bytes coins_, ct_;
};

TEST_P(KeyCheck, GoodKeys)
{
    expect_ek(keys_.ek, LATKEM_OK);
    expect_dk(keys_.dk, LATKEM_OK);
}

// The sets with coefficients modulo q = 3329 in their ek, in 12 bits each. Modulo a power of 2 every value is in range.
class Modulus : public KeyCheck
{
};

bool has_modulus(const SetFacts &set)
{
    return set.ring.q == q;
}

TEST_P(Modulus, LargestReducedValueIsAccepted)
{
    Bytes ek = keys_.ek;
    for (size_t i = 0; i < coefficients(); i++) set_coefficient(ek, i, q - 1);
    expect_ek(ek, LATKEM_OK);
}

// The check everywhere, and the operations at every 13th position, on emulated CPUs every 53rd; the deep tests run them
// everywhere too.
TEST_P(Modulus, ModulusAtEveryPosition)
{
    const int expected = checks_keys(set()) ? LATKEM_ERR_EK : LATKEM_OK;
    for (size_t i = 0; i < coefficients() && !HasFailure(); i++) {
        Bytes ek = keys_.ek;
        set_coefficient(ek, i, q);
        SCOPED_TRACE("coefficient " + std::to_string(i));
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), expected);
        if (i % (emulated() ? 53 : 13) == 0 || deep()) expect_ek(ek, expected);
    }
}

TEST_P(Modulus, EveryUnreducedValue)
{
    const size_t last = coefficients() - 1;
    for (size_t i : {size_t{0}, size_t{1}, last / 2, last - 1, last})
        for (unsigned value = 0; value < 4096; value++) {
            Bytes ek = keys_.ek;
            set_coefficient(ek, i, value);
            ASSERT_EQ(latkem_check_ek(kem, ek.data(), ek.size()),
                      value >= q && checks_keys(set()) ? LATKEM_ERR_EK : LATKEM_OK)
                << "coefficient " << i << ", value " << value;
        }
}

class UncheckedKey : public KeyCheck
{
};

// Kyber takes t + q for t: the same key to the arithmetic, another one to the hash of ek.
TEST_P(UncheckedKey, UnreducedWorks)
{
    Bytes ek = keys_.ek;
    size_t changed = 0;
    for (size_t i = 0; i < coefficients(); i++) {
        const unsigned t = coefficient(ek, i);
        if (t + q >= 4096) continue;
        set_coefficient(ek, i, t + q);
        changed++;

        Bytes single = keys_.ek;
        set_coefficient(single, i, t + q);
        SCOPED_TRACE("coefficient " + std::to_string(i));
        if (changed % 4 == 0 || !emulated()) expect_agreement(single);
    }
    EXPECT_GT(changed, coefficients() / 8);
    expect_agreement(ek);
}

class EkInDk : public KeyCheck
{
};

// rho may be anything.
TEST_P(EkInDk, AllOnesInRho)
{
    Bytes ek = keys_.ek;
    std::fill(ek.end() - 32, ek.end(), uint8_t{0xff});
    expect_ek(ek, LATKEM_OK);
}

TEST_P(EkInDk, StoredHash)
{
    for (size_t i = 0; i < 32; i++)
        for (unsigned bit : {0u, 7u}) {
            Bytes dk = keys_.dk;
            dk[dk_hash_offset(set()) + i] ^= static_cast<uint8_t>(1u << bit);
            SCOPED_TRACE("byte " + std::to_string(i) + " of the hash");
            expect_dk(dk, checks_keys(set()) ? LATKEM_ERR_DK : LATKEM_OK);
        }
}

// As above.
TEST_P(EkInDk, EveryByte)
{
    Stream stream("bits");
    const int expected = checks_keys(set()) ? LATKEM_ERR_DK : LATKEM_OK;
    for (size_t i = 0; i < sizes().ek && !HasFailure(); i++) {
        Bytes dk = keys_.dk;
        dk[dk_ek_offset(set()) + i] ^= static_cast<uint8_t>(1u << stream.below(8));
        SCOPED_TRACE("byte " + std::to_string(i) + " of ek");
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), expected);
        if (i % (emulated() ? 53 : 13) == 0 || deep()) expect_dk(dk, expected);
    }
}

// Neither s nor z is covered by a check, and in NTRU only the form of the polynomials is (ntru_test.cpp).
TEST_P(KeyCheck, SecretPartsAreNotChecked)
{
    const size_t end_of_s = dk_holds_ek(set()) ? dk_ek_offset(set()) : sizes().dk - 32;
    for (size_t at : {size_t{0}, end_of_s / 2, end_of_s - 1, sizes().dk - 32, sizes().dk - 1}) {
        Bytes dk = keys_.dk;
        dk[at] ^= 0x01;
        SCOPED_TRACE("byte " + std::to_string(at));
        expect_dk(dk, LATKEM_OK);
    }
}

LATKEM_FOR_EVERY_CASE(KeyCheck);
LATKEM_FOR_CASES(EkInDk, dk_holds_ek);
LATKEM_FOR_CASES(Modulus, has_modulus);
LATKEM_FOR_CASES(UncheckedKey, [](const SetFacts &set) { return has_modulus(set) && !checks_keys(set); });

} // namespace
