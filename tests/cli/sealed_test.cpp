// The sealed file, made and opened in memory: its format, and that nothing but what was sealed ever opens.
// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <latkem/derand.h>

#include "facts.h"
#include "failure.h"
#include "files.h"
#include "hex.h"
#include "run.h"
#include "sealed.h"
#include "sha256.h"

namespace
{

const Cipher both_ciphers[] = {Cipher::aes_256_gcm, Cipher::chacha20_poly1305};

// Bytes without a pattern that a scheme could take for a symmetry, as it would those of one value.
Buffer message(size_t size, uint32_t state = 1)
{
    Buffer bytes(size);
    for (size_t i = 0; i < size; i++) bytes[i] = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    return bytes;
}

// A key pair that is the same in every run; number tells key pairs apart.
struct KeyPair {
    explicit KeyPair(const std::string &set, uint32_t number = 1)
        : kem(latkem_kem_find(set.c_str())), ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem))
    {
        const Buffer seed = message(latkem_seed_bytes(kem), number);
        EXPECT_EQ(latkem_keypair_derand(kem, ek.data(), dk.data(), seed.data(), seed.size()), 0);
    }
    const latkem_kem *kem;
    Buffer ek, dk;
};

Buffer part(const Buffer &bytes, size_t from, size_t to)
{
    return Buffer(bytes.data() + from, to - from);
}

Buffer operator+(const Buffer &a, const Buffer &b)
{
    Buffer sum(a.size() + b.size());
    std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), sum.data()));
    return sum;
}

size_t header_size(const latkem_kem *kem)
{
    return 16 + std::string(latkem_kem_name(kem)).size() + latkem_ct_bytes(kem);
}

struct Attempt {
    std::string fault; // "" if the file opened
    std::string given; // what reached the sink
};

Attempt try_open(const KeyPair &keys, const Buffer &sealed)
{
    Attempt attempt;
    MemorySource source("file", sealed.data(), sealed.size());
    try {
        open_stream(keys.kem, keys.dk, source, [&attempt](const uint8_t *data, size_t size) {
            attempt.given.append(reinterpret_cast<const char *>(data), size);
        });
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.status(), STATUS_FAILED);
        attempt.fault = failure.what();
    }
    return attempt;
}

// The file does not open, and what was given before that was noticed is a true beginning: whole chunks of the message.
void expect_refused(const KeyPair &keys, const Buffer &sealed, const Buffer &plain, const std::string &what)
{
    const Attempt attempt = try_open(keys, sealed);
    EXPECT_EQ(attempt.fault.substr(0, 6), "file: ") << what;
    EXPECT_EQ(attempt.given.size() % chunk_bytes, 0u) << what;
    ASSERT_LE(attempt.given.size(), plain.size()) << what;
    EXPECT_TRUE(std::equal(attempt.given.begin(), attempt.given.end(), plain.begin(), [](char a, uint8_t b) {
        return static_cast<uint8_t>(a) == b;
    })) << what;
}

const KeyPair &small_keys()
{
    static const KeyPair keys("ML-KEM-512");
    return keys;
}

TEST(CliSealed, RoundTripsInEverySet)
{
    for (const SetFacts &facts : all_facts()) {
        if (latkem_kem_find(facts.name) == nullptr) continue;
        const KeyPair keys(facts.name);
        for (Cipher cipher : both_ciphers)
            for (size_t size : {size_t{0}, size_t{1}, size_t{228}, chunk_bytes - 1, chunk_bytes, chunk_bytes + 1}) {
                SCOPED_TRACE(std::string(facts.name) + " " + std::to_string(size));
                const Buffer plain = message(size), sealed = seal_bytes(keys.kem, cipher, keys.ek, plain);
                const size_t chunks = size <= chunk_bytes ? 1 : 2;
                EXPECT_EQ(sealed.size(), header_size(keys.kem) + size + 16 * chunks);
                EXPECT_TRUE(open_bytes(keys.kem, keys.dk, sealed) == plain);
            }
    }
}

TEST(CliSealed, RoundTripsManyChunks)
{
    const KeyPair &keys = small_keys();
    for (Cipher cipher : both_ciphers)
        for (size_t size : {2 * chunk_bytes, 300 * chunk_bytes, 77 * chunk_bytes + 12345}) {
            const Buffer plain = message(size), sealed = seal_bytes(keys.kem, cipher, keys.ek, plain);
            EXPECT_EQ(sealed.size(), header_size(keys.kem) + size + 16 * ((size + chunk_bytes - 1) / chunk_bytes));
            EXPECT_TRUE(open_bytes(keys.kem, keys.dk, sealed) == plain) << size;
        }
}

