// Implicit rejection: a ciphertext with any byte altered is no error and gives the secret that the scheme defines.
// SPDX-License-Identifier: Apache-2.0
#include "kem_test.h"
#include "model.h"

namespace
{

class Reject : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        Stream stream(std::string("rejection ") + set().name);
        keys_ = keypair(stream);
        const Encapsulation e = encaps(keys_.ek, stream.bytes(sizes().coins));
        ct_ = e.ct;
        ss_ = e.ss;
        for (size_t i = 0; i < sizes().ct; i++) {
            altered_.push_back(ct_);
            altered_.back()[i] ^= static_cast<uint8_t>(1u << stream.below(8));
        }
    }

    // One comparison for every altered ciphertext.
    template <typename Decaps> void expect_rejection(Decaps decaps)
    {
        for (size_t i = 0; i < altered_.size() && !HasFailure(); i++) {
            SCOPED_TRACE("byte " + std::to_string(i) + " of the ciphertext");
            const Bytes ss = decaps(i);
            EXPECT_NE(to_hex(ss), to_hex(ss_));
            EXPECT_EQ(to_hex(ss), to_hex(rejection_secret(set(), keys_.dk, altered_[i])));
        }
    }

    KeyPair keys_;
    Bytes ct_, ss_;
    std::vector<Bytes> altered_;
};

TEST_P(Reject, EveryByteWire)
{
    expect_rejection([&](size_t i) { return decaps(keys_.dk, altered_[i]); });
    EXPECT_EQ(decaps(keys_.dk, ct_), ss_);
}

TEST_P(Reject, EveryBytePrepared)
{
    Prepared prepared(latkem_prepared_dk_bytes(kem));
    ASSERT_EQ(latkem_prepare_dk(kem, prepared.data(), keys_.dk.data(), keys_.dk.size()), LATKEM_OK);
    auto open = [&](const Bytes &ct) {
        Bytes ss(sizes().ss);
        EXPECT_EQ(latkem_decaps_prepared(kem, ss.data(), ct.data(), ct.size(), prepared.data()), LATKEM_OK);
        return ss;
    };
    expect_rejection([&](size_t i) { return open(altered_[i]); });
    EXPECT_EQ(open(ct_), ss_);
}

TEST_P(Reject, EveryByteBatch)
{
    const size_t n = altered_.size() + 1;
    Bytes cts, dks, sss(n * sizes().ss);
    for (const Bytes &ct : altered_) cts.insert(cts.end(), ct.begin(), ct.end());
    cts.insert(cts.end(), ct_.begin(), ct_.end());
    for (size_t i = 0; i < n; i++) dks.insert(dks.end(), keys_.dk.begin(), keys_.dk.end());
    ASSERT_EQ(latkem_decaps_batch(kem, n, sss.data(), cts.data(), dks.data()), LATKEM_OK);
    expect_rejection([&](size_t i) { return slice(sss, i * sizes().ss, sizes().ss); });
    EXPECT_EQ(slice(sss, (n - 1) * sizes().ss, sizes().ss), ss_);
}

// The last ciphertext byte and z take part in the secret.
TEST_P(Reject, DependsOnZ)
{
    KeyPair other = keys_;
    other.dk.back() ^= 1;
    EXPECT_NE(decaps(other.dk, altered_[0]), decaps(keys_.dk, altered_[0]));
    EXPECT_EQ(decaps(other.dk, ct_), ss_);
}

LATKEM_FOR_EVERY_CASE(Reject);

} // namespace
