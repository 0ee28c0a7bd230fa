// The reasons for which NTRU's decapsulation rejects, each alone, by ciphertexts that no encapsulation makes: on every
// backend, because each has its own kernels for two of them. SPDX-License-Identifier: Apache-2.0
#include "backends.h"
#include "harness/model/crypto.h"
#include "harness/model/ntru.h"

extern "C" {
#include "scheme/ntru/params.h"
}

namespace
{

using ntru::Poly;

struct Set {
    const lk_ntru_params *row;
    const char *name;
};

constexpr Set sets[] = {{&lk_ntru_hps2048509, "NTRU-HPS-2048-509"},
                        {&lk_ntru_hps2048677, "NTRU-HPS-2048-677"},
                        {&lk_ntru_hps4096821, "NTRU-HPS-4096-821"},
                        {&lk_ntru_hrss701, "NTRU-HRSS-701"}};

// A key of a set on a backend, and an r and m that encapsulation could choose.
class Recipient
{
  public:
    Recipient(const lk_backend *backend, const Set &set, Random &random)
        : p(*find_facts(set.name)), backend_(backend), row_(set.row)
    {
        const lk_sizes &sizes = row_->row.bytes;
        const Bytes seed = random.bytes(lk_total(sizes.seed));
        Bytes ek(sizes.ek);
        dk_.resize(sizes.dk);
        lk_request request = request_for_one();
        request.io.seed = seed.data();
        request.io.ek_out = ek.data();
        request.io.dk_out = dk_.data();
        EXPECT_EQ(lk_ntru_keypair(&request), LK_DONE);
        h_ = ntru::unpack_r0(ek, p.n, p.bits());
        const ntru::Pair rm = ntru::sample_rm(p, random.bytes(lk_total(sizes.coins)));
        r = rm.first;
        m = rm.second;
    }

    // of_r h + Lift(of_m) for an of_r that need not be ternary.
    Bytes ciphertext(const Poly &of_r, const Poly &of_m) const
    {
        return ntru::pack_q(ntru::mod(ntru::add(ntru::multiply(of_r, h_, p.q), ntru::lift(p, of_m)), p.q), p.bits());
    }
    Bytes decaps(const Bytes &ct) const
    {
        Bytes secret(32);
        lk_request request = request_for_one();
        request.io.dk = dk_.data();
        request.io.ct = ct.data();
        request.io.ss = secret.data();
        EXPECT_EQ(lk_ntru_decaps(&request), LK_DONE);
        return secret;
    }
    ntru::Decryption decryption(const Bytes &ct) const
    {
        return ntru::decrypt(p, ntru::SecretKey(p, dk_), ct);
    }
    bool rejects(const Bytes &ct) const
    {
        return decaps(ct) == sha3_256(ntru::SecretKey(p, dk_).z + ct);
    }
    bool accepts(const Bytes &ct, const Poly &of_r, const Poly &of_m) const
    {
        return decaps(ct) == ntru::shared_secret(of_r, of_m);
    }

    const ntru::Parameters p;
    Poly r, m;

  private:
    lk_request request_for_one() const
    {
        lk_request request = {};
        request.b = backend_;
        request.row = &row_->row;
        request.n = 1;
        return request;
    }

    const lk_backend *backend_;
    const lk_ntru_params *row_;
    Bytes dk_;
    Poly h_;
};

class NtruRejection : public testing::TestWithParam<const lk_backend *>
{
  protected:
    Recipient recipient(const Set &set)
    {
        return Recipient(GetParam(), set, random);
    }
    Random random{821};
};

TEST_P(NtruRejection, NoneWithoutAReason)
{
    for (const Set &set : sets) {
        const Recipient to = recipient(set);
        EXPECT_TRUE(to.accepts(to.ciphertext(ntru::centred(to.r, 3), to.m), to.r, to.m)) << set.name;
    }
}

TEST_P(NtruRejection, UnusedBits)
{
    for (const Set &set : sets) {
        const Recipient to = recipient(set);
        const Bytes ct = to.ciphertext(ntru::centred(to.r, 3), to.m);
        for (size_t bit = to.p.bits() * (to.p.n - 1); bit < 8 * ct.size(); bit++) {
            Bytes altered = ct;
            altered[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
            EXPECT_TRUE(to.rejects(altered)) << set.name << ", bit " << bit;
        }
    }
}

// While the coefficient is small m comes out right, so that nothing but r can be the reason.
TEST_P(NtruRejection, CoefficientOfR)
{
    for (const Set &set : sets) {
        const Recipient to = recipient(set);
        for (size_t at : {size_t{0}, size_t{63}, to.p.n / 2, to.p.n - 2})
            for (int value : {2, -2}) {
                Poly r = ntru::centred(to.r, 3);
                r[at] = value;
                const Bytes ct = to.ciphertext(r, to.m);
                EXPECT_TRUE(to.rejects(ct)) << set.name << ", " << value << " X^" << at;
                EXPECT_EQ(to.decryption(ct).m, to.m);
            }
    }
}

// One 1 and one -1 more, or fewer, than there may be, at different places: as there are as many of both, r comes out right,
// and nothing but the weight can be the reason. HRSS takes any m.
TEST_P(NtruRejection, WeightOfM)
{
    for (const Set &set : sets) {
        const Recipient to = recipient(set);
        for (bool more : {false, true})
            for (size_t skip : {size_t{0}, size_t{40}}) {
                Poly m = to.m;
                for (int trit : {1, 2}) {
                    auto at = m.begin() + static_cast<std::ptrdiff_t>(skip);
                    at = std::find(at, m.end() - 1, more ? 0 : trit);
                    *at = more ? trit : 0;
                }
                const Bytes ct = to.ciphertext(ntru::centred(to.r, 3), m);
                EXPECT_TRUE(to.p.is_hrss ? to.accepts(ct, to.r, m) : to.rejects(ct)) << set.name;
                EXPECT_EQ(to.decryption(ct).r, ntru::mod(ntru::centred(to.r, 3), to.p.q));
                EXPECT_EQ(to.decryption(ct).m, m);
            }
    }
}

LATKEM_FOR_EVERY_BACKEND(NtruRejection);

} // namespace
