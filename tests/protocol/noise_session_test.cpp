// Sessions of PQNoise: what a call allows, how much it asks for, and what it leaves after an error. The known answers are in
// noise_test.cpp. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "noise_pair.h"

using namespace noise;

namespace
{

constexpr size_t most = LATKEM_NOISE_MESSAGE_MAX;

const std::vector<Protocol> &three_patterns()
{
    static const std::vector<Protocol> list = {{"pqNK", "512", "ChaChaPoly", "SHA256"},
                                               {"pqKK", "512", "ChaChaPoly", "SHA256"},
                                               {"pqIK", "512", "ChaChaPoly", "SHA256"}};
    return list;
}

void expect_dead(Session &session)
{
    EXPECT_EQ(session.stage(), LATKEM_NOISE_DEAD);
    EXPECT_TRUE(all_zero(session.content()));
}

bool holds(const Bytes &storage, const Bytes &secret)
{
    return std::search(storage.begin(), storage.end(), secret.begin(), secret.end()) != storage.end();
}

// ---- Right sessions ----

TEST(NoiseSession, EveryProtocolOnEveryBackend)
{
    for (size_t i = 0; const char *backend = latkem_backend_at(i); i++) {
        ASSERT_EQ(latkem_backend_use(backend), 0);
        for (const Protocol &protocol : all_protocols()) {
            SCOPED_TRACE(protocol.name() + " on " + backend);
            Pair pair(protocol);
            Bytes message, payload, hashes[2];
            for (size_t side : {0, 1}) {
                ASSERT_EQ(pair.sides[side].write(message, bytes_of("payload")), 0);
                EXPECT_EQ(message.size(), protocol.overhead(side) + 7);
                ASSERT_EQ(pair.sides[1 - side].read(payload, message), 0);
                EXPECT_EQ(payload, bytes_of("payload"));
            }
            for (size_t side : {0, 1}) {
                EXPECT_EQ(pair.sides[side].hash(hashes[side]), 0);
            }
            EXPECT_EQ(hashes[0], hashes[1]);
            EXPECT_EQ(peek_keys(pair.sides[0]), peek_keys(pair.sides[1]));
            for (size_t length : {0, 1, 1000}) {
                pair.pass(0, Bytes(length, 0x11));
                pair.pass(1, Bytes(length, 0x22));
            }
        }
    }
    EXPECT_EQ(latkem_backend_use(nullptr), 0);
}

TEST(NoiseSession, TheSystemsGeneratorDiffers)
{
    Pair one, other;
    Bytes first, second;
    EXPECT_EQ(one.sides[0].write(first, {}), 0);
    EXPECT_EQ(other.sides[0].write(second, {}), 0);
    EXPECT_NE(first, second);
}

// A prepared key needs what the backend at work asks for.
TEST(NoiseSession, PreparedKeysFit)
{
    EXPECT_LE(latkem_prepared_dk_bytes(latkem_kem_find("ML-KEM-1024")), sizeof lkp_noise_session{}.own_dk);
}

TEST(NoiseSession, SeedsAndExpandedKeys)
{
    for (const Protocol &protocol : all_protocols()) {
        SCOPED_TRACE(protocol.name());
        Pair expanded(protocol), seeds(protocol);
        for (size_t side : {0, 1}) {
            if (seeds.own_dk(side).empty()) continue;
            EXPECT_EQ(seeds.sides[side].start(protocol.name(), static_cast<int>(side), bytes_of("prologue"),
                                              seeds.seeds[side], seeds.peer_ek(side)),
                      0);
            EXPECT_EQ(seeds.sides[side].content(), expanded.sides[side].content());
        }
        expanded.finish();
        seeds.finish();
        EXPECT_EQ(seeds.messages, expanded.messages);
    }
}

TEST(NoiseSession, PrologueIsAgreedOn)
{
    for (const Bytes &prologue : {Bytes(), bytes_of("prologu"), bytes_of("prologuE"), bytes_of("prologue ")}) {
        Pair pair;
        EXPECT_EQ(pair.sides[1].start(pair.protocol.name(), 1, prologue, pair.own_dk(1), pair.peer_ek(1)), 0);
        pair.write_next();
        Bytes payload;
        EXPECT_EQ(pair.sides[1].read(payload, pair.messages[0]), LATKEM_ERR_AUTH);
    }
}

TEST(NoiseSession, KeysAreAgreedOn)
{
    const Protocol protocol = default_protocol;
    const KeyPair other = make_keys(protocol.kem(), Bytes(64, 7));
    for (size_t side : {0, 1}) {
        Pair own, peer;
        EXPECT_EQ(own.sides[side].start(protocol.name(), static_cast<int>(side), bytes_of("prologue"), other.dk,
                                        own.peer_ek(side)),
                  0);
        EXPECT_EQ(peer.sides[side].start(protocol.name(), static_cast<int>(side), bytes_of("prologue"),
                                         peer.own_dk(side), other.ek),
                  0);
        for (Pair *pair : {&own, &peer}) {
            pair->write_next();
            Bytes payload;
            EXPECT_EQ(pair->sides[1].read(payload, pair->messages[0]), LATKEM_ERR_AUTH);
        }
    }
}

// ---- The generator ----

TEST(NoiseSession, RequestsOfTheGenerator)
{
    for (const Protocol &protocol : all_protocols()) {
        Pair pair(protocol);
        pair.finish();
        EXPECT_EQ(pair.rngs[0].requests, (std::vector<size_t>{32, 64})) << protocol.name();
        EXPECT_EQ(pair.rngs[1].requests, std::vector<size_t>(protocol.initiator_has_key() ? 2 : 1, 32))
            << protocol.name();
        Bytes message;
        EXPECT_EQ(pair.sides[0].write(message, {}, &pair.rngs[0]), 0);
        EXPECT_EQ(pair.rngs[0].requests.size(), 2U) << "a transport message asked";
    }
}

TEST(NoiseSession, GeneratorFails)
{
    for (const Protocol &protocol : three_patterns())
        for (size_t side : {0, 1})
            for (int request : {1, 2}) {
                SCOPED_TRACE(protocol.name() + ", message " + std::to_string(side) + ", request " +
                             std::to_string(request));
                if (side == 1 && request == 2 && !protocol.initiator_has_key()) continue;
                Pair pair(protocol);
                if (side == 1) {
                    pair.write_next();
                    pair.read_last();
                }
                pair.rngs[side].fail_at = request;
                Bytes message;
                EXPECT_EQ(pair.sides[side].write(message, bytes_of("payload"), &pair.rngs[side]), LATKEM_ERR_RNG);
                EXPECT_TRUE(all_zero(message));
                EXPECT_EQ(pair.sides[side].length, 0U);
                expect_dead(pair.sides[side]);
            }
}

// ---- Messages that were changed ----

// The place of the sender's e in a message, if it has it.
bool spoils_e(const Protocol &protocol, const Bytes &message, size_t which)
{
    const size_t ct = latkem_ct_bytes(protocol.kem()), ek = latkem_ek_bytes(protocol.kem());
    return which == 0 && message.size() >= ct + ek && latkem_check_ek(protocol.kem(), message.data() + ct, ek) != 0;
}

// A message of the handshake that its reader, a session of this content, must refuse.
void expect_refusal(const Protocol &protocol, Session &reader, const Bytes &message, size_t which)
{
    Bytes payload;
    const int error = reader.read(payload, message);
    const bool is_long_enough = message.size() >= protocol.overhead(which);
    EXPECT_EQ(error, !is_long_enough || message.size() > most ? LATKEM_ERR_LENGTH
                     : spoils_e(protocol, message, which)     ? LATKEM_ERR_EK
                                                              : LATKEM_ERR_AUTH);
    EXPECT_TRUE(all_zero(payload));
    EXPECT_EQ(reader.length, 0U);
    expect_dead(reader);
}

// Tries every message of a handshake in many forms that are wrong, then as it is.
void try_forms(const Protocol &protocol, const std::function<std::vector<Bytes>(const Bytes &)> &forms)
{
    SCOPED_TRACE(protocol.name());
    Pair pair(protocol);
    for (size_t which : {0, 1}) {
        pair.write_next();
        Session &reader = pair.sides[1 - which];
        const Bytes before = reader.content();
        for (const Bytes &form : forms(pair.messages[which])) {
            reader.restore(before);
            expect_refusal(protocol, reader, form, which);
            if (testing::Test::HasFailure()) FAIL() << "message " << which << " of " << form.size() << " bytes";
        }
        reader.restore(before);
        pair.read_last();
    }
}

std::vector<Bytes> flips(const Bytes &message, size_t from, size_t step)
{
    std::vector<Bytes> forms;
    for (size_t at = from; at < message.size(); at += step) {
        forms.push_back(message);
        forms.back()[at] ^= static_cast<uint8_t>(1 << at % 8);
    }
    return forms;
}

TEST(NoiseSession, EveryByteChanged)
{
    const size_t step = emulated() ? 61 : 1;
    for (const Protocol &protocol : three_patterns())
        try_forms(protocol, [&](const Bytes &message) { return flips(message, 0, step); });
}

TEST(NoiseSession, SomeBytesChangedInEveryProtocol)
{
    size_t from = 0;
    for (const Protocol &protocol : all_protocols())
        try_forms(protocol, [&](const Bytes &message) { return flips(message, from++, 211); });
}

TEST(NoiseSession, EveryTruncation)
{
    for (const Protocol &protocol : three_patterns())
        try_forms(protocol, [&](const Bytes &message) {
            std::vector<Bytes> forms = {message + Bytes(1), message + Bytes(most + 1 - message.size())};
            for (size_t length = 0; length < message.size(); length++) forms.push_back(slice(message, 0, length));
            return forms;
        });
}

// The other side's message, an earlier one, or one of another handshake.
TEST(NoiseSession, ForeignMessages)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair other(protocol);
        other.rngs[0].supply = Bytes(96, 3);
        other.rngs[1].supply = Bytes(64, 4);
        other.finish();
        Pair pair(protocol);
        pair.write_next();
        pair.read_last();
        const Bytes before = pair.sides[0].content();
        for (const Bytes &message : {other.messages[1], other.messages[0], pair.messages[0]}) {
            pair.sides[0].restore(before);
            expect_refusal(protocol, pair.sides[0], message, 1);
        }
    }
}

