// Noise for its tests: the protocols, sessions, and both ends of one.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_NOISE_PAIR_H
#define LATKEM_TESTS_NOISE_PAIR_H

#include <latkem/noise.h>

#include <algorithm>
#include <cstring>

#include "kem_test.h"

extern "C" {
#include "noise/session.h"
}

namespace noise
{

inline Bytes bytes_of(const std::string &text)
{
    return Bytes(text.begin(), text.end());
}

inline const uint8_t *or_null(const Bytes &bytes)
{
    return bytes.empty() ? nullptr : bytes.data();
}

// A protocol's name in parts.
struct Protocol {
    std::string pattern, size, cipher, hash;

    std::string name() const
    {
        return "Noise_" + pattern + "_MLKEM" + size + "_" + cipher + "_" + hash;
    }
    const latkem_kem *kem() const
    {
        return latkem_kem_find(("ML-KEM-" + size).c_str());
    }
    bool initiator_has_key() const
    {
        return pattern != "pqNK";
    }
    bool initiator_is_known() const
    {
        return pattern == "pqKK";
    }
    // The bytes of message 0 or 1 beside the payload, as the specification's table has them.
    size_t overhead(size_t message) const
    {
        const size_t ct = latkem_ct_bytes(kem()), ek = latkem_ek_bytes(kem());
        if (message == 0) return ct + ek + (pattern == "pqIK" ? ek + 16 : 0) + 16;
        return ct + (pattern == "pqNK" ? 0 : ct + 16) + 16;
    }
};

inline const Protocol default_protocol = {"pqKK", "768", "ChaChaPoly", "SHA256"};

inline std::vector<Protocol> all_protocols()
{
    std::vector<Protocol> all;
    for (const char *pattern : {"pqNK", "pqKK", "pqIK"})
        for (const char *size : {"512", "768", "1024"})
            for (const char *cipher : {"ChaChaPoly", "AESGCM"})
                for (const char *hash : {"SHA256", "SHA512"}) all.push_back({pattern, size, cipher, hash});
    return all;
}

// One side's session. An output is longer than what is written by nothing, and painted beforehand.
class Session
{
  public:
    Session() : storage_(latkem_noise_bytes())
    {
        std::memset(get(), 0xa5, latkem_noise_bytes());
    }
    ~Session()
    {
        latkem_noise_end(get());
    }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    void *get()
    {
        return storage_.data();
    }
    lkp_noise_session &inside()
    {
        return *static_cast<lkp_noise_session *>(get());
    }
    Bytes content()
    {
        const auto *begin = static_cast<const uint8_t *>(get());
        return Bytes(begin, begin + latkem_noise_bytes());
    }
    // Takes a session back to what content() was: so that one message can be tried many times. Users must not.
    void restore(const Bytes &content)
    {
        std::memcpy(get(), content.data(), content.size());
    }
    int stage()
    {
        return latkem_noise_stage(get());
    }
    size_t overhead()
    {
        return latkem_noise_overhead(get());
    }

    int start(const std::string &protocol, int role, const Bytes &prologue, const Bytes &own, const Bytes &peer)
    {
        return latkem_noise_start(get(), protocol.c_str(), role, prologue.data(), prologue.size(), or_null(own),
                                  own.size(), or_null(peer), peer.size());
    }

    // Outputs keep their capacity if there was an error, and so show what lies in it; `length` is what the call said.
    int write_to(Bytes &message, size_t capacity, const Bytes &payload, RecordingRng *rng)
    {
        message.assign(capacity, 0xaa);
        length = capacity;
        const int error = rng != nullptr
                              ? latkem_noise_write_rng(get(), message.data(), &length, payload.data(), payload.size(),
                                                       RecordingRng::fill, rng)
                              : latkem_noise_write(get(), message.data(), &length, payload.data(), payload.size());
        if (error == 0) message.resize(length);
        return error;
    }
    int write(Bytes &message, const Bytes &payload, RecordingRng *rng = nullptr)
    {
        return write_to(message, overhead() + payload.size(), payload, rng);
    }
    int read_to(Bytes &payload, size_t capacity, const Bytes &message)
    {
        payload.assign(capacity, 0xaa);
        length = capacity;
        const int error = latkem_noise_read(get(), payload.data(), &length, message.data(), message.size());
        if (error == 0) payload.resize(length);
        return error;
    }
    int read(Bytes &payload, const Bytes &message)
    {
        return read_to(payload, message.size(), message);
    }

