// The tests' own NTRU against published examples, since other tests rest on it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "harness/model/crypto.h"
#include "harness/model/ntru.h"
#include "vectors.h"

namespace
{

using nlohmann::json;

std::string digits(const ntru::Poly &trits, size_t count)
{
    std::string text;
    for (size_t i = 0; i < count; i++) text += static_cast<char>('0' + trits.at(i));
    return text;
}

Bytes quadratic(size_t length)
{
    Bytes bytes(length);
    for (size_t i = 0; i < length; i++) bytes[i] = static_cast<uint8_t>(7 * i * i + 3 * i);
    return bytes;
}

const ntru::Parameters hps_509(*find_facts("NTRU-HPS-2048-509")), hrss_701(*find_facts("NTRU-HRSS-701"));

TEST(NtruModel, FixedType)
{
    const ntru::Poly m = ntru::fixed_type(quadratic(hps_509.fixed_type_bytes()), hps_509.n, hps_509.weight());
    EXPECT_EQ(digits(m, 24), "200120101210220000000111");
    EXPECT_EQ(to_hex(slice(sha3_256(ntru::pack_s3(m)), 0, 8)), "7cf1b27cfc942791");
}

TEST(NtruModel, IidPlus)
{
    EXPECT_EQ(digits(ntru::iid_plus(quadratic(700), 701), 24), "012021100111101002001002");
}

TEST(NtruModel, Lift)
{
    const ntru::Poly m = ntru::iid(quadratic(700), 701), lifted = ntru::lift(hrss_701, m);
    EXPECT_EQ(ntru::Poly(lifted.begin(), lifted.begin() + 12), (ntru::Poly{0, 1, -2, 0, 1, 1, -1, 0, 0, 1, -1, 1}));
    EXPECT_EQ(ntru::mod(ntru::mod_phi(lifted), 3), m);
    EXPECT_EQ(std::accumulate(lifted.begin(), lifted.end(), 0), 0);
}

// Every value of key generation, encapsulation and decapsulation of NIST's entry 0.
class NtruIntermediate : public testing::TestWithParam<SetFacts>
{
  protected:
    void SetUp() override
    {
        file_ = load_json(std::string("intermediate/") + GetParam().reference_name + ".json");
    }

    ntru::Poly poly(const char *part, const char *name) const
    {
        return file_.at(part).at(name).get<ntru::Poly>();
    }
    Bytes bytes(const char *part, const char *name) const
    {
        return hex_field(file_.at(part), name);
    }

