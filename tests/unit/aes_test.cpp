// The AES-256 kernels: published answers and a bytewise AES.
// SPDX-License-Identifier: Apache-2.0
#include "backends.h"
#include "guarded.h"
#include "harness/model/crypto.h"

namespace
{

class Aes : public testing::TestWithParam<const lk_backend *>
{
  protected:
    Bytes stream(const Bytes &key, const Bytes &nonce, uint32_t counter, size_t blocks)
    {
        Guarded<uint8_t> key_memory(key.data(), 32, next_byte_offset());
        Guarded<uint8_t> nonce_memory(nonce.data(), 12, next_byte_offset());
        Guarded<uint8_t> out(16 * blocks, next_byte_offset());
        Guarded<lk_aes256_key> expanded(1, 0);
        kernels.expand_key(expanded.out(), key_memory.in());
        kernels.ctr(out.out(), blocks, expanded.in(), nonce_memory.in(), counter);
        return Bytes(out.out(), out.out() + 16 * blocks);
    }

    const lk_aes_kernels &kernels = *GetParam()->symmetric.aes;
    Random random{17};
};

Bytes definition(const Bytes &key, const Bytes &nonce, uint32_t counter, size_t blocks)
{
    const Aes256 aes(key);
    Bytes out;
    for (size_t i = 0; i < blocks; i++, counter++) {
        std::array<uint8_t, 16> block{};
        std::copy_n(nonce.begin(), 12, block.begin());
        for (size_t j = 0; j < 4; j++) block[12 + j] = static_cast<uint8_t>(counter >> (24 - 8 * j));
        const auto encrypted = aes.encrypt(block);
        out.insert(out.end(), encrypted.begin(), encrypted.end());
    }
    return out;
}

// FIPS 197 appendix C.3: the block to encrypt is a nonce and a counter like any other.
TEST_P(Aes, Fips197)
{
    const Bytes key = from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    const Bytes nonce = from_hex("00112233445566778899aabb");
    EXPECT_EQ(to_hex(stream(key, nonce, 0xccddeeff, 1)), "8ea2b7ca516745bfeafc49904b496089");
}

// SP 800-38A appendix F.5.5, the output blocks.
TEST_P(Aes, Sp80038a)
{
    const Bytes key = from_hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    const Bytes nonce = from_hex("f0f1f2f3f4f5f6f7f8f9fafb");
    EXPECT_EQ(to_hex(stream(key, nonce, 0xfcfdfeff, 4)), "0bdf7df1591716335e9a8b15c860c502"
                                                         "5a6e699d536119065433863c8f657b94"
                                                         "1bc12c9c01610d5d0d8bd6a3378eca62"
                                                         "2956e1c8693536b1bee99c73a31576b6");
}

TEST_P(Aes, AnyNumberOfBlocks)
{
    for (size_t blocks = 1; blocks <= 40; blocks++)
        for (int i = 0; i < 5; i++) {
            const Bytes key = random.bytes(32), nonce = random.bytes(12);
            const auto counter = static_cast<uint32_t>(random.word() >> 33);
            ASSERT_EQ(to_hex(stream(key, nonce, counter, blocks)), to_hex(definition(key, nonce, counter, blocks)));
        }
}

// Up to the last counter there is, and across carries from byte to byte.
TEST_P(Aes, CounterAtItsEnds)
{
    const Bytes key = random.bytes(32), nonce = random.bytes(12);
    for (size_t blocks = 1; blocks <= 40; blocks++) {
        const auto last = static_cast<uint32_t>(0x100000000 - blocks);
        for (const uint32_t counter : {uint32_t{0}, uint32_t{0xf0}, uint32_t{0xfff8}, uint32_t{0xfffffe},
                                       uint32_t{0x7ffffffd}, uint32_t{0x80000000}, last})
            ASSERT_EQ(to_hex(stream(key, nonce, counter, blocks)), to_hex(definition(key, nonce, counter, blocks)))
                << blocks << " blocks from " << counter;
    }
}

LATKEM_FOR_EVERY_BACKEND(Aes);

} // namespace
