// HPKE: published vectors, the key schedule against a model, every suite, every changed byte, and misuse.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/derand.h>
#include <openssl/err.h>

#include <functional>
#include <memory>
#include <random>

#include "hpke_model.h"
#include "hpke_pair.h"
#include "tests/support/vectors.h"

using namespace hpke;

namespace
{

// ---- Known answers ----

void expect_published_keys(const nlohmann::json &v, const latkem_kem *kem)
{
    const Bytes ikm = hex_field(v, "ikmR");
    Bytes ek(latkem_ek_bytes(kem)), sk(latkem_seed_bytes(kem));
    ASSERT_EQ(latkem_hpke_derive_keypair(kem, ek.data(), sk.data(), ikm.data(), ikm.size()), 0);
    EXPECT_EQ(to_hex(sk), v.at("skRm"));
    EXPECT_EQ(to_hex(ek), v.at("pkRm"));
}

void expect_published_secrets(const nlohmann::json &v, Context &context)
{
    const lkp_hpke_secrets &secrets = context.inside().secrets;
    const auto expect = [&](const char *field, const uint8_t *at) {
        const Bytes right = hex_field(v, field);
        EXPECT_EQ(to_hex(Bytes(at, at + right.size())), to_hex(right)) << field;
    };
    expect("key", secrets.key);
    expect("base_nonce", secrets.base_nonce);
    expect("exporter_secret", secrets.exporter);
}

void expect_published_messages(const nlohmann::json &v, Context &sender, Context &recipient)
{
    Bytes out;
    for (const auto &e : v.at("encryptions")) {
        const Bytes aad = hex_field(e, "aad"), pt = hex_field(e, "pt"), ct = hex_field(e, "ct");
        EXPECT_EQ(sender.seal(out, aad, pt), 0);
        EXPECT_EQ(to_hex(out), to_hex(ct));
        EXPECT_EQ(recipient.open(out, aad, ct), 0);
        EXPECT_EQ(to_hex(out), to_hex(pt));
    }
    for (const auto &e : v.at("exports"))
        for (Context *context : {&sender, &recipient}) {
            EXPECT_EQ(context->exported(out, hex_field(e, "exporter_context"), e.at("L")), 0);
            EXPECT_EQ(to_hex(out), e.at("exported_value"));
        }
}

TEST(Hpke, Published)
{
    const nlohmann::json published = load_json("hybrid/published.json").at("hpke");
    EXPECT_EQ(published.size(), 3U);
    for (const auto &v : published) {
        SCOPED_TRACE(v.at("suite_id").get<std::string>());
        const latkem_kem *kem = kem_of(v.at("kem_id"));
        ASSERT_NE(kem, nullptr);
        expect_published_keys(v, kem);

        const unsigned kdf = v.at("kdf_id"), aead = v.at("aead_id");
        const Bytes ek = hex_field(v, "pkRm"), sk = hex_field(v, "skRm"), info = hex_field(v, "info");
        const Bytes coins = hex_field(v, "ikmE");
        Bytes enc(latkem_ct_bytes(kem));
        Context sender, recipient;
        ASSERT_EQ(latkem_hpke_sender_derand(sender.get(), enc.data(), kem, kdf, aead, ek.data(), ek.size(), info.data(),
                                            info.size(), coins.data(), coins.size()),
                  0);
        EXPECT_EQ(to_hex(enc), v.at("enc"));
        ASSERT_EQ(latkem_hpke_recipient(recipient.get(), kem, kdf, aead, enc.data(), enc.size(), sk.data(), sk.size(),
                                        info.data(), info.size()),
                  0);
        expect_published_secrets(v, sender);
        expect_published_secrets(v, recipient);
        expect_published_messages(v, sender, recipient);
    }
}

// ---- The model ----

Bytes some_bytes(size_t length, uint8_t first)
{
    Bytes bytes(length);
    for (size_t i = 0; i < length; i++) bytes[i] = static_cast<uint8_t>(first + 7 * i);
    return bytes;
}

void expect_schedule_of_model(const HpkeSuite &ids, size_t info_len)
{
    SCOPED_TRACE(testing::Message() << "KDF " << ids.kdf << ", AEAD " << ids.aead << ", info of " << info_len);
    const Bytes shared = some_bytes(LKP_HPKE_SHARED, 3), info = some_bytes(info_len, 9);
    const HpkeModel model(ids, shared, info);
    lkp_hpke_suite suite;
    lkp_hpke_secrets secrets;
    ASSERT_EQ(lkp_hpke_find_suite(&suite, ids.kem, ids.kdf, ids.aead), 0);
    ASSERT_EQ(lkp_hpke_schedule(&suite, &secrets, shared.data(), {info.data(), info.size()}), 0);
    EXPECT_EQ(Bytes(secrets.key, secrets.key + model.key.size()), model.key);
    EXPECT_EQ(Bytes(secrets.base_nonce, secrets.base_nonce + model.base_nonce.size()), model.base_nonce);
    EXPECT_EQ(Bytes(secrets.exporter, secrets.exporter + model.exporter_secret.size()), model.exporter_secret);
    for (size_t length : {size_t{1}, size_t{32}, size_t{65}, size_t{1000}, lkp_hpke_export_max(&suite)}) {
        const Bytes context = some_bytes(length % 300, 1);
        Bytes out(length);
        ASSERT_EQ(lkp_hpke_export(&suite, out.data(), length, secrets.exporter, {context.data(), context.size()}), 0);
        EXPECT_EQ(out, model.exported(context, length)) << length;
    }
}

TEST(Hpke, ScheduleOfModel)
{
    for (unsigned kdf : all_kdfs)
        for (unsigned aead : all_aeads)
            for (size_t info_len : {0, 1, 40, 300, 0xFFFF}) expect_schedule_of_model({0x41, kdf, aead}, info_len);
}

TEST(Hpke, DeriveKeyPairOfModel)
{
    for (const latkem_kem *kem : all_kems())
        for (size_t length : {1, 32, 64, 1000}) {
            const Bytes ikm = some_bytes(length, 5);
            Bytes ek(latkem_ek_bytes(kem)), sk(latkem_seed_bytes(kem)), ek2(ek.size()), dk(latkem_dk_bytes(kem));
            ASSERT_EQ(latkem_hpke_derive_keypair(kem, ek.data(), sk.data(), ikm.data(), ikm.size()), 0);
            EXPECT_EQ(sk, hpke_model_private_key(latkem_hpke_kem_id(kem), ikm, sk.size())) << latkem_kem_name(kem);
            ASSERT_EQ(latkem_keypair_derand(kem, ek2.data(), dk.data(), sk.data(), sk.size()), 0);
            EXPECT_EQ(ek, ek2) << latkem_kem_name(kem);
        }
}

// The message of any number is sealed by the suite's AEAD with the model's nonce, also where the number carries into
// further bytes.
void expect_messages_of_model(unsigned id, const lkp_aead &aead)
{
    Pair pair(kem_of(0x41), 1, id);
    HpkeModel model({0x41, 1, id}, Bytes(32), {});
    const lkp_hpke_secrets &secrets = pair.sender.inside().secrets;
    model.base_nonce.assign(secrets.base_nonce, secrets.base_nonce + LKP_NONCE_BYTES);
    for (uint64_t sequence :
         {UINT64_C(0), UINT64_C(255), UINT64_C(256), UINT64_C(0x0123456789abcdef), UINT64_MAX - 1}) {
        Bytes ct, right(2 + LATKEM_HPKE_TAG_BYTES);
        const Bytes pt = bytes_of("pt"), nonce = model.nonce(sequence);
        pair.sender.inside().sequence = sequence;
        ASSERT_EQ(pair.sender.seal(ct, {}, pt), 0);
        ASSERT_EQ(lkp_aead_seal(&aead, right.data(), secrets.key, nonce.data(), {nullptr, 0}, pt.data(), pt.size()), 0);
        EXPECT_EQ(ct, right) << aead.name << ", " << sequence;
        EXPECT_EQ(pair.sender.inside().sequence, sequence + 1);
    }
}

TEST(Hpke, MessagesOfModel)
{
    expect_messages_of_model(1, lkp_aes_128_gcm);
    expect_messages_of_model(2, lkp_aes_256_gcm);
    expect_messages_of_model(3, lkp_chacha20_poly1305);
}

// ---- Every suite ----

void expect_messages_pass(Pair &pair)
{
    for (size_t length : {0, 1, 15, 16, 1000}) {
        const Bytes pt = some_bytes(length, 2), aad = some_bytes(length / 3, 8);
        Bytes ct, out;
        EXPECT_EQ(pair.sender.seal(ct, aad, pt), 0);
        EXPECT_EQ(pair.recipient.open(out, aad, ct), 0);
        EXPECT_EQ(out, pt);
    }
}

void expect_no_messages(Pair &pair)
{
    Bytes out;
    EXPECT_EQ(pair.sender.seal(out, {}, Bytes(5, 1)), LATKEM_ERR_STATE);
    EXPECT_TRUE(zero(out));
    EXPECT_EQ(pair.recipient.open(out, {}, Bytes(40)), LATKEM_ERR_STATE);
    EXPECT_TRUE(zero(out));
}

void expect_same_exports(Pair &pair)
{
    for (size_t length : {0, 1, 32, 100}) {
        Bytes ours, theirs;
        EXPECT_EQ(pair.sender.exported(ours, bytes_of("name"), length), 0);
        EXPECT_EQ(pair.recipient.exported(theirs, bytes_of("name"), length), 0);
        EXPECT_EQ(ours, theirs);
        if (length < 32) continue;
        EXPECT_EQ(pair.recipient.exported(theirs, bytes_of("nama"), length), 0);
        EXPECT_NE(ours, theirs);
    }
}

TEST(Hpke, EverySuite)
{
    for (const latkem_kem *kem : all_kems())
        for (unsigned kdf : all_kdfs)
            for (unsigned aead : all_aeads) {
                SCOPED_TRACE(testing::Message() << latkem_kem_name(kem) << ", KDF " << kdf << ", AEAD " << aead);
                Pair pair(kem, kdf, aead);
                if (aead == LATKEM_HPKE_EXPORT_ONLY)
                    expect_no_messages(pair);
                else
                    expect_messages_pass(pair);
                expect_same_exports(pair);
            }
}

// Two senders to one key, and one suite beside another, share nothing.
TEST(Hpke, SendersDiffer)
{
    for (const latkem_kem *kem : all_kems()) {
        KeyPair keys(kem);
        Context first, second;
        Bytes one, two;
        ASSERT_EQ(keys.sender(first, 1, 1, {}), 0);
        const Bytes enc = keys.enc;
        ASSERT_EQ(keys.sender(second, 1, 1, {}), 0);
        EXPECT_NE(enc, keys.enc);
        EXPECT_EQ(first.exported(one, {}, 32), 0);
        EXPECT_EQ(second.exported(two, {}, 32), 0);
        EXPECT_NE(one, two);
    }
}

// ---- What was changed ----

void expect_refused(Context &recipient, const Bytes &aad, const Bytes &ct, size_t at)
{
    Bytes out;
    EXPECT_EQ(recipient.open(out, aad, ct), LATKEM_ERR_AUTH) << at;
    EXPECT_TRUE(zero(out)) << at;
}

// Calls use(at) for each byte, which is changed while it runs.
void for_each_changed(Bytes &bytes, const std::function<void(size_t)> &use)
{
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] ^= static_cast<uint8_t>(1 << i % 8);
        use(i);
        bytes[i] ^= static_cast<uint8_t>(1 << i % 8);
    }
}

