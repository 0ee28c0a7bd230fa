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

// A suite with what its operations need. ek and enc are the peer's, of number 1; the contexts have one exchange of their own.
struct Inputs {
    const latkem_kem *kem;
    unsigned kdf, aead;
    std::string name;
    Bytes sk, coins, ikm, ek, enc, text, ct;
    Context sender = context(), recipient = context();
    std::vector<Bytes> shares;

    Inputs(const latkem_kem *of, unsigned with_kdf, unsigned with_aead, int number)
        : kem(of), kdf(with_kdf), aead(with_aead), name("HPKE " + std::string(latkem_kem_name(of))),
          sk(secret("sk", latkem_seed_bytes(of), number)), coins(secret("coins", latkem_coins_bytes(of), number)),
          ikm(secret("ikm", 64, number)), ek(public_key(secret("sk", sk.size(), 1))), enc(latkem_ct_bytes(of)),
          text(secret("text", 64, number)), ct(text.size() + LATKEM_HPKE_TAG_BYTES)
    {
        Bytes own_enc(enc.size()), derived_ek(ek.size()), derived_sk(sk.size());
        const Bytes own_ek = public_key(sk);
        int error = send(sender, enc, ek, secret("coins", coins.size(), 1));
        if (!error) error = send(sender, own_enc, own_ek, coins);
        if (!error) error = receive(recipient, own_enc);
        Context copy = sender;
        if (!error) error = latkem_hpke_seal(copy.data(), ct.data(), aad, sizeof aad, text.data(), text.size());
        if (!error)
            error = latkem_hpke_derive_keypair(kem, derived_ek.data(), derived_sk.data(), ikm.data(), ikm.size());
        EXPECT_EQ(error, 0) << name;
        for (const Bytes &object : {own_ek, own_enc, derived_ek}) shares.push_back(share_in(kem, object));
    }

    Bytes public_key(const Bytes &of) const
    {
        Bytes key(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
        EXPECT_EQ(latkem_keypair_derand(kem, key.data(), dk.data(), of.data(), of.size()), 0) << name;
        return key;
    }

    int send(Context &c, Bytes &out, const Bytes &to, const Bytes &with) const
    {
        return latkem_hpke_sender_derand(c.data(), out.data(), kem, kdf, aead, to.data(), to.size(), info, sizeof info,
                                         with.data(), with.size());
    }

    int receive(Context &c, const Bytes &from) const
    {
        return latkem_hpke_recipient(c.data(), kem, kdf, aead, from.data(), from.size(), sk.data(), sk.size(), info,
                                     sizeof info);
    }
};

using Shared = std::shared_ptr<const Inputs>;

// The fault in a context that could not be made.
std::string not_ended(const Context &c)
{
    uint8_t out[16];
    const bool ended = latkem_hpke_export(c.data(), out, sizeof out, info, sizeof info) == LATKEM_ERR_STATE;
    return ended ? "" : "the context has not ended";
}

void add_setups(std::vector<Operation> &all, const Shared &in)
{
    const auto c = std::make_shared<Context>(context());
    Operation sender{
        in->name + " sender", {in->enc.size()}, [=](Outputs &out) { return in->send(*c, out[0], in->ek, in->coins); }};
    sender.refusal = LATKEM_ERR_EK;
    sender.fault = [=] { return not_ended(*c); };
    Operation recipient{in->name + " recipient", {}, [=](Outputs &) { return in->receive(*c, in->enc); }};
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

void add_hpke(std::vector<Operation> &all, int number)
{
    const std::shared_ptr<const Inputs> suites[] = {
        std::make_shared<const Inputs>(latkem_kem_find("ML-KEM-768"), LATKEM_HPKE_HKDF_SHA256, LATKEM_HPKE_AES_128_GCM,
                                       number),
        std::make_shared<const Inputs>(latkem_hybrid_find("X-Wing"), LATKEM_HPKE_SHAKE256,
                                       LATKEM_HPKE_CHACHA20_POLY1305, number),
        std::make_shared<const Inputs>(latkem_hybrid_find("MLKEM1024-P384"), LATKEM_HPKE_HKDF_SHA384,
                                       LATKEM_HPKE_AES_256_GCM, number),
    };
    for (const auto &in : suites) {
        const size_t before = all.size();
        add_setups(all, in);
        add_messages(all, in);
        for (size_t i = before; i < all.size(); i++) {
            all[i].secrets = {{"sk", in->sk}, {"coins", in->coins}, {"ikm", in->ikm}, {"the text", in->text}};
            all[i].shares = in->shares;
        }
    }
}
