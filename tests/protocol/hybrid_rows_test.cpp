// The hybrids' rows against spec/sets.json, and how they are found.
// SPDX-License-Identifier: Apache-2.0
#include <latkem/hybrid.h>

#include "kem_test.h"

extern "C" {
#include "hybrid/hybrid.h"
}

#if defined(__linux__)
// The version that the core says it has: the linker puts this function in its place.
static const char *version = nullptr;
extern "C" const char *__real_latkem_version();
extern "C" const char *__wrap_latkem_version();
extern "C" const char *__wrap_latkem_version()
{
    return version ? version : __real_latkem_version();
}

TEST(HybridRows, AreOfOneVersion)
{
    const latkem_kem *kem = latkem_hybrid_at(0);
    for (const char *other : {"0.0.1", LATKEM_VERSION "0", ""}) {
        version = other;
        EXPECT_EQ(latkem_hybrid_at(0), nullptr) << other;
        EXPECT_EQ(latkem_hybrid_find("X-Wing"), nullptr) << other;
    }
    version = nullptr;
    EXPECT_EQ(latkem_hybrid_at(0), kem);
    EXPECT_NE(kem, nullptr);
}
#endif

namespace
{

TEST(HybridRows, AreListedInOrder)
{
    std::vector<std::string> listed, known;
    for (size_t i = 0; const latkem_kem *kem = latkem_hybrid_at(i); i++) listed.push_back(latkem_kem_name(kem));
    for (const HybridFacts &facts : all_hybrid_facts()) known.push_back(facts.set.name);
    EXPECT_EQ(listed, known);
    EXPECT_EQ(latkem_hybrid_at(listed.size()), nullptr);
    EXPECT_EQ(latkem_hybrid_at(SIZE_MAX), nullptr);
}

TEST(HybridRows, AreFoundByTheExactName)
{
    for (size_t i = 0; const latkem_kem *kem = latkem_hybrid_at(i); i++) {
        EXPECT_EQ(latkem_hybrid_find(latkem_kem_name(kem)), kem);
        EXPECT_EQ(latkem_kem_find(latkem_kem_name(kem)), nullptr) << "the core has no hybrids";
    }
    for (const char *name : {"", "x25519mlkem768", "X25519MLKEM768 ", "X25519MLKEM76", "X-wing", "ML-KEM-768"})
        EXPECT_EQ(latkem_hybrid_find(name), nullptr) << '"' << name << '"';
    EXPECT_EQ(latkem_hybrid_find(nullptr), nullptr);
}

TEST(HybridRows, AreWhatTheFactsSay)
{
    for (const HybridFacts &facts : all_hybrid_facts()) {
        const SetFacts &set = facts.set;
        SCOPED_TRACE(set.name);
        const latkem_kem *kem = latkem_hybrid_find(set.name);
        ASSERT_NE(kem, nullptr);
        EXPECT_STREQ(latkem_kem_family(kem), set.family_name);
        EXPECT_EQ(latkem_kem_level(kem), set.level);
        EXPECT_EQ(latkem_kem_is_standard(kem), set.is_standard ? 1 : 0);
        EXPECT_EQ(latkem_ek_bytes(kem), set.sizes.ek);
        EXPECT_EQ(latkem_dk_bytes(kem), set.sizes.dk);
        EXPECT_EQ(latkem_ct_bytes(kem), set.sizes.ct);
        EXPECT_EQ(latkem_ss_bytes(kem), set.sizes.ss);
        EXPECT_EQ(latkem_seed_bytes(kem), set.sizes.seed);
        EXPECT_EQ(latkem_coins_bytes(kem), set.sizes.coins);
        EXPECT_EQ(latkem_tls_group(kem), set.ids.tls_group);
        EXPECT_EQ(latkem_hpke_kem_id(kem), set.ids.hpke_kem);
    }
}

TEST(HybridRows, HaveTheFactsParts)
{
    const std::map<std::string, const lkp_group *> groups = {
        {"X25519", &lkp_x25519}, {"P-256", &lkp_p256}, {"P-384", &lkp_p384}};
    for (const HybridFacts &facts : all_hybrid_facts()) {
        SCOPED_TRACE(facts.set.name);
        const auto *row = reinterpret_cast<const lkp_hybrid *>(latkem_hybrid_find(facts.set.name)->row);
        const latkem_kem *mlkem = latkem_kem_find(facts.mlkem.c_str());
        EXPECT_EQ(row->mlkem, facts.mlkem);
        EXPECT_EQ(row->group, groups.at(facts.group));
        EXPECT_EQ(row->group_first != 0, facts.group_first);
        const std::string label = row->label ? row->label : "";
        EXPECT_EQ(to_hex(Bytes(label.begin(), label.end())), facts.label);
        EXPECT_EQ(row->ek, latkem_ek_bytes(mlkem));
        EXPECT_EQ(row->dk, latkem_dk_bytes(mlkem));
        EXPECT_EQ(row->ct, latkem_ct_bytes(mlkem));
        EXPECT_GE(row->row.bytes.prepared_ek, latkem_prepared_ek_bytes(mlkem) + row->group->share);
        EXPECT_GE(row->row.bytes.prepared_dk, latkem_prepared_dk_bytes(mlkem) + row->group->scalar);
        EXPECT_LE(row->row.group * row->ek, size_t{LKP_EKS_MAX});
        EXPECT_LE(row->row.group * row->ct, size_t{LKP_EKS_MAX});
        EXPECT_LE(row->row.group * row->dk, size_t{LKP_DKS_MAX});
        EXPECT_LE(row->row.group, LKP_MOST);
    }
}

TEST(HybridRows, NumbersOfTheCoresSets)
{
    for (const SetFacts &set : all_facts()) {
        const latkem_kem *kem = latkem_kem_find(set.name);
        if (!kem) continue;
        EXPECT_EQ(latkem_tls_group(kem), set.ids.tls_group) << set.name;
        EXPECT_EQ(latkem_hpke_kem_id(kem), set.ids.hpke_kem) << set.name;
    }
    EXPECT_EQ(latkem_tls_group(nullptr), 0u);
    EXPECT_EQ(latkem_hpke_kem_id(nullptr), 0u);
}

} // namespace
