// NTRU against its own definition: keys, ciphertexts, and each reason for which decapsulation rejects, which are others
// than a re-encryption that differs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "harness/model/kem.h"
#include "harness/model/ntru.h"
#include "kem_test.h"

namespace
{

using ntru::Poly;

class Ntru : public KemTest
{
  protected:
    void SetUp() override
    {
        KemTest::SetUp();
        keys_ = keypair(stream_);
        std::tie(r_, m_) = sample();
    }

    std::pair<Poly, Poly> sample()
    {
        const ntru::Pair rm = ntru::sample_rm(p, stream_.bytes(sizes().coins));
        return {rm.first, rm.second};
    }

    // r h + Lift(m) for an r that need not be ternary.
    Bytes ciphertext(const Poly &r, const Poly &m) const
    {
        const Poly h = ntru::unpack_r0(keys_.ek, p.n, p.bits());
        return ntru::pack_q(ntru::mod(ntru::add(ntru::multiply(r, h, p.q), ntru::lift(p, m)), p.q), p.bits());
    }

    void expect_rejected(const Bytes &ct) const
    {
        EXPECT_EQ(to_hex(decaps(keys_.dk, ct)), to_hex(rejection_secret(set(), keys_.dk, ct)));
    }
    void expect_accepted(const Bytes &ct, const Poly &r, const Poly &m) const
    {
        EXPECT_EQ(to_hex(decaps(keys_.dk, ct)), to_hex(ntru::shared_secret(r, m)));
    }
    void expect_as_the_model(const Bytes &dk, const Bytes &ct) const
    {
        EXPECT_EQ(to_hex(decaps(dk, ct)), to_hex(ntru::decaps(p, dk, ct)));
    }

    // A random position of m with this trit.
    size_t position_of(int trit)
    {
        size_t at;
        do at = stream_.below(p.n - 1);
        while (m_[at] != trit);
        return at;
    }

