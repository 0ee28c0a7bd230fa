// The remains of operations of liblatkem-protocol: no secret on the stack, ours and that of libcrypto below it, where
// secrets are searched for as bytes, and backwards, as libcrypto's numbers have them. On libcrypto's heap, whatever the form,
// nothing that differs between two secrets. SPDX-License-Identifier: Apache-2.0
#define OPENSSL_SUPPRESS_DEPRECATED // RAND_set_rand_method
#include <gtest/gtest.h>
#include <latkem/latkem.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>

#include "libcrypto_heap.h"
#include "operations.h"
#include "own_stack.h"
#include "secrets.h"

namespace
{

Secrets secrets_of(const Operation &operation)
{
    Secrets all;
    for (const auto &[name, bytes] : operation.secrets) {
        all.add(name, bytes);
        all.add(name + ", backwards", Bytes(bytes.rbegin(), bytes.rend()));
    }
    return all;
}

// libcrypto's random numbers, the same in each run: with them it blinds the coordinates of points.
class FixedRandomness
{
  public:
    FixedRandomness()
    {
        static const RAND_METHOD method = {nullptr, give, nullptr, nullptr, give, ready};
        next = 1;
        EXPECT_EQ(RAND_set_rand_method(&method), 1);
    }
    ~FixedRandomness()
    {
        EXPECT_EQ(RAND_set_rand_method(nullptr), 1);
    }
    FixedRandomness(const FixedRandomness &) = delete;
    FixedRandomness &operator=(const FixedRandomness &) = delete;

  private:
    template <class Length> // AWS-LC's is another
    static int give(unsigned char *out, Length length)
    {
        for (Length i = 0; i < length; i++) out[i] = static_cast<uint8_t>((next = next * 69069 + 1) >> 24);
        return 1;
    }
    static int ready()
    {
        return 1;
    }
    inline static uint32_t next;
};

// The work of an operation on libcrypto's heap.
libcrypto_heap::Trace trace_of(const Operation &operation)
{
    Outputs out = operation.fresh();
    const FixedRandomness randomness;
    return libcrypto_heap::watch([&] { operation.call(out); });
}

// A block without what everyone may see.
Bytes without(Bytes block, const std::vector<Bytes> &shares)
{
    for (const Bytes &share : shares)
        for (auto at = block.begin(); !share.empty(); std::fill_n(at, share.size(), uint8_t{0})) {
            at = std::search(at, block.end(), share.begin(), share.end());
            if (at == block.end()) break;
        }
    return block;
}

// The permitted differences in a block that libcrypto frees. For x86-64 and AArch64 it multiplies points of P-256 by a
// scalar. It frees a copy of 33 bytes of it unwiped, and the 16 first multiples of the point with 5 that it chose from
// them last (ecp_nistz256_windowed_mul in libcrypto). Every Diffie-Hellman on this curve goes through it.
Bytes without_libcryptos(Bytes block)
{
    constexpr size_t point = 96, multiples = 16 * point, chosen = 5 * point, alignment = 64;
    if (block.size() == 33) return {};
    if (block.size() == multiples + chosen + alignment) block.resize(multiples);
    return block;
}

// The first block that two runs leave differently, as text; or nothing.
std::string difference(const std::vector<Bytes> &one, const std::vector<Bytes> &other, const std::vector<Bytes> &shares)
{
    if (one.size() != other.size()) return std::to_string(one.size()) + " blocks and " + std::to_string(other.size());
    const bool p256 = !shares.empty() && shares[0].size() == 65;
    for (size_t i = 0; i < one.size(); i++) {
        Bytes a = without(one[i], shares), b = without(other[i], shares);
        if (p256) a = without_libcryptos(a), b = without_libcryptos(b);
        const auto at = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
        if (at != a.end() || a.size() != b.size())
            return "block " + std::to_string(i) + " of " + std::to_string(one[i].size()) + " bytes, at byte " +
                   std::to_string(at - a.begin());
    }
    return "";
}

// An operation, and the same with other secrets.
using Pair = std::pair<Operation, Operation>;

std::vector<Pair> pairs()
{
    const std::vector<Operation> one = operations(1), other = operations(2);
    std::vector<Pair> all;
    for (size_t i = 0; i < one.size(); i++) all.emplace_back(one[i], other[i]);
    return all;
}

class Residue : public testing::TestWithParam<Pair>
{
  protected:
    void SetUp() override
    {
        for (const Operation &operation : {GetParam().first, GetParam().second}) {
            Outputs out = operation.fresh();
            ASSERT_EQ(operation.call(out), operation.result); // what libcrypto makes once it has then
        }
    }

    const Operation &operation() const
    {
        return GetParam().first;
    }
};

// Every block that is freed, and every block that stays, holds the same with other secrets.
TEST_P(Residue, HeapDoesNotDependOnSecrets)
{
    const auto one = trace_of(operation()), other = trace_of(GetParam().second);
    std::vector<Bytes> shares = operation().shares;
    shares.insert(shares.end(), GetParam().second.shares.begin(), GetParam().second.shares.end());
    EXPECT_EQ(difference(one.freed, other.freed, shares), "");
    EXPECT_EQ(difference(one.live, other.live, shares), "");
    EXPECT_EQ(!one.freed.empty(), operation().takes_memory);
}

// No block is lost, and no reference to an object that libcrypto keeps: it counts them there.
TEST_P(Residue, LosesNothing)
{
    const auto one = trace_of(operation()), again = trace_of(operation());
    EXPECT_EQ(again.lost, 0);
    EXPECT_EQ(difference(one.live, again.live, {}), "");
}

TEST_P(Residue, NothingOnTheStack)
{
    if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
    Outputs out = operation().fresh();
    OwnStack stack;
    stack.run([&] { operation().call(out); });
    EXPECT_EQ(secrets_of(operation()).search(stack.deepest(), stack.depth()), "");
}

#ifdef OPENSSL_IS_AWSLC
constexpr bool wipes_all = true; // every block that it frees
#else
constexpr bool wipes_all = false;
#endif

// Each check finds what is left.
TEST(ResidueControl, FindsWhatIsLeft)
{
    libcrypto_heap::install();
    const Bytes secret(40, 0x5a);
    const auto leave = [](const Bytes &bytes, bool wiped) {
        Operation operation{"", {}, [=](Outputs &) {
                                auto *block = static_cast<uint8_t *>(OPENSSL_malloc(100));
                                std::copy(bytes.begin(), bytes.end(), block + 30);
                                wiped ? OPENSSL_clear_free(block, 100) : OPENSSL_free(block);
                                return 0;
                            }};
        return trace_of(operation).freed;
    };
    EXPECT_EQ(difference(leave(secret, false), leave(Bytes(40, 0x5b), false), {}) == "", wipes_all);
    EXPECT_EQ(difference(leave(secret, true), leave(Bytes(40, 0x5b), true), {}), "");
    EXPECT_EQ(difference(leave(secret, false), leave(Bytes(40), false), {secret}), "");
    Secrets secrets;
    secrets.add("planted", secret);
    if (instrumented) return;
    OwnStack stack;
    stack.run([&] {
        uint8_t local[100];
        std::copy(secret.begin(), secret.end(), local + 30);
        __asm__ volatile("" : : "r"(local) : "memory"); // the copy cannot be left out
    });
    EXPECT_NE(secrets.search(stack.deepest(), stack.depth()), "");
}

std::string name_of(const testing::TestParamInfo<Pair> &info)
{
    return plain(info.param.first.name);
}

INSTANTIATE_TEST_SUITE_P(Operations, Residue, testing::ValuesIn(pairs()), name_of);

} // namespace