TEST(Hpke, ChangedMessage)
{
    for (unsigned aead : {1, 2, 3}) {
        Pair pair(kem_of(0x41), 1, aead);
        const Bytes pt = bytes_of("a plaintext of more than sixteen bytes");
        Bytes aad = bytes_of("header"), ct, out;
        ASSERT_EQ(pair.sender.seal(ct, aad, pt), 0);
        for_each_changed(ct, [&](size_t i) { expect_refused(pair.recipient, aad, ct, i); });
        for_each_changed(aad, [&](size_t i) { expect_refused(pair.recipient, aad, ct, i); });
        expect_refused(pair.recipient, slice(aad, 0, 5), ct, 0);
        expect_refused(pair.recipient, aad, slice(ct, 0, ct.size() - 1), 0);
        expect_refused(pair.recipient, aad, slice(ct, 0, LATKEM_HPKE_TAG_BYTES), 0);
        EXPECT_EQ(pair.recipient.open(out, aad, slice(ct, 0, LATKEM_HPKE_TAG_BYTES - 1)), LATKEM_ERR_LENGTH);
        EXPECT_EQ(pair.recipient.inside().sequence, 0U);
        EXPECT_EQ(pair.recipient.open(out, aad, ct), 0);
        EXPECT_EQ(out, pt);
    }
    EXPECT_EQ(ERR_peek_error(), 0U);
}