// ---- Keys that are none ----

Bytes spoiled(Bytes ek)
{
    ek[0] = 0xff;
    ek[1] |= 0x0f; // the first coefficient is 4095
    return ek;
}

TEST(NoiseSession, PeerIsNoKey)
{
    Session session;
    const Pair pair;
    EXPECT_EQ(session.start(pair.protocol.name(), 0, {}, pair.own_dk(0), spoiled(pair.peer_ek(0))), LATKEM_ERR_EK);
    expect_dead(session);
    Bytes dk = pair.own_dk(0);
    dk[dk.size() - 33] ^= 1; // H(ek)
    EXPECT_EQ(session.start(pair.protocol.name(), 0, {}, dk, pair.peer_ek(0)), LATKEM_ERR_DK);
    expect_dead(session);
}

// All tags are right: the sender itself has such a key.
TEST(NoiseSession, SentKeyIsNone)
{
    Pair pair({"pqIK", "512", "AESGCM", "SHA512"});
    lkp_noise_session &initiator = pair.sides[0].inside();
    Bytes ek = spoiled(pair.keys[0].ek), payload, known(ek.size(), 0xaa);
    std::copy(ek.begin(), ek.end(), initiator.own_ek);
    pair.write_next();
    EXPECT_EQ(pair.sides[1].read(payload, pair.messages[0]), LATKEM_ERR_EK);
    EXPECT_TRUE(all_zero(payload));
    expect_dead(pair.sides[1]);
    EXPECT_EQ(latkem_noise_peer_ek(pair.sides[1].get(), known.data(), known.size()), LATKEM_ERR_STATE);
}

