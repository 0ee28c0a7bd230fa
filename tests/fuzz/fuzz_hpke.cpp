// HPKE with an enc, a ciphertext and keys of any bytes: only what was sealed opens, a refused message changes nothing, and
// what is refused leaves zeros. SPDX-License-Identifier: Apache-2.0
#include <latkem/hpke.h>
#include <latkem/hybrid.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "fuzz.h"

namespace
{

// Beside those of fuzz.h: ek and sk are bytes of the input.
enum : uint8_t { mode_raw_ek = 16, mode_raw_sk = 32 };

const unsigned kdfs[] = {1, 2, 3, 0x10, 0x11, 0x12, 0x13}, aeads[] = {1, 2, 3, 0xFFFF};
const Bytes info(20, 0x11), aad(9, 0x22), pt(40, 0x5a);

struct Context {
    alignas(std::max_align_t) uint8_t bytes[512];

    Context()
    {
        must(latkem_hpke_bytes() <= sizeof bytes, "size of a context");
    }
    bool is_ended() const
    {
        return is_zero(Bytes(bytes, bytes + latkem_hpke_bytes()));
    }
};

// An exchange that is right, the same in every run.
struct Exchange {
    const latkem_kem *kem;
    unsigned kdf, aead;
    Bytes ek, sk, enc, ct;
};

std::vector<const latkem_kem *> all_kems()
{
    std::vector<const latkem_kem *> kems;
    const auto add = [&](const latkem_kem *kem) {
        if (latkem_hpke_kem_id(kem) != 0) kems.push_back(kem);
    };
    for (size_t i = 0; latkem_kem_at(i) != nullptr; i++) add(latkem_kem_at(i));
    for (size_t i = 0; latkem_hybrid_at(i) != nullptr; i++) add(latkem_hybrid_at(i));
    return kems;
}

Exchange make_exchange(const latkem_kem *kem, unsigned kdf, unsigned aead)
{
    Exchange x = {kem,
                  kdf,
                  aead,
                  Bytes(latkem_ek_bytes(kem)),
                  Bytes(latkem_seed_bytes(kem)),
                  Bytes(latkem_ct_bytes(kem)),
                  Bytes(pt.size() + LATKEM_HPKE_TAG_BYTES)};
    Context sender;
    const Bytes coins(latkem_coins_bytes(kem), 0x33);
    must(latkem_hpke_derive_keypair(kem, x.ek.data(), x.sk.data(), info.data(), info.size()) == 0, "no key pair");
    must(latkem_hpke_sender_derand(sender.bytes, x.enc.data(), kem, kdf, aead, x.ek.data(), x.ek.size(), info.data(),
                                   info.size(), coins.data(), coins.size()) == 0,
         "no sender");
    const int error = latkem_hpke_seal(sender.bytes, x.ct.data(), aad.data(), aad.size(), pt.data(), pt.size());
    must(error == (aead == LATKEM_HPKE_EXPORT_ONLY ? LATKEM_ERR_STATE : 0), "no message");
    return x;
}

const Exchange &choose_exchange(Input &input)
{
    static const std::vector<const latkem_kem *> kems = all_kems();
    static std::map<std::tuple<const latkem_kem *, unsigned, unsigned>, Exchange> all;
    const latkem_kem *kem = kems[input.byte() % kems.size()];
    const uint8_t suite = input.byte();
    const unsigned kdf = kdfs[suite % 7], aead = aeads[suite / 7 % 4];
    const auto key = std::make_tuple(kem, kdf, aead);
    if (all.count(key) == 0) all.emplace(key, make_exchange(kem, kdf, aead));
    return all.at(key);
}

int open(Context &recipient, const Bytes &ad, const Bytes &ct)
{
    Bytes out(ct.size() < LATKEM_HPKE_TAG_BYTES ? 0 : ct.size() - LATKEM_HPKE_TAG_BYTES, 0xaa);
    const int error = latkem_hpke_open(recipient.bytes, out.data(), ad.data(), ad.size(), ct.data(), ct.size());
    must(error == 0 ? out == pt : is_zero(out), "plaintext");
    return error;
}

int expected_open(const Exchange &x, bool same, const Bytes &ct)
{
    if (x.aead == LATKEM_HPKE_EXPORT_ONLY) return LATKEM_ERR_STATE;
    if (ct.size() < LATKEM_HPKE_TAG_BYTES) return LATKEM_ERR_LENGTH;
    return same ? 0 : LATKEM_ERR_AUTH;
}

// Of ML-KEM's sk, d || z, only d counts here: z is for what nobody encapsulated. The others' sk is a seed of 32 bytes.
bool same_key(const Exchange &x, const Bytes &sk)
{
    return sk.size() == x.sk.size() && std::equal(sk.begin(), sk.begin() + 32, x.sk.begin());
}

void check_recipient(const Exchange &x, const Bytes &enc, const Bytes &sk, const Bytes &ad, const Bytes &ct)
{
    Context recipient;
    const int error = latkem_hpke_recipient(recipient.bytes, x.kem, x.kdf, x.aead, enc.data(), enc.size(), sk.data(),
                                            sk.size(), info.data(), info.size());
    const bool lengths = enc.size() == x.enc.size() && sk.size() == x.sk.size(), same = enc == x.enc && same_key(x, sk);
    must((error == LATKEM_ERR_LENGTH) == !lengths, "length");
    must(error == 0 || recipient.is_ended(), "context that failed");
    must(error == 0 || error == LATKEM_ERR_LENGTH || (error == LATKEM_ERR_CT && enc != x.enc), "error of a recipient");
    if (error != 0) {
        must(open(recipient, ad, ct) == LATKEM_ERR_STATE, "use of no context");
        return;
    }
    must(open(recipient, ad, ct) == expected_open(x, same && ad == aad && ct == x.ct, ct), "message");
    if (ad == aad && ct == x.ct) return;
    must(open(recipient, aad, x.ct) == expected_open(x, same, x.ct), "good message after another");
}

void check_sender(const Exchange &x, const Bytes &ek)
{
    Context sender;
    Bytes enc(x.enc.size(), 0xaa), ct(x.ct.size(), 0xaa);
    const int error = latkem_hpke_sender(sender.bytes, enc.data(), x.kem, x.kdf, x.aead, ek.data(), ek.size(),
                                         info.data(), info.size());
    must((error == LATKEM_ERR_LENGTH) == (ek.size() != x.ek.size()), "length of ek");
    must(error == 0 || error == LATKEM_ERR_LENGTH || (error == LATKEM_ERR_EK && ek != x.ek), "error of a sender");
    must(is_zero(enc) == (error != 0) && sender.is_ended() == (error != 0), "output of a sender");
    const int sealed = latkem_hpke_seal(sender.bytes, ct.data(), aad.data(), aad.size(), pt.data(), pt.size());
    must((sealed == 0) == (error == 0 && x.aead != LATKEM_HPKE_EXPORT_ONLY), "seal");
    must(is_zero(ct) == (sealed != 0), "output of seal");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input(data, size);
    const Exchange &x = choose_exchange(input);
    const uint8_t mode = input.byte();
    Bytes enc = choose_object(input, x.enc, mode & mode_raw_ct, mode);
    Bytes ek = choose_object(input, x.ek, mode & mode_raw_ek, mode), sk = x.sk, ad = aad;
    if (mode & mode_raw_sk) sk = choose_object(input, x.sk, true, mode);
    Bytes ct = choose_object(input, x.ct, mode & mode_raw_key, mode);
    sk.reserve(1); // or an empty one would be NULL
    patch(input, ct, 1);
    patch(input, ad, 1);
    patch(input, enc, 2);
    patch(input, ek, 2);
    check_recipient(x, enc, sk, ad, ct);
    check_sender(x, ek);
    return 0;
}