TEST(CliSealed, IsFreshEachTime)
{
    const KeyPair &keys = small_keys();
    EXPECT_NE(seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, message(100)),
              seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, message(100)));
}

// The digests were computed by a program of its own from docs/sealed-format.md.
TEST(CliSealed, KnownAnswers)
{
    struct {
        const char *set;
        Cipher cipher;
        size_t size;
        const char *prefix, *sha256;
    } const answers[] = {
        {"ML-KEM-768", Cipher::aes_256_gcm, 228, "6c61746b656d207365616c656401010a4d4c2d4b454d2d373638",
         "92b02c20c8d81b8d9ec800e2d42281d74ca25d55a385c13593536274b1217659"},
        {"ML-KEM-768", Cipher::chacha20_poly1305, 228, "6c61746b656d207365616c656401020a4d4c2d4b454d2d373638",
         "653a6035a99bf1099d67174eefe3f14baf049b6ca1aeb57a04089913a5338e10"},
        {"ML-KEM-512", Cipher::aes_256_gcm, 0, "6c61746b656d207365616c656401010a4d4c2d4b454d2d353132",
         "90f42f557dcb3a2a228485d799bb5b0782e695775a6f5b94df00303a8959051b"},
        {"FireSaber", Cipher::aes_256_gcm, 2 * chunk_bytes, "6c61746b656d207365616c6564010109466972655361626572",
         "66071215ea689df1782b031379bfbd69459bb72d7a7ebb5f876b1eacee34d4b1"},
        {"FireSaber", Cipher::chacha20_poly1305, 300 * chunk_bytes + 1,
         "6c61746b656d207365616c6564010209466972655361626572",
         "ab075ade9d5b2f8d14d2cb357a796687c06f69d8d97dfffdf2836353a118166e"},
    };
    for (const auto &answer : answers) {
        const KeyPair keys(answer.set);
        const Buffer coins(latkem_coins_bytes(keys.kem), 2);
        const Buffer sealed = seal_bytes(keys.kem, answer.cipher, keys.ek, message(answer.size), coins);
        const std::string text(sealed.begin(), sealed.end());
        EXPECT_EQ(to_hex(Bytes(sealed.begin(), sealed.begin() + std::string(answer.prefix).size() / 2)), answer.prefix);
        Sha256 hash;
        hash.update(text);
        EXPECT_EQ(hash.hex_digest(), answer.sha256) << answer.set << ", " << answer.size << " bytes";
        EXPECT_TRUE(open_bytes(keys.kem, keys.dk, sealed) == message(answer.size));
    }
}

TEST(CliSealed, EveryChangedByteIsNoticed)
{
    const KeyPair &keys = small_keys();
    const Buffer plain = message(3300);
    for (Cipher cipher : both_ciphers) {
        Buffer sealed = seal_bytes(keys.kem, cipher, keys.ek, plain);
        for (size_t i = 0; i < sealed.size(); i++)
            for (uint8_t change : {static_cast<uint8_t>(1 << i % 8), uint8_t{0xff}}) {
                sealed[i] ^= change;
                const Attempt attempt = try_open(keys, sealed);
                EXPECT_EQ(attempt.fault.substr(0, 6), "file: ") << "byte " << i;
                EXPECT_EQ(attempt.given, "") << "byte " << i;
                sealed[i] ^= change;
            }
        EXPECT_TRUE(open_bytes(keys.kem, keys.dk, sealed) == plain);
    }
}

TEST(CliSealed, ChangedBytesOfManyChunksAreNoticed)
{
    const KeyPair &keys = small_keys();
    const Buffer plain = message(3 * chunk_bytes);
    Buffer sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, plain);
    for (size_t i = 0; i < sealed.size(); i += 97) {
        sealed[i] ^= 0x10;
        expect_refused(keys, sealed, plain, "byte " + std::to_string(i));
        sealed[i] ^= 0x10;
    }
}

TEST(CliSealed, EveryTruncationIsNoticed)
{
    const KeyPair &keys = small_keys();
    const Buffer plain = message(3300), sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, plain);
    for (size_t size = 0; size < sealed.size(); size++)
        EXPECT_EQ(try_open(keys, part(sealed, 0, size)).given, "") << size;
    for (size_t size = 0; size < sealed.size(); size++)
        expect_refused(keys, part(sealed, 0, size), plain, std::to_string(size));
}