// ---- The order of calls ----

// The calls by letters: write, read, peer_ek, hash, keys.
int call(char which, Pair &pair, size_t side, Bytes &out, const Bytes &message)
{
    Session &session = pair.sides[side];
    switch (which) {
    case 'w': return session.write_to(out, 4000, {}, nullptr);
    case 'r': return session.read_to(out, 4000, message);
    case 'p':
        out.assign(latkem_ek_bytes(pair.protocol.kem()), 0xaa);
        return latkem_noise_peer_ek(session.get(), out.data(), out.size());
    case 'h': return session.hash(out);
    default: return session.keys(out);
    }
}

// Tries all calls: those in `allowed` do something, the others change nothing.
void expect_allowed(Pair &pair, size_t side, int stage, const std::string &allowed, const Bytes &message)
{
    SCOPED_TRACE(pair.protocol.pattern + ", side " + std::to_string(side) + ", stage " + std::to_string(stage));
    Session &session = pair.sides[side];
    EXPECT_EQ(session.stage(), stage);
    const Bytes before = session.content();
    for (char which : std::string("wrphk")) {
        Bytes out;
        const int error = call(which, pair, side, out, message);
        const bool is_allowed = allowed.find(which) != std::string::npos;
        EXPECT_EQ(error, is_allowed ? 0 : LATKEM_ERR_STATE) << which;
        if (!is_allowed) {
            EXPECT_EQ(session.content(), before) << which;
            EXPECT_TRUE(all_zero(out)) << which;
            EXPECT_TRUE(session.length == 0 || which == 'p' || which == 'k') << which;
        }
        session.restore(before);
    }
}

// A transport message; its writer keeps no trace of it.
Bytes sample(Session &from)
{
    const Bytes before = from.content();
    Bytes message;
    EXPECT_EQ(from.write(message, bytes_of("sample")), 0);
    from.restore(before);
    return message;
}

TEST(NoiseSession, OrderOfCalls)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        const bool has_key = protocol.initiator_has_key();
        const std::string known = protocol.initiator_is_known() ? "p" : "", then_known = has_key ? "p" : "";
        expect_allowed(pair, 0, LATKEM_NOISE_WRITE, "wp", Bytes(3000));
        pair.write_next();
        expect_allowed(pair, 1, LATKEM_NOISE_READ, "r" + known, pair.messages[0]);
        pair.read_last();
        expect_allowed(pair, 1, LATKEM_NOISE_WRITE, "w" + then_known, Bytes(3000));
        pair.write_next();
        expect_allowed(pair, 0, LATKEM_NOISE_READ, "rp", pair.messages[1]);
        pair.read_last();
        const int after = has_key ? LATKEM_NOISE_UNCONFIRMED : LATKEM_NOISE_READY;
        expect_allowed(pair, 0, LATKEM_NOISE_READY, "wrphk", sample(pair.sides[1]));
        expect_allowed(pair, 1, after, "wrhk" + then_known, sample(pair.sides[0]));
        pair.pass(0, {});
        expect_allowed(pair, 0, LATKEM_NOISE_READY, "wrph", sample(pair.sides[1]));
        expect_allowed(pair, 1, LATKEM_NOISE_READY, "wrh" + then_known, sample(pair.sides[0]));
        latkem_noise_end(pair.sides[0].get());
        expect_allowed(pair, 0, LATKEM_NOISE_DEAD, "", Bytes(3000));
    }
}

