// Published answers for the tests' own hash functions, AES and DRBG, on which other tests rest.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "harness/model/crypto.h"

namespace
{

Bytes counting(size_t length)
{
    Bytes bytes(length);
    std::iota(bytes.begin(), bytes.end(), uint8_t{0});
    return bytes;
}

const Bytes abc = {'a', 'b', 'c'};

TEST(Support, Keccak)
{
    EXPECT_EQ(to_hex(sha3_256({})), "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a");
    EXPECT_EQ(to_hex(sha3_512({})), "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
                                    "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26");
    EXPECT_EQ(to_hex(shake256({}, 8)), "46b9dd2b0ba88d13");
    EXPECT_EQ(to_hex(Shake128().squeeze(8)), "7f9c2ba4e88f827d");
}

TEST(Support, KeccakAtTheRate)
{
    EXPECT_EQ(to_hex(sha3_256(Bytes(135, 1))), "7a2dee0ec28bf949ef9024fcecc0f444a38f906060941c20e89c75e199fec311");
    EXPECT_EQ(to_hex(sha3_256(Bytes(136, 1))), "b36dc2167c4d9dda1a58b87046c8d76a6359afe3612c4de8a38857e09117b2db");
}

TEST(Support, Sha2)
{
    EXPECT_EQ(to_hex(sha256(abc)), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(to_hex(sha384(abc)), "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                                   "8086072ba1e7cc2358baeca134c825a7");
    EXPECT_EQ(to_hex(sha512(abc)), "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                                   "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
    // One byte more than fits beside the padding in one block.
    EXPECT_EQ(to_hex(sha256(Bytes(56, 1))), "51e14a913680f24c85fe3b0e2e5b57f7202f117bb214f8ffdd4ea0f4e921fd52");
    EXPECT_EQ(to_hex(slice(sha512(Bytes(112, 1)), 0, 8)), "a833df322ee221d8");
}

TEST(Support, Aes256)
{
    std::array<uint8_t, 16> block;
    for (size_t i = 0; i < 16; i++) block[i] = static_cast<uint8_t>(0x11 * i);
    const auto out = Aes256(counting(32)).encrypt(block);
    EXPECT_EQ(to_hex(Bytes(out.begin(), out.end())), "8ea2b7ca516745bfeafc49904b496089");
}

TEST(Support, Drbg)
{
    Drbg drbg(counting(48));
    EXPECT_EQ(to_hex(drbg.bytes(48)), "061550234d158c5ec95595fe04ef7a25767f2e24cc2bc479d09d86dc9abcfde7"
                                      "056a8c266f9ef97ed08541dbd2e1ffa1");
    EXPECT_EQ(to_hex(slice(drbg.bytes(48), 0, 8)), "d81c4d8d734fcbfb");
}

TEST(Support, Hex)
{
    EXPECT_EQ(from_hex("00fFa5"), (Bytes{0x00, 0xff, 0xa5}));
    EXPECT_THROW(from_hex("0"), std::invalid_argument);
    EXPECT_THROW(from_hex("0g"), std::invalid_argument);
}

} // namespace
