// The hybrids on known answers (tests/vectors/hybrid), through every way in, on every backend.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>

#include <map>

#include "kem_test.h"
#include "vectors.h"

namespace
{

using nlohmann::json;

const json &file(const std::string &name)
{
    static std::map<std::string, json> files;
    json &known = files[name];
    if (known.is_null()) known = load_json("hybrid/" + name + ".json");
    return known;
}

int code(const json &vector)
{
    static const std::map<std::string, int> codes = {
        {"LATKEM_ERR_LENGTH", LATKEM_ERR_LENGTH}, {"LATKEM_ERR_EK", LATKEM_ERR_EK},   {"LATKEM_ERR_DK", LATKEM_ERR_DK},
        {"LATKEM_ERR_CT", LATKEM_ERR_CT},         {"LATKEM_ERR_RNG", LATKEM_ERR_RNG},
    };
    return vector.contains("error") ? codes.at(vector.at("error")) : LATKEM_OK;
}

// The result of an operation: its error, and its outputs in hex.
struct Result {
    int error;
    std::string outputs;

    bool operator==(const Result &other) const
    {
        return error == other.error && outputs == other.outputs;
    }
};

std::ostream &operator<<(std::ostream &os, const Result &result)
{
    return os << latkem_strerror(result.error) << ": " << result.outputs;
}

// The expectation of a vector: its outputs or, with an error, zeros.
Result expected(const json &vector, std::initializer_list<std::string> names, size_t size)
{
    const int error = code(vector);
    std::string outputs;
    for (const std::string &name : names)
        if (error == LATKEM_OK) outputs += vector.at(name).get<std::string>();
    return {error, error == LATKEM_OK ? outputs : std::string(2 * size, '0')};
}

// The operations in all their forms; each must have the same result.
class Hybrid : public testing::TestWithParam<std::tuple<size_t, std::string>>
{
  protected:
    void SetUp() override
    {
        ASSERT_EQ(latkem_backend_use(std::get<1>(GetParam()).c_str()), LATKEM_OK);
        kem = tested_kem_at(std::get<0>(GetParam()));
        ASSERT_NE(kem, nullptr);
    }
    void TearDown() override
    {
        EXPECT_EQ(latkem_backend_use(nullptr), LATKEM_OK);
    }

    const json &vectors(const std::string &name) const
    {
        return file(name).at("sets").at(latkem_kem_name(kem));
    }
    size_t ct_and_ss() const
    {
        return latkem_ct_bytes(kem) + latkem_ss_bytes(kem);
    }

    Result keypair(const Bytes &seed) const
    {
        Bytes ek(latkem_ek_bytes(kem), 0xee), dk(latkem_dk_bytes(kem), 0xee);
        const int error = latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size());
        const Result result = {error, to_hex(ek) + to_hex(dk)};
        RecordingRng rng{seed};
        const int again = latkem_keypair_rng(kem, ek.data(), dk.data(), RecordingRng::fill, &rng);
        EXPECT_EQ((Result{again, to_hex(ek) + to_hex(dk)}), result) << "by rng";
        return result;
    }

    Result encaps(const Bytes &ek, const Bytes &coins) const
    {
        Bytes ct(latkem_ct_bytes(kem), 0xee), ss(latkem_ss_bytes(kem), 0xee);
        const int error = latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), coins.data(),
                                               coins.size());
        const Result result = {error, to_hex(ct) + to_hex(ss)};
        RecordingRng rng{coins};
        int again = latkem_encaps_rng(kem, ct.data(), ss.data(), ek.data(), ek.size(), RecordingRng::fill, &rng);
        EXPECT_EQ((Result{again, to_hex(ct) + to_hex(ss)}), result) << "by rng";
        again = encaps_prepared(ct, ss, ek, coins);
        EXPECT_EQ((Result{again, to_hex(ct) + to_hex(ss)}), result) << "prepared";
        return result;
    }

    int encaps_prepared(Bytes &ct, Bytes &ss, const Bytes &ek, const Bytes &coins) const
    {
        Prepared prepared(latkem_prepared_ek_bytes(kem));
        ct.assign(ct.size(), 0);
        ss.assign(ss.size(), 0);
        const int error = latkem_prepare_ek(kem, prepared.data(), ek.data(), ek.size());
        if (error != LATKEM_OK) {
            EXPECT_TRUE(all_zero(prepared.bytes()));
            return error;
        }
        RecordingRng rng{coins};
        return latkem_encaps_prepared_rng(kem, ct.data(), ss.data(), prepared.data(), RecordingRng::fill, &rng);
    }

    Result decaps(Bytes ct, const Bytes &dk) const
    {
        ct.reserve(1); // no NULL of none
        Bytes ss(latkem_ss_bytes(kem), 0xee), again(latkem_ss_bytes(kem), 0);
        const int error = latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size());
        const Result result = {error, to_hex(ss)};
        Prepared prepared(latkem_prepared_dk_bytes(kem));
        int other = latkem_prepare_dk(kem, prepared.data(), dk.data(), dk.size());
        if (other == LATKEM_OK)
            other = latkem_decaps_prepared(kem, again.data(), ct.data(), ct.size(), prepared.data());
        else
            EXPECT_TRUE(all_zero(prepared.bytes()));
        EXPECT_EQ((Result{other, to_hex(again)}), result) << "prepared";
        return result;
    }

    const latkem_kem *kem = nullptr;
};