TEST(CliSealed, TruncationAroundChunksIsNoticed)
{
    const KeyPair &keys = small_keys();
    for (size_t size : {3 * chunk_bytes, 2 * chunk_bytes + 1, 2 * chunk_bytes + 100})
        for (Cipher cipher : both_ciphers) {
            const Buffer plain = message(size), sealed = seal_bytes(keys.kem, cipher, keys.ek, plain);
            for (size_t chunk = 0; chunk <= 3; chunk++)
                for (size_t near = 0; near < 40; near++) {
                    const size_t cut = header_size(keys.kem) + chunk * (chunk_bytes + tag_bytes) + near - 20;
                    if (cut < sealed.size()) expect_refused(keys, part(sealed, 0, cut), plain, std::to_string(cut));
                }
        }
}

TEST(CliSealed, AddedBytesAreNoticed)
{
    const KeyPair &keys = small_keys();
    for (size_t size : {size_t{0}, size_t{100}, chunk_bytes, 2 * chunk_bytes}) {
        const Buffer plain = message(size), sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, plain);
        for (size_t more : {size_t{1}, size_t{15}, size_t{16}, size_t{17}, chunk_bytes, chunk_bytes + tag_bytes})
            for (uint8_t fill : {0, 255})
                expect_refused(keys, sealed + Buffer(more, fill), plain,
                               std::to_string(size) + " + " + std::to_string(more));
        expect_refused(keys, sealed + sealed, plain, "twice");
    }
}

TEST(CliSealed, MovedChunksAreNoticed)
{
    const KeyPair &keys = small_keys();
    const Buffer plain = message(4 * chunk_bytes), sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, plain);
    const size_t begin = header_size(keys.kem), step = chunk_bytes + tag_bytes;
    auto rearranged = [&](const std::vector<size_t> &order) {
        Buffer file = part(sealed, 0, begin);
        for (size_t chunk : order) file = file + part(sealed, begin + chunk * step, begin + (chunk + 1) * step);
        return file;
    };
    EXPECT_TRUE(open_bytes(keys.kem, keys.dk, rearranged({0, 1, 2, 3})) == plain);
    const std::vector<size_t> orders[] = {{1, 0, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}, {3, 1, 2, 0},    {0, 1, 2},
                                          {0, 1, 3},    {1, 2, 3},    {0, 2, 3},    {0, 1, 1, 2, 3}, {0, 1, 2, 3, 3},
                                          {3},          {0, 3},       {0, 0, 0, 3}, {0, 1, 2, 2}};
    for (const auto &order : orders) expect_refused(keys, rearranged(order), plain, testing::PrintToString(order));
    const Buffer other = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, plain);
    expect_refused(keys, part(sealed, 0, begin + step) + part(other, begin + step, other.size()), plain, "two files");
    expect_refused(keys, part(other, 0, begin) + part(sealed, begin, sealed.size()), plain, "two headers");
}

// Who has the key can make it, but no two files of one key stand for one content.
TEST(CliSealed, EmptyChunkAfterOthersIsRefused)
{
    const KeyPair &keys = small_keys();
    const Buffer plain = message(chunk_bytes);
    const Buffer header = part(seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, plain), 0, header_size(keys.kem));
    Buffer ss(latkem_ss_bytes(keys.kem));
    const size_t ct_bytes = latkem_ct_bytes(keys.kem);
    ASSERT_EQ(latkem_decaps(keys.kem, ss.data(), header.end() - ct_bytes, ct_bytes, keys.dk.data(), keys.dk.size()), 0);
    auto build = [&](bool first_is_last) {
        ChunkAead aead(Cipher::aes_256_gcm, derive_key(ss, header), ChunkAead::Direction::seal);
        Buffer full(chunk_bytes + tag_bytes), empty(tag_bytes);
        aead.seal(full.data(), plain.data(), plain.size(), first_is_last);
        aead.seal(empty.data(), plain.data(), 0, true);
        return first_is_last ? header + full : header + full + empty;
    };
    EXPECT_TRUE(open_bytes(keys.kem, keys.dk, build(true)) == plain);
    expect_refused(keys, build(false), plain, "empty last chunk");
}

