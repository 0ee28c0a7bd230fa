/* latkem's end of the interoperation: a line of words on stdin is a call, a line on stdout its results. Bytes are in hex,
 * "-" where there are none; a result "error NUMBER" replaces all others. SPDX-License-Identifier: Apache-2.0 */
#include <latkem/derand.h>
#include <latkem/hpke.h>
#include <latkem/hybrid.h>
#include <latkem/keyfile.h>
#include <latkem/noise.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using Bytes = std::vector<uint8_t>;
using Results = std::vector<std::string>;

struct Failure {
    int error;
};

void accepted(int error)
{
    if (error) throw Failure{error};
}

std::string hex(const Bytes &bytes)
{
    std::string text;
    char digits[3];
    for (const uint8_t byte : bytes) {
        snprintf(digits, sizeof digits, "%02x", byte);
        text += digits;
    }
    return text.empty() ? "-" : text;
}

/* The words of a line, one after the other. */
class Words
{
  public:
    explicit Words(const std::string &line) : line_(line)
    {
    }

    std::string text()
    {
        std::string word;
        if (!(line_ >> word)) {
            std::cerr << "a word is missing: " << line_.str() << std::endl;
            exit(2);
        }
        return word;
    }

    unsigned number()
    {
        return static_cast<unsigned>(std::stoul(text()));
    }

    Bytes bytes()
    {
        const std::string word = text();
        Bytes bytes;
        for (size_t i = 0; word != "-" && i + 1 < word.size(); i += 2)
            bytes.push_back(static_cast<uint8_t>(std::stoul(word.substr(i, 2), nullptr, 16)));
        return bytes;
    }

    /* A parameter set by its name. */
    const latkem_kem *kem()
    {
        const std::string name = text();
        const latkem_kem *kem = latkem_kem_find(name.c_str());
        return kem ? kem : latkem_hybrid_find(name.c_str());
    }

  private:
    std::istringstream line_;
};

/* ---- KEMs ---- */

Results keypair(Words &words)
{
    const latkem_kem *kem = words.kem();
    Bytes ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem));
    accepted(latkem_keypair(kem, ek.data(), dk.data()));
    return {hex(ek), hex(dk)};
}

Results encaps(Words &words)
{
    const latkem_kem *kem = words.kem();
    const Bytes ek = words.bytes();
    Bytes ct(latkem_ct_bytes(kem)), ss(latkem_ss_bytes(kem));
    accepted(latkem_encaps(kem, ct.data(), ss.data(), ek.data(), ek.size()));
    return {hex(ct), hex(ss)};
}

Results decaps(Words &words)
{
    const latkem_kem *kem = words.kem();
    const Bytes ct = words.bytes(), dk = words.bytes();
    Bytes ss(latkem_ss_bytes(kem));
    accepted(latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size()));
    return {hex(ss)};
}

/* ---- Key files ---- */

Results public_write(Words &words)
{
    const latkem_kem *kem = words.kem();
    const Bytes ek = words.bytes();
    Bytes der(LATKEM_PUBLIC_KEY_DER_MAX);
    size_t len = der.size();
    accepted(latkem_public_key_write(kem, der.data(), &len, ek.data(), ek.size()));
    der.resize(len);
    return {hex(der)};
}

Results public_read(Words &words)
{
    const Bytes der = words.bytes();
    const latkem_kem *kem;
    Bytes ek(1568);
    size_t len = ek.size();
    accepted(latkem_public_key_read(&kem, ek.data(), &len, der.data(), der.size()));
    ek.resize(len);
    return {latkem_kem_name(kem), hex(ek)};
}

Results private_write(Words &words)
{
    const latkem_kem *kem = words.kem();
    const int form = static_cast<int>(words.number());
    const Bytes key = words.bytes();
    Bytes der(LATKEM_PRIVATE_KEY_DER_MAX);
    size_t len = der.size();
    accepted(latkem_private_key_write(kem, form, der.data(), &len, key.data(), key.size()));
    der.resize(len);
    return {hex(der)};
}

Results private_read(Words &words)
{
    const Bytes der = words.bytes();
    const latkem_kem *kem;
    int form;
    Bytes seed(64), dk(3168);
    size_t seed_len = seed.size(), dk_len = dk.size();
    accepted(latkem_private_key_read(&kem, &form, seed.data(), &seed_len, dk.data(), &dk_len, der.data(), der.size()));
    seed.resize(seed_len);
    dk.resize(dk_len);
    return {latkem_kem_name(kem), std::to_string(form), hex(seed), hex(dk)};
}

/* ---- HPKE ---- */

/* Aligned storage for a context. */
using Storage = std::vector<std::max_align_t>;

Storage storage(size_t bytes)
{
    return Storage(bytes / sizeof(std::max_align_t) + 1);
}

Storage hpke_sender = storage(latkem_hpke_bytes()), hpke_recipient = storage(latkem_hpke_bytes());