TEST_P(Hybrid, KnownAnswers)
{
    for (const json &v : vectors("kem")) {
        SCOPED_TRACE(v.value("note", "a vector"));
        const Bytes ek = hex_field(v, "ek"), dk = hex_field(v, "dk");
        EXPECT_EQ(keypair(hex_field(v, "seed")), expected(v, {"ek", "dk"}, 0));
        EXPECT_EQ(encaps(ek, hex_field(v, "coins")), expected(v, {"ct", "ss"}, 0));
        EXPECT_EQ(decaps(hex_field(v, "ct"), dk), expected(v, {"ss"}, 0));
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), LATKEM_OK);
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), LATKEM_OK);
    }
}

TEST_P(Hybrid, AlteredCiphertexts)
{
    const json &altered = vectors("altered");
    for (const json &v : altered.at("tests")) {
        SCOPED_TRACE(v.at("what").get<std::string>());
        EXPECT_EQ(decaps(hex_field(v, "ct"), hex_field(altered, "dk")), expected(v, {"ss"}, latkem_ss_bytes(kem)));
    }
}

TEST_P(Hybrid, EncapsulationKeys)
{
    const json &keys = vectors("keys");
    for (const json &v : keys.at("ek")) {
        SCOPED_TRACE(v.at("what").get<std::string>());
        const Bytes ek = hex_field(v, "ek");
        EXPECT_EQ(encaps(ek, hex_field(keys, "coins")), expected(v, {"ct", "ss"}, ct_and_ss()));
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), code(v));
    }
}

TEST_P(Hybrid, DecapsulationKeys)
{
    const json &keys = vectors("keys");
    for (const json &v : keys.at("dk")) {
        SCOPED_TRACE(v.at("what").get<std::string>());
        if (v.contains("seed")) {
            EXPECT_EQ(keypair(hex_field(v, "seed")), expected(v, {}, latkem_ek_bytes(kem) + latkem_dk_bytes(kem)));
            continue;
        }
        const Bytes dk = hex_field(v, "dk");
        EXPECT_EQ(decaps(hex_field(keys, "ct"), dk), expected(v, {"ss"}, latkem_ss_bytes(kem)));
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), code(v));
    }
}

TEST_P(Hybrid, PublishedVectors)
{
    if (latkem_hpke_kem_id(kem) != 0x647a) return;
    for (const json &v : file("published").at("xwing")) {
        EXPECT_EQ(keypair(hex_field(v, "seed")), expected(v, {"ek", "dk"}, 0));
        EXPECT_EQ(encaps(hex_field(v, "ek"), hex_field(v, "coins")), expected(v, {"ct", "ss"}, 0));
        EXPECT_EQ(decaps(hex_field(v, "ct"), hex_field(v, "dk")), expected(v, {"ss"}, 0));
    }
}

std::vector<std::string> backends()
{
    std::vector<std::string> all;
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) all.push_back(name);
    return all;
}

std::string name_of(const testing::TestParamInfo<std::tuple<size_t, std::string>> &info)
{
    std::string name = std::string(latkem_kem_name(latkem_hybrid_at(std::get<0>(info.param)))) + "_on_" +
                       std::get<1>(info.param);
    for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Hybrid, testing::Combine(testing::Range<size_t>(0, 6), testing::ValuesIn(backends())),
                         name_of);

} // namespace