TEST(CliSealed, FaultsHaveTheirWords)
{
    const KeyPair &keys = small_keys();
    const Buffer sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, message(2 * chunk_bytes));
    auto fault_of = [&](size_t at, uint8_t value) {
        Buffer changed = sealed + Buffer();
        changed[at] = value;
        return try_open(keys, changed).fault;
    };
    EXPECT_EQ(fault_of(0, 'L'), "file: is not a sealed file");
    EXPECT_EQ(fault_of(13, 2), "file: is of format version 2; this latkem knows version 1");
    EXPECT_EQ(fault_of(14, 0), "file: uses cipher 0, which this latkem does not know");
    EXPECT_EQ(fault_of(14, 3), "file: uses cipher 3, which this latkem does not know");
    EXPECT_EQ(fault_of(14, 2), "file: does not open: it was sealed for another key, changed or cut off");
    EXPECT_EQ(fault_of(25, '3'),
              "file: is sealed for a parameter set that this latkem does not know, not for ML-KEM-512");
    EXPECT_EQ(fault_of(sealed.size() - 1, sealed[sealed.size() - 1] ^ 1),
              "file: was changed, cut off or added to: its content verifies up to byte 65536 only");
    EXPECT_EQ(try_open(keys, part(sealed, 0, 20)).fault, "file: is cut off within its header");
    EXPECT_EQ(try_open(keys, part(sealed, 0, 700)).fault, "file: is cut off within its header");
    EXPECT_EQ(try_open(keys, Buffer()).fault, "file: is not a sealed file");
    EXPECT_EQ(try_open(KeyPair("Kyber512"), sealed).fault, "file: is sealed for ML-KEM-512, not for Kyber512");
}

TEST(CliSealed, OtherKeysDoNotOpen)
{
    for (const SetFacts &facts : all_facts()) {
        if (latkem_kem_find(facts.name) == nullptr) continue;
        const KeyPair keys(facts.name), others(facts.name, 2);
        const Buffer sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, message(100));
        EXPECT_EQ(try_open(others, sealed).fault,
                  "file: does not open: it was sealed for another key, changed or cut off");
        EXPECT_EQ(try_open(others, sealed).given, "");
        EXPECT_EQ(try_open(keys, sealed).fault, "");
    }
}

// A stream is cut into the same pieces as memory.
TEST(CliSealed, StreamsEqualMemory)
{
    for (size_t total : {size_t{0}, size_t{1}, size_t{2}, size_t{99}, size_t{100}, size_t{101}, chunk_bytes + 116})
        for (size_t most : {size_t{0}, size_t{1}, size_t{2}, size_t{50}, size_t{100}, chunk_bytes + tag_bytes}) {
            const Buffer bytes = message(total);
            size_t read = 0, calls_after_the_end = 0;
            ReadSource stream("stream", [&](uint8_t *out, size_t size) {
                const size_t got = std::min(size, total - read);
                calls_after_the_end += read == total && got == 0 && size > 0 ? 1 : 0;
                std::copy_n(bytes.data() + read, got, out);
                read += got;
                return got;
            });
            MemorySource memory("memory", bytes.data(), bytes.size());
            for (size_t round = 0; round < 300; round++) {
                const size_t size = round % 3 == 2 ? 16 : most;
                const Source::Piece a = stream.next(size), b = memory.next(size);
                ASSERT_EQ(a.size, b.size) << total << ", " << most << ", " << round;
                ASSERT_EQ(a.is_last, b.is_last) << total << ", " << most << ", " << round;
                ASSERT_TRUE(std::equal(a.data, a.data + a.size, b.data));
            }
            EXPECT_LE(calls_after_the_end, 1u) << "a terminal would have to end its input again";
        }
}

using CliFiles = CommandTest;

TEST_F(CliFiles, UnfinishedOutputVanishes)
{
    write("old", "old");
    const Buffer data = message(100);
    {
        Files files;
        const auto output = files.create(path("old"), Privacy::secret);
        output->write(data.data(), data.size());
        EXPECT_EQ(names().size(), 2u);
    }
    EXPECT_EQ(names(), std::vector<std::string>{"old"});
    EXPECT_EQ(read("old"), "old");
}

TEST_F(CliFiles, SignalsLeaveNoTemporaryFile)
{
    const Buffer data = message(100);
    for (int signal : {SIGHUP, SIGINT, SIGTERM}) {
        EXPECT_EXIT(
            {
                const OrderlyEnd orderly_end;
                Files files;
                const auto output = files.create(path("new"), Privacy::secret);
                output->write(data.data(), data.size());
                if (names().size() != 1) _exit(1);
                raise(signal);
                try {
                    output->write(data.data(), data.size());
                    _exit(2);
                } catch (const Failure &) {
                }
            },
            testing::KilledBySignal(signal), "");
        EXPECT_TRUE(names().empty()) << signal;
    }
}

} // namespace
