// The facts about each parameter set: see facts.h.
// SPDX-License-Identifier: Apache-2.0
#include "facts.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "spec.h"

namespace
{

using nlohmann::json;

Family family_of(const std::string &name)
{
    static const std::pair<const char *, Family> families[] = {{"ML-KEM", Family::mlkem},
                                                               {"Kyber", Family::kyber},
                                                               {"Kyber-90s", Family::kyber_90s},
                                                               {"Saber", Family::saber},
                                                               {"NTRU", Family::ntru}};
    for (const auto &[known, family] : families)
        if (name == known) return family;
    throw std::runtime_error("the tests do not know the family " + name);
}

// The text lives as long as the object that holds it.
const char *text(const json &object, const char *name)
{
    return object.at(name).get_ref<const std::string &>().c_str();
}

Sizes sizes_of(const json &sizes)
{
    return {sizes.at("ek"), sizes.at("dk"), sizes.at("ct"), sizes.at("ss"), sizes.at("seed"), sizes.at("coins")};
}

unsigned log2_of(unsigned power)
{
    return power > 1 ? 1 + log2_of(power / 2) : 0;
}

// Parameters have the names that the set's document gives them, and each family has its own.
Ring ring_of(const json &p)
{
    const unsigned du = log2_of(p.value("p", 0u)), dv = log2_of(p.value("T", 0u));
    return {p.value("k", p.value("l", size_t{1})),  p.at("n"),         p.at("q"),
            p.value("mu", 2 * p.value("eta1", 0u)), p.value("du", du), p.value("dv", dv)};
}

std::vector<AccumulatedDigest> accumulated_of(const json &digests)
{
    std::vector<AccumulatedDigest> all;
    for (const json &digest : digests)
        all.push_back({digest.at("rounds"), text(digest, "with_dk"), text(digest, "without_dk")});
    return all;
}

const char *exchange_of(const json &set, const char *name)
{
    return set.contains("exchanges") ? text(set.at("exchanges"), name) : nullptr;
}

unsigned number(const json &ids, const char *name)
{
    return static_cast<unsigned>(std::stoul(ids.value(name, "0"), nullptr, 16));
}

Ids ids_of(const json &set)
{
    const json ids = set.value("ids", json::object());
    return {ids.value("oid", ""), number(ids, "tls_group"), number(ids, "hpke_kem")};
}

SetFacts facts_of(const json &set)
{
    const json &requests = set.at("requests"), &kat = set.at("kat");
    return {text(set, "name"),
            text(set, "reference_name"),
            text(set, "family"),
            family_of(set.at("family")),
            set.at("level"),
            ring_of(set.at("parameters")),
            set.at("status") == "standard",
            sizes_of(set.at("sizes")),
            requests.at("keypair"),
            requests.at("encaps"),
            text(kat, "header"),
            text(kat, "rsp_sha256"),
            text(set, "altered_sha256"),
            accumulated_of(set.at("accumulated")),
            exchange_of(set, "uake_sha256"),
            exchange_of(set, "ake_sha256"),
            ids_of(set)};
}

HybridFacts hybrid_facts_of(const json &set)
{
    const json &requests = set.at("requests"), &parts = set.at("parts");
    HybridFacts facts = {};
    facts.set.name = facts.set.reference_name = text(set, "name");
    facts.set.family_name = text(set, "family");
    facts.set.family = Family::hybrid;
    facts.set.level = set.at("level");
    facts.set.is_standard = set.at("status") == "standard";
    facts.set.sizes = sizes_of(set.at("sizes"));
    facts.set.keypair_requests = requests.at("keypair").get<std::vector<size_t>>();
    facts.set.encaps_requests = requests.at("encaps").get<std::vector<size_t>>();
    facts.group_first = parts.at(0).get<std::string>().rfind("ML-KEM", 0) != 0;
    facts.mlkem = parts.at(facts.group_first ? 1 : 0);
    facts.group = parts.at(facts.group_first ? 0 : 1);
    facts.label = set.value("label", "");
    facts.set.ids = ids_of(set);
    return facts;
}

const json &file()
{
    static const json all = json::parse(latkem_sets_json);
    return all;
}

std::vector<SetFacts> read_facts()
{
    std::vector<SetFacts> all;
    for (const json &set : file().at("sets")) all.push_back(facts_of(set));
    return all;
}

std::vector<HybridFacts> read_hybrid_facts()
{
    std::vector<HybridFacts> all;
    for (const json &set : file().at("hybrids")) all.push_back(hybrid_facts_of(set));
    return all;
}

} // namespace

const std::vector<SetFacts> &all_facts()
{
    static const std::vector<SetFacts> facts = read_facts();
    return facts;
}

const std::vector<HybridFacts> &all_hybrid_facts()
{
    static const std::vector<HybridFacts> facts = read_hybrid_facts();
    return facts;
}

const SetFacts *find_facts(const std::string &name)
{
    for (const SetFacts &facts : all_facts())
        if (name == facts.name) return &facts;
    for (const HybridFacts &facts : all_hybrid_facts())
        if (name == facts.set.name) return &facts.set;
    return nullptr;
}
