// UAKE and AKE against the known answers of vectors hybrid/kex.json, and the digests in spec/sets.json.
//
// One generator (AES-256-CTR DRBG) feeds both key pairs, B's first, and then both exchanges. A tampered entry names the side that
// gets a message with one bit flipped; everything else is as before, the coins too.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "kex_sides.h"
#include "vectors.h"

namespace
{

Bytes flip(Bytes bytes, size_t bit)
{
    bytes.at(bit / 8) ^= static_cast<uint8_t>(1u << bit % 8);
    return bytes;
}

std::string digest(const Bytes &bytes)
{
    return to_hex(sha256(bytes));
}

// "A's side: bit 3073 of message 2 flipped", "B's side: bit 8453 of message 1 flipped, same coins".
struct Tampering {
    explicit Tampering(const nlohmann::json &entry)
    {
        const std::string what = entry.at("what");
        if (std::sscanf(what.c_str(), "%c's side: bit %zu of message", &side, &bit) != 2)
            throw std::runtime_error("unknown tampering: " + what);
    }
    char side = 0;
    size_t bit = 0;
};

class KexVectors : public KemTest
{
  protected:
    KeyPair pair(Drbg &drbg) const
    {
        KeyPair keys{Bytes(sizes().ek), Bytes(sizes().dk)};
        EXPECT_EQ(latkem_keypair_rng(kem, keys.ek.data(), keys.dk.data(), Drbg::callback, &drbg), 0);
        return keys;
    }

    // Runs the exchange and compares; returns the digest of message 1, message 2 and key.
    std::string run(const Exchange &exchange, Drbg &drbg, const nlohmann::json *expected) const
    {
        const Started a = exchange.start({Drbg::callback, &drbg});
        Drbg again = drbg;
        const Replied b = exchange.reply(a.message1, {Drbg::callback, &drbg});
        EXPECT_EQ(to_hex(exchange.finish(b.message2, a.state)), to_hex(b.key));
        if (expected != nullptr) {
            compare(a, b, *expected);
            for (const nlohmann::json &entry : expected->at("tampered")) tampered(exchange, a, b, again, entry);
        }
        return digest(a.message1 + b.message2 + b.key);
    }

  private:
    static void compare(const Started &a, const Replied &b, const nlohmann::json &expected)
    {
        EXPECT_EQ(digest(a.message1), expected.at("message1"));
        EXPECT_EQ(digest(a.state), expected.at("state"));
        EXPECT_EQ(digest(b.message2), expected.at("message2"));
        EXPECT_EQ(to_hex(b.key), expected.at("key"));
        EXPECT_EQ(digest(a.message1 + b.message2 + b.key), expected.at("all"));
    }

    static void tampered(const Exchange &exchange, const Started &a, const Replied &b, Drbg coins,
                         const nlohmann::json &entry)
    {
        const Tampering t(entry);
        const Bytes key = t.side == 'A' ? exchange.finish(flip(b.message2, t.bit), a.state)
                                        : exchange.reply(flip(a.message1, t.bit), {Drbg::callback, &coins}).key;
        EXPECT_EQ(to_hex(key), entry.at("key")) << entry;
    }
};

TEST_P(KexVectors, Exchanges)
{
    const nlohmann::json file = load_json("hybrid/kex.json");
    size_t tamperings = 0;
    for (const nlohmann::json &entry : file.at("sets").at(set().name)) {
        Drbg drbg(hex_field(entry, "entropy"));
        const KeyPair b = pair(drbg), a = pair(drbg);
        for (Kex kind : both_exchanges) {
            const nlohmann::json &expected = entry.at(name_of(kind));
            EXPECT_EQ(run({kem, kind, a, b}, drbg, &expected), expected.at("all")) << name_of(kind);
            tamperings += expected.at("tampered").size();
        }
    }
    EXPECT_GT(tamperings, 0u);
}

// The first entry of the file is the script of the published code, with the entropy of NIST's known answers.
TEST_P(KexVectors, PublishedScript)
{
    Bytes entropy(48);
    for (size_t i = 0; i < entropy.size(); i++) entropy[i] = static_cast<uint8_t>(i);
    Drbg drbg(entropy);
    const KeyPair b = pair(drbg), a = pair(drbg);
    EXPECT_EQ(run({kem, Kex::uake, a, b}, drbg, nullptr), set().uake_sha256);
    EXPECT_EQ(run({kem, Kex::ake, a, b}, drbg, nullptr), set().ake_sha256);
}

LATKEM_FOR_CASES(KexVectors, has_exchanges);

} // namespace