// The transport's keys go to the caller, and their nonces with them: the session keeps neither, but knows who and what it was.
TEST(NoiseSession, ExportedKeysEndTheMessages)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        pair.finish();
        const Bytes samples[2] = {sample(pair.sides[0]), sample(pair.sides[1])};
        for (size_t side : {0, 1}) {
            Session &session = pair.sides[side];
            Bytes keys;
            EXPECT_EQ(session.keys(keys), 0);
            const bool is_known = side == 0 || protocol.initiator_has_key();
            expect_allowed(pair, side, LATKEM_NOISE_EXPORTED, is_known ? "hp" : "h", samples[1 - side]);
            EXPECT_EQ(session.overhead(), 0U);
            EXPECT_FALSE(holds(session.content(), slice(keys, 0, 32)));
            EXPECT_FALSE(holds(session.content(), slice(keys, 32, 32)));
        }
    }
}

TEST(NoiseSession, ConfirmationIsTheFirstMessageThatVerifies)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        pair.finish();
        EXPECT_EQ(pair.sides[0].stage(), LATKEM_NOISE_READY);
        const int after = protocol.initiator_has_key() ? LATKEM_NOISE_UNCONFIRMED : LATKEM_NOISE_READY;
        Bytes payload;
        for (const Bytes &message : {Bytes(), Bytes(15), Bytes(16), Bytes(40), sample(pair.sides[1])}) {
            EXPECT_NE(pair.sides[1].read(payload, message), 0);
            EXPECT_EQ(pair.sides[1].stage(), after);
        }
        pair.pass(1, bytes_of("to whoever it is"));
        EXPECT_EQ(pair.sides[1].stage(), after);
        pair.pass(0, {});
        EXPECT_EQ(pair.sides[1].stage(), LATKEM_NOISE_READY);
    }
}

TEST(NoiseSession, PeersAreTheirKeys)
{
    for (const Protocol &protocol : all_protocols()) {
        Pair pair(protocol);
        pair.finish();
        for (size_t side : {0, 1}) {
            Bytes ek(pair.keys[side].ek.size(), 0xaa);
            const bool is_known = side == 0 || protocol.initiator_has_key();
            EXPECT_EQ(latkem_noise_peer_ek(pair.sides[side].get(), ek.data(), ek.size()),
                      is_known ? 0 : LATKEM_ERR_STATE);
            EXPECT_EQ(ek, is_known ? pair.keys[1 - side].ek : Bytes(ek.size())) << protocol.name();
        }
    }
}

// Storage in which there was no start, and parts of a session that no start writes.
TEST(NoiseSession, StorageOfAnyContent)
{
    Pair pair;
    Session &session = pair.sides[0];
    std::vector<Bytes> contents = {Bytes(latkem_noise_bytes()), Bytes(latkem_noise_bytes(), 0xff),
                                   Bytes(latkem_noise_bytes(), 0xa5), Stream("any").bytes(latkem_noise_bytes())};
    const Bytes good = session.content();
    for (size_t bit = 0; bit < 64; bit++) {
        contents.push_back(good);
        contents.back()[offsetof(lkp_noise_session, alive) + bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
    for (const Bytes &content : contents) {
        session.restore(content);
        expect_allowed(pair, 0, LATKEM_NOISE_DEAD, "", Bytes(3000));
        EXPECT_EQ(session.overhead(), 0U);
    }
    for (size_t at : {offsetof(lkp_noise_session, name.pattern), offsetof(lkp_noise_session, name.kem),
                      offsetof(lkp_noise_session, name.cipher), offsetof(lkp_noise_session, name.hash),
                      offsetof(lkp_noise_session, role)}) {
        Bytes content = good, out;
        content[at] = 3;
        session.restore(content);
        EXPECT_EQ(session.overhead(), 0U) << at;
        for (char which : std::string("wrphk")) EXPECT_EQ(call(which, pair, 0, out, {}), LATKEM_ERR_STATE) << which;
    }
    EXPECT_EQ(latkem_noise_stage(nullptr), LATKEM_NOISE_DEAD);
    EXPECT_EQ(latkem_noise_overhead(nullptr), 0U);
}

// ---- Capacities ----

// A call with room for `need` bytes: with less it changes nothing and says what it needs.
void expect_needs(Session &session, size_t need, const std::function<int(Bytes &out, size_t capacity)> &operation)
{
    const Bytes before = session.content();
    Bytes out, good;
    for (size_t capacity : {size_t{0}, size_t{1}, need / 2, need - 1}) {
        if (capacity >= need) continue;
        EXPECT_EQ(operation(out, capacity), LATKEM_ERR_LENGTH) << capacity;
        EXPECT_EQ(session.length, need) << capacity;
        EXPECT_TRUE(all_zero(out));
        EXPECT_EQ(session.content(), before);
    }
    EXPECT_EQ(operation(out, need), 0);
    const Bytes after = session.content();
    session.restore(before);
    EXPECT_EQ(operation(good, need + 100), 0);
    EXPECT_EQ(session.content(), after);
    EXPECT_EQ(good, out);
    EXPECT_EQ(good.size(), need);
}

TEST(NoiseSession, Capacities)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        for (size_t which : {0, 1, 2}) { // the two of the handshake, and one of the transport
            Session &writer = pair.sides[which % 2], &reader = pair.sides[1 - which % 2];
            const size_t overhead = which < 2 ? protocol.overhead(which) : 16;
            EXPECT_EQ(writer.overhead(), overhead);
            EXPECT_EQ(reader.overhead(), overhead);
            Bytes message;
            expect_needs(writer, overhead + 7, [&](Bytes &out, size_t capacity) {
                RecordingRng rng{Bytes(96, 9)};
                const int error = writer.write_to(out, capacity, bytes_of("payload"), &rng);
                EXPECT_EQ(rng.requests.empty(), error != 0 || which == 2) << "asked in vain";
                if (error == 0) message = out;
                return error;
            });
            expect_needs(reader, 7,
                         [&](Bytes &out, size_t capacity) { return reader.read_to(out, capacity, message); });
        }
        for (Session &session : pair.sides)
            expect_needs(session, 32, [&](Bytes &out, size_t capacity) {
                out.assign(capacity, 0xaa);
                session.length = capacity;
                const int error = latkem_noise_hash(session.get(), out.data(), &session.length);
                if (error == 0) out.resize(session.length);
                return error;
            });
    }
}