TEST(Hpke, ChangedInfo)
{
    for (unsigned kdf : all_kdfs) {
        KeyPair keys(kem_of(0x40));
        Context sender, recipient;
        Bytes info = bytes_of("what both sides know"), ct;
        ASSERT_EQ(keys.sender(sender, kdf, 1, info), 0);
        ASSERT_EQ(sender.seal(ct, {}, bytes_of("pt")), 0);
        for_each_changed(info, [&](size_t i) {
            ASSERT_EQ(keys.recipient(recipient, kdf, 1, info), 0);
            expect_refused(recipient, {}, ct, i);
        });
        ASSERT_EQ(keys.recipient(recipient, kdf, 1, info + Bytes{0}), 0);
        expect_refused(recipient, {}, ct, info.size());
    }
}

TEST(Hpke, ChangedEnc)
{
    for (const latkem_kem *kem : all_kems()) {
        SCOPED_TRACE(latkem_kem_name(kem));
        KeyPair keys(kem);
        Context sender, recipient;
        Bytes ct, out;
        ASSERT_EQ(keys.sender(sender, 0x11, 3, {}), 0);
        ASSERT_EQ(sender.seal(ct, {}, bytes_of("pt")), 0);
        for_each_changed(keys.enc, [&](size_t i) {
            const int error = keys.recipient(recipient, 0x11, 3, {});
            if (error == 0) return expect_refused(recipient, {}, ct, i);
            EXPECT_EQ(error, LATKEM_ERR_CT) << i;
            EXPECT_TRUE(zero(recipient.content())) << i;
            EXPECT_EQ(recipient.open(out, {}, ct), LATKEM_ERR_STATE) << i;
        });
        ASSERT_EQ(keys.recipient(recipient, 0x11, 3, {}), 0);
        EXPECT_EQ(recipient.open(out, {}, ct), 0);
    }
    EXPECT_EQ(ERR_peek_error(), 0U);
}

