// HPKE's calls as operations: see operations.h. A context is made once and copied, which is forbidden elsewhere, so that the
// same message is sealed many times. SPDX-License-Identifier: Apache-2.0
#include <latkem/hpke.h>
#include <latkem/hybrid.h>

#include <cstddef>

#include "kem_test.h"
#include "operations.h"

namespace
{

const uint8_t info[] = "info", aad[] = "aad";

using Context = std::vector<std::max_align_t>;

Context context()
{
    return Context(latkem_hpke_bytes() / sizeof(std::max_align_t) + 1);
}

struct Inputs {
    const latkem_kem *kem;
    unsigned kdf, aead;
    std::string name;
    Bytes sk, coins, ikm, ek, enc, text, ct;
    Context sender = context(), recipient = context();

    Inputs(const latkem_kem *of, unsigned with_kdf, unsigned with_aead)
        : kem(of), kdf(with_kdf), aead(with_aead), name("HPKE " + std::string(latkem_kem_name(of))),
          sk(Stream("operations: sk").bytes(latkem_seed_bytes(of))),
          coins(Stream("operations: coins").bytes(latkem_coins_bytes(of))), ikm(Stream("operations: ikm").bytes(64)),
          ek(latkem_ek_bytes(of)), enc(latkem_ct_bytes(of)), text(Stream("operations: text").bytes(64)),
          ct(text.size() + LATKEM_HPKE_TAG_BYTES)
    {
        Bytes dk(latkem_dk_bytes(kem));
        int error = latkem_keypair_derand(kem, ek.data(), dk.data(), sk.data(), sk.size());
        if (!error) error = send(sender, enc);
        if (!error) error = receive(recipient);
        Context copy = sender;
        if (!error) error = latkem_hpke_seal(copy.data(), ct.data(), aad, sizeof aad, text.data(), text.size());
        EXPECT_EQ(error, 0) << name;
    }

    int send(Context &c, Bytes &out) const
    {
        return latkem_hpke_sender_derand(c.data(), out.data(), kem, kdf, aead, ek.data(), ek.size(), info, sizeof info,
                                         coins.data(), coins.size());
    }

    int receive(Context &c) const
    {
        return latkem_hpke_recipient(c.data(), kem, kdf, aead, enc.data(), enc.size(), sk.data(), sk.size(), info,
                                     sizeof info);
    }
};

using Shared = std::shared_ptr<const Inputs>;

// What is wrong with a context whose making failed.
std::string not_ended(const Context &c)
{
    uint8_t out[16];
    const bool ended = latkem_hpke_export(c.data(), out, sizeof out, info, sizeof info) == LATKEM_ERR_STATE;
    return ended ? "" : "the context has not ended";
}

void add_setups(std::vector<Operation> &all, const Shared &in)
{
    const auto c = std::make_shared<Context>(context());
    Operation sender{in->name + " sender", {in->enc.size()}, [=](Outputs &out) { return in->send(*c, out[0]); }};
    sender.refusal = LATKEM_ERR_EK;
    sender.fault = [=] { return not_ended(*c); };
    Operation recipient{in->name + " recipient", {}, [=](Outputs &) { return in->receive(*c); }};
    recipient.refusal = LATKEM_ERR_CT;
    recipient.fault = sender.fault;
    Operation derive{in->name + " derive_keypair", {in->ek.size(), in->sk.size()}, [in](Outputs &out) {
                         return latkem_hpke_derive_keypair(in->kem, out[0].data(), out[1].data(), in->ikm.data(),
                                                           in->ikm.size());
                     }};
    for (const Operation &operation : {sender, recipient, derive}) all.push_back(operation);
}

void add_messages(std::vector<Operation> &all, const Shared &in)
{
    const auto c = std::make_shared<Context>(context());
    Operation seal{in->name + " seal", {in->ct.size()}, [=](Outputs &out) {
                       return latkem_hpke_seal(c->data(), out[0].data(), aad, sizeof aad, in->text.data(),
                                               in->text.size());
                   }};
    seal.begin = [=] { *c = in->sender; };
    Operation open{in->name + " open", {in->text.size()}, [=](Outputs &out) {
                       return latkem_hpke_open(c->data(), out[0].data(), aad, sizeof aad, in->ct.data(), in->ct.size());
                   }};
    open.begin = [=] { *c = in->recipient; };
    open.refusal = LATKEM_ERR_AUTH;
    Operation exports{in->name + " export", {100}, [=](Outputs &out) {
                          return latkem_hpke_export(c->data(), out[0].data(), out[0].size(), info, sizeof info);
                      }};
    exports.begin = seal.begin;
    for (const Operation &operation : {seal, open, exports}) all.push_back(operation);
}

} // namespace

void add_hpke(std::vector<Operation> &all)
{
    const std::shared_ptr<const Inputs> suites[] = {
        std::make_shared<const Inputs>(latkem_kem_find("ML-KEM-768"), LATKEM_HPKE_HKDF_SHA256, LATKEM_HPKE_AES_128_GCM),
        std::make_shared<const Inputs>(latkem_hybrid_find("X-Wing"), LATKEM_HPKE_SHAKE256,
                                       LATKEM_HPKE_CHACHA20_POLY1305),
        std::make_shared<const Inputs>(latkem_hybrid_find("MLKEM1024-P384"), LATKEM_HPKE_HKDF_SHA384,
                                       LATKEM_HPKE_AES_256_GCM),
    };
    for (const auto &in : suites) {
        const size_t before = all.size();
        add_setups(all, in);
        add_messages(all, in);
        for (size_t i = before; i < all.size(); i++)
            all[i].secrets = {{"sk", in->sk}, {"coins", in->coins}, {"ikm", in->ikm}, {"the text", in->text}};
    }
}