// An empty payload needs no buffer.
TEST(NoiseSession, EmptyPayloadsMayBeNull)
{
    Pair pair;
    for (size_t which : {0, 1, 2}) {
        Session &writer = pair.sides[which % 2], &reader = pair.sides[1 - which % 2];
        Bytes message(writer.overhead());
        size_t length = message.size(), none = 0;
        EXPECT_EQ(latkem_noise_write(writer.get(), message.data(), &length, nullptr, 0), 0);
        EXPECT_EQ(latkem_noise_read(reader.get(), nullptr, &none, message.data(), length), 0);
    }
}

TEST(NoiseSession, LongestMessages)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        for (size_t which : {0, 1, 2, 3}) {
            Session &writer = pair.sides[which % 2], &reader = pair.sides[1 - which % 2];
            const Bytes payload(most - writer.overhead(), 0x17), before = writer.content();
            Bytes message, read;
            EXPECT_EQ(writer.write_to(message, most + 100, payload + Bytes(1), nullptr), LATKEM_ERR_LENGTH);
            EXPECT_EQ(writer.length, 0U);
            EXPECT_TRUE(all_zero(message));
            EXPECT_EQ(writer.content(), before);
            EXPECT_EQ(writer.write_to(message, most + 100, payload, nullptr), 0);
            EXPECT_EQ(message.size(), most);
            EXPECT_EQ(reader.read(read, message), 0);
            EXPECT_EQ(read, payload);
        }
    }
}

// ---- Transport ----

TEST(NoiseSession, TransportOutOfOrder)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        pair.finish();
        for (size_t from : {0, 1}) {
            Session &reader = pair.sides[1 - from];
            std::vector<Bytes> messages(4);
            Bytes payload;
            for (Bytes &message : messages) EXPECT_EQ(pair.sides[from].write(message, bytes_of("text")), 0);
            const auto expect_dropped = [&](const Bytes &message, int error) {
                const Bytes before = reader.content();
                EXPECT_EQ(reader.read(payload, message), error);
                EXPECT_TRUE(all_zero(payload));
                EXPECT_EQ(reader.length, 0U);
                EXPECT_EQ(reader.content(), before);
            };
            expect_dropped(messages[1], LATKEM_ERR_AUTH); // too early
            EXPECT_EQ(reader.read(payload, messages[0]), 0);
            expect_dropped(messages[0], LATKEM_ERR_AUTH); // again
            for (const Bytes &form : flips(messages[1], 0, 1)) expect_dropped(form, LATKEM_ERR_AUTH);
            expect_dropped(messages[1] + Bytes(1), LATKEM_ERR_AUTH);
            expect_dropped(slice(messages[1], 0, 19), LATKEM_ERR_AUTH);
            expect_dropped(slice(messages[1], 0, 15), LATKEM_ERR_LENGTH);
            expect_dropped(Bytes(most + 1), LATKEM_ERR_LENGTH);
            expect_dropped(sample(reader), LATKEM_ERR_AUTH); // its own
            EXPECT_EQ(reader.read(payload, messages[1]), 0);
            EXPECT_EQ(payload, bytes_of("text"));
            expect_dropped(messages[3], LATKEM_ERR_AUTH); // one is missing
            EXPECT_EQ(reader.read(payload, messages[2]), 0);
            EXPECT_EQ(reader.read(payload, messages[3]), 0);
        }
    }
}

TEST(NoiseSession, LastMessages)
{
    Pair pair;
    pair.finish();
    for (size_t from : {0, 1}) {
        Session &writer = pair.sides[from], &reader = pair.sides[1 - from];
        writer.inside().counters[from] = reader.inside().counters[from] = UINT64_MAX - 1;
        pair.pass(from, bytes_of("the last one"));
        const Bytes writers = writer.content(), readers = reader.content();
        Bytes out;
        EXPECT_EQ(writer.write(out, {}), LATKEM_ERR_STATE);
        EXPECT_TRUE(all_zero(out));
        EXPECT_EQ(reader.read(out, Bytes(16)), LATKEM_ERR_STATE);
        EXPECT_EQ(writer.content(), writers);
        EXPECT_EQ(reader.content(), readers);
        EXPECT_EQ(writer.stage(), LATKEM_NOISE_READY);
    }
}

