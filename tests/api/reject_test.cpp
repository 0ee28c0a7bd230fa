// Implicit rejection: a ciphertext with any byte altered, or with two changes that might hide each other, is no error
// and gives the secret that the scheme defines.
// SPDX-License-Identifier: Apache-2.0
#include "harness/model/kem.h"
#include "kem_test.h"

namespace
{

class Reject : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        keys_ = keypair(stream_);
        const Encapsulation e = encaps(keys_.ek, stream_.bytes(sizes().coins));
        ct_ = e.ct;
        ss_ = e.ss;
    }

    void expect_rejected(const Bytes &ct, const Bytes &ss) const
    {
        EXPECT_NE(to_hex(ss), to_hex(ss_));
        EXPECT_EQ(to_hex(ss), to_hex(rejection_secret(set(), keys_.dk, ct)));
    }

    Stream stream_{std::string("rejection ") + set().name};
    KeyPair keys_;
    Bytes ct_, ss_;
};

// ---- The three ways to decapsulate, which must reject alike ----

// Ciphertexts that differ from a valid one, each with a name.
class Tiers : public Reject
{
  protected:
    struct Altered {
        std::string name;
        Bytes ct;
    };

    // Every byte, one bit of it; of every `step`-th.
    std::vector<Altered> every_byte(size_t step)
    {
        std::vector<Altered> all;
        for (size_t i = 0; i < sizes().ct; i++) {
            const auto bit = static_cast<uint8_t>(1u << stream_.below(8));
            if (i % step != 0) continue;
            all.push_back({"byte " + std::to_string(i), ct_});
            all.back().ct[i] ^= bit;
        }
        return all;
    }

    // Two equal changes one word apart, of every `step`-th word. A comparison that adds or subtracts differences might
    // miss them. The quick tests change the last bit of each word, because its double is no longer in the word, and
    // natively another bit too. The deep tests take all 64 bits.
    std::vector<Altered> pairs(size_t step) const
    {
        std::vector<Altered> all;
        for (size_t at = 0; at + 16 <= sizes().ct; at += 8 * step)
            for (size_t bit = 0; bit < 64; bit++) {
                if (!deep() && bit != 63 && (emulated() || bit != at / 8 * 11 % 63)) continue;
                all.push_back({"bit " + std::to_string(bit) + " of two words from byte " + std::to_string(at), ct_});
                for (size_t word : {at, at + 8}) all.back().ct[word + bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
            }
        return all;
    }

    void expect_wire(const std::vector<Altered> &altered)
    {
        for (const Altered &a : altered) expect(a, decaps(keys_.dk, a.ct));
        EXPECT_EQ(decaps(keys_.dk, ct_), ss_);
    }

    void expect_prepared(const std::vector<Altered> &altered)
    {
        Prepared prepared(latkem_prepared_dk_bytes(kem));
        ASSERT_EQ(latkem_prepare_dk(kem, prepared.data(), keys_.dk.data(), keys_.dk.size()), LATKEM_OK);
        auto open = [&](const Bytes &ct) {
            Bytes ss(sizes().ss);
            EXPECT_EQ(latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), prepared.data()), LATKEM_OK);
            return ss;
        };
        for (const Altered &a : altered) expect(a, open(a.ct));
        EXPECT_EQ(open(ct_), ss_);
    }

    void expect_batch(const std::vector<Altered> &altered)
    {
        const size_t n = altered.size() + 1;
        Bytes cts, dks, sss(n * sizes().ss);
        for (const Altered &a : altered) cts.insert(cts.end(), a.ct.begin(), a.ct.end());
        cts.insert(cts.end(), ct_.begin(), ct_.end());
        for (size_t i = 0; i < n; i++) dks.insert(dks.end(), keys_.dk.begin(), keys_.dk.end());
        ASSERT_EQ(latkem_decaps_batch(kem, n, sss.data(), cts.data(), dks.data()), LATKEM_OK);
        for (size_t i = 0; i + 1 < n; i++) expect(altered[i], slice(sss, i * sizes().ss, sizes().ss));
        EXPECT_EQ(slice(sss, (n - 1) * sizes().ss, sizes().ss), ss_);
    }

  private:
    void expect(const Altered &altered, const Bytes &ss) const
    {
        if (HasFailure()) return; // one is enough to read
        SCOPED_TRACE(altered.name);
        expect_rejected(altered.ct, ss);
    }
};

// Batches are quicker, so more of the bytes are there; the deep tests take all everywhere, those on emulated CPUs few.
size_t few()
{
    return deep() ? 1 : emulated() ? 30 : 10;
}

TEST_P(Tiers, EveryByteWire)
{
    expect_wire(every_byte(few()));
}

TEST_P(Tiers, EveryBytePrepared)
{
    expect_prepared(every_byte(few()));
}

TEST_P(Tiers, EveryByteBatch)
{
    expect_batch(every_byte(deep() ? 1 : emulated() ? 10 : 2));
}

TEST_P(Tiers, PairsWire)
{
    expect_wire(pairs(emulated() ? 5 : 1));
}

TEST_P(Tiers, PairsPrepared)
{
    expect_prepared(pairs(emulated() ? 5 : 1));
}

TEST_P(Tiers, PairsBatch)
{
    expect_batch(pairs(1));
}

// The last ciphertext byte and z take part in the secret.
TEST_P(Reject, DependsOnZ)
{
    KeyPair other = keys_;
    Bytes altered = ct_;
    other.dk.back() ^= 1;
    altered.back() ^= 1;
    EXPECT_NE(decaps(other.dk, altered), decaps(keys_.dk, altered));
    EXPECT_EQ(decaps(other.dk, ct_), ss_);
}

LATKEM_FOR_EVERY_CASE(Reject);
LATKEM_FOR_EVERY_CASE(Tiers);

} // namespace