    const ntru::Parameters p{set()};
    Stream stream_{std::string("ntru ") + set().name};
    KeyPair keys_;
    Poly r_, m_;
};

TEST_P(Ntru, KeyGeneration)
{
    for (int i = 0; i < 10; i++) {
        const Bytes seed = stream_.bytes(sizes().seed);
        const KeyPair keys = keypair(seed);
        const auto [f, g] = ntru::sample_fg(p, seed);
        const ntru::SecretKey key(p, keys.dk);
        ASSERT_EQ(key.f, f);
        const Poly fh = ntru::multiply(ntru::centred(f, 3), ntru::unpack_r0(keys.ek, p.n, p.bits()), p.q);
        ASSERT_EQ(ntru::centred(fh, p.q), ntru::scaled_g(p, g));
        ASSERT_EQ(ntru::broken_equation(p, keys.ek, keys.dk), "");
        // Each polynomial in its one form: unused bits are 0 and f_inverse has no bytes from 243 on.
        ASSERT_EQ(to_hex(ntru::pack_s3(key.f) + ntru::pack_s3(key.f_inverse) + ntru::pack_q(key.h_inverse, p.bits())),
                  to_hex(slice(keys.dk, 0, sizes().dk - 32)));
        ASSERT_EQ(keys.ek, ntru::pack_q(ntru::unpack_sq(keys.ek, p.n, p.bits()), p.bits()));
    }
}

TEST_P(Ntru, Encapsulation)
{
    for (int i = 0; i < 10; i++) {
        const Bytes coins = stream_.bytes(sizes().coins);
        const auto [r, m] = ntru::sample_rm(p, coins);
        const Encapsulation e = encaps(keys_.ek, coins);
        ASSERT_EQ(to_hex(e.ct), to_hex(ntru::encrypt(p, keys_.ek, r, m)));
        ASSERT_EQ(to_hex(e.ss), to_hex(ntru::shared_secret(r, m)));
    }
}

// Random ek are multiples of X - 1 like all others.
TEST_P(Ntru, EncapsulationUnderAnyKey)
{
    for (const Bytes &ek : {stream_.bytes(sizes().ek), Bytes(sizes().ek, 0xff), Bytes(sizes().ek, 0)}) {
        const Bytes coins = stream_.bytes(sizes().coins);
        const auto [r, m] = ntru::sample_rm(p, coins);
        EXPECT_EQ(to_hex(encaps(ek, coins).ct), to_hex(ntru::encrypt(p, ek, r, m)));
    }
}

// ---- Decapsulation ----

TEST_P(Ntru, AcceptsWhatIsValid)
{
    expect_accepted(ciphertext(ntru::centred(r_, 3), m_), r_, m_);
    // r = 0, and r with all coefficients alike, are in the message space too.
    for (int trit : {0, 1, 2}) {
        Poly r(p.n, trit);
        r.back() = 0;
        expect_accepted(ciphertext(ntru::centred(r, 3), m_), r, m_);
    }
}

TEST_P(Ntru, RejectsUnusedBits)
{
    const Bytes ct = ciphertext(ntru::centred(r_, 3), m_);
    const size_t unused = 8 * sizes().ct - p.bits() * (p.n - 1);
    for (unsigned bit = 0; bit < unused; bit++) {
        Bytes altered = ct;
        altered.back() ^= static_cast<uint8_t>(0x80 >> bit);
        SCOPED_TRACE("bit " + std::to_string(7 - bit));
        expect_rejected(altered);
    }
    EXPECT_EQ(unused, p.q == 4096 ? 0u : 4u);
}

// One coefficient of r is too large, at each end and between. While it is small m comes out right, so that nothing but r
// can be the reason.
TEST_P(Ntru, RejectsAnRThatIsNotTernary)
{
    for (size_t at : {size_t{0}, p.n / 2, p.n - 2})
        for (int value : {2, -2, 3, p.q / 2}) {
            Poly r = ntru::centred(r_, 3);
            r[at] = value;
            SCOPED_TRACE("coefficient " + std::to_string(at) + " is " + std::to_string(value));
            const Bytes ct = ciphertext(r, m_);
            expect_rejected(ct);
            if (value != p.q / 2) {
                EXPECT_EQ(ntru::decrypt(p, ntru::SecretKey(p, keys_.dk), ct).m, m_);
            }
        }
}

// In HPS m has a weight: too few or too many of each sign, also where their sum is right. In HRSS any m will do. As long as
// there are as many 1 as -1, ct is a multiple of X - 1, r comes out right, and nothing but the weight can be the reason.
TEST_P(Ntru, WeightOfM)
{
    using Change = std::pair<int, int>; // from, to
    const std::vector<Change> changes[] = {{{0, 1}}, {{0, 2}}, {{1, 0}},         {{2, 0}},
                                           {{1, 2}}, {{2, 1}}, {{0, 1}, {0, 2}}, {{1, 0}, {2, 0}}};
    const Poly valid = m_;
    for (const std::vector<Change> &change : changes) {
        m_ = valid;
        for (const auto &[from, to] : change) m_[position_of(from)] = to;
        const Bytes ct = ciphertext(ntru::centred(r_, 3), m_);
        SCOPED_TRACE(std::to_string(change.size()) + " changed, " + std::to_string(change[0].first) + " to " +
                     std::to_string(change[0].second));
        if (p.is_hrss)
            expect_accepted(ct, r_, m_);
        else
            expect_rejected(ct);
        if (change.size() == 2) {
            EXPECT_EQ(ntru::decrypt(p, ntru::SecretKey(p, keys_.dk), ct).r, ntru::mod(ntru::centred(r_, 3), p.q));
        }
    }
}

// r = m = 0 is in the message space of HRSS, where the weight of m does not matter.
TEST_P(Ntru, AllZeroCiphertext)
{
    const Poly zero(p.n, 0);
    Bytes ct(sizes().ct, 0);
    if (!p.is_hrss) return expect_rejected(ct);
    expect_accepted(ct, zero, zero);
    ct.back() = 0x80;
    expect_rejected(ct);
}

TEST_P(Ntru, AnyCiphertext)
{
    for (int i = 0; i < 20; i++) expect_as_the_model(keys_.dk, stream_.bytes(sizes().ct));
    expect_as_the_model(keys_.dk, Bytes(sizes().ct, 0xff));
}

// Nothing about dk is checked. Packed trits of 243 and more, an f that is 0 and an inverse that is none have a result all
// the same.
TEST_P(Ntru, AnyDecapsulationKey)
{
    const Bytes ct = ciphertext(ntru::centred(r_, 3), m_);
    const size_t s3 = p.s3_bytes(), sq = p.sq_bytes();
    for (uint8_t fill : {0x00, 0xf3, 0xff}) expect_as_the_model(Bytes(sizes().dk, fill), ct);
    for (int i = 0; i < 10; i++) {
        const Bytes dk = stream_.bytes(sizes().dk);
        expect_as_the_model(dk, ct);
        // With 0 in the place of the inverse of h every r is 0, so that m reaches the secret of HRSS.
        expect_as_the_model(slice(dk, 0, 2 * s3) + Bytes(sq, 0) + Bytes(32, 1),
                            stream_.bytes(sizes().ct - 1) + Bytes{0});
    }
}

// ---- Forms that no key generation writes ----

class NtruKeyForm : public Ntru
{
  protected:
    // Bits of the last byte of a packed polynomial modulo q that are not used, and the least value that a byte of packed
    // trits cannot have.
    unsigned unused_bits() const
    {
        return static_cast<unsigned>(8 * p.sq_bytes() - p.bits() * (p.n - 1));
    }
    unsigned excess_of(size_t byte) const
    {
        const size_t digits = (byte + 1) % p.s3_bytes() == 0 ? (p.n - 2) % 5 + 1 : 5;
        unsigned excess = 1;
        for (size_t i = 0; i < digits; i++) excess *= 3;
        return excess;
    }