// Every byte of the counter counts, in the cipher's order.
TEST(NoiseSession, Nonces)
{
    for (const Protocol &protocol :
         {Protocol{"pqNK", "512", "ChaChaPoly", "SHA256"}, {"pqNK", "512", "AESGCM", "SHA256"}}) {
        Pair pair(protocol);
        pair.finish();
        const bool is_gcm = protocol.cipher == "AESGCM";
        const Bytes nonce = from_hex(is_gcm ? "000000000102030405060708" : "000000000807060504030201");
        lkp_noise_session &session = pair.sides[0].inside();
        session.counters[0] = 0x0102030405060708;
        Bytes message, expected(20), plain = bytes_of("text");
        EXPECT_EQ(lkp_aead_seal(is_gcm ? &lkp_aes_256_gcm : &lkp_chacha20_poly1305, expected.data(), session.keys[0],
                                nonce.data(), {nullptr, 0}, plain.data(), plain.size()),
                  0);
        EXPECT_EQ(pair.sides[0].write(message, plain), 0);
        EXPECT_EQ(message, expected);
    }
}

// ---- Arguments ----

TEST(NoiseSession, Names)
{
    const std::string good = default_protocol.name();
    std::vector<std::string> wrong = {"",
                                      "_",
                                      "Noise",
                                      "Noise_",
                                      good + "_",
                                      good + " ",
                                      " " + good,
                                      good + "x",
                                      "noise" + good.substr(5),
                                      "NOISE" + good.substr(5),
                                      good.substr(6),
                                      "Noise_MLKEM768_ChaChaPoly_SHA256",
                                      "Noise_pqKK_ChaChaPoly_SHA256",
                                      "Noise_pqKK_MLKEM768_SHA256",
                                      "Noise_pqKK_MLKEM768_ChaChaPoly",
                                      "Noise_pqKK__ChaChaPoly_SHA256",
                                      "Noise__pqKK_MLKEM768_ChaChaPoly_SHA256",
                                      "Noise_pqKK_ChaChaPoly_MLKEM768_SHA256",
                                      "Noise_pqKK_MLKEM768+MLKEM768_ChaChaPoly_SHA256",
                                      "Noise_pqKKpsk0_MLKEM768_ChaChaPoly_SHA256"};
    for (size_t length = 0; length < good.size(); length++) wrong.push_back(good.substr(0, length));
    for (size_t at = 0; at < good.size(); at++) {
        wrong.push_back(good);
        wrong.back()[at] ^= 0x20; // the other case, or another byte
    }
    for (const char *pattern : {"KK", "pqNN", "pqNX", "pqXX", "pqIX", "pqN", "pqkk", "pqXK", "pqKN", "pqIN", "pqK1K"})
        wrong.push_back(Protocol{pattern, "768", "ChaChaPoly", "SHA256"}.name());
    for (const char *size : {"", "256", "2048", "7680", "10240", "76", "768f"})
        wrong.push_back(Protocol{"pqKK", size, "ChaChaPoly", "SHA256"}.name());
    for (const char *cipher : {"", "AESGCM128", "AES", "chachapoly", "ChaCha20Poly1305", "AESGCMSIV"})
        wrong.push_back(Protocol{"pqKK", "768", cipher, "SHA256"}.name());
    for (const char *hash : {"", "SHA", "SHA25", "SHA384", "SHA2566", "BLAKE2s", "BLAKE2b", "SHA3256"})
        wrong.push_back(Protocol{"pqKK", "768", "ChaChaPoly", hash}.name());
    const Pair pair;
    Session session;
    for (const std::string &name : wrong) {
        EXPECT_EQ(session.start(name, 0, {}, pair.own_dk(0), pair.peer_ek(0)), LATKEM_ERR_ARGUMENT) << name;
        expect_dead(session);
    }
}

// Keys there and missing: a pattern and a role want certain ones.
TEST(NoiseSession, StartWantsItsKeys)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        for (size_t side : {0, 1})
            for (bool own : {false, true})
                for (bool peer : {false, true}) {
                    const bool right = own != pair.own_dk(side).empty() && peer != pair.peer_ek(side).empty();
                    Session session;
                    EXPECT_EQ(session.start(protocol.name(), static_cast<int>(side), {},
                                            own ? pair.keys[side].dk : Bytes(),
                                            peer ? pair.keys[1 - side].ek : Bytes()),
                              right ? 0 : LATKEM_ERR_ARGUMENT)
                        << protocol.name() << side << own << peer;
                    if (!right) expect_dead(session);
                }
    }
}

