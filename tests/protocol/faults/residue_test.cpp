// What operations of liblatkem-protocol leave behind: no secret on the stack, ours and that of libcrypto below it, and none in
// what libcrypto frees on its heap, which it must wipe first. Secrets are looked for as bytes, and backwards, as libcrypto's
// numbers have them. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <latkem/latkem.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <set>

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

// libcrypto for x86-64 multiplies points of P-256 by a scalar of which it frees a copy of 33 bytes as it is
// (ecp_nistz256_windowed_mul in libcrypto). Every Diffie-Hellman on this curve goes through it.
bool is_libcryptos(const std::string &what, size_t size)
{
    return size == 33 && what.find("scalar, backwards at byte 0") != std::string::npos;
}

// What is found in blocks that the body has freed.
std::set<std::string> found_in_freed(const Secrets &secrets, const std::function<void()> &body)
{
    std::set<std::string> found;
    libcrypto_heap::look_at_freed([&](const uint8_t *block, size_t size) {
        const std::string what = secrets.search(block, size);
        if (!what.empty() && !is_libcryptos(what, size)) found.insert(what + " in a block of " + std::to_string(size));
    });
    body();
    libcrypto_heap::look_at_freed({});
    return found;
}

class Residue : public testing::TestWithParam<Operation>
{
  protected:
    void SetUp() override
    {
        Outputs out = operation().fresh();
        ASSERT_EQ(operation().call(out), operation().result); // what libcrypto makes once it has then
    }

    const Operation &operation() const
    {
        return GetParam();
    }
};

TEST_P(Residue, NothingInFreedMemory)
{
    Outputs out = operation().fresh();
    const auto found = found_in_freed(secrets_of(operation()), [&] { operation().call(out); });
    EXPECT_EQ(found, std::set<std::string>());
}

TEST_P(Residue, NothingOnTheStack)
{
    if (instrumented) GTEST_SKIP() << "skipped: the frames of instrumented code are not those that users run";
    Outputs out = operation().fresh();
    OwnStack stack;
    stack.run([&] { operation().call(out); });
    EXPECT_EQ(secrets_of(operation()).search(stack.deepest(), stack.depth()), "");
}

// Both searches find what is left.
TEST(ResidueControl, FindsWhatIsLeft)
{
    libcrypto_heap::install();
    Secrets secrets;
    const Bytes secret(40, 0x5a);
    secrets.add("planted", secret);
    const auto leave = [&](bool wiped) {
        auto *block = static_cast<uint8_t *>(OPENSSL_malloc(100));
        std::copy(secret.begin(), secret.end(), block + 30);
        wiped ? OPENSSL_clear_free(block, 100) : OPENSSL_free(block);
    };
    EXPECT_FALSE(found_in_freed(secrets, [&] { leave(false); }).empty());
    EXPECT_TRUE(found_in_freed(secrets, [&] { leave(true); }).empty());
    if (instrumented) return;
    OwnStack stack;
    stack.run([&] {
        uint8_t local[100];
        std::copy(secret.begin(), secret.end(), local + 30);
        __asm__ volatile("" : : "r"(local) : "memory"); // the copy cannot be left out
    });
    EXPECT_NE(secrets.search(stack.deepest(), stack.depth()), "");
}

std::string name_of(const testing::TestParamInfo<Operation> &info)
{
    return plain(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Operations, Residue, testing::ValuesIn(operations()), name_of);

} // namespace