TEST(Hpke, OutOfOrder)
{
    Pair pair(kem_of(0x42), 3, 2);
    std::vector<Bytes> messages(4);
    Bytes out;
    for (size_t i = 0; i < messages.size(); i++) ASSERT_EQ(pair.sender.seal(messages[i], {}, Bytes(3, 1)), 0);
    for (size_t next = 0; next < messages.size(); next++) {
        for (size_t i = 0; i < messages.size(); i++)
            if (i != next) expect_refused(pair.recipient, {}, messages[i], i);
        EXPECT_EQ(pair.recipient.open(out, {}, messages[next]), 0) << next;
        EXPECT_EQ(out, Bytes(3, 1));
    }
}

// ---- Arguments ----

// The arguments of both calls that make contexts, changed by the tests.
struct Making {
    explicit Making(const latkem_kem *set) : keys(set), kem(set), coins(latkem_coins_bytes(set), 4), info(20, 6)
    {
        KeyPair other(set);
        EXPECT_EQ(other.sender(context, 1, 1, info), 0);
        keys.enc = good_enc = other.enc;
    }
    int sender()
    {
        return latkem_hpke_sender(context_at, enc_at, kem, kdf, aead, ek_at, ek_len, info_at, info_len);
    }
    int sender_derand()
    {
        return latkem_hpke_sender_derand(context_at, enc_at, kem, kdf, aead, ek_at, ek_len, info_at, info_len, coins_at,
                                         coins_len);
    }
    int recipient()
    {
        return latkem_hpke_recipient(context_at, kem, kdf, aead, enc_at, enc_len, sk_at, sk_len, info_at, info_len);
    }

    KeyPair keys;
    const latkem_kem *kem;
    Bytes coins, info, good_enc;
    Context context;
    unsigned kdf = 1, aead = 1;
    void *context_at = context.get();
    uint8_t *enc_at = keys.enc.data();
    const uint8_t *ek_at = keys.ek.data(), *sk_at = keys.sk.data(), *info_at = info.data(), *coins_at = coins.data();
    size_t enc_len = keys.enc.size(), ek_len = keys.ek.size(), sk_len = keys.sk.size(), info_len = info.size(),
           coins_len = coins.size();
};

using Call = int (Making::*)();
constexpr Call all_calls[] = {&Making::sender, &Making::sender_derand, &Making::recipient};