    const ntru::Parameters p{GetParam()};
    json file_;
};

TEST_P(NtruIntermediate, KeyGeneration)
{
    const auto [f, g] = ntru::sample_fg(p, bytes("keygen", "fg_bytes"));
    const Bytes dk = bytes("outputs", "sk"), ek = bytes("outputs", "pk");
    const ntru::SecretKey key(p, dk);
    EXPECT_EQ(f, poly("keygen", "f"));
    EXPECT_EQ(g, poly("keygen", "g"));
    EXPECT_EQ(ntru::scaled_g(p, g), poly("keygen", "G_scaled"));
    EXPECT_EQ(key.f, f);
    EXPECT_EQ(key.f_inverse, poly("keygen", "f_inv_mod3"));
    EXPECT_EQ(key.h_inverse, poly("keygen", "h_inv"));
    EXPECT_EQ(key.z, bytes("keygen", "prf_key"));
    EXPECT_EQ(ntru::unpack_r0(ek, p.n, p.bits()), poly("keygen", "h"));
    EXPECT_EQ(ntru::pack_s3(f) + ntru::pack_s3(key.f_inverse) + ntru::pack_q(key.h_inverse, p.bits()) + key.z, dk);
    EXPECT_EQ(ntru::broken_equation(p, ek, dk), "");
}

TEST_P(NtruIntermediate, Encapsulation)
{
    const auto [r, m] = ntru::sample_rm(p, bytes("encaps", "rm_bytes"));
    EXPECT_EQ(r, poly("encaps", "r"));
    EXPECT_EQ(m, poly("encaps", "m"));
    EXPECT_EQ(ntru::lift(p, m), poly("encaps", "lift_m"));
    EXPECT_EQ(to_hex(ntru::pack_s3(r) + ntru::pack_s3(m)), to_hex(bytes("encaps", "rm_packed")));
    const Bytes ct = ntru::encrypt(p, bytes("outputs", "pk"), r, m);
    EXPECT_EQ(ntru::unpack_r0(ct, p.n, p.bits()), poly("encaps", "c"));
    EXPECT_EQ(to_hex(ct), to_hex(bytes("outputs", "ct")));
    EXPECT_EQ(to_hex(ntru::shared_secret(r, m)), to_hex(bytes("outputs", "ss")));
}

TEST_P(NtruIntermediate, Decapsulation)
{
    const Bytes dk = bytes("outputs", "sk"), ct = bytes("outputs", "ct");
    const ntru::Decryption d = ntru::decrypt(p, ntru::SecretKey(p, dk), ct);
    EXPECT_EQ(d.cf, poly("decaps", "cf"));
    EXPECT_EQ(d.m, poly("decaps", "m_prime"));
    EXPECT_EQ(ntru::centred(d.r, p.q), poly("decaps", "r_prime"));
    EXPECT_FALSE(d.fails);
    EXPECT_EQ(to_hex(ntru::decaps(p, dk, ct)), to_hex(bytes("outputs", "ss")));
}

TEST_P(NtruIntermediate, Rejection)
{
    const Bytes dk = bytes("outputs", "sk");
    Bytes ct = bytes("outputs", "ct");
    ct[0] ^= 1;
    const ntru::Decryption d = ntru::decrypt(p, ntru::SecretKey(p, dk), ct);
    const json &values = file_.at("reject_example").at("intermediate");
    EXPECT_EQ(d.cf, values.at("cf").get<ntru::Poly>());
    EXPECT_EQ(d.m, values.at("m_prime").get<ntru::Poly>());
    EXPECT_TRUE(d.fails);
    EXPECT_EQ(to_hex(ntru::decaps(p, dk, ct)), to_hex(bytes("reject_example", "ss")));
}

// Each equation is missed when the key is wrong in the part that it is about.
TEST_P(NtruIntermediate, BrokenEquations)
{
    Bytes dk = bytes("outputs", "sk"), ek = bytes("outputs", "pk");
    const auto broken_by = [&](Bytes &bytes, size_t at) {
        bytes[at] ^= 1;
        const std::string equation = ntru::broken_equation(p, ek, dk);
        bytes[at] ^= 1;
        return equation;
    };
    EXPECT_EQ(broken_by(dk, 0), "f f_inverse = 1 in S_3");
    EXPECT_EQ(broken_by(dk, p.s3_bytes()), "f f_inverse = 1 in S_3");
    EXPECT_EQ(broken_by(dk, 2 * p.s3_bytes()), "h h_inverse = 1 in S_q");
    EXPECT_EQ(broken_by(ek, 0), "h h_inverse = 1 in S_q");
    EXPECT_EQ(broken_by(dk, dk.size() - 1), "");

    // 3 h has an inverse too.
    int third = 1;
    while (3 * third % p.q != 1) third++;
    const ntru::Poly h = ntru::unpack_r0(ek, p.n, p.bits()), h_inverse = ntru::SecretKey(p, dk).h_inverse;
    const Bytes other_ek = ntru::pack_q(ntru::mod(ntru::scale(h, 3), p.q), p.bits());
    const Bytes other_inverse = ntru::pack_q(ntru::mod(ntru::scale(h_inverse, third), p.q), p.bits());
    const Bytes other_dk = slice(dk, 0, 2 * p.s3_bytes()) + other_inverse + Bytes(32, 0);
    EXPECT_EQ(ntru::broken_equation(p, other_ek, other_dk), p.is_hrss ? "f h = 3 (X - 1) g" : "f h = 3 g");
}

std::vector<SetFacts> ntru_sets()
{
    std::vector<SetFacts> sets;
    for (const SetFacts &set : all_facts())
        if (set.family == Family::ntru) sets.push_back(set);
    return sets;
}

std::string set_name(const testing::TestParamInfo<SetFacts> &info)
{
    return std::string(info.param.reference_name);
}

INSTANTIATE_TEST_SUITE_P(Every, NtruIntermediate, testing::ValuesIn(ntru_sets()), set_name);

} // namespace
