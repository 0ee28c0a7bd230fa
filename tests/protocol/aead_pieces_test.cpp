// The AEADs on texts of several pieces, which have 20 bytes here (CMakeLists.txt) and 2^30 in the library. libcrypto's result
// on the whole text decides. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/latkem.h>
#include <openssl/evp.h>

#include "kem_test.h"

extern "C" {
#include "crypto/crypto.h"
}

namespace
{

constexpr size_t piece = 20;

// A text and what it is sealed with.
struct Message {
    const lkp_aead *aead;
    Bytes key, nonce, ad, text;

    lkp_piece associated() const
    {
        return {ad.data(), ad.size()};
    }
    int seal(Bytes &ct) const
    {
        return lkp_aead_seal(aead, ct.data(), key.data(), nonce.data(), associated(), text.data(), text.size());
    }
    int open(Bytes &pt, const Bytes &ct) const
    {
        return lkp_aead_open(aead, pt.data(), key.data(), nonce.data(), associated(), ct.data(), pt.size());
    }
};

// The ciphertext and the tag, from one call for each of the two texts.
Bytes sealed_at_once(const Message &m)
{
    Bytes ct(m.text.size() + LKP_TAG_BYTES);
    int written = 0;
    const EVP_CIPHER *cipher = EVP_get_cipherbyname(m.aead->name);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int ok = EVP_EncryptInit_ex(context, cipher, nullptr, m.key.data(), m.nonce.data());
    if (!m.ad.empty()) ok &= EVP_EncryptUpdate(context, nullptr, &written, m.ad.data(), static_cast<int>(m.ad.size()));
    if (!m.text.empty())
        ok &= EVP_EncryptUpdate(context, ct.data(), &written, m.text.data(), static_cast<int>(m.text.size()));
    ok &= EVP_EncryptFinal_ex(context, ct.data() + m.text.size(), &written);
    ok &= EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, LKP_TAG_BYTES, ct.data() + m.text.size());
    EXPECT_EQ(ok, 1) << m.aead->name;
    EVP_CIPHER_CTX_free(context);
    return ct;
}

class AeadPieces : public testing::TestWithParam<const lkp_aead *>
{
  protected:
    // Texts and associated data of no piece, of one, and of up to five, a byte more and a byte less.
    std::vector<Message> messages() const
    {
        Stream stream("AEADs in pieces");
        std::vector<size_t> lengths = {0, 1};
        for (size_t n = 1; n <= 5; n++) lengths.insert(lengths.end(), {n * piece - 1, n * piece, n * piece + 1});
        std::vector<Message> all;
        for (size_t text : lengths)
            for (size_t ad : lengths)
                all.push_back({GetParam(), stream.bytes(GetParam()->key_bytes), stream.bytes(LKP_NONCE_BYTES),
                               stream.bytes(ad), stream.bytes(text)});
        return all;
    }
};

TEST_P(AeadPieces, AreTheWholeText)
{
    for (const Message &m : messages()) {
        SCOPED_TRACE(std::to_string(m.text.size()) + " bytes, " + std::to_string(m.ad.size()) + " associated");
        const Bytes right = sealed_at_once(m);
        Bytes ct(right.size(), 0xee), pt(m.text.size(), 0xee);
        EXPECT_EQ(m.seal(ct), 0);
        EXPECT_EQ(to_hex(ct), to_hex(right));
        EXPECT_EQ(m.open(pt, right), 0);
        EXPECT_EQ(to_hex(pt), to_hex(m.text));
    }
}

// Of the text, the tag and what is associated; what earlier pieces gave is zeroed.
TEST_P(AeadPieces, EachAlteredByteIsNoticed)
{
    Stream stream("altered pieces");
    Message m{GetParam(), stream.bytes(GetParam()->key_bytes), stream.bytes(LKP_NONCE_BYTES),
              stream.bytes(2 * piece + 3), stream.bytes(3 * piece + 1)};
    Bytes ct = sealed_at_once(m);
    const auto expect_refused = [&](const char *what, size_t at) {
        Bytes pt(m.text.size(), 0xee);
        EXPECT_EQ(m.open(pt, ct), LATKEM_ERR_AUTH) << what << " at " << at;
        EXPECT_TRUE(all_zero(pt)) << what << " at " << at;
    };
    for (size_t i = 0; i < ct.size(); i++) {
        ct[i] ^= 1;
        expect_refused("ciphertext", i);
        ct[i] ^= 1;
    }
    for (size_t i = 0; i < m.ad.size(); i++) {
        m.ad[i] ^= 1;
        expect_refused("associated data", i);
        m.ad[i] ^= 1;
    }
}

std::string name_of(const testing::TestParamInfo<const lkp_aead *> &info)
{
    std::string name = info.param->name;
    for (char &c : name)
        if (c == '-') c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Every, AeadPieces, testing::Values(&lkp_aes_128_gcm, &lkp_aes_256_gcm, &lkp_chacha20_poly1305),
                         name_of);

} // namespace
