// HPKE for its tests: the KEMs that it has, contexts, and both ends of an exchange.
// SPDX-License-Identifier: Apache-2.0
#ifndef LATKEM_TESTS_HPKE_PAIR_H
#define LATKEM_TESTS_HPKE_PAIR_H

#include <gtest/gtest.h>
#include <latkem/derand.h>
#include <latkem/hpke.h>
#include <latkem/hybrid.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "harness/model/hex.h"

extern "C" {
#include "hpke/context.h"
}

namespace hpke
{

constexpr unsigned all_kdfs[] = {1, 2, 3, 0x10, 0x11, 0x12, 0x13}, all_aeads[] = {1, 2, 3, 0xFFFF};

// Every set that has a number in HPKE.
inline const std::vector<const latkem_kem *> &all_kems()
{
    static const std::vector<const latkem_kem *> list = [] {
        std::vector<const latkem_kem *> kems;
        for (size_t i = 0; latkem_kem_at(i) != nullptr; i++) kems.push_back(latkem_kem_at(i));
        for (size_t i = 0; latkem_hybrid_at(i) != nullptr; i++) kems.push_back(latkem_hybrid_at(i));
        kems.erase(std::remove_if(kems.begin(), kems.end(), [](auto kem) { return latkem_hpke_kem_id(kem) == 0; }),
                   kems.end());
        return kems;
    }();
    return list;
}

inline const latkem_kem *kem_of(unsigned id)
{
    const auto found = std::find_if(all_kems().begin(), all_kems().end(),
                                    [id](auto kem) { return latkem_hpke_kem_id(kem) == id; });
    return found == all_kems().end() ? nullptr : *found;
}

inline Bytes bytes_of(const std::string &text)
{
    return Bytes(text.begin(), text.end());
}

inline bool zero(const Bytes &bytes)
{
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}

// A context's storage, wiped at the end.
class Context
{
  public:
    Context() : cells_(latkem_hpke_bytes() / sizeof(std::max_align_t) + 1)
    {
        std::memset(get(), 0xa5, latkem_hpke_bytes());
    }
    ~Context()
    {
        latkem_hpke_end(get());
    }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

    void *get()
    {
        return cells_.data();
    }
    lkp_hpke_context &inside()
    {
        return *static_cast<lkp_hpke_context *>(get());
    }
    Bytes content()
    {
        const auto *begin = static_cast<const uint8_t *>(get());
        return Bytes(begin, begin + latkem_hpke_bytes());
    }
    int seal(Bytes &ct, const Bytes &aad, const Bytes &pt)
    {
        ct.assign(pt.size() + LATKEM_HPKE_TAG_BYTES, 0xaa);
        return latkem_hpke_seal(get(), ct.data(), aad.data(), aad.size(), pt.data(), pt.size());
    }
    int open(Bytes &pt, const Bytes &aad, const Bytes &ct)
    {
        pt.assign(ct.size() - std::min<size_t>(ct.size(), LATKEM_HPKE_TAG_BYTES), 0xaa);
        return latkem_hpke_open(get(), pt.data(), aad.data(), aad.size(), ct.data(), ct.size());
    }
    int exported(Bytes &out, const Bytes &context, size_t length)
    {
        out.assign(length, 0xaa);
        return latkem_hpke_export(get(), out.data(), length, context.data(), context.size());
    }

  private:
    std::vector<std::max_align_t> cells_;
};

// A key pair, made from key material that says who it is.
struct KeyPair {
    explicit KeyPair(const latkem_kem *set)
        : kem(set), ek(latkem_ek_bytes(kem)), sk(latkem_seed_bytes(kem)), enc(latkem_ct_bytes(kem))
    {
        const Bytes ikm(64, 0x17);
        EXPECT_EQ(latkem_hpke_derive_keypair(kem, ek.data(), sk.data(), ikm.data(), ikm.size()), 0);
    }
    int sender(Context &context, unsigned kdf, unsigned aead, const Bytes &info)
    {
        return latkem_hpke_sender(context.get(), enc.data(), kem, kdf, aead, ek.data(), ek.size(), info.data(),
                                  info.size());
    }
    int recipient(Context &context, unsigned kdf, unsigned aead, const Bytes &info) const
    {
        return latkem_hpke_recipient(context.get(), kem, kdf, aead, enc.data(), enc.size(), sk.data(), sk.size(),
                                     info.data(), info.size());
    }

    const latkem_kem *kem;
    Bytes ek, sk, enc;
};

// Both ends of one exchange.
struct Pair {
    Pair(const latkem_kem *kem, unsigned kdf, unsigned aead, const Bytes &info = bytes_of("info")) : keys(kem)
    {
        EXPECT_EQ(keys.sender(sender, kdf, aead, info), 0) << latkem_kem_name(kem);
        EXPECT_EQ(keys.recipient(recipient, kdf, aead, info), 0) << latkem_kem_name(kem);
    }
    KeyPair keys;
    Context sender, recipient;
};

} // namespace hpke

#endif
