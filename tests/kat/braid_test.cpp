// Encapsulation in parts against the known answers of vectors braid/braid.json.
// SPDX-License-Identifier: Apache-2.0
#include "parts.h"
#include "vectors.h"

namespace
{

class Braid : public KemTest
{
  protected:
    void compare(const nlohmann::json &expected) const
    {
        const KeyPair keys = keypair(hex_field(expected, "seed"));
        const KeyParts key = split(kem, keys.ek);
        EXPECT_EQ(to_hex(key.header), expected.at("header"));
        EXPECT_EQ(to_hex(key.vector), expected.at("t"));
        EXPECT_EQ(to_hex(keys.dk), expected.at("dk"));
        EXPECT_EQ(join(kem, key), keys.ek);
        const FirstPart first = encaps1(kem, key.header, hex_field(expected, "m"));
        EXPECT_EQ(to_hex(first.ct1), expected.at("ct1"));
        EXPECT_EQ(to_hex(first.ss), expected.at("ss"));
        expect_altered_vector_refused(first.state, key.vector, expected);
        Bytes ct2 = encaps2(kem, first.state, key.vector);
        EXPECT_EQ(to_hex(ct2), expected.at("ct2"));
        EXPECT_EQ(to_hex(decaps_parts(kem, first.ct1, ct2, keys.dk)), expected.at("ss"));
        ct2.at(0) ^= 1;
        EXPECT_EQ(to_hex(decaps_parts(kem, first.ct1, ct2, keys.dk)), expected.at("ss_ct2_bit0"));
    }

  private:
    // Bit 2 of byte 5.
    void expect_altered_vector_refused(Bytes state, Bytes vector, const nlohmann::json &expected) const
    {
        Bytes ct2(latkem_ct2_bytes(kem));
        vector.at(5) ^= 4;
        const bool refused = latkem_encaps2(kem, ct2.data(), state.data(), vector.data(), vector.size()) ==
                             LATKEM_ERR_EK;
        EXPECT_EQ(refused, expected.at("t_byte5_bit2_refused"));
    }
};

TEST_P(Braid, KnownAnswers)
{
    const nlohmann::json file = load_json("braid/braid.json");
    size_t cases = 0;
    for (const nlohmann::json &entry : file.at("sets")) {
        if (entry.at("set") != set().name) continue;
        EXPECT_EQ(latkem_header_bytes(kem), entry.at("pk1"));
        EXPECT_EQ(latkem_vector_bytes(kem), entry.at("pk2"));
        for (const nlohmann::json &expected : entry.at("cases")) {
            SCOPED_TRACE("case " + std::to_string(cases++));
            compare(expected);
        }
    }
    EXPECT_GT(cases, 0u);
}

LATKEM_FOR_CASES(Braid, has_parts);

} // namespace
