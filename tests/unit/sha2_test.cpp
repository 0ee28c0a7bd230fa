// The SHA-2 compression kernels: digests of padded messages, many blocks in one call and block by block.
// SPDX-License-Identifier: Apache-2.0
#include "backends.h"
#include "guarded.h"
#include "harness/model/crypto.h"

namespace
{

// FIPS 180-4 sections 5.3.3 and 5.3.5.
constexpr uint32_t initial256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr uint64_t initial512[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

template <class Word> struct Compression {
    static constexpr size_t block = 16 * sizeof(Word);
    void (*kernel)(Word *, const uint8_t *, size_t);
    const Word *initial;

    // One more block for each call until the blocks of a call reach `most`, then again from one.
    std::vector<Word> run(const Word *from, const Bytes &blocks, size_t most) const
    {
        Guarded<Word> state(from, 8, alignof(Word));
        Guarded<uint8_t> data(blocks.data(), blocks.size(), next_byte_offset());
        for (size_t done = 0, step = 1; done < blocks.size() / block; done += step, step = step % most + 1) {
            step = std::min(step, blocks.size() / block - done);
            kernel(state.out(), data.in() + done * block, step);
        }
        return std::vector<Word>(state.out(), state.out() + 8);
    }

    std::vector<Word> run_at_once(const Word *from, const Bytes &blocks) const
    {
        Guarded<Word> state(from, 8, alignof(Word));
        Guarded<uint8_t> data(blocks.data(), blocks.size(), next_byte_offset());
        kernel(state.out(), data.in(), blocks.size() / block);
        return std::vector<Word>(state.out(), state.out() + 8);
    }

    // FIPS 180-4 section 5.1.
    static Bytes pad(Bytes message)
    {
        const uint64_t bits = 8 * message.size();
        message.push_back(0x80);
        while (message.size() % block != block - 2 * sizeof(Word)) message.push_back(0);
        message.resize(message.size() + 2 * sizeof(Word) - 8);
        for (int i = 7; i >= 0; i--) message.push_back(static_cast<uint8_t>(bits >> 8 * i));
        return message;
    }

    static Bytes big_endian(const std::vector<Word> &words)
    {
        Bytes bytes;
        for (Word w : words)
            for (size_t i = sizeof(Word); i-- > 0;) bytes.push_back(static_cast<uint8_t>(w >> 8 * i));
        return bytes;
    }

    Bytes digest(const Bytes &message) const
    {
        return big_endian(run_at_once(initial, pad(message)));
    }
};

class Sha2 : public testing::TestWithParam<const lk_backend *>
{
  protected:
    const lk_sha2_kernels &kernels = *GetParam()->symmetric.sha2;
    const Compression<uint32_t> compression256 = {kernels.sha256_compress, initial256};
    const Compression<uint64_t> compression512 = {kernels.sha512_compress, initial512};
    Random random{19};
};

Bytes text(const std::string &characters)
{
    return Bytes(characters.begin(), characters.end());
}

// The examples of FIPS 180-4.
TEST_P(Sha2, KnownAnswers)
{
    EXPECT_EQ(to_hex(compression256.digest(text("abc"))),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(to_hex(compression256.digest(text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(to_hex(compression512.digest(text("abc"))),
              "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
              "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
}

template <class Word>
void check(const Compression<Word> &compression, Bytes (*reference)(const Bytes &), Random &random)
{
    for (size_t length = 0; length <= 600; length++) {
        const Bytes message = random.bytes(length);
        ASSERT_EQ(to_hex(compression.digest(message)), to_hex(reference(message))) << length << " bytes";
    }
    for (size_t blocks = 1; blocks <= 20; blocks++) {
        const Bytes data = random.bytes(blocks * compression.block);
        Word from[8];
        for (Word &w : from) w = static_cast<Word>(random.word());
        ASSERT_EQ(compression.run_at_once(from, data), compression.run(from, data, 1)) << blocks << " blocks";
        ASSERT_EQ(compression.run_at_once(from, data), compression.run(from, data, 4)) << blocks << " blocks";
    }
}

TEST_P(Sha2, Sha256)
{
    check<uint32_t>(compression256, sha256, random);
}

TEST_P(Sha2, Sha512)
{
    check<uint64_t>(compression512, sha512, random);
}

TEST_P(Sha2, NoBlocksChangeNothing)
{
    const std::vector<uint32_t> state256 = compression256.run_at_once(initial256, {});
    EXPECT_TRUE(std::equal(state256.begin(), state256.end(), initial256));
    const std::vector<uint64_t> state512 = compression512.run_at_once(initial512, {});
    EXPECT_TRUE(std::equal(state512.begin(), state512.end(), initial512));
}

LATKEM_FOR_EVERY_BACKEND(Sha2);

} // namespace
