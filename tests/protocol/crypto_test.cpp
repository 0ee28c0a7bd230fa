// The hashes, HMAC, HKDF and AEADs that the protocols take from libcrypto, on published vectors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/latkem.h>

#include "harness/model/crypto.h"
#include "harness/model/hex.h"

extern "C" {
#include "crypto/crypto.h"
}

namespace
{

lkp_piece piece(const Bytes &bytes)
{
    return {bytes.data(), bytes.size()};
}

// FIPS 180-4 and FIPS 202: "abc", in two pieces.
TEST(Crypto, Hashes)
{
    const lkp_piece abc[] = {{"ab", 2}, {"c", 1}};
    const std::pair<const lkp_digest *, const char *> answers[] = {
        {&lkp_sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {&lkp_sha3_256, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
    };
    for (const auto &[digest, hash] : answers) {
        Bytes out(digest->bytes);
        ASSERT_EQ(lkp_hash(nullptr, digest, out.data(), abc, 2), 0) << digest->name;
        EXPECT_EQ(to_hex(out), hash) << digest->name;
    }
    Bytes out(4);
    ASSERT_EQ(lkp_xof(nullptr, &lkp_shake256, out.data(), out.size(), abc, 2), 0);
    EXPECT_EQ(to_hex(out), "48336660");
}

// RFC 9861 section 5: the empty message, and one of 17^3 bytes in pieces.
TEST(Crypto, TurboShake)
{
    Bytes out(32), pattern(17 * 17 * 17), more(64);
    ASSERT_EQ(lkp_xof(nullptr, &lkp_turboshake128, out.data(), out.size(), nullptr, 0), 0);
    EXPECT_EQ(to_hex(out), "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c");
    for (size_t i = 0; i < pattern.size(); i++) pattern[i] = static_cast<uint8_t>(i % 251);
    for (const auto &[digest, rate] : {std::pair(&lkp_turboshake128, 168), {&lkp_turboshake256, 136}})
        for (size_t size : {0, 1, 135, 136, 137, 167, 168, 169, 17 * 17 * 17})
            for (size_t first : {size_t{0}, size / 3, size}) {
                const lkp_piece pieces[] = {{pattern.data(), first}, {pattern.data() + first, size - first}};
                Sponge model(static_cast<size_t>(rate), 0x1f, 12);
                model.absorb(pattern.data(), size);
                more.resize(first % 2 == 0 ? 64 : 400);
                ASSERT_EQ(lkp_xof(nullptr, digest, more.data(), more.size(), pieces, 2), 0);
                EXPECT_EQ(more, model.squeeze(more.size())) << rate << " " << size << " " << first;
            }
}

// RFC 4231 test case 2; RFC 5869 test case 1, the info in two pieces.
TEST(Crypto, HmacAndHkdf)
{
    const lkp_piece what = {"what do ya want for nothing?", 28};
    Bytes tag(32);
    ASSERT_EQ(lkp_hmac(&lkp_sha256, tag.data(), reinterpret_cast<const uint8_t *>("Jefe"), 4, &what, 1), 0);
    EXPECT_EQ(to_hex(tag), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");

    const Bytes ikm(22, 0x0b), salt = from_hex("000102030405060708090a0b0c"), info = from_hex("f0f1f2f3f4f5f6f7f8f9");
    Bytes prk(32), okm(42);
    const lkp_piece key = piece(ikm), infos[] = {{info.data(), 3}, {info.data() + 3, 7}};
    ASSERT_EQ(lkp_hmac(&lkp_sha256, prk.data(), salt.data(), salt.size(), &key, 1), 0);
    ASSERT_EQ(lkp_hkdf_expand(&lkp_sha256, okm.data(), okm.size(), prk.data(), infos, 2), 0);
    EXPECT_EQ(to_hex(okm), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
}

// RFC 8439 section 2.8.2, and that every changed byte is noticed.
TEST(Crypto, Aead)
{
    const Bytes key = from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f");
    const Bytes nonce = from_hex("070000004041424344454647"), ad = from_hex("50515253c0c1c2c3c4c5c6c7");
    const std::string text =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
        "sunscreen would be it.";
    const auto *pt = reinterpret_cast<const uint8_t *>(text.data());
    Bytes ct(text.size() + LKP_TAG_BYTES), out(text.size());
    ASSERT_EQ(lkp_aead_seal(&lkp_chacha20_poly1305, ct.data(), key.data(), nonce.data(), piece(ad), pt, text.size()),
              0);
    EXPECT_EQ(to_hex(ct).substr(0, 32), "d31a8d34648e60db7b86afbc53ef7ec2");
    EXPECT_EQ(to_hex(ct).substr(2 * text.size()), "1ae10b594f09e26a7e902ecbd0600691");
    for (size_t i = 0; i <= ct.size(); i++) { // the last round changes nothing
        if (i < ct.size()) ct[i] ^= 1;
        const int error = lkp_aead_open(&lkp_chacha20_poly1305, out.data(), key.data(), nonce.data(), piece(ad),
                                        ct.data(), text.size());
        EXPECT_EQ(error, i < ct.size() ? LATKEM_ERR_AUTH : 0) << i;
        EXPECT_EQ(out, i < ct.size() ? Bytes(out.size()) : Bytes(pt, pt + text.size())) << i;
        if (i < ct.size()) ct[i] ^= 1;
    }
}

} // namespace
