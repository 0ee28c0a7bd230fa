// The sealed file, made and opened in memory: its format, and that nothing but what was sealed ever opens.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <latkem/derand.h>

#include "failure.h"
#include "harness/model/crypto.h"
#include "harness/model/hex.h"
#include "run.h"
#include "sealed.h"
#include "sealed_model.h"
#include "sets.h"
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

// A key pair that is the same in every run; number distinguishes key pairs.
struct KeyPair {
    explicit KeyPair(const std::string &set, uint32_t number = 1)
        : kem(set_named(set)), ek(latkem_ek_bytes(kem)), dk(latkem_dk_bytes(kem))
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

// All before the first chunk: the last 32 bytes are the commitment.
size_t header_size(const latkem_kem *kem)
{
    return 16 + std::string(latkem_kem_name(kem)).size() + latkem_ct_bytes(kem) + 32;
}

Bytes to_bytes(const Buffer &buffer)
{
    return Bytes(buffer.begin(), buffer.end());
}

Buffer to_buffer(const Bytes &bytes)
{
    return Buffer(bytes.data(), bytes.size());
}

// The model's inputs to make the file that seal_bytes makes with the same coins.
ModelFile model_of(const KeyPair &keys, Cipher cipher, const Buffer &content, const Buffer &coins, uint8_t version = 2)
{
    Bytes ct(latkem_ct_bytes(keys.kem)), ss(latkem_ss_bytes(keys.kem));
    EXPECT_EQ(latkem_encaps_derand(keys.kem, ct.data(), ss.data(), keys.ek.data(), keys.ek.size(), coins.data(),
                                   coins.size()),
              0);
    return {version,          static_cast<uint8_t>(cipher), latkem_kem_name(keys.kem), to_bytes(keys.ek), ct, ss,
            to_bytes(content)};
}

struct Attempt {
    std::string fault; // "" if the file opened
    std::string given; // what reached the sink
};

Attempt try_open(const KeyPair &keys, const Buffer &sealed, uint64_t first = 0)
{
    Attempt attempt;
    MemorySource source("file", sealed.data(), sealed.size());
    try {
        const Sink sink = [&attempt](const uint8_t *data, size_t size) {
            attempt.given.append(reinterpret_cast<const char *>(data), size);
        };
        open_stream(keys.kem, keys.dk, source, sink, first);
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

// Those of TLS have no secret of their own.
std::vector<std::string> sealing_sets()
{
    std::vector<std::string> names;
    for (size_t i = 0; const latkem_kem *kem = set_at(i); i++)
        if (!is_for_tls(kem)) names.emplace_back(latkem_kem_name(kem));
    return names;
}

const KeyPair &small_keys()
{
    static const KeyPair keys("ML-KEM-512");
    return keys;
}

TEST(CliSealed, RoundTripsInEverySet)
{
    for (const std::string &name : sealing_sets()) {
        const KeyPair keys(name);
        for (Cipher cipher : both_ciphers)
            for (size_t size : {size_t{0}, size_t{1}, size_t{228}, chunk_bytes - 1, chunk_bytes, chunk_bytes + 1}) {
                SCOPED_TRACE(name + " " + std::to_string(size));
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

TEST(CliSealed, EqualsTheModel)
{
    for (const std::string &name : sealing_sets()) {
        const KeyPair keys(name);
        const Buffer coins = message(latkem_coins_bytes(keys.kem), 2);
        for (Cipher cipher : both_ciphers)
            for (size_t size : {size_t{0}, size_t{1}, size_t{228}}) {
                SCOPED_TRACE(name + " " + std::to_string(size));
                const Bytes expected = model_seal(model_of(keys, cipher, message(size), coins));
                EXPECT_TRUE(seal_bytes(keys.kem, cipher, keys.ek, message(size), coins) == to_buffer(expected));
            }
    }
}

TEST(CliSealed, ManyChunksEqualTheModel)
{
    const KeyPair &keys = small_keys();
    const Buffer coins = message(latkem_coins_bytes(keys.kem), 2);
    const std::pair<Cipher, size_t> files[] = {{Cipher::aes_256_gcm, chunk_bytes},
                                               {Cipher::aes_256_gcm, 2 * chunk_bytes},
                                               {Cipher::aes_256_gcm, 2 * chunk_bytes + 10},
                                               {Cipher::chacha20_poly1305, 258 * chunk_bytes + 1}};
    for (const auto &[cipher, size] : files) {
        const Bytes expected = model_seal(model_of(keys, cipher, message(size), coins));
        EXPECT_TRUE(seal_bytes(keys.kem, cipher, keys.ek, message(size), coins) == to_buffer(expected)) << size;
    }
}

// The digests are of what was written before there was a version 2.
TEST(CliSealed, VersionOneStillOpens)
{
    struct {
        const char *set;
        Cipher cipher;
        size_t size;
        const char *sha256;
    } const answers[] = {
        {"ML-KEM-768", Cipher::aes_256_gcm, 228, "92b02c20c8d81b8d9ec800e2d42281d74ca25d55a385c13593536274b1217659"},
        {"ML-KEM-768", Cipher::chacha20_poly1305, 228,
         "653a6035a99bf1099d67174eefe3f14baf049b6ca1aeb57a04089913a5338e10"},
        {"ML-KEM-512", Cipher::aes_256_gcm, 0, "90f42f557dcb3a2a228485d799bb5b0782e695775a6f5b94df00303a8959051b"},
        {"FireSaber", Cipher::aes_256_gcm, 2 * chunk_bytes,
         "66071215ea689df1782b031379bfbd69459bb72d7a7ebb5f876b1eacee34d4b1"},
        {"FireSaber", Cipher::chacha20_poly1305, 300 * chunk_bytes + 1,
         "ab075ade9d5b2f8d14d2cb357a796687c06f69d8d97dfffdf2836353a118166e"},
    };
    for (const auto &answer : answers) {
        SCOPED_TRACE(std::string(answer.set) + ", " + std::to_string(answer.size) + " bytes");
        const KeyPair keys(answer.set);
        const Buffer content = message(answer.size), coins(latkem_coins_bytes(keys.kem), 2);
        const Bytes sealed = model_seal(model_of(keys, answer.cipher, content, coins, 1));
        Sha256 hash;
        hash.update({reinterpret_cast<const char *>(sealed.data()), sealed.size()});
        EXPECT_EQ(hash.hex_digest(), answer.sha256);
        EXPECT_TRUE(open_bytes(keys.kem, keys.dk, to_buffer(sealed)) == content);
    }
}

TEST(CliSealed, VersionOneIsCheckedAsBefore)
{
    const KeyPair &keys = small_keys();
    const Buffer content = message(300), coins = message(latkem_coins_bytes(keys.kem), 2);
    Buffer sealed = to_buffer(model_seal(model_of(keys, Cipher::aes_256_gcm, content, coins, 1)));
    for (size_t i = 0; i < sealed.size(); i++) {
        sealed[i] ^= 0x10;
        expect_refused(keys, sealed, content, "byte " + std::to_string(i));
        EXPECT_EQ(try_open(keys, sealed).given, "") << i;
        sealed[i] ^= 0x10;
    }
    for (size_t size = 0; size < sealed.size(); size++)
        expect_refused(keys, part(sealed, 0, size), content, std::to_string(size) + " bytes");
    EXPECT_EQ(try_open(KeyPair("ML-KEM-512", 2), sealed).fault,
              "file: does not open: it was sealed for another key, changed or cut off");
}

// A header of one version is none of the other, even with the lengths made right.
TEST(CliSealed, VersionsCannotBeExchanged)
{
    const KeyPair &keys = small_keys();
    const Buffer content = message(300), coins = message(latkem_coins_bytes(keys.kem), 2);
    const Buffer one = to_buffer(model_seal(model_of(keys, Cipher::aes_256_gcm, content, coins, 1)));
    const Buffer two = to_buffer(model_seal(model_of(keys, Cipher::aes_256_gcm, content, coins, 2)));
    const size_t begin = header_size(keys.kem);
    Buffer down = part(two, 0, begin - 32) + part(two, begin, two.size());
    down[13] = 1;
    expect_refused(keys, down, content, "version 2 as 1");
    Buffer up = part(one, 0, begin - 32) + part(two, begin - 32, begin) + part(one, begin - 32, one.size());
    up[13] = 2;
    expect_refused(keys, up, content, "version 1 as 2");
}

// The commitment alone stops a file, although every chunk would verify.
TEST(CliSealed, CommitmentIsChecked)
{
    const KeyPair &keys = small_keys();
    Buffer sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, message(100));
    for (size_t i = header_size(keys.kem) - 32; i < header_size(keys.kem); i++) {
        sealed[i] ^= 1;
        EXPECT_EQ(try_open(keys, sealed).fault,
                  "file: does not open: it was sealed for another key, or its header was changed");
        sealed[i] ^= 1;
    }
    EXPECT_EQ(try_open(keys, sealed).fault, "");
}

// Chunks are numbered up to the limit only, with the counter set close to it.
TEST(CliSealed, LengthIsLimited)
{
    const KeyPair &keys = small_keys();
    const std::string fault = "file: holds more than 256 TiB, the most for one sealed file";
    const Buffer fits = message(2 * chunk_bytes), does_not = message(2 * chunk_bytes + 1);
    const Buffer coins = message(latkem_coins_bytes(keys.kem), 2);
    for (Cipher cipher : both_ciphers) {
        Buffer room(3 * chunk_bytes + 5000);
        auto try_seal = [&](const Buffer &content) -> std::string {
            size_t filled = 0;
            MemorySource source("file", content.data(), content.size());
            try {
                seal_stream(
                    keys.kem, cipher, keys.ek, source,
                    [&](const uint8_t *data, size_t size) {
                        std::copy_n(data, size, room.data() + filled);
                        filled += size;
                    },
                    coins, max_chunks - 2);
            } catch (const Failure &failure) {
                return failure.what();
            }
            room = part(room, 0, filled);
            return "";
        };
        EXPECT_EQ(try_seal(does_not), fault);
        EXPECT_EQ(try_seal(fits), "");
        ModelFile file = model_of(keys, cipher, fits, coins);
        file.first = 0xfffffffe;
        EXPECT_TRUE(room == to_buffer(model_seal(file)));
        EXPECT_EQ(try_open(keys, room, max_chunks - 2).fault, "");
        file.content = to_bytes(does_not);
        const Attempt attempt = try_open(keys, to_buffer(model_seal(file)), max_chunks - 2);
        EXPECT_EQ(attempt.fault, fault);
        EXPECT_EQ(attempt.given.size(), 2 * chunk_bytes);
    }
}

// One file of tests/cli/sealed_vectors.txt: lines of "name = value".
using Vector = std::map<std::string, std::string>;

std::vector<Vector> read_vectors()
{
    std::ifstream file(LATKEM_SEALED_VECTORS);
    std::vector<Vector> all;
    for (std::string line; std::getline(file, line);) {
        const size_t middle = line.find(" = ");
        if (middle == std::string::npos) continue;
        if (line.substr(0, middle) == "version") all.emplace_back();
        all.back()[line.substr(0, middle)] = line.substr(middle + 3);
    }
    return all;
}

// Byte i is i, counted from 0 or backwards from 255.
Buffer counting(size_t size, bool up)
{
    Buffer bytes(size);
    for (size_t i = 0; i < size; i++) bytes[i] = static_cast<uint8_t>(up ? i : 255 - i);
    return bytes;
}

struct CliSealedVectors : testing::Test {
    std::vector<Vector> vectors = read_vectors();
};

TEST_F(CliSealedVectors, HaveAllVersionsAndCiphers)
{
    std::set<std::string> kinds;
    for (const Vector &vector : vectors) kinds.insert(vector.at("version") + vector.at("cipher"));
    EXPECT_EQ(kinds, (std::set<std::string>{"11", "12", "21", "22"}));
}

TEST_F(CliSealedVectors, AreWhatIsSealedAndOpened)
{
    for (Vector &vector : vectors) {
        SCOPED_TRACE(vector.at("set") + ", version " + vector.at("version") + ", cipher " + vector.at("cipher"));
        const latkem_kem *kem = set_named(vector.at("set"));
        ASSERT_NE(kem, nullptr);
        KeyPair keys(vector.at("set"));
        const Buffer seed = counting(latkem_seed_bytes(kem), true), coins = counting(latkem_coins_bytes(kem), false);
        ASSERT_EQ(latkem_keypair_derand(kem, keys.ek.data(), keys.dk.data(), seed.data(), seed.size()), 0);
        const Buffer content = to_buffer(from_hex(vector.at("content")));
        const Cipher cipher = vector.at("cipher") == "1" ? Cipher::aes_256_gcm : Cipher::chacha20_poly1305;
        const auto version = static_cast<uint8_t>(std::stoi(vector.at("version")));
        const ModelFile file = model_of(keys, cipher, content, coins, version);
        EXPECT_EQ(to_hex(sha256(file.ek)), vector.at("sha256(ek)"));
        EXPECT_EQ(to_hex(file.ss), vector.at("ss"));
        EXPECT_EQ(to_hex(model_keys(file).chunks), vector.at("key"));
        EXPECT_EQ(to_hex(model_keys(file).commitment), vector["commitment"]); // version 1 has none
        EXPECT_EQ(to_hex(model_seal(file)), vector.at("file"));
        EXPECT_TRUE(open_bytes(kem, keys.dk, to_buffer(from_hex(vector.at("file")))) == content);
        if (version != 2) continue;
        EXPECT_EQ(to_hex(to_bytes(seal_bytes(kem, cipher, keys.ek, content, coins))), vector.at("file"));
    }
}

// docs/sealed-format.md quotes the keys and the digest of each file.
TEST_F(CliSealedVectors, StandInTheDocument)
{
    std::ostringstream text;
    text << std::ifstream(LATKEM_SEALED_DOCUMENT).rdbuf();
    ASSERT_NE(text.str(), "");
    for (Vector &vector : vectors)
        for (const std::string &value :
             {vector.at("ss"), vector.at("key"), vector["commitment"], to_hex(sha256(from_hex(vector.at("file"))))})
            EXPECT_NE(text.str().find(value), std::string::npos) << value;
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

// A holder of the key can make it, but no two files of one key have one content.
TEST(CliSealed, EmptyChunkAfterOthersIsRefused)
{
    const KeyPair &keys = small_keys();
    const Buffer plain = message(chunk_bytes);
    const Buffer coins = message(latkem_coins_bytes(keys.kem), 2);
    const ModelFile file = model_of(keys, Cipher::aes_256_gcm, plain, coins);
    const Buffer header = part(to_buffer(model_seal(file)), 0, header_size(keys.kem));
    auto build = [&](bool first_is_last) {
        ChunkAead aead(Cipher::aes_256_gcm, to_buffer(model_keys(file).chunks), ChunkAead::Direction::seal);
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
    EXPECT_EQ(fault_of(13, 3), "file: is of format version 3; this latkem knows versions 1 and 2");
    EXPECT_EQ(fault_of(14, 0), "file: uses cipher 0, which this latkem does not know");
    EXPECT_EQ(fault_of(14, 3), "file: uses cipher 3, which this latkem does not know");
    EXPECT_EQ(fault_of(14, 2), "file: does not open: it was sealed for another key, or its header was changed");
    EXPECT_EQ(fault_of(25, '3'),
              "file: is sealed for a parameter set that this latkem does not know, not for ML-KEM-512");
    EXPECT_EQ(fault_of(header_size(keys.kem), sealed[header_size(keys.kem)] ^ 1),
              "file: was changed, cut off or added to: its content verifies up to byte 0 only");
    EXPECT_EQ(fault_of(sealed.size() - 1, sealed[sealed.size() - 1] ^ 1),
              "file: was changed, cut off or added to: its content verifies up to byte 65536 only");
    EXPECT_EQ(try_open(keys, part(sealed, 0, 20)).fault, "file: is cut off within its header");
    EXPECT_EQ(try_open(keys, part(sealed, 0, 700)).fault, "file: is cut off within its header");
    EXPECT_EQ(try_open(keys, part(sealed, 0, header_size(keys.kem) - 1)).fault, "file: is cut off within its header");
    EXPECT_EQ(try_open(keys, Buffer()).fault, "file: is not a sealed file");
    EXPECT_EQ(try_open(KeyPair("Kyber512"), sealed).fault, "file: is sealed for ML-KEM-512, not for Kyber512");
}

TEST(CliSealed, OtherKeysDoNotOpen)
{
    for (const std::string &name : sealing_sets()) {
        const KeyPair keys(name), others(name, 2);
        const Buffer sealed = seal_bytes(keys.kem, Cipher::aes_256_gcm, keys.ek, message(100));
        EXPECT_EQ(try_open(others, sealed).fault,
                  "file: does not open: it was sealed for another key, or its header was changed");
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

// The command warns of a file that does not commit to its key, and refuses it where that is asked for.
class CliVersion1 : public CommandTest
{
  protected:
    // The vector's set; its key pair is in dk and the file in sealed.
    std::string prepare(Vector vector) const
    {
        const std::string set = vector.at("set");
        const Buffer seed = counting(latkem_seed_bytes(set_named(set)), true);
        EXPECT_EQ(
            run({"keygen", set, "--ek", "ek", "--dk", "dk", "--seed-hex", to_hex(to_bytes(seed)), "--force", "--quiet"})
                .status,
            0);
        const Bytes file = from_hex(vector.at("file"));
        write("sealed", std::string(file.begin(), file.end()));
        return set;
    }
};

TEST_F(CliVersion1, IsWarnedOfAndRefused)
{
    size_t old = 0;
    for (const Vector &vector : read_vectors()) {
        const std::string set = prepare(vector);
        const bool is_old = vector.at("version") == "1";
        old += is_old ? 1 : 0;
        const Result opened = run({"open", set, "--dk", "dk", "--in", "sealed", "--out", "-"});
        EXPECT_EQ(opened.status, 0);
        EXPECT_EQ(opened.out, "lattice-based photo");
        EXPECT_EQ(
            opened.err.find("latkem: warning: sealed: is of format version 1, which does not commit to its key") == 0,
            is_old)
            << opened.err;
        EXPECT_EQ(opened.err.empty(), !is_old);
        for (const char *out : {"-", "new"}) {
            const Result strict = run({"open", set, "--no-version-1", "--dk", "dk", "--in", "sealed", "--out", out});
            if (is_old)
                expect_error(strict, 1, {"sealed: is of format version 1, which does not commit to its key"});
            else
                EXPECT_EQ(strict.status, 0) << strict.err;
            EXPECT_EQ(exists("new"), !is_old && std::string(out) == "new");
        }
        (void)std::remove(path("new").c_str());
    }
    EXPECT_GE(old, 2u);
}

// A file that does not open is a failure, and no warning.
TEST_F(CliVersion1, FailuresAreOneLine)
{
    const std::string set = prepare(read_vectors().front());
    std::string bad = read("sealed");
    bad.back() ^= 1;
    write("sealed", bad);
    expect_error(run({"open", set, "--dk", "dk", "--in", "sealed", "--out", "new"}), 1, {"sealed: does not open"});
}

} // namespace
