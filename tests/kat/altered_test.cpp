// Decapsulation of altered ciphertexts of NIST entries 0 to 9, compared with what the official code returns.
//
// The regular alterations of each entry are one flipped bit that walks through the ciphertext, three flipped bits of the
// last byte, all bytes 00 and all bytes FF. The SHA-256 of the secrets of these is in spec/sets.json; a file of vectors
// holds one ciphertext more for each entry, which replaces the whole.
// SPDX-License-Identifier: Apache-2.0
#include "nist.h"
#include "vectors.h"

namespace
{

constexpr size_t entries = 10;

Bytes flip(Bytes ct, size_t bit)
{
    ct.at(bit / 8) ^= static_cast<uint8_t>(1u << bit % 8);
    return ct;
}

std::vector<Bytes> regular_alterations(const Bytes &ct, size_t count)
{
    const size_t bits = 8 * ct.size();
    return {flip(ct, (17 + 1009 * count) % bits),
            flip(ct, bits - 1),
            flip(ct, bits - 5),
            flip(ct, bits - 4),
            Bytes(ct.size(), uint8_t{0x00}),
            Bytes(ct.size(), uint8_t{0xff})};
}

Bytes alter(const Bytes &ct, const nlohmann::json &test)
{
    const std::string op = test.at("op");
    if (op == "flip_bit") return flip(ct, test.at("bit"));
    if (op == "replace") return hex_field(test, "ct");
    if (op == "all_zero") return Bytes(ct.size(), 0x00);
    if (op == "all_ones") return Bytes(ct.size(), 0xff);
    throw std::runtime_error("unknown alteration " + op);
}

class Altered : public KemTest
{
};

TEST_P(Altered, Digest)
{
    const std::vector<Bytes> seeds = nist_seeds();
    Bytes secrets;
    for (size_t count = 0; count < entries; count++) {
        const NistEntry entry = nist_entry(kem, seeds[count]);
        for (const Bytes &ct : regular_alterations(entry.encapsulation.ct, count))
            secrets = secrets + decaps(entry.keys.dk, ct);
    }
    EXPECT_EQ(to_hex(sha256(secrets)), set().altered_sha256);
}

std::string file_name(const SetFacts &set)
{
    return std::string("decaps_altered/") + set.reference_name + ".json";
}

class AlteredFile : public KemTest
{
};

TEST_P(AlteredFile, Secrets)
{
    const std::vector<Bytes> seeds = nist_seeds();
    std::vector<NistEntry> nist;
    for (size_t count = 0; count < entries; count++) nist.push_back(nist_entry(kem, seeds[count]));
    const nlohmann::json file = load_json(file_name(set()));
    for (const nlohmann::json &test : file.at("tests")) {
        const NistEntry &entry = nist.at(test.at("count").get<size_t>());
        EXPECT_EQ(to_hex(decaps(entry.keys.dk, alter(entry.encapsulation.ct, test))), test.at("ss")) << test;
    }
    EXPECT_GT(file.at("tests").size(), 0u);
}

LATKEM_FOR_EVERY_CASE(Altered);
LATKEM_FOR_CASES(AlteredFile, [](const SetFacts &set) { return has_vectors(file_name(set)); });

} // namespace