    int hash(Bytes &hash)
    {
        hash.assign(64, 0xaa);
        length = hash.size();
        const int error = latkem_noise_hash(get(), hash.data(), &length);
        if (error == 0) hash.resize(length);
        return error;
    }
    int keys(Bytes &both)
    {
        both.assign(64, 0xaa);
        return latkem_noise_keys(get(), both.data(), both.data() + 32);
    }

    size_t length = 0;

  private:
    Prepared storage_;
};

// The keys of a session, which goes on with messages all the same.
inline Bytes peek_keys(Session &session)
{
    const Bytes before = session.content();
    Bytes both;
    EXPECT_EQ(session.keys(both), 0);
    session.restore(before);
    return both;
}

inline KeyPair make_keys(const latkem_kem *kem, const Bytes &seed)
{
    KeyPair pair{Bytes(latkem_ek_bytes(kem)), Bytes(latkem_dk_bytes(kem))};
    EXPECT_EQ(latkem_keypair_derand(kem, pair.ek.data(), pair.dk.data(), seed.data(), seed.size()), 0);
    return pair;
}

// Both sides of a session, the same in every run. sides[0] is the initiator.
class Pair
{
  public:
    explicit Pair(const Protocol &p = default_protocol)
        : protocol(p), seeds{Stream("noise: initiator").bytes(64), Stream("noise: responder").bytes(64)},
          keys{make_keys(p.kem(), seeds[0]), make_keys(p.kem(), seeds[1])}, rngs{{Stream("noise: of i").bytes(96)},
                                                                                 {Stream("noise: of r").bytes(64)}}
    {
        EXPECT_EQ(start(0), 0);
        EXPECT_EQ(start(1), 0);
    }

    Bytes own_dk(size_t side) const
    {
        return side == 1 || protocol.initiator_has_key() ? keys[side].dk : Bytes();
    }
    Bytes peer_ek(size_t side) const
    {
        return side == 0 || protocol.initiator_is_known() ? keys[1 - side].ek : Bytes();
    }
    int start(size_t side)
    {
        return sides[side].start(protocol.name(), static_cast<int>(side), bytes_of("prologue"), own_dk(side),
                                 peer_ek(side));
    }

    // The next message of the handshake, which is then the last of messages.
    void write_next(const Bytes &payload = bytes_of("payload"))
    {
        const size_t side = messages.size();
        Bytes message;
        EXPECT_EQ(sides[side].write(message, payload, &rngs[side]), 0);
        messages.push_back(message);
    }
    void read_last()
    {
        Bytes payload;
        EXPECT_EQ(sides[2 - messages.size()].read(payload, messages.back()), 0);
        EXPECT_EQ(payload, bytes_of("payload"));
    }
    void finish()
    {
        while (messages.size() < 2) {
            write_next();
            read_last();
        }
    }
    // A transport message that arrives.
    void pass(size_t from, const Bytes &plain)
    {
        Bytes message, payload;
        EXPECT_EQ(sides[from].write(message, plain), 0);
        EXPECT_EQ(message.size(), plain.size() + 16);
        EXPECT_EQ(sides[1 - from].read(payload, message), 0);
        EXPECT_EQ(payload, plain);
    }

    Protocol protocol;
    Bytes seeds[2];
    KeyPair keys[2];
    RecordingRng rngs[2];
    Session sides[2];
    std::vector<Bytes> messages;
};

} // namespace noise

#endif