    int check_ek(const Bytes &ek) const
    {
        return latkem_check_ek(kem, ek.data(), ek.size());
    }
    int check_dk(const Bytes &dk) const
    {
        return latkem_check_dk(kem, dk.data(), dk.size());
    }
};

TEST_P(NtruKeyForm, ChecksRefuseUnusedBits)
{
    for (unsigned bit = 0; bit < 8; bit++) {
        Bytes ek = keys_.ek, dk = keys_.dk;
        ek.back() ^= static_cast<uint8_t>(1 << bit);
        dk[sizes().dk - 33] ^= static_cast<uint8_t>(1 << bit);
        const bool unused = bit >= 8 - unused_bits();
        EXPECT_EQ(check_ek(ek), unused ? LATKEM_ERR_EK : LATKEM_OK) << "bit " << bit;
        EXPECT_EQ(check_dk(dk), unused ? LATKEM_ERR_DK : LATKEM_OK) << "bit " << bit;
    }
}

TEST_P(NtruKeyForm, ChecksRefuseMoreThanAllTrits)
{
    for (size_t i = 0; i < 2 * p.s3_bytes(); i++) {
        const unsigned excess = excess_of(i);
        for (unsigned value : {0u, excess - 1, excess, 255u}) {
            Bytes dk = keys_.dk;
            dk[i] = static_cast<uint8_t>(value);
            ASSERT_EQ(check_dk(dk), value >= excess ? LATKEM_ERR_DK : LATKEM_OK) << "byte " << i << " is " << value;
        }
    }
}

// The operations read such keys as if they were in their form.
TEST_P(NtruKeyForm, OperationsReadThemAll)
{
    const Bytes coins = stream_.bytes(sizes().coins);
    const Encapsulation e = encaps(keys_.ek, coins);
    KeyPair other = keys_;
    const auto unused = static_cast<uint8_t>(0xff00 >> unused_bits());
    other.ek.back() ^= unused;
    other.dk[sizes().dk - 33] ^= unused;
    for (size_t i = 0; i < 2 * p.s3_bytes(); i++)
        if (other.dk[i] + excess_of(i) < 256) other.dk[i] = static_cast<uint8_t>(other.dk[i] + excess_of(i));
    EXPECT_EQ(check_dk(other.dk), LATKEM_ERR_DK);
    EXPECT_EQ(to_hex(encaps(other.ek, coins).ct), to_hex(e.ct));
    EXPECT_EQ(to_hex(encaps(other.ek, coins).ss), to_hex(e.ss));
    EXPECT_EQ(to_hex(decaps(other.dk, e.ct)), to_hex(e.ss));
    Prepared ek(latkem_prepared_ek_bytes(kem)), dk(latkem_prepared_dk_bytes(kem));
    EXPECT_EQ(latkem_prepare_ek(kem, ek.data(), other.ek.data(), other.ek.size()), LATKEM_OK);
    EXPECT_EQ(latkem_prepare_dk(kem, dk.data(), other.dk.data(), other.dk.size()), LATKEM_OK);
    Bytes ct(sizes().ct), ss(sizes().ss), opened(sizes().ss);
    EXPECT_EQ(latkem_encaps_prepared(kem, ct.data(), ss.data(), ek.data()), LATKEM_OK);
    EXPECT_EQ(latkem_decaps_prepared(kem, opened.data(), ct.data(), ct.size(), dk.data()), LATKEM_OK);
    EXPECT_EQ(to_hex(opened), to_hex(ss));
}

bool is_ntru(const SetFacts &set)
{
    return set.family == Family::ntru;
}

LATKEM_FOR_CASES(Ntru, is_ntru);
LATKEM_FOR_CASES(NtruKeyForm, is_ntru);

} // namespace