TEST(NoiseSession, StartWantsTheirLengths)
{
    const Pair pair;
    const Bytes dk = pair.own_dk(0), ek = pair.peer_ek(0);
    Session session;
    for (size_t length : {size_t{1}, size_t{32}, size_t{63}, size_t{65}, dk.size() - 1, dk.size() + 1, ek.size()}) {
        EXPECT_EQ(session.start(pair.protocol.name(), 0, {}, Bytes(length), ek), LATKEM_ERR_LENGTH) << length;
        expect_dead(session);
    }
    for (size_t length : {size_t{1}, ek.size() - 1, ek.size() + 1, dk.size()}) {
        EXPECT_EQ(session.start(pair.protocol.name(), 0, {}, dk, Bytes(length)), LATKEM_ERR_LENGTH) << length;
        expect_dead(session);
    }
}

TEST(NoiseSession, StartLeavesNothingOfWhatWasThere)
{
    Pair pair;
    const std::string name = pair.protocol.name();
    const char *protocol = name.c_str();
    const Bytes dk = pair.own_dk(0), ek = pair.peer_ek(0), prologue(3);
    const Bytes good = pair.sides[0].content();
    void *state = pair.sides[0].get();
    const auto expect_argument = [&](int error) {
        EXPECT_EQ(error, LATKEM_ERR_ARGUMENT);
        expect_dead(pair.sides[0]);
        pair.sides[0].restore(good);
    };
    const auto start = [&](const char *p, int role, const uint8_t *pro, const uint8_t *own, const uint8_t *peer) {
        return latkem_noise_start(state, p, role, pro, 3, own, dk.size(), peer, ek.size());
    };
    const auto *inside = static_cast<const uint8_t *>(state) + 40;
    expect_argument(start(nullptr, 0, prologue.data(), dk.data(), ek.data()));
    expect_argument(start(protocol, 2, prologue.data(), dk.data(), ek.data()));
    expect_argument(start(protocol, -1, prologue.data(), dk.data(), ek.data()));
    expect_argument(start(protocol, 0, nullptr, dk.data(), ek.data()));
    expect_argument(start(protocol, 0, prologue.data(), nullptr, ek.data()));
    expect_argument(start(protocol, 0, prologue.data(), dk.data(), nullptr));
    expect_argument(start(protocol, 0, inside, dk.data(), ek.data()));
    expect_argument(start(protocol, 0, prologue.data(), inside, ek.data()));
    expect_argument(start(protocol, 0, prologue.data(), dk.data(), inside));
    EXPECT_EQ(latkem_noise_start(nullptr, protocol, 0, nullptr, 0, dk.data(), dk.size(), ek.data(), ek.size()),
              LATKEM_ERR_ARGUMENT);
}