Results derive_keypair(Words &words)
{
    const latkem_kem *kem = words.kem();
    const Bytes ikm = words.bytes();
    Bytes ek(latkem_ek_bytes(kem)), sk(latkem_seed_bytes(kem));
    accepted(latkem_hpke_derive_keypair(kem, ek.data(), sk.data(), ikm.data(), ikm.size()));
    return {hex(ek), hex(sk)};
}

Results sender(Words &words)
{
    const latkem_kem *kem = words.kem();
    const unsigned kdf = words.number(), aead = words.number();
    const Bytes ek = words.bytes(), info = words.bytes();
    Bytes enc(latkem_ct_bytes(kem));
    accepted(latkem_hpke_sender(hpke_sender.data(), enc.data(), kem, kdf, aead, ek.data(), ek.size(), info.data(),
                                info.size()));
    return {hex(enc)};
}

Results recipient(Words &words)
{
    const latkem_kem *kem = words.kem();
    const unsigned kdf = words.number(), aead = words.number();
    const Bytes enc = words.bytes(), sk = words.bytes(), info = words.bytes();
    accepted(latkem_hpke_recipient(hpke_recipient.data(), kem, kdf, aead, enc.data(), enc.size(), sk.data(), sk.size(),
                                   info.data(), info.size()));
    return {"-"};
}

Results seal(Words &words)
{
    const Bytes aad = words.bytes(), pt = words.bytes();
    Bytes ct(pt.size() + LATKEM_HPKE_TAG_BYTES);
    accepted(latkem_hpke_seal(hpke_sender.data(), ct.data(), aad.data(), aad.size(), pt.data(), pt.size()));
    return {hex(ct)};
}

Results open(Words &words)
{
    const Bytes aad = words.bytes(), ct = words.bytes();
    Bytes pt(ct.size() - LATKEM_HPKE_TAG_BYTES);
    accepted(latkem_hpke_open(hpke_recipient.data(), pt.data(), aad.data(), aad.size(), ct.data(), ct.size()));
    return {hex(pt)};
}

Results export_secret(Words &words)
{
    const void *context = words.text() == "sender" ? hpke_sender.data() : hpke_recipient.data();
    Bytes out(words.number());
    const Bytes about = words.bytes();
    accepted(latkem_hpke_export(context, out.data(), out.size(), about.data(), about.size()));
    return {hex(out)};
}

/* ---- Noise ---- */

Storage session = storage(latkem_noise_bytes());

Results noise_start(Words &words)
{
    const std::string name = words.text();
    const int role = words.text() == "initiator" ? LATKEM_NOISE_INITIATOR : LATKEM_NOISE_RESPONDER;
    const Bytes prologue = words.bytes(), dk = words.bytes(), ek = words.bytes();
    words.bytes(); /* our own ek, which we have from dk */
    accepted(latkem_noise_start(session.data(), name.c_str(), role, prologue.data(), prologue.size(),
                                dk.empty() ? nullptr : dk.data(), dk.size(), ek.empty() ? nullptr : ek.data(),
                                ek.size()));
    return {"-"};
}

Results noise_write(Words &words)
{
    const Bytes payload = words.bytes();
    Bytes message(LATKEM_NOISE_MESSAGE_MAX);
    size_t len = message.size();
    accepted(latkem_noise_write(session.data(), message.data(), &len, payload.data(), payload.size()));
    message.resize(len);
    return {hex(message)};
}

Results noise_read(Words &words)
{
    const Bytes message = words.bytes();
    Bytes payload(LATKEM_NOISE_MESSAGE_MAX);
    size_t len = payload.size();
    accepted(latkem_noise_read(session.data(), payload.data(), &len, message.data(), message.size()));
    payload.resize(len);
    return {hex(payload)};
}

Results noise_hash(Words &)
{
    Bytes hash(64);
    size_t len = hash.size();
    accepted(latkem_noise_hash(session.data(), hash.data(), &len));
    hash.resize(len);
    return {hex(hash)};
}

const std::map<std::string, std::function<Results(Words &)>> calls = {
    {"keypair", keypair},
    {"encaps", encaps},
    {"decaps", decaps},
    {"public_write", public_write},
    {"public_read", public_read},
    {"private_write", private_write},
    {"private_read", private_read},
    {"derive_keypair", derive_keypair},
    {"sender", sender},
    {"recipient", recipient},
    {"seal", seal},
    {"open", open},
    {"export", export_secret},
    {"noise_start", noise_start},
    {"noise_write", noise_write},
    {"noise_read", noise_read},
    {"noise_hash", noise_hash},
};

void answer(const std::string &line)
{
    Words words(line);
    const auto call = calls.find(words.text());
    if (call == calls.end()) exit(2);
    try {
        std::string text;
        for (const std::string &result : call->second(words)) text += (text.empty() ? "" : " ") + result;
        std::cout << text << std::endl;
    } catch (const Failure &failure) {
        std::cout << "error " << failure.error << std::endl;
    }
}

} // namespace

int main()
{
    for (std::string line; std::getline(std::cin, line);) answer(line);
    return 0;
}
