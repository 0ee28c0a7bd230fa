// Wycheproof vectors for ML-KEM-512 and ML-KEM-1024. A case marked invalid must end in an error.
// SPDX-License-Identifier: Apache-2.0
#include "kem_test.h"
#include "vectors.h"

namespace
{

using nlohmann::json;

class Wycheproof : public KemTest
{
  protected:
    template <typename Check> void each(const char *what, Check check) const
    {
        const std::string size = std::string(set().name).substr(std::string("ML-KEM-").size());
        const json file = load_json("wycheproof/mlkem_" + size + "_" + what + "_test.json");
        size_t executed = 0;
        for (const json &group : file.at("testGroups")) {
            ASSERT_EQ(group.at("parameterSet"), set().name);
            for (const json &test : group.at("tests")) {
                SCOPED_TRACE("tcId " + std::to_string(test.at("tcId").get<int>()) + " " + test.value("comment", ""));
                check(test, test.at("result") == "valid");
                executed++;
            }
        }
        EXPECT_GT(executed, 0u);
        std::cout << executed << " cases\n";
    }
};

TEST_P(Wycheproof, KeygenSeed)
{
    each("keygen_seed", [this](const json &test, bool valid) {
        ASSERT_TRUE(valid);
        const KeyPair keys = keypair(hex_field(test, "seed"));
        EXPECT_EQ(to_hex(keys.ek), test.at("ek"));
        EXPECT_EQ(to_hex(keys.dk), test.at("dk"));
    });
}

TEST_P(Wycheproof, Encaps)
{
    each("encaps", [this](const json &test, bool valid) {
        const Bytes ek = hex_field(test, "ek"), m = hex_field(test, "m");
        Bytes ct(sizes().ct), ss(sizes().ss);
        const int rc = latkem_encaps_derand(kem, ct.data(), ss.data(), ek.data(), ek.size(), m.data(), m.size());
        if (valid) {
            EXPECT_EQ(rc, LATKEM_OK);
            EXPECT_EQ(to_hex(ct), test.at("c"));
            EXPECT_EQ(to_hex(ss), test.at("K"));
        } else {
            EXPECT_EQ(rc, ek.size() == sizes().ek ? LATKEM_ERR_EK : LATKEM_ERR_LENGTH);
        }
    });
}

TEST_P(Wycheproof, SemiExpandedDecaps)
{
    each("semi_expanded_decaps", [this](const json &test, bool valid) {
        const Bytes dk = hex_field(test, "dk"), ct = hex_field(test, "c");
        Bytes ss(sizes().ss);
        const int rc = latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size());
        if (valid) {
            EXPECT_EQ(rc, LATKEM_OK);
            EXPECT_EQ(to_hex(ss), test.at("K"));
        } else {
            const bool lengths_fit = dk.size() == sizes().dk && ct.size() == sizes().ct;
            EXPECT_EQ(rc, lengths_fit ? LATKEM_ERR_DK : LATKEM_ERR_LENGTH);
        }
    });
}

LATKEM_FOR_CASES(Wycheproof, [](const SetFacts &set) { return set.family == Family::mlkem && set.ring.rank != 3; });

} // namespace
