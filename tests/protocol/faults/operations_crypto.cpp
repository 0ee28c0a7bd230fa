// The hashes, HMAC, HKDF and AEADs of protocol/crypto as operations. SPDX-License-Identifier: Apache-2.0
#include <latkem/latkem.h>

#include "kem_test.h"
#include "operations.h"

extern "C" {
#include "crypto/crypto.h"
}

namespace
{

struct Inputs {
    Bytes key, text;
};

using Shared = std::shared_ptr<const Inputs>;

const uint8_t nonce[LKP_NONCE_BYTES] = {1, 2, 3};
const lkp_piece ad = {"ad", 2};

lkp_piece piece(const Bytes &bytes)
{
    return {bytes.data(), bytes.size()};
}

void add_hash(std::vector<Operation> &all, const lkp_digest &digest, const Shared &in)
{
    Operation hash{"lkp_hash " + std::string(digest.name), {digest.bytes}, [&digest, in](Outputs &out) {
                       const lkp_piece pieces[] = {piece(in->key), piece(in->text)};
                       return lkp_hash(nullptr, &digest, out[0].data(), pieces, 2);
                   }};
    hash.secrets = {{"the input", in->key}};
    all.push_back(hash);
}

void add_xof(std::vector<Operation> &all, const lkp_digest &digest, const Shared &in)
{
    Operation xof{"lkp_xof " + std::string(digest.name), {300}, [&digest, in](Outputs &out) {
                      const lkp_piece pieces[] = {piece(in->key), piece(in->text)};
                      return lkp_xof(nullptr, &digest, out[0].data(), out[0].size(), pieces, 2);
                  }};
    xof.secrets = {{"the input", in->key}};
    all.push_back(xof);
}

void add_hmac(std::vector<Operation> &all, const lkp_digest &digest, const Shared &in)
{
    Operation hmac{"lkp_hmac " + std::string(digest.name), {digest.bytes}, [&digest, in](Outputs &out) {
                       const lkp_piece pieces[] = {piece(in->text), ad};
                       return lkp_hmac(&digest, out[0].data(), in->key.data(), in->key.size(), pieces, 2);
                   }};
    hmac.secrets = {{"the key", in->key}};
    all.push_back(hmac);
    const Bytes prk = slice(in->key + in->text, 0, digest.bytes);
    Operation expand{"lkp_hkdf_expand " + std::string(digest.name), {150}, [&digest, prk](Outputs &out) {
                         return lkp_hkdf_expand(&digest, out[0].data(), out[0].size(), prk.data(), &ad, 1);
                     }};
    expand.secrets = {{"prk", prk}};
    all.push_back(expand);
}

Bytes sealed(const lkp_aead &aead, const Inputs &in)
{
    Bytes ct(in.text.size() + LKP_TAG_BYTES);
    EXPECT_EQ(lkp_aead_seal(&aead, ct.data(), in.key.data(), nonce, ad, in.text.data(), in.text.size()), 0);
    return ct;
}

void add_aead(std::vector<Operation> &all, const lkp_aead &aead, const Shared &in)
{
    Operation seal{
        "lkp_aead_seal " + std::string(aead.name), {in->text.size() + LKP_TAG_BYTES}, [&aead, in](Outputs &out) {
            return lkp_aead_seal(&aead, out[0].data(), in->key.data(), nonce, ad, in->text.data(), in->text.size());
        }};
    const Bytes secret_key = slice(in->key, 0, aead.key_bytes);
    seal.secrets = {{"the key", secret_key}, {"the text", in->text}};
    all.push_back(seal);
    Bytes ct = sealed(aead, *in);
    for (const char *what : {"", " altered"}) {
        Operation open{
            "lkp_aead_open " + std::string(aead.name) + what, {in->text.size()}, [&aead, in, ct](Outputs &out) {
                return lkp_aead_open(&aead, out[0].data(), in->key.data(), nonce, ad, ct.data(), in->text.size());
            }};
        open.refusal = LATKEM_ERR_AUTH;
        open.result = *what ? open.refusal : 0;
        open.secrets = {{"the key", secret_key}, {"the text", in->text}};
        all.push_back(open);
        ct.back() ^= 1;
    }
}

} // namespace

// Each ends as the calls of the public API do that use it: what libcrypto leaves on the stack depends on the CPU.
void add_crypto(std::vector<Operation> &all, int number)
{
    const auto in = std::make_shared<const Inputs>(Inputs{secret("key", 32, number), secret("text", 100, number)});
    const size_t before = all.size();
    for (const lkp_digest *digest : {&lkp_sha256, &lkp_sha384, &lkp_sha512, &lkp_sha3_256}) add_hash(all, *digest, in);
    for (const lkp_digest *digest : {&lkp_shake128, &lkp_shake256}) add_xof(all, *digest, in);
    for (const lkp_digest *digest : {&lkp_sha256, &lkp_sha512}) add_hmac(all, *digest, in);
    for (const lkp_aead *aead : {&lkp_aes_128_gcm, &lkp_aes_256_gcm, &lkp_chacha20_poly1305}) add_aead(all, *aead, in);
    for (size_t i = before; i < all.size(); i++)
        all[i].call = [call = all[i].call](Outputs &out) {
            const int error = call(out);
            lkp_wipe_below();
            return error;
        };
}
