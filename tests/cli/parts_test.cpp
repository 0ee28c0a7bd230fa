// The command's parts called directly: parsing, hashing, the DRBG, and the wiping of buffers.
// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <new>
#include <numeric>

#include <gtest/gtest.h>
#include <latkem/derand.h>

#include "buffer.h"
#include "drbg.h"
#include "parse.h"
#include "sets.h"
#include "sha256.h"

// The array that is watched, and whether it was all zero when it was freed.
static void *watched;
static size_t watched_size;
static bool was_wiped;

// noinline: seen through, the pair looks mismatched to gcc.
__attribute__((noinline)) void *operator new[](size_t size)
{
    return operator new(size);
}

__attribute__((noinline)) void operator delete[](void *p) noexcept
{
    if (p == watched && p != nullptr) {
        const char *bytes = static_cast<const char *>(p);
        was_wiped = std::all_of(bytes, bytes + watched_size, [](char c) { return c == 0; });
    }
    operator delete(p);
}

void operator delete[](void *p, size_t) noexcept
{
    operator delete[](p);
}

namespace
{

void watch(const Buffer &buffer)
{
    watched = const_cast<uint8_t *>(buffer.data());
    watched_size = buffer.size();
    was_wiped = false;
}

TEST(CliBuffer, IsWipedWhenItGoes)
{
    {
        Buffer buffer(100, 0x5a);
        watch(buffer);
    }
    EXPECT_TRUE(was_wiped);
    {
        Buffer buffer(100, 0x5a);
        watch(buffer);
        buffer = Buffer(3);
        EXPECT_TRUE(was_wiped);
        EXPECT_EQ(buffer.size(), 3u);
    }
    {
        Buffer buffer(100, 0x5a);
        watch(buffer);
        const Buffer moved(std::move(buffer));
        EXPECT_FALSE(was_wiped);
        EXPECT_EQ(moved[99], 0x5a);
    }
    EXPECT_TRUE(was_wiped);
    { // the watch itself can see it
        volatile uint8_t *plain = new uint8_t[100];
        plain[50] = 0x5a;
        watched = const_cast<uint8_t *>(plain);
        delete[] plain;
    }
    EXPECT_FALSE(was_wiped);
}

TEST(CliParseHex, AcceptsBothCases)
{
    Buffer out;
    EXPECT_EQ(parse_hex("00fFa910", out), "");
    const uint8_t expected[] = {0x00, 0xff, 0xa9, 0x10};
    EXPECT_EQ(out, Buffer(expected, 4));
    EXPECT_EQ(parse_hex("", out), "");
    EXPECT_TRUE(out.empty());
}

TEST(CliParseHex, RefusesEverythingElse)
{
    Buffer out(7);
    for (int c = 0; c < 256; c++) {
        const std::string text = {'0', static_cast<char>(c)};
        EXPECT_EQ(parse_hex(text, out).empty(), c < 128 && std::isxdigit(c)) << c;
        EXPECT_EQ(out.size(), c < 128 && std::isxdigit(c) ? 1u : 0u) << c;
    }
    EXPECT_EQ(parse_hex("abc", out), "an odd number of hex digits (3)");
    EXPECT_EQ(parse_hex("0x00", out), "character 2 is not a hex digit");
    EXPECT_TRUE(out.empty());
}

TEST(CliObjectFault, TakesExactlyTheRightLength)
{
    for (size_t i = 0; const latkem_kem *kem = set_at(i); i++) {
        Buffer ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem)), seed(latkem_seed_bytes(kem), 1);
        ASSERT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), 0);
        const Buffer ct(latkem_ct_bytes(kem));
        const std::pair<Object, const Buffer *> objects[] = {
            {Object::ek, &ek}, {Object::dk, &dk}, {Object::ct, &ct}, {Object::seed, &seed}};
        for (auto [object, bytes] : objects) {
            EXPECT_EQ(object_bytes(kem, object), bytes->size());
            EXPECT_EQ(object_fault(kem, object, bytes->data(), bytes->size()), "") << object_name(object);
            EXPECT_NE(object_fault(kem, object, bytes->data(), bytes->size() - 1), "") << object_name(object);
            EXPECT_NE(object_fault(kem, object, nullptr, 0), "") << object_name(object);
        }
    }
}

