// Fuzz target of PQNoise: messages of a right session are changed, cut, repeated and sent in the wrong direction. A message
// that is not what the writer wrote must be refused; in the handshake it ends the reader, later the session goes on.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/noise.h>

#include <cstddef>
#include <map>

#include "fuzz.h"

namespace
{

enum : uint8_t { mode_start = 16 }; // beside those of fuzz.h: a start of bytes of the input

const char *const patterns[] = {"pqNK", "pqKK", "pqIK"}, *const sizes[] = {"512", "768", "1024"};
const char *const tails[] = {"ChaChaPoly_SHA256", "ChaChaPoly_SHA512", "AESGCM_SHA256", "AESGCM_SHA512"};
const Bytes prologue(9, 0x22), payload(20, 0x5a);

struct Session {
    alignas(std::max_align_t) uint8_t bytes[1 << 15];

    Session()
    {
        must(latkem_noise_bytes() <= sizeof bytes, "size of a session");
    }
    int stage() const
    {
        return latkem_noise_stage(bytes);
    }
    bool is_ended() const
    {
        return is_zero(Bytes(bytes, bytes + latkem_noise_bytes()));
    }
};

// A session that is right, the same in every run, as it is before each of its messages. Users must not copy sessions.
struct Run {
    std::string protocol;
    const latkem_kem *kem;
    Bytes dks[2], eks[2];
    std::vector<Session> readers; // before message 0, 1 and the transport messages
    std::vector<Bytes> messages;
};

int fill(void *counter, uint8_t *out, size_t length)
{
    auto &next = *static_cast<uint8_t *>(counter);
    for (size_t i = 0; i < length; i++) out[i] = next++;
    return 0;
}

int start(Session &session, const Run &run, int role, const Bytes &dk, const Bytes &ek)
{
    const bool initiates = role == LATKEM_NOISE_INITIATOR;
    const bool own = !initiates || run.protocol.find("pqNK") == std::string::npos;
    const bool peer = initiates || run.protocol.find("pqKK") != std::string::npos;
    return latkem_noise_start(session.bytes, run.protocol.c_str(), role, prologue.data(), prologue.size(),
                              own ? dk.data() : nullptr, dk.size(), peer ? ek.data() : nullptr, ek.size());
}

Bytes write(Session &session)
{
    uint8_t counter = 1;
    Bytes message(latkem_noise_overhead(session.bytes) + payload.size());
    size_t length = message.size();
    must(latkem_noise_write_rng(session.bytes, message.data(), &length, payload.data(), payload.size(), fill,
                                &counter) == 0 &&
             length == message.size(),
         "a right message is written");
    return message;
}

int read(Session &session, const Bytes &message)
{
    Bytes out(message.size() + 1, 0xaa);
    size_t length = out.size();
    const int error = latkem_noise_read(session.bytes, out.data(), &length, message.data(), message.size());
    must(error == 0 ? slice(out, 0, length) == payload : is_zero(out) && length == 0, "payload");
    return error;
}

void make_keys(Run &run, size_t side)
{
    const Bytes seed(latkem_seed_bytes(run.kem), static_cast<uint8_t>(side));
    run.eks[side].resize(latkem_ek_bytes(run.kem));
    run.dks[side].resize(latkem_dk_bytes(run.kem));
    must(latkem_keypair_derand(run.kem, run.eks[side].data(), run.dks[side].data(), seed.data(), seed.size()) == 0,
         "no key pair");
}

Run make_run(size_t pattern, size_t size, size_t tail)
{
    Run run = {};
    run.protocol = std::string("Noise_") + patterns[pattern] + "_MLKEM" + sizes[size] + "_" + tails[tail];
    run.kem = latkem_kem_find((std::string("ML-KEM-") + sizes[size]).c_str());
    for (size_t side : {0, 1}) make_keys(run, side);
    Session sides[2];
    for (size_t side : {0, 1})
        must(start(sides[side], run, static_cast<int>(side), run.dks[side], run.eks[1 - side]) == 0, "no session");
    for (size_t which : {0, 1, 2, 3}) {
        run.readers.push_back(sides[1 - which % 2]);
        run.messages.push_back(write(sides[which % 2]));
        must(read(sides[1 - which % 2], run.messages.back()) == 0, "a right message is read");
    }
    return run;
}

const Run &choose_run(Input &input)
{
    static std::map<size_t, Run> all;
    const size_t which = input.byte() % 36;
    if (all.count(which) == 0) all.emplace(which, make_run(which % 3, which / 3 % 3, which / 9));
    return all.at(which);
}

// Keys that were changed: what is wrong with them is found, or the session is another one.
void check_start(const Run &run, int role, const Bytes &dk, const Bytes &ek)
{
    Session session;
    const int error = start(session, run, role, dk, ek);
    must(error == 0 || error == LATKEM_ERR_LENGTH || error == LATKEM_ERR_DK || error == LATKEM_ERR_EK,
         "error of a start");
    must((error == 0) == (session.stage() == role) && (error == 0 || session.is_ended()), "a session that failed");
}

void check_read(const Run &run, size_t which, const Bytes &message)
{
    Session reader = run.readers[which];
    const bool same = message == run.messages[which], transport = which >= 2;
    const size_t overhead = latkem_noise_overhead(reader.bytes);
    const int error = read(reader, message);
    must((error == 0) == same, "a message that was changed");
    must((error == LATKEM_ERR_LENGTH) == (message.size() < overhead || message.size() > LATKEM_NOISE_MESSAGE_MAX),
         "length of a message");
    must(error == 0 || error == LATKEM_ERR_LENGTH || error == LATKEM_ERR_AUTH || (error == LATKEM_ERR_EK && which == 0),
         "error of a message");
    if (error == 0) return;
    must(transport || reader.is_ended(), "a handshake that failed");
    must(read(reader, run.messages[which]) == (transport ? 0 : LATKEM_ERR_STATE), "the right message afterwards");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Run &run = choose_run(input);
    const uint8_t mode = input.byte();
    const size_t which = input.byte() % 4, other = input.byte() % 8;
    if (mode & mode_start) {
        const int role = which % 2 == 0 ? LATKEM_NOISE_INITIATOR : LATKEM_NOISE_RESPONDER;
        Bytes dk = choose_object(input, run.dks[role], mode & mode_raw_key, mode);
        Bytes ek = choose_object(input, run.eks[1 - role], mode & mode_raw_ct, mode);
        dk.reserve(1); // or an empty one would be NULL
        ek.reserve(1);
        patch(input, dk, 2);
        patch(input, ek, 2);
        check_start(run, role, dk, ek);
        return 0;
    }
    // Mostly the message that is expected, else another of the session.
    Bytes message = choose_object(input, run.messages[other < 4 ? other : which], mode & mode_raw_ct, mode);
    patch(input, message, 4);
    check_read(run, which, message);
    return 0;
}
