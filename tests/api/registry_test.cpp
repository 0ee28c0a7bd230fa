// The list of parameter sets, their names, levels and sizes; errors and backends by name.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <climits>
#include <set>

#include "kem_test.h"

namespace
{

// The sets that this build was configured with (LATKEM_SETS).
bool built(const SetFacts &set)
{
    return std::string(LATKEM_BUILT_SETS).find(" " + std::string(set.name) + " ") != std::string::npos;
}

TEST(Registry, ListsExactlyTheKnownSets)
{
    std::vector<std::string> listed, known;
    for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++) listed.push_back(latkem_kem_name(kem));
    for (const SetFacts &set : all_facts())
        if (built(set)) known.push_back(set.name);
    EXPECT_EQ(listed, known);
    EXPECT_EQ(latkem_kem_at(listed.size()), nullptr);
    EXPECT_EQ(latkem_kem_at(SIZE_MAX), nullptr);
}

TEST(Registry, ConstantsAreTheLongestOfMlKem)
{
    Sizes longest = {};
    for (const SetFacts &set : all_facts()) {
        if (set.family != Family::mlkem) continue;
        longest.ek = std::max(longest.ek, set.sizes.ek);
        longest.dk = std::max(longest.dk, set.sizes.dk);
        longest.ct = std::max(longest.ct, set.sizes.ct);
        EXPECT_EQ(size_t{LATKEM_MLKEM_SS_BYTES}, set.sizes.ss);
        EXPECT_EQ(size_t{LATKEM_MLKEM_SEED_BYTES}, set.sizes.seed);
        EXPECT_EQ(size_t{LATKEM_MLKEM_COINS_BYTES}, set.sizes.coins);
    }
    EXPECT_EQ(size_t{LATKEM_MLKEM_EK_MAX}, longest.ek);
    EXPECT_EQ(size_t{LATKEM_MLKEM_DK_MAX}, longest.dk);
    EXPECT_EQ(size_t{LATKEM_MLKEM_CT_MAX}, longest.ct);
}

TEST(Registry, FindAgreesWithAt)
{
    for (size_t i = 0; const latkem_kem *kem = latkem_kem_at(i); i++)
        EXPECT_EQ(latkem_kem_find(latkem_kem_name(kem)), kem) << latkem_kem_name(kem);
}

TEST(Registry, FindWantsTheExactName)
{
    for (const char *name : {"", "ML-KEM", "ml-kem-768", "ML-KEM-768 ", " ML-KEM-768", "ML-KEM-7680", "Kyber512-90S"})
        EXPECT_EQ(latkem_kem_find(name), nullptr) << '"' << name << '"';
    EXPECT_EQ(latkem_kem_find(nullptr), nullptr);
}

TEST(Registry, FactsOfEachSet)
{
    for (const SetFacts &set : all_facts()) {
        SCOPED_TRACE(set.name);
        const latkem_kem *kem = latkem_kem_find(set.name);
        ASSERT_EQ(kem != nullptr, built(set));
        if (kem == nullptr) continue;
        EXPECT_STREQ(latkem_kem_name(kem), set.name);
        EXPECT_STREQ(latkem_kem_family(kem), set.family_name);
        EXPECT_EQ(latkem_kem_level(kem), set.level);
        EXPECT_EQ(latkem_kem_is_standard(kem), set.is_standard ? 1 : 0);
        EXPECT_EQ(latkem_ek_bytes(kem), set.sizes.ek);
        EXPECT_EQ(latkem_dk_bytes(kem), set.sizes.dk);
        EXPECT_EQ(latkem_ct_bytes(kem), set.sizes.ct);
        EXPECT_EQ(latkem_ss_bytes(kem), set.sizes.ss);
        EXPECT_EQ(latkem_seed_bytes(kem), set.sizes.seed);
        EXPECT_EQ(latkem_coins_bytes(kem), set.sizes.coins);
        EXPECT_GT(latkem_prepared_ek_bytes(kem), 0u);
        EXPECT_GT(latkem_prepared_dk_bytes(kem), 0u);
    }
}

TEST(Registry, Version)
{
    EXPECT_STREQ(latkem_version(), LATKEM_VERSION);
}

TEST(Errors, EachCodeHasItsOwnText)
{
    std::set<std::string> texts;
    for (int code = LATKEM_ERR_FAULT; code <= LATKEM_OK; code++) {
        const std::string text = latkem_strerror(code);
        EXPECT_FALSE(text.empty()) << code;
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        EXPECT_NE(text.back(), '.') << text;
        EXPECT_TRUE(texts.insert(text).second) << "used twice: " << text;
    }
}

TEST(Errors, UnknownCodesHaveAText)
{
    const std::string fine = latkem_strerror(LATKEM_OK);
    for (int code : {1, 2, 1000, INT_MAX, LATKEM_ERR_FAULT - 1, -1000, INT_MIN}) {
        ASSERT_NE(latkem_strerror(code), nullptr) << code;
        EXPECT_STRNE(latkem_strerror(code), "") << code;
        EXPECT_NE(latkem_strerror(code), fine) << code;
    }
}

#if defined(LATKEM_SMALL)
constexpr const char *portable_name = "small";
#else
constexpr const char *portable_name = "portable";
#endif

TEST(Backend, ListStartsWithPortableAndHasNoNameTwice)
{
    std::set<std::string> names;
    ASSERT_NE(latkem_backend_at(0), nullptr);
    EXPECT_STREQ(latkem_backend_at(0), portable_name);
    size_t count = 0;
    for (; const char *name = latkem_backend_at(count); count++) EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(latkem_backend_at(count), nullptr);
    EXPECT_EQ(latkem_backend_at(SIZE_MAX), nullptr);
}

TEST(Backend, EachCanBeForcedAndNullRestores)
{
    const std::string chosen = latkem_backend_name();
    for (size_t i = 0; const char *name = latkem_backend_at(i); i++) {
        EXPECT_EQ(latkem_backend_use(name), LATKEM_OK) << name;
        EXPECT_STREQ(latkem_backend_name(), name);
        EXPECT_EQ(latkem_backend_use(nullptr), LATKEM_OK);
        EXPECT_EQ(latkem_backend_name(), chosen);
    }
}

TEST(Backend, UnknownNameChangesNothing)
{
    for (size_t i = 0; const char *forced = latkem_backend_at(i); i++) {
        ASSERT_EQ(latkem_backend_use(forced), LATKEM_OK);
        for (const char *name : {"", "avx1024", "Portable", "portable ", "portabl"}) {
            EXPECT_EQ(latkem_backend_use(name), LATKEM_ERR_BACKEND) << '"' << name << '"';
            EXPECT_STREQ(latkem_backend_name(), forced);
        }
    }
    EXPECT_EQ(latkem_backend_use(nullptr), LATKEM_OK);
}

} // namespace
