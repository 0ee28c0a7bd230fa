// PQNoise: the known answers of vectors/hybrid/noise.json. SPDX-License-Identifier: Apache-2.0
#include <latkem/derand.h>
#include <latkem/noise.h>

#include <cstring>

#include "kem_test.h"
#include "vectors.h"

namespace
{

using nlohmann::json;

Bytes optional_hex(const json &object, const char *name)
{
    return object.at(name).is_null() ? Bytes() : hex_field(object, name);
}

const uint8_t *or_null(const Bytes &bytes)
{
    return bytes.empty() ? nullptr : bytes.data();
}

const latkem_kem *kem_of(const std::string &protocol)
{
    for (const char *size : {"512", "768", "1024"})
        if (protocol.find(std::string("MLKEM") + size) != std::string::npos)
            return latkem_kem_find((std::string("ML-KEM-") + size).c_str());
    return nullptr;
}

Bytes ek_of(const latkem_kem *kem, const Bytes &seed)
{
    Bytes ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    EXPECT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), 0);
    return ek;
}

// One side of a session.
class Side
{
  public:
    Side() : state_(latkem_noise_bytes())
    {
    }
    ~Side()
    {
        latkem_noise_end(state_.data());
    }

    int start(const std::string &protocol, int role, const Bytes &prologue, const Bytes &own, const Bytes &peer)
    {
        return latkem_noise_start(state_.data(), protocol.c_str(), role, prologue.data(), prologue.size(), or_null(own),
                                  own.size(), or_null(peer), peer.size());
    }

    // The message, or nothing if there was an error.
    Bytes write(const Bytes &payload, RecordingRng &rng)
    {
        Bytes message(latkem_noise_overhead(state_.data()) + payload.size());
        size_t len = message.size();
        error = latkem_noise_write_rng(state_.data(), message.data(), &len, payload.data(), payload.size(),
                                       RecordingRng::fill, &rng);
        message.resize(len);
        return message;
    }

    Bytes read(const Bytes &message)
    {
        Bytes payload(message.size());
        size_t len = payload.size();
        error = latkem_noise_read(state_.data(), payload.data(), &len, message.data(), message.size());
        payload.resize(len);
        return payload;
    }

    Bytes hash()
    {
        Bytes hash(64);
        size_t len = hash.size();
        EXPECT_EQ(latkem_noise_hash(state_.data(), hash.data(), &len), 0);
        hash.resize(len);
        return hash;
    }

    void *state()
    {
        return state_.data();
    }

    int error = 0;

  private:
    Prepared state_;
};

// The static keys of a handshake, as its pattern wants them.
struct Keys {
    Bytes initiator_dk, responder_dk, initiator_ek, responder_ek;

    explicit Keys(const json &handshake)
    {
        const auto protocol = handshake.at("protocol").get<std::string>();
        const latkem_kem *kem = kem_of(protocol);
        initiator_dk = optional_hex(handshake, "initiator_seed");
        responder_dk = hex_field(handshake, "responder_seed");
        responder_ek = ek_of(kem, responder_dk);
        if (protocol.find("pqKK") != std::string::npos) initiator_ek = ek_of(kem, initiator_dk);
    }
};

TEST(Noise, Handshakes)
{
    const json vectors = load_json("hybrid/noise.json");
    for (const json &handshake : vectors.at("handshakes")) {
        const auto protocol = handshake.at("protocol").get<std::string>();
        SCOPED_TRACE(protocol);
        const Keys keys(handshake);
        const Bytes prologue = hex_field(handshake, "prologue");
        Side sides[2];
        ASSERT_EQ(sides[0].start(protocol, LATKEM_NOISE_INITIATOR, prologue, keys.initiator_dk, keys.responder_ek), 0);
        ASSERT_EQ(sides[1].start(protocol, LATKEM_NOISE_RESPONDER, prologue, keys.responder_dk, keys.initiator_ek), 0);
        RecordingRng rngs[2] = {{hex_field(handshake, "initiator_random")}, {hex_field(handshake, "responder_random")}};
        for (size_t i = 0; i < 2; i++) {
            const Bytes payload = from_hex(handshake.at("payloads").at(i).get<std::string>());
            const Bytes message = sides[i].write(payload, rngs[i]);
            EXPECT_EQ(to_hex(message), handshake.at("messages").at(i).get<std::string>());
            EXPECT_EQ(to_hex(sides[1 - i].read(message)), to_hex(payload));
            EXPECT_EQ(sides[1 - i].error, 0);
        }
        for (Side &side : sides) {
            EXPECT_EQ(to_hex(side.hash()), handshake.at("handshake_hash").get<std::string>());
            Bytes i2r(32), r2i(32);
            EXPECT_EQ(latkem_noise_keys(side.state(), i2r.data(), r2i.data()), 0);
            EXPECT_EQ(to_hex(i2r), handshake.at("key_i2r").get<std::string>());
            EXPECT_EQ(to_hex(r2i), handshake.at("key_r2i").get<std::string>());
        }
        for (const json &sent : handshake.at("transport")) {
            const size_t sender = sent.at("sender") == "i" ? 0 : 1;
            const Bytes message = sides[sender].write(hex_field(sent, "plaintext"), rngs[sender]);
            EXPECT_EQ(to_hex(message), sent.at("message").get<std::string>());
            EXPECT_EQ(to_hex(sides[1 - sender].read(message)), sent.at("plaintext").get<std::string>());
            EXPECT_EQ(sides[1 - sender].error, 0);
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
        Side responder;
        ASSERT_EQ(responder.start(protocol, LATKEM_NOISE_RESPONDER, hex_field(refused, "prologue"), keys.responder_dk,
                                  keys.initiator_ek),
                  0);
        const Bytes payload = responder.read(hex_field(refused, "message1"));
        const auto error = refused.at("error").get<std::string>();
        EXPECT_EQ(responder.error, error == "LATKEM_ERR_EK" ? LATKEM_ERR_EK : LATKEM_ERR_AUTH) << error;
        EXPECT_TRUE(payload.empty());
        EXPECT_EQ(latkem_noise_stage(responder.state()), LATKEM_NOISE_DEAD);
    }
}

} // namespace
