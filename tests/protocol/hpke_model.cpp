// See hpke_model.h. SPDX-License-Identifier: Apache-2.0
#include "hpke_model.h"

#include "harness/model/crypto.h"

namespace
{

Bytes text(const std::string &string)
{
    return Bytes(string.begin(), string.end());
}

Bytes i2(size_t x)
{
    return {static_cast<uint8_t>(x >> 8), static_cast<uint8_t>(x)};
}

bool one_stage(unsigned kdf)
{
    return kdf >= 0x0010;
}

Bytes hash(unsigned kdf, const Bytes &message)
{
    return kdf == 1 ? sha256(message) : kdf == 2 ? sha384(message) : sha512(message);
}

Bytes xof(unsigned kdf, const Bytes &message, size_t length)
{
    const bool is_turbo = kdf >= 0x0012;
    Sponge stream(kdf % 2 == 0 ? 168 : 136, 0x1f, is_turbo ? 12 : 24);
    stream.absorb(message);
    return stream.squeeze(length);
}

// RFC 2104, for keys that are not longer than a block.
Bytes hmac(unsigned kdf, Bytes key, const Bytes &message)
{
    key.resize(kdf == 1 ? 64 : 128);
    Bytes inner = key, outer = key;
    for (uint8_t &b : inner) b ^= 0x36;
    for (uint8_t &b : outer) b ^= 0x5c;
    return hash(kdf, outer + hash(kdf, inner + message));
}

Bytes suite_id(const HpkeSuite &suite)
{
    return text("HPKE") + i2(suite.kem) + i2(suite.kdf) + i2(suite.aead);
}

Bytes extract(const HpkeSuite &suite, const Bytes &salt, const std::string &label, const Bytes &ikm)
{
    return hmac(suite.kdf, salt, text("HPKE-v1") + suite_id(suite) + text(label) + ikm);
}

Bytes expand(const HpkeSuite &suite, const Bytes &prk, const std::string &label, const Bytes &info, size_t length)
{
    const Bytes all = i2(length) + text("HPKE-v1") + suite_id(suite) + text(label) + info;
    Bytes out, block;
    for (uint8_t i = 1; out.size() < length; i++) out = out + (block = hmac(suite.kdf, prk, block + all + Bytes{i}));
    return slice(out, 0, length);
}

Bytes derive(unsigned kdf, const Bytes &suite, const Bytes &ikm, const std::string &label, const Bytes &context,
             size_t length)
{
    return xof(kdf, ikm + text("HPKE-v1") + suite + i2(label.size()) + text(label) + i2(length) + context, length);
}

size_t hash_bytes(unsigned kdf)
{
    return one_stage(kdf) ? (kdf % 2 == 0 ? 32 : 64) : hash(kdf, {}).size();
}

} // namespace

HpkeModel::HpkeModel(const HpkeSuite &suite, const Bytes &shared_secret, const Bytes &info) : suite_(suite)
{
    const size_t nk = suite.aead == 0xFFFF ? 0 : suite.aead == 1 ? 16 : 32, nn = suite.aead == 0xFFFF ? 0 : 12;
    const size_t nh = hash_bytes(suite.kdf);
    if (one_stage(suite.kdf)) {
        const Bytes secrets = i2(0) + i2(shared_secret.size()) + shared_secret;
        const Bytes all = derive(suite.kdf, suite_id(suite), secrets, "secret",
                                 Bytes{0} + i2(0) + i2(info.size()) + info, nk + nn + nh);
        key = slice(all, 0, nk);
        base_nonce = slice(all, nk, nn);
        exporter_secret = slice(all, nk + nn, nh);
        return;
    }
    const Bytes context = Bytes{0} + extract(suite, {}, "psk_id_hash", {}) + extract(suite, {}, "info_hash", info);
    const Bytes secret = extract(suite, shared_secret, "secret", {});
    key = expand(suite, secret, "key", context, nk);
    base_nonce = expand(suite, secret, "base_nonce", context, nn);
    exporter_secret = expand(suite, secret, "exp", context, nh);
}

Bytes HpkeModel::exported(const Bytes &context, size_t length) const
{
    return one_stage(suite_.kdf) ? derive(suite_.kdf, suite_id(suite_), exporter_secret, "sec", context, length)
                                 : expand(suite_, exporter_secret, "sec", context, length);
}

Bytes HpkeModel::nonce(uint64_t sequence) const
{
    Bytes nonce = base_nonce;
    for (size_t i = 0; i < 8; i++) nonce[nonce.size() - 1 - i] ^= static_cast<uint8_t>(sequence >> 8 * i);
    return nonce;
}

Bytes hpke_model_private_key(unsigned kem, const Bytes &ikm, size_t length)
{
    return derive(0x0011, text("KEM") + i2(kem), ikm, "DeriveKeyPair", {}, length);
}
