// NIST ACVP vectors for ML-KEM: key generation, encapsulation, decapsulation, and the checks of keys.
// SPDX-License-Identifier: Apache-2.0
#include "kem_test.h"
#include "vectors.h"

namespace
{

using nlohmann::json;

class Acvp : public KemTest
{
  protected:
    // Runs `check` on each test of this set in the file, with its group.
    template <typename Check> void each(const char *folder, Check check) const
    {
        const json file = load_json(std::string("acvp/") + folder + "/internalProjection.json");
        size_t executed = 0;
        for (const json &group : file.at("testGroups")) {
            if (group.at("parameterSet") != set().name) continue;
            for (const json &test : group.at("tests")) {
                SCOPED_TRACE("tcId " + std::to_string(test.at("tcId").get<int>()));
                check(group, test);
                executed++;
            }
        }
        EXPECT_GT(executed, 0u);
        std::cout << executed << " cases\n";
    }

    void check_encapsulation(const json &test) const
    {
        const Encapsulation e = encaps(hex_field(test, "ek"), hex_field(test, "m"));
        EXPECT_EQ(to_upper_hex(e.ct), test.at("c"));
        EXPECT_EQ(to_upper_hex(e.ss), test.at("k"));
        EXPECT_EQ(decaps(hex_field(test, "dk"), e.ct), e.ss);
    }

    void check_decapsulation(const json &group, const json &test) const
    {
        Bytes dk = hex_field(test, "dk");
        if (group.value("keyFormat", "expanded") == "seed") {
            const KeyPair keys = keypair(hex_field(test, "d") + hex_field(test, "z"));
            EXPECT_EQ(to_upper_hex(keys.ek), test.at("ek"));
            dk = keys.dk;
        }
        EXPECT_EQ(to_upper_hex(decaps(dk, hex_field(test, "c"))), test.at("k"));
    }

    void check_ek(const json &test) const
    {
        const Bytes ek = hex_field(test, "ek");
        EXPECT_EQ(latkem_check_ek(kem, ek.data(), ek.size()), test.at("testPassed") ? LATKEM_OK : LATKEM_ERR_EK)
            << test.at("reason");
    }

    void check_dk(const json &test) const
    {
        const Bytes dk = hex_field(test, "dk");
        EXPECT_EQ(latkem_check_dk(kem, dk.data(), dk.size()), test.at("testPassed") ? LATKEM_OK : LATKEM_ERR_DK)
            << test.at("reason");
    }

    void check_function(const json &group, const json &test) const
    {
        const std::string function = group.at("function");
        if (function == "encapsulation")
            check_encapsulation(test);
        else if (function == "decapsulation")
            check_decapsulation(group, test);
        else if (function == "encapsulationKeyCheck")
            check_ek(test);
        else if (function == "decapsulationKeyCheck")
            check_dk(test);
        else
            ADD_FAILURE() << "unknown function " << function;
    }
};

TEST_P(Acvp, KeyGen)
{
    each("ML-KEM-keyGen-FIPS203", [this](const json &, const json &test) {
        const KeyPair keys = keypair(hex_field(test, "d") + hex_field(test, "z"));
        EXPECT_EQ(to_upper_hex(keys.ek), test.at("ek"));
        EXPECT_EQ(to_upper_hex(keys.dk), test.at("dk"));
    });
}

TEST_P(Acvp, EncapDecap)
{
    each("ML-KEM-encapDecap-FIPS203", [this](const json &group, const json &test) { check_function(group, test); });
}

TEST_P(Acvp, EncapDecapWithSeeds)
{
    each("ML-KEM-encapDecap-FIPS203-tr1", [this](const json &group, const json &test) { check_function(group, test); });
}

LATKEM_FOR_CASES(Acvp, [](const SetFacts &set) { return set.family == Family::mlkem; });

} // namespace
