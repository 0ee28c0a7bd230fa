// PQNoise: the known answers of vectors/hybrid/noise.json. SPDX-License-Identifier: Apache-2.0
#include "noise_pair.h"
#include "vectors.h"

using namespace noise;

namespace
{

using nlohmann::json;

Bytes optional_hex(const json &object, const char *name)
{
    return object.at(name).is_null() ? Bytes() : hex_field(object, name);
}

const latkem_kem *kem_of(const std::string &protocol)
{
    for (const char *size : {"512", "768", "1024"})
        if (protocol.find(std::string("MLKEM") + size) != std::string::npos)
            return latkem_kem_find((std::string("ML-KEM-") + size).c_str());
    return nullptr;
}

// The static keys of a handshake, as its pattern wants them.
struct Keys {
    Bytes initiator_dk, responder_dk, initiator_ek, responder_ek;

    explicit Keys(const json &handshake)
    {
        const auto protocol = handshake.at("protocol").get<std::string>();
        const latkem_kem *kem = kem_of(protocol);
        initiator_dk = optional_hex(handshake, "initiator_seed");
        responder_dk = hex_field(handshake, "responder_seed");
        responder_ek = make_keys(kem, responder_dk).ek;
        if (protocol.find("pqKK") != std::string::npos) initiator_ek = make_keys(kem, initiator_dk).ek;
    }
};

void expect_message(Session &from, Session &to, RecordingRng &rng, const Bytes &payload, const std::string &expected)
{
    Bytes message, read;
    EXPECT_EQ(from.write(message, payload, &rng), 0);
    EXPECT_EQ(to_hex(message), expected);
    EXPECT_EQ(to.read(read, message), 0);
    EXPECT_EQ(to_hex(read), to_hex(payload));
}

TEST(Noise, Handshakes)
{
    const json vectors = load_json("hybrid/noise.json");
    for (const json &handshake : vectors.at("handshakes")) {
        const auto protocol = handshake.at("protocol").get<std::string>();
        SCOPED_TRACE(protocol);
        const Keys keys(handshake);
        const Bytes prologue = hex_field(handshake, "prologue");
        Session sides[2];
        ASSERT_EQ(sides[0].start(protocol, LATKEM_NOISE_INITIATOR, prologue, keys.initiator_dk, keys.responder_ek), 0);
        ASSERT_EQ(sides[1].start(protocol, LATKEM_NOISE_RESPONDER, prologue, keys.responder_dk, keys.initiator_ek), 0);
        RecordingRng rngs[2] = {{hex_field(handshake, "initiator_random")}, {hex_field(handshake, "responder_random")}};
        for (size_t i = 0; i < 2; i++)
            expect_message(sides[i], sides[1 - i], rngs[i], from_hex(handshake.at("payloads").at(i).get<std::string>()),
                           handshake.at("messages").at(i).get<std::string>());
        for (Session &side : sides) {
            Bytes hash;
            EXPECT_EQ(side.hash(hash), 0);
            EXPECT_EQ(to_hex(hash), handshake.at("handshake_hash").get<std::string>());
            EXPECT_EQ(to_hex(peek_keys(side)),
                      handshake.at("key_i2r").get<std::string>() + handshake.at("key_r2i").get<std::string>());
        }
        for (const json &sent : handshake.at("transport")) {
            const size_t from = sent.at("sender") == "i" ? 0 : 1;
            expect_message(sides[from], sides[1 - from], rngs[from], hex_field(sent, "plaintext"),
                           sent.at("message").get<std::string>());
        }
    }
}

TEST(Noise, Refused)
{
    const json vectors = load_json("hybrid/noise.json");
    for (const json &refused : vectors.at("refused")) {
        const auto protocol = refused.at("protocol").get<std::string>();
        SCOPED_TRACE(protocol + ", " + refused.at("what").get<std::string>());
        const Keys keys(refused);
        Session responder;
        ASSERT_EQ(responder.start(protocol, LATKEM_NOISE_RESPONDER, hex_field(refused, "prologue"), keys.responder_dk,
                                  keys.initiator_ek),
                  0);
        Bytes payload;
        const auto error = refused.at("error").get<std::string>();
        EXPECT_EQ(responder.read(payload, hex_field(refused, "message1")),
                  error == "LATKEM_ERR_EK" ? LATKEM_ERR_EK : LATKEM_ERR_AUTH)
            << error;
        EXPECT_TRUE(all_zero(payload));
        EXPECT_EQ(responder.length, 0U);
        EXPECT_EQ(responder.stage(), LATKEM_NOISE_DEAD);
    }
}

} // namespace
