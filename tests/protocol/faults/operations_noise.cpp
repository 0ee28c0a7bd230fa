// Noise's messages as operations: see operations.h. A handshake is made once, and the session is kept as it is before each
// message; sessions must not be copied but here, where the same message is wanted many times.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/noise.h>

#include <cstddef>
#include <cstring>

#include "kem_test.h"
#include "operations.h"

namespace
{

const char prologue[] = "prologue";
struct Session {
    std::vector<std::max_align_t> memory;

    Session() : memory(latkem_noise_bytes() / sizeof(std::max_align_t) + 1)
    {
    }
    void *at()
    {
        return memory.data();
    }
};

struct Handshake {
    std::string protocol;
    const latkem_kem *kem = latkem_kem_find("ML-KEM-768");
    bool initiator_has_key, initiator_is_known;
    Bytes supply, payload;
    KeyPair initiator, responder;

    Handshake(const std::string &name, int number)
        : protocol(name), initiator_has_key(name.find("pqNK") == std::string::npos),
          initiator_is_known(name.find("pqKK") != std::string::npos),
          supply(secret("randomness of Noise", 32 + 64, number)), payload(secret("payload", 64, number)),
          initiator(key(secret("initiator", 64, number))), responder(key(secret("responder", 64, number)))
    {
    }

    KeyPair key(const Bytes &seed) const
    {
        KeyPair pair{Bytes(latkem_ek_bytes(kem)), Bytes(latkem_dk_bytes(kem))};
        EXPECT_EQ(latkem_keypair_derand(kem, pair.ek.data(), pair.dk.data(), seed.data(), seed.size()), 0);
        return pair;
    }

    int start(Session &session, int role) const
    {
        const bool starts = role == LATKEM_NOISE_INITIATOR;
        const Bytes &own = starts ? initiator.dk : responder.dk, &peer = starts ? responder.ek : initiator.ek;
        const bool with_own = !starts || initiator_has_key, with_peer = starts || initiator_is_known;
        return latkem_noise_start(session.at(), protocol.c_str(), role, reinterpret_cast<const uint8_t *>(prologue),
                                  sizeof prologue, with_own ? own.data() : nullptr, with_own ? own.size() : 0,
                                  with_peer ? peer.data() : nullptr, with_peer ? peer.size() : 0);
    }
};

using Shared = std::shared_ptr<Handshake>;

int write(const Handshake &h, Session &session, Bytes &message)
{
    RecordingRng rng{h.supply};
    size_t len = message.size();
    const int error = latkem_noise_write_rng(session.at(), message.data(), &len, h.payload.data(), h.payload.size(),
                                             RecordingRng::fill, &rng);
    EXPECT_TRUE(error != 0 || len == message.size());
    return error;
}

int read(Session &session, const Bytes &message, Bytes &out)
{
    size_t len = out.size();
    const int error = latkem_noise_read(session.at(), out.data(), &len, message.data(), message.size());
    EXPECT_TRUE(error != 0 || len == out.size());
    return error;
}

// The fault in a session after an error: a handshake must have ended.
std::string not_ended(Session &session)
{
    Bytes message(100);
    size_t len = message.size();
    if (latkem_noise_stage(session.at()) != LATKEM_NOISE_DEAD) return "the session has not ended";
    return latkem_noise_write(session.at(), message.data(), &len, nullptr, 0) == LATKEM_ERR_STATE ? ""
                                                                                                  : "it still writes";
}

void add_secrets(Operation &operation, const Handshake &h)
{
    operation.secrets = {{"randomness", h.supply}, {"the payload", h.payload}};
    add_dk(operation, "the initiator's", h.initiator.dk);
    add_dk(operation, "the responder's", h.responder.dk);
}

void add_start(std::vector<Operation> &all, const Shared &h, int role)
{
    const auto session = std::make_shared<Session>();
    Operation start{h->protocol + (role == LATKEM_NOISE_INITIATOR ? " start, initiator" : " start, responder"),
                    {},
                    [=](Outputs &) { return h->start(*session, role); }};
    start.fault = [=] { return not_ended(*session); };
    add_secrets(start, *h);
    all.push_back(start);
}

// A message from `from` to `to`, which go on.
void add_message(std::vector<Operation> &all, const Shared &h, const std::string &what, Session &from, Session &to)
{
    const bool transport = what == "transport";
    const auto session = std::make_shared<Session>();
    const Session writer = from, reader = to;
    Bytes message(h->payload.size() + latkem_noise_overhead(from.at())), out(h->payload.size());
    EXPECT_EQ(write(*h, from, message), 0) << h->protocol;
    EXPECT_EQ(read(to, message, out), 0) << h->protocol;
    EXPECT_EQ(out, h->payload);

    Operation writes{
        h->protocol + " write " + what, {message.size()}, [=](Outputs &o) { return write(*h, *session, o[0]); }};
    writes.begin = [=] { *session = writer; };
    Operation reads{
        h->protocol + " read " + what, {out.size()}, [=](Outputs &o) { return read(*session, message, o[0]); }};
    reads.begin = [=] { *session = reader; };
    reads.refusal = LATKEM_ERR_AUTH;
    for (Operation *operation : {&writes, &reads}) {
        // A transport message that does not verify is dropped.
        if (!transport || operation == &writes) operation->fault = [=] { return not_ended(*session); };
        add_secrets(*operation, *h);
        all.push_back(*operation);
    }
}

} // namespace

void add_noise(std::vector<Operation> &all, int number)
{
    for (const char *protocol : {"Noise_pqNK_MLKEM768_ChaChaPoly_SHA256", "Noise_pqKK_MLKEM768_AESGCM_SHA512",
                                 "Noise_pqIK_MLKEM768_ChaChaPoly_SHA512"}) {
        const auto h = std::make_shared<Handshake>(protocol, number);
        Session initiator, responder;
        EXPECT_EQ(h->start(initiator, LATKEM_NOISE_INITIATOR), 0) << protocol;
        EXPECT_EQ(h->start(responder, LATKEM_NOISE_RESPONDER), 0) << protocol;
        add_start(all, h, LATKEM_NOISE_INITIATOR);
        add_start(all, h, LATKEM_NOISE_RESPONDER);
        add_message(all, h, "message 1", initiator, responder);
        add_message(all, h, "message 2", responder, initiator);
        add_message(all, h, "transport", initiator, responder);
    }
}
