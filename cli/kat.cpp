// The NIST known-answer tests.
// SPDX-License-Identifier: Apache-2.0
#include "kat.h"

#include <numeric>

#include <nlohmann/json.hpp>

#include "failure.h"
#include "spec.h"

namespace
{

nlohmann::json facts_of(const latkem_kem *kem, const char *name)
{
    const nlohmann::json facts = nlohmann::json::parse(latkem_sets_json);
    for (const nlohmann::json &set : facts.at("sets"))
        if (set.at("name") == latkem_kem_name(kem) && set.contains(name)) return set.at(name);
    fail(latkem_kem_name(kem), "no known answers are kept for this set");
}

} // namespace

KatDrbg::Seed counting_bytes()
{
    KatDrbg::Seed seed{};
    std::iota(seed.begin(), seed.end(), uint8_t{0});
    return seed;
}

KatFile kat_file(const latkem_kem *kem)
{
    const nlohmann::json kat = facts_of(kem, "kat");
    return {kat.at("header"), kat.at("rsp_sha256")};
}

KexDigests kex_digests(const latkem_kem *kem)
{
    const nlohmann::json digests = facts_of(kem, "exchanges");
    return {digests.at("uake_sha256"), digests.at("ake_sha256")};
}

HybridAnswer hybrid_answer(const latkem_kem *kem)
{
    const nlohmann::json facts = nlohmann::json::parse(latkem_sets_json);
    for (const nlohmann::json &set : facts.at("hybrids"))
        if (set.at("name") == latkem_kem_name(kem)) {
            const nlohmann::json &answer = set.at("answer");
            return {answer.at("ek_sha256"), answer.at("ct_sha256"), answer.at("ss_sha256")};
        }
    fail(latkem_kem_name(kem), "no known answers are kept for this set");
}

KatSequence::KatSequence(const latkem_kem *kem) : kem_(kem), seeds_(counting_bytes())
{
}

KatEntry KatSequence::next()
{
    KatEntry entry{count_++,
                   {},
                   Buffer(latkem_ek_bytes(kem_)),
                   Buffer(latkem_dk_bytes(kem_)),
                   Buffer(latkem_ct_bytes(kem_)),
                   Buffer(latkem_ss_bytes(kem_))};
    const std::string thing = std::string(latkem_kem_name(kem_)) + " entry " + std::to_string(entry.count);
    seeds_.fill(entry.seed.data(), entry.seed.size());
    KatDrbg drbg(entry.seed);
    require(latkem_keypair_rng(kem_, entry.ek.data(), entry.dk.data(), KatDrbg::fill_callback, &drbg), thing);
    require(latkem_encaps_rng(kem_, entry.ct.data(), entry.ss.data(), entry.ek.data(), entry.ek.size(),
                              KatDrbg::fill_callback, &drbg),
            thing);
    Buffer ss(entry.ss.size());
    require(latkem_decaps(kem_, ss.data(), entry.ct.data(), entry.ct.size(), entry.dk.data(), entry.dk.size()), thing);
    if (ss != entry.ss) fail(thing, "decapsulation gives another ss than encapsulation");
    return entry;
}

std::string upper_hex(const uint8_t *data, size_t size)
{
    std::string text;
    text.reserve(2 * size);
    for (size_t i = 0; i < size; i++) {
        text += "0123456789ABCDEF"[data[i] >> 4];
        text += "0123456789ABCDEF"[data[i] & 15];
    }
    return text;
}

std::string rsp_head(const KatFile &file)
{
    return "# " + file.header + "\n\n";
}

std::string rsp_record(const KatEntry &entry)
{
    auto line = [](const char *name, const auto &bytes) { return name + upper_hex(bytes.data(), bytes.size()) + "\n"; };
    return "count = " + std::to_string(entry.count) + "\n" + line("seed = ", entry.seed) + line("pk = ", entry.ek) +
           line("sk = ", entry.dk) + line("ct = ", entry.ct) + line("ss = ", entry.ss) + "\n";
}