// Each call refuses the arguments that change makes, and leaves no context and no enc.
void expect_making_fails(const latkem_kem *kem, int error, const std::function<void(Making &)> &change,
                         const std::vector<Call> &calls = {std::begin(all_calls), std::end(all_calls)})
{
    for (const Call call : calls) {
        SCOPED_TRACE(testing::Message() << latkem_kem_name(kem) << ", call "
                                        << std::find(std::begin(all_calls), std::end(all_calls), call) - all_calls);
        Making making(kem);
        change(making);
        EXPECT_EQ((making.*call)(), error);
        EXPECT_TRUE(making.context_at == nullptr || zero(making.context.content()));
        const bool makes_enc = call != &Making::recipient && making.kem != nullptr && making.enc_at != nullptr;
        EXPECT_TRUE(!makes_enc || zero(making.keys.enc));
    }
}

TEST(Hpke, MakingSucceeds)
{
    for (const latkem_kem *kem : all_kems())
        for (const Call call : all_calls) {
            Making making(kem);
            EXPECT_EQ((making.*call)(), 0) << latkem_kem_name(kem);
        }
}

TEST(Hpke, UnknownSuite)
{
    for (const latkem_kem *kem : all_kems())
        for (unsigned id : {0U, 4U, 0x0FU, 0x14U, 0xFFFFU, 0x10001U, 0x10011U, ~0U})
            expect_making_fails(kem, LATKEM_ERR_ARGUMENT, [id](Making &m) { m.kdf = id; });
    for (unsigned id : {0U, 4U, 0x10U, 0xFFFEU, 0x10001U, 0x1FFFFU, ~0U})
        expect_making_fails(kem_of(0x41), LATKEM_ERR_ARGUMENT, [id](Making &m) { m.aead = id; });
}

