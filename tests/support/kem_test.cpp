// The fixture of tests that run for every parameter set on every backend: see kem_test.h.
// SPDX-License-Identifier: Apache-2.0
#include "kem_test.h"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iostream>

bool deep()
{
    const char *wanted = std::getenv("LATKEM_TEST_DEEP");
    return wanted != nullptr && *wanted != '\0';
}

bool emulated()
{
#if defined(__x86_64__) || defined(__i386__)
    return false; // the variable is for other programs
#else
    return std::getenv("QEMU_CPU") != nullptr && !deep();
#endif
}

// On an emulated CPU at most two. The portable backend, the first, is tested natively. Those after the second differ in
// Keccak alone and take turns.
static std::vector<std::string> backends(size_t turn)
{
    std::vector<std::string> all;
    for (size_t i = 0; const char *backend = latkem_backend_at(i); i++) all.push_back(backend);
    if (!emulated() || all.size() < 2) return all;
    if (all.size() == 2) return {all[1]};
    return {all[1], all[2 + turn % (all.size() - 2)]};
}

void PrintTo(const Case &c, std::ostream *os)
{
    *os << c.set->name << " on " << c.backend;
}

std::vector<Case> cases(bool (*wanted)(const SetFacts &set))
{
    std::vector<Case> found;
    size_t turn = 0;
    for (size_t i = 0; const latkem_kem *kem = tested_kem_at(i); i++) {
        const SetFacts *facts = find_facts(latkem_kem_name(kem));
        if (facts == nullptr) {
            std::cerr << "no facts about " << latkem_kem_name(kem) << " in spec/sets.json\n";
            std::exit(EXIT_FAILURE);
        }
        if (!wanted(*facts)) continue;
        for (const std::string &backend : backends(turn)) found.push_back({facts, backend});
        turn++;
    }
    return found;
}

std::string case_name(const testing::TestParamInfo<Case> &info)
{
    std::string name = std::string(info.param.set->name) + "_on_" + info.param.backend;
    for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

Stream::Stream(const std::string &label)
{
    shake_.absorb(Bytes(label.begin(), label.end()));
}

size_t Stream::below(size_t bound)
{
    const Bytes b = bytes(4);
    return (static_cast<size_t>(b[0]) | static_cast<size_t>(b[1]) << 8 | static_cast<size_t>(b[2]) << 16) % bound;
}

int RecordingRng::fill(void *self, uint8_t *out, size_t length)
{
    auto &rng = *static_cast<RecordingRng *>(self);
    rng.requests.push_back(length);
    if (rng.fail_at == static_cast<int>(rng.requests.size())) return 1;
    if (length > rng.supply.size() - rng.used) return 2;
    std::memcpy(out, rng.supply.data() + rng.used, length);
    rng.used += length;
    return 0;
}

void KemTest::SetUp()
{
    ASSERT_EQ(latkem_backend_use(GetParam().backend.c_str()), LATKEM_OK);
    for (size_t i = 0; (kem = tested_kem_at(i)) != nullptr; i++)
        if (std::strcmp(latkem_kem_name(kem), set().name) == 0) break;
    ASSERT_NE(kem, nullptr);
}

void KemTest::TearDown()
{
    EXPECT_STREQ(latkem_backend_name(), GetParam().backend.c_str());
    EXPECT_EQ(latkem_backend_use(nullptr), LATKEM_OK);
}

KeyPair KemTest::keypair(Stream &stream) const
{
    return keypair(stream.bytes(sizes().seed));
}

KeyPair KemTest::keypair(const Bytes &seed) const
{
    KeyPair pair{Bytes(sizes().ek), Bytes(sizes().dk)};
    EXPECT_EQ(latkem_keypair_derand(kem, pair.ek.data(), pair.dk.data(), seed.data(), seed.size()), LATKEM_OK);
    return pair;
}

Encapsulation KemTest::encaps(const Bytes &ek, const Bytes &coins) const
{
    Encapsulation e{Bytes(sizes().ct), Bytes(sizes().ss)};
    EXPECT_EQ(latkem_encaps_derand(kem, e.ct.data(), e.ss.data(), ek.data(), ek.size(), coins.data(), coins.size()),
              LATKEM_OK);
    return e;
}

Bytes KemTest::decaps(const Bytes &dk, const Bytes &ct) const
{
    Bytes ss(sizes().ss);
    EXPECT_EQ(latkem_decaps(kem, ss.data(), ct.data(), ct.size(), dk.data(), dk.size()), LATKEM_OK);
    return ss;
}

Bytes Prepared::bytes() const
{
    Bytes copy(size_);
    std::memcpy(copy.data(), cells_.data(), size_);
    return copy;
}

testing::AssertionResult all_zero(const Bytes &bytes)
{
    for (size_t i = 0; i < bytes.size(); i++)
        if (bytes[i] != 0)
            return testing::AssertionFailure()
                   << "byte " << i << " of " << bytes.size() << " is " << static_cast<int>(bytes[i]);
    return testing::AssertionSuccess();
}