TEST(CliSuggestSet, IgnoresCaseAndPunctuation)
{
    EXPECT_EQ(suggest_set("mlkem768"), latkem_kem_find("ML-KEM-768"));
    EXPECT_EQ(suggest_set("kyber_512_90S"), latkem_kem_find("Kyber512-90s"));
    EXPECT_EQ(suggest_set("mlkem"), nullptr);
    EXPECT_EQ(suggest_set(""), nullptr);
}

TEST(CliSuggestSet, ForgivesASlip)
{
    EXPECT_EQ(suggest_set("ML-KEM-769"), latkem_kem_find("ML-KEM-768"));
    EXPECT_EQ(suggest_set("Kybre1024"), latkem_kem_find("Kyber1024"));
    EXPECT_EQ(suggest_set("xwing"), set_named("X-Wing"));
    EXPECT_EQ(suggest_set("X25519MLKEM786"), set_named("X25519MLKEM768"));
    EXPECT_EQ(suggest_set("FireSabber"), latkem_kem_find("FireSaber"));
    EXPECT_EQ(suggest_set("Kyber"), nullptr) << "Saber is another word";
    EXPECT_EQ(suggest_set("ML-KEM-2048"), nullptr);
    EXPECT_EQ(suggest_set(std::string(100000, 'k')), nullptr);
}

TEST(CliNearest, CountsLettersLeftOutAddedChangedAndSwapped)
{
    const std::vector<std::string> verbs = {"list", "keygen", "seal", "open", "kat", "selftest"};
    for (const char *slip : {"keygne", "kegen", "keyygen", "keygem"}) EXPECT_EQ(nearest(slip, verbs), "keygen") << slip;
    EXPECT_EQ(nearest("sefltst", verbs), "");
    EXPECT_EQ(nearest("slftestt", verbs), "selftest") << "two in a long word";
    EXPECT_EQ(nearest("lsit", verbs), "list");
    EXPECT_EQ(nearest("ka", verbs), "kat");
    EXPECT_EQ(nearest("open", verbs), "open");
    EXPECT_EQ(nearest("encrypt", verbs), "");
    EXPECT_EQ(nearest("", verbs), "");
}

// FIPS 180-4 examples: one block, two blocks, and a length that leaves no room for the padding.
TEST(CliSha256, KnownAnswers)
{
    const std::pair<std::string, const char *> answers[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (const auto &[text, digest] : answers) {
        Sha256 hash;
        hash.update(text);
        EXPECT_EQ(hash.hex_digest(), digest);
    }
}

// FIPS 197 appendix C.3.
TEST(CliAes256, KnownAnswer)
{
    std::array<uint8_t, 32> key{};
    std::iota(key.begin(), key.end(), uint8_t{0});
    std::array<uint8_t, 16> block{},
        expected = {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89};
    for (size_t i = 0; i < 16; i++) block[i] = static_cast<uint8_t>(0x11 * i);
    EXPECT_EQ(aes256_encrypt(key, block), expected);
}

// The first seed of every .rsp file, and the rule that a request of 64 bytes is not two of 32.
TEST(CliKatDrbg, KnownAnswer)
{
    KatDrbg::Seed entropy{};
    std::iota(entropy.begin(), entropy.end(), uint8_t{0});
    KatDrbg::Seed seed{};
    KatDrbg(entropy).fill(seed.data(), seed.size());
    Buffer expected;
    ASSERT_EQ(parse_hex("061550234D158C5EC95595FE04EF7A25767F2E24CC2BC479D09D86DC9ABCFDE7"
                        "056A8C266F9EF97ED08541DBD2E1FFA1",
                        expected),
              "");
    EXPECT_EQ(Buffer(seed.data(), seed.size()), expected);
    Buffer once(64), twice(64);
    KatDrbg(entropy).fill(once.data(), 64);
    KatDrbg halves(entropy);
    halves.fill(twice.data(), 32);
    halves.fill(twice.data() + 32, 32);
    EXPECT_EQ(Buffer(once.data(), 32), Buffer(twice.data(), 32));
    EXPECT_NE(once, twice);
}

} // namespace