// The sets of latkem that are no KEMs of HPKE: the hybrids of TLS, Kyber and the others.
TEST(Hpke, UnknownKem)
{
    std::vector<const latkem_kem *> others = {nullptr};
    for (size_t i = 0; latkem_kem_at(i) != nullptr; i++) others.push_back(latkem_kem_at(i));
    for (size_t i = 0; latkem_hybrid_at(i) != nullptr; i++) others.push_back(latkem_hybrid_at(i));
    size_t refused = 0;
    for (const latkem_kem *kem : others) {
        if (latkem_hpke_kem_id(kem) != 0) continue;
        Context context;
        const Bytes ek(latkem_ek_bytes(kem) + 1), seed(latkem_seed_bytes(kem) + 1);
        Bytes enc(latkem_ct_bytes(kem) + 1, 0xaa), sk(seed.size(), 0xaa), out(ek.size(), 0xaa);
        EXPECT_EQ(latkem_hpke_sender(context.get(), enc.data(), kem, 1, 1, ek.data(), ek.size() - 1, nullptr, 0),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(enc, Bytes(enc.size() - 1) + Bytes{0xaa});
        EXPECT_TRUE(zero(context.content()));
        EXPECT_EQ(latkem_hpke_recipient(context.get(), kem, 1, 1, enc.data(), enc.size() - 1, seed.data(),
                                        seed.size() - 1, nullptr, 0),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(latkem_hpke_derive_keypair(kem, out.data(), sk.data(), seed.data(), seed.size()),
                  LATKEM_ERR_ARGUMENT);
        EXPECT_EQ(out + sk, Bytes(out.size() - 1) + Bytes{0xaa} + Bytes(sk.size() - 1) + Bytes{0xaa});
        refused++;
    }
    EXPECT_GE(refused, 4U);
}

TEST(Hpke, NullArguments)
{
    const latkem_kem *kem = kem_of(0x40);
    const std::vector<Call> senders = {&Making::sender, &Making::sender_derand}, recipient = {&Making::recipient};
    const auto null = LATKEM_ERR_ARGUMENT;
    expect_making_fails(kem, null, [](Making &m) { m.context_at = nullptr; });
    expect_making_fails(kem, null, [](Making &m) { m.enc_at = nullptr; });
    expect_making_fails(kem, null, [](Making &m) { m.kem = nullptr; });
    expect_making_fails(kem, null, [](Making &m) { m.info_at = nullptr; });
    expect_making_fails(
        kem, null, [](Making &m) { m.ek_at = nullptr; }, senders);
    expect_making_fails(kem, null, [](Making &m) { m.coins_at = nullptr; }, {&Making::sender_derand});
    expect_making_fails(
        kem, null, [](Making &m) { m.sk_at = nullptr; }, recipient);
    for (const Call call : all_calls) {
        Making making(kem);
        making.info_at = nullptr;
        making.info_len = 0;
        EXPECT_EQ((making.*call)(), 0);
    }
}

TEST(Hpke, WrongLengths)
{
    for (const latkem_kem *kem : all_kems())
        for (const size_t change : {size_t{1}, size_t{32}, ~size_t{0}, ~size_t{0} / 2 + 1}) {
            const auto length = LATKEM_ERR_LENGTH;
            expect_making_fails(kem, length, [=](Making &m) { m.ek_len += change; },
                                {&Making::sender, &Making::sender_derand});
            expect_making_fails(kem, length, [=](Making &m) { m.coins_len += change; }, {&Making::sender_derand});
            expect_making_fails(kem, length, [=](Making &m) { m.enc_len += change; }, {&Making::recipient});
            expect_making_fails(kem, length, [=](Making &m) { m.sk_len += change; }, {&Making::recipient});
        }
}

// One-stage KDFs write the length of info in two bytes; HKDF has no such limit.
TEST(Hpke, LongInfo)
{
    const Bytes info(0x10000, 7);
    for (unsigned kdf : all_kdfs)
        for (size_t length : {size_t{0xFFFF}, size_t{0x10000}}) {
            const auto change = [&](Making &m) {
                m.kdf = kdf;
                m.info_at = info.data();
                m.info_len = length;
            };
            if (kdf >= 0x10 && length > 0xFFFF) {
                expect_making_fails(kem_of(0x40), LATKEM_ERR_LENGTH, change);
                continue;
            }
            Pair pair(kem_of(0x40), kdf, 1, slice(info, 0, length));
            expect_messages_pass(pair);
        }
}

TEST(Hpke, BadEk)
{
    expect_making_fails(kem_of(0x41), LATKEM_ERR_EK, [](Making &m) { m.keys.ek[0] = m.keys.ek[1] = 0xff; },
                        {&Making::sender, &Making::sender_derand});
}

// Outputs that share a byte with another buffer are refused, a neighbour is not.
TEST(Hpke, MakingOverlaps)
{
    const std::vector<Call> senders = {&Making::sender, &Making::sender_derand};
    for (const Call call : senders)
        for (int which = 0; which < 5; which++) {
            Making m(kem_of(0x40));
            Bytes area(4096, 0xaa);
            m.enc_at = area.data() + 1024;
            if (which == 0) m.ek_at = m.enc_at + m.enc_len - 1;
            if (which == 1) m.ek_at = m.enc_at - m.ek_len + 1;
            if (which == 2) m.info_at = m.enc_at;
            if (which == 3) m.context_at = area.data() + 1024 + m.enc_len - 16;
            if (which == 4) m.info_at = static_cast<const uint8_t *>(m.context_at) + 3;
            EXPECT_EQ((m.*call)(), LATKEM_ERR_ARGUMENT) << which;
            EXPECT_TRUE(zero(slice(area, 1024, m.enc_len))) << which;
        }
    Making m(kem_of(0x40));
    m.coins_at = m.keys.enc.data() + 5;
    EXPECT_EQ(m.sender_derand(), LATKEM_ERR_ARGUMENT);
    Making recipient(kem_of(0x40));
    recipient.context_at = recipient.keys.enc.data();
    EXPECT_EQ(recipient.recipient(), LATKEM_ERR_ARGUMENT);
    Making beside(kem_of(0x40));
    Bytes area = beside.keys.ek + beside.keys.enc;
    beside.ek_at = area.data();
    beside.enc_at = area.data() + beside.ek_len;
    EXPECT_EQ(beside.sender(), 0);
}

TEST(Hpke, DeriveKeyPairArguments)
{
    const latkem_kem *kem = kem_of(0x42);
    Bytes keys(latkem_ek_bytes(kem) + 64), ikm(64, 1);
    uint8_t *ek = keys.data(), *sk = ek + latkem_ek_bytes(kem);
    const auto fails = [&](int error, uint8_t *to_ek, uint8_t *to_sk, const uint8_t *from, size_t length) {
        std::fill(keys.begin(), keys.end(), uint8_t{0xaa});
        EXPECT_EQ(latkem_hpke_derive_keypair(kem, to_ek, to_sk, from, length), error);
        EXPECT_TRUE(to_ek == nullptr || zero(Bytes(ek, sk)));
        EXPECT_TRUE(to_sk == nullptr || zero(Bytes(to_sk, to_sk + 64)));
    };
    fails(LATKEM_ERR_ARGUMENT, nullptr, sk, ikm.data(), 64);
    fails(LATKEM_ERR_ARGUMENT, ek, nullptr, ikm.data(), 64);
    fails(LATKEM_ERR_ARGUMENT, ek, sk, nullptr, 64);
    fails(LATKEM_ERR_ARGUMENT, ek, sk - 1, ikm.data(), 64);
    fails(LATKEM_ERR_ARGUMENT, ek, sk, sk + 63, 1);
    fails(LATKEM_ERR_LENGTH, ek, sk, ikm.data(), 0);
}

// ---- What a context allows ----

enum class Storage { sender, recipient, sender_export_only, recipient_export_only, ended, failed, never_made };

// The storage in some state.
std::unique_ptr<Context> storage_of(Storage storage)
{
    auto context = std::make_unique<Context>();
    KeyPair keys(kem_of(0x40));
    const bool export_only = storage == Storage::sender_export_only || storage == Storage::recipient_export_only;
    const unsigned aead = export_only ? 0xFFFF : 1;
    if (storage == Storage::never_made) return context;
    EXPECT_EQ(keys.sender(*context, 1, aead, {}), 0);
    const bool recipient = storage == Storage::recipient || storage == Storage::recipient_export_only;
    EXPECT_EQ(recipient ? keys.recipient(*context, 1, aead, {}) : 0, 0);
    const bool failed = storage == Storage::failed;
    EXPECT_EQ(failed ? keys.recipient(*context, 9, aead, {}) : LATKEM_ERR_ARGUMENT, LATKEM_ERR_ARGUMENT);
    if (storage == Storage::ended) latkem_hpke_end(context->get());
    return context;
}

TEST(Hpke, WhatAContextAllows)
{
    const struct {
        Storage storage;
        int seal, open, exported;
    } rows[] = {
        {Storage::sender, 0, LATKEM_ERR_STATE, 0},
        {Storage::recipient, LATKEM_ERR_STATE, LATKEM_ERR_AUTH, 0},
        {Storage::sender_export_only, LATKEM_ERR_STATE, LATKEM_ERR_STATE, 0},
        {Storage::recipient_export_only, LATKEM_ERR_STATE, LATKEM_ERR_STATE, 0},
        {Storage::ended, LATKEM_ERR_STATE, LATKEM_ERR_STATE, LATKEM_ERR_STATE},
        {Storage::failed, LATKEM_ERR_STATE, LATKEM_ERR_STATE, LATKEM_ERR_STATE},
        {Storage::never_made, LATKEM_ERR_STATE, LATKEM_ERR_STATE, LATKEM_ERR_STATE},
    };
    for (const auto &row : rows) {
        SCOPED_TRACE(static_cast<int>(row.storage));
        const std::unique_ptr<Context> context = storage_of(row.storage);
        Bytes out;
        EXPECT_EQ(context->seal(out, {}, Bytes(3, 1)), row.seal);
        EXPECT_EQ(zero(out), row.seal != 0);
        EXPECT_EQ(context->open(out, {}, Bytes(40, 1)), row.open);
        EXPECT_TRUE(zero(out));
        EXPECT_EQ(context->exported(out, {}, 32), row.exported);
        EXPECT_EQ(zero(out), row.exported != 0);
    }
}

// Bytes of any kind are no context, even with a role; nothing is read through them.
TEST(Hpke, StorageOfAnyContent)
{
    std::mt19937 random(7);
    for (int round = 0; round < 3000; round++) {
        Context context;
        Bytes out;
        auto *at = static_cast<uint8_t *>(context.get());
        std::generate(at, at + latkem_hpke_bytes(), [&] { return static_cast<uint8_t>(random()); });
        if (round % 3 == 1) context.inside().role = LKP_HPKE_SENDER;
        if (round % 3 == 2) context.inside().role = LKP_HPKE_RECIPIENT;
        EXPECT_EQ(context.seal(out, {}, Bytes(3)), LATKEM_ERR_STATE);
        EXPECT_EQ(context.open(out, {}, Bytes(40)), LATKEM_ERR_STATE);
        EXPECT_EQ(context.exported(out, {}, 32), LATKEM_ERR_STATE);
        latkem_hpke_end(context.get());
        EXPECT_TRUE(zero(context.content()));
    }
}

TEST(Hpke, LastMessage)
{
    Pair pair(kem_of(0x40), 1, 1);
    pair.sender.inside().sequence = pair.recipient.inside().sequence = UINT64_MAX - 1;
    Bytes ct, more, out;
    EXPECT_EQ(pair.sender.seal(ct, {}, Bytes(3, 1)), 0);
    EXPECT_EQ(pair.recipient.open(out, {}, ct), 0);
    EXPECT_EQ(pair.sender.seal(more, {}, Bytes(3, 1)), LATKEM_ERR_STATE);
    EXPECT_TRUE(zero(more));
    EXPECT_EQ(pair.recipient.open(out, {}, ct), LATKEM_ERR_STATE);
    EXPECT_TRUE(zero(out));
    EXPECT_EQ(pair.sender.seal(more, {}, Bytes(3, 1)), LATKEM_ERR_STATE);
    EXPECT_EQ(pair.sender.exported(out, {}, 32), 0);
}

TEST(Hpke, LongExport)
{
    for (unsigned kdf : all_kdfs) {
        Pair pair(kem_of(0x40), kdf, 0xFFFF);
        const size_t most = kdf == 1 ? 255 * 32 : kdf == 2 ? 255 * 48 : kdf == 3 ? 255 * 64 : 0xFFFF;
        Bytes out;
        EXPECT_EQ(pair.sender.exported(out, {}, most), 0) << kdf;
        EXPECT_FALSE(zero(slice(out, most - 32, 32))) << kdf;
        EXPECT_EQ(pair.sender.exported(out, {}, most + 1), LATKEM_ERR_LENGTH) << kdf;
        EXPECT_TRUE(zero(out)) << kdf;
    }
}

TEST(Hpke, MessageArguments)
{
    Pair pair(kem_of(0x40), 1, 1);
    void *sender = pair.sender.get(), *recipient = pair.recipient.get();
    Bytes area(64, 0xaa), ct;
    uint8_t *at = area.data();
    ASSERT_EQ(pair.sender.seal(ct, {}, Bytes(3, 1)), 0);

    EXPECT_EQ(latkem_hpke_seal(nullptr, at, nullptr, 0, at + 40, 3), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_seal(sender, nullptr, nullptr, 0, at + 40, 3), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_seal(sender, at, nullptr, 1, at + 40, 3), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_seal(sender, at, nullptr, 0, nullptr, 3), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_seal(sender, at, nullptr, 0, at + 18, 3), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_seal(sender, at, at + 18, 1, at + 40, 3), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_seal(sender, at, nullptr, 0, at + 40, SIZE_MAX), LATKEM_ERR_LENGTH);
    EXPECT_EQ(latkem_hpke_seal(sender, at, nullptr, 0, at + 40, SIZE_MAX - 15), LATKEM_ERR_LENGTH);
    EXPECT_TRUE(zero(slice(area, 0, 19)));
    EXPECT_EQ(slice(area, 19, 45), Bytes(45, 0xaa));

    EXPECT_EQ(latkem_hpke_open(nullptr, at, nullptr, 0, ct.data(), ct.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_open(recipient, nullptr, nullptr, 0, ct.data(), ct.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_open(recipient, at, nullptr, 1, ct.data(), ct.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_open(recipient, at, nullptr, 0, nullptr, ct.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_open(recipient, at + 1, nullptr, 0, at, 19), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_open(recipient, at, nullptr, 0, nullptr, 0), LATKEM_ERR_LENGTH);

    EXPECT_EQ(latkem_hpke_export(nullptr, at, 3, nullptr, 0), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_export(sender, nullptr, 3, nullptr, 0), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_export(sender, at, 3, nullptr, 1), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_export(sender, at, 3, at + 2, 1), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_export(sender, nullptr, 0, nullptr, 0), 0);
    EXPECT_EQ(latkem_hpke_open(recipient, at, nullptr, 0, ct.data(), ct.size()), 0);
}

// An output that shares a byte with the context is refused, and the context stays whole: half a context could seal two
// messages with one nonce.
TEST(Hpke, OutputInTheContext)
{
    Pair pair(kem_of(0x40), 1, 1);
    const Bytes pt(3, 1), before = pair.sender.content(), theirs = pair.recipient.content();
    auto *inside = static_cast<uint8_t *>(pair.sender.get()) + 8;
    EXPECT_EQ(latkem_hpke_seal(pair.sender.get(), inside, nullptr, 0, pt.data(), pt.size()), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(latkem_hpke_export(pair.sender.get(), inside, 32, nullptr, 0), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(pair.sender.content(), before);
    inside = static_cast<uint8_t *>(pair.recipient.get()) + 8;
    EXPECT_EQ(latkem_hpke_open(pair.recipient.get(), inside, nullptr, 0, before.data(), 30), LATKEM_ERR_ARGUMENT);
    EXPECT_EQ(pair.recipient.content(), theirs);
}

} // namespace