// Buffers missing and overlapping: nothing happens to the session.
class NoiseArguments : public testing::Test
{
  protected:
    void expect_argument(Session &session, const std::function<int()> &operation, const Bytes &output = {})
    {
        const Bytes before = session.content();
        length_ = 2000;
        EXPECT_EQ(operation(), LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(session.content(), before);
        EXPECT_TRUE(all_zero(output));
        EXPECT_TRUE(length_ == 0 || length_ == 2000) << length_;
    }

    size_t length_ = 0;
};

TEST_F(NoiseArguments, Messages)
{
    Pair pair({"pqNK", "512", "ChaChaPoly", "SHA256"});
    pair.write_next();
    Session &reader = pair.sides[1], fresh;
    ASSERT_EQ(pair.start(0), 0);
    Session &writer = pair.sides[0];
    Bytes out(2000, 0xaa), in = pair.messages[0];
    void *w = writer.get(), *r = reader.get();
    uint8_t *in_w = static_cast<uint8_t *>(w) + 8, *in_r = static_cast<uint8_t *>(r) + 8;
    auto *length_in_w = static_cast<size_t *>(w), *length_in_r = static_cast<size_t *>(r);
    const auto fill = RecordingRng::fill;
    RecordingRng rng{Bytes(96)};

    expect_argument(writer, [&] { return latkem_noise_write(nullptr, out.data(), &length_, in.data(), 5); });
    expect_argument(writer, [&] { return latkem_noise_write(w, nullptr, &length_, in.data(), 5); });
    expect_argument(writer, [&] { return latkem_noise_write(w, out.data(), nullptr, in.data(), 5); });
    expect_argument(writer, [&] { return latkem_noise_write(w, out.data(), &length_, nullptr, 5); });
    expect_argument(writer,
                    [&] { return latkem_noise_write_rng(w, out.data(), &length_, in.data(), 5, nullptr, &rng); });
    expect_argument(writer, [&] { return latkem_noise_write(w, in_w, &length_, in.data(), 5); });
    expect_argument(writer, [&] { return latkem_noise_write(w, out.data(), length_in_w, in.data(), 5); });
    expect_argument(writer, [&] { return latkem_noise_write(w, out.data(), &length_, in_w, 5); });
    expect_argument(writer, [&] { return latkem_noise_write(w, out.data(), &length_, out.data() + 1999, 5); });
    expect_argument(writer, [&] { return latkem_noise_write_rng(w, out.data(), &length_, out.data(), 5, fill, &rng); });
    EXPECT_TRUE(rng.requests.empty());
    EXPECT_TRUE(all_zero(slice(out, 0, 2000)));

    expect_argument(reader, [&] { return latkem_noise_read(nullptr, out.data(), &length_, in.data(), in.size()); });
    expect_argument(reader, [&] { return latkem_noise_read(r, nullptr, &length_, in.data(), in.size()); });
    expect_argument(reader, [&] { return latkem_noise_read(r, out.data(), nullptr, in.data(), in.size()); });
    expect_argument(reader, [&] { return latkem_noise_read(r, out.data(), &length_, nullptr, in.size()); });
    expect_argument(reader, [&] { return latkem_noise_read(r, in_r, &length_, in.data(), in.size()); });
    expect_argument(reader, [&] { return latkem_noise_read(r, out.data(), length_in_r, in.data(), in.size()); });
    expect_argument(reader, [&] { return latkem_noise_read(r, out.data(), &length_, in_r, in.size()); });
    Bytes both = in + Bytes(2000);
    expect_argument(
        reader, [&] { return latkem_noise_read(r, both.data() + in.size() - 1, &length_, both.data(), in.size()); });
    pair.read_last(); // still
}

TEST_F(NoiseArguments, WhatIsKnown)
{
    Pair pair({"pqKK", "512", "ChaChaPoly", "SHA256"});
    pair.finish();
    Session &session = pair.sides[0];
    void *s = session.get();
    uint8_t *inside = static_cast<uint8_t *>(s) + 8;
    Bytes out(800, 0xaa), more(32, 0xaa), good;
    expect_argument(
        session, [&] { return latkem_noise_peer_ek(nullptr, out.data(), 800); }, out);
    expect_argument(session, [&] { return latkem_noise_peer_ek(s, nullptr, 800); });
    expect_argument(session, [&] { return latkem_noise_peer_ek(s, inside, 800); });
    expect_argument(session, [&] { return latkem_noise_hash(s, nullptr, &length_); });
    expect_argument(session, [&] { return latkem_noise_hash(s, out.data(), nullptr); });
    expect_argument(session, [&] { return latkem_noise_hash(s, inside, &length_); });
    expect_argument(session, [&] { return latkem_noise_hash(s, out.data(), static_cast<size_t *>(s)); });
    expect_argument(
        session, [&] { return latkem_noise_keys(nullptr, out.data(), more.data()); }, more);
    expect_argument(
        session, [&] { return latkem_noise_keys(s, nullptr, more.data()); }, more);
    expect_argument(session, [&] { return latkem_noise_keys(s, out.data(), nullptr); });
    expect_argument(session, [&] { return latkem_noise_keys(s, out.data(), out.data() + 31); });
    expect_argument(session, [&] { return latkem_noise_keys(s, inside, out.data()); });
    expect_argument(session, [&] { return latkem_noise_keys(s, out.data(), inside); });
    for (size_t length : {0, 1, 799, 801}) {
        Bytes ek(length, 0xaa);
        EXPECT_EQ(latkem_noise_peer_ek(s, ek.data(), length), LATKEM_ERR_LENGTH);
        EXPECT_TRUE(all_zero(ek));
    }
    EXPECT_EQ(session.keys(good), 0);
}

// ---- What stays in the storage ----

// Secrets of the handshake are there before message 2 and gone after it; the transport's keys are gone at the end.
TEST(NoiseSession, StorageIsWiped)
{
    for (const Protocol &protocol : three_patterns()) {
        Pair pair(protocol);
        std::vector<Bytes> secrets[2];
        pair.write_next();
        pair.read_last();
        for (size_t side : {0, 1}) {
            const lkp_noise_symmetric &y = pair.sides[side].inside().symmetric;
            secrets[side] = {Bytes(y.ck, y.ck + 32), Bytes(y.k, y.k + 32)};
            if (!pair.own_dk(side).empty()) secrets[side].push_back(slice(pair.own_dk(side), 1600, 32)); // z
        }
        const uint8_t *ephemeral = pair.sides[0].inside().ephemeral.dk;
        secrets[0].push_back(Bytes(ephemeral, ephemeral + 32));
        secrets[0].push_back(Bytes(ephemeral + 1600, ephemeral + 1632));
        for (size_t side : {0, 1})
            for (const Bytes &secret : secrets[side]) EXPECT_TRUE(holds(pair.sides[side].content(), secret));
        pair.finish();
        for (size_t side : {0, 1}) {
            for (size_t i = 0; i < secrets[side].size(); i++)
                EXPECT_FALSE(holds(pair.sides[side].content(), secrets[side][i])) << protocol.name() << side << i;
            const lkp_noise_session &inside = pair.sides[side].inside();
            EXPECT_TRUE(all_zero(Bytes(inside.symmetric.ck, inside.symmetric.ck + sizeof inside.symmetric.ck)));
            EXPECT_TRUE(all_zero(Bytes(inside.symmetric.k, inside.symmetric.k + sizeof inside.symmetric.k)));
            EXPECT_TRUE(all_zero(Bytes(inside.own_dk, inside.own_dk + sizeof inside.own_dk)));
            EXPECT_TRUE(all_zero(Bytes(inside.ephemeral.dk, inside.ephemeral.dk + sizeof inside.ephemeral.dk)));
            latkem_noise_end(pair.sides[side].get());
            expect_dead(pair.sides[side]);
        }
    }
}

} // namespace
